#include "core/analysis/sizing/model_in_days.h"

#include "core/analysis/metrics/metrics.h"
#include "core/analysis/sizing/best_fabric.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "core/training/job_request.h"
#include "core/training/search_placements.h"
#include "core/training/training.h"

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

Divisions::Divisions(RecipeCall call, ParameterTexts training, CatalogPointer catalog, std::stop_token stop)
    : m_call(std::move(call)),
      m_training(std::move(training)),
      m_catalog(std::move(catalog)),
      m_stop(std::move(stop)) {}

const std::optional<ParameterTexts>& Divisions::forGpus(std::int64_t gpus, Beyond beyond) const {
    constexpr std::int64_t most = 1024; // a search of more takes up to a second
    const std::int64_t size = beyond == Beyond::Searched ? gpus : std::min(gpus, most);
    if (isDivided(m_training)) return m_none;
    FoundOnce<std::optional<ParameterTexts>>* own = nullptr;
    {
        const std::lock_guard lock(m_mutex);
        own = &m_found[size];
    }
    return own->get([&] { return find(size); });
}

std::optional<ParameterTexts> Divisions::find(std::int64_t gpus) const {
    auto domains = domainsOf(m_call, *m_catalog);
    if (!domains) return {};
    domains->call.parameters.erase("manager_ports"); // for which leaves may have no port at this size
    domains->setCount(std::max<std::int64_t>(1, gpus / domains->gpus));
    const auto fabric = fabricOf(domains->call, m_training, m_catalog);
    return fabric ? fastestDivision(**fabric, m_training, {.threads = 1, .stop = m_stop}) : std::nullopt;
}

namespace {

struct Trained {
    double days = std::numeric_limits<double>::infinity();
    ParameterTexts training;
    std::string why; // it cannot be trained
};

Trained trainedOn(const Fabric& fabric, const ParameterTexts& training) {
    const auto request = readJob(training);
    const auto placed = request ? placedOn(fabric, *request) : Result<PlacedJob>(request.errors());
    const auto estimate = placed ? estimateTraining(fabric, *placed, request->planned.plan) : Result<TrainingEstimate>(placed.errors());
    if (!estimate) return {std::numeric_limits<double>::infinity(), training, estimate.error().text};
    if (!estimate->isFeasible()) return {std::numeric_limits<double>::infinity(), training, estimate->reasons.front()};
    return {estimate->days(), training, {}};
}

Trained trainedIn(const FabricWish& wish, const ModelInDays& asked, Divisions::Beyond beyond) {
    const auto best = cheapestFabric(wish, *asked.catalog);
    const auto fabric = best ? fabricOf(best->call, asked.training, asked.catalog) : Result<FabricPointer>(best.errors());
    if (!fabric) return {std::numeric_limits<double>::infinity(), asked.training, fabric.error().text};
    Trained first = trainedOn(**fabric, asked.training);
    if (beyond == Divisions::Beyond::Extended && first.days <= asked.days) return first;
    const auto& division = asked.divisions.forGpus(best->settings.gpus(), beyond);
    if (!division) return first;
    Trained divided = trainedOn(**fabric, *division);
    return divided.days < first.days ? divided : first;
}

} // namespace

ParameterTexts trainingOn(const FabricWish& wish, const ModelInDays& asked) {
    return trainedIn(wish, asked, Divisions::Beyond::Searched).training;
}

Result<ParameterTexts> sizeByDays(FabricWish& wish, const ModelInDays& asked, std::int64_t mostGpus, const std::stop_token& stop) {
    auto domains = domainsOf(wish.call, *asked.catalog);
    if (!domains) return domains.errors();
    const double days = asked.days;
    const std::int64_t most = mostGpus / domains->gpus;
    std::string why;
    std::map<std::int64_t, double> known;
    std::map<std::int64_t, ParameterTexts> trainings;
    const auto computed = [&](std::int64_t count) -> double {
        domains->setCount(count);
        Trained trained = trainedIn({domains->call, wish.leastBisection}, asked, Divisions::Beyond::Extended);
        if (!trained.why.empty()) why = trained.why;
        trainings[count] = std::move(trained.training);
        return trained.days;
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
                std::isfinite(taken) ? fmt::format("training takes {:.3g} days on {} GPUs; the limit is {:g} days", taken,
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
    return trainings[enough];
}

} // namespace railyard
