#include "core/training/search.h"

#include "core/training/iteration.h"
#include "core/training/layer_times.h"
#include "core/training/memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <set>

namespace railyard {
namespace {

constexpr std::string_view recomputeNames[] = {"none", "selective", "full", "gemm-last"};

struct Found {
    Seconds time;
    TrainingJob job;
};

class Search {
public:
    Search(const Fabric& fabric, const std::vector<DeviceId>& gpus, const TrainingPlan& plan, std::size_t most,
           const TrainingCalibration& calibration)
        : m_fabric(fabric),
          m_gpus(gpus),
          m_plan(plan),
          m_most(most),
          m_calibration(calibration) {}

    // All ways to run this division. Its groups are timed once.
    Status divide(const TrainingJob& divided, const SearchSpace& space, SearchResult& result) {
        PlacedJob placed{divided, m_gpus};
        placed.job.microBatch = 1;
        std::optional<GroupTimes> groups;
        TrainingJob job = divided;
        const std::vector<StageContent> stages = contentOfStages(job);
        const std::vector<GpuSpeed> speeds(static_cast<std::size_t>(job.by(Parallel::Pipeline)), m_speed);
        for (const std::int64_t microBatch : space.microBatches)
            for (const Recompute recompute : space.recompute) {
                job.microBatch = microBatch;
                job.recompute = recompute;
                std::vector<ModelTimes> times; // the same for every interleave and ZeRO, and so is what the iteration prepares
                std::optional<Iteration> iteration;
                for (const std::int64_t interleave : space.interleaves) {
                    job.interleave = interleave;
                    if (!job.problems().empty()) continue;
                    for (const int zero : space.zero) {
                        job.zero = zero;
                        if (zero > 0 && job.by(Parallel::Data) == 1) continue; // nothing to divide
                        if (!fits(job, stages, result)) continue;
                        if (!groups) groups.emplace(m_fabric, placed);
                        if (!iteration) {
                            times.assign(speeds.size(), modelTimes(job, m_plan, m_speed));
                            iteration.emplace(job, m_plan, times, speeds, m_calibration, *groups);
                        }
                        const auto parts = iteration->at(interleave, zero);
                        if (!parts) return parts.errors();
                        ++result.evaluated;
                        keep(parts->total(), job);
                    }
                }
            }
        return Done{};
    }
    Status findSpeed() {              // all others wait for the slowest, and the smallest memory has to be enough
        std::set<std::uint32_t> seen; // parts
        for (const DeviceId gpu : m_gpus) {
            if (!seen.insert(m_fabric.devices.part[gpu]).second) continue;
            auto speed = speedOf(m_fabric, gpu, m_plan.precision, m_calibration);
            if (!speed) return speed.errors();
            m_memoryBytes = seen.size() == 1 ? speed->memoryBytes : std::min(m_memoryBytes, speed->memoryBytes);
            if (seen.size() == 1 || speed->matrixPeak < m_speed.matrixPeak) m_speed = std::move(*speed);
        }
        return Done{};
    }
    const std::vector<Found>& best() const { return m_best; }
    const std::optional<TrainingJob>& nearest() const { return m_nearest; }

private:
    bool fits(const TrainingJob& job, const std::vector<StageContent>& stages, SearchResult& result) {
        if (m_memoryBytes <= 0) return true; // not known
        const TrainingMemory memory = memoryOf(job, m_plan, stages, m_memoryBytes, m_calibration);
        const double missing = memory.total() - memory.capacity;
        if (missing <= 0) return true;
        ++result.tooLarge;
        if (missing < m_least) m_least = missing, m_nearest = job;
        return false;
    }
    void keep(Seconds time, const TrainingJob& job) {
        if (m_best.size() >= m_most && !(time < m_best.back().time)) return;
        const auto at =
            std::upper_bound(m_best.begin(), m_best.end(), time, [](Seconds own, const Found& other) { return own < other.time; });
        m_best.insert(at, {time, job});
        if (m_best.size() > m_most) m_best.pop_back();
    }

