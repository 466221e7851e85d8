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

// One division of a job, with its micro-batch and recomputation. Everything that does not depend on interleaving and ZeRO is computed once,
// so that a search can cost many configurations quickly.
class Iteration {
public:
    // `ofStages`: times of the slowest GPU of every pipeline stage, `speeds` these GPUs. All arguments must outlive this.
    Iteration(const TrainingJob& job, const TrainingPlan& plan, const std::vector<ModelTimes>& ofStages,
              const std::vector<GpuSpeed>& speeds, const TrainingCalibration& calibration, GroupTimes& groups);

    // Bubble of the ideal time: (p - 1) / (m v) (Narayanan et al., SC'21). Errors: ranks that cannot reach each other.
    Result<TrainingBreakdown> at(std::int64_t interleave, int zero);

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
        Seconds total() const { return forward + backward + recompute + tensor + context + expert; }
    };
    // Gradients and parameters of the longest stage, in as many messages as it has layers where they overlap, otherwise in one.
    struct DataTimes {
        Seconds gradients, parameters, lastOfGradients, firstOfParameters, tied;
    };

    Status prepare();
    Status findMessages();
    StageTimes stageTimes(std::size_t stage) const;
    void addLayer(StageTimes& stage, const LayerTimes& layer, bool hasExperts, double count) const;
    Seconds exposedForward(const LayerTimes& layer, Seconds comm) const;
    Seconds exposedBackward(const LayerTimes& layer, Seconds comm) const;
    Result<const DataTimes*> dataTimes(bool isDivided);
    Status addMessages(const std::vector<Parallel>& over, double parameters, double messages, bool isDivided, DataTimes& into);
    Seconds exposedData(const DataTimes& data, int zero) const;
    Seconds exposedOffload(double updated) const;

    const TrainingJob& m_job;
    const TrainingPlan& m_plan;
    const std::vector<ModelTimes>& m_times;
    const std::vector<GpuSpeed>& m_speeds;
    const TrainingCalibration& m_calibration;
    GroupTimes& m_groups;
    const std::vector<StageContent> m_content;
    bool m_isPrepared = false;
    LayerMessages m_messages;
    StageTimes m_slowest;
    Seconds m_others; // of all stages but the slowest
    std::size_t m_worst = 0;
    std::array<std::optional<DataTimes>, 2> m_data; // without and with a divided optimizer
};

} // namespace railyard
