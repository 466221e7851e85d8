#include "core/cut/stars.h"

#include "core/base/fingerprint.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace railyard {
namespace {

constexpr double worst = std::numeric_limits<double>::infinity();

using Kinds = std::vector<std::pair<const SplitGroup*, std::size_t>>; // a group of each kind, and how many there are

Kinds kindsOf(const std::vector<SplitGroup>& groups) {
    std::map<std::uint64_t, std::size_t> at;
    Kinds kinds;
    for (const SplitGroup& group : groups) {
        const auto [it, fresh] = at.emplace(group.kind, kinds.size());
        if (fresh) kinds.emplace_back(&group, 0);
        ++kinds[it->second].second;
    }
    return kinds;
}

double wholeGroups(const SplitGroup& group, std::size_t count, std::size_t onSide) {
    return static_cast<double>(onSide) * group.cost.back() + static_cast<double>(count - onSide) * group.cost.front();
}

// One kind (or two): whole groups on either side and at most one split group, which is of kind `split`.
double oneSplit(const Kinds& kinds, std::size_t split, std::size_t m) {
    const auto& [group, count] = kinds[split];
    const std::size_t size = group->cost.size() - 1;
    const bool two = kinds.size() == 2;
    const SplitGroup& other = *kinds[two ? 1 - split : split].first;
    const std::size_t otherCount = two ? kinds[1 - split].second : 0, otherSize = other.cost.size() - 1;
    double least = worst;
    for (std::size_t c = 0; c <= otherCount && c * otherSize <= m; ++c) {
        const std::size_t left = m - c * otherSize, full = left / size, rest = left % size;
        if (full > count || (full == count && rest > 0)) continue;
        const double others = two ? wholeGroups(other, otherCount, c) : 0;
        const double own = rest > 0 ? wholeGroups(*group, count - 1, full) + group->cost[rest] : wholeGroups(*group, count, full);
        least = std::min(least, others + own);
    }
    return least;
}

double byTable(const std::vector<SplitGroup>& groups, std::size_t m) {
    std::vector<double> best(m + 1, worst), next;
    best[0] = 0;
    for (const SplitGroup& group : groups) {
        next.assign(m + 1, worst);
        for (std::size_t before = 0; before <= m; ++before) {
            if (best[before] == worst) continue;
            for (std::size_t a = 0; a < group.cost.size() && before + a <= m; ++a)
                next[before + a] = std::min(next[before + a], best[before] + group.cost[a]);
        }
        best.swap(next);
    }
    return best[m];
}

// With several separate networks each has a node above of its own; one common node stands for all of them only where
// every star reaches all networks alike.
bool reachesAllNetworksAlike(const SwitchGraph& graph, const Star& star, std::size_t networks) {
    std::map<std::uint32_t, std::size_t> leaves;
    for (const std::uint32_t v : star.leaves) ++leaves[graph.network[v]];
    return leaves.size() == networks &&
           std::all_of(leaves.begin(), leaves.end(), [&](const auto& entry) { return entry.second == leaves.begin()->second; });
}

// What hangs on every node, in order, each endpoint once with all its cables.
std::vector<std::vector<std::pair<std::uint32_t, double>>> endpointsOfNodes(const SwitchGraph& graph, const Endpoints& ends) {
    std::vector<std::vector<std::pair<std::uint32_t, double>>> served(graph.device.size());
    for (const auto& a : ends.attachments) {
        auto& here = served[a.node];
        if (!here.empty() && here.back().first == a.endpoint)
            here.back().second += a.capacity;
        else
            here.emplace_back(a.endpoint, a.capacity);
    }
    for (auto& here : served) {
        std::sort(here.begin(), here.end());
        std::size_t to = 0;
        for (std::size_t from = 1; from < here.size(); ++from)
            if (here[from].first == here[to].first)
                here[to].second += here[from].second;
            else
                here[++to] = here[from];
        if (!here.empty()) here.resize(to + 1);
    }
    return served;
}

} // namespace