    const Fabric& m_fabric;
    const std::vector<DeviceId>& m_gpus;
    const TrainingPlan& m_plan;
    const std::size_t m_most;
    const TrainingCalibration& m_calibration;
    GpuSpeed m_speed;
    double m_memoryBytes = 0;
    std::vector<Found> m_best;
    std::optional<TrainingJob> m_nearest;
    double m_least = std::numeric_limits<double>::infinity();
};

} // namespace

std::string SearchSpace::text() const {
    std::vector<std::string_view> names;
    for (const Recompute each : recompute) names.push_back(recomputeNames[static_cast<std::size_t>(each)]);
    return fmt::format("tp {}; pp {}; cp {}; ep {}; micro-batch {}; interleave {}; recompute {}; zero {}; dp takes the rest",
                       fmt::join(tensor, " "), fmt::join(pipeline, " "), fmt::join(context, " "), fmt::join(expert, " "),
                       fmt::join(microBatches, " "), fmt::join(interleaves, " "), fmt::join(names, " "), fmt::join(zero, " "));
}

SearchSpace usualSpace(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& all) {
    constexpr std::int64_t longSequence = 16'384, mostContext = 16, mostExpert = 64, mostTensor = 8, mostTensorInDomain = 64;
    std::map<DomainId, std::int64_t> domains;
    std::int64_t domainGpus = 1;
    for (const DeviceId gpu : all) domainGpus = std::max(domainGpus, ++domains[fabric.devices.hbDomain[gpu]]);
    const auto gpus = static_cast<std::int64_t>(all.size());
    SearchSpace space;
    for (std::int64_t t = 1; t <= std::max(mostTensor, std::min(domainGpus, mostTensorInDomain)); t *= 2) space.tensor.push_back(t);
    for (std::int64_t p = 1; p <= std::min(gpus, job.model.layers); ++p)
        if (gpus % p == 0) space.pipeline.push_back(p);
    for (std::int64_t c = 1; c <= (job.model.sequenceTokens > longSequence ? mostContext : 1); c *= 2) space.context.push_back(c);
    for (std::int64_t e = 1; e <= (job.model.mixture ? std::min(mostExpert, job.model.mixture->experts) : 1); e *= 2)
        space.expert.push_back(e);
    space.microBatches = {1, 2, 3, 4, 6, 8};
    space.interleaves = {1, 2, 3, 4, 6, 8, 12, 16, 24};
    space.recompute = {Recompute::None, Recompute::Selective, Recompute::Full, Recompute::GemmLast};
    space.zero = {0, 1, 2, 3};
    return space;
}

Result<SearchResult> searchTraining(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus,
                                    const TrainingPlan& plan, const SearchSpace& space, std::size_t most, const std::stop_token& stop,
                                    const TrainingCalibration& calibration) {
    SearchResult result;
    result.space = space;
    Search search(fabric, gpus, plan, most, calibration);
    if (const Status found = search.findSpeed(); !found) return found.errors();
    const auto all = static_cast<std::int64_t>(gpus.size());
    for (const std::int64_t t : space.tensor)
        for (const std::int64_t p : space.pipeline)
            for (const std::int64_t c : space.context)
                for (const std::int64_t e : space.expert) {
                    if (stop.stop_requested()) return result;
                    const std::int64_t product = t * p * c * e;
                    if (all % product != 0) continue;
                    TrainingJob divided = job;
                    divided.degrees = {t, c, e, all / product, p};
                    if (const Status done = search.divide(divided, space, result); !done) return done.errors();
                }
    result.feasible = result.evaluated;
    for (const Found& each : search.best()) {
        auto estimate = estimateTraining(fabric, {each.job, gpus}, plan, calibration);
        if (!estimate) return estimate.errors();
        result.best.push_back(std::move(*estimate));
    }
    std::stable_sort(result.best.begin(), result.best.end(),
                     [](const TrainingEstimate& a, const TrainingEstimate& b) { return a.iteration < b.iteration; });
    if (result.best.empty() && search.nearest()) {
        auto estimate = estimateTraining(fabric, {*search.nearest(), gpus}, plan, calibration);
        if (!estimate) return estimate.errors();
        result.nearest = std::move(*estimate);
    }
    return result;
}

} // namespace railyard
