#include "core/training/pipeline_timeline.h"

#include "core/base/unit_text.h"
#include "core/training/job_times.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

using Order = std::vector<PipelinePass>;

// The n-th forward or backward pass of a stage, counted over all its chunks: rounds of as many micro-batches as there are stages.
PipelinePass passAt(std::int64_t n, bool isForward, std::int32_t stage, std::int64_t stages, std::int64_t chunks) {
    if (chunks == 1) return {isForward, stage, 0, n, {}, {}};
    const std::int64_t chunk = n / stages % chunks;
    return {
        isForward, stage, static_cast<std::int32_t>(isForward ? chunk : chunks - 1 - chunk), n / (stages * chunks) * stages + n % stages,
        {},        {}};
}

// Forward passes until the pipeline is full, then one backward and one forward pass in turn, then the backward passes that remain.
Order orderOf(std::int32_t stage, std::int64_t stages, std::int64_t microBatches, std::int64_t chunks) {
    const std::int64_t all = microBatches * chunks;
    const std::int64_t ahead = chunks == 1 ? stages - stage - 1 : 2 * (stages - stage - 1) + (chunks - 1) * stages;
    const std::int64_t filling = std::min(all, ahead);
    Order order;
    order.reserve(static_cast<std::size_t>(2 * all));
    for (std::int64_t n = 0; n < filling; ++n) order.push_back(passAt(n, true, stage, stages, chunks));
    for (std::int64_t n = filling; n < all; ++n) {
        order.push_back(passAt(n, true, stage, stages, chunks));
        order.push_back(passAt(n - filling, false, stage, stages, chunks));
    }
    for (std::int64_t n = all - filling; n < all; ++n) order.push_back(passAt(n, false, stage, stages, chunks));
    return order;
}

// When each pass has ended; negative until then.
class Ends {
public:
    Ends(std::int64_t stages, std::int64_t microBatches, std::int64_t chunks)
        : m_stages(stages),
          m_microBatches(microBatches),
          m_chunks(chunks),
          m_at(static_cast<std::size_t>(2 * stages * chunks * microBatches), Seconds(-1)) {}
    Seconds& endOf(bool isForward, std::int64_t stage, std::int64_t chunk, std::int64_t microBatch) {
        return m_at[static_cast<std::size_t>(((stage * m_chunks + chunk) * m_microBatches + microBatch) * 2 + (isForward ? 0 : 1))];
    }
    // What a pass has to wait for; 0 for the first of a micro-batch.
    Seconds before(const PipelinePass& pass) {
        const std::int64_t stage = pass.stage, chunk = pass.chunk, last = m_stages - 1;
        if (pass.isForward) {
            if (stage > 0) return endOf(true, stage - 1, chunk, pass.microBatch);
            return chunk > 0 ? endOf(true, last, chunk - 1, pass.microBatch) : Seconds();
        }
        if (stage < last) return endOf(false, stage + 1, chunk, pass.microBatch);
        return chunk + 1 < m_chunks ? endOf(false, 0, chunk + 1, pass.microBatch) : endOf(true, last, chunk, pass.microBatch);
    }

private:
    std::int64_t m_stages, m_microBatches, m_chunks;
    std::vector<Seconds> m_at;
};

} // namespace

std::vector<PipelinePass> carryOut(const std::vector<Iteration::Passes>& ofStages, Seconds boundary, std::int64_t microBatches,
                                   std::int64_t chunks) {
    const auto stages = static_cast<std::int64_t>(ofStages.size());
    std::vector<Order> orders;
    for (std::int32_t s = 0; s < stages; ++s) orders.push_back(orderOf(s, stages, microBatches, chunks));
    Ends ends(stages, microBatches, chunks);
    std::vector<std::size_t> done(ofStages.size());
    std::vector<Seconds> free(ofStages.size());
    const Seconds sending = stages > 1 ? boundary : Seconds(); // takes the time of the stage that sends
    for (bool moves = true; moves;) {
        moves = false;
        for (std::size_t s = 0; s < orders.size(); ++s)
            for (; done[s] < orders[s].size(); ++done[s]) {
                PipelinePass& pass = orders[s][done[s]];
                const Seconds ready = ends.before(pass);
                if (ready < Seconds()) break;
                pass.begin = std::max(free[s], ready);
                pass.end =
                    pass.begin + (pass.isForward ? ofStages[s].forward : ofStages[s].backward) / static_cast<double>(chunks) + sending;
                free[s] = pass.end;
                ends.endOf(pass.isForward, pass.stage, pass.chunk, pass.microBatch) = pass.end;
                moves = true;
            }
    }
    std::vector<PipelinePass> all;
    for (Order& each : orders) all.insert(all.end(), each.begin(), each.end());
    return all;
}

Result<PipelineTimeline> pipelineTimeline(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                          const TrainingCalibration& calibration) {
    const TrainingJob& job = placed.job;
    PlacedGroups groups(fabric, placed.gpus, calibration.collectives);
    const auto times = JobTimes::create(fabric, placed, plan, groups, calibration);
    if (!times) return times.errors();
    PipelineTimeline timeline;
    timeline.stages = job.by(Parallel::Pipeline);
    timeline.chunks = job.interleave;
    timeline.microBatches = job.microBatches();
    if (timeline.microBatches > mostPipelinePasses / (2 * timeline.stages * timeline.chunks))
        return Error::unbuildable(fmt::format("{} micro-batches in {} stages of {} chunks are too many for a timeline; choose a larger "
                                              "micro-batch or a smaller global batch",
                                              formatCount(timeline.microBatches), timeline.stages, timeline.chunks));
    Iteration& iteration = (*times)->iteration();
    const IterationSchedule schedule = scheduleOf(job, plan);
    IterationSchedule apart = schedule;
    apart.overlapsData = false;
    const auto breakdown = iteration.at(schedule), serial = iteration.at(apart);
    if (!breakdown || !serial) return breakdown ? serial.errors() : breakdown.errors();
    const auto passes = iteration.passesOfStages(plan.overlapTensor);
    const auto boundary = iteration.boundary();
    if (!passes || !boundary) return passes ? boundary.errors() : passes.errors();
    timeline.passes = carryOut(*passes, *boundary, timeline.microBatches, timeline.chunks);
    Seconds busy;
    for (const PipelinePass& pass : timeline.passes) {
        timeline.worked = std::max(timeline.worked, pass.end);
        busy += pass.end - pass.begin;
    }
    if (timeline.stages > 1) timeline.idleShare = 1 - busy / (timeline.worked * static_cast<double>(timeline.stages));
    timeline.exposedData = breakdown->data + breakdown->tied;
    timeline.hiddenData = std::max(serial->data - breakdown->data, Seconds());
    timeline.optimizer = breakdown->optimizer + breakdown->offload;
    return timeline;
}

} // namespace railyard
