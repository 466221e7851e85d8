#include "core/analysis/sizing/counted_bisection.h"

#include "core/design/model/uplink_spread.h"
#include "core/design/recipes/used_uplinks.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace railyard {
namespace {

// Switches in path order that spread their uplinks over the same upper ones: equal ones, then those of the last SU, pod or block.
struct Lowers {
    int first = 0, firstUplinks = 0;
    int last = 0, lastUplinks = 0;
    int uppers = 1, ports = 0; // of an upper, down

    bool areEqual() const { return last == 0 || first == 0 || firstUplinks == lastUplinks; }
    Lowers asEqual() const { return {first + last, first > 0 ? firstUplinks : lastUplinks, 0, 0, uppers, ports}; }
};

// How many links each lower has to each upper, without spelling them out for the equal ones: those with more uplinks than uppers have
// `each` to every upper and one more to `extra` uppers in a row, which start where the ones of the lower before end.
class LinkCounts {
public:
    explicit LinkCounts(const Lowers& lowers) : m_lowers(lowers.areEqual() ? lowers.asEqual() : lowers) {
        m_each = m_lowers.firstUplinks / m_lowers.uppers;
        m_extra = m_lowers.firstUplinks % m_lowers.uppers;
        if (m_lowers.last > 0) spreadLast();
    }

    // Between a lower and an upper, the fewest. 0 where two are not connected.
    int least() const {
        int least = m_lowers.first > 0 ? m_each : std::numeric_limits<int>::max();
        for (const std::vector<int>& row : m_last) least = std::min(least, *std::min_element(row.begin(), row.end()));
        return least;
    }
    // What two lowers have in common: over all uppers, the smaller of their numbers of links. The least of any two of the equal ones.
    int leastInCommonOfFirst() const {
        if (m_each == 0) return m_lowers.firstUplinks; // all take the first uppers
        int most = 0; // links of one that the other lacks: the extra ones of two that start `apart` overlap as far as they can
        const int steps = std::min(m_lowers.first, m_lowers.uppers), limit = std::min(m_extra, m_lowers.uppers - m_extra);
        for (int step = 1, apart = 0; step < steps && most < limit; ++step) {
            apart = (apart + m_extra) % m_lowers.uppers;
            most = std::max(most, std::min({apart, m_lowers.uppers - apart, limit}));
        }
        return m_lowers.firstUplinks - most;
    }
    // The least of one of the equal ones and one of the last.
    int leastInCommonAcross() const {
        int least = std::numeric_limits<int>::max();
        for (const std::vector<int>& row : m_last)
            for (int lower = 0, start = 0; lower < std::min(m_lowers.first, m_lowers.uppers); ++lower) {
                int common = 0;
                for (int upper = 0; upper < m_lowers.uppers; ++upper)
                    common += std::min(row[static_cast<std::size_t>(upper)], linksOfFirst(start, upper));
                least = std::min(least, common);
                start = (start + m_extra) % m_lowers.uppers;
            }
        return least;
    }
    int leastInCommonOfLast() const {
        int least = std::numeric_limits<int>::max();
        for (std::size_t a = 0; a < m_last.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                least = std::min(least, std::inner_product(m_last[a].begin(), m_last[a].end(), m_last[b].begin(), 0, std::plus<>(),
                                                           [](int x, int y) { return std::min(x, y); }));
        return least;
    }

    // Adds those of one lower, in path order, to each upper.
    void addTo(int* perUpper, int lower) const {
        if (lower >= m_lowers.first) {
            const std::vector<int>& row = m_last[static_cast<std::size_t>(lower - m_lowers.first)];
            for (std::size_t upper = 0; upper < row.size(); ++upper) perUpper[upper] += row[upper];
            return;
        }
        const int start = m_each == 0 ? 0 : static_cast<int>(std::int64_t{lower} * m_extra % m_lowers.uppers);
        for (int upper = 0; upper < m_lowers.uppers; ++upper) perUpper[upper] += m_each;
        for (int upper = start; upper < std::min(start + m_extra, m_lowers.uppers); ++upper) ++perUpper[upper];
        for (int upper = 0; upper < start + m_extra - m_lowers.uppers; ++upper) ++perUpper[upper];
    }

private:
    int linksOfFirst(int start, int upper) const {
        if (m_each == 0) return upper < m_extra ? 1 : 0;
        return m_each + ((upper - start + m_lowers.uppers) % m_lowers.uppers < m_extra ? 1 : 0);
    }
    // As core/fabric/wire_uplinks.cpp does, which passes over an upper whose ports are in use.
    void spreadLast() {
        const auto uppers = static_cast<std::size_t>(m_lowers.uppers), uplinks = static_cast<std::size_t>(m_lowers.lastUplinks);
        UplinkSpread spread(uppers);
        std::vector<int> inUse(uppers);
        const std::int64_t before = std::int64_t{m_lowers.first} * m_lowers.firstUplinks;
        for (std::size_t upper = 0; upper < uppers; ++upper)
            inUse[upper] = m_each == 0
                               ? m_lowers.first * linksOfFirst(0, static_cast<int>(upper))
                               : static_cast<int>(before / m_lowers.uppers + (static_cast<std::int64_t>(upper) < before % m_lowers.uppers));
        spread.next(static_cast<std::size_t>(m_lowers.firstUplinks), static_cast<std::size_t>(m_lowers.first));
        for (int lower = 0; lower < m_lowers.last; ++lower) {
            std::vector<int> row(uppers);
            spread.forEachUpper(uplinks, [&](std::size_t at) {
                for (std::size_t tried = 0; tried < uppers && inUse[at] >= m_lowers.ports; ++tried) at = (at + 1) % uppers;
                ++row[at];
                ++inUse[at];
                return true;
            });
            spread.next(uplinks);
            m_last.push_back(std::move(row));
        }
    }

    Lowers m_lowers;
    int m_each = 0, m_extra = 0;
    std::vector<std::vector<int>> m_last; // links to each upper
};

// SUs in a circle. Those on side A stand side by side, from one SU on, until half the endpoints are there; a spine is on the side to which
// it has most links.
class SusInCircle {
public:
    struct Cut {
        std::int64_t uplinks = 0;
        std::int64_t endpoints = 0; // on the other side than their leaves
    };

