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

struct FabricCandidate {
    RecipeSettings settings;
    ClosPlan plan;
    PlanCost cost;
    std::pair<std::int64_t, std::int64_t> price; // switches and cents, in the order in which they count
    bool exceedsRatio = false;                   // with all ports of a leaf in use, as after an expansion
    int changes = 0;                             // settings other than the recipe's defaults
    bool splitsCages = false;                    // see Search::splitsCages()
    bool isProved = false;                       // to keep the bisection
    auto rank() const { return std::tuple(price, exceedsRatio, changes, -settings.rails, splitsCages); }
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
          m_prices(prices),
          m_among(among),
          m_isByCost(by == CheapestBy::Cost && prices.leafSwitch && prices.spineSwitch && prices.hostModules && prices.switchModules),
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
        std::sort(m_uneven.begin(), m_uneven.end(), [](const FabricCandidate& a, const FabricCandidate& b) { return a.rank() < b.rank(); });
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
    // Switches or cents, by what is sought.
    std::int64_t measureOf(const ClosPlan& p) const { return m_isByCost ? costOf(p, m_prices).network.inCents() : p.switches(); }
    // The least that a fabric with these leaves and this number of uplinks in use can have.
    std::int64_t leastMeasure(const ClosPlan& p, double uplinks) const {
        const std::int64_t above = fewestAbove(p.tiers, uplinks);
        if (!m_isByCost) return p.leaves + above;
        const auto ofLinks = [](double links, const std::optional<double>& modules, const std::optional<double>& fibre) {
            return links * (modules.value_or(0) + fibre.value_or(0));
        };
        const Ratio split = splitOf(m_base);
        double between = 0;
        for (int tier = 1; tier < p.tiers; ++tier, uplinks *= static_cast<double>(split.up) / split.down) between += uplinks;
        const double links = ofLinks(static_cast<double>(p.hostLinks), m_prices.hostModules, m_prices.hostFibre) +
                             ofLinks(between, m_prices.switchModules, m_prices.switchFibre);
        return (*m_prices.leafSwitch * p.leaves + *m_prices.spineSwitch * above).inCents() +
               static_cast<std::int64_t>(std::floor(links * 100 * (1 - rounding)));
    }
    // Above the leaves, for this number of uplinks in use.
    std::int64_t fewestAbove(int tiers, double uplinks) const {
        const Ratio split = splitOf(m_base);
        double switches = 0;
        for (int tier = 2; tier < tiers; ++tier) {
            switches += uplinks / split.down;
            uplinks *= static_cast<double>(split.up) / split.down;
        }
        return ceiling(tiers > 1 ? switches + uplinks / m_base.spineRadix : 0);
    }

