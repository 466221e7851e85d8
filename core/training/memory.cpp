#include "core/training/memory.h"

#include "core/workload/activations.h"

#include <algorithm>
#include <vector>

namespace railyard {
namespace {

constexpr double gib = 1 << 30;
constexpr double optimizerBytes = 12;

// Of one layer and one micro-batch: bytes that are kept, and bytes that recomputation brings back for its backward pass.
struct Activations {
    double kept = 0, again = 0;
};

Activations activationsOf(const TrainingJob& job) {
    ActivationSplit split{job.microBatch, job.by(Parallel::Tensor), 1, 1, job.dividesSequence(), job.recompute, job.isAttentionFused};
    const double divisor = static_cast<double>(job.model.layers) * static_cast<double>(job.by(Parallel::Context));
    Activations bytes;
    bytes.kept = activationBytesOfFirstStage(job.model, split) / divisor;
    split.recompute = Recompute::None;
    bytes.again = activationBytesOfFirstStage(job.model, split) / divisor - bytes.kept;
    return bytes;
}

} // namespace

std::vector<StageContent> contentOfStages(const TrainingJob& job) {
    const TransformerModel& model = job.model;
    const std::int64_t stages = job.by(Parallel::Pipeline), each = model.layers / stages, left = model.layers % stages,
                       firstLonger = (stages - left) / 2;
    const auto t = static_cast<double>(job.by(Parallel::Tensor)), e = static_cast<double>(job.expertTensor() * job.expertRanks());
    std::vector<StageContent> result;
    std::int64_t layer = 0;
    for (std::int64_t s = 0; s < stages; ++s) {
        StageContent stage;
        stage.layers = each + (s >= firstLonger && s < firstLonger + left ? 1 : 0);
        for (const std::int64_t end = layer + stage.layers; layer < end; ++layer) stage.mixtures += model.hasExperts(layer) ? 1 : 0;
        const bool isFirst = s == 0, isLast = s + 1 == stages;
        stage.embeddings = isFirst && isLast && model.hasTiedEmbeddings ? 1 : (isFirst ? 1 : 0) + (isLast ? 1 : 0);
        stage.dense = (model.denseParametersOf(stage.layers, stage.mixtures) + stage.embeddings * model.embeddingParameters()) / t;
        stage.ofExperts = model.expertParametersOf(stage.mixtures) / e;
        result.push_back(stage);
    }
    return result;
}

double activationBytesOfStage(const TrainingJob& job, const StageContent& stage) {
    return activationsOf(job).kept * static_cast<double>(stage.layers);
}

JobMemory::JobMemory(const TrainingJob& job, const std::vector<StageContent>& stages, const MemoryLimits& limits,
                     const TrainingCalibration& calibration)
    : m_stages(job.by(Parallel::Pipeline)),
      m_microBatches(job.microBatches()),
      m_gradientBytes(job.gradientBytes),
      m_limits(limits) {
    const auto t = static_cast<double>(job.by(Parallel::Tensor)), c = static_cast<double>(job.by(Parallel::Context));
    m_expertRanks = static_cast<double>(job.expertReplicas());
    m_denseRanks = static_cast<double>(job.by(Parallel::Data) * job.by(Parallel::Expert)) * c;
    const Activations activations = activationsOf(job);
    m_ofLayer = activations.kept;
    m_again = activations.again;
    const double tokens = job.tokensOfMicroBatch() / c, logits = tokens * static_cast<double>(job.model.vocab) / t * (activationBytes + 4);
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const bool isLast = s + 1 == stages.size();
        if (s > 0 && !isLast && stages[s] == stages[s - 1]) continue;
        m_candidates.push_back({static_cast<std::int64_t>(s), static_cast<double>(stages[s].layers), stages[s].dense, stages[s].ofExperts,
                                calibration.reservedBytes + (isLast ? logits : 0)});
    }
}

// Model chunks whose activations the stage keeps at the same time: 1F1B, or its interleaved form (Narayanan et al., SC'21).
double JobMemory::chunksUnderWay(std::int64_t stage, std::int64_t interleave) const {
    const std::int64_t chunks = interleave == 1 ? m_stages - stage : m_stages * interleave + m_stages - 1 - 2 * stage;
    return static_cast<double>(std::min(chunks, m_microBatches * interleave));
}

TrainingMemory JobMemory::memoryOf(const Candidate& stage, const IterationSchedule& schedule) const {
    const double whole = stage.dense + stage.ofExperts, divided = stage.dense / m_denseRanks + stage.ofExperts / m_expertRanks;
    TrainingMemory memory;
    memory.parameters = parameterBytes * (schedule.zero >= 3 ? divided : whole) / gib;
    if (schedule.zero >= 3) // a layer is gathered while the one before it is computed
        memory.parameters += 2 * parameterBytes * whole / stage.layers / gib;
    memory.gradients = m_gradientBytes * (schedule.zero >= 2 ? divided : whole) / gib;
    const double updated = schedule.zero >= 1 ? divided : whole;
    if (schedule.offload == Offload::Optimizer)
        memory.host = (optimizerBytes + m_gradientBytes) * updated / gib;
    else
        memory.optimizer = optimizerBytes * updated / gib;
    const double underWay =
        m_ofLayer * stage.layers * chunksUnderWay(stage.stage, schedule.interleave) / static_cast<double>(schedule.interleave);
    // Offloaded, those of the layer that is computed and of the one before it are still there.
    const double held = schedule.offload == Offload::Activations ? std::min(underWay, 2 * m_ofLayer) : underWay;
    memory.activations = (held + m_again) / gib;
    if (schedule.offload == Offload::Activations) memory.host = (underWay - held) / gib;
    memory.workspace = stage.workspace / gib;
    memory.capacity = m_limits.gpuBytes / gib;
    memory.hostCapacity = m_limits.hostBytes / gib;
    return memory;
}

TrainingMemory JobMemory::at(const IterationSchedule& schedule) const {
    TrainingMemory fullest = memoryOf(m_candidates.front(), schedule);
    double host = fullest.host; // of the stage that needs most, which may be another one
    for (std::size_t i = 1; i < m_candidates.size(); ++i) {
        const TrainingMemory other = memoryOf(m_candidates[i], schedule);
        host = std::max(host, other.host);
        if (other.total() > fullest.total()) fullest = other;
    }
    fullest.host = host;
    return fullest;
}

TrainingMemory memoryOf(const TrainingJob& job, const TrainingPlan& plan, const std::vector<StageContent>& stages,
                        const MemoryLimits& limits, const TrainingCalibration& calibration) {
    return JobMemory(job, stages, limits, calibration).at(scheduleOf(job, plan));
}

} // namespace railyard