    SusInCircle(std::size_t units, std::size_t spines) : m_spines(spines), m_sizes(units), m_links(units * spines), m_all(spines) {}

    // In any order, before cuts are asked for.
    int* linksOf(std::size_t unit) { return m_links.data() + unit * m_spines; }
    void setEndpoints(std::size_t unit, std::int64_t endpoints) { m_sizes[unit] = endpoints; }

    // Whether any of the cuts, one from each SU of this order on, meets the condition.
    template <class Condition>
    bool anyCut(const std::vector<std::size_t>& order, Condition condition) {
        const std::size_t units = order.size();
        for (std::size_t unit = 0; unit < units; ++unit) add(m_all, unit, 1);
        std::vector<int> toA(m_spines); // of SUs that are whole on side A: from the first one to before `end`
        std::int64_t left = std::accumulate(m_sizes.begin(), m_sizes.end(), std::int64_t{0}) / 2;
        const auto unitAt = [&](std::size_t at) { return order[at % units]; };
        for (std::size_t first = 0, end = 0; first < units; ++first) {
            if (end < first) end = first; // half the endpoints are in less than one SU
            for (; end < first + units && m_sizes[unitAt(end)] <= left; ++end) {
                left -= m_sizes[unitAt(end)];
                add(toA, unitAt(end), 1);
            }
            if (condition(cutOf(toA, left, unitAt(end)))) return true;
            if (end == first) continue;
            left += m_sizes[unitAt(first)];
            add(toA, unitAt(first), -1);
        }
        return false;
    }

private:
    void add(std::vector<int>& links, std::size_t unit, int sign) const {
        const int* const own = m_links.data() + unit * m_spines;
        for (std::size_t spine = 0; spine < m_spines; ++spine) links[spine] += sign * own[spine];
    }
    // With this many endpoints of one more SU on side A.
    Cut cutOf(const std::vector<int>& toA, std::int64_t onA, std::size_t unit) const {
        const bool isLeafOnA = onA > 0 && 2 * onA >= m_sizes[unit];
        const int* const own = m_links.data() + unit * m_spines;
        std::int64_t uplinks = 0;
        for (std::size_t spine = 0; spine < m_spines; ++spine) {
            const int links = toA[spine] + (isLeafOnA ? own[spine] : 0);
            uplinks += std::min(links, m_all[spine] - links);
        }
        return {uplinks, std::min(onA, m_sizes[unit] - onA)};
    }

