#include "core/bisection/witness/structural_orders.h"

#include <map>
#include <tuple>

namespace railyard {
namespace {

// How much of an endpoint's speed its leaves (or, with `pods`, their pods) can carry upwards: the scarce ones together
// make the cheapest cut.
std::vector<Bandwidth> scarcity(const BisectionProblem& q, bool pods) {
    const SwitchGraph& graph = q.graph;
    const std::vector<Bandwidth>& up = graph.uplink;
    std::vector<Bandwidth> down(graph.device.size());
    for (const auto& a : q.ends.attachments) down[a.node] += a.capacity;
    std::vector<Bandwidth> groupUp(graph.groups.size()), groupDown(graph.groups.size());
    for (const NodeId v : graph.nodes()) {
        if (graph.groupBelow[v] != none) groupUp[graph.groupBelow[v]] += up[v];
        if (graph.groupAbove[v] != none) groupDown[graph.groupAbove[v]] += down[v];
    }
    std::vector<Bandwidth> value(q.ends.size());
    for (const auto& a : q.ends.attachments) {
        const auto group = graph.groupAbove[a.node];
        if (!pods)
            value[a.endpoint] += Bandwidth(a.capacity.value() * up[a.node].value() / down[a.node].value());
        else if (group != none && groupDown[group] > Bandwidth())
            value[a.endpoint] += Bandwidth(a.capacity.value() * groupUp[group].value() / groupDown[group].value());
    }
    return value;
}

std::vector<double> homeOf(const BisectionProblem& q, bool pods) {
    std::vector<double> home(q.ends.size());
    for (const auto& a : q.ends.attachments) home[a.endpoint] = pods ? q.graph.groupAbove[a.node] : a.node;
    return home;
}

template <class Number>
std::vector<double> asNumbers(const std::vector<Number>& values) {
    return {values.begin(), values.end()};
}

} // namespace

std::vector<bool> firstHalf(const Order& order) {
    std::vector<bool> side(order.size());
    for (std::size_t i = 0; i < order.size() / 2; ++i) side[order[i]] = true;
    return side;
}

std::vector<Order> structuralOrders(const BisectionProblem& q) {
    std::vector<Order> orders;
    const std::size_t n = q.ends.size();
    orders.push_back(sortedBy(std::vector<double>(n))); // by path
    orders.emplace_back(orders[0].rbegin(), orders[0].rend());
    for (const bool pods : {false, true}) {
        const std::vector<Bandwidth> value = scarcity(q, pods);
        const std::vector<double> home = homeOf(q, pods);
        Order order = sortedBy(home);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return value[a] < value[b]; });
        orders.push_back(order);
        orders.push_back(sortedBy(home));
    }
    orders.push_back(sortedBy(q.ends.speed));
    if (q.key != BisectionKey::Server) orders.push_back(sortedBy(asNumbers(q.ends.rail)));
    if (q.key == BisectionKey::GpuWithHb) orders.push_back(sortedBy(asNumbers(q.ends.hbDomain)));
    std::sort(orders.begin(), orders.end());
    orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
    return orders;
}

std::vector<Order> ordersByLeafSize(const BisectionProblem& q) {
    const std::vector<double> home = homeOf(q, false);
    std::map<double, std::vector<std::uint32_t>> leaves;
    for (std::uint32_t e = 0; e < home.size(); ++e) leaves[home[e]].push_back(e);
    std::map<std::size_t, std::vector<const std::vector<std::uint32_t>*>> bySize;
    for (const auto& [leaf, members] : leaves) bySize[members.size()].push_back(&members);
    std::vector<Order> orders;
    if (bySize.size() != 2) return orders;
    const auto& [small, large] = std::tie(bySize.begin()->second, bySize.rbegin()->second);
    for (std::size_t whole = 0; whole <= large.size() && whole * large.front()->size() <= home.size() / 2; ++whole) {
        Order order;
        const auto take = [&](const auto& from, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) order.insert(order.end(), from[i]->begin(), from[i]->end());
        };
        take(large, 0, whole);
        take(small, 0, small.size());
        take(large, whole, large.size());
        orders.push_back(std::move(order));
    }
    return orders;
}

} // namespace railyard
