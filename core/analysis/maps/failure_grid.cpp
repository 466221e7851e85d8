#include "core/analysis/maps/failure_grid.h"

#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"

#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

struct Size { // of a job
    std::int64_t gpus = 0;
    std::int64_t designs = 1; // of a fabric this many times as large
};

// Interruptions a year of a job on this many GPUs; empty where there is no such fabric.
std::optional<double> perYear(const Fabric& fabric, const Size& size, ReliabilityRequest request, std::string& why) {
    request.standbys = 0;
    request.jobGpus = size.designs == 1 ? size.gpus : 0;
    FabricPointer larger;
    if (size.designs > 1) {
        const Design& design = *fabric.design;
        if (!design.recipe) return why = "a hand-drawn design has no recipe that could be larger", std::nullopt;
        RecipeCall call = *design.recipe;
        call.parameters.erase("gpus");
        call.parameters["servers"] = fmt::to_string(countsOf(fabric.intact ? *fabric.intact : fabric).servers * size.designs);
        auto built = build(call, design.name, design.catalog);
        if (!built) return why = built.error().text, std::nullopt;
        built->ocs = design.ocs; // what fails besides the recipe's parts
        built->reliability = design.reliability;
        larger = elaborate(std::make_shared<const Design>(std::move(*built)));
    }
    const Fabric& of = larger ? *larger : fabric;
    const auto place = jobPlaceOf(of, request);
    if (!place) return why = place.error().text, std::nullopt;
    return reliabilityOf(of, jobPartsOf(of, *place, request.policy), request).perYear;
}

} // namespace

HeatGrid failureGrid(const Fabric& fabric, const ReliabilityRequest& request, const TaskContext& context) {
    HeatGrid grid;
    grid.title = "Probability of an interruption";
    grid.xName = "gpus";
    grid.yName = "rate_factor";
    grid.valueName = "interrupt_probability";
    grid.unit = "fraction";
    grid.y = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10};
    const FabricCounts counts = countsOf(fabric.intact ? *fabric.intact : fabric); // failures do not make the job smaller
    const std::int64_t all = counts.gpus, servers = std::max<std::int64_t>(1, counts.servers);
    std::vector<Size> sizes;
    for (std::int64_t gpus = std::max<std::int64_t>(1, all / servers); gpus < all; gpus *= 2) sizes.push_back({gpus, 1});
    for (const std::int64_t times : {1, 2, 4})
        if (all > 0) sizes.push_back({all * times, times});
    for (const Size& size : sizes) grid.x.push_back(static_cast<double>(size.gpus));
    std::vector<std::string> reasons(sizes.size());
    const auto rates = runTasks<std::optional<double>>(sizes.size(), context,
                                                       [&](std::size_t i) { return perYear(fabric, sizes[i], request, reasons[i]); });
    const double years = request.horizon.value() / (8760 * 3600.0);
    for (const double factor : grid.y)
        for (std::size_t x = 0; x < sizes.size(); ++x) {
            const auto rate = rates[x].value_or(std::nullopt);
            grid.values.push_back(rate ? std::optional(-std::expm1(-*rate * factor * years)) : std::nullopt);
            grid.notes.push_back(!rates[x]   ? "stopped"
                                 : !rate     ? reasons[x]
                                 : *rate > 0 ? fmt::format("one every {}", formatDuration(Seconds(8760 * 3600.0 / (*rate * factor))))
                                             : "never interrupted");
        }
    return grid;
}

} // namespace railyard
