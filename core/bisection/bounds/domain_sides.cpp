// A domain with a fast HB fabric acts as one node, its hub, with all its NIC ports (hb_bound.cpp). A partition puts every hub and every GPU
// on a side. It cuts what the GPUs send whose hub stands on the other side and, in a network that carries all that NICs send, at least the
// smaller of what the hubs on either side have there. So
//
//   cut  >=  least, over all sides of the networks, of the sum over hubs of their ports in the networks of their own side
//            + the speed of each GPU that is not with its hub.
//
// GPUs that send nothing stand on either side for nothing. Of the others only the number matters that have their hubs on A: where that is
// more than half of all GPUs, or where even all that send nothing are too few to fill A, some have to leave their hubs, at best those that
// send least. Hubs with equally many GPUs that send are taken by what they save on A, so that the sum is convex in their number.
#include "core/bisection/bounds/domain_sides.h"

#include "core/bisection/bounds/degraded/hb_bound.h"
#include "core/bisection/bounds/hose_bound.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>

namespace railyard {
namespace {

constexpr double mostSidesOfHubs = 1e6; // of sides and numbers of hubs

struct Hub {
    std::vector<std::uint32_t> sending, idle; // endpoints
    std::vector<Bandwidth> ports;             // by kind of network: in each of that kind
};

struct NetworkKinds {
    std::vector<std::uint32_t> of;    // by network: the kind that it is the first of; else none
    std::vector<std::size_t> members; // by kind
};

// Networks in which all hubs have the same.
NetworkKinds kindsOfNetworks(const BisectionProblem& q, const std::vector<std::uint32_t>& hubOf) {
    std::vector<std::map<std::uint32_t, Bandwidth>> ports(q.graph.networks); // by hub
    for (const auto& a : q.ends.attachments) ports[q.graph.network[a.node]][hubOf[a.endpoint]] += a.capacity;
    NetworkKinds kinds{std::vector<std::uint32_t>(q.graph.networks, none), {}};
    std::map<std::map<std::uint32_t, Bandwidth>, std::uint32_t> known;
    for (std::size_t n = 0; n < ports.size(); ++n) {
        if (ports[n].empty()) continue;
        const auto [at, isNew] = known.try_emplace(std::move(ports[n]), static_cast<std::uint32_t>(known.size()));
        if (isNew) kinds.members.push_back(0);
        ++kinds.members[at->second];
        if (isNew) kinds.of[n] = at->second;
    }
    return kinds;
}

class SidesOfHubs {
public:
    SidesOfHubs(const BisectionProblem& q, double congestion) : m_q(q), m_congestion(std::max(1.0, congestion)) {
        std::map<DomainId, std::uint32_t> number;
        std::vector<std::uint32_t> hubOf;
        for (std::uint32_t e = 0; e < q.ends.size(); ++e) {
            const auto at = number.try_emplace(q.ends.hbDomain[e], static_cast<std::uint32_t>(number.size())).first->second;
            if (at == m_hubs.size()) m_hubs.emplace_back();
            hubOf.push_back(at);
            const bool isSending = q.ends.speed[e] > Bandwidth();
            (isSending ? m_hubs[at].sending : m_hubs[at].idle).push_back(e);
            isSending ? m_leaving.push_back(q.ends.speed[e]) : void(++m_idle);
        }
        std::sort(m_leaving.begin(), m_leaving.end());
        m_leaving.insert(m_leaving.begin(), Bandwidth());
        std::partial_sum(m_leaving.begin(), m_leaving.end(), m_leaving.begin());
        const NetworkKinds kinds = kindsOfNetworks(q, hubOf);
        m_times = kinds.members;
        for (Hub& hub : m_hubs) hub.ports.resize(m_times.size());
        for (const auto& a : q.ends.attachments)
            if (const auto kind = kinds.of[q.graph.network[a.node]]; kind != none) m_hubs[hubOf[a.endpoint]].ports[kind] += a.capacity;
        for (const std::size_t times : m_times) m_sides *= static_cast<double>(times + 1);
        for (std::uint32_t hub = 0; hub < m_hubs.size(); ++hub) m_groups[m_hubs[hub].sending.size()].push_back(hub);
    }

    // Not too many choices for a search.
    bool isSmall() const {
        double choices = m_sides;
        std::size_t largest = 0;
        for (const auto& [sending, hubs] : m_groups) {
            choices *= static_cast<double>(hubs.size() + 1);
            largest = std::max(largest, hubs.size() + 1);
        }
        return choices / static_cast<double>(largest) <= mostSidesOfHubs &&
               m_sides * static_cast<double>(m_hubs.size()) <= 10 * mostSidesOfHubs;
    }

    DomainSides run() {
        std::vector<std::size_t> onA(m_times.size());
        for (bool isLast = false; !isLast;) {
            trySides(onA);
            isLast = true;
            for (std::size_t kind = 0; kind < onA.size() && isLast; ++kind) { // the next in turn
                isLast = onA[kind] == m_times[kind];
                onA[kind] = isLast ? 0 : onA[kind] + 1;
            }
        }
        return {{m_best, "networks that carry what NICs send, with undivided HB domains"}, sides()};
    }

private:
    // Hubs with equally many GPUs that send, those that save most on A first.
    struct Group {
        std::size_t sending = 0;
        std::vector<std::uint32_t> hubs;
        std::vector<Bandwidth> sums; // [n]: of n hubs on A, what they cost more there than on B
    };

