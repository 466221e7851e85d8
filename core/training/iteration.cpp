#include "core/training/iteration.h"

#include "core/workload/job_traffic.h"

#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

Seconds atLeastZero(Seconds time) { return std::max(time, Seconds()); }

// The part of a message that the product it belongs to does not hide, and what the product loses to the part that it does: it runs in
// smaller pieces, and communication takes some of the GPU.
Seconds exposedBehind(Seconds product, Seconds message, TensorOverlap overlap, double cost) {
    constexpr double parts = 4; // of the product; the first message waits for the first part
    if (overlap != TensorOverlap::Pipeline) return message;
    const Seconds exposed = message / parts + atLeastZero(message * ((parts - 1) / parts) - product);
    return exposed + (message - exposed) * cost;
}
Seconds exposedBackward(const LayerTimes& layer, Seconds message, TensorOverlap overlap, double cost) {
    if (overlap != TensorOverlap::Bulk) return exposedBehind(layer.inputGradients, message, overlap, cost);
    const Seconds exposed = atLeastZero(message - layer.weightGradients);
    return exposed + (message - exposed) * cost;
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

double Iteration::slowdownOf(std::size_t stage) const { return std::max(m_slowdown, m_plan.straggler * m_speeds[stage].slowdown); }

// Nothing that a stage does takes longer than with the other one, so that the iteration does not end with it.
bool Iteration::isCovered(const Stage& stage, const Stage& by) const {
    const StageTimes &own = stage.times, &other = by.times;
    const StageContent &content = m_content[stage.index], &otherContent = m_content[by.index];
    const auto memorySpeed = [&](const Stage& of) {
        return m_speeds[of.index].memoryBandwidth * m_speeds[of.index].constants.memoryShare / slowdownOf(of.index);
    };
    return own.forwardPass() <= other.forwardPass() && own.backwardPass() <= other.backwardPass() && own.forwardBusy <= other.forwardBusy &&
           own.backwardBusy <= other.backwardBusy && content.layers <= otherContent.layers && content.dense <= otherContent.dense &&
           content.ofExperts <= otherContent.ofExperts && content.embeddings <= otherContent.embeddings &&
           memorySpeed(stage) >= memorySpeed(by);
}

Iteration::Stages Iteration::stagesWith(TensorOverlap overlap) const {
    Stages stages;
    std::vector<Stage>& last = stages.last;
    Stage stage;
    for (std::size_t s = 0; s < m_times.size(); ++s) {
        // Most stages in the middle are alike.
        const bool isAsBefore = s > 1 && s + 1 < m_times.size() && m_content[s] == m_content[s - 1] && m_times[s] == m_times[s - 1] &&
                                m_speeds[s].id == m_speeds[s - 1].id && m_speeds[s].slowdown == m_speeds[s - 1].slowdown;
        if (!isAsBefore) stage = {s, stageTimes(s, overlap), activationBytesOfStage(m_job, m_content[s]), {}};
        stages.all += stage.times.total();
        if (isAsBefore || std::any_of(last.begin(), last.end(), [&](const Stage& other) { return isCovered(stage, other); })) continue;
        std::erase_if(last, [&](const Stage& other) { return isCovered(other, stage); });
        last.push_back(stage);
    }
    return stages;
}

Result<TrainingBreakdown> Iteration::at(const IterationSchedule& schedule) {
    if (Status ready = prepare(); !ready) return ready.errors();
    auto& known = m_stages[static_cast<std::size_t>(schedule.overlapTensor)];
    if (!known) known = stagesWith(schedule.overlapTensor);
    TrainingBreakdown longest;
    for (Stage& stage : known->last) {
        const auto parts = breakdownOf(stage, known->all, schedule);
        if (!parts) return parts.errors();
        if (parts->total() > longest.total()) longest = *parts;
    }
    return longest;
}

Result<TrainingBreakdown> Iteration::breakdownOf(Stage& stage, Seconds allStages, const IterationSchedule& schedule) {
    const auto data = dataTimes(stage, schedule.zero >= 1, schedule.overlapsData);
    if (!data) return data.errors();
    const StageTimes& times = stage.times;
    const auto m = static_cast<double>(m_job.microBatches()), chunks = static_cast<double>(schedule.interleave);
    const Seconds boundaries = m_times.size() > 1 ? 2 * chunks * m_messages.boundary : Seconds(); // of a stage and micro-batch
    TrainingBreakdown parts;
    parts.forward = times.forward * m;
    parts.backward = times.backward * m;
    parts.recompute = times.recompute * m;
    parts.tensor = times.tensor * m;
    parts.context = times.context * m;
    parts.expert = times.expert * m;
    parts.tied = (*data)->tied;
    parts.pipeline = boundaries * m + parts.tied;
    parts.bubble = (allStages - times.total() + boundaries * static_cast<double>(m_times.size() - 1)) / chunks;
    const ExposedData exposed = exposedData(times, **data, offloadedActivations(stage, schedule), schedule);
    parts.data = exposed.backward + exposed.forward;
    const double updated = updatedParameters(stage, schedule.zero);
    const GpuSpeed& gpu = m_speeds[stage.index];
    const double moved = updated * m_calibration.optimizerBytes; // by the GPU, or by the CPUs of its host
    parts.optimizer = schedule.offload == Offload::Optimizer
                          ? Seconds(moved / gpu.host.memoryBandwidth)
                          : Seconds(moved / (gpu.memoryBandwidth * gpu.constants.memoryShare)) * slowdownOf(stage.index);
    parts.offload = exposedOffload(stage, schedule, updated, exposed.backward);
    return parts;
}

double Iteration::updatedParameters(const Stage& stage, int zero) const {
    const auto expertRanks = static_cast<double>(m_job.expertReplicas()),
               denseRanks = static_cast<double>(ranksOf(m_job, RankGroup::Dense));
    const StageContent& content = m_content[stage.index];
    return content.dense / (zero >= 1 ? denseRanks : 1) + content.ofExperts / (zero >= 1 ? expertRanks : 1);
}

Result<std::vector<Iteration::Passes>> Iteration::passesOfStages(TensorOverlap overlap) {
    if (Status ready = prepare(); !ready) return ready.errors();
    std::vector<Passes> passes;
    for (std::size_t s = 0; s < m_times.size(); ++s) {
        const StageTimes stage = stageTimes(s, overlap);
        passes.push_back({stage.forwardPass(), stage.backwardPass(), stage.forwardMessages});
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
    const double tokens = m_job.tokensOfMicroBatch() / static_cast<double>(m_job.by(Parallel::Context));
    const double activation = tokens * static_cast<double>(model.hidden) * activationBytes;
    std::vector<Error> errors;
    const auto of = [&](RankGroup over, CollectiveOp op, double bytes) {
        const auto found = m_groups.time(over, op, bytes);
        if (!found) errors.insert(errors.end(), found.errors().begin(), found.errors().end());
        if (!found || *found <= Seconds() || m_groups.leavesDomain(over)) return found ? *found : Seconds();
        return *found + Seconds(m_speeds.front().constants.launchOverhead);
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
    if (const auto exchange = m_groups.expertExchange(tokens))
        m_messages.exchange = m_plan.gateSkew * *exchange;
    else
        errors.insert(errors.end(), exchange.errors().begin(), exchange.errors().end());
    m_messages.embedding = reduced;
    m_messages.boundary = of(RankGroup::Pipeline, CollectiveOp::PointToPoint, activation / (m_job.isPipelineScattered ? t : 1));
    if (m_job.isPipelineScattered && m_job.by(Parallel::Pipeline) > 1)
        m_messages.boundary += of(RankGroup::Tensor, CollectiveOp::AllGather, activation);
    const bool dataLeavesDomain = m_groups.leavesDomain(RankGroup::Dense) || (model.mixture && m_groups.leavesDomain(RankGroup::OfExperts));
    const auto isOnDataWire = [&](RankGroup group) { return m_groups.leavesDomain(group) == dataLeavesDomain; };
    m_messages.isTensorOnDataWire = isOnDataWire(RankGroup::Tensor);
    m_messages.isContextOnDataWire = isOnDataWire(RankGroup::Context);
    m_messages.isExpertOnDataWire = isOnDataWire(RankGroup::Expert);
    return errors.empty() ? Status(Done{}) : Status(errors);
}

void Iteration::addLayer(StageTimes& stage, const LayerTimes& layer, TensorOverlap overlap, bool hasExperts, double count) const {
    const double again = m_job.recompute == Recompute::Full ? 1 : 0;
    stage.forward += count * layer.forward;
    stage.backward += count * layer.backward;
    stage.recompute += count * layer.recompute;
    const auto add = [&](Seconds& kind, bool isOnDataWire, Seconds forward, Seconds exposedForward, Seconds backward, Seconds exposedBack) {
        kind += count * (exposedForward + exposedBack);
        stage.forwardMessages += count * exposedForward;
        if (!isOnDataWire) return;
        stage.forwardBusy += count * forward;
        stage.backwardBusy += count * backward;
    };
    double more = 1; // experts take every token top_k times; folded, no two ranks divide one
    if (hasExperts) {
        const Mixture& mixture = *m_job.model.mixture;
        more = 0.5 + 0.5 * static_cast<double>((m_job.isExpertFolded() ? 0 : mixture.topK) + (mixture.sharedExperts > 0 ? 1 : 0));
    }
    const Seconds forward = more * m_messages.tensorForward, backward = more * m_messages.tensorBackward,
                  recompute = more * m_messages.tensorRecompute;
    const double cost = m_calibration.tensorOverlapCost;
    const Seconds tensorForward = exposedBehind(layer.matrices, forward, overlap, cost),
                  tensorBackward =
                      exposedBackward(layer, backward, overlap, cost) + exposedBehind(layer.matrices, recompute, overlap, cost);
    add(stage.tensor, m_messages.isTensorOnDataWire, forward, tensorForward, backward + recompute, tensorBackward);
    // Backward, gradients go round too.
    const Seconds ring = static_cast<double>(m_job.by(Parallel::Context) - 1) * m_messages.contextStep,
                  contextForward = atLeastZero(ring - layer.attention),
                  contextBackward = again * contextForward + atLeastZero(2 * ring - layer.attentionBackward);
    add(stage.context, m_messages.isContextOnDataWire, ring, contextForward, (2 + again) * ring, contextBackward);
    if (!hasExperts) return;
    // Behind the computing that hides no other message.
    const auto exposed = [&](Seconds exchange, Seconds computing, Seconds hidden) {
        return m_plan.overlapsExperts ? atLeastZero(exchange - (computing - hidden)) : exchange;
    };
    const Seconds there = m_messages.exchange, back = (1 + again) * m_messages.exchange; // in every pass
    add(stage.expert, m_messages.isExpertOnDataWire, there, exposed(there, layer.forward, forward - tensorForward + ring - contextForward),
        back,
        exposed(back, layer.backward + layer.recompute, backward + recompute - tensorBackward + (2 + again) * ring - contextBackward));
}

Iteration::StageTimes Iteration::stageTimes(std::size_t s, TensorOverlap overlap) const {
    const ModelTimes& times = m_times[s];
    const StageContent& content = m_content[s];
    const double slowdown = slowdownOf(s);
    StageTimes stage;
    addLayer(stage, times.dense.slowedBy(slowdown), overlap, false, static_cast<double>(content.layers - content.mixtures));
    if (content.mixtures > 0) addLayer(stage, times.mixture.slowedBy(slowdown), overlap, true, static_cast<double>(content.mixtures));
    const bool isFirst = s == 0, isLast = s + 1 == m_times.size();
    const Seconds onDataWire = m_messages.isTensorOnDataWire ? m_messages.embedding : Seconds();
    if (isFirst) {
        stage.forward += times.embedding * slowdown;
        stage.tensor += m_messages.embedding;
        stage.forwardMessages += m_messages.embedding;
        stage.forwardBusy += onDataWire;
    }
    if (isLast) {
        stage.forward += times.headForward * slowdown;
        stage.backward += times.headBackward * slowdown;
        stage.tensor += m_messages.embedding;
        stage.backwardBusy += onDataWire;
    }
    return stage;
}

Status Iteration::addMessages(RankGroup over, double parameters, double bucket, bool isDivided, DataTimes& into) {
    if (parameters <= 0) return Done{};
    const double messages = std::ceil(parameters / bucket);
    const auto add = [&](CollectiveOp op, double bytesOfParameter, Seconds& all, Seconds& longest) -> Status {
        const auto each = m_groups.time(over, op, parameters / messages * bytesOfParameter),
                   full = m_groups.time(over, op, std::min(parameters, bucket) * bytesOfParameter);
        if (!each || !full) return each ? full.errors() : each.errors();
        all += *each * messages;
        longest = std::max(longest, *full);
        return Done{};
    };
    if (Status done = add(isDivided ? CollectiveOp::ReduceScatter : CollectiveOp::AllReduce, m_job.gradientBytes, into.gradients,
                          into.lastOfGradients);
        !done || !isDivided)
        return done;
    return add(CollectiveOp::AllGather, parameterBytes, into.parameters, into.firstOfParameters);
}

Result<const Iteration::DataTimes*> Iteration::dataTimes(Stage& stage, bool isDivided, bool overlaps) {
    std::optional<DataTimes>& known = stage.data[isDivided ? 1 : 0][overlaps ? 1 : 0];
    if (known) return &*known;
    DataTimes data;
    const StageContent& content = m_content[stage.index];
    const auto bucketOf = [&](double parameters, std::int64_t ranks) {
        return overlaps ? bucketSizeOf(parameters, static_cast<double>(content.layers), ranks) : parameters;
    };
    const double tables = content.embeddings * m_job.model.embeddingParameters() / static_cast<double>(m_job.by(Parallel::Tensor)),
                 dense = content.dense - tables;
    for (const auto& [over, parameters, bucket] :
         {std::tuple(RankGroup::Dense, dense, bucketOf(dense, ranksOf(m_job, RankGroup::Dense))),
          std::tuple(RankGroup::OfExperts, content.ofExperts, bucketOf(content.ofExperts, m_job.expertReplicas())),
          std::tuple(RankGroup::Dense, tables, tables)})
        if (const Status done = addMessages(over, parameters, bucket, isDivided, data); !done) return done.errors();
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

// What is sent once hides behind the last micro-batch, or with several chunks behind the last round: chunks are worked on one after the
// other, for as many micro-batches as there are stages, so that the gradients of the first are complete while the others are still
// computed.
double Iteration::roundsAtOnce(const IterationSchedule& schedule) const {
    const double p = static_cast<double>(m_job.by(Parallel::Pipeline)), v = static_cast<double>(schedule.interleave);
    return std::min(static_cast<double>(m_job.microBatches()), (p * (v - 1) + 1) / v);
}

// In the forward pass parameters are gathered, in the backward pass gradients are sent and, if parameters are divided (ZeRO 3), they
// are gathered once more. ZeRO 2 and 3 do so for every micro-batch. A pass that waits for the host (`offloaded`: of a pass) leaves its
// wires free meanwhile.
Iteration::ExposedData Iteration::exposedData(const StageTimes& stage, const DataTimes& data, Seconds offloaded,
                                              const IterationSchedule& schedule) const {
    const int zero = schedule.zero;
    const auto m = static_cast<double>(m_job.microBatches());
    const double sums = zero >= 2 ? m : 1, gathers = zero >= 3 ? m : 1, once = roundsAtOnce(schedule);
    const Seconds forward = data.parameters * gathers, backward = data.gradients * sums + (zero >= 3 ? forward : Seconds());
    if (!schedule.overlapsData) return {backward, forward};
    const auto hidden = [&](Seconds pass, Seconds busy, double rounds) {
        return atLeastZero(std::max(pass, offloaded) - busy) * (m_calibration.dataOverlapShare * rounds);
    };
    return {std::max(backward - hidden(stage.backwardPass(), stage.backwardBusy, zero >= 2 ? m : once), data.lastOfGradients),
            std::max(forward - hidden(stage.forwardPass(), stage.forwardBusy, zero >= 3 ? m : once), data.firstOfParameters)};
}

// Over the host link, of one micro-batch in one direction: down in its forward pass, up in its backward pass.
Seconds Iteration::offloadedActivations(const Stage& stage, const IterationSchedule& schedule) const {
    return schedule.offload == Offload::Activations ? Seconds(stage.activationBytes / m_speeds[stage.index].host.linkBandwidth) : Seconds();
}

// Activations hide behind the passes of their micro-batch. Of the optimizer, gradients go down as they are reduced, during the last
// backward passes and the gradients of data parallelism that are exposed after them; then parameters come up.
Seconds Iteration::exposedOffload(const Stage& stage, const IterationSchedule& schedule, double updated, Seconds exposedGradients) const {
    if (schedule.offload == Offload::Optimizer) {
        const double link = m_speeds[stage.index].host.linkBandwidth;
        const Seconds down(updated * m_job.gradientBytes / link), up(updated * parameterBytes / link);
        const Seconds alone = schedule.overlapsData ? exposedGradients : Seconds(); // one message is reduced before any of it goes down
        return atLeastZero(down - stage.times.backwardPass() * roundsAtOnce(schedule) - alone) + up;
    }
    const Seconds each = offloadedActivations(stage, schedule);
    return static_cast<double>(m_job.microBatches()) *
           (atLeastZero(each - stage.times.forwardPass()) + atLeastZero(each - stage.times.backwardPass()));
}

} // namespace railyard
