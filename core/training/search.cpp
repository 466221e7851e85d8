#include "core/training/search.h"

#include "core/base/unit_text.h"
#include "core/training/iteration.h"
#include "core/training/layer_times.h"
#include "core/training/memory.h"
#include "core/training/placement.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <thread>

namespace railyard {
namespace {

// A configuration and where it stands in the order of all.
struct Found {
    double score = 0, size = 0; // size: memory in GiB
    Seconds time;
    std::int64_t division = 0, place = 0;
    std::array<std::int64_t, 5> degrees{};
    std::int64_t microBatch = 1;
    Recompute recompute = Recompute::None;
    IterationSchedule schedule;

    bool isBefore(const Found& other) const {
        return std::tuple(score, division, place) < std::tuple(other.score, other.division, other.place);
    }
};

// What one division, or several, came to.
class Findings {
public:
    explicit Findings(std::size_t most) : m_most(most) {}

    std::int64_t evaluated = 0, tooLarge = 0;
    std::vector<Error> errors;

    double worst() const { return m_best.size() < m_most ? std::numeric_limits<double>::infinity() : m_best.back().score; }
    bool isBeaten(double score, double size) const {
        const auto after = m_front.upper_bound(score);
        return after != m_front.begin() && std::prev(after)->second.size <= size;
    }
    bool isWorthKeeping(double score, double size) const { return score < worst() || !isBeaten(score, size); }
    void keep(const Found& found) {
        keepBest(found);
        keepOnFront(found);
    }
    bool isNearer(double missing) const { return !m_nearest || missing < m_missing; }
    void miss(double missing, const Found& found) {
        if (isNearer(missing)) m_missing = missing, m_nearest = found;
    }
    // In the order in which divisions are worked on, so that of two equal ones the first stays.
    void add(const Findings& other) {
        evaluated += other.evaluated;
        tooLarge += other.tooLarge;
        errors.insert(errors.end(), other.errors.begin(), other.errors.end());
        for (const Found& each : other.m_best) keepBest(each);
        for (const auto& [score, each] : other.m_front) keepOnFront(each);
        if (other.m_nearest) miss(other.m_missing, *other.m_nearest);
    }
    const std::vector<Found>& best() const { return m_best; }
    const std::map<double, Found>& front() const { return m_front; }
    const std::optional<Found>& nearest() const { return m_nearest; }

private:
    void keepBest(const Found& found) {
        if (m_best.size() >= m_most && !found.isBefore(m_best.back())) return;
        m_best.insert(std::upper_bound(m_best.begin(), m_best.end(), found, [](const Found& a, const Found& b) { return a.isBefore(b); }),
                      found);
        if (m_best.size() > m_most) m_best.pop_back();
    }
    void keepOnFront(const Found& found) {
        if (isBeaten(found.score, found.size)) return;
        auto at = m_front.insert_or_assign(found.score, found).first;
        for (++at; at != m_front.end() && at->second.size >= found.size;) at = m_front.erase(at);
    }

    std::size_t m_most;
    std::vector<Found> m_best;
    std::map<double, Found> m_front; // by score; memory falls
    std::optional<Found> m_nearest;
    double m_missing = 0;
};

struct Division {
    TrainingJob job;
    std::int64_t index = 0;
    double bound = 0; // no configuration has a better score
};

class Search {
public:
    Search(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus, const TrainingPlan& plan,
           const SearchSpace& space, const SearchRequest& request, const std::stop_token& stop, const TrainingCalibration& calibration)
        : m_fabric(fabric),
          m_job(job),
          m_gpus(gpus),
          m_plan(plan),
          m_space(space),
          m_request(request),
          m_stop(stop),
          m_calibration(calibration),
          m_groups(fabric, gpus, calibration.collectives),
          m_findings(request.most) {
        for (const std::int64_t each : space.gpus)
            m_slowdowns[each] = plan.straggler * calibration.stragglers.expectedSlowdown(serversOf(fabric, gpus, each));
    }

