#include "widgets/views/training_answer.h"

#include "core/analysis/maps/decision.h"
#include "core/bill/cabling.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"
#include "core/training/search.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/plain_text.h"
#include "widgets/views/training_words.h"

namespace railyard {
namespace {

// In the fastest way, if there is one.
QString search(const Fabric& fabric, const TrainingCalibration& calibration, PlacedJob& placed, TrainingPlan& plan) {
    const auto found =
        searchTraining(fabric, placed.job, placed.gpus, plan, usualSpace(fabric, placed.job, placed.gpus), {}, {}, calibration);
    if (!found) return wordsOf(found.error());
    if (found->best.empty())
        return found->nearest ? trainingWords("Nothing fits in memory. The nearest: %1.").arg(text(found->nearest->reasons.front()))
                              : trainingWords("No division of these GPUs suits the model and the global batch.");
    placed.job = found->best.front().job;
    plan = found->best.front().plan;
    return {};
}

void estimateTwin(const PlacedJob& placed, const TrainingPlan& plan, TrainingAnswer& answer) {
    const Design& design = *answer.to.shown->design;
    const auto call =
        design.recipe ? twinOf(*design.recipe, *design.catalog) : Result<RecipeCall>(Error::usage("The design is hand-drawn."));
    const auto twin = call ? build(*call, "twin", design.catalog) : Result<Design>(call.errors());
    if (!twin) {
        answer.twinRefusal = wordsOf(twin.error());
        return;
    }
    const auto settings = resolve(*design.recipe, *design.catalog);
    answer.isRailOnly = settings && settings->family == RecipeFamily::RailOnly;
    answer.other = elaborate(std::make_shared<const Design>(*twin));
    auto there = estimateTraining(*answer.other, placedJob(placed.job, *answer.other, RankOrder::Near), plan, answer.to.constants());
    if (there)
        answer.twin = std::move(*there);
    else
        answer.twinRefusal = wordsOf(there.error());
}

} // namespace

TrainingAnswer trainingAnswer(const TrainingRequest& request) {
    TrainingAnswer answer;
    answer.to = request;
    const Fabric& fabric = *request.shown->fabric;
    PlacedJob placed = placedJob(request.asked.job, fabric, RankOrder::Near);
    TrainingPlan plan = request.asked.plan;
    if (placed.gpus.empty()) {
        answer.refusal = trainingWords("The design has no GPUs.");
        return answer;
    }
    if (request.isSearched) answer.refusal = search(fabric, request.constants(), placed, plan);
    if (!answer.refusal.isEmpty()) return answer;
    auto own = estimateTraining(fabric, placed, plan, request.constants());
    if (!own) {
        answer.refusal = wordsOf(own.error());
        return answer;
    }
    answer.own = std::move(*own);
    TrainingPlan serial = plan;
    serial.overlapsData = false;
    serial.overlapTensor = TensorOverlap::None;
    if (auto found = estimateTraining(fabric, placed, serial, request.constants())) answer.serial = std::move(*found);
    answer.cost = runCostOf(billOf(fabric, cablingOf(fabric)), countsOf(fabric).gpus, *answer.own);
    if (auto checks = checksOf(fabric, placed.gpus, request.constants())) answer.checks = std::move(*checks);
    estimateTwin(placed, plan, answer);
    return answer;
}

const std::vector<TrainingChart>& trainingCharts() {
    static const std::vector<TrainingChart> all{
        {trainingWords("MFU over GPUs"), {TrainingAxis::Gpus}, true},
        {trainingWords("Days over GPUs"), {TrainingAxis::Gpus}, true},
        {trainingWords("MFU over the global batch"), {TrainingAxis::Batch}, true},
        {trainingWords("Speed-up over bandwidth"), {TrainingAxis::Network, TrainingAxis::Hb}, false},
        {trainingWords("Exposed network over bandwidth"), {TrainingAxis::Network, TrainingAxis::Hb}, false},
        {trainingWords("Iteration over HB-domain size"), {TrainingAxis::HbDomain}, false}};
    return all;
}

TrainingChartAnswer trainingChart(const TrainingChartRequest& request) {
    TrainingChartAnswer answer;
    answer.chart = request.chart;
    const TrainingChart& chart = trainingCharts()[static_cast<std::size_t>(request.chart)];
    const auto add = [&](const QString& name, const Fabric& fabric, TrainingAxis axis) {
        auto curve = trainingCurve(fabric, placedJob(request.asked.job, fabric, RankOrder::Near), request.asked.plan, axis,
                                   request.calibration ? *request.calibration : shippedTrainingCalibration());
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
