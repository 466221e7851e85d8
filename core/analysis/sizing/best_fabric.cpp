#include "core/analysis/sizing/best_fabric.h"

#include "core/analysis/sizing/counted_bisection.h"
#include "core/base/fingerprint.h"
#include "core/bisection/bisection.h"
#include "core/design/recipes/used_uplinks.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace railyard {
namespace {

constexpr double rounding = 1e-9;

int ceiling(double value) { return static_cast<int>(std::ceil(value - rounding)); }

int serversPerUnit(const RecipeSettings& s) { return s.family == RecipeFamily::RailOnly ? s.serversPerDomain() : 1; }

// NIC ports on the leaves of an SU of this number of servers, by leaf; those of equal rails and planes once.
std::vector<int> hostsOfLeaves(const RecipeSettings& s, const ClosPlan& p, int servers) {
    std::vector<int> hosts;
    int before = 0; // neighbours are mostly alike
    for (const int ports : p.unitPorts) {
        if (ports == 0 || ports == std::exchange(before, ports)) continue;
        if (s.family != RecipeFamily::FatTree) {
            hosts.push_back(servers / serversPerUnit(s) * ports);
            continue;
        }
        const int perLeaf = std::max(1, p.leafDown / ports); // of the plan: a single tier has all ports of the switch
        if (servers >= perLeaf) hosts.push_back(perLeaf * ports);
        if (servers % perLeaf > 0) hosts.push_back(servers % perLeaf * ports);
    }
    std::sort(hosts.begin(), hosts.end());
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    return hosts;
}

// Of a full SU, then of the last one.
std::vector<int> hostsOfLeaves(const RecipeSettings& s, const ClosPlan& p) {
    const int last = s.servers - (p.scalableUnits - 1) * p.suServers;
    std::vector<int> hosts = hostsOfLeaves(s, p, p.scalableUnits > 1 ? p.suServers : last);
    const std::vector<int> ofLast = hostsOfLeaves(s, p, last);
    hosts.insert(hosts.end(), ofLast.begin(), ofLast.end());
    return hosts;
}

// Appends the uplinks of leaves with these NIC ports.
void appendUplinks(const RecipeSettings& s, const std::vector<int>& hostsOfLeaves, std::vector<int>& uplinks) {
    const Ratio ratio = s.usedRatio(s.leafDown, s.leafUp);
    for (const int hosts : hostsOfLeaves)
        uplinks.push_back(s.usedUplinks ? std::min(s.leafUp, ceiling(static_cast<double>(hosts) * ratio.up / ratio.down)) : s.leafUp);
}

// Leaves with these NIC ports, and their uplinks in the same order.
struct LeafKinds {
    int mostHosts = 0;
    std::vector<int> uplinks;

