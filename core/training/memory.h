// Memory that a training job needs on its fullest GPU.
#pragma once

#include "core/training/gpu_speed.h"
#include "core/training/training_plan.h"

namespace railyard {

// What a pipeline stage consists of.
struct StageContent {
    std::int64_t layers = 0, mixtures = 0; // `mixtures`: layers with experts
    double embeddings = 0;                 // tables of the vocabulary: of the embedding, of the head
    double dense = 0, ofExperts = 0;       // parameters of one rank, `dense` with the tables
    bool operator==(const StageContent&) const = default;
};
// Layers need not divide: the stages in the middle take one more, since the first also holds the embedding and the last the head.
std::vector<StageContent> contentOfStages(const TrainingJob& job);

double activationBytesOfStage(const TrainingJob& job, const StageContent& stage); // of one micro-batch

struct MemoryLimits {                   // bytes of a GPU; 0: not known
    double gpuBytes = 0, hostBytes = 0; // `hostBytes`: its share of the memory of its host
};

// Of the GPU that needs most, among those of the stages. Parameters in 2 bytes, gradients as the job says, and 12 bytes for each parameter
// in the optimizer (a copy in 32 bits and two moments), divided as ZeRO says (Rajbhandari et al., SC'20). Activations: activations.h, for
// the micro-batches that are under way in the stage, and of the layer whose backward pass is computed also those that recomputation brings
// back: all of its activations are there at that time, whatever is recomputed. The last stage also holds logits.
// Of the host: an offloaded optimizer with the gradients that it takes, or offloaded activations.
class JobMemory {
public:
    // Of `job` the schedule does not count.
    JobMemory(const TrainingJob& job, const std::vector<StageContent>& stages, const MemoryLimits& limits,
              const TrainingCalibration& calibration);
    TrainingMemory at(const IterationSchedule& schedule) const;

private:
    struct Candidate { // the first of the stages that hold the same, which keeps most activations, and the last stage
        std::int64_t stage = 0;
        double layers = 0, dense = 0, ofExperts = 0;
        double workspace = 0; // bytes
    };
    TrainingMemory memoryOf(const Candidate& stage, const IterationSchedule& schedule) const;
    double chunksUnderWay(std::int64_t stage, std::int64_t interleave) const;

    std::vector<Candidate> m_candidates;
    std::int64_t m_stages = 1, m_microBatches = 1;
    double m_denseRanks = 1, m_expertRanks = 1; // that hold the same parameters
    double m_gradientBytes = 4;
    MemoryLimits m_limits;
    double m_ofLayer = 0, m_again = 0; // activations of a micro-batch and layer: kept, and computed again while its backward pass runs
};
TrainingMemory memoryOf(const TrainingJob& job, const TrainingPlan& plan, const std::vector<StageContent>& stages,
                        const MemoryLimits& limits, const TrainingCalibration& calibration);

} // namespace railyard
