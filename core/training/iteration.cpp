#include "core/training/iteration.h"

#include <algorithm>

namespace railyard {
namespace {

const std::vector<Parallel> tensorGroup{Parallel::Tensor}, contextGroup{Parallel::Context}, expertGroup{Parallel::Expert},
    pipelineGroup{Parallel::Pipeline}, denseGroup{Parallel::Context, Parallel::Expert, Parallel::Data},
    ofExpertsGroup{Parallel::Context, Parallel::Data};

Seconds atLeastZero(Seconds time) { return std::max(time, Seconds()); }

// Communication of one layer and micro-batch, before anything hides it.
struct LayerMessages {
    Seconds tensorForward, tensorBackward, tensorRecompute;
    Seconds contextStep; // one exchange of keys and values with a neighbour
    Seconds exchange;    // one all-to-all of a layer with experts
    Seconds embedding;   // all-reduce of the tokens of a micro-batch
    Seconds boundary;    // from a stage to the next one
};

// Of one stage and one micro-batch.
struct StageTimes {
    Seconds forward, backward, recompute, tensor, context, expert, pipeline;
    Seconds total() const { return forward + backward + recompute + tensor + context + expert + pipeline; }
};

class Iteration {
public:
    Iteration(const TrainingJob& job, const TrainingPlan& plan, const std::vector<ModelTimes>& times, const std::vector<GpuSpeed>& speeds,
              const TrainingCalibration& calibration, GroupTimes& groups)
        : m_job(job),
          m_plan(plan),
          m_times(times),
          m_speeds(speeds),
          m_calibration(calibration),
          m_groups(groups),
          m_layers(layersOfStages(job)) {}

    Result<TrainingBreakdown> breakdown() {
        if (Status found = findMessages(); !found) return found.errors();
        std::vector<StageTimes> stages;
        std::size_t worst = 0;
        Seconds all;
        for (std::size_t s = 0; s < m_times.size(); ++s) {
            stages.push_back(stageTimes(s));
            all += stages.back().total();
            if (stages.back().total() > stages[worst].total()) worst = s;
        }
        const auto m = static_cast<double>(m_job.microBatches());
        const StageTimes& slowest = stages[worst];
        TrainingBreakdown parts;
        parts.forward = slowest.forward * m;
        parts.backward = slowest.backward * m;
        parts.recompute = slowest.recompute * m;
        parts.tensor = slowest.tensor * m;
        parts.context = slowest.context * m;
        parts.expert = slowest.expert * m;
        parts.pipeline = slowest.pipeline * m;
        parts.bubble = (all - slowest.total()) / static_cast<double>(m_job.interleave);
        const Status ended = addData(slowest, worst, parts);
        if (!ended) return ended.errors();
        addOffload(slowest, parts);
        return parts;
    }

private:
    Result<Seconds> time(const std::vector<Parallel>& over, CollectiveOp op, double bytes) { return m_groups.time(over, op, bytes); }