    LeafKinds(const RecipeSettings& s, const std::vector<int>& hostsOfLeaves)
        : mostHosts(*std::max_element(hostsOfLeaves.begin(), hostsOfLeaves.end())) {
        appendUplinks(s, hostsOfLeaves, uplinks);
    }
    bool areEqual() const {
        return std::all_of(uplinks.begin(), uplinks.end(), [&](int each) { return each == uplinks.front(); });
    }
};

// True where every leaf has as many uplinks as every other and spreads them evenly, and so on up: the hose bound then certifies.
bool splitsEvenly(const RecipeSettings& s, const ClosPlan& p, const LeafKinds& leaves) {
    if (p.tiers == 1) return true;
    const bool isPartial =
        (p.tiers > 2 && p.leavesPerNetwork % p.leavesPerPod != 0) || (p.tiers > 3 && p.podsPerNetwork % p.podsPerBlock != 0);
    if (s.usedUplinks && isPartial) return false; // the switches of the last pod or block have fewer uplinks
    const int up = leaves.uplinks.front();
    return leaves.areEqual() && std::all_of(p.upperTiers.begin(), p.upperTiers.end(), [&](const UpperTiers& upper) {
               if (p.tiers == 2) return up % upper.spines == 0;
               return up == upper.spines && (p.tiers == 3 ? p.spineUp % upper.superPerIndex == 0 : p.superUp % upper.corePerIndex == 0);
           });
}

// Switches and cents, in the order in which they count.
using Price = std::pair<std::int64_t, std::int64_t>;
constexpr Price anyPrice(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max());

// exceedsRatio, changes, more rails and splitsCages of a candidate, among those of the same price.
using RankAmongEqual = std::tuple<bool, int, int, bool>;

struct FabricCandidate {
    RecipeSettings settings;
    ClosPlan plan;
    PlanCost cost;
    Price price;
    bool exceedsRatio = false; // with all ports of a leaf in use, as after an expansion
    int changes = 0;           // settings other than the recipe's defaults
    bool splitsCages = false;  // see Search::splitsCages()
    bool isProved = false;     // to keep the bisection
    RankAmongEqual rankAmongEqual() const { return {exceedsRatio, changes, -settings.rails, splitsCages}; }
    auto rank() const { return std::pair(price, rankAmongEqual()); }
};

// What plans cost, and the least that any plan with the same leaves can cost, before it is made.
class FabricPrices {
public:
    FabricPrices(const RecipeSettings& base, const PlanPrices& prices, CheapestBy by)
        : m_isRailOnly(base.family == RecipeFamily::RailOnly),
          m_spineRadix(base.spineRadix),
          m_split(splitOf(base)),
          m_prices(prices),
          m_isByCost(by == CheapestBy::Cost && prices.leafSwitch && prices.spineSwitch && prices.hostModules && prices.leafModules) {}

    PlanCost costOf(const ClosPlan& p) const { return railyard::costOf(p, m_prices); }
    Price of(const ClosPlan& p, const PlanCost& cost) const { return of(p.switches(), cost); }
    Price of(const ClosPlan& p) const { return of(p, costOf(p)); }
    // The least that a fabric with these leaves and this number of uplinks in use can have of either.
    Price least(const ClosPlan& p, double uplinks) const {
        const std::int64_t above = fewestAbove(p, uplinks);
        const auto whole = [](double links) { return static_cast<std::int64_t>(std::ceil(links * (1 - rounding))); };
        const std::int64_t ofLeaves = p.tiers > 1 ? whole(uplinks) : 0;
        double ofSpines = 0;
        for (int tier = 2; tier < p.tiers; ++tier) ofSpines += uplinks *= static_cast<double>(m_split.up) / m_split.down;
        return of(p.leaves + above, railyard::costOf(PlanCounts{p.leaves, above, p.hostLinks, ofLeaves, whole(ofSpines)}, m_prices));
    }

private:
    Price of(std::int64_t switches, const PlanCost& cost) const {
        const std::int64_t cents = cost.network.inCents();
        return m_isByCost ? Price(cents, switches) : Price(switches, cents);
    }
    // Above the leaves, for this number of uplinks in use. Every network has at least one switch in each tier.
    std::int64_t fewestAbove(const ClosPlan& p, double uplinks) const {
        if (p.tiers == 1) return 0;
        const int alike = m_isRailOnly ? p.networks : 1; // all are built as the fullest one asks
        if (p.tiers == 2) return std::max(p.networks, alike * ceiling(uplinks / alike / m_spineRadix));
        double switches = 0;
        for (int tier = 2; tier < p.tiers; ++tier) {
            switches += uplinks / m_split.down;
            uplinks *= static_cast<double>(m_split.up) / m_split.down;
        }
        return ceiling(switches + uplinks / m_spineRadix);
    }

    const bool m_isRailOnly;
    const int m_spineRadix;
    const Ratio m_split;
    const PlanPrices& m_prices;
    const bool m_isByCost; // not by the number of switches
};

// Fabrics whose bisection counts leave open are elaborated up to this many links of a network: 8,000 take a millisecond or two. Those that
// split evenly but whose full leaves are above the ratio are few, and have proofs that counts do not know.
std::int64_t mostLinksToElaborate(bool isSplitEvenly) { return isSplitEvenly ? 40'000 : 8'000; }

class Search {
public:
    enum class Among { AllFabrics, EvenFabrics };

