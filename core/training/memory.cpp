#include "core/training/memory.h"

#include "core/workload/activations.h"

#include <algorithm>
#include <vector>

namespace railyard {
namespace {

constexpr double gib = 1 << 30;
constexpr double optimizerBytes = 12;

} // namespace

std::vector<std::int64_t> layersOfStages(const TrainingJob& job) {
    const std::int64_t stages = job.by(Parallel::Pipeline), each = job.model.layers / stages, left = job.model.layers % stages;
    std::vector<std::int64_t> layers(static_cast<std::size_t>(stages), each);
    const std::int64_t first = (stages - left) / 2;
    for (std::int64_t i = 0; i < left; ++i) ++layers[static_cast<std::size_t>(first + i)];
    return layers;
}

TrainingMemory memoryOf(const TrainingJob& job, const TrainingPlan& plan, const GpuSpeed& gpu, const TrainingCalibration& calibration) {
    const TransformerModel& model = job.model;
    const auto t = static_cast<double>(job.by(Parallel::Tensor)), stages = static_cast<double>(job.by(Parallel::Pipeline)),
               experts = static_cast<double>(job.by(Parallel::Expert));
    const auto denseRanks = static_cast<double>(job.by(Parallel::Data) * job.by(Parallel::Expert) * job.by(Parallel::Context)),
               expertRanks = static_cast<double>(job.by(Parallel::Data) * job.by(Parallel::Context));
    const std::vector<std::int64_t> layers = layersOfStages(job);
    const double share = static_cast<double>(*std::max_element(layers.begin(), layers.end())) / static_cast<double>(model.layers);
    const double embeddings = job.by(Parallel::Pipeline) > 1 || model.hasTiedEmbeddings ? 1 : 2;
    const double dense = (model.denseParametersOfLayers() * share + embeddings * model.embeddingParameters()) / t,
                 ofExperts = model.expertParametersOfLayers() * share / t / experts;
    const auto divided = [&](double bytes, bool isDivided) {
        return isDivided ? bytes * (dense / denseRanks + ofExperts / expertRanks) : bytes * (dense + ofExperts);
    };
    TrainingMemory memory;
    memory.parameters = divided(parameterBytes, job.zero >= 3) / gib;
    memory.gradients = divided(job.gradientBytes, job.zero >= 2) / gib;
    memory.optimizer = plan.offload == Offload::Optimizer ? 0 : divided(optimizerBytes, job.zero >= 1) / gib;
    if (job.zero >= 3) // the parameters of a layer are gathered while it is computed, those of the next one meanwhile
        memory.parameters += 2 * parameterBytes * (model.denseParametersOfLayers() / t + model.expertParametersOfLayers() / t / experts) /
                             static_cast<double>(model.layers) / gib;
    const ActivationSplit split{job.microBatch,
                                job.by(Parallel::Tensor),
                                job.by(Parallel::Pipeline),
                                job.interleave,
                                plan.isSequenceParallel && job.by(Parallel::Tensor) > 1,
                                job.recompute};
    // Of the first stage: with fewer micro-batches than stages, fewer are under way.
    const double underWay = std::min(1.0, static_cast<double>(job.microBatches()) / stages),
                 content = share * stages, // relative to a stage of mean size
        tokens = static_cast<double>(job.microBatch * model.sequenceTokens) / static_cast<double>(job.by(Parallel::Context));
    const double activations =
        activationBytesOfFirstStage(model, split) / static_cast<double>(job.by(Parallel::Context)) * underWay * content;
    const double ofOneLayer = activations / static_cast<double>(model.layers) / underWay;
    // Offloaded, those of the layer that is computed and of the one before it are still there.
    memory.activations = (plan.offload == Offload::Activations ? std::min(activations, 2 * ofOneLayer) : activations) / gib;
    // With full recomputation the activations of one layer are there while it runs backward.
    if (job.recompute == Recompute::Full) {
        ActivationSplit one = split;
        one.recompute = Recompute::None;
        one.interleave = 1;
        memory.activations += activationBytesOfFirstStage(model, one) / static_cast<double>(model.layers) /
                              static_cast<double>(job.by(Parallel::Context)) / gib;
    }
    memory.workspace = (calibration.reservedBytes + tokens * static_cast<double>(model.vocab) / t * (activationBytes + 4)) / gib; // logits
    memory.capacity = gpu.memoryBytes / gib;
    return memory;
}

} // namespace railyard
