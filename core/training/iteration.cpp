#include "core/training/iteration.h"

#include "core/workload/job_traffic.h"

#include <algorithm>

namespace railyard {
namespace {

Seconds atLeastZero(Seconds time) { return std::max(time, Seconds()); }

// The part of a message that the matrix products of its pass do not hide.
Seconds exposedForward(const LayerTimes& layer, Seconds comm, TensorOverlap overlap) {
    constexpr double parts = 4; // of the product; the first message waits for the first part
    if (overlap != TensorOverlap::Pipeline) return comm;
    return comm / parts + atLeastZero(comm * ((parts - 1) / parts) - layer.matrices);
}
Seconds exposedBackward(const LayerTimes& layer, Seconds comm, TensorOverlap overlap) {
    if (overlap == TensorOverlap::Bulk) return atLeastZero(comm - layer.weightGradients);
    return exposedForward(layer, comm, overlap);
}

} // namespace

Iteration::Iteration(const TrainingJob& job, const TrainingPlan& plan, const std::vector<ModelTimes>& ofStages,
                     const std::vector<GpuSpeed>& speeds, const std::vector<StageContent>& content, double slowdown,
                     const TrainingCalibration& calibration, GroupTimes& groups)
    : m_job(job),
      m_plan(plan),
      m_times(ofStages),
      m_speeds(speeds),
      m_content(content),
      m_calibration(calibration),
      m_slowdown(slowdown),
      m_groups(groups) {}

Status Iteration::prepare() {
    if (m_isPrepared) return Done{};
    if (Status found = findMessages(); !found) return found;
    m_isPrepared = true;
    return Done{};
}

Iteration::Stages Iteration::stagesWith(TensorOverlap overlap) const {
    Stages stages;
    Seconds all, longest;
    StageTimes stage;
    for (std::size_t s = 0; s < m_times.size(); ++s) {
        // Most stages in the middle are alike.
        const bool isAsBefore = s > 1 && s + 1 < m_times.size() && m_content[s] == m_content[s - 1] && m_times[s] == m_times[s - 1];
        if (!isAsBefore) stage = stageTimes(s, overlap);
        all += stage.total();
        if (s > 0 && stage.total() <= longest) continue;
        longest = stage.total();
        stages.slowest = stage;
        stages.worst = s;
    }
    stages.others = all - longest;
    stages.activationBytes = activationBytesOfStage(m_job, m_content[stages.worst]);
    return stages;
}

Result<TrainingBreakdown> Iteration::at(const IterationSchedule& schedule) {
    if (Status ready = prepare(); !ready) return ready.errors();
    auto& known = m_stages[static_cast<std::size_t>(schedule.overlapTensor)];
    if (!known) known = stagesWith(schedule.overlapTensor);
    Stages& stages = *known;
    const int zero = schedule.zero;
    const auto data = dataTimes(stages, zero >= 1, schedule.overlapsData);
    if (!data) return data.errors();
    const auto m = static_cast<double>(m_job.microBatches()), chunks = static_cast<double>(schedule.interleave);
    const Seconds boundaries = m_times.size() > 1 ? 2 * chunks * m_messages.boundary : Seconds(); // of a stage and micro-batch
    TrainingBreakdown parts;
    parts.forward = stages.slowest.forward * m;
    parts.backward = stages.slowest.backward * m;
    parts.recompute = stages.slowest.recompute * m;
    parts.tensor = stages.slowest.tensor * m;
    parts.context = stages.slowest.context * m;
    parts.expert = stages.slowest.expert * m;
    parts.tied = (*data)->tied;
    parts.pipeline = boundaries * m + parts.tied;
    parts.bubble = (stages.others + boundaries * static_cast<double>(m_times.size() - 1)) / chunks;
    parts.data = exposedData(stages, **data, schedule);
    const auto denseRanks = static_cast<double>(m_job.by(Parallel::Data) * m_job.by(Parallel::Expert) * m_job.by(Parallel::Context)),
               expertRanks = static_cast<double>(m_job.by(Parallel::Data) * m_job.by(Parallel::Context));
    const StageContent& content = m_content[stages.worst];
    const double updated = content.dense / (zero >= 1 ? denseRanks : 1) + content.ofExperts / (zero >= 1 ? expertRanks : 1);
    const GpuSpeed& gpu = m_speeds[stages.worst];
    if (schedule.offload != Offload::Optimizer)
        parts.optimizer = Seconds(updated * m_calibration.optimizerBytes / (gpu.memoryBandwidth * gpu.constants.memoryShare)) * m_slowdown;
    parts.offload = exposedOffload(stages, schedule.offload, updated);
    return parts;
}

Result<std::vector<Iteration::Passes>> Iteration::passesOfStages(TensorOverlap overlap) {
    if (Status ready = prepare(); !ready) return ready.errors();
    std::vector<Passes> passes;
    for (std::size_t s = 0; s < m_times.size(); ++s) {
        const StageTimes stage = stageTimes(s, overlap);
        const Seconds forward = stage.forward + stage.forwardMessages;
        passes.push_back({forward, stage.total() - forward, stage.forwardMessages});
    }
    return passes;
}

Result<Seconds> Iteration::boundary() {
    if (Status ready = prepare(); !ready) return ready.errors();
    return m_messages.boundary;
}

Status Iteration::findMessages() {
    const TransformerModel& model = m_job.model;
    const auto t = static_cast<double>(m_job.by(Parallel::Tensor));
    const double tokens = static_cast<double>(m_job.microBatch * model.sequenceTokens) / static_cast<double>(m_job.by(Parallel::Context));
    const double activation = tokens * static_cast<double>(model.hidden) * activationBytes;
    std::vector<Error> errors;
    const auto of = [&](RankGroup over, CollectiveOp op, double bytes) {
        const auto found = m_groups.time(over, op, bytes);
        if (!found) errors.insert(errors.end(), found.errors().begin(), found.errors().end());
        return found ? *found : Seconds();
    };
    const Seconds reduced = of(RankGroup::Tensor, CollectiveOp::AllReduce, activation);
    // After attention and after the feed-forward network. With sequence parallelism an all-gather before and a reduce-scatter after
    // them, and in the backward pass the inputs are gathered once more for the gradients of the weights.
    constexpr double blocks = 2;
    if (m_job.dividesSequence()) {
        const Seconds gathered = of(RankGroup::Tensor, CollectiveOp::AllGather, activation),
                      scattered = of(RankGroup::Tensor, CollectiveOp::ReduceScatter, activation);
        m_messages.tensorForward = blocks * (gathered + scattered);
        m_messages.tensorBackward = m_messages.tensorForward + blocks * gathered;
    } else {
        m_messages.tensorForward = m_messages.tensorBackward = blocks * reduced;
    }
    if (m_job.recompute == Recompute::Full) m_messages.tensorRecompute = m_messages.tensorForward;
    const auto heads = static_cast<double>(std::min(m_job.by(Parallel::Tensor), model.kvHeads));
    m_messages.contextStep =
        of(RankGroup::Context, CollectiveOp::PointToPoint, 2 * tokens * static_cast<double>(model.kvHidden()) / heads * activationBytes);
    if (model.mixture)
        m_messages.exchange =
            m_plan.gateSkew * of(RankGroup::Expert, CollectiveOp::AllToAll, activation / t * static_cast<double>(model.mixture->topK));
    m_messages.embedding = reduced;
    m_messages.boundary = of(RankGroup::Pipeline, CollectiveOp::PointToPoint, activation / (m_job.isPipelineScattered ? t : 1));
    if (m_job.isPipelineScattered && m_job.by(Parallel::Pipeline) > 1)
        m_messages.boundary += of(RankGroup::Tensor, CollectiveOp::AllGather, activation);
    return errors.empty() ? Status(Done{}) : Status(errors);
}

void Iteration::addLayer(StageTimes& stage, const LayerTimes& layer, TensorOverlap overlap, bool hasExperts, double count) const {
    const double again = m_job.recompute == Recompute::Full ? 1 : 0;
    stage.forward += count * layer.forward;
    stage.backward += count * layer.backward;
    stage.recompute += count * layer.recompute;
    double more = 1; // experts take every token top_k times
    if (hasExperts) {
        const Mixture& mixture = *m_job.model.mixture;
        more = 0.5 + 0.5 * static_cast<double>(mixture.topK + (mixture.sharedExperts > 0 ? 1 : 0));
        stage.expert += count * (2 + 2 + 2 * again) * m_messages.exchange; // there and back, in every pass
        stage.forwardMessages += count * 2 * m_messages.exchange;
    }
    const Seconds tensorForward = exposedForward(layer, m_messages.tensorForward, overlap);
    stage.tensor += count * more *
                    (tensorForward + exposedBackward(layer, m_messages.tensorBackward, overlap) +
                     exposedForward(layer, m_messages.tensorRecompute, overlap));
    stage.forwardMessages += count * more * tensorForward;
    const double steps = static_cast<double>(m_job.by(Parallel::Context) - 1);
    const Seconds ring = steps * m_messages.contextStep; // backward, gradients go round too
    stage.forwardMessages += count * atLeastZero(ring - layer.attention);
    stage.context += count * ((1 + again) * atLeastZero(ring - layer.attention) + 2 * atLeastZero(ring - layer.attention));
}

Iteration::StageTimes Iteration::stageTimes(std::size_t s, TensorOverlap overlap) const {
    const ModelTimes& times = m_times[s];
    const StageContent& content = m_content[s];
    StageTimes stage;
    addLayer(stage, times.dense, overlap, false, static_cast<double>(content.layers - content.mixtures));
    if (content.mixtures > 0) addLayer(stage, times.mixture, overlap, true, static_cast<double>(content.mixtures));
    const bool isFirst = s == 0, isLast = s + 1 == m_times.size();
    if (isFirst) {
        stage.forward += times.embedding;
        stage.tensor += m_messages.embedding;
        stage.forwardMessages += m_messages.embedding;
    }
    if (isLast) {
        stage.forward += times.headForward;
        stage.backward += times.headBackward;
        stage.tensor += m_messages.embedding;
    }
    stage.forward = stage.forward * m_slowdown;
    stage.backward = stage.backward * m_slowdown;
    stage.recompute = stage.recompute * m_slowdown;
    return stage;
}

Status Iteration::addMessages(RankGroup over, double parameters, double messages, bool isDivided, DataTimes& into) {
    if (parameters <= 0) return Done{};
    const double each = parameters / messages;
    const auto sum = m_groups.time(over, isDivided ? CollectiveOp::ReduceScatter : CollectiveOp::AllReduce, each * m_job.gradientBytes);
    if (!sum) return sum.errors();
    into.gradients += *sum * messages;
    into.lastOfGradients = std::max(into.lastOfGradients, *sum);
    if (!isDivided) return Done{};
    const auto gathered = m_groups.time(over, CollectiveOp::AllGather, each * parameterBytes);
    if (!gathered) return gathered.errors();
    into.parameters += *gathered * messages;
    into.firstOfParameters = std::max(into.firstOfParameters, *gathered);
    return Done{};
}

Result<const Iteration::DataTimes*> Iteration::dataTimes(Stages& stages, bool isDivided, bool overlaps) {
    std::optional<DataTimes>& known = stages.data[isDivided ? 1 : 0][overlaps ? 1 : 0];
    if (known) return &*known;
    DataTimes data;
    const StageContent& content = m_content[stages.worst];
    const auto buckets = [&](double parameters, std::int64_t ranks) {
        return overlaps ? bucketsOf(parameters, static_cast<double>(content.layers), ranks) : 1;
    };
    const std::int64_t expertRanks = m_job.by(Parallel::Data) * m_job.by(Parallel::Context);
    const double tables = content.embeddings * m_job.model.embeddingParameters() / static_cast<double>(m_job.by(Parallel::Tensor)),
                 dense = content.dense - tables;
    for (const auto& [over, parameters, count] :
         {std::tuple(RankGroup::Dense, dense, buckets(dense, expertRanks * m_job.by(Parallel::Expert))),
          std::tuple(RankGroup::OfExperts, content.ofExperts, buckets(content.ofExperts, expertRanks)),
          std::tuple(RankGroup::Dense, tables, 1.0)})
        if (const Status done = addMessages(over, parameters, count, isDivided, data); !done) return done.errors();
    if (m_job.model.hasTiedEmbeddings && m_times.size() > 1) { // first and last stage hold the same table
        const auto t = static_cast<double>(m_job.by(Parallel::Tensor));
        const auto tied =
            m_groups.time(RankGroup::Pipeline, CollectiveOp::PointToPoint, m_job.model.embeddingParameters() / t * m_job.gradientBytes);
        if (!tied) return tied.errors();
        data.tied = *tied;
    }
    known = data;
    return &*known;
}

// In the forward pass parameters are gathered, in the backward pass gradients are sent and, if parameters are divided (ZeRO 3), they
// are gathered once more. ZeRO 2 and 3 do so for every micro-batch. What is sent once hides behind the last micro-batch, or with several
// chunks behind the last round: chunks are worked on one after the other, for as many micro-batches as there are stages, so that the
// gradients of the first are complete while the others are still computed.
Seconds Iteration::exposedData(const Stages& stages, const DataTimes& data, const IterationSchedule& schedule) const {
    const int zero = schedule.zero;
    const auto m = static_cast<double>(m_job.microBatches());
    const double sums = zero >= 2 ? m : 1, gathers = zero >= 3 ? m : 1;
    const Seconds forward = data.parameters * gathers, backward = data.gradients * sums + (zero >= 3 ? forward : Seconds());
    const double p = static_cast<double>(m_job.by(Parallel::Pipeline)), v = static_cast<double>(schedule.interleave),
                 once = std::min(m, (p * (v - 1) + 1) / v), hides = m_calibration.dataOverlapShare;
    if (!schedule.overlapsData) return backward + forward;
    return std::max(backward - stages.slowest.backward * (hides * (zero >= 2 ? m : once)), data.lastOfGradients) +
           std::max(forward - stages.slowest.forward * (hides * (zero >= 3 ? m : once)), data.firstOfParameters);
}

// Over the host link: gradients down and parameters up, overlapped with the backward pass; or the activations of every micro-batch down in
// its forward pass and up in its backward pass.
Seconds Iteration::exposedOffload(const Stages& stages, Offload offload, double updated) const {
    if (offload == Offload::Optimizer) {
        const Seconds down(updated * m_job.gradientBytes / m_calibration.hostBandwidth),
            up(updated * parameterBytes / m_calibration.hostBandwidth);
        return atLeastZero(down - stages.slowest.backward) + up;
    }
    if (offload == Offload::None) return {};
    const Seconds each(stages.activationBytes / m_calibration.hostBandwidth);
    const auto m = static_cast<double>(m_job.microBatches());
    return m * (atLeastZero(each - stages.slowest.forward) + atLeastZero(each - stages.slowest.backward));
}

} // namespace railyard