    std::size_t m_spines;
    std::vector<std::int64_t> m_sizes; // endpoints
    std::vector<int> m_links;          // of one SU after another, to each spine
    std::vector<int> m_all;            // of all SUs
};

// One of the networks of a plan, which are all alike.
class CountedNetwork {
public:
    CountedNetwork(const RecipeSettings& s, const ClosPlan& p, double asked)
        : m_s(s),
          m_p(p),
          m_upper(p.upperTiers.front()),
          m_asked(asked * (1 + 1e-9)) {
        const bool railOnly = s.family == RecipeFamily::RailOnly;
        m_perUnit = railOnly ? s.serversPerDomain() : 1;
        m_ports = *std::max_element(p.unitPorts.begin(), p.unitPorts.end());
        const int lastServers = s.servers - (p.scalableUnits - 1) * p.suServers;
        m_leavesOfSu = railOnly ? 1 : p.railsInPlane(0);
        m_first = {(p.scalableUnits - 1) * m_leavesOfSu, p.suServers / m_perUnit * m_ports, 0};
        m_last = {m_leavesOfSu, lastServers / m_perUnit * m_ports, 0};
        for (Leaves* leaves : {&m_first, &m_last}) leaves->uplinks = uplinksOf(leaves->hosts);
    }

    // By the cut of all leaves from all spines.
    bool isRefutedAtLeaves() const {
        const auto atLeaves = leastCut({0, m_first.uplinks}, {0, m_last.uplinks});
        return atLeaves && !keeps(*atLeaves);
    }
    bool isProved() const {
        if (m_p.tiers == 2) {
            if (const auto least = bisectionOfTwoEvenTiers()) return keeps(*least);
            return isNotOversubscribed() && isProvedInTwoTiers();
        }
        if (!areEqual() || m_first.uplinks % m_upper.spines != 0) return false;
        const auto uplinksOf = [&](std::int64_t begin, std::int64_t end) {
            return m_s.uplinkSpeed * static_cast<double>((end - begin) * m_last.uplinks);
        };
        if (upperTiersCarry(uplinksOf, 1)) // then they act as one switch
            if (const auto least = leastCut({0, m_first.uplinks}, {0, m_last.uplinks})) return keeps(*least);
        const auto hostsOf = [&](std::int64_t begin, std::int64_t end) {
            return m_s.linkSpeed * static_cast<double>(hostsBefore(end) - hostsBefore(begin));
        };
        return isNotOversubscribed() && carries(mostOfALeaf(), m_last.uplinks) && upperTiersCarry(hostsOf, m_asked);
    }

    // Leaves have more links to some spines than to others, in turn. SUs whose turns are close go on one side.
    bool isRefutedAtSpines() const {
        if (m_p.tiers != 2 || m_last.uplinks % m_upper.spines == 0 || endpointsOf(m_last) == 0) return false;
        const LinkCounts counts(leavesAsLowers());
        const auto spines = static_cast<std::size_t>(m_upper.spines), units = static_cast<std::size_t>(m_p.scalableUnits);
        SusInCircle sus(units, spines);
        for (int unit = 0, leaf = 0; unit < m_p.scalableUnits; ++unit) {
            const auto at = static_cast<std::size_t>(unit);
            sus.setEndpoints(at, endpointsOf(at + 1 == units ? m_last : m_first));
            for (int rail = 0; rail < m_leavesOfSu; ++rail, ++leaf) counts.addTo(sus.linksOf(at), leaf);
        }
        std::vector<std::size_t> order(units); // by where the turn of the first leaf starts
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto step = static_cast<std::size_t>(m_first.uplinks % m_upper.spines * m_leavesOfSu % m_upper.spines);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return a * step % spines < b * step % spines; });
        return sus.anyCut(order, [&](const SusInCircle::Cut& cut) {
            return !keeps(m_s.uplinkSpeed * static_cast<double>(cut.uplinks) +
                          speedOnALeaf() * static_cast<double>(cut.endpoints * m_leavesOfSu));
        });
    }

private:
    struct Leaves {
        int count = 0, hosts = 0, uplinks = 0; // NIC ports and uplinks of each
    };
    // Links of a leaf to the spines that stand on either side.
    struct Sides {
        int toA = 0, toB = 0;
    };

