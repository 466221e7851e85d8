#include "core/analysis/sizing/best_fabric.h"

#include "core/bisection/bisection.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <tuple>

namespace railyard {
namespace {

constexpr double rounding = 1e-9;

int ceiling(double value) { return static_cast<int>(std::ceil(value - rounding)); }

// Neither an SU nor a pod is filled in part, so that uplinks as used are those of full ones.
bool isWhole(const RecipeSettings& s, const ClosPlan& p) {
    return s.servers % p.suServers == 0 && (p.tiers < 3 || p.leavesPerNetwork % p.leavesPerPod == 0);
}

// True where every leaf has as many uplinks as every other and spreads them evenly, and so on up: the hose bound then certifies.
bool splitsEvenly(const RecipeSettings& s, const ClosPlan& p) {
    if (p.tiers == 1) return true;
    if (s.usedUplinks && !isWhole(s, p)) return false;
    if (p.tiers == 2) return p.leafUp % p.spinesPerPod == 0;
    return p.leafUp == p.spinesPerPod && (p.tiers == 3 ? p.spineUp % p.superPerIndex == 0 : p.superUp % p.corePerIndex == 0);
}

struct FabricCandidate {
    RecipeSettings settings;
    ClosPlan plan;
    PlanCost cost;
    int changes = 0; // settings other than the recipe's defaults
    auto rank() const { return std::tuple(plan.switches(), cost.network.inCents(), changes, -settings.rails); }
};

class Search {
public:
    Search(RecipeSettings base, const PlanPrices& prices, int tiers = 0)
        : m_base(std::move(base)),
          m_prices(prices),
          m_asked(askedOversubscription(m_base)) {
        m_defaultDown = m_base.leafDown;
        m_defaultUp = m_base.leafUp;
        m_base.tiers = tiers;
        for (int* decided : {&m_base.suServers, &m_base.podServers, &m_base.spines}) *decided = 0;
        m_base.exactSpines = m_base.usedUplinks = m_base.railPods = false;
    }

    // Regular ones first: they bound what is worth bisecting.
    void run() {
        const bool railOnly = m_base.family == RecipeFamily::RailOnly;
        for (const int rails : railOnly ? railCounts(m_base.nicsPerRailUnit()) : std::vector{m_base.nicsPerServer}) {
            m_base.rails = rails;
            searchRails();
        }
        std::sort(m_irregular.begin(), m_irregular.end(),
                  [](const FabricCandidate& a, const FabricCandidate& b) { return a.rank() < b.rank(); });
    }
    const std::optional<FabricCandidate>& regular() const { return m_regular; }
    const std::vector<FabricCandidate>& irregular() const { return m_irregular; }

private:
    std::int64_t fewest() const { return m_regular ? m_regular->plan.switches() : std::numeric_limits<std::int64_t>::max(); }

    void searchRails() {
        RecipeSettings s = m_base;
        s.leafDown = m_defaultDown, s.leafUp = m_defaultUp;
        offer(s); // the default ports, and one tier, which has no uplinks
        const bool railOnly = s.family == RecipeFamily::RailOnly;
        const int step = railOnly ? 1 : s.serversPerDomain(), units = railOnly ? s.servers / s.serversPerDomain() : s.servers;
        const int perUnit = portsOfUnit(s), networks = s.planes * (s.family == RecipeFamily::FatTree ? 1 : s.rails);
        const double share = s.linkSpeed.value() * (1 + 1 / m_asked); // of the leaf's capacity, for one port down with its part up
        const int most = std::min(static_cast<int>(s.leafCapacity.value() / share * (1 + rounding)), s.radix) / perUnit;
        if (most == 0) return;
        for (int held = std::min(most, units); held > 0; --held) {
            const int leaves = (units + held - 1) / held;
            if (std::int64_t{leaves} * networks > fewest()) break;
            // Leaves that share the units evenly need the fewest ports; fuller ones leave a last SU with fewer uplinks in use.
            const bool isBalanced = held == (units + leaves - 1) / leaves;
            searchUplinks(s, held * perUnit, isBalanced || held % step == 0);
        }
    }

    // From the asked ratio up, where `more`: a count that more spine counts divide may need fewer spines.
    void searchUplinks(RecipeSettings s, int down, bool more) {
        s.leafDown = down;
        const double needed = s.linkSpeed.value() * down / (s.uplinkSpeed.value() * m_asked);
        const int most = s.mostUplinks(down);
        for (s.leafUp = std::max(1, ceiling(needed)); s.leafUp <= most; ++s.leafUp) {
            s.leafRatio = down == m_defaultDown && s.leafUp == m_defaultUp ? m_base.leafRatio : Ratio{0, 0};
            s.exactSpines = s.usedUplinks = false;
            const auto full = offer(s);
            const bool isPartial = full && !isWhole(s, *full); // else `uplinks = used` builds the same
            for (const auto& [exact, used] : {std::pair(true, false), {false, true}, {true, true}}) {
                if (used && !isPartial) break;
                s.exactSpines = exact, s.usedUplinks = used;
                offer(s);
            }
            if (!more || !full || full->tiers > 2 || full->leaves + std::int64_t{full->leaves} * s.leafUp / s.spineRadix > fewest())
                break; // more uplinks only cost more
        }
    }

