// One iteration of a training job for an animated drawing: the kinds of communication in the order in which they begin, with what every
// link carries in them.
#pragma once

#include "core/collective/played_steps.h"
#include "core/training/training.h"

namespace railyard {

// A step takes as long as its messages take one after the other, whether or not computing hides them; its sentence says how much of it is
// exposed. Parameters are gathered before the forward pass; messages of tensor, context, expert and pipeline parallelism come in both
// passes; gradients end the iteration.
class IterationSteps : public PlayedSteps {
public:
    // Errors: those of estimateTraining.
    static Result<IterationSteps> create(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                         const TrainingCalibration& calibration = shippedTrainingCalibration());

    std::string name() const override { return "iteration"; }
    std::string title() const override; // "One iteration of Llama-3 70B on 256 GPUs: 4.75 s, exposed network share 42.8 %"
    const std::vector<CollectiveStep>& steps() const override { return m_steps; }
    std::vector<std::pair<DeviceId, DeviceId>> hopsOf(std::size_t step) const override; // empty if they are too many to be drawn
    Result<LinkLoads> loadsOf(const Fabric& fabric, std::size_t step) const override;
    const TrainingEstimate& estimate() const { return m_estimate; }
    Parallel kindOf(std::size_t step) const { return m_kinds[step]; }
    const std::vector<DeviceId>& gpus() const { return m_gpus; }                          // by rank
    const std::vector<GpuFlow>& flowsOf(std::size_t step) const { return m_flows[step]; } // bytes

private:
    TrainingEstimate m_estimate;
    std::vector<DeviceId> m_gpus;
    std::vector<CollectiveStep> m_steps;
    std::vector<Parallel> m_kinds;                                  // by step
    std::vector<std::vector<GpuFlow>> m_flows;                      // by step
    std::vector<std::vector<std::pair<DeviceId, DeviceId>>> m_hops; // by step
};

} // namespace railyard