    Result<SearchResult> run() {
        if (const Status found = findSpeed(); !found) return found.errors();
        std::vector<Division> divisions = divisionsByBound();
        const auto all = static_cast<std::int64_t>(divisions.size());
        SearchResult result;
        result.space = m_space;
        // A fixed number at a time, so that what is pruned does not depend on the number of threads.
        constexpr std::size_t atATime = 8;
        for (std::size_t first = 0; first < divisions.size() && !m_stop.stop_requested(); first += atATime) {
            std::vector<const Division*> some;
            for (std::size_t i = first; i < std::min(divisions.size(), first + atATime); ++i)
                isHopeless(divisions[i]) ? void(++result.pruned) : some.push_back(&divisions[i]);
            work(some);
            if (!m_findings.errors.empty()) return m_findings.errors;
            if (m_request.progress) m_request.progress(std::min(all, static_cast<std::int64_t>(first + atATime)), all);
        }
        result.isComplete = !m_stop.stop_requested();
        return finish(std::move(result));
    }

private:
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

    double scoreOf(Seconds time, std::int64_t gpus) const {
        return time.value() * (m_request.objective == Objective::Time ? 1 : static_cast<double>(gpus));
    }

    std::vector<Division> divisionsByBound() const {
        std::vector<Division> divisions;
        for (const std::int64_t gpus : m_space.gpus)
            for (const std::int64_t t : m_space.tensor)
                for (const std::int64_t p : m_space.pipeline)
                    for (const std::int64_t c : m_space.context)
                        for (const std::int64_t e : m_space.expert) {
                            if (gpus % (t * p * c * e) != 0) continue;
                            Division division{m_job, static_cast<std::int64_t>(divisions.size())};
                            division.job.degrees = {t, c, e, gpus / (t * p * c * e), p};
                            division.bound = boundOf(division.job);
                            if (std::isfinite(division.bound)) divisions.push_back(std::move(division));
                        }
        std::stable_sort(divisions.begin(), divisions.end(), [](const Division& a, const Division& b) { return a.bound < b.bound; });
        return divisions;
    }
    // Computing alone: the mean stage works on all micro-batches, and with the most chunks that are tried the pipeline is filled and
    // drained for (p - 1) / v of one. Infinite if the job cannot be divided so.
    double boundOf(TrainingJob job) const {
        job.interleave = 1;
        double least = std::numeric_limits<double>::infinity();
        const double slowdown = m_slowdowns.at(job.gpus());
        const auto mixtures = static_cast<double>(job.model.mixtureLayers()), layers = static_cast<double>(job.model.layers);
        for (const std::int64_t batch : m_space.microBatches) {
            job.microBatch = batch;
            if (!job.problems().empty()) continue;
            const std::vector<std::int64_t> interleaves = interleavesOf(job);
            const auto chunks = static_cast<double>(interleaves.empty() ? 1 : *std::max_element(interleaves.begin(), interleaves.end()));
            for (const Recompute recompute : m_space.recompute) {
                job.recompute = recompute;
                const ModelTimes times = modelTimes(job, m_plan, m_speed);
                const auto ofLayer = [](const LayerTimes& layer) { return (layer.forward + layer.backward + layer.recompute).value(); };
                const double all = (layers - mixtures) * ofLayer(times.dense) + mixtures * ofLayer(times.mixture) +
                                   (times.headForward + times.headBackward + times.embedding).value();
                const auto p = static_cast<double>(job.by(Parallel::Pipeline)), m = static_cast<double>(job.microBatches());
                const Seconds time(all * slowdown / p * (m + (p - 1) / chunks));
                least = std::min(least, scoreOf(time, job.gpus()));
            }
        }
        return least;
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

    // Over the GPUs of `some`, on as many threads as were asked for.
    void work(const std::vector<const Division*>& some) {
        std::vector<Findings> own(some.size(), Findings(m_request.most));
        std::atomic<std::size_t> next = 0;
        const auto take = [&] {
            for (std::size_t i = next++; i < some.size(); i = next++)
                if (!m_stop.stop_requested()) divide(*some[i], own[i]);
        };
        {
            std::vector<std::jthread> others;
            for (int t = 1; t < m_request.threads && static_cast<std::size_t>(t) < some.size(); ++t) others.emplace_back(take);
            take();
        }
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
                if (interleaves.empty()) break;
                job.recompute = recompute;
                const JobMemory memory(job, content, m_memoryBytes, m_calibration);
                eachSchedule(job, interleaves, [&](const IterationSchedule& schedule) { use(memory.at(schedule), job, schedule); });
            }
        }
    }
    std::vector<std::int64_t> interleavesOf(TrainingJob job) const {
        std::vector<std::int64_t> possible;
        for (const std::int64_t each : m_space.interleaves) {
            job.interleave = each;
            if (job.problems().empty()) possible.push_back(each);
        }
        return possible;
    }
    // Choices that change nothing are tried once: ZeRO and its overlap with one replica, overlap of tensor parallelism that there is not.
    template <class Use>
    void eachSchedule(const TrainingJob& job, const std::vector<std::int64_t>& interleaves, const Use& use) const {
        const bool isReplicated = job.by(Parallel::Data) * job.by(Parallel::Expert) * job.by(Parallel::Context) > 1;
        for (const TensorOverlap overlapTensor : m_space.overlapTensor) {
            if (job.by(Parallel::Tensor) == 1 && overlapTensor != m_space.overlapTensor.front()) break;
            for (const bool overlapsData : m_space.overlapsData) {
                if (!isReplicated && overlapsData != m_space.overlapsData.front()) break;
                for (const Offload offload : m_space.offload)
                    for (const std::int64_t interleave : interleaves)
                        for (const int zero : m_space.zero)
                            if (zero == 0 || job.by(Parallel::Data) > 1) use({interleave, zero, overlapsData, overlapTensor, offload});
            }
        }
    }