    std::optional<ClosPlan> offer(const RecipeSettings& s) {
        auto planned = plan(s);
        if (!planned) return {};
        if (planned->switches() > fewest()) return std::move(*planned);
        const PlanCost cost = costOf(*planned, m_prices);
        const int changes =
            planned->tiers == 1 ? 0 : (s.leafDown != m_defaultDown) + (s.leafUp != m_defaultUp) + s.exactSpines + s.usedUplinks;
        const FabricCandidate candidate{s, *planned, cost, changes};
        if (!splitsEvenly(s, *planned))
            m_irregular.push_back(candidate);
        else if (!m_regular || candidate.rank() < m_regular->rank())
            m_regular = candidate;
        return std::move(*planned);
    }

    // NIC ports that a server, under rail-only an HB domain, brings to a leaf; the most of all rails and planes.
    static int portsOfUnit(const RecipeSettings& s) {
        const int nics = s.nicsPerRailUnit(), rails = s.family == RecipeFamily::FatTree ? 1 : s.rails;
        return std::max(1, (nics * s.nicPorts + rails * s.planes - 1) / (rails * s.planes));
    }

    RecipeSettings m_base;
    const PlanPrices& m_prices;
    double m_asked;
    int m_defaultDown = 0, m_defaultUp = 0;
    std::optional<FabricCandidate> m_regular;
    std::vector<FabricCandidate> m_irregular;
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

// Large fabrics are not bisected for a plan that only may be cheaper.
bool keepsBisection(const RecipeCall& call, const Catalog& catalog, double asked) {
    constexpr std::size_t mostLinks = 400'000;
    auto built = build(call, "candidate", std::make_shared<const Catalog>(catalog));
    if (!built) return false;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
    if (fabric->links.size() > mostLinks) return false;
    const Bisection found = bisection(*fabric, BisectionKey::Server);
    return found.certified && found.lowerGbps >= found.halfInjectionGbps / asked * (1 - rounding);
}

} // namespace

const std::vector<std::string_view>& searchedParameters() {
    static const std::vector<std::string_view> keys{"rails",     "tiers",   "su_servers", "pod_servers", "spines",
                                                    "leaf_down", "leaf_up", "spine_rule", "uplinks",     "rail_scope"};
    return keys;
}

double askedOversubscription(const RecipeSettings& s) {
    if (s.leafUp == 0) return 1; // one tier: nothing is oversubscribed
    return std::max(1.0, s.linkSpeed * s.leafDown / (s.uplinkSpeed * s.leafUp));
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

Result<FabricChoice> cheapestFabric(const RecipeCall& asked, const Catalog& catalog, const PlanPrices& prices) {
    const auto base = resolve(asked, catalog);
    if (!base) return base.errors();
    Search search(*base, prices);
    search.run();
    const double ratio = askedOversubscription(*base) * base->core.down / base->core.up;
    const auto choose = [&](const FabricCandidate& candidate, RecipeCall call) {
        return FabricChoice{std::move(call), candidate.settings, candidate.plan, candidate.cost,
                            settingsInWords(candidate.settings, candidate.plan)};
    };
    int bisected = 0;
    for (const FabricCandidate& candidate : search.irregular()) {
        if (bisected++ == mostBisected || (search.regular() && !(candidate.rank() < search.regular()->rank()))) break;
        RecipeCall call = callOf(asked, candidate, catalog);
        if (keepsBisection(call, catalog, ratio)) return choose(candidate, std::move(call));
    }
    if (search.regular()) return choose(*search.regular(), callOf(asked, *search.regular(), catalog));
    const auto planned = plan(*base); // says what stands in the way
    return planned ? Result<FabricChoice>(Error::unbuildable("no setting of this recipe has a certified bisection"))
                   : Result<FabricChoice>(planned.errors());
}

std::optional<FabricChoice> cheapestLeafPorts(const RecipeCall& asked, const Catalog& catalog) {
    const auto base = resolve(asked, catalog);
    if (!base) return {};
    const PlanPrices prices = planPricesOf(*base, catalog);
    Search search(*base, prices, base->tiers);
    search.run();
    if (!search.regular()) return {};
    const FabricCandidate& best = *search.regular();
    return FabricChoice{callOf(asked, best, catalog), best.settings, best.plan, best.cost, settingsInWords(best.settings, best.plan)};
}

Result<FabricChoice> cheapestFabric(const RecipeCall& asked, const Catalog& catalog) {
    const auto settings = resolve(asked, catalog);
    if (!settings) return settings.errors();
    return cheapestFabric(asked, catalog, planPricesOf(*settings, catalog));
}

} // namespace railyard
