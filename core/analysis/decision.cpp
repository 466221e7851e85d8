#include "core/analysis/decision.h"

#include "core/analysis/metrics.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

// The base design's parts and speeds with another size and layout; what shapes its own size is dropped.
RecipeCall variant(const RecipeCall& base, std::string recipe, std::int64_t gpus, std::int64_t domain) {
    RecipeCall call;
    call.name = std::move(recipe);
    if (const RecipeInfo* info = findRecipe(base.name))
        for (const auto& [key, value] : info->settings) call.parameters[std::string(key)] = std::string(value);
    for (const auto& [key, value] : base.parameters) call.parameters[key] = value;
    for (const char* key :
         {"servers", "gpus", "su_servers", "pod_servers", "tiers", "manager_ports", "spines", "rails", "rail_scope", "hb_domain_gpus"})
        call.parameters.erase(key);
    call.parameters["gpus"] = std::to_string(gpus);
    call.parameters["hb_domain_gpus"] = std::to_string(domain);
    return call;
}

// Modules by the rule of whole cages, from a small design of the same parts: prices a link end of every kind.
struct Prices {
    std::optional<Money> leafSwitch, spineSwitch;
    std::optional<double> hostModules, switchModules; // dollars for one host link (both ends), for one link between switches
    bool fibres = true;                               // false: their price is unknown, sums are at least
};

std::optional<double> endPrice(const Part* module, const Cage& cage) {
    if (!module || !module->price || !module->price->base) return {};
    return module->price->base->inDollars() / cage.links;
}

Prices pricesOf(const RecipeSettings& settings, const Catalog& catalog) {
    Prices prices;
    const auto base = [](const Part& part) { return part.price ? part.price->base : std::nullopt; };
    prices.leafSwitch = base(*settings.leafSwitch);
    prices.spineSwitch = base(*settings.spineSwitch);
    RecipeCall sample{"rail-optimized", {}}; // two servers, two tiers: one link of every kind
    sample.parameters = {{"server", settings.server->id}, {"switch", settings.leafSwitch->id}, {"servers", "2"}, {"tiers", "2"}};
    auto built = build(sample, "sample", std::make_shared<const Catalog>(catalog));
    if (!built) return prices;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
    const Cabling cabling = cablingOf(*fabric);
    for (std::size_t l = 0; l < fabric->links.size(); ++l) {
        if (!fabric->isNetworkLink(l)) continue;
        const OpticChoice& choice = cabling.of(l);
        const auto a = endPrice(choice.a, cabling.cages[cabling.a[l].cage]), b = endPrice(choice.b, cabling.cages[cabling.b[l].cage]);
        auto& slot = fabric->links.tier[l] == LinkTier::HostLeaf ? prices.hostModules : prices.switchModules;
        if (!slot && a && b) slot = *a + *b;
        prices.fibres = prices.fibres && choice.cable && choice.cable->price && choice.cable->price->baseAt(choice.ordered);
    }
    return prices;
}

DecisionSide priced(const ClosPlan& plan, const Prices& prices) {
    DecisionSide side{plan, Money(),
                      prices.leafSwitch && prices.spineSwitch && prices.hostModules && prices.switchModules && prices.fibres};
    if (prices.leafSwitch) side.network += *prices.leafSwitch * plan.leaves;
    if (prices.spineSwitch) side.network += *prices.spineSwitch * (plan.switches() - plan.leaves);
    const double between = static_cast<double>(plan.leafSpineLinks + plan.spineSuperLinks + plan.superCoreLinks);
    if (prices.hostModules) side.network += Money::dollars(*prices.hostModules * static_cast<double>(plan.hostLinks));
    if (prices.switchModules) side.network += Money::dollars(*prices.switchModules * between);
    return side;
}

std::optional<DecisionSide> sideOf(const RecipeCall& call, const Catalog& catalog, const Prices& prices, std::string& why) {
    const auto settings = resolve(call, catalog);
    if (!settings) return why = settings.error().text, std::nullopt;
    const auto planned = plan(*settings);
    if (!planned) return why = planned.error().text, std::nullopt;
    return priced(*planned, prices);
}

