#include "core/analysis/maps/decision.h"

#include "core/analysis/metrics/metrics.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace railyard {
namespace {

std::optional<FabricChoice> bestOf(const RecipeCall& call, const Catalog& catalog, const PlanPrices& prices, std::string& why) {
    auto found = cheapestFabric(call, catalog, prices);
    if (found) return std::move(*found);
    why = found.error().text;
    return {};
}

DecisionCell decideWith(const RecipeCall& base, const Catalog& catalog, const PlanPrices& prices, std::int64_t gpus, std::int64_t domain) {
    DecisionCell cell{gpus, domain, {}, {}, {}, {}, {}, {}};
    if (gpus < 2 * domain) return cell.why = "fewer than two HB domains: no network is needed", cell;
    cell.railOptimized = bestOf(otherLayout(base, "rail-optimized", gpus, domain), catalog, prices, cell.why);
    cell.railOnly = bestOf(otherLayout(base, "rail-only", gpus, domain), catalog, prices, cell.why);
    if (!cell.railOptimized || !cell.railOnly) return cell;
    cell.switchSaving = 1 - static_cast<double>(cell.railOnly->plan.switches()) / static_cast<double>(cell.railOptimized->plan.switches());
    const PlanCost &one = cell.railOptimized->cost, &other = cell.railOnly->cost;
    if (const auto saved = differenceOf(other, one); saved && one.network.inCents() > 0)
        cell.costSaving = saved->inDollars() / one.network.inDollars();
    const RecipeSettings& s = cell.railOnly->settings;
    const double x = static_cast<double>(domain), y = static_cast<double>(gpus / domain);
    const Bandwidth nic = s.linkSpeed * s.nicPorts * s.nicsPerServer / s.gpusPerServer;
    if (s.hbBandwidth.value() > 0) cell.allToAllSlowdown = y * (x - x / s.rails) / (x * (y - 1)) * (nic / s.hbBandwidth);
    return cell;
}

PlanPrices pricesFor(const RecipeCall& base, const Catalog& catalog) {
    const auto settings = resolve(base, catalog);
    return settings ? planPricesOf(*settings, catalog) : PlanPrices{};
}

} // namespace

RecipeCall otherLayout(const RecipeCall& base, std::string recipe, std::int64_t gpus, std::int64_t domain) {
    RecipeCall call = inFull(base);
    call.name = std::move(recipe);
    for (const char* key : {"servers", "gpus", "manager_ports", "hb_domain_gpus", "hb_out_gbps", "hb_spines"}) call.parameters.erase(key);
    for (const std::string_view key : searchedParameters())
        if (key != "leaf_down" && key != "leaf_up") call.parameters.erase(std::string(key)); // these say the ratio asked for
    call.parameters["gpus"] = std::to_string(gpus);
    call.parameters["hb_domain_gpus"] = std::to_string(domain);
    return call;
}

DecisionCell decide(const RecipeCall& base, const Catalog& catalog, std::int64_t gpus, std::int64_t hbDomainGpus) {
    return decideWith(base, catalog, pricesFor(base, catalog), gpus, hbDomainGpus);
}

DecisionMap decisionMap(const RecipeCall& base, const Catalog& catalog, std::vector<std::int64_t> gpus, std::vector<std::int64_t> hbDomains,
                        const TaskContext& context) {
    DecisionMap map{std::move(gpus), std::move(hbDomains), {}};
    const auto prices = pricesFor(base, catalog);
    for (const std::int64_t domain : map.hbDomains)
        for (const std::int64_t count : map.gpus) map.cells.push_back({count, domain, {}, {}, "not computed", {}, {}, {}});
    std::vector<std::size_t> order(map.cells.size()); // the largest first, as they take longest
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return map.cells[a].gpus > map.cells[b].gpus; });
    const auto cells = runTasks<DecisionCell>(
        map.cells.size(), context,
        [&](std::size_t i) { return decideWith(base, catalog, prices, map.cells[i].gpus, map.cells[i].hbDomainGpus); }, order);
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i]) map.cells[i] = *cells[i];
    return map;
}

DecisionAxes usualDecisionAxes(const RecipeCall& base, const Catalog& catalog) {
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
    return {std::move(gpus), std::move(domains)};
}

DecisionMap usualDecisionMap(const RecipeCall& base, const Catalog& catalog, const TaskContext& context) {
    DecisionAxes axes = usualDecisionAxes(base, catalog);
    return decisionMap(base, catalog, std::move(axes.gpus), std::move(axes.hbDomains), context);
}

Result<RecipeCall> twinOf(const RecipeCall& call, const Catalog& catalog) {
    const auto settings = resolve(call, catalog);
    if (!settings) return settings.errors();
    auto best = cheapestFabric(otherLayout(call, settings->family == RecipeFamily::RailOnly ? "rail-optimized" : "rail-only",
                                           settings->gpus(), settings->hbDomainGpus),
                               catalog);
    if (!best) return best.errors();
    return std::move(best->call);
}

Result<Design> twinOf(const Design& design) {
    if (!design.recipe) return Error::unbuildable("a hand-drawn design has no rail-only or rail-optimized counterpart to compare with");
    const auto call = twinOf(*design.recipe, *design.catalog);
    if (!call) return call.errors();
    auto twin = build(*call, call->name == "rail-only" ? "Rail-only twin" : "Rail-optimized twin", design.catalog);
    if (twin) twin->training = design.training, twin->reliability = design.reliability, twin->site = design.site, twin->ocs = design.ocs;
    return twin;
}

HeatGrid toGrid(const DecisionMap& map) {
    HeatGrid grid;
    grid.title = "Switches saved by the best rail-only design compared with the best rail-optimized design";
    grid.xName = "gpus";
    grid.yName = "hb_domain_gpus";
    grid.valueName = "switch_saving_fraction";
    grid.unit = "fraction";
    grid.x.assign(map.gpus.begin(), map.gpus.end());
    grid.y.assign(map.hbDomains.begin(), map.hbDomains.end());
    for (const DecisionCell& cell : map.cells) {
        grid.values.push_back(cell.switchSaving);
        grid.notes.push_back(cell.switchSaving
                                 ? fmt::format("rail-optimized: {}; rail-only: {}", cell.railOptimized->words, cell.railOnly->words)
                                 : cell.why);
    }
    return grid;
}

Result<HeatGrid> twinDifferenceGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers, const TaskContext& context) {
    auto twin = twinOf(*fabric.design);
    if (!twin) return twin.errors();
    const bool isRailOnly = twin->recipe->name == "rail-only";
    const FabricPointer other = elaborate(std::make_shared<const Design>(std::move(*twin)));
    const Fabric &railOptimized = isRailOnly ? fabric : *other, &railOnly = isRailOnly ? *other : fabric;
    return timeDifferenceGrid(railOptimized, railOnly, op, sizes, servers, shippedCalibration(), context);
}

} // namespace railyard
