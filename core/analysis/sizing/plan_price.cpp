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

// Two servers with links of every kind, between the same parts at the same speeds. 0 tiers: as many as are needed, as with more rails than
// a spine has ports.
RecipeCall sampleOf(const RecipeSettings& settings, bool withRadix, int tiers) {
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
    if (tiers > 0) set["tiers"] = std::to_string(tiers);
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
    const auto sampleOfTiers = [&](int tiers) {
        auto built = build(sampleOf(settings, true, tiers), "sample", parts);
        return built ? std::move(built) : build(sampleOf(settings, false, tiers), "sample", parts);
    };
    const auto look = [&](Design&& design) {
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(design)));
        const Cabling cabling = cablingOf(*fabric);
        for (const CabledLinkId l : cabling.links.ids()) {
            const LinkTier tier = fabric->links.tier[cabling.links[l]];
            const bool isHost = tier == LinkTier::HostLeaf, isOfLeaf = tier == LinkTier::LeafSpine;
            const OpticChoice& choice = cabling.choiceOf(l);
            const auto a = endPrice(choice.a, cabling.kindA(l)), b = endPrice(choice.b, cabling.kindB(l));
            auto& modules = isHost ? prices.hostModules : isOfLeaf ? prices.leafModules : prices.spineModules;
            if (!modules && a && b) modules = *a + *b;
            auto& fibre = isHost ? prices.hostFibre : isOfLeaf ? prices.leafFibre : prices.spineFibre;
            const auto cable = choice.cable && choice.cable->price ? choice.cable->price->baseAt(choice.ordered) : std::optional<Money>();
            if (!fibre && cable) fibre = cable->inDollars() / std::max({1, choice.linksPerSocketA, choice.linksPerSocketB});
        }
    };
    auto usual = sampleOfTiers(2);
    if (!usual) usual = sampleOfTiers(0);
    if (!usual) return prices;
    look(std::move(*usual));
    // Between two switches of one kind a link costs as much in every tier.
    auto above = settings.spineSwitch == settings.leafSwitch ? Result<Design>(Error()) : sampleOfTiers(3);
    if (above) look(std::move(*above));
    if (!above && !prices.spineModules) prices.spineModules = prices.leafModules, prices.spineFibre = prices.leafFibre;
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
    add(BillCategory::Pluggable, counts.leafLinks, prices.leafModules, ofLinks(counts.leafLinks));
    add(BillCategory::Pluggable, counts.spineLinks, prices.spineModules, ofLinks(counts.spineLinks));
    add(BillCategory::Cable, counts.hostLinks, prices.hostFibre, ofLinks(counts.hostLinks));
    add(BillCategory::Cable, counts.leafLinks, prices.leafFibre, ofLinks(counts.leafLinks));
    add(BillCategory::Cable, counts.spineLinks, prices.spineFibre, ofLinks(counts.spineLinks));
    return cost;
}

PlanCost costOf(const ClosPlan& plan, const PlanPrices& prices) {
    const std::int64_t above = plan.links() - plan.hostLinks - plan.managerLinks - plan.leafSpineLinks;
    return costOf(PlanCounts{plan.leaves, plan.switches() - plan.leaves, plan.hostLinks, plan.leafSpineLinks, above}, prices);
}

std::optional<Money> differenceOf(const PlanCost& a, const PlanCost& b) {
    return a.leftOut == b.leftOut ? std::optional(b.network - a.network) : std::nullopt;
}

} // namespace railyard