DecisionCell decideWith(const RecipeCall& base, const Catalog& catalog, const std::optional<Prices>& prices, std::int64_t gpus,
                        std::int64_t domain) {
    DecisionCell cell{gpus, domain, {}, {}, {}, {}, {}, {}};
    if (gpus < 2 * domain) return cell.why = "fewer than two domains: no network to build", cell;
    cell.railOptimized = sideOf(variant(base, "rail-optimized", gpus, domain), catalog, *prices, cell.why);
    cell.railOnly = sideOf(variant(base, "rail-only", gpus, domain), catalog, *prices, cell.why);
    if (!cell.railOptimized || !cell.railOnly) return cell;
    cell.switchSaving = 1 - static_cast<double>(cell.railOnly->plan.switches()) / static_cast<double>(cell.railOptimized->plan.switches());
    if (cell.railOptimized->network.inCents() > 0)
        cell.costSaving = 1 - cell.railOnly->network.inDollars() / cell.railOptimized->network.inDollars();
    const auto settings = resolve(variant(base, "rail-only", gpus, domain), catalog);
    const double x = static_cast<double>(domain), y = static_cast<double>(gpus / domain);
    const Bandwidth nic = settings->linkSpeed * settings->nicPorts * settings->nicsPerServer / settings->gpusPerServer;
    if (settings->hbBandwidth.value() > 0) cell.allToAllSlowdown = y * (x - 1) / (x * (y - 1)) * (nic / settings->hbBandwidth);
    return cell;
}

std::optional<Prices> pricesFor(const RecipeCall& base, const Catalog& catalog) {
    const auto settings = resolve(base, catalog);
    return settings ? pricesOf(*settings, catalog) : Prices{};
}

} // namespace

DecisionCell decide(const RecipeCall& base, const Catalog& catalog, std::int64_t gpus, std::int64_t hbDomainGpus) {
    return decideWith(base, catalog, pricesFor(base, catalog), gpus, hbDomainGpus);
}

DecisionMap decisionMap(const RecipeCall& base, const Catalog& catalog, std::vector<std::int64_t> gpus,
                        std::vector<std::int64_t> hbDomains) {
    DecisionMap map{std::move(gpus), std::move(hbDomains), {}};
    const auto prices = pricesFor(base, catalog);
    for (const std::int64_t domain : map.hbDomains)
        for (const std::int64_t count : map.gpus) map.cells.push_back(decideWith(base, catalog, prices, count, domain));
    return map;
}

DecisionMap usualDecisionMap(const RecipeCall& base, const Catalog& catalog) {
    const auto settings = resolve(base, catalog);
    const std::int64_t server = settings ? settings->gpusPerServer : 8;
    std::vector<std::int64_t> gpus, domains;
    for (std::int64_t count = server * 32; count <= 262'144; count *= 2) gpus.push_back(count);
    for (std::int64_t domain = server; domain <= std::max<std::int64_t>(256, server); domain *= 2) domains.push_back(domain);
    if (settings) { // the design's own place is exact
        gpus.push_back(settings->gpus());
        domains.push_back(settings->hbDomainGpus);
    }
    for (auto* axis : {&gpus, &domains}) {
        std::sort(axis->begin(), axis->end());
        axis->erase(std::unique(axis->begin(), axis->end()), axis->end());
    }
    return decisionMap(base, catalog, std::move(gpus), std::move(domains));
}

Result<RecipeCall> twinOf(const RecipeCall& call, const Catalog& catalog) {
    const auto settings = resolve(call, catalog);
    if (!settings) return settings.errors();
    return variant(call, settings->family == RecipeFamily::RailOnly ? "rail-optimized" : "rail-only", settings->gpus(),
                   settings->hbDomainGpus);
}

HeatGrid toGrid(const DecisionMap& map) {
    HeatGrid grid;
    grid.title = "share of switches that rail-only saves against rail-optimized";
    grid.xName = "gpus";
    grid.yName = "hb_domain_gpus";
    grid.valueName = "switch_saving_fraction";
    grid.unit = "fraction";
    grid.x.assign(map.gpus.begin(), map.gpus.end());
    grid.y.assign(map.hbDomains.begin(), map.hbDomains.end());
    for (const DecisionCell& cell : map.cells) {
        grid.values.push_back(cell.switchSaving);
        grid.notes.push_back(cell.why);
    }
    return grid;
}

Result<HeatGrid> twinDifferenceGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers) {
    const Design& design = *fabric.design;
    if (!design.recipe) return Error::unbuildable("a design drawn by hand has no twin to take the difference to");
    const auto call = twinOf(*design.recipe, *design.catalog);
    if (!call) return call.errors();
    auto twin = build(*call, call->name, design.catalog);
    if (!twin) return twin.errors();
    const FabricPointer other = elaborate(std::make_shared<const Design>(std::move(*twin)));
    return call->name == "rail-only" ? timeDifferenceGrid(fabric, *other, op, sizes, servers)
                                     : timeDifferenceGrid(*other, fabric, op, sizes, servers);
}

} // namespace railyard
