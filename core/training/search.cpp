#include "core/training/search.h"

#include "core/base/in_parallel.h"
#include "core/base/unit_text.h"
#include "core/training/iteration.h"
#include "core/training/layer_times.h"
#include "core/training/memory.h"
#include "core/training/placement.h"
#include "core/training/search_findings.h"
#include "core/training/stage_speeds.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>

namespace railyard {
namespace {

struct Division {
    TrainingJob job;
    std::int64_t index = 0;
    double bound = 0; // no configuration has a better score
    StageSpeeds speeds;
};

class Search {
public:
    Search(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus, const TrainingPlan& plan,
           const SearchSpace& space, const SearchRequest& request, const std::stop_token& stop, const TrainingCalibration& calibration,
           PlacedSpeeds speeds)
        : m_fabric(fabric),
          m_job(job),
          m_gpus(gpus),
          m_plan(plan),
          m_space(space),
          m_request(request),
          m_stop(stop),
          m_calibration(calibration),
          m_speeds(std::move(speeds)),
          m_network(std::make_shared<const FabricNetwork>(fabric)),
          m_groups(fabric, gpus, calibration.collectives, m_network, false),
          m_findings(request.most) {
        for (const std::int64_t each : m_space.gpus)
            m_slowdowns[each] = plan.straggler * calibration.stragglers.expectedSlowdown(serversOf(fabric, gpus, each));
    }

    Result<SearchResult> run() {
        std::vector<Division> divisions = divisionsByBound();
        const auto all = static_cast<std::int64_t>(divisions.size());
        SearchResult result;
        result.space = m_space;
        // A fixed number at a time, so that what is pruned does not depend on the number of threads.
        constexpr std::size_t atATime = 8;
        for (std::size_t first = 0; first < divisions.size() && !m_stop.stop_requested(); first += atATime) {
            work(&divisions[first], std::min(divisions.size() - first, atATime));
            if (!m_findings.errors.empty()) return m_findings.errors;
            if (m_request.progress) m_request.progress(std::min(all, static_cast<std::int64_t>(first + atATime)), all);
        }
        result.isComplete = !m_stop.stop_requested();
        if (result.isComplete && m_findings.evaluated + m_findings.tooLarge == 0) result.problems = fewestProblems();
        return finish(std::move(result));
    }

private:
    struct OfKinds { // of GPUs
        std::vector<ModelTimes> models;
        std::vector<Seconds> layers; // timeOfLayers
    };

    double scoreOf(Seconds time, std::int64_t gpus) const {
        return time.value() * (m_request.objective == Objective::Time ? 1 : static_cast<double>(gpus));
    }

    // Calls use(gpus, job, whether its degrees divide the GPUs); data parallelism takes the rest. Experts have ranks of their own, or are
    // folded over those of tensor and context parallelism, which without them are the same.
    template <class Use>
    void eachDivision(const Use& use) const {
        for (const std::int64_t gpus : m_space.gpus)
            for (const std::int64_t t : m_space.tensor)
                for (const std::int64_t p : m_space.pipeline)
                    for (const std::int64_t c : m_space.context) {
                        for (const std::int64_t e : m_space.expert) useDivision(gpus, {t, c, e, 1, p}, 1, use);
                        if (t * c > 1)
                            for (const std::int64_t e : m_space.expertFolds) useDivision(gpus, {t, c, 1, 1, p}, e, use);
                    }
    }
    template <class Use>
    void useDivision(std::int64_t gpus, std::array<std::int64_t, 5> degrees, std::int64_t expertFold, const Use& use) const {
        TrainingJob job = m_job;
        job.degrees = degrees;
        job.expertFold = expertFold;
        const std::int64_t ranks = job.gpus(); // of a replica; far more than the GPUs rather than too many to count
        job.degrees[static_cast<std::size_t>(Parallel::Data)] = std::max<std::int64_t>(1, gpus / ranks);
        use(gpus, job, gpus % ranks == 0);
    }

