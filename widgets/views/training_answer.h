// What the Training view shows, computed in any thread.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/analysis/curves/training_curves.h"
#include "core/analysis/metrics/run_cost.h"
#include "core/training/job_request.h"
#include "core/training/measurements.h"
#include "core/training/pipeline_timeline.h"

#include <optional>

namespace railyard {

struct TrainingRequest {
    SnapshotPointer shown;
    FabricPointer degraded; // with current failures; that of the snapshot without
    JobRequest asked;
    bool isSearched = false;
    std::shared_ptr<const TrainingCalibration> calibration = {}; // null: the shipped one

    bool hasFailures() const { return degraded != shown->fabric; }
    const TrainingCalibration& constants() const { return calibration ? *calibration : shippedTrainingCalibration(); }
};

struct TrainingAnswer {
    TrainingRequest to;
    std::optional<JobRequest> found; // by a search
    bool isStopped = false;          // it was, so that `found` is the fastest of what had been tried; without one `own` is what was asked
    // `serial`: if no communication overlapped with computing. With failures `intact`, without them `twin`.
    std::optional<TrainingEstimate> own, serial, intact, twin;
    std::vector<CalibrationCheck> checks;
    RunCost cost;
    QString refusal, twinRefusal;
    FabricPointer other;              // of the twin
    std::optional<Money> moreForTwin; // network cost of the twin, compared with this design; empty if the two cover different things
    bool isRailOnly = false;
};
TrainingAnswer trainingAnswer(const TrainingRequest& request, const TaskContext& context = {}); // a stop ends a search

// The same job over one quantity, on this design and, where they differ, on the other layout.
struct TrainingChartRequest {
    FabricPointer fabric, other;
    JobRequest asked;
    bool isRailOnly = false;
    int chart = 0; // of trainingCharts
    std::shared_ptr<const TrainingCalibration> calibration = {};
};
struct TrainingChart {
    std::string_view key; // of `render --view training:CHART`
    QString name;
    std::vector<TrainingAxis> axes; // a line each; none: the timeline of the pipeline
    bool isOfTwin = false;          // a line for the other layout too
};
const std::vector<TrainingChart>& trainingCharts();
std::string trainingChartKeys();             // timeline, mfu-over-gpus and so on
void addTwin(TrainingChartRequest& request); // the other layout of the design; nothing if there is none

struct TrainingChartAnswer {
    struct Line {
        QString name;
        TrainingCurve curve;
    };
    std::vector<Line> lines;
    std::shared_ptr<const PipelineTimeline> timeline;
    QString refusal;
    int chart = 0;
    bool isTimeline() const { return trainingCharts()[static_cast<std::size_t>(chart)].axes.empty(); }
};
TrainingChartAnswer trainingChart(const TrainingChartRequest& request, const TaskContext& context = {});

} // namespace railyard