    // `onA`: of each kind of network, how many count what stands on A.
    void trySides(const std::vector<std::size_t>& onA) {
        Bandwidth onB;
        std::vector<Bandwidth> more(m_hubs.size());
        for (std::size_t h = 0; h < m_hubs.size(); ++h)
            for (std::size_t kind = 0; kind < onA.size(); ++kind) {
                const Bandwidth ports = m_hubs[h].ports[kind] / m_congestion;
                onB += ports * static_cast<double>(m_times[kind] - onA[kind]);
                more[h] += ports * (static_cast<double>(onA[kind]) - static_cast<double>(m_times[kind] - onA[kind]));
            }
        std::vector<Group> groups;
        for (const auto& [sending, hubs] : m_groups) {
            Group group{sending, hubs, {Bandwidth()}};
            std::stable_sort(group.hubs.begin(), group.hubs.end(), [&](auto a, auto b) { return more[a] < more[b]; });
            for (const auto hub : group.hubs) group.sums.push_back(group.sums.back() + more[hub]);
            groups.push_back(std::move(group));
        }
        const auto bySize = [](const Group& a, const Group& b) { return a.hubs.size() < b.hubs.size(); };
        std::iter_swap(std::max_element(groups.begin(), groups.end(), bySize), std::prev(groups.end()));
        std::vector<std::size_t> taken(groups.size());
        descend(groups, 0, onB, 0, taken);
    }
    // All numbers of hubs on A of every group but the last, which is the largest.
    void descend(const std::vector<Group>& groups, std::size_t at, Bandwidth cost, std::size_t sending, std::vector<std::size_t>& taken) {
        const Group& group = groups[at];
        if (at + 1 == groups.size()) {
            taken[at] = leastOf(group, sending);
            take(groups, taken, cost + group.sums[taken[at]] + awayFromHubs(sending + taken[at] * group.sending));
            return;
        }
        for (std::size_t n = 0; n < group.sums.size(); ++n) {
            taken[at] = n;
            descend(groups, at + 1, cost + group.sums[n], sending + n * group.sending, taken);
        }
    }
    // Convex in the number of hubs: the first after which one more costs something.
    std::size_t leastOf(const Group& group, std::size_t sending) const {
        std::size_t low = 0, high = group.hubs.size();
        const auto at = [&](std::size_t n) { return group.sums[n] + awayFromHubs(sending + n * group.sending); };
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (at(middle + 1) >= at(middle))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    std::size_t half() const { return m_q.ends.size() / 2; }
    // Of the GPUs that send, this many have their hubs on A.
    Bandwidth awayFromHubs(std::size_t sending) const {
        if (sending > half()) return m_leaving[sending - half()];
        return sending + m_idle < half() ? m_leaving[half() - m_idle - sending] : Bandwidth();
    }
    void take(const std::vector<Group>& groups, const std::vector<std::size_t>& taken, Bandwidth cost) {
        if (cost >= m_best) return;
        m_best = cost;
        m_isOnA.assign(m_hubs.size(), false);
        for (std::size_t g = 0; g < groups.size(); ++g)
            for (std::size_t n = 0; n < taken[g]; ++n) m_isOnA[groups[g].hubs[n]] = true;
    }
    // Of the best: GPUs with their hubs, but for those that even out the sides, those that send least first.
    std::vector<bool> sides() const {
        std::vector<bool> sideA(m_q.ends.size());
        std::size_t onA = 0;
        std::array<std::vector<std::uint32_t>, 2> byHub; // endpoints whose hub stands on B, on A
        for (std::size_t h = 0; h < m_hubs.size(); ++h)
            for (const auto* endpoints : {&m_hubs[h].idle, &m_hubs[h].sending})
                for (const auto e : *endpoints) {
                    byHub[m_isOnA[h] ? 1 : 0].push_back(e);
                    sideA[e] = m_isOnA[h];
                    onA += m_isOnA[h] ? 1 : 0;
                }
        const bool isTooMany = onA > half();
        const std::size_t moves = isTooMany ? onA - half() : half() - onA;
        std::vector<std::uint32_t>& leaving = byHub[isTooMany ? 1 : 0];
        std::stable_sort(leaving.begin(), leaving.end(), [&](auto x, auto y) { return m_q.ends.speed[x] < m_q.ends.speed[y]; });
        for (std::size_t i = 0; i < moves && i < leaving.size(); ++i) sideA[leaving[i]] = !isTooMany;
        return sideA;
    }

    const BisectionProblem& m_q;
    double m_congestion, m_sides = 1; // choices of sides for the networks
    std::size_t m_idle = 0;           // GPUs that send nothing
    std::vector<Bandwidth> m_leaving; // [n]: the least that n of the others send
    std::vector<Hub> m_hubs;
    std::vector<std::size_t> m_times;                           // networks of each kind
    std::map<std::size_t, std::vector<std::uint32_t>> m_groups; // by number of GPUs that send
    Bandwidth m_best{std::numeric_limits<double>::infinity()};
    std::vector<bool> m_isOnA; // of the best, by hub
};

} // namespace

std::optional<DomainSides> domainSidesBound(const BisectionProblem& q) {
    if (q.ends.isShared) return {};
    std::vector<Bandwidth> injection(q.graph.device.size());
    for (const auto& a : q.ends.attachments) injection[a.node] += a.capacity;
    const double congestion = hoseCongestion(q.graph, injection, LinkTier::LeafSpine);
    if (congestion == impossible || !actAsNodes(q.fabric, q.ends)) return {};
    SidesOfHubs sides(q, congestion);
    return sides.isSmall() ? std::optional(sides.run()) : std::nullopt;
}

} // namespace railyard