    void searchRails() {
        RecipeSettings s = m_base;
        s.leafDown = m_defaultDown, s.leafUp = m_defaultUp;
        const auto usual = planLeaves(s); // the default ports, and one tier, which has no uplinks
        if (usual) offer(s, *usual);
        if (usual && usual->plan.tiers == 1) return;
        const int ofCapacity = static_cast<int>((s.leafCapacity - s.uplinkSpeed) / s.linkSpeed * (1 + rounding));
        const int most = std::min({ofCapacity, s.radix, 4096});
        for (s.leafDown = most; s.leafDown > 0; --s.leafDown) { // fewer downlinks never need fewer leaves
            const auto leaves = planLeaves(s);
            if (!leaves && s.managerPorts == 0) break; // fewer cannot be built either
            if (!leaves) continue;
            const ClosPlan& p = leaves->plan;
            const double uplinks = static_cast<double>(p.hostLinks) * (s.linkSpeed / s.uplinkSpeed) / m_asked; // at least
            if (leastMeasure(p, uplinks) > m_least) break;
            searchUplinks(s, *leaves, std::max({1, ceiling(uplinks / p.leaves), fewestForBisection(s, p)}));
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

    // More uplinks may need fewer spines, where more counts divide them.
    void searchUplinks(RecipeSettings s, const LeafPlan& leaves, int from) {
        const std::vector<int> hosts = hostsOfLeaves(s, leaves.plan);
        std::vector<int> built{s.rails, leaves.plan.suServers};
        if (s.managerPorts > 0) built.push_back(s.leafDown);   // their leaves have other uplinks
        built.insert(built.end(), hosts.begin(), hosts.end()); // SUs of as many servers may have other leaves, in a fat tree
        TriedSettings& tried = m_tried[std::move(built)];
        const int most = s.mostUplinks(s.leafDown);
        for (s.leafUp = from; s.leafUp <= most; ++s.leafUp) {
            s.leafRatio = s.leafDown == m_defaultDown && s.leafUp == m_defaultUp ? m_base.leafRatio : Ratio{0, 0};
            const Ratio used = s.usedRatio(s.leafDown, s.leafUp);
            if (leastMeasure(leaves.plan, static_cast<double>(leaves.plan.hostLinks) * used.up / used.down) > m_least) break;
            std::int64_t least = std::numeric_limits<std::int64_t>::max();
            for (const auto& [isExact, isUsed] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
                s.exactSpines = isExact, s.usedUplinks = isUsed;
                if (const auto measure = offerOnce(s, leaves, hosts, tried)) least = std::min(least, *measure);
            }
            if (least > m_least) break; // the fewest, of as many spines as needed for the uplinks in use, only become more
        }
    }

    struct Tried {
        std::optional<std::int64_t> measure;
        std::tuple<bool, int, bool> changes; // those of a candidate: exceedsRatio, changes, splitsCages
    };
    struct Hash {
        std::size_t operator()(const std::vector<int>& numbers) const {
            FingerprintOfNumbers hash;
            for (const int number : numbers) hash.add(static_cast<std::uint64_t>(number), 0);
            return hash.value().high;
        }
    };
    template <class Value>
    using ByNumbers = std::unordered_map<std::vector<int>, Value, Hash>;
    using TriedSettings = ByNumbers<Tried>; // of the same leaves, by rules and uplinks

    // Numbers of ports that lead to the same leaves and uplinks build the same: of these, only one with fewer changes is of interest.
    // Returns the measure.
    std::optional<std::int64_t> offerOnce(const RecipeSettings& s, const LeafPlan& leaves, const std::vector<int>& hosts,
                                          TriedSettings& tried) {
        m_built.assign({s.exactSpines, s.usedUplinks});
        if (s.managerPorts > 0) m_built.push_back(s.leafUp);
        appendUplinks(s, hosts, m_built);
        auto known = tried.find(m_built);
        const bool isNew = known == tried.end();
        if (isNew) known = tried.try_emplace(m_built).first;
        const std::tuple asBuilt(exceedsRatio(s), changesOf(s), splitsCages(s));
        if (isNew || asBuilt < known->second.changes) {
            const auto planned = offer(s, leaves);
            known->second = {planned ? std::optional(measureOf(*planned)) : std::nullopt, asBuilt};
        }
        return known->second.measure;
    }
    bool exceedsRatio(const RecipeSettings& s) const { return !isWithinRatio(s, s.leafDown, s.leafUp, m_asked); }
    // Two ports mostly share a cage and its transceiver: an even number of uplinks fills one more cage if it begins in the middle of one.
    static bool splitsCages(const RecipeSettings& s) { return s.leafDown % 2 == 1 && s.leafUp % 2 == 0; }
    int changesOf(const RecipeSettings& s) const {
        return (s.leafDown != m_defaultDown) + (s.leafUp != m_defaultUp) + s.exactSpines + s.usedUplinks;
    }

    std::optional<ClosPlan> offer(const RecipeSettings& s, const LeafPlan& ofLeaves) {
        auto planned = plan(s, ofLeaves);
        if (!planned) return {};
        if (measureOf(*planned) > m_least || !isWithinRatio(s, *planned)) return std::move(*planned);
        const LeafKinds leaves(s, hostsOfLeaves(s, *planned));
        const bool isSplitEvenly = splitsEvenly(s, *planned, leaves);
        const double mostRatio = wanted(planned->tiers) / coreRatio(planned->tiers);
        if (isSplitEvenly && (planned->tiers == 1 || isWithinRatio(s, leaves.mostHosts, leaves.uplinks.front(), mostRatio))) {
            m_least = std::min(m_least, measureOf(*planned));
            FabricCandidate candidate = candidateOf(s, *planned);
            if (!m_even || candidate.rank() < m_even->rank()) m_even = std::move(candidate);
        } else if (m_among == Among::AllFabrics) {
            takeUneven(s, *planned, leaves, isSplitEvenly);
        }
        return std::move(*planned);
    }
    FabricCandidate candidateOf(const RecipeSettings& s, const ClosPlan& p) const {
        const bool hasUplinks = p.tiers > 1;
        const PlanCost cost = costOf(p, m_prices);
        std::pair price(p.switches(), cost.network.inCents());
        if (m_isByCost) std::swap(price.first, price.second);
        return {s, p, cost, price, hasUplinks && exceedsRatio(s), hasUplinks ? changesOf(s) : 0, hasUplinks && splitsCages(s)};
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
        const double asked = wanted(p.tiers);
        const CountedVerdict verdict = verdictByCounting(s, p, asked);
        if (verdict == CountedVerdict::Refuted) return;
        if (verdict == CountedVerdict::Open && p.links() / p.networks > mostLinksToElaborate(isSplitEvenly)) return;
        if (verdict == CountedVerdict::Open && isRefutedAtSpines(s, p, asked)) return;
        FabricCandidate candidate = candidateOf(s, p);
        candidate.isProved = verdict == CountedVerdict::Proved;
        if (candidate.isProved) m_least = std::min(m_least, measureOf(p));
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
    const PlanPrices& m_prices;
    Among m_among;
    bool m_isByCost;                                                 // not by the number of switches
    double m_asked;                                                  // oversubscription of the leaves
    std::int64_t m_least = std::numeric_limits<std::int64_t>::max(); // the measure of what qualifies by counting
    int m_defaultDown = 0, m_defaultUp = 0;
    std::optional<FabricCandidate> m_even;
    std::vector<FabricCandidate> m_uneven;
    ByNumbers<TriedSettings> m_tried;                         // by leaves
    std::vector<int> m_built;                                 // kept for its memory
    std::map<std::vector<std::int64_t>, std::size_t> m_known; // what is built, and where it stands in m_uneven
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
    const auto rails = p.railsOfPlane(0).size();
    for (int plane = 0; plane < p.planes; ++plane)
        if (p.railsOfPlane(plane).size() != rails) return {};
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
    const double core = tiers > 2 ? static_cast<double>(s.core.down) / s.core.up : 1;
    return tiers > 1 ? askedOversubscription(s) * std::max(1.0, core) : 1;
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
