#include "core/analysis/sizing/plan_price.h"

#include "core/bill/cabling.h"
#include "core/fabric/elaborate.h"

namespace railyard {
namespace {

std::optional<double> endPrice(const Part* module, const Cage& cage) {
    if (!module || !module->price || !module->price->base) return {};
    return module->price->base->inDollars() / cage.links;
}

} // namespace

PlanPrices planPricesOf(const RecipeSettings& settings, const Catalog& catalog) {
    PlanPrices prices;
    const auto base = [](const Part& part) { return part.price ? part.price->base : std::nullopt; };
    prices.leafSwitch = base(*settings.leafSwitch);
    prices.spineSwitch = base(*settings.spineSwitch);
    RecipeCall sample{"rail-optimized", {}}; // two servers, two tiers: one link of every kind
    sample.parameters = {{"server", settings.server->id}, {"switch", settings.leafSwitch->id}, {"servers", "2"}, {"tiers", "2"}};
    auto built = build(sample, "sample", std::make_shared<const Catalog>(catalog));
    if (!built) return prices;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
    const Cabling cabling = cablingOf(*fabric);
    for (const LinkId l : fabric->links.ids()) {
        if (!fabric->isNetworkLink(l)) continue;
        const OpticChoice& choice = cabling.of(l);
        const auto a = endPrice(choice.a, cabling.cages[cabling.a[l].cage]), b = endPrice(choice.b, cabling.cages[cabling.b[l].cage]);
        auto& slot = fabric->links.tier[l] == LinkTier::HostLeaf ? prices.hostModules : prices.switchModules;
        if (!slot && a && b) slot = *a + *b;
        prices.fibres = prices.fibres && choice.cable && choice.cable->price && choice.cable->price->baseAt(choice.ordered);
    }
    return prices;
}

PlanCost costOf(const ClosPlan& plan, const PlanPrices& prices) {
    PlanCost cost{Money(), prices.leafSwitch && prices.spineSwitch && prices.hostModules && prices.switchModules && prices.fibres};
    if (prices.leafSwitch) cost.network += *prices.leafSwitch * plan.leaves;
    if (prices.spineSwitch) cost.network += *prices.spineSwitch * (plan.switches() - plan.leaves);
    const double between = static_cast<double>(plan.leafSpineLinks + plan.spineSuperLinks + plan.superCoreLinks);
    if (prices.hostModules) cost.network += Money::dollars(*prices.hostModules * static_cast<double>(plan.hostLinks));
    if (prices.switchModules) cost.network += Money::dollars(*prices.switchModules * between);
    return cost;
}

} // namespace railyard