    Search(RecipeSettings base, std::optional<double> leastBisection, const PlanPrices& prices, Among among, CheapestBy by, int tiers = 0)
        : m_base(std::move(base)),
          m_leastBisection(leastBisection),
          m_prices(m_base, prices, by),
          m_among(among),
          m_asked(askedOversubscription(m_base)) {
        m_defaultDown = m_base.leafDown;
        m_defaultUp = m_base.leafUp;
        m_base.tiers = tiers;
        for (int* decided : {&m_base.suServers, &m_base.podServers, &m_base.spines}) *decided = 0;
        m_base.exactSpines = m_base.usedUplinks = m_base.railPods = false;
    }

    void run() {
        const bool railOnly = m_base.family == RecipeFamily::RailOnly;
        for (const int rails : railOnly ? railCounts(m_base.nicsPerRailUnit()) : std::vector{m_base.nicsPerServer}) {
            m_base.rails = rails;
            searchRails();
        }
        if (m_even) std::erase_if(m_uneven, [&](const FabricCandidate& each) { return each.price >= m_even->price; });
        const auto order = [](const FabricCandidate& each) { return std::pair(each.rank(), -each.settings.leafDown); };
        std::sort(m_uneven.begin(), m_uneven.end(),
                  [&](const FabricCandidate& a, const FabricCandidate& b) { return order(a) < order(b); });
    }
    // The cheapest that qualifies by counting.
    const std::optional<FabricCandidate>& even() const { return m_even; }
    // Half the injection over the bisection that a fabric with this number of tiers must have.
    double wanted(int tiers) const {
        return m_leastBisection ? std::max(1.0, 1 / *m_leastBisection) : wantedOversubscription(m_base, tiers);
    }
    // All that would be cheaper, cheapest first; of what costs the same, an even one is easier to grow. Those that are not proved qualify
    // only if their bisection does.
    const std::vector<FabricCandidate>& uneven() const { return m_uneven; }

private:
    void searchRails() {
        RecipeSettings s = m_base;
        s.leafDown = m_defaultDown, s.leafUp = m_defaultUp;
        const auto usual = planLeaves(s); // the default ports, and one tier, which has no uplinks
        if (usual) offer(s, *usual, hostsOfLeaves(s, usual->plan));
        if (usual && usual->plan.tiers == 1) return;
        const int ofCapacity = static_cast<int>((s.leafCapacity - s.uplinkSpeed) / s.linkSpeed * (1 + rounding));
        const int most = std::min({ofCapacity, s.radix, 4096});
        Price least; // of the leaves before: fewer downlinks never need fewer leaves
        for (s.leafDown = most; s.leafDown > 0; --s.leafDown) {
            if (!mayBeBetter(least, bestRank(s, 1))) continue; // the default downlinks may be ahead, which rank better
            const auto leaves = planLeaves(s);
            if (!leaves && s.managerPorts == 0) break; // fewer cannot be built either
            if (!leaves) continue;
            const ClosPlan& p = leaves->plan;
            const double uplinks = static_cast<double>(p.hostLinks) * (s.linkSpeed / s.uplinkSpeed) / m_asked; // at least
            least = m_prices.least(p, uplinks);
            if (least > m_least) break;
            searchUplinks(s, *leaves, uplinks);
        }
    }

    // Uplinks of a leaf. Half of the servers are those of half of the SUs, and where that is no whole number part of those of one more: the
    // cut is no more than the uplinks of those and half of the host links of this.
    int fewestForBisection(const RecipeSettings& s, const ClosPlan& p) const {
        if (!m_leastBisection || p.scalableUnits < 2 || s.family == RecipeFamily::FatTree) return 1;
        const auto leavesOfUnit = std::count_if(p.unitPorts.begin(), p.unitPorts.end(), [](int ports) { return ports > 0; });
        const double all = static_cast<double>(p.hostLinks), ofUnit = all / s.servers * p.suServers;
        const double least = (*m_leastBisection * all - ofUnit) / 2 / (static_cast<double>(leavesOfUnit) * (p.scalableUnits / 2));
        return ceiling(least * (s.linkSpeed / s.uplinkSpeed));
    }