// Groups leaves that serve exactly the same endpoints in the same way: the rails of an SU.
std::optional<std::vector<Star>> starsOf(const SwitchGraph& graph, const Endpoints& ends) {
    const auto served = endpointsOfNodes(graph, ends);
    const std::vector<double>& uplink = graph.uplink;
    std::map<std::vector<std::uint32_t>, Star> stars;
    for (std::uint32_t v = 0; v < served.size(); ++v) {
        if (served[v].empty()) continue;
        if (graph.tier[v] != SwitchTier::Leaf || graph.groupBelow[v] != none) return {}; // others use its uplinks too
        const double perLink = served[v].front().second;
        std::vector<std::uint32_t> members;
        for (const auto& [endpoint, capacity] : served[v]) {
            if (capacity != perLink) return {};
            members.push_back(endpoint);
        }
        Star& star = stars[members];
        if (!star.leaves.empty() && (star.perLink != perLink || star.uplink != uplink[v])) return {};
        star.endpoints = std::move(members);
        star.leaves.push_back(v);
        star.perLink = perLink;
        star.uplink = uplink[v];
    }
    std::vector<std::uint32_t> seen(ends.size());
    std::vector<Star> result;
    for (auto& [members, star] : stars) {
        for (const std::uint32_t endpoint : members)
            if (seen[endpoint]++ > 0) return {}; // an endpoint in two stars ties them together
        result.push_back(std::move(star));
    }
    return result;
}

std::optional<double> cheapestSplit(const std::vector<SplitGroup>& groups, std::size_t m) {
    const Kinds kinds = kindsOf(groups);
    std::size_t all = 0;
    for (const SplitGroup& group : groups) all += group.cost.size() - 1;
    double least = worst;
    if (kinds.size() <= 2) {
        for (std::size_t split = 0; split < kinds.size(); ++split) least = std::min(least, oneSplit(kinds, split, m));
    } else if (m * all <= 100'000'000) {
        least = byTable(groups, m);
    }
    return least == worst ? std::nullopt : std::optional(least);
}

LowerBound treeBound(const SwitchGraph& graph, const Endpoints& ends) {
    std::vector<double> uplinks(graph.device.size());
    for (std::size_t v = 0; v < uplinks.size(); ++v)
        if (graph.tier[v] == SwitchTier::Leaf) uplinks[v] = graph.uplink[v];
    for (const auto& group : graph.groups)
        if (!group.even) return {};
    if (hoseCongestion(graph, uplinks, LinkTier::SpineSuperspine) > 1 + 1e-9) return {};
    const auto stars = starsOf(graph, ends);
    if (!stars) return {};
    std::set<std::uint32_t> networks;
    for (const auto& a : ends.attachments) networks.insert(graph.network[a.node]);
    for (const Star& star : *stars)
        if (!reachesAllNetworksAlike(graph, star, networks.size())) return {};
    std::vector<SplitGroup> groups;
    std::size_t inStars = 0;
    for (const Star& star : *stars) {
        const std::size_t e = star.endpoints.size();
        const auto rails = static_cast<double>(star.leaves.size());
        SplitGroup group{fingerprintOf(std::to_string(e) + "/" + std::to_string(star.perLink) + "/" + std::to_string(star.uplink) + "/" +
                                       std::to_string(rails))
                             .low,
                         std::vector<double>(e + 1)};
        // The node above stands on the side without the a endpoints; both roles occur, as both floor and ceiling of n/2 are tried.
        for (std::size_t a = 0; a <= e; ++a)
            group.cost[a] =
                rails * std::min(static_cast<double>(a) * star.perLink, static_cast<double>(e - a) * star.perLink + star.uplink);
        groups.push_back(std::move(group));
        inStars += e;
    }
    if (inStars < ends.size()) groups.push_back({0, std::vector<double>(ends.size() - inStars + 1)});
    const auto small = cheapestSplit(groups, ends.size() / 2), large = cheapestSplit(groups, (ends.size() + 1) / 2);
    if (!small || !large) return {};
    return {std::min(*small, *large), "tree"};
}

} // namespace railyard
