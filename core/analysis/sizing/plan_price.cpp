#include "core/analysis/sizing/plan_price.h"

#include "core/base/parameter.h"
#include "core/bill/cabling.h"
#include "core/fabric/elaborate.h"

#include <algorithm>

namespace railyard {
namespace {

std::optional<double> endPrice(const Part* module, const Cage& cage) {
    if (!module || !module->price || !module->price->base) return {};
    return module->price->base->inDollars() / cage.links;
}

// Two servers with links of every kind, between the same parts at the same speeds. Usually of two tiers; with more rails than a spine has
// ports, of as many as are needed.
RecipeCall sampleOf(const RecipeSettings& settings, bool withRadix, bool hasTwoTiers) {
    RecipeCall sample{"rail-optimized", {}};
    auto& set = sample.parameters;
    set = {{"server", settings.server->id},
           {"switch", settings.leafSwitch->id},
           {"servers", "2"},
           {"gpus_per_server", std::to_string(settings.gpusPerServer)},
           {"hb_domain_gpus", std::to_string(settings.gpusPerServer)},
           {"nics_per_server", std::to_string(settings.nicsPerServer)},
           {"nic_gbps", parameterText(inGbps(settings.linkSpeed * settings.nicPorts))},
           {"nic_ports", std::to_string(settings.nicPorts)},
           {"planes", std::to_string(settings.planes)},
           {"uplink_gbps", parameterText(inGbps(settings.uplinkSpeed))}};
    if (hasTwoTiers) set["tiers"] = "2";
    if (settings.spineSwitch != settings.leafSwitch) set["spine_switch"] = settings.spineSwitch->id;
    if (settings.nic) set["nic"] = settings.nic->id;
    if (settings.cablePerCage) set["trunk"] = "per-cage";
    if (withRadix) {
        set["radix"] = std::to_string(settings.radix);
        set["spine_radix"] = std::to_string(settings.spineRadix);
    }
    return sample;
}

} // namespace

PlanPrices planPricesOf(const RecipeSettings& settings, const Catalog& catalog) {
    PlanPrices prices;
    const auto base = [](const Part& part) { return part.price ? part.price->base : std::nullopt; };
    prices.leafSwitch = base(*settings.leafSwitch);
    prices.spineSwitch = base(*settings.spineSwitch);
    const auto parts = std::make_shared<const Catalog>(catalog);
    auto built = build(sampleOf(settings, true, true), "sample", parts);
    for (const auto& [withRadix, hasTwoTiers] : {std::pair(false, true), {true, false}, {false, false}})
        if (!built) built = build(sampleOf(settings, withRadix, hasTwoTiers), "sample", parts);
    if (!built) return prices;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
    const Cabling cabling = cablingOf(*fabric);
    for (const CabledLinkId l : cabling.links.ids()) {
        const bool isHost = fabric->links.tier[cabling.links[l]] == LinkTier::HostLeaf;
        const OpticChoice& choice = cabling.choiceOf(l);
        const auto a = endPrice(choice.a, cabling.kindA(l)), b = endPrice(choice.b, cabling.kindB(l));
        auto& slot = isHost ? prices.hostModules : prices.switchModules;
        if (!slot && a && b) slot = *a + *b;
        auto& fibre = isHost ? prices.hostFibre : prices.switchFibre;
        const auto cable = choice.cable && choice.cable->price ? choice.cable->price->baseAt(choice.ordered) : std::optional<Money>();
        if (!fibre && cable) fibre = cable->inDollars() / std::max({1, choice.linksPerSocketA, choice.linksPerSocketB});
    }
    return prices;
}

PlanCost costOf(const PlanCounts& counts, const PlanPrices& prices) {
    PlanCost cost;
    const auto leaveOut = [&](BillCategory kind) { cost.leftOut.set(static_cast<std::size_t>(kind)); };
    const auto add = [&](BillCategory kind, std::int64_t count, const auto& price, const auto& sum) {
        if (count == 0) return;
        price ? void(cost.network += sum(*price)) : leaveOut(kind);
    };
    const auto each = [](std::int64_t count) { return [count](Money price) { return price * count; }; };
    const auto ofLinks = [](std::int64_t count) {
        return [count](double usd) { return Money::dollars(usd * static_cast<double>(count)); };
    };
    add(BillCategory::Switch, counts.leaves, prices.leafSwitch, each(counts.leaves));
    add(BillCategory::Switch, counts.switchesAbove, prices.spineSwitch, each(counts.switchesAbove));
    add(BillCategory::Pluggable, counts.hostLinks, prices.hostModules, ofLinks(counts.hostLinks));
    add(BillCategory::Pluggable, counts.switchLinks, prices.switchModules, ofLinks(counts.switchLinks));
    add(BillCategory::Cable, counts.hostLinks, prices.hostFibre, ofLinks(counts.hostLinks));
    add(BillCategory::Cable, counts.switchLinks, prices.switchFibre, ofLinks(counts.switchLinks));
    return cost;
}

PlanCost costOf(const ClosPlan& plan, const PlanPrices& prices) {
    return costOf(PlanCounts{plan.leaves, plan.switches() - plan.leaves, plan.hostLinks, plan.links() - plan.hostLinks - plan.managerLinks},
                  prices);
}

std::optional<Money> differenceOf(const PlanCost& a, const PlanCost& b) {
    return a.leftOut == b.leftOut ? std::optional(b.network - a.network) : std::nullopt;
}

} // namespace railyard