    // More uplinks may need fewer spines, where more counts divide them. `needed`: of all leaves, for the ratio that is asked for.
    void searchUplinks(RecipeSettings s, const LeafPlan& leaves, double needed) {
        const ClosPlan& p = leaves.plan;
        const std::vector<int> hosts = hostsOfLeaves(s, p);
        std::vector<int> built{s.rails, p.scalableUnits > 1 ? p.suServers : 0}; // how many more a single SU could hold builds nothing
        if (s.managerPorts > 0) built.push_back(s.leafDown);                    // their leaves have other uplinks
        built.insert(built.end(), hosts.begin(), hosts.end()); // SUs of as many servers may have other leaves, in a fat tree
        if (built != m_triedLeaves) {                          // downlinks that make the same leaves follow each other
            m_triedLeaves = std::move(built);
            m_tried.clear();
        }
        const int most = s.mostUplinks(s.leafDown);
        const int first = std::max({1, ceiling(needed / p.leaves), fewestForBisection(s, p)});
        const int firstUsed = firstWithinRatio(s, hosts, first, most); // from where those in use are enough
        for (s.leafUp = first; s.leafUp <= most; ++s.leafUp) {
            const bool isDefault = s.leafDown == m_defaultDown && s.leafUp == m_defaultUp;
            s.leafRatio = isDefault ? m_base.leafRatio : Ratio{0, 0};
            const RankAmongEqual ofRest = bestRank(s, s.leafUp);
            const Price ofAll = m_prices.least(p, static_cast<double>(p.leaves) * s.leafUp);
            if (s.leafUp < firstUsed && !isDefault && (ofAll > m_least || !mayBeBetter(ofAll, ofRest))) {
                const bool isDefaultAhead = s.leafDown == m_defaultDown && s.leafUp < m_defaultUp;
                s.leafUp = (isDefaultAhead ? std::min(firstUsed, m_defaultUp) : firstUsed) - 1; // nothing is better before
                continue;
            }
            const Ratio used = s.usedRatio(s.leafDown, s.leafUp);
            const Price ofUsed = m_prices.least(p, std::max(needed, static_cast<double>(p.hostLinks) * used.up / used.down));
            if (ofUsed > m_least || !mayBeBetter(ofUsed, ofRest)) break;
            bool isAnyCheap = false; // enough; what is not planned may be
            for (const auto& [isExact, isUsed] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
                s.exactSpines = isExact, s.usedUplinks = isUsed;
                if (!isUsed && ofAll > m_least) continue;
                if (mayBeBetter(isUsed ? ofUsed : ofAll, rankAmongEqual(s)) && (!isUsed || isAnyWithinRatio(s, hosts))) {
                    const auto price = offerOnce(s, leaves, hosts);
                    isAnyCheap = isAnyCheap || (price && *price <= m_least);
                } else {
                    isAnyCheap = true;
                }
            }
            if (!isAnyCheap) break; // the fewest, of as many spines as needed for the uplinks in use, only become more
        }
    }

