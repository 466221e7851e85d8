#include "widgets/views/training_answer.h"

#include "core/analysis/maps/decision.h"
#include "core/bill/cabling.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"
#include "core/training/search_placements.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"
#include "widgets/views/training_words.h"

#include <algorithm>
#include <thread>

namespace railyard {
namespace {

// The request that asks for a found job: data parallelism is left to the program where it takes all GPUs anyway.
JobRequest requestOf(const TrainingEstimate& best, const std::vector<PlacementChoice>& choices, const JobRequest& asked) {
    JobRequest found = asked;
    found.planned = {best.job, best.plan};
    const PlacementChoice& last = choices.back();
    const bool isAligned = last.perDomain > 0 && best.alignment.gpusPerDomain <= last.perDomain;
    if (isAligned) found.perDomain = last.perDomain;
    // Experts that share the ranks of the rest are stated by both degrees; without dp they would get ranks of their own.
    if (TrainingJob& job = found.planned.job; job.isExpertFolded()) {
        job.degrees[static_cast<std::size_t>(Parallel::Expert)] = job.expertRanks();
        job.expertFold = 1;
    } else if (best.job.gpus() == static_cast<std::int64_t>((isAligned ? last : choices.front()).gpus.size()))
        found.planned.job.degrees[static_cast<std::size_t>(Parallel::Data)] = 0;
    return found;
}

// In the fastest way, if there is one.
void search(const PlacedJob& placed, TrainingAnswer& answer, const TaskContext& context) {
    const Fabric& fabric = *answer.to.degraded;
    const TrainingPlan& plan = answer.to.asked.planned.plan;
    constexpr double headRoom = 0.05; // for what frameworks, fragmentation and longer inputs take
    SearchRequest request{.threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 256u)),
                          .memoryShare = 1 - headRoom};
    const auto choices =
        answer.to.asked.perDomain > 0 ? std::vector<PlacementChoice>{{placed.gpus, 0}} : placementsToTry(fabric, placed.gpus);
    const auto search = [&] {
        const auto spaceOf = [&](const std::vector<DeviceId>& gpus) { return usualSpace(fabric, placed.job, gpus); };
        return searchPlacements(fabric, placed.job, choices, plan, spaceOf, request, context.stop, answer.to.constants());
    };
    auto result = search();
    if (result && result->best.empty() && result->isComplete) { // better a tight one than none
        request.memoryShare = 1;
        result = search();
    }
    if (!result) return void(answer.refusal = wordsOf(result.error()));
    answer.isStopped = !result->isComplete;
    if (!result->best.empty())
        answer.found = requestOf(result->best.front(), choices, answer.to.asked);
    else if (answer.isStopped)
        return;
    else if (result->nearest)
        answer.refusal = trainingWords("Nothing fits in memory. The nearest: %1.").arg(text(result->nearest->reasons.front()));
    else if (result->problems.empty())
        answer.refusal = trainingWords("No division of these GPUs suits the model and the global batch.");
    else
        answer.refusal = trainingWords("No division of these GPUs suits the model and the global batch. The nearest: %1")
                             .arg(wordsOf(result->problems.front()));
}

void estimateTwin(const JobRequest& job, TrainingAnswer& answer) {
    const Design& design = *answer.to.shown->design;
    const auto twin = design.recipe ? twinOf(design) : Result<Design>(Error::usage("The design is hand-drawn."));
    if (!twin) {
        answer.twinRefusal = wordsOf(twin.error());
        return;
    }
    const auto settings = resolve(*design.recipe, *design.catalog);
    answer.isRailOnly = settings && settings->family == RecipeFamily::RailOnly;
    answer.other = elaborate(std::make_shared<const Design>(*twin));
    answer.moreForTwin = differenceOf(answer.to.shown->instant.bill, billOf(*answer.other, cablingOf(*answer.other)), &Bill::network);
    const auto placed = placedOn(*answer.other, job);
    auto there = placed ? estimateTraining(*answer.other, *placed, job.planned.plan, answer.to.constants())
                        : Result<TrainingEstimate>(placed.errors());
    if (there)
        answer.twin = std::move(*there);
    else
        answer.twinRefusal = wordsOf(there.error());
}

} // namespace

