#include "core/bisection/witness/every_partition.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace railyard {
namespace {

constexpr double mostWork = 5e7; // partitions * (links + attachments), under a second

using Class = std::vector<std::uint32_t>;

// Classes that can be exchanged together with their leaves without changing any cut, such as the SUs of a pod.
using Twins = std::vector<Class>;

// Equal for twins: the number of endpoints and, for each leaf, the capacity of an endpoint and the links to the switches above. Empty if a
// class shares a leaf with another class, which then has no twin.
using Likeness = std::vector<std::uint64_t>;
Likeness likenessOf(const BisectionProblem& q, const Class& members, const std::vector<std::vector<std::pair<NodeId, Bandwidth>>>& ports,
                    const std::vector<std::size_t>& endpointsOn) {
    if (q.key == BisectionKey::GpuWithHb || !q.graph.direct.empty()) return {};
    Likeness likeness{members.size()};
    NodeId before;
    for (const auto& [node, capacity] : ports[members.front()]) {
        const bool isOwnLeaf = endpointsOn[node] == members.size() && q.graph.groupBelow[node] == none;
        if (!isOwnLeaf) return {};
        const auto above = q.graph.edgesAbove(node);
        likeness.insert(likeness.end(), {std::bit_cast<std::uint64_t>(capacity.value()), above.size(), std::uint64_t{node == before}});
        before = node;
        for (const auto& edge : above) {
            if (endpointsOn[edge.upper] > 0) return {}; // it may be a leaf of one of the two
            likeness.insert(likeness.end(), {edge.upper, std::bit_cast<std::uint64_t>(edge.capacity.value())});
        }
    }
    return likeness;
}

std::vector<Twins> twinsOf(const BisectionProblem& q, const std::vector<Class>& classes) {
    std::vector<std::vector<std::pair<NodeId, Bandwidth>>> ports(q.ends.size());
    for (const auto& a : q.ends.attachments) ports[a.endpoint].emplace_back(a.node, a.capacity);
    std::vector<std::size_t> endpointsOn(q.graph.device.size()); // by node
    for (auto& own : ports) {
        std::sort(own.begin(), own.end());
        for (std::size_t i = 0; i < own.size(); ++i)
            if (i == 0 || own[i].first != own[i - 1].first) ++endpointsOn[own[i].first];
    }
    std::vector<Twins> twins;
    std::map<Likeness, std::size_t> known;
    for (const Class& each : classes) {
        const Likeness likeness = likenessOf(q, each, ports, endpointsOn);
        const auto [at, isNew] = likeness.empty() ? std::pair(known.end(), true) : known.try_emplace(likeness, twins.size());
        if (isNew)
            twins.push_back({each});
        else
            twins[at->second].push_back(each);
    }
    return twins;
}

// By sum up to m: in how many ways twins can have that many endpoints on side A in all, each no more than the twin before it.
std::vector<double> sumsOf(const Twins& twins, std::size_t m) {
    const std::size_t count = twins.size(), size = twins.front().size();
    std::vector<std::vector<double>> ways(count + 1, std::vector<double>(m + 1)); // by how many twins take any
    ways[0][0] = 1;
    for (std::size_t taken = 1; taken <= size; ++taken) // endpoints taken from a twin
        for (std::size_t used = 1; used <= count; ++used)
            for (std::size_t sum = taken; sum <= m; ++sum) ways[used][sum] += ways[used - 1][sum - taken];
    std::vector<double> all(m + 1);
    for (const auto& row : ways)
        for (std::size_t sum = 0; sum <= m; ++sum) all[sum] += row[sum];
    return all;
}

// The logarithm of the number of partitions, balanced or not: of `count` twins of `size` endpoints, as many as choices of `size` of
// `count + size`.
double logOfAll(const std::vector<Twins>& all) {
    double sum = 0;
    for (const Twins& twins : all) {
        const std::size_t both = twins.size() + twins.front().size(), few = std::min(twins.size(), twins.front().size());
        for (std::size_t i = 0; i < few; ++i) sum += std::log(static_cast<double>(both - i) / static_cast<double>(i + 1));
    }
    return sum;
}

// Partitions into m and the rest, as numbers of endpoints of each class.
double partitionsOf(const std::vector<Twins>& all, std::size_t m) {
    std::vector<double> counts(m + 1), next;
    counts[0] = 1;
    for (const Twins& twins : all) {
        const std::vector<double> sums = sumsOf(twins, std::min(m, twins.size() * twins.front().size()));
        next.assign(m + 1, 0);
        for (std::size_t before = 0; before <= m; ++before)
            for (std::size_t a = 0; a < sums.size() && before + a <= m; ++a) next[before + a] += counts[before] * sums[a];
        counts.swap(next);
    }
    return counts[m];
}

class Search {
public:
    Search(const BisectionProblem& q, const std::vector<Twins>& all, Bandwidth enough)
        : m_q(q),
          m_network(q),
          m_enough(enough),
          m_side(q.ends.size()) {
        for (const Twins& twins : all)
            for (const Class& each : twins) m_steps.push_back({&each, &each != &twins.front()});
        m_lastOfFirst = q.ends.size() % 2 == 0 ? all.front().size() - 1 : m_steps.size();
        m_remaining.assign(m_steps.size() + 1, 0);
        for (std::size_t c = m_steps.size(); c-- > 0;) m_remaining[c] = m_remaining[c + 1] + m_steps[c].members->size();
    }
    ExactCut run() {
        descend(0, m_q.ends.size() / 2, 0);
        return std::move(m_best);
    }

private:
    struct Step {
        const Class* members;
        bool isTwin; // of the step before
    };