    // All ways to run this division. Its groups are timed once.
    void divide(const Division& division, Findings& findings) {
        const std::vector<StageContent> content = contentOfStages(division.job);
        const std::vector<GpuSpeed> speeds(content.size(), m_speed);
        GroupTimes groups(division.job, m_groups);
        std::optional<TrainingJob> prepared; // micro-batch and recomputation
        std::vector<ModelTimes> times;
        std::optional<Iteration> iteration;
        std::int64_t place = 0;
        eachMemory(division, [&](const TrainingMemory& memory, const TrainingJob& job, const IterationSchedule& schedule) {
            ++place;
            if (!findings.errors.empty()) return;
            const double missing = memory.total() - memory.capacity;
            if (m_memoryBytes > 0 && missing > 0) {
                ++findings.tooLarge;
                if (findings.isNearer(missing)) findings.miss(missing, foundAt(division, place, job, schedule, {}, memory.total()));
                return;
            }
            if (!iteration || prepared->microBatch != job.microBatch || prepared->recompute != job.recompute) {
                prepared = job;
                times.assign(content.size(), modelTimes(job, m_plan, m_speed));
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
    Found foundAt(const Division& division, std::int64_t place, const TrainingJob& job, const IterationSchedule& schedule, Seconds time,
                  double size) const {
        return {scoreOf(time, job.gpus()), size, time, division.index, place, job.degrees, job.microBatch, job.recompute, schedule};
    }
    TrainingJob jobOf(const Found& found) const {
        TrainingJob job = m_job;
        job.degrees = found.degrees;
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
        return estimateTraining(m_fabric, {job, {m_gpus.begin(), m_gpus.begin() + job.gpus()}}, plan, m_calibration);
    }
    Result<SearchResult> finish(SearchResult result) {
        result.evaluated = m_findings.evaluated;
        result.tooLarge = m_findings.tooLarge;
        for (const auto& [score, each] : m_findings.front()) result.front.push_back({jobOf(each), each.schedule, each.time, each.size});
        for (const Found& each : m_findings.best()) {
            auto own = estimate(each);
            if (!own) return own.errors();
            result.best.push_back(std::move(*own));
        }
        if (result.best.empty() && m_findings.nearest()) {
            auto own = estimate(*m_findings.nearest());
            if (!own) return own.errors();
            result.nearest = std::move(*own);
        }
        return result;
    }

    const Fabric& m_fabric;
    const TrainingJob& m_job;
    const std::vector<DeviceId>& m_gpus;
    const TrainingPlan& m_plan;
    const SearchSpace& m_space;
    const SearchRequest& m_request;
    const std::stop_token& m_stop;
    const TrainingCalibration& m_calibration;
    PlacedGroups m_groups;
    std::map<std::int64_t, double> m_slowdowns; // of computing, by GPUs of a job
    GpuSpeed m_speed;
    double m_memoryBytes = 0; // 0: not known
    Findings m_findings;
};

} // namespace

Result<SearchResult> searchTraining(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus,
                                    const TrainingPlan& plan, const SearchSpace& space, const SearchRequest& request,
                                    const std::stop_token& stop, const TrainingCalibration& calibration) {
    return Search(fabric, job, gpus, plan, space, request, stop, calibration).run();
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