    // The fewest uplinks of which those in use are enough for the asked ratio on any leaf, or more than `most`.
    int firstWithinRatio(RecipeSettings s, const std::vector<int>& hosts, int first, int most) const {
        s.leafRatio = {0, 0};
        int beyond = most + 1;
        while (first < beyond) {
            s.leafUp = first + (beyond - first) / 2;
            if (isAnyWithinRatio(s, hosts))
                beyond = s.leafUp;
            else
                first = s.leafUp + 1;
        }
        return beyond;
    }
    // Whether some leaves, by their NIC ports, have the uplinks in use that the asked ratio needs. Where none has, the whole has not.
    bool isAnyWithinRatio(const RecipeSettings& s, const std::vector<int>& hosts) const {
        if (s.managerPorts > 0) return true; // whose ports add uplinks to some leaves
        const Ratio used = s.usedRatio(s.leafDown, s.leafUp);
        return std::any_of(hosts.begin(), hosts.end(), [&](int each) {
            return isWithinRatio(s, each, std::min(s.leafUp, ceiling(static_cast<double>(each) * used.up / used.down)), m_asked);
        });
    }
    // Whether what costs this at least may be a better choice than what is known to be even.
    bool mayBeBetter(const Price& least, const RankAmongEqual& rank) const { return !m_even || std::pair(least, rank) < m_even->rank(); }
    // Of leaves with these downlinks and at least this number of uplinks.
    RankAmongEqual bestRank(const RecipeSettings& s, int uplinks) const {
        const int most = s.mostUplinks(s.leafDown);
        const bool isDefaultUp = uplinks <= m_defaultUp && m_defaultUp <= most;
        return {!isWithinRatio(s, s.leafDown, most, m_asked), (s.leafDown != m_defaultDown) + !isDefaultUp, -s.rails, false};
    }
    RankAmongEqual rankAmongEqual(const RecipeSettings& s) const { return {exceedsRatio(s), changesOf(s), -s.rails, splitsCages(s)}; }

    struct Tried {
        std::optional<Price> price;          // empty: it cannot be built
        std::tuple<bool, int, bool> changes; // those of a candidate: exceedsRatio, changes, splitsCages
    };
    struct Hash {
        std::size_t operator()(const std::vector<int>& numbers) const {
            FingerprintOfNumbers hash;
            for (const int number : numbers) hash.add(static_cast<std::uint64_t>(number), 0);
            return hash.value().high;
        }
    };

    // Numbers of ports that lead to the same leaves and uplinks build the same: of these, only one with fewer changes is of interest.
    // Returns the price.
    std::optional<Price> offerOnce(const RecipeSettings& s, const LeafPlan& leaves, const std::vector<int>& hosts) {
        m_built.assign({s.exactSpines, s.usedUplinks});
        if (s.managerPorts > 0) m_built.push_back(s.leafUp);
        appendUplinks(s, hosts, m_built);
        auto known = m_tried.find(m_built);
        const bool isNew = known == m_tried.end();
        if (isNew) known = m_tried.try_emplace(m_built).first;
        const std::tuple asBuilt(exceedsRatio(s), changesOf(s), splitsCages(s));
        if (isNew || asBuilt < known->second.changes) {
            const auto planned = offer(s, leaves, hosts);
            known->second = {planned ? std::optional(m_prices.of(*planned)) : std::nullopt, asBuilt};
        }
        return known->second.price;
    }
    bool exceedsRatio(const RecipeSettings& s) const { return !isWithinRatio(s, s.leafDown, s.leafUp, m_asked); }
    // Two ports mostly share a cage and its transceiver: an even number of uplinks fills one more cage if it begins in the middle of one.
    static bool splitsCages(const RecipeSettings& s) { return s.leafDown % 2 == 1 && s.leafUp % 2 == 0; }
    int changesOf(const RecipeSettings& s) const {
        return (s.leafDown != m_defaultDown) + (s.leafUp != m_defaultUp) + s.exactSpines + s.usedUplinks;
    }

    std::optional<ClosPlan> offer(const RecipeSettings& s, const LeafPlan& ofLeaves, const std::vector<int>& hosts) {
        auto planned = plan(s, ofLeaves);
        if (!planned) return {};
        if (m_prices.of(*planned) > m_least || !isWithinRatio(s, *planned)) return std::move(*planned);
        const LeafKinds leaves(s, hosts);
        const bool isSplitEvenly = splitsEvenly(s, *planned, leaves);
        const double mostRatio = wanted(planned->tiers) / coreRatio(planned->tiers);
        if (isSplitEvenly && (planned->tiers == 1 || isWithinRatio(s, leaves.mostHosts, leaves.uplinks.front(), mostRatio))) {
            FabricCandidate candidate = candidateOf(s, *planned);
            m_least = std::min(m_least, candidate.price);
            if (!m_even || candidate.rank() < m_even->rank()) m_even = std::move(candidate);
        } else if (m_among == Among::AllFabrics) {
            takeUneven(s, *planned, leaves, isSplitEvenly);
        }
        return std::move(*planned);
    }
    FabricCandidate candidateOf(const RecipeSettings& s, const ClosPlan& p) const {
        const bool hasUplinks = p.tiers > 1;
        const PlanCost cost = m_prices.costOf(p);
        return {
            s, p, cost, m_prices.of(p, cost), hasUplinks && exceedsRatio(s), hasUplinks ? changesOf(s) : 0, hasUplinks && splitsCages(s)};
    }

