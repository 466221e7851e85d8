// The speeds of the GPUs of a job, which may be of several generations.
#pragma once

#include "core/fabric/fabric.h"
#include "core/training/gpu_speed.h"
#include "core/training/memory.h"
#include "core/training/training_plan.h"

#include <vector>

namespace railyard {

// What a job finds on the GPUs that it takes.
struct StageSpeeds {
    std::vector<std::uint16_t> setOfStage;        // the GPUs of every stage, as an index into `sets`
    std::vector<std::vector<std::uint16_t>> sets; // different sets of kinds, as indices into PlacedSpeeds::kinds()
    double meanPeak = 0;                          // FLOP/s of one GPU
    MemoryLimits leastMemory;                     // 0 if that of a GPU is not known

    // Of every set, and of every stage, the kind that takes longest, which depends on the job: GPUs may have the same peak and differ in
    // memory bandwidth. `timeOfKind` is by kind.
    std::vector<std::size_t> slowestOfSets(const std::vector<Seconds>& timeOfKind) const;
    std::vector<std::size_t> slowestOfStages(const std::vector<Seconds>& timeOfKind) const;
};

class PlacedSpeeds {
public:
    // Of the first `count` of these GPUs. Errors: a GPU whose speed is not known; a selector of slow servers that matches no GPU.
    static Result<PlacedSpeeds> create(const Fabric& fabric, const std::vector<DeviceId>& gpus, std::int64_t count, Precision precision,
                                       const std::vector<SlowServers>& slow, const TrainingCalibration& calibration);
    const std::vector<GpuSpeed>& kinds() const { return m_kinds; } // one of each part and slowdown, in the order of ranks
    StageSpeeds speedsFor(const TrainingJob& job) const;           // which has no more ranks than there are GPUs

private:
    std::vector<GpuSpeed> m_kinds;
    std::vector<std::uint16_t> m_kindOf; // by rank; empty if all are of one kind
};

} // namespace railyard
