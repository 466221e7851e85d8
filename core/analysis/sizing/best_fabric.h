// Finds the cheapest fabric of a kind with the requested bisection. The decision map compares the best rail-optimized with the
// best rail-only fabric, never one fixed setting of each.
//
// Kept: GPUs, HB domains, NICs, planes, parts, medium and trunks of the call. Rail-optimized keeps one rail per NIC of a server;
// rail-only may take any divisor above 1 of the NICs of an HB domain. Searched: rails, `spine_rule`, `uplinks`, and leaf ports whose
// ratio of downlink to uplink bandwidth, over all leaves as drawn, is at most the requested ratio. More tiers than needed are not tried:
// the same leaves with fewer tiers and evenly split spines need fewer switches.
// A setting qualifies if the bisection of `server` is at least half the injection bandwidth divided by the requested oversubscription, or
// the share of it that is asked for: with few SUs a fabric may have much more than its ratio says. A plan whose leaves all split their
// uplinks evenly, with none above the ratio that is wanted, qualifies by the hose bound. Others that would be cheaper
// are decided by counting (counted_bisection.h); where counts say neither, those of up to 8,000 links in a network are elaborated and
// bisected, cheapest first, until one is certified. Cheapest: the fewest switches, then the lowest network cost, or the other way round;
// then leaf ports within the ratio even if all were used, then the settings closest to the recipe's defaults, then uplinks that begin with
// a cage, then more downlinks.
#pragma once

#include "core/analysis/sizing/plan_price.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

// What the cheapest fabric is sought for.
struct FabricWish {
    // NOLINTNEXTLINE(google-explicit-constructor): mostly it is only the call
    FabricWish(RecipeCall asked, std::optional<double> bisection = {}) : call(std::move(asked)), leastBisection(bisection) {}
    RecipeCall call;
    std::optional<double> leastBisection; // of `server`, as a share of half the injection; empty: 1 / the requested oversubscription
};

struct FabricChoice {
    RecipeCall call; // without settings that equal the recipe's defaults
    RecipeSettings settings;
    ClosPlan plan;
    PlanCost cost;
    std::string words; // "4 rails, leaf ports 32 down / 32 up", for people
};

enum class CheapestBy { Switches, Cost }; // Cost: if switches and modules have prices

// The parameters that the search sets. A call passed to it may contain them; they only define the requested oversubscription.
const std::vector<std::string_view>& searchedParameters();
// The requested leaf oversubscription, as the ratio of downlink to uplink bandwidth, at least 1.
double askedOversubscription(const RecipeSettings& settings);
// The half-injection over the bisection that is wanted of a fabric with this number of tiers: the ratio of the leaves, times that of the
// core for every tier between them and the top.
double wantedOversubscription(const RecipeSettings& settings, int tiers);
// Errors: those of `resolve`, or the reason why the call itself cannot be built if no setting can be built.
Result<FabricChoice> cheapestFabric(const FabricWish& wish, const Catalog& catalog, const PlanPrices& prices,
                                    CheapestBy by = CheapestBy::Switches);
Result<FabricChoice> cheapestFabric(const FabricWish& wish, const Catalog& catalog);
// Of the leaf ports with which every leaf splits its uplinks evenly and the number of tiers stays, those with the fewest switches.
std::optional<FabricChoice> cheapestLeafPorts(const RecipeCall& asked, const Catalog& catalog);
// The largest ratio down:up that is at most this, of so few ports that any leaf has them.
Ratio ratioWithin(double most);
// The settings of a plan for people, as in `FabricChoice::words`.
std::string settingsInWords(const RecipeSettings& settings, const ClosPlan& plan);

} // namespace railyard
