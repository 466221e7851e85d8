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

// What hides messages. Computing, and each kind of wire (host link, NICs, links within an HB domain), do one thing at a time; different
// ones work at the same time. A pass therefore takes as long as the busiest of them, and no computing hides two messages of the same wire:
// * Messages within a layer (TP, CP) hide behind parts of it that no other message within the layer hides behind.
// * Gradients and parameters (DP) are sent while a pass runs, whether it computes or waits for messages within its layers, except while
//   those are on the wire that DP uses.
// * Offload hides behind the passes and, at the end of the iteration, behind what DP exposes.
// So an iteration with computing F, offload O and gradients D takes max(F, O, D), never O + D - F, and slower parts make nothing faster.
//
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
        Seconds exchange;    // tokens to the experts of a layer and back
        Seconds embedding;   // all-reduce of the tokens of a micro-batch
        Seconds boundary;    // from a stage to the next one
        // Sent over NICs as those of data parallelism are, or within an HB domain as those.
        bool isTensorOnDataWire = false, isContextOnDataWire = false, isExpertOnDataWire = false;
    };
    // Of one stage and one micro-batch, without what it sends to the next stage.
    struct StageTimes {
        Seconds forward, backward, recompute, tensor, context, expert;
        Seconds forwardMessages;           // of tensor, context and expert
        Seconds forwardBusy, backwardBusy; // in which messages of a pass, hidden or not, are on the wire of data parallelism
        Seconds total() const { return forward + backward + recompute + tensor + context + expert; }
        Seconds forwardPass() const { return forward + forwardMessages; }
        Seconds backwardPass() const { return total() - forwardPass(); }
    };
    // Gradients and parameters of a stage, in buckets where they overlap, otherwise in one message. A full bucket, at least, is sent after
    // the last gradient is computed, or before the first parameter is used.
    struct DataTimes {
        Seconds gradients, parameters, lastOfGradients, firstOfParameters, tied;
    };
    struct Stage {
        std::size_t index = 0;
        StageTimes times;
        double activationBytes = 0;                                  // for one micro-batch
        std::array<std::array<std::optional<DataTimes>, 2>, 2> data; // by whether the optimizer is divided, and whether they overlap
    };
    // With one way of overlapping the messages of tensor parallelism.
    struct Stages {
        Seconds all;             // one micro-batch through all stages
        std::vector<Stage> last; // with one of these the iteration may end; no other takes longer in anything
    };

    Status prepare();
    double slowdownOf(std::size_t stage) const; // a server that is known to be slow hides stragglers that are faster
    Status findMessages();
    Stages stagesWith(TensorOverlap overlap) const;
    StageTimes stageTimes(std::size_t stage, TensorOverlap overlap) const;
    void addLayer(StageTimes& stage, const LayerTimes& layer, TensorOverlap overlap, bool hasExperts, double count) const;
    bool isCovered(const Stage& stage, const Stage& by) const;
    Result<TrainingBreakdown> breakdownOf(Stage& stage, Seconds allStages, const IterationSchedule& schedule);
    Result<const DataTimes*> dataTimes(Stage& stage, bool isDivided, bool overlaps);
    Status addMessages(RankGroup group, double parameters, double bucket, bool isDivided, DataTimes& into);
    double roundsAtOnce(const IterationSchedule& schedule) const;
    struct ExposedData {
        Seconds backward, forward;
    };
    ExposedData exposedData(const StageTimes& stage, const DataTimes& data, Seconds offloaded, const IterationSchedule& schedule) const;
    Seconds offloadedActivations(const Stage& stage, const IterationSchedule& schedule) const;
    Seconds exposedOffload(const Stage& stage, const IterationSchedule& schedule, double updated, Seconds exposedGradients) const;
    double updatedParameters(const Stage& stage, int zero) const;

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