    static bool isWithinRatio(const RecipeSettings& s, std::int64_t down, std::int64_t up, double ratio) {
        return s.linkSpeed * static_cast<double>(down) <= s.uplinkSpeed * static_cast<double>(up) * (ratio * (1 + rounding));
    }
    double coreRatio(int tiers) const { return wantedOversubscription(m_base, tiers) / (tiers > 1 ? m_asked : 1); }
    // As drawn, with the ports of managers.
    bool isWithinRatio(const RecipeSettings& s, const ClosPlan& p) const {
        return p.tiers == 1 || isWithinRatio(s, p.hostLinks + p.managerLinks, p.leafSpineLinks, m_asked);
    }

    // Many settings build the same switches and links: the one with the fewest changes stands for them.
    void takeUneven(const RecipeSettings& s, const ClosPlan& p, const LeafKinds& leaves, bool isSplitEvenly) {
        if (m_even && m_prices.of(p) >= m_even->price) return;
        const double asked = wanted(p.tiers);
        const CountedVerdict verdict = verdictByCounting(s, p, asked);
        if (verdict == CountedVerdict::Refuted) return;
        if (verdict == CountedVerdict::Open && p.links() / p.networks > mostLinksToElaborate(isSplitEvenly)) return;
        if (verdict == CountedVerdict::Open && isRefutedAtSpines(s, p, asked)) return;
        FabricCandidate candidate = candidateOf(s, p);
        candidate.isProved = verdict == CountedVerdict::Proved;
        if (candidate.isProved) m_least = std::min(m_least, candidate.price);
        std::vector<std::int64_t> built{s.rails, p.suServers, p.leafSpineLinks, p.spineSuperLinks, p.superCoreLinks, p.spineUp, p.superUp};
        built.insert(built.end(), leaves.uplinks.begin(), leaves.uplinks.end());
        for (const UpperTiers& upper : p.upperTiers)
            built.insert(built.end(), {upper.spines, upper.pods, upper.superPerIndex, upper.blocks, upper.corePerIndex});
        const auto [known, isNew] = m_known.try_emplace(std::move(built), m_uneven.size());
        if (isNew)
            m_uneven.push_back(std::move(candidate));
        else if (candidate.rank() < m_uneven[known->second].rank())
            m_uneven[known->second] = std::move(candidate);
    }