    int uplinksOf(int hosts) const {
        if (!m_s.usedUplinks) return m_p.leafUp;
        return std::min(m_p.leafUp, uplinksFor(hosts, m_s.usedRatio(m_p.leafDown, m_p.leafUp)));
    }
    bool areEqual() const { return m_first.count == 0 || m_first.uplinks == m_last.uplinks; }
    // With half the injection bandwidth asked for, what is proved is also all that there can be; a share of it may be less than there is.
    bool isNotOversubscribed() const { return m_asked < 1 + 1e-6; }
    Lowers leavesAsLowers() const { return {m_first.count, m_first.uplinks, m_last.count, m_last.uplinks, m_upper.spines, m_s.spineRadix}; }

    // --- Exact: every leaf on a side of its own, and of spines that are alike all on the same ---

    // HB domains of an SU, which are the endpoints. 0 where they span SUs.
    int endpointsOf(const Leaves& leaves) const {
        const int perEndpoint = m_ports * m_s.serversPerDomain() / m_perUnit; // NIC ports on a leaf
        return m_p.suServers % m_s.serversPerDomain() == 0 ? leaves.hosts / perEndpoint : 0;
    }
    Bandwidth speedOnALeaf() const { return m_s.linkSpeed * static_cast<double>(m_ports * m_s.serversPerDomain() / m_perUnit); }
    std::int64_t half() const { return (std::int64_t{m_p.scalableUnits - 1} * endpointsOf(m_first) + endpointsOf(m_last)) / 2; }
    bool keeps(Bandwidth least) const { return least * m_asked >= speedOnALeaf() * static_cast<double>(half() * m_leavesOfSu); }
    // Of the leaves of an SU, with this many of its endpoints on side A.
    Bandwidth cutOfSu(const Leaves& leaves, std::int64_t onA, const Sides& sides) const {
        const Bandwidth left = speedOnALeaf() * static_cast<double>(onA) + m_s.uplinkSpeed * sides.toA;
        const Bandwidth right = speedOnALeaf() * static_cast<double>(endpointsOf(leaves) - onA) + m_s.uplinkSpeed * sides.toB;
        return std::min(left, right) * m_leavesOfSu;
    }
    // Over all balanced partitions. What an SU costs bends down with the endpoints on side A, so in the cheapest one at most one SU is
    // divided. Empty where HB domains span SUs.
    std::optional<Bandwidth> leastCut(const Sides& first, const Sides& last) const {
        const std::int64_t ofFirst = endpointsOf(m_first), ofLast = endpointsOf(m_last), units = m_p.scalableUnits - 1;
        if (ofLast == 0) return {};
        std::optional<Bandwidth> least;
        const auto offer = [&](std::int64_t whole, std::int64_t divided, std::int64_t onLast) {
            if (whole < 0 || whole > units || divided < 0 || divided > ofFirst || onLast < 0 || onLast > ofLast) return;
            if (divided > 0 && whole == units) return;
            const std::int64_t none = units - whole - (divided > 0);
            Bandwidth cut =
                static_cast<double>(whole) * cutOfSu(m_first, ofFirst, first) + static_cast<double>(none) * cutOfSu(m_first, 0, first);
            if (divided > 0) cut += cutOfSu(m_first, divided, first);
            cut += cutOfSu(m_last, onLast, last);
            least = least ? std::min(*least, cut) : cut;
        };
        for (const std::int64_t onLast : {std::int64_t{0}, ofLast}) offer((half() - onLast) / ofFirst, (half() - onLast) % ofFirst, onLast);
        for (std::int64_t whole = half() / ofFirst; whole >= 0 && half() - whole * ofFirst <= ofLast; --whole)
            offer(whole, 0, half() - whole * ofFirst);
        return least;
    }
    // Full SUs have as many links to each spine; leaves of the last SU too, or one to each of the first spines. Empty otherwise.
    std::optional<Bandwidth> bisectionOfTwoEvenTiers() const {
        const int spines = m_upper.spines;
        if (m_first.count > 0 && m_first.uplinks % spines != 0) return {};
        const bool isPart = m_last.uplinks < spines;
        if (!isPart && m_last.uplinks % spines != 0) return {};
        const int ofAll = m_first.count * (m_first.uplinks / spines) + m_last.count * (isPart ? 1 : m_last.uplinks / spines);
        if (ofAll > m_s.spineRadix) return {}; // some would be passed over
        const int shared = isPart ? m_last.uplinks : spines;
        std::optional<Bandwidth> least;
        for (const bool isSharedOnA : {false, true})
            for (const bool isOtherOnA : {false, true}) {
                const int onA = (isSharedOnA ? shared : 0) + (isOtherOnA ? spines - shared : 0), each = m_first.uplinks / spines;
                const Sides first{onA * each, (spines - onA) * each};
                const Sides last = isSharedOnA ? Sides{m_last.uplinks, 0} : Sides{0, m_last.uplinks};
                const auto cut = leastCut(first, last);
                if (!cut) return {};
                least = least ? std::min(*least, *cut) : *cut;
            }
        return least;
    }