    // `before`: how many of the class before stand on side A.
    void descend(std::size_t at, std::size_t wanted, std::size_t before) {
        if (wanted > m_remaining[at] || isEnough()) return;
        if (at == m_steps.size()) {
            const Bandwidth value = m_network.cut(m_side).value;
            if (m_best.sideA.empty() || value < m_best.value) m_best = {value, m_side};
            return;
        }
        const Class& each = *m_steps[at].members;
        const std::size_t most = std::min({each.size(), wanted, m_steps[at].isTwin ? before : each.size()});
        for (std::size_t a = 0; a <= most; ++a) {
            if (at == 0) m_first = a;
            if (at == m_lastOfFirst && m_first + a < each.size()) continue; // searched with the sides exchanged
            for (std::size_t i = 0; i < each.size(); ++i) m_side[each[i]] = i < a;
            descend(at + 1, wanted - a, a);
        }
        for (const auto e : each) m_side[e] = false;
    }
    bool isEnough() const { return !m_best.sideA.empty() && m_best.value < m_enough; }

    const BisectionProblem& m_q;
    CutNetwork m_network;
    Bandwidth m_enough;
    std::vector<Step> m_steps;
    std::vector<bool> m_side;
    // Exchanging the two sides leaves the cut unchanged and reverses the order of the twins. So only partitions are searched where the
    // first and the last twin of the first group together have at least as many endpoints on side A as one class holds.
    std::size_t m_first = 0, m_lastOfFirst = 0; // endpoints of the first class on side A; step of the last of its twins
    std::vector<std::size_t> m_remaining;       // endpoints of this class and those after it
    ExactCut m_best;
};

} // namespace

// With HB links it also matters whose domain an endpoint shares, so there every endpoint is a class of its own.
std::vector<std::vector<std::uint32_t>> interchangeable(const BisectionProblem& q) {
    std::vector<std::vector<std::pair<std::uint32_t, Bandwidth>>> ports(q.ends.size());
    for (const auto& a : q.ends.attachments) ports[a.endpoint].emplace_back(a.node, a.capacity);
    std::map<std::vector<std::pair<std::uint32_t, Bandwidth>>, Class> classes;
    std::vector<Class> result;
    for (std::uint32_t e = 0; e < ports.size(); ++e) {
        std::sort(ports[e].begin(), ports[e].end());
        if (q.key == BisectionKey::GpuWithHb)
            result.push_back({e});
        else
            classes[ports[e]].push_back(e);
    }
    for (auto& [key, members] : classes) result.push_back(std::move(members));
    return result;
}

std::optional<ExactCut> cheapestOfAllPartitions(const BisectionProblem& q, Bandwidth enough) {
    const std::size_t n = q.ends.size();
    if (n < 2 || n > 4096) return {};
    const std::vector<Twins> twins = twinsOf(q, interchangeable(q));
    const double work = static_cast<double>(q.graph.edges.size() + q.ends.attachments.size() + 1);
    // The number of balanced partitions is the largest of all sizes of side A, so it is at least the average.
    if (logOfAll(twins) > std::log(mostWork / work * static_cast<double>(n + 1)) || partitionsOf(twins, n / 2) * work > mostWork) return {};
    return Search(q, twins, enough).run();
}

} // namespace railyard