    RecipeSettings m_base;
    std::optional<double> m_leastBisection;
    const FabricPrices m_prices;
    Among m_among;
    double m_asked;           // oversubscription of the leaves
    Price m_least = anyPrice; // of what qualifies by counting
    int m_defaultDown = 0, m_defaultUp = 0;
    std::optional<FabricCandidate> m_even;
    std::vector<FabricCandidate> m_uneven;
    std::vector<int> m_triedLeaves;
    std::unordered_map<std::vector<int>, Tried, Hash> m_tried; // of these leaves, by rules and uplinks
    std::vector<int> m_built;                                  // kept for its memory
    std::map<std::vector<std::int64_t>, std::size_t> m_known;  // what is built, and where it stands in m_uneven
};

std::string_view nameOf(RecipeFamily family) {
    return family == RecipeFamily::RailOnly ? "rail-only" : family == RecipeFamily::FatTree ? "fat-tree" : "rail-optimized";
}

// The call that builds a candidate, without what the recipe chooses by itself.
RecipeCall callOf(const RecipeCall& asked, const FabricCandidate& candidate, const Catalog& catalog) {
    RecipeCall call{std::string(nameOf(candidate.settings.family)), {}};
    call.parameters = inFull(asked).parameters;
    for (const std::string_view key : searchedParameters()) call.parameters.erase(std::string(key));
    const RecipeSettings& s = candidate.settings;
    if (candidate.plan.tiers > 1) {
        if (s.exactSpines) call.parameters["spine_rule"] = "exact";
        if (s.usedUplinks) call.parameters["uplinks"] = "used";
        const auto usual = resolve(call, catalog);
        if (!usual || usual->leafDown != s.leafDown || usual->leafUp != s.leafUp) {
            call.parameters["leaf_down"] = std::to_string(s.leafDown);
            call.parameters["leaf_up"] = std::to_string(s.leafUp);
        }
    }
    const auto usual = resolve(call, catalog);
    if (s.family == RecipeFamily::RailOnly && (!usual || usual->rails != s.rails)) call.parameters["rails"] = std::to_string(s.rails);
    return call;
}

// Of networks that are built alike, as planes and the rails of rail-only often are, a call that builds one: endpoints divide what they send
// among all in the same way, so all are cut alike. Empty where there is only one or they differ.
std::optional<RecipeCall> oneNetworkOf(const RecipeCall& call, const RecipeSettings& s, const ClosPlan& p) {
    if (p.networks < 2 || s.managerPorts > 0 || s.family == RecipeFamily::FatTree) return {};
    const int rails = p.railsInPlane(0);
    for (int plane = 0; plane < p.planes; ++plane)
        if (p.railsInPlane(plane) != rails) return {};
    std::vector<int> ports = p.unitPorts;
    std::erase(ports, 0);
    if (std::any_of(ports.begin(), ports.end(), [&](int each) { return each != ports.front(); })) return {};
    const bool railOnly = s.family == RecipeFamily::RailOnly;
    const auto nics = static_cast<std::int64_t>(railOnly ? 1 : rails);
    RecipeCall one = call;
    for (const char* key : {"gpus", "nic", "gpu", "planes", "hb_out_gbps", "hb_spines"}) one.parameters.erase(key);
    for (const auto& [key, value] : {std::pair("servers", std::int64_t{s.servers / serversPerUnit(s)}),
                                     {"gpus_per_server", nics},
                                     {"nics_per_server", nics},
                                     {"rails", nics},
                                     {"nic_ports", std::int64_t{ports.front()}},
                                     {"hb_domain_gpus", railOnly ? 1 : nics * s.serversPerDomain()}})
        one.parameters[key] = std::to_string(value);
    one.parameters["nic_gbps"] = fmt::format("{}", inGbps(s.linkSpeed) * ports.front());
    one.parameters["uplink_gbps"] = fmt::format("{}", inGbps(s.uplinkSpeed));
    return one;
}

// The design lives no longer than the catalogue that it was called with.
bool certifies(const RecipeCall& call, const Catalog& catalog, double asked) {
    auto built = build(call, "candidate", CatalogPointer(CatalogPointer(), &catalog));
    if (!built) return false;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*built)), InsideLinks::Omitted);
    return certifiesBisection(*fabric, BisectionKey::Server, 1 / asked);
}

bool keepsBisection(const RecipeCall& call, const FabricCandidate& candidate, const Catalog& catalog, double asked) {
    const ClosPlan& p = candidate.plan;
    if (const auto one = oneNetworkOf(call, candidate.settings, p)) {
        const auto settings = resolve(*one, catalog);
        const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
        const bool isEqual = planned && planned->leaves * p.networks == p.leaves && planned->spines * p.networks == p.spines &&
                             planned->links() * p.networks == p.links();
        if (isEqual) return certifies(*one, catalog, asked);
    }
    return certifies(call, catalog, asked);
}

} // namespace

const std::vector<std::string_view>& searchedParameters() {
    static const std::vector<std::string_view> keys{"rails",     "tiers",   "su_servers", "pod_servers", "spines",
                                                    "leaf_down", "leaf_up", "spine_rule", "uplinks",     "rail_scope"};
    return keys;
}

