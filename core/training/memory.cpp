#include "core/training/memory.h"

#include "core/workload/activations.h"

#include <algorithm>
#include <vector>

namespace railyard {
namespace {

constexpr double gib = 1 << 30;
constexpr double optimizerBytes = 12;

struct Ranks { // that hold the same parameters
    double dense = 1, ofExperts = 1;
};

// With one micro-batch: of all layers of the stage, and of one layer when nothing is recomputed.
struct Activations {
    double ofLayer = 0, whileRecomputing = 0;
};

Activations activationsOf(const TrainingJob& job) {
    ActivationSplit split{job.microBatch, job.by(Parallel::Tensor), 1, 1, job.dividesSequence(), job.recompute};
    const double divisor = static_cast<double>(job.model.layers) * static_cast<double>(job.by(Parallel::Context));
    Activations bytes;
    bytes.ofLayer = activationBytesOfFirstStage(job.model, split) / divisor;
    split.recompute = Recompute::None;
    if (job.recompute == Recompute::Full) bytes.whileRecomputing = activationBytesOfFirstStage(job.model, split) / divisor;
    return bytes;
}

// Model chunks whose activations stage `s` keeps at the same time: 1F1B, or its interleaved form (Narayanan et al., SC'21).
double chunksUnderWay(const TrainingJob& job, std::int64_t s) {
    const std::int64_t p = job.by(Parallel::Pipeline), v = job.interleave;
    const std::int64_t chunks = v == 1 ? p - s : p * v + p - 1 - 2 * s;
    return static_cast<double>(std::min(chunks, job.microBatches() * v));
}

} // namespace

std::vector<StageContent> contentOfStages(const TrainingJob& job) {
    const TransformerModel& model = job.model;
    const std::int64_t stages = job.by(Parallel::Pipeline), each = model.layers / stages, left = model.layers % stages,
                       firstLonger = (stages - left) / 2;
    const auto t = static_cast<double>(job.by(Parallel::Tensor)), e = static_cast<double>(job.by(Parallel::Expert));
    std::vector<StageContent> result;
    std::int64_t layer = 0;
    for (std::int64_t s = 0; s < stages; ++s) {
        StageContent stage;
        stage.layers = each + (s >= firstLonger && s < firstLonger + left ? 1 : 0);
        for (const std::int64_t end = layer + stage.layers; layer < end; ++layer) stage.mixtures += model.hasExperts(layer) ? 1 : 0;
        const bool isFirst = s == 0, isLast = s + 1 == stages;
        stage.embeddings = isFirst && isLast && model.hasTiedEmbeddings ? 1 : (isFirst ? 1 : 0) + (isLast ? 1 : 0);
        stage.dense = (model.denseParametersOf(stage.layers, stage.mixtures) + stage.embeddings * model.embeddingParameters()) / t;
        stage.ofExperts = model.expertParametersOf(stage.mixtures) / t / e;
        result.push_back(stage);
    }
    return result;
}

double activationBytesOfStage(const TrainingJob& job, const StageContent& stage) {
    return activationsOf(job).ofLayer * static_cast<double>(stage.layers);
}

TrainingMemory memoryOf(const TrainingJob& job, const TrainingPlan& plan, const std::vector<StageContent>& stages, double memoryBytes,
                        const TrainingCalibration& calibration) {
    const TransformerModel& model = job.model;
    const auto t = static_cast<double>(job.by(Parallel::Tensor)), c = static_cast<double>(job.by(Parallel::Context));
    const Ranks ranks{static_cast<double>(job.by(Parallel::Data) * job.by(Parallel::Expert)) * c,
                      static_cast<double>(job.by(Parallel::Data)) * c};
    const Activations activations = activationsOf(job);
    const double tokens = static_cast<double>(job.microBatch * model.sequenceTokens) / c,
                 logits = tokens * static_cast<double>(model.vocab) / t * (activationBytes + 4);
    TrainingMemory fullest;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const StageContent& stage = stages[s];
        const auto kept = [&](double bytes, bool isDivided) {
            return bytes * (isDivided ? stage.dense / ranks.dense + stage.ofExperts / ranks.ofExperts : stage.dense + stage.ofExperts) /
                   gib;
        };
        const auto layers = static_cast<double>(stage.layers);
        TrainingMemory memory;
        memory.parameters = kept(parameterBytes, job.zero >= 3);
        if (job.zero >= 3) // a layer is gathered while the one before it is computed
            memory.parameters += 2 * parameterBytes * (stage.dense + stage.ofExperts) / layers / gib;
        memory.gradients = kept(job.gradientBytes, job.zero >= 2);
        memory.optimizer = plan.offload == Offload::Optimizer ? 0 : kept(optimizerBytes, job.zero >= 1);
        const double underWay =
            activations.ofLayer * layers * chunksUnderWay(job, static_cast<std::int64_t>(s)) / static_cast<double>(job.interleave);
        // Offloaded, those of the layer that is computed and of the one before it are still there.
        memory.activations = ((plan.offload == Offload::Activations ? std::min(underWay, 2 * activations.ofLayer) : underWay) +
                              activations.whileRecomputing) /
                             gib;
        memory.workspace = (calibration.reservedBytes + (s + 1 == stages.size() ? logits : 0)) / gib;
        memory.capacity = memoryBytes / gib;
        if (s == 0 || memory.total() > fullest.total()) fullest = memory;
    }
    return fullest;
}

} // namespace railyard