    std::vector<Division> divisionsByBound() {
        std::vector<Division> divisions;
        eachDivision([&](std::int64_t, const TrainingJob& job, bool divides) {
            if (divides) divisions.push_back({job, static_cast<std::int64_t>(divisions.size()), 0, {}});
        });
        // What all divisions share of the fabric is found meanwhile.
        inParallel(m_request.threads, divisions.size() + 1, [&](std::size_t i) {
            if (i == 0) return void(m_network->contention());
            Division& own = divisions[i - 1];
            own.bound = boundOf(own);
        });
        std::erase_if(divisions, [](const Division& each) { return !std::isfinite(each.bound); });
        std::stable_sort(divisions.begin(), divisions.end(), [](const Division& a, const Division& b) { return a.bound < b.bound; });
        return divisions;
    }
    // Of what is tried, where the fewest rules are broken: the rules.
    std::vector<Error> fewestProblems() const;

    // Of the stages with the same kinds of GPUs.
    struct Work {
        double dense = 0, mixtures = 0; // layers
        double embeddings = 0, heads = 0;

        double on(const ModelTimes& times) const {
            const auto ofLayer = [](const LayerTimes& layer) { return (layer.forward + layer.backward + layer.recompute).value(); };
            return dense * ofLayer(times.dense) + mixtures * ofLayer(times.mixture) +
                   (heads * (times.headForward + times.headBackward) + embeddings * times.embedding).value();
        }
    };
    // Computing alone: the mean stage works on all micro-batches, and with the most chunks that are tried the pipeline is filled and
    // drained for (p - 1) / v of one. Infinite if the job cannot be divided so.
    double boundOf(Division& division) const;
    std::vector<Work> workOf(const Division& division) const {
        std::vector<Work> work(division.speeds.sets.size());
        const std::vector<StageContent> content = contentOfStages(division.job);
        for (std::size_t s = 0; s < content.size(); ++s) {
            Work& own = work[division.speeds.setOfStage[s]];
            own.dense += static_cast<double>(content[s].layers - content[s].mixtures);
            own.mixtures += static_cast<double>(content[s].mixtures);
            own.embeddings += s == 0 ? 1 : 0;
            own.heads += s + 1 == content.size() ? 1 : 0;
        }
        return work;
    }
    // Nothing in it can be among the best or on the front of time and memory.
    bool isHopeless(const Division& division) const {
        constexpr double rounding = 1e-9;
        if (division.bound * (1 - rounding) <= m_findings.worst()) return false;
        double size = std::numeric_limits<double>::infinity();
        eachMemory(division, [&](const TrainingMemory& memory, const TrainingJob&, const IterationSchedule&) {
            size = std::min(size, memory.total());
        });
        return m_findings.isBeaten(division.bound * (1 - rounding), size);
    }

    // On as many threads as were asked for. All compare with what was found before these divisions.
    void work(const Division* some, std::size_t count) {
        std::vector<Findings> own(count, Findings(m_request.most));
        inParallel(m_request.threads, count, [&](std::size_t i) {
            if (m_stop.stop_requested()) return;
            if (isHopeless(some[i]))
                ++own[i].pruned;
            else
                divide(some[i], own[i]);
        });
        for (const Findings& each : own) m_findings.add(each);
    }

