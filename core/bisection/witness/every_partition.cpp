#include "core/bisection/witness/every_partition.h"

#include "core/bisection/problem/ports_of_endpoints.h"
#include "core/bisection/witness/growing_cut.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace railyard {
namespace {

// Partitions * (links + attachments): under half a second. Where only enough is asked for, many fabrics are tried.
constexpr double mostWork = 5e7, mostWorkForEnough = 2e7;

using Class = std::vector<std::uint32_t>;

// Classes that can be exchanged together with their leaves without changing any cut, such as the SUs of a pod.
using Twins = std::vector<Class>;

// Equal for twins: the number of endpoints and, for each leaf, the capacity of an endpoint and the links to the switches above. Empty if a
// class shares a leaf with another class, which then has no twin.
using Likeness = std::vector<std::uint64_t>;
Likeness likenessOf(const BisectionProblem& q, const Class& members, const PortsOfEndpoints& ports,
                    const std::vector<std::size_t>& endpointsOn) {
    if (q.key == BisectionKey::GpuWithHb || !q.graph.direct.empty()) return {};
    Likeness likeness{members.size()};
    NodeId before;
    for (const auto& [node, capacity] : ports.of(members.front())) {
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

PortsOfEndpoints sortedPorts(const BisectionProblem& q) {
    PortsOfEndpoints ports(q.ends);
    ports.sort();
    return ports;
}

// With HB links it also matters whose domain an endpoint shares, so there every endpoint is a class of its own.
std::vector<Class> classesOf(const BisectionProblem& q, const PortsOfEndpoints& sorted) {
    std::vector<Class> result;
    if (q.key == BisectionKey::GpuWithHb) {
        for (std::uint32_t e = 0; e < q.ends.size(); ++e) result.push_back({e});
        return result;
    }
    std::map<std::vector<PortsOfEndpoints::Port>, Class> classes;
    Class* last = nullptr; // of the endpoint before, which most are like
    for (std::uint32_t e = 0; e < sorted.size(); ++e) {
        const auto own = sorted.of(e);
        if (!last || !std::ranges::equal(own, sorted.of(last->back()))) last = &classes[{own.begin(), own.end()}];
        last->push_back(e);
    }
    for (auto& [key, members] : classes) result.push_back(std::move(members));
    return result;
}

std::vector<Twins> twinsOf(const BisectionProblem& q) {
    const PortsOfEndpoints ports = sortedPorts(q);
    std::vector<std::size_t> endpointsOn(q.graph.device.size()); // by node
    for (std::size_t e = 0; e < ports.size(); ++e) {
        NodeId before;
        for (const auto& port : ports.of(e)) {
            if (port.node != before) ++endpointsOn[port.node];
            before = port.node;
        }
    }
    std::vector<Twins> twins;
    std::map<Likeness, std::size_t> known;
    for (const Class& each : classesOf(q, ports)) {
        const Likeness likeness = likenessOf(q, each, ports, endpointsOn);
        const auto [at, isNew] = likeness.empty() ? std::pair(known.end(), true) : known.try_emplace(likeness, twins.size());
        if (isNew)
            twins.push_back({each});
        else
            twins[at->second].push_back(each);
    }
    return twins;
}

// What stands on side A of a group of twins: classes as a whole, and endpoints of the next one.
struct OnA {
    std::size_t whole = 0, ofNext = 0;
};
std::size_t sizeOf(const Twins& twins) { return twins.size() * twins.front().size(); }

// By number of endpoints on side A, up to m: partitions of the groups of twins, without a divided class and with one.
struct Counts {
    std::vector<double> whole, divided;
};

// What is added has a class more: `count` of them, each of `size` endpoints.
Counts withTwins(const Counts& before, std::size_t count, std::size_t size) {
    const std::size_t sums = before.whole.size();
    Counts after{std::vector<double>(sums), std::vector<double>(sums)};
    std::vector<double> upTo(sums + 1); // of the whole ones before, those with fewer endpoints than this
    for (std::size_t sum = 0; sum < sums; ++sum) upTo[sum + 1] = upTo[sum] + before.whole[sum];
    for (std::size_t sum = 0; sum < sums; ++sum) {
        const std::size_t most = std::min(sum, count * size);
        double whole = 0, divided = 0;
        for (std::size_t taken = 0; taken <= most; taken += size) {
            whole += before.whole[sum - taken];
            divided += before.divided[sum - taken];
        }
        after.whole[sum] = whole;
        after.divided[sum] = divided + (upTo[sum + 1] - upTo[sum - most]) - whole; // a number of endpoints that is not a multiple
    }
    return after;
}

// Partitions into m and the rest where at most one class is divided.
double partitionsOf(const std::vector<Twins>& all, std::size_t m) {
    Counts counts{std::vector<double>(m + 1), std::vector<double>(m + 1)};
    counts.whole[0] = 1;
    for (const Twins& twins : all) counts = withTwins(counts, twins.size(), twins.front().size());
    return counts.whole[m] + counts.divided[m];
}

// The logarithm of the number of partitions without a divided class, balanced or not.
double logOfAllWhole(const std::vector<Twins>& all) {
    double sum = 0;
    for (const Twins& twins : all) sum += std::log(static_cast<double>(twins.size() + 1));
    return sum;
}

// With the switches on their sides, a cut costs the same for every endpoint of a class on A, and the same on B. A cost that is linear in
// these numbers is least at a corner of the balanced partitions, where at most one class is divided. So only those are searched.
class Search {
public:
    Search(const BisectionProblem& q, const std::vector<Twins>& all, GrowingCut& growing, Bandwidth enough)
        : m_q(q),
          m_growing(growing),
          m_enough(enough),
          m_all(all),
          m_whole(all.size() + 1, std::vector<bool>(q.ends.size() / 2 + 1)),
          m_any(m_whole),
          m_chosen(all.size()),
          m_choices(all.size()),
          m_before(all.size()) {
        m_whole.back()[0] = m_any.back()[0] = true;
        for (std::size_t g = all.size(); g-- > 0;) findSums(g);
    }
    ExactCut run() {
        m_growing.start();
        descend(0, m_q.ends.size() / 2, false);
        return std::move(m_best);
    }

private:
    void findSums(std::size_t group) {
        const std::size_t size = m_all[group].front().size();
        const std::vector<bool>&whole = m_whole[group + 1], &any = m_any[group + 1];
        std::size_t lastWhole = whole.size(); // the largest up to the sum that the groups after this one have whole
        for (std::size_t sum = 0; sum < whole.size(); ++sum) {
            const std::size_t most = std::min(sum, sizeOf(m_all[group]));
            if (whole[sum]) lastWhole = sum;
            m_any[group][sum] = lastWhole <= sum && sum - lastWhole <= most;
            for (std::size_t taken = 0; taken <= most; taken += size) {
                if (whole[sum - taken]) m_whole[group][sum] = true;
                if (any[sum - taken]) m_any[group][sum] = true;
            }
        }
    }

    // From this group of twins on, `wanted` endpoints come on side A.
    void descend(std::size_t group, std::size_t wanted, bool isOneDivided) {
        while (group < m_all.size()) {
            const std::vector<OnA>& choices = choicesOf(group, wanted, isOneDivided);
            if (choices.size() != 1) return choose(group, wanted, isOneDivided, choices);
            take(group, choices[0]);
            wanted -= countOf(group, choices[0]);
            isOneDivided = isOneDivided || choices[0].ofNext > 0;
            ++group;
        }
        const bool isFirst = m_best.sideA.empty();
        const Bandwidth value = isFirst ? m_growing.value() : m_growing.value(m_best.value);
        if (isFirst || value < m_best.value) m_best = {value, sideA()};
    }
    void choose(std::size_t group, std::size_t wanted, bool isOneDivided, const std::vector<OnA>& choices) {
        const Bandwidth least = m_growing.lowerBound(); // this flow serves all choices
        if (!m_best.sideA.empty() && least >= m_best.value) return;
        GrowingCut::State& before = m_before[group];
        m_growing.keep(before);
        for (const OnA& onA : choices) {
            if (isEnough()) return;
            if (&onA != choices.data()) m_growing.returnTo(before);
            take(group, onA);
            descend(group + 1, wanted - countOf(group, onA), isOneDivided || onA.ofNext > 0);
        }
    }
    const std::vector<OnA>& choicesOf(std::size_t group, std::size_t wanted, bool isOneDivided) {
        const std::size_t size = m_all[group].front().size(), most = std::min(wanted, sizeOf(m_all[group]));
        std::vector<OnA>& choices = m_choices[group];
        choices.clear();
        for (std::size_t taken = 0; taken <= most; taken += isOneDivided ? size : 1) {
            const OnA onA{taken / size, taken % size};
            const bool leavesWhole = isOneDivided || onA.ofNext > 0;
            if ((leavesWhole ? m_whole : m_any)[group + 1][wanted - taken] && !(group == 0 && isMirrored(onA))) choices.push_back(onA);
        }
        return choices;
    }
    std::size_t countOf(std::size_t group, const OnA& onA) const { return onA.whole * m_all[group].front().size() + onA.ofNext; }

    void take(std::size_t group, const OnA& onA) {
        const Twins& twins = m_all[group];
        for (std::size_t t = 0; t < twins.size(); ++t) {
            const std::size_t here = onAOf(twins, t, onA);
            m_growing.place(twins[t].front(), here, twins[t].size() - here);
        }
        m_chosen[group] = onA;
    }
    static std::size_t onAOf(const Twins& twins, std::size_t t, const OnA& onA) {
        return t < onA.whole ? twins[t].size() : t == onA.whole ? onA.ofNext : 0;
    }
    std::vector<bool> sideA() const {
        std::vector<bool> side(m_q.ends.size());
        for (std::size_t g = 0; g < m_all.size(); ++g)
            for (std::size_t t = 0; t < m_all[g].size(); ++t)
                for (std::size_t i = 0; i < onAOf(m_all[g], t, m_chosen[g]); ++i) side[m_all[g][t][i]] = true;
        return side;
    }
    // Exchanging two halves leaves the cut unchanged: those are searched that have at least half of the first twins on side A.
    bool isMirrored(const OnA& onA) const {
        const Twins& twins = m_all.front();
        return m_q.ends.size() % 2 == 0 && 2 * (onA.whole * twins.front().size() + onA.ofNext) < sizeOf(twins);
    }
    bool isEnough() const { return !m_best.sideA.empty() && m_best.value < m_enough; }

    const BisectionProblem& m_q;
    GrowingCut& m_growing;
    Bandwidth m_enough;
    const std::vector<Twins>& m_all;
    // Whether the groups from this one on can have that many endpoints on side A: with no class divided, and with at most one.
    std::vector<std::vector<bool>> m_whole, m_any;
    // By group of twins, where the search is; kept, so that a step needs no memory of its own.
    std::vector<OnA> m_chosen;
    std::vector<std::vector<OnA>> m_choices;
    std::vector<GrowingCut::State> m_before;
    ExactCut m_best;
};

} // namespace

std::vector<std::vector<std::uint32_t>> interchangeable(const BisectionProblem& q) { return classesOf(q, sortedPorts(q)); }

std::optional<ExactCut> cheapestOfAllPartitions(const BisectionProblem& q, Bandwidth enough, const MergedSwitches* merged) {
    const std::size_t n = q.ends.size();
    if (n < 2 || n > 4096) return {};
    std::vector<Twins> twins = twinsOf(q);
    // The largest first: what they add to the flow is found once for many partitions.
    std::stable_sort(twins.begin(), twins.end(), [](const Twins& a, const Twins& b) { return sizeOf(a) > sizeOf(b); });
    GrowingCut growing = merged ? GrowingCut(q, *merged) : GrowingCut(q);
    const double work = growing.work();
    const double most = enough > Bandwidth() ? mostWorkForEnough : mostWork;
    // Halves are about the most frequent of all sizes of side A, so there are hardly fewer of them than on average.
    if (logOfAllWhole(twins) > std::log(most / work * static_cast<double>(n + 1)) || partitionsOf(twins, n / 2) * work > most) return {};
    return Search(q, twins, growing, enough).run();
}

} // namespace railyard