    // --- By routing: every NIC port sends as much as it can ---

    // NIC ports on the leaves before this one.
    std::int64_t hostsBefore(std::int64_t leaf) const {
        return std::min<std::int64_t>(leaf, m_first.count) * m_first.hosts + std::max<std::int64_t>(0, leaf - m_first.count) * m_last.hosts;
    }
    std::int64_t leaves() const { return std::int64_t{m_first.count} + m_last.count; }
    // What these NIC ports can exchange with the others.
    double exchanged(double hosts) const { return std::min(hosts, static_cast<double>(hostsBefore(leaves())) - hosts); }
    double mostOfALeaf() const { return std::max(m_first.count > 0 ? exchanged(m_first.hosts) : 0, exchanged(m_last.hosts)); }
    // Whether links between switches carry what this number of NIC ports sends.
    bool carries(double hosts, double links) const { return m_s.linkSpeed * hosts <= m_s.uplinkSpeed * links * m_asked; }

    // Two leaves share the spines by what both have there.
    bool isProvedInTwoTiers() const {
        const double most = mostOfALeaf();
        if (!carries(most, std::min(m_first.count > 0 ? m_first.uplinks : m_last.uplinks, m_last.uplinks))) return false;
        const Lowers lowers = leavesAsLowers();
        if (m_first.count > 1) { // before the last ones are spread, which takes longer
            const LinkCounts ofFirst({lowers.first, lowers.firstUplinks, 0, 0, lowers.uppers, lowers.ports});
            if (!carries(exchanged(m_first.hosts), ofFirst.leastInCommonOfFirst())) return false;
        }
        const LinkCounts counts(lowers);
        if (carries(most, static_cast<double>(counts.least()) * lowers.uppers)) return true;
        if (lowers.areEqual()) return carries(most, leaves() > 1 ? counts.leastInCommonOfFirst() : m_last.uplinks);
        if (m_last.count > 1 && !carries(exchanged(m_last.hosts), counts.leastInCommonOfLast())) return false;
        return carries(most, counts.leastInCommonAcross());
    }