    // Calls use(memory, job with micro-batch and recomputation, schedule) for all that the job allows.
    template <class Use>
    void eachMemory(const Division& division, const Use& use) const {
        TrainingJob job = division.job;
        const std::vector<StageContent> content = contentOfStages(job);
        for (const std::int64_t batch : m_space.microBatches) {
            job.microBatch = batch;
            const std::vector<std::int64_t> interleaves = interleavesOf(job);
            for (const Recompute recompute : m_space.recompute) {
                if (interleaves.empty() || m_stop.stop_requested()) break;
                job.recompute = recompute;
                const JobMemory memory(job, content, division.speeds.leastMemory, m_calibration);
                eachSchedule(job, interleaves, [&](const IterationSchedule& schedule) { use(memory.at(schedule), job, schedule); });
            }
        }
    }
    std::vector<std::int64_t> interleavesOf(TrainingJob job) const {
        std::vector<std::int64_t> possible;
        for (const std::int64_t each : m_space.interleaves) {
            job.interleave = each;
            if (job.canRun()) possible.push_back(each);
        }
        return possible;
    }
    // Choices that change nothing are tried once: ZeRO and its overlap with one replica, overlap of tensor parallelism that there is not.
    template <class Use>
    void eachSchedule(const TrainingJob& job, const std::vector<std::int64_t>& interleaves, const Use& use) const {
        const bool isReplicated = job.isReplicated();
        for (const TensorOverlap overlapTensor : m_space.overlapTensor) {
            if (job.by(Parallel::Tensor) == 1 && overlapTensor != m_space.overlapTensor.front()) break;
            for (const bool overlapsData : m_space.overlapsData) {
                if (!isReplicated && overlapsData != m_space.overlapsData.front()) break;
                for (const Offload offload : m_space.offload)
                    for (const std::int64_t interleave : interleaves)
                        for (const int zero : m_space.zero)
                            if (isReplicated || zero == m_space.zero.front()) use({interleave, zero, overlapsData, overlapTensor, offload});
            }
        }
    }

    // All ways to run this division. Its groups are timed once.
    void divide(const Division& division, Findings& findings);
    OfKinds timesOf(const TrainingJob& job) const {
        OfKinds times;
        for (const GpuSpeed& kind : m_speeds.kinds()) {
            times.models.push_back(modelTimes(job, m_plan, kind));
            times.layers.push_back(timeOfLayers(job.model, times.models.back()) * kind.slowdown);
        }
        return times;
    }
    Found foundAt(const Division& division, std::int64_t place, const TrainingJob& job, const IterationSchedule& schedule, Seconds time,
                  double size) const {
        return {scoreOf(time, job.gpus()),
                size,
                time,
                division.index,
                place,
                job.degrees,
                job.expertFold,
                job.microBatch,
                job.recompute,
                schedule};
    }
    TrainingJob jobOf(const Found& found) const {
        TrainingJob job = m_job;
        job.degrees = found.degrees;
        job.expertFold = found.expertFold;
        job.microBatch = found.microBatch;
        job.recompute = found.recompute;
        job.interleave = found.schedule.interleave;
        job.zero = found.schedule.zero;
        return job;
    }
    Result<TrainingEstimate> estimate(const Found& found) {
        const TrainingJob job = jobOf(found);
        TrainingPlan plan = m_plan;
        plan.overlapsData = found.schedule.overlapsData;
        plan.overlapTensor = found.schedule.overlapTensor;
        plan.offload = found.schedule.offload;
        if (job.gpus() == static_cast<std::int64_t>(m_gpus.size()))
            return estimateTraining(m_fabric, {job, m_gpus}, plan, m_groups, m_calibration);
        const PlacedJob fewer{job, {m_gpus.begin(), m_gpus.begin() + job.gpus()}};
        PlacedGroups groups(m_fabric, fewer.gpus, m_calibration.collectives, m_network, false);
        return estimateTraining(m_fabric, fewer, plan, groups, m_calibration);
    }
    Result<SearchResult> finish(SearchResult result);