Ratio ratioWithin(double most) {
    constexpr int mostPorts = 32;
    Ratio ratio{1, 1};
    for (int up = 1; up < mostPorts; ++up) {
        const int down = std::min(mostPorts - up, static_cast<int>(std::floor(up * most + 1e-9)));
        if (down * ratio.up > ratio.down * up) ratio = {down, up};
    }
    return ratio;
}

double wantedOversubscription(const RecipeSettings& s, int tiers) {
    if (tiers < 2) return 1;
    double wanted = askedOversubscription(s);
    for (int above = 2; above < tiers; ++above) wanted *= std::max(1.0, static_cast<double>(s.core.down) / s.core.up);
    return wanted;
}

double askedOversubscription(const RecipeSettings& s) {
    if (s.leafUp == 0) return 1;                                                          // one tier: nothing is oversubscribed
    const Ratio ports = s.leafRatio.down > 0 ? s.leafRatio : Ratio{s.leafDown, s.leafUp}; // as it was stated, before rounding to ports
    return std::max(1.0, s.linkSpeed * ports.down / (s.uplinkSpeed * ports.up));
}

std::string settingsInWords(const RecipeSettings& s, const ClosPlan& p) {
    std::string words = s.family == RecipeFamily::FatTree ? "" : fmt::format("{} rail{}", s.rails, s.rails == 1 ? "" : "s");
    const auto add = [&](std::string text) { words += (words.empty() ? "" : ", ") + std::move(text); };
    if (p.tiers == 1) add(p.switches() == 1 ? "one switch" : "one switch each");
    if (p.tiers > 1) add(fmt::format("leaf ports {} down / {} up", p.leafDown, p.leafUp));
    if (p.tiers > 1 && s.exactSpines) add("exact spine count");
    if (p.tiers > 1 && s.usedUplinks) add("uplinks as used");
    return words;
}

Result<FabricChoice> cheapestFabric(const FabricWish& wish, const Catalog& catalog, const PlanPrices& prices, CheapestBy by) {
    const RecipeCall& asked = wish.call;
    const auto base = resolve(asked, catalog);
    if (!base) return base.errors();
    Search search(*base, wish.leastBisection, prices, Search::Among::AllFabrics, by);
    search.run();
    const auto choose = [&](const FabricCandidate& candidate, RecipeCall call) {
        return FabricChoice{std::move(call), candidate.settings, candidate.plan, candidate.cost,
                            settingsInWords(candidate.settings, candidate.plan)};
    };
    for (const FabricCandidate& candidate : search.uneven()) {
        RecipeCall call = callOf(asked, candidate, catalog);
        if (candidate.isProved || keepsBisection(call, candidate, catalog, search.wanted(candidate.plan.tiers)))
            return choose(candidate, std::move(call));
    }
    if (search.even()) return choose(*search.even(), callOf(asked, *search.even(), catalog));
    const auto built = build(asked, "candidate", CatalogPointer(CatalogPointer(), &catalog)); // says what stands in the way
    return built ? Result<FabricChoice>(Error::unbuildable("no setting of this recipe has a certified bisection"))
                 : Result<FabricChoice>(built.errors());
}

std::optional<FabricChoice> cheapestLeafPorts(const RecipeCall& asked, const Catalog& catalog) {
    const auto base = resolve(asked, catalog);
    if (!base) return {};
    const PlanPrices prices = planPricesOf(*base, catalog);
    Search search(*base, {}, prices, Search::Among::EvenFabrics, CheapestBy::Switches, base->tiers);
    search.run();
    if (!search.even()) return {};
    const FabricCandidate& best = *search.even();
    return FabricChoice{callOf(asked, best, catalog), best.settings, best.plan, best.cost, settingsInWords(best.settings, best.plan)};
}

Result<FabricChoice> cheapestFabric(const FabricWish& wish, const Catalog& catalog) {
    const auto settings = resolve(wish.call, catalog);
    if (!settings) return settings.errors();
    return cheapestFabric(wish, catalog, planPricesOf(*settings, catalog));
}

} // namespace railyard