    // Whether every tier above the leaves carries what leaves send in the worst case; `sum` is what those from `begin` to before `end`
    // send. Every leaf has as many links to every spine of its pod. Above, what the pair of switches with the fewest links has, every pair
    // has.
    template <class Sum>
    bool upperTiersCarry(Sum sum, double slack) const {
        const bool hasBlocks = m_p.tiers == 4;
        const std::int64_t pods = m_upper.pods, perBlock = hasBlocks ? m_p.podsPerBlock : pods;
        const Bandwidth all = sum(std::int64_t{0}, leaves());
        const auto exchanged = [&](Bandwidth own) { return std::min(own, all - own); };
        std::vector<int> uplinksOfBlock; // of a superspine
        Bandwidth mostOfASpine, mostOfASuperspine;
        int thinnest = std::numeric_limits<int>::max();
        for (std::int64_t begin = 0; begin < pods; begin += perBlock) {
            const std::int64_t end = std::min(pods, begin + perBlock);
            Bandwidth ofIndex; // of the spines of an index
            for (std::int64_t pod = begin; pod < end; ++pod) {
                const std::int64_t first = pod * m_p.leavesPerPod;
                const Bandwidth ofSpine = exchanged(sum(first, first + leavesOfPod(pod))) / m_upper.spines;
                mostOfASpine = std::max(mostOfASpine, ofSpine);
                ofIndex += ofSpine;
            }
            mostOfASuperspine = std::max(mostOfASuperspine, exchanged(ofIndex) / m_upper.superPerIndex);
            const auto down = static_cast<int>(end - begin); // one link from each spine to each superspine of its index
            thinnest = std::min(thinnest, leastLinks(down, uplinksOfSpine(begin), uplinksOfSpine(end - 1), m_upper.superPerIndex,
                                                     hasBlocks ? splitOf(m_s).down : m_s.spineRadix));
            uplinksOfBlock.push_back(uplinksAbove(down, m_p.superUp));
        }
        const auto carry = [&](Bandwidth load, int uppers, int links) {
            return links > 0 && load <= m_s.uplinkSpeed * static_cast<double>(uppers) * links * slack;
        };
        if (!carry(mostOfASpine, m_upper.superPerIndex, thinnest)) return false;
        return !hasBlocks || carry(mostOfASuperspine, m_upper.corePerIndex,
                                   leastLinks(static_cast<int>(uplinksOfBlock.size()), uplinksOfBlock.front(), uplinksOfBlock.back(),
                                              m_upper.corePerIndex, m_s.spineRadix));
    }
    // Between each of `lowers` switches and each of `uppers`, where only the last of the lowers may have other uplinks.
    static int leastLinks(int lowers, int uplinks, int ofLast, int uppers, int ports) {
        return LinkCounts({lowers - 1, uplinks, 1, ofLast, uppers, ports}).least();
    }
    std::int64_t leavesOfPod(std::int64_t pod) const { return std::min<std::int64_t>(m_p.leavesPerPod, leaves() - pod * m_p.leavesPerPod); }
    int uplinksOfSpine(std::int64_t pod) const { return uplinksAbove(leavesOfPod(pod) * (m_last.uplinks / m_upper.spines), m_p.spineUp); }
    int uplinksAbove(std::int64_t downlinks, int otherwise) const {
        return m_s.usedUplinks ? uplinksFor(downlinks, splitOf(m_s)) : otherwise;
    }

    const RecipeSettings& m_s;
    const ClosPlan& m_p;
    const UpperTiers& m_upper;
    double m_asked;
    int m_perUnit = 1, m_ports = 1, m_leavesOfSu = 1; // servers of a unit, NIC ports of a unit on a leaf
    Leaves m_first, m_last;                           // of the full SUs and of the last one
};

bool isDescribedByCounts(const RecipeSettings& s, const ClosPlan& p) {
    if (s.family == RecipeFamily::FatTree || s.managerPorts > 0 || s.railPods || s.spines > 0) return false;
    for (int plane = 1; plane < p.planes; ++plane)
        if (p.railsInPlane(plane) != p.railsInPlane(0)) return false;
    const int most = *std::max_element(p.unitPorts.begin(), p.unitPorts.end());
    return std::all_of(p.unitPorts.begin(), p.unitPorts.end(), [&](int ports) { return ports == 0 || ports == most; });
}

} // namespace

CountedVerdict verdictByCounting(const RecipeSettings& settings, const ClosPlan& plan, double asked) {
    if (plan.tiers == 1) return CountedVerdict::Proved;
    if (!isDescribedByCounts(settings, plan)) return CountedVerdict::NotDescribed;
    const CountedNetwork network(settings, plan, asked);
    if (network.isRefutedAtLeaves()) return CountedVerdict::Refuted;
    return network.isProved() ? CountedVerdict::Proved : CountedVerdict::Open;
}

bool isRefutedAtSpines(const RecipeSettings& settings, const ClosPlan& plan, double asked) {
    return isDescribedByCounts(settings, plan) && CountedNetwork(settings, plan, asked).isRefutedAtSpines();
}

} // namespace railyard
