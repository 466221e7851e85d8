#include "core/analysis/sizing/model_in_days.h"

#include "core/analysis/metrics/metrics.h"
#include "core/analysis/sizing/best_fabric.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "core/training/job_request.h"
#include "core/training/search_placements.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace railyard {
namespace {

// Whole HB domains of a call, whatever its own size.
struct Domains {
    RecipeCall call;
    int servers = 1; // of a domain
    std::int64_t gpus = 0;

    void setCount(std::int64_t domains) { call.parameters["servers"] = std::to_string(domains * servers); }
};

Result<Domains> domainsOf(RecipeCall call, const Catalog& catalog) {
    constexpr int mostServers = 4096; // of a domain
    call.parameters.erase("gpus");
    for (int servers = 1;; ++servers) {
        call.parameters["servers"] = std::to_string(servers);
        if (const auto one = resolve(call, catalog))
            return Domains{call, one->serversPerDomain(), std::int64_t{one->gpusPerServer} * one->serversPerDomain()};
        else if (servers == mostServers || one.error().kind == Error::Kind::Usage)
            return one.errors();
    }
}

Result<FabricPointer> fabricOf(const RecipeCall& call, const ParameterTexts& training, const CatalogPointer& catalog) {
    auto design = build(call, "candidate", catalog);
    if (!design) return design.errors();
    design->training = NamedOptions{training, {}};
    return elaborate(std::make_shared<const Design>(std::move(*design)));
}

bool isDivided(const ParameterTexts& training) {
    return std::any_of(training.begin(), training.end(), [](const auto& option) {
        return option.first == "tp" || option.first == "pp" || option.first == "cp" || option.first == "ep";
    });
}

// The fastest division of the job on all GPUs of this fabric, as options.
std::optional<ParameterTexts> fastestDivision(const Fabric& fabric, const ParameterTexts& training, const TaskContext& context) {
    const auto asked = readJob(training);
    const auto placed = asked ? placedOn(fabric, *asked) : Result<PlacedJob>(asked.errors());
    if (!placed) return {};
    const auto spaceOf = [&](const std::vector<DeviceId>& gpus) {
        SearchSpace space = usualSpace(fabric, placed->job, gpus);
        space.expertFolds.clear(); // they need a stated dp, which other sizes do not have
        keepGiven(
            space, [&](std::string_view key) { return training.contains(std::string(key)); }, placed->job, asked->planned.plan);
        return space;
    };
    const SearchRequest request{.threads = threadsOf(context), .memoryShare = 0.95}; // the rest is for frameworks and fragmentation
    const auto result = searchPlacements(fabric, placed->job, {{placed->gpus, 0}}, asked->planned.plan, spaceOf, request, context.stop);
    if (!result || result->best.empty()) return {};
    JobRequest found = *asked;
    found.planned = {result->best.front().job, result->best.front().plan};
    found.planned.job.degrees[static_cast<std::size_t>(Parallel::Data)] = 0; // the rest
    ParameterTexts options = toCall(found).options;
    if (!training.contains("global_batch")) options.erase("global_batch"); // that of another size may not be a multiple
    return options;
}

} // namespace

ParameterTexts dividedModel(const ParameterTexts& training, const RecipeCall& call, const CatalogPointer& catalog,
                            std::optional<std::int64_t> mostGpus, const TaskContext& context) {
    if (training.empty() || isDivided(training)) return training;
    auto domains = domainsOf(call, *catalog);
    if (!domains) return training;
    domains->call.parameters.erase("manager_ports");             // for which leaves may have no port at the sizes that are tried
    constexpr std::int64_t first = 512, last = 8192, factor = 4; // GPUs
    for (std::int64_t gpus = first; gpus <= last && !context.stop.stop_requested(); gpus *= factor) {
        const std::int64_t wanted = std::min(gpus, mostGpus.value_or(gpus));
        domains->setCount(std::max<std::int64_t>(1, wanted / domains->gpus));
        const auto fabric = fabricOf(domains->call, training, catalog);
        if (!fabric) return training;
        const TrainingFigures usual = trainingFiguresOf(**fabric);
        if (usual.estimate && usual.estimate->isFeasible()) return training;
        if (const auto found = fastestDivision(**fabric, training, context)) return *found;
        if (wanted < gpus) break;
    }
    return training;
}

Status sizeByDays(FabricWish& wish, const ParameterTexts& training, double days, const CatalogPointer& catalog, std::int64_t mostGpus,
                  const std::stop_token& stop) {
    auto domains = domainsOf(wish.call, *catalog);
    if (!domains) return domains.errors();
    const std::int64_t most = mostGpus / domains->gpus;
    std::string why;
    std::map<std::int64_t, double> known;
    const auto computed = [&](std::int64_t count) -> double {
        domains->setCount(count);
        const auto best = cheapestFabric({domains->call, wish.leastBisection}, *catalog);
        const auto fabric = best ? fabricOf(best->call, training, catalog) : Result<FabricPointer>(best.errors());
        if (!fabric) {
            why = fabric.error().text;
            return std::numeric_limits<double>::infinity();
        }
        const TrainingFigures figures = trainingFiguresOf(**fabric);
        if (figures.estimate && figures.estimate->isFeasible()) return figures.estimate->days();
        why = figures.estimate ? figures.estimate->reasons.front() : figures.why;
        return std::numeric_limits<double>::infinity();
    };
    const auto daysOf = [&](std::int64_t count) {
        const auto [found, isNew] = known.try_emplace(count, 0);
        if (isNew) found->second = computed(count);
        return found->second;
    };
    std::int64_t tooFew = 0, enough = 1;
    for (double taken = daysOf(enough); taken > days; taken = daysOf(enough)) {
        tooFew = enough;
        if (enough >= most || stop.stop_requested())
            return Error::unbuildable(
                std::isfinite(taken) ? fmt::format("the model takes {:.3g} days on {} GPUs, {:g} are asked for", taken,
                                                   formatCount(most * domains->gpus), days)
                                     : fmt::format("the model cannot be trained on {} GPUs: {}", formatCount(most * domains->gpus), why));
        enough = std::min(enough * 2, most);
    }
    // More GPUs may take longer where they divide the batch worse, so that several sizes are tried between the two, from the fewest.
    constexpr std::int64_t tries = 8;
    while (enough - tooFew > 1 && !stop.stop_requested()) {
        const std::int64_t step = std::max<std::int64_t>(1, (enough - tooFew) / tries);
        std::int64_t next = tooFew + step;
        for (; next < enough && daysOf(next) > days; next += step) tooFew = next;
        enough = std::min(enough, next);
        if (step == 1) break;
    }
    domains->setCount(enough);
    wish.call = domains->call;
    return Done{};
}

} // namespace railyard