    Status findMessages() {
        const TransformerModel& model = m_job.model;
        const auto t = static_cast<double>(m_job.by(Parallel::Tensor));
        const double tokens =
            static_cast<double>(m_job.microBatch * model.sequenceTokens) / static_cast<double>(m_job.by(Parallel::Context));
        const double activation = tokens * static_cast<double>(model.hidden) * activationBytes;
        std::vector<Error> errors;
        const auto of = [&](const std::vector<Parallel>& over, CollectiveOp op, double bytes) {
            const auto found = time(over, op, bytes);
            if (!found) errors.insert(errors.end(), found.errors().begin(), found.errors().end());
            return found ? *found : Seconds();
        };
        const Seconds reduced = of(tensorGroup, CollectiveOp::AllReduce, activation);
        // After attention and after the feed-forward network. With sequence parallelism an all-gather before and a reduce-scatter after
        // them, and in the backward pass the inputs are gathered once more for the gradients of the weights.
        constexpr double blocks = 2;
        if (m_plan.isSequenceParallel && t > 1) {
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

    // What remains of communication that runs beside the matrix products of its pass.
    Seconds exposedForward(const LayerTimes& layer, Seconds comm) const {
        constexpr double parts = 4; // the product is cut into as many; the first message waits for the first part
        if (m_plan.overlapTensor != TensorOverlap::Pipeline) return comm;
        return comm / parts + atLeastZero(comm * ((parts - 1) / parts) - layer.matrices);
    }
    Seconds exposedBackward(const LayerTimes& layer, Seconds comm) const {
        if (m_plan.overlapTensor == TensorOverlap::Bulk) return atLeastZero(comm - layer.weightGradients);
        return exposedForward(layer, comm);
    }

    void addLayer(StageTimes& stage, const LayerTimes& layer, bool hasExperts, double count) const {
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

    StageTimes stageTimes(std::size_t s) const {
        const ModelTimes& times = m_times[s];
        const TransformerModel& model = m_job.model;
        StageTimes stage;
        std::int64_t first = 0, mixtures = 0;
        for (std::size_t before = 0; before < s; ++before) first += m_layers[before];
        for (std::int64_t layer = first; model.mixture && layer < first + m_layers[s]; ++layer) {
            const std::int64_t after = layer - model.mixture->denseLayers;
            mixtures += after >= 0 && after % model.mixture->everyLayers == model.mixture->everyLayers - 1 ? 1 : 0;
        }
        addLayer(stage, times.dense, false, static_cast<double>(m_layers[s] - mixtures));
        if (mixtures > 0) addLayer(stage, times.mixture, true, static_cast<double>(mixtures));
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
        if (m_times.size() > 1) stage.pipeline = 2 * static_cast<double>(m_job.interleave) * m_messages.boundary;
        return stage;
    }

    // Gradients and parameters of one stage, in as many messages as it has layers where they overlap, otherwise in one.
    struct DataTimes {
        Seconds gradients, parameters, lastOfGradients, firstOfParameters;
    };
    Status addMessages(const std::vector<Parallel>& over, double parameters, double messages, DataTimes& into) {
        if (parameters <= 0) return Done{};
        const double each = parameters / messages;
        const auto sum = time(over, m_job.zero == 0 ? CollectiveOp::AllReduce : CollectiveOp::ReduceScatter, each * m_job.gradientBytes);
        if (!sum) return sum.errors();
        into.gradients += *sum * messages;
        into.lastOfGradients = std::max(into.lastOfGradients, *sum);
        if (m_job.zero == 0) return Done{};
        const auto gathered = time(over, CollectiveOp::AllGather, each * parameterBytes);
        if (!gathered) return gathered.errors();
        into.parameters += *gathered * messages;
        into.firstOfParameters = std::max(into.firstOfParameters, *gathered);
        return Done{};
    }

    Status addData(const StageTimes& slowest, std::size_t stage, TrainingBreakdown& parts) {
        const TransformerModel& model = m_job.model;
        const auto t = static_cast<double>(m_job.by(Parallel::Tensor));
        const double share = static_cast<double>(m_layers[stage]) / static_cast<double>(model.layers),
                     messages = m_plan.overlapsData ? static_cast<double>(m_layers[stage]) : 1;
        const double dense = model.denseParametersOfLayers() * share / t,
                     ofExperts = model.expertParametersOfLayers() * share / t / static_cast<double>(m_job.by(Parallel::Expert)),
                     embedding = model.embeddingParameters() / t * (m_times.size() > 1 || model.hasTiedEmbeddings ? 1 : 2);
        DataTimes data;
        for (const auto& [over, parameters, count] :
             {std::tuple(&denseGroup, dense, messages), std::tuple(&ofExpertsGroup, ofExperts, messages),
              std::tuple(&denseGroup, embedding, 1.0)})
            if (const Status done = addMessages(*over, parameters, count, data); !done) return done;
        const auto m = static_cast<double>(m_job.microBatches());
        // In the forward pass parameters are gathered, in the backward pass gradients are sent and, if nobody keeps all parameters (ZeRO
        // 3), they are gathered once more. ZeRO 2 and 3 do so for every micro-batch.
        const double sums = m_job.zero >= 2 ? m : 1, gathers = m_job.zero >= 3 ? m : 1;
        const Seconds forward = data.parameters * gathers, backward = data.gradients * sums + (m_job.zero >= 3 ? forward : Seconds());
        const double hides = m_calibration.dataOverlapShare;
        parts.data = m_plan.overlapsData ? std::max(backward - slowest.backward * (hides * sums), data.lastOfGradients) +
                                               std::max(forward - slowest.forward * (hides * gathers), data.firstOfParameters)
                                         : backward + forward;
        if (model.hasTiedEmbeddings && m_times.size() > 1) { // first and last stage hold the same table
            const auto tied = time(pipelineGroup, CollectiveOp::PointToPoint, model.embeddingParameters() / t * m_job.gradientBytes);
            if (!tied) return tied.errors();
            parts.data += *tied;
        }
        const auto denseRanks = static_cast<double>(m_job.by(Parallel::Data) * m_job.by(Parallel::Expert) * m_job.by(Parallel::Context)),
                   expertRanks = static_cast<double>(m_job.by(Parallel::Data) * m_job.by(Parallel::Context));
        const bool isDivided = m_job.zero >= 1;
        m_updated = (dense + embedding) / (isDivided ? denseRanks : 1) + ofExperts / (isDivided ? expertRanks : 1);
        const GpuSpeed& gpu = m_speeds[stage];
        if (m_plan.offload != Offload::Optimizer)
            parts.optimizer =
                Seconds(m_updated * m_calibration.optimizerBytes / (gpu.memoryBandwidth * gpu.constants.memoryShare)) * m_plan.straggler;
        return Done{};
    }

    // Over the host link: gradients down and parameters up, beside the backward pass; or the activations of every micro-batch down in its
    // forward pass and up in its backward pass.
    void addOffload(const StageTimes& slowest, TrainingBreakdown& parts) const {
        const auto m = static_cast<double>(m_job.microBatches());
        if (m_plan.offload == Offload::Optimizer) {
            const Seconds down(m_updated * m_job.gradientBytes / m_calibration.hostBandwidth),
                up(m_updated * parameterBytes / m_calibration.hostBandwidth);
            parts.offload = atLeastZero(down - slowest.backward) + up;
        }
        if (m_plan.offload == Offload::Activations) {
            TrainingJob one = m_job;
            one.globalBatch = one.microBatch * one.by(Parallel::Data) * one.by(Parallel::Expert); // one micro-batch under way
            TrainingPlan kept = m_plan;
            kept.offload = Offload::None;
            const double bytes = memoryOf(one, kept, m_speeds.front(), m_calibration).activations * (1 << 30);
            const Seconds each(bytes / m_calibration.hostBandwidth);
            parts.offload = m * (atLeastZero(each - slowest.forward) + atLeastZero(each - slowest.backward));
        }
    }

    const TrainingJob& m_job;
    const TrainingPlan& m_plan;
    const std::vector<ModelTimes>& m_times;
    const std::vector<GpuSpeed>& m_speeds;
    const TrainingCalibration& m_calibration;
    GroupTimes& m_groups;
    const std::vector<std::int64_t> m_layers;
    LayerMessages m_messages;
    double m_updated = 0; // parameters that a rank updates
};

} // namespace

Result<TrainingBreakdown> iterationOf(const TrainingJob& job, const TrainingPlan& plan, const std::vector<ModelTimes>& ofStages,
                                      const std::vector<GpuSpeed>& speeds, const TrainingCalibration& calibration, GroupTimes& groups) {
    return Iteration(job, plan, ofStages, speeds, calibration, groups).breakdown();
}

} // namespace railyard
