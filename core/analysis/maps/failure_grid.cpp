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
constexpr double rateFactors[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10};

struct Interruptions {
    double perYear = 0;
    std::optional<double> probability;
};
using ByFactor = std::vector<Interruptions>; // of rateFactors

ByFactor interruptionsOf(const Fabric& fabric, const JobParts& parts, ReliabilityRequest request) {
    ByFactor result;
    const double years = request.horizon.value() / (8760 * 3600.0), earlyLife = request.earlyLife;
    if (request.lifetimes.kind == Lifetimes::Kind::Exponential) { // then they are proportional to the rates
        const Reliability known = reliabilityOf(fabric, parts, request);
        for (const double factor : rateFactors) {
            const double perYear = known.perYear * factor;
            result.push_back({perYear, known.probability ? std::optional(-std::expm1(-perYear * years)) : std::nullopt});
        }
        return result;
    }
    for (const double factor : rateFactors) {
        request.earlyLife = earlyLife * factor;
        const Reliability known = reliabilityOf(fabric, parts, request);
        result.push_back({known.perYear, known.probability});
    }
    return result;
}

std::optional<ByFactor> ofSize(const Fabric& fabric, const Size& size, ReliabilityRequest request, std::string& why) {
    request.standbys = 0;
    request.jobGpus = size.gpus;
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
    return interruptionsOf(of, jobPartsOf(of, *place, request.policy), request);
}

std::string noteOf(const Interruptions& cell, const Size& size) {
    const std::string often = !cell.probability  ? "no failure rate is known"
                              : cell.perYear > 0 ? fmt::format("one every {}", formatDuration(Seconds(8760 * 3600.0 / cell.perYear)))
                                                 : "never interrupted";
    return size.designs == 1 ? often : often + ", in a fabric as the recipe builds it";
}

} // namespace

HeatGrid failureGrid(const Fabric& fabric, const ReliabilityRequest& request, const TaskContext& context) {
    HeatGrid grid;
    grid.title = "Probability of an interruption";
    grid.xName = "gpus";
    grid.yName = "rate_factor";
    grid.valueName = "interrupt_probability";
    grid.unit = "fraction";
    grid.y.assign(std::begin(rateFactors), std::end(rateFactors));
    const FabricCounts counts = countsOf(fabric.intact ? *fabric.intact : fabric); // failures do not make the job smaller
    const std::int64_t all = counts.gpus, servers = std::max<std::int64_t>(1, counts.servers);
    std::vector<Size> sizes;
    for (std::int64_t gpus = std::max<std::int64_t>(1, all / servers); gpus < all; gpus *= 2) sizes.push_back({gpus, 1});
    for (const std::int64_t times : {1, 2, 4})
        if (all > 0) sizes.push_back({all * times, times});
    for (const Size& size : sizes) grid.x.push_back(static_cast<double>(size.gpus));
    std::vector<std::string> reasons(sizes.size());
    const auto found = runTasks<std::optional<ByFactor>>(sizes.size(), context,
                                                         [&](std::size_t i) { return ofSize(fabric, sizes[i], request, reasons[i]); });
    for (std::size_t y = 0; y < grid.y.size(); ++y)
        for (std::size_t x = 0; x < sizes.size(); ++x) {
            const std::optional<ByFactor> own = found[x].value_or(std::nullopt);
            const Interruptions cell = own ? (*own)[y] : Interruptions();
            grid.values.push_back(own ? cell.probability : std::nullopt);
            grid.notes.push_back(!found[x] ? "stopped" : !own ? reasons[x] : noteOf(cell, sizes[x]));
        }
    return grid;
}

} // namespace railyard
