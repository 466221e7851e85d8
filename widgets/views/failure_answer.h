// What the Failure view shows, computed in any thread.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/analysis/curves/failure_curves.h"
#include "core/reliability/reliability_parameters.h"
#include "core/reliability/remedies.h"
#include "core/reliability/single_failures.h"
#include "core/reliability/worst_pair.h"
#include "widgets/plots/band_plot.h"

#include <optional>

namespace railyard {

struct FailureRequest {
    SnapshotPointer shown;
    FabricPointer degraded; // with current failures
    ReliabilityRequest asked;
};

// How often, what one and two failures take, what helps, and what to do about a dead leaf.
struct FailureAnswer {
    FailureRequest to;
    QString refusal; // why there is nothing
    Reliability reliability;
    std::vector<SingleFailure> failures;
    std::optional<PairFailure> pair;
    std::vector<Remedy> remedies;
    std::optional<LeafPolicies> policies;
    QString policyRefusal;
};
FailureAnswer failureAnswer(const FailureRequest& request, const TaskContext& context = {});

// Standbys, remaining bandwidth and job sizes; these take longer.
struct FailureCurvesAnswer {
    FailureRequest to;
    StandbyCurve standbys;
    BandwidthLeftCurve own, twin;
    std::vector<JobSizePoint> sizes;
    bool isRailOnly = false;
};
FailureCurvesAnswer failureCurves(const FailureRequest& request, const TaskContext& context = {});

// The charts of `render --view failure:CHART`, with their title sentences. Without points where there is nothing to draw.
BandData standbyChart(const FailureCurvesAnswer& answer);
BandData bandwidthChart(const FailureCurvesAnswer& answer);
BandData jobSizeChart(const FailureCurvesAnswer& answer);

struct FailureChart {
    std::string_view key; // of `render --view failure:CHART`
    BandData (*data)(const FailureCurvesAnswer& answer);
};
const std::vector<FailureChart>& failureCharts();
std::string failureChartKeys(); // with the component table

QString failureHeadline(const Reliability& reliability); // "A job on 3,968 GPUs is interrupted every 17.5 h; GPUs cause 88 %"
QString failureSubtitle(const Reliability& reliability);
QString standbyVerdict(const StandbyCurve& curve); // which number of standbys minimises the cost per token, and why; empty: none
QString policyVerdict(const LeafPolicies& policies);
QString pairSentence(const PairFailure& pair);
QString remedyLines(const std::vector<Remedy>& remedies); // a line each

} // namespace railyard