    const Fabric& m_fabric;
    const TrainingJob& m_job;
    const std::vector<DeviceId>& m_gpus;
    const TrainingPlan& m_plan;
    const SearchSpace& m_space;
    const SearchRequest& m_request;
    const std::stop_token& m_stop;
    const TrainingCalibration& m_calibration;
    const PlacedSpeeds m_speeds;
    const std::shared_ptr<const FabricNetwork> m_network;
    PlacedGroups m_groups;
    std::map<std::int64_t, double> m_slowdowns; // of computing, by GPUs of a job
    Findings m_findings;
};

std::vector<Error> Search::fewestProblems() const {
    std::optional<TrainingJob> nearest;
    std::size_t fewest = 0;
    std::int64_t notDivided = 0; // GPUs, where the degrees do not divide them
    eachDivision([&](std::int64_t gpus, TrainingJob job, bool divides) {
        for (const std::int64_t batch : m_space.microBatches)
            for (const std::int64_t interleave : m_space.interleaves) {
                if (m_stop.stop_requested()) return;
                job.microBatch = batch;
                job.interleave = interleave;
                const std::size_t broken = job.brokenRules() + (divides ? 0 : 1);
                if (nearest && broken >= fewest) continue;
                nearest = job;
                fewest = broken;
                notDivided = divides ? 0 : gpus;
            }
    });
    if (!nearest) return {};
    std::vector<Error> problems = nearest->problems();
    if (notDivided > 0) {
        nearest->degrees[static_cast<std::size_t>(Parallel::Data)] = 1;
        constexpr std::int64_t quintillion = 1'000'000'000'000'000'000; // what is more is not counted exactly
        const std::int64_t ranks = nearest->gpus();
        const std::string product = ranks > quintillion ? std::string("more than 10^18") : fmt::to_string(ranks);
        problems.insert(problems.begin(), Error::parameter(Error::Kind::Unbuildable, "multiple", "gpus", fmt::to_string(notDivided),
                                                           "must be a multiple of tp × pp × cp × ep = " + product));
    }
    return problems;
}

double Search::boundOf(Division& division) const {
    TrainingJob job = division.job;
    std::vector<Work> work;
    double least = std::numeric_limits<double>::infinity();
    const double slowdown = m_slowdowns.at(job.gpus());
    for (const std::int64_t batch : m_space.microBatches) {
        job.microBatch = batch;
        job.interleave = 1;
        if (m_stop.stop_requested()) break;
        if (!job.canRun()) continue;
        if (work.empty()) {
            division.speeds = m_speeds.speedsFor(job);
            work = workOf(division);
        }
        const std::vector<std::int64_t> interleaves = interleavesOf(job);
        const auto chunks = static_cast<double>(interleaves.empty() ? 1 : *std::max_element(interleaves.begin(), interleaves.end()));
        for (const Recompute recompute : m_space.recompute) {
            job.recompute = recompute;
            const OfKinds times = timesOf(job);
            double all = 0; // of all stages
            const std::vector<std::size_t> slowest = division.speeds.slowestOfSets(times.layers);
            for (std::size_t set = 0; set < work.size(); ++set) all += work[set].on(times.models[slowest[set]]);
            const auto p = static_cast<double>(job.by(Parallel::Pipeline)), m = static_cast<double>(job.microBatches());
            const Seconds time(all * slowdown / p * (m + (p - 1) / chunks));
            least = std::min(least, scoreOf(time, job.gpus()));
        }
    }
    return least;
}

void Search::divide(const Division& division, Findings& findings) {
    const std::vector<StageContent> content = contentOfStages(division.job);
    std::vector<GpuSpeed> speeds; // by stage
    GroupTimes groups(division.job, m_groups);
    std::optional<TrainingJob> prepared; // micro-batch and recomputation
    std::vector<ModelTimes> times;
    std::optional<Iteration> iteration;
    std::int64_t place = 0;
    eachMemory(division, [&](const TrainingMemory& memory, const TrainingJob& job, const IterationSchedule& schedule) {
        ++place;
        if (!findings.errors.empty() || m_stop.stop_requested()) return;
        const bool isKnown = division.speeds.leastMemory.gpuBytes > 0;
        const double missing = std::max(isKnown ? memory.total() - memory.capacity * m_request.memoryShare : 0.0,
                                        memory.isHostFull() ? memory.host - memory.hostCapacity : 0.0);
        if (missing > 0) {
            ++findings.tooLarge;
            if (findings.isNearer(missing)) findings.miss(missing, foundAt(division, place, job, schedule, {}, memory.total()));
            return;
        }
        if (!iteration || prepared->microBatch != job.microBatch || prepared->recompute != job.recompute) {
            prepared = job;
            const OfKinds ofKinds = timesOf(job);
            times.clear();
            speeds.clear();
            for (const std::size_t kind : division.speeds.slowestOfStages(ofKinds.layers)) {
                times.push_back(ofKinds.models[kind]);
                speeds.push_back(m_speeds.kinds()[kind]);
            }
            iteration.emplace(*prepared, m_plan, times, speeds, content, m_slowdowns.at(job.gpus()), m_calibration, groups);
        }
        const auto parts = iteration->at(schedule);
        if (!parts) return void(findings.errors = parts.errors());
        ++findings.evaluated;
        const Seconds time = parts->total();
        if (findings.isWorthKeeping(scoreOf(time, job.gpus()), memory.total()))
            findings.keep(foundAt(division, place, job, schedule, time, memory.total()));
    });
}

Result<SearchResult> Search::finish(SearchResult result) {
    result.evaluated = m_findings.evaluated;
    result.tooLarge = m_findings.tooLarge;
    result.pruned = m_findings.pruned;
    for (const auto& [score, each] : m_findings.front()) result.front.push_back({jobOf(each), each.schedule, each.time, each.size});
    std::vector<Found> wanted = m_findings.best();
    const bool isMissed = wanted.empty() && m_findings.nearest();
    if (isMissed) wanted.push_back(*m_findings.nearest());
    std::vector<std::optional<Result<TrainingEstimate>>> estimates(wanted.size());
    inParallel(m_request.threads, wanted.size(), [&](std::size_t i) { estimates[i] = estimate(wanted[i]); });
    for (auto& own : estimates) {
        if (!*own) return own->errors();
        result.best.push_back(std::move(**own));
    }
    if (!isMissed) return result;
    result.nearest = std::move(result.best.front());
    result.best.clear();
    return result;
}

} // namespace

Result<SearchResult> searchTraining(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus,
                                    const TrainingPlan& plan, const SearchSpace& space, const SearchRequest& request,
                                    const std::stop_token& stop, const TrainingCalibration& calibration) {
    const auto there = static_cast<std::int64_t>(gpus.size());
    if (gpus.empty()) return Error::unbuildable("there is no GPU that the job could run on");
    for (const std::int64_t each : space.gpus)
        if (each < 1 || each > there)
            return Error::parameter(Error::Kind::Unbuildable, "range", "gpus", fmt::to_string(each),
                                    fmt::format("must be from 1 to {}, which are there", there));
    auto speeds = PlacedSpeeds::create(fabric, gpus, there, job.precision, plan.slow, calibration);
    if (!speeds) return speeds.errors();
    return Search(fabric, job, gpus, plan, space, request, stop, calibration, std::move(*speeds)).run();
}

std::string whySlower(const TrainingEstimate& best, const TrainingEstimate& other) {
    const TrainingBreakdown &a = best.breakdown, &b = other.breakdown;
    std::vector<std::pair<const char*, double>> parts{{"forward pass", (b.forward - a.forward).value()},
                                                      {"backward pass", (b.backward - a.backward).value()},
                                                      {"recomputation", (b.recompute - a.recompute).value()},
                                                      {"exposed TP", (b.tensor - a.tensor).value()},
                                                      {"exposed PP", (b.pipeline - a.pipeline).value()},
                                                      {"exposed DP", (b.data - a.data).value()},
                                                      {"exposed CP", (b.context - a.context).value()},
                                                      {"exposed EP", (b.expert - a.expert).value()},
                                                      {"bubble", (b.bubble - a.bubble).value()},
                                                      {"optimizer", (b.optimizer - a.optimizer).value()},
                                                      {"offload", (b.offload - a.offload).value()}};
    const double longer = (other.iteration - best.iteration).value();
    if (longer <= 0) return {};
    std::stable_sort(parts.begin(), parts.end(), [](const auto& x, const auto& y) { return std::abs(x.second) > std::abs(y.second); });
    constexpr std::size_t most = 3;
    std::string words = fmt::format("{} longer: ", formatSeconds(Seconds(longer)));
    for (std::size_t i = 0; i < most && std::abs(parts[i].second) > longer / 100; ++i)
        words += fmt::format("{}{} {}{}", i > 0 ? ", " : "", parts[i].first, parts[i].second > 0 ? "+" : "−",
                             formatSeconds(Seconds(std::abs(parts[i].second))));
    return words;
}

} // namespace railyard
