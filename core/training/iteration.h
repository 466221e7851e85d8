// The schedule of one iteration: compute times of the stages and communication, put together as 1F1B, interleaved or not.
#pragma once

#include "core/training/group_times.h"
#include "core/training/layer_times.h"
#include "core/training/memory.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace railyard {

// One division of a job, with its micro-batch and recomputation. Everything that does not depend on the schedule is computed once, so that
// a search can cost many configurations quickly.
class Iteration {
public:
    // `ofStages`: times of the slowest GPU of every pipeline stage, `speeds` these GPUs, `content` of the stages. `slowdown`: time of
    // computing / normal, as all wait for stragglers. All arguments must outlive this.
    Iteration(const TrainingJob& job, const TrainingPlan& plan, const std::vector<ModelTimes>& ofStages,
              const std::vector<GpuSpeed>& speeds, const std::vector<StageContent>& content, double slowdown,
              const TrainingCalibration& calibration, GroupTimes& groups);

    // Bubble of the ideal time: (p - 1) / (m v) (Narayanan et al., SC'21). Errors: ranks that cannot reach each other.
    Result<TrainingBreakdown> at(const IterationSchedule& schedule);

    // The passes of a micro-batch through a stage, with what nothing hides of its messages within the stage; recomputation is backward.
    struct Passes {
        Seconds forward, backward;
        Seconds forwardMessages = {}; // of `forward`
    };
    Result<std::vector<Passes>> passesOfStages(TensorOverlap overlap);
    Result<Seconds> boundary(); // sending from a chunk to the next one

private:
    // Communication of one layer and micro-batch, before anything hides it.
    struct LayerMessages {
        Seconds tensorForward, tensorBackward, tensorRecompute;
        Seconds contextStep; // one exchange of keys and values with a neighbour
        Seconds exchange;    // one all-to-all of a layer with experts
        Seconds embedding;   // all-reduce of the tokens of a micro-batch
        Seconds boundary;    // from a stage to the next one
    };
    // Of one stage and one micro-batch, without what it sends to the next stage.
    struct StageTimes {
        Seconds forward, backward, recompute, tensor, context, expert;
        Seconds forwardMessages; // of tensor, context and expert
        Seconds total() const { return forward + backward + recompute + tensor + context + expert; }
    };
    // Gradients and parameters of the longest stage, in buckets where they overlap, otherwise in one message.
    struct DataTimes {
        Seconds gradients, parameters, lastOfGradients, firstOfParameters, tied;
    };
    // With one way of overlapping the messages of tensor parallelism.
    struct Stages {
        StageTimes slowest;
        Seconds others; // of all stages but the slowest
        std::size_t worst = 0;
        double activationBytes = 0;                                  // of the slowest, for one micro-batch
        std::array<std::array<std::optional<DataTimes>, 2>, 2> data; // by whether the optimizer is divided, and whether they overlap
    };

    Status prepare();
    Status findMessages();
    Stages stagesWith(TensorOverlap overlap) const;
    StageTimes stageTimes(std::size_t stage, TensorOverlap overlap) const;
    void addLayer(StageTimes& stage, const LayerTimes& layer, TensorOverlap overlap, bool hasExperts, double count) const;
    Result<const DataTimes*> dataTimes(Stages& stages, bool isDivided, bool overlaps);
    Status addMessages(RankGroup group, double parameters, double messages, bool isDivided, DataTimes& into);
    Seconds exposedData(const Stages& stages, const DataTimes& data, const IterationSchedule& schedule) const;
    Seconds exposedOffload(const Stages& stages, Offload offload, double updated) const;

    const TrainingJob& m_job;
    const TrainingPlan& m_plan;
    const std::vector<ModelTimes>& m_times;
    const std::vector<GpuSpeed>& m_speeds;
    const std::vector<StageContent>& m_content;
    const TrainingCalibration& m_calibration;
    const double m_slowdown;
    GroupTimes& m_groups;
    bool m_isPrepared = false;
    LayerMessages m_messages;
    std::array<std::optional<Stages>, 3> m_stages; // by TensorOverlap
};

} // namespace railyard