TrainingAnswer trainingAnswer(const TrainingRequest& request, const TaskContext& context) {
    TrainingAnswer answer;
    answer.to = request;
    const Fabric& fabric = *request.degraded;
    const auto on = placedOn(fabric, request.asked);
    if (on && on->gpus.empty()) answer.refusal = trainingWords("The design has no GPUs.");
    if (!on) answer.refusal = wordsOf(on.error());
    if (!answer.refusal.isEmpty()) return answer;
    PlacedJob placed = *on;
    if (request.isSearched) search(placed, answer, context);
    if (!answer.refusal.isEmpty()) return answer;
    const JobRequest job = answer.found.value_or(request.asked);
    const TrainingPlan& plan = job.planned.plan;
    if (answer.found)
        if (auto again = placedOn(fabric, job)) placed = std::move(*again);
    auto own = estimateTraining(fabric, placed, plan, request.constants());
    if (!own) {
        answer.refusal = wordsOf(own.error());
        return answer;
    }
    answer.own = std::move(*own);
    if (auto found = estimateTraining(fabric, placed, withoutOverlap(plan), request.constants())) answer.serial = std::move(*found);
    answer.cost = runCostOf(request.shown->instant.bill, request.shown->instant.counts.gpus, *answer.own);
    if (auto checks = checksOf(fabric, placed.gpus, request.constants())) answer.checks = std::move(*checks);
    if (!request.hasFailures()) {
        estimateTwin(job, answer);
    } else if (const auto before = placedOn(*request.shown->fabric, job)) {
        if (auto found = estimateTraining(*request.shown->fabric, *before, plan, request.constants())) answer.intact = std::move(*found);
    }
    return answer;
}

const std::vector<TrainingChart>& trainingCharts() {
    static const std::vector<TrainingChart> all{
        {"timeline", trainingWords("Timeline of the pipeline"), {}, false},
        {"mfu-over-gpus", trainingWords("MFU over GPUs"), {TrainingAxis::Gpus}, true},
        {"days-over-gpus", trainingWords("Days over GPUs"), {TrainingAxis::Gpus}, true},
        {"mfu-over-batch", trainingWords("MFU over the global batch"), {TrainingAxis::Batch}, true},
        {"speed-up", trainingWords("Speed-up over bandwidth"), {TrainingAxis::Network, TrainingAxis::Hb}, false},
        {"exposed", trainingWords("Exposed network over bandwidth"), {TrainingAxis::Network, TrainingAxis::Hb}, false},
        {"hb-domain", trainingWords("Iteration over HB-domain size"), {TrainingAxis::HbDomain}, false}};
    return all;
}

std::string trainingChartKeys() {
    std::string keys;
    for (const TrainingChart& chart : trainingCharts()) keys += (keys.empty() ? "" : ", ") + std::string(chart.key);
    return keys;
}

void addTwin(TrainingChartRequest& request) {
    const Design& design = *request.fabric->design;
    const auto twin = design.recipe ? twinOf(design) : Result<Design>(Error::usage("The design is hand-drawn."));
    const auto settings = twin ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(twin.errors());
    if (!settings) return;
    request.isRailOnly = settings->family == RecipeFamily::RailOnly;
    request.other = elaborate(std::make_shared<const Design>(*twin));
}

TrainingChartAnswer trainingChart(const TrainingChartRequest& request, const TaskContext& context) {
    TrainingChartAnswer answer;
    answer.chart = request.chart;
    const TrainingChart& chart = trainingCharts()[static_cast<std::size_t>(request.chart)];
    const TrainingCalibration& calibration = request.calibration ? *request.calibration : shippedTrainingCalibration();
    if (answer.isTimeline()) {
        const auto placed = placedOn(*request.fabric, request.asked);
        auto timeline = placed ? pipelineTimeline(*request.fabric, *placed, request.asked.planned.plan, calibration)
                               : Result<PipelineTimeline>(placed.errors());
        timeline ? void(answer.timeline = std::make_shared<const PipelineTimeline>(std::move(*timeline)))
                 : void(answer.refusal = wordsOf(timeline.error()));
        return answer;
    }
    const auto add = [&](const QString& name, const Fabric& fabric, TrainingAxis axis) {
        const auto placed = placedOn(fabric, request.asked);
        auto curve = placed ? trainingCurve(fabric, *placed, request.asked.planned.plan, axis, calibration, context)
                            : Result<TrainingCurve>(placed.errors());
        if (curve)
            answer.lines.push_back({name, std::move(*curve)});
        else if (answer.refusal.isEmpty())
            answer.refusal = wordsOf(curve.error());
    };
    for (const TrainingAxis axis : chart.axes)
        add(chart.axes.size() == 1          ? trainingWords("This design")
            : axis == TrainingAxis::Network ? trainingWords("NICs and switches")
                                            : trainingWords("HB links"),
            *request.fabric, axis);
    if (chart.isOfTwin && request.other)
        add(request.isRailOnly ? trainingWords("Rail-optimized") : trainingWords("Rail-only"), *request.other, chart.axes.front());
    return answer;
}

} // namespace railyard
