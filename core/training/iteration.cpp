#include "core/training/iteration.h"

#include <algorithm>

namespace railyard {
namespace {

const std::vector<Parallel> tensorGroup{Parallel::Tensor}, contextGroup{Parallel::Context}, expertGroup{Parallel::Expert},
    pipelineGroup{Parallel::Pipeline}, denseGroup{Parallel::Context, Parallel::Expert, Parallel::Data},
    ofExpertsGroup{Parallel::Context, Parallel::Data};

Seconds atLeastZero(Seconds time) { return std::max(time, Seconds()); }

} // namespace

Iteration::Iteration(const TrainingJob& job, const TrainingPlan& plan, const std::vector<ModelTimes>& ofStages,
                     const std::vector<GpuSpeed>& speeds, const TrainingCalibration& calibration, GroupTimes& groups)
    : m_job(job),
      m_plan(plan),
      m_times(ofStages),
      m_speeds(speeds),
      m_calibration(calibration),
      m_groups(groups),
      m_content(contentOfStages(job)) {}

Status Iteration::prepare() {
    if (m_isPrepared) return Done{};
    if (Status found = findMessages(); !found) return found;
    Seconds all, longest;
    for (std::size_t s = 0; s < m_times.size(); ++s) {
        const StageTimes stage = stageTimes(s);
        all += stage.total();
        if (s > 0 && stage.total() <= longest) continue;
        longest = stage.total();
        m_slowest = stage;
        m_worst = s;
    }
    m_others = all - longest;
    m_isPrepared = true;
    return Done{};
}

Result<TrainingBreakdown> Iteration::at(std::int64_t interleave, int zero) {
    if (Status ready = prepare(); !ready) return ready.errors();
    const auto data = dataTimes(zero >= 1);
    if (!data) return data.errors();
    const auto m = static_cast<double>(m_job.microBatches()), chunks = static_cast<double>(interleave);
    const Seconds boundaries = m_times.size() > 1 ? 2 * chunks * m_messages.boundary : Seconds(); // of a stage and micro-batch
    TrainingBreakdown parts;
    parts.forward = m_slowest.forward * m;
    parts.backward = m_slowest.backward * m;
    parts.recompute = m_slowest.recompute * m;
    parts.tensor = m_slowest.tensor * m;
    parts.context = m_slowest.context * m;
    parts.expert = m_slowest.expert * m;
    parts.pipeline = boundaries * m;
    parts.bubble = (m_others + boundaries * static_cast<double>(m_times.size() - 1)) / chunks;
    parts.data = exposedData(**data, zero);
    const auto denseRanks = static_cast<double>(m_job.by(Parallel::Data) * m_job.by(Parallel::Expert) * m_job.by(Parallel::Context)),
               expertRanks = static_cast<double>(m_job.by(Parallel::Data) * m_job.by(Parallel::Context));
    const double updated =
        m_content[m_worst].dense / (zero >= 1 ? denseRanks : 1) + m_content[m_worst].ofExperts / (zero >= 1 ? expertRanks : 1);
    const GpuSpeed& gpu = m_speeds[m_worst];
    if (m_plan.offload != Offload::Optimizer)
        parts.optimizer =
            Seconds(updated * m_calibration.optimizerBytes / (gpu.memoryBandwidth * gpu.constants.memoryShare)) * m_plan.straggler;
    parts.offload = exposedOffload(updated);
    return parts;
}

Status Iteration::findMessages() {
    const TransformerModel& model = m_job.model;
    const auto t = static_cast<double>(m_job.by(Parallel::Tensor));
    const double tokens = static_cast<double>(m_job.microBatch * model.sequenceTokens) / static_cast<double>(m_job.by(Parallel::Context));
    const double activation = tokens * static_cast<double>(model.hidden) * activationBytes;
    std::vector<Error> errors;
    const auto of = [&](const std::vector<Parallel>& over, CollectiveOp op, double bytes) {
        const auto found = m_groups.time(over, op, bytes);
        if (!found) errors.insert(errors.end(), found.errors().begin(), found.errors().end());
        return found ? *found : Seconds();
    };
    const Seconds reduced = of(tensorGroup, CollectiveOp::AllReduce, activation);
    // After attention and after the feed-forward network. With sequence parallelism an all-gather before and a reduce-scatter after
    // them, and in the backward pass the inputs are gathered once more for the gradients of the weights.
    constexpr double blocks = 2;
    if (m_job.dividesSequence()) {
        const Seconds gathered = of(tensorGroup, CollectiveOp::AllGather, activation),
                      scattered = of(tensorGroup, CollectiveOp::ReduceScatter, activation);
        m_messages.tensorForward = blocks * (gathered + scattered);
        m_messages.tensorBackward = m_messages.tensorForward + blocks * gathered;
    } else {
        m_messages.tensorForward = m_messages.tensorBackward = blocks * reduced;
    }
    if (m_job.recompute == Recompute::Full) m_messages.tensorRecompute = m_messages.tensorForward;
    const auto heads = static_cast<double>(std::min(m_job.by(Parallel::Tensor), model.kvHeads));
    m_messages.contextStep =
        of(contextGroup, CollectiveOp::PointToPoint, 2 * tokens * static_cast<double>(model.kvHidden()) / heads * activationBytes);
    if (model.mixture)
        m_messages.exchange =
            m_plan.gateSkew * of(expertGroup, CollectiveOp::AllToAll, activation / t * static_cast<double>(model.mixture->topK));
    m_messages.embedding = reduced;
    m_messages.boundary = of(pipelineGroup, CollectiveOp::PointToPoint, activation / (m_job.isPipelineScattered ? t : 1));
    if (m_job.isPipelineScattered && m_job.by(Parallel::Pipeline) > 1)
        m_messages.boundary += of(tensorGroup, CollectiveOp::AllGather, activation);
    return errors.empty() ? Status(Done{}) : Status(errors);
}

// The part of a message that the matrix products of its pass do not hide.
Seconds Iteration::exposedForward(const LayerTimes& layer, Seconds comm) const {
    constexpr double parts = 4; // of the product; the first message waits for the first part
    if (m_plan.overlapTensor != TensorOverlap::Pipeline) return comm;
    return comm / parts + atLeastZero(comm * ((parts - 1) / parts) - layer.matrices);
}
Seconds Iteration::exposedBackward(const LayerTimes& layer, Seconds comm) const {
    if (m_plan.overlapTensor == TensorOverlap::Bulk) return atLeastZero(comm - layer.weightGradients);
    return exposedForward(layer, comm);
}

void Iteration::addLayer(StageTimes& stage, const LayerTimes& layer, bool hasExperts, double count) const {
    const double again = m_job.recompute == Recompute::Full ? 1 : 0;
    stage.forward += count * layer.forward;
    stage.backward += count * layer.backward;
    stage.recompute += count * layer.recompute;
    double more = 1; // experts take every token top_k times
    if (hasExperts) {
        const Mixture& mixture = *m_job.model.mixture;
        more = 0.5 + 0.5 * static_cast<double>(mixture.topK + (mixture.sharedExperts > 0 ? 1 : 0));
        stage.expert += count * (2 + 2 + 2 * again) * m_messages.exchange; // there and back, in every pass
    }
    stage.tensor += count * more *
                    (exposedForward(layer, m_messages.tensorForward) + exposedBackward(layer, m_messages.tensorBackward) +
                     exposedForward(layer, m_messages.tensorRecompute));
    const double steps = static_cast<double>(m_job.by(Parallel::Context) - 1);
    const Seconds ring = steps * m_messages.contextStep; // backward, gradients go round too
    stage.context += count * ((1 + again) * atLeastZero(ring - layer.attention) + 2 * atLeastZero(ring - layer.attention));
}

Iteration::StageTimes Iteration::stageTimes(std::size_t s) const {
    const ModelTimes& times = m_times[s];
    const StageContent& content = m_content[s];
    StageTimes stage;
    addLayer(stage, times.dense, false, static_cast<double>(content.layers - content.mixtures));
    if (content.mixtures > 0) addLayer(stage, times.mixture, true, static_cast<double>(content.mixtures));
    const bool isFirst = s == 0, isLast = s + 1 == m_times.size();
    if (isFirst) stage.forward += times.embedding, stage.tensor += m_messages.embedding;
    if (isLast) {
        stage.forward += times.headForward;
        stage.backward += times.headBackward;
        stage.tensor += m_messages.embedding;
    }
    stage.forward = stage.forward * m_plan.straggler;
    stage.backward = stage.backward * m_plan.straggler;
    stage.recompute = stage.recompute * m_plan.straggler;
    return stage;
}

Status Iteration::addMessages(const std::vector<Parallel>& over, double parameters, double messages, bool isDivided, DataTimes& into) {
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

Result<const Iteration::DataTimes*> Iteration::dataTimes(bool isDivided) {
    std::optional<DataTimes>& known = m_data[isDivided ? 1 : 0];
    if (known) return &*known;
    DataTimes data;
    const StageContent& content = m_content[m_worst];
    const double messages = m_plan.overlapsData ? static_cast<double>(content.layers) : 1,
                 tables = content.embeddings * m_job.model.embeddingParameters() / static_cast<double>(m_job.by(Parallel::Tensor));
    for (const auto& [over, parameters, count] :
         {std::tuple(&denseGroup, content.dense - tables, messages), std::tuple(&ofExpertsGroup, content.ofExperts, messages),
          std::tuple(&denseGroup, tables, 1.0)})
        if (const Status done = addMessages(*over, parameters, count, isDivided, data); !done) return done.errors();
    if (m_job.model.hasTiedEmbeddings && m_times.size() > 1) { // first and last stage hold the same table
        const auto t = static_cast<double>(m_job.by(Parallel::Tensor));
        const auto tied =
            m_groups.time(pipelineGroup, CollectiveOp::PointToPoint, m_job.model.embeddingParameters() / t * m_job.gradientBytes);
        if (!tied) return tied.errors();
        data.tied = *tied;
    }
    known = data;
    return &*known;
}

// In the forward pass parameters are gathered, in the backward pass gradients are sent and, if parameters are divided (ZeRO 3), they
// are gathered once more. ZeRO 2 and 3 do so for every micro-batch.
Seconds Iteration::exposedData(const DataTimes& data, int zero) const {
    const auto m = static_cast<double>(m_job.microBatches());
    const double sums = zero >= 2 ? m : 1, gathers = zero >= 3 ? m : 1;
    const Seconds forward = data.parameters * gathers, backward = data.gradients * sums + (zero >= 3 ? forward : Seconds());
    const double hides = m_calibration.dataOverlapShare;
    if (!m_plan.overlapsData) return backward + forward + data.tied;
    return std::max(backward - m_slowest.backward * (hides * sums), data.lastOfGradients) +
           std::max(forward - m_slowest.forward * (hides * gathers), data.firstOfParameters) + data.tied;
}

// Over the host link: gradients down and parameters up, overlapped with the backward pass; or the activations of every micro-batch down in
// its forward pass and up in its backward pass.
Seconds Iteration::exposedOffload(double updated) const {
    if (m_plan.offload == Offload::Optimizer) {
        const Seconds down(updated * m_job.gradientBytes / m_calibration.hostBandwidth),
            up(updated * parameterBytes / m_calibration.hostBandwidth);
        return atLeastZero(down - m_slowest.backward) + up;
    }
    if (m_plan.offload == Offload::None) return {};
    const double bytes = activationBytesOfStage(m_job, m_content[m_worst]);
    const Seconds each(bytes / m_calibration.hostBandwidth);
    const auto m = static_cast<double>(m_job.microBatches());
    return m * (atLeastZero(each - m_slowest.forward) + atLeastZero(each - m_slowest.backward));
}

} // namespace railyard
