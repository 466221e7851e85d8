#include "app/cli/options/train_options.h"
#include "app/cli/verbs/verb.h"
#include "core/io/results/training_json.h"

#include <memory>

namespace railyard::cli {
namespace {

int runTrain(const TrainOptions& o, const AnswerOptions& answer) {
    const auto calibration = o.calibration();
    if (!calibration) return report(calibration.errors());
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    const auto placed = o.placedOn(*loaded->fabric);
    if (!placed) return report(placed.errors());
    const auto estimate = estimateTraining(*loaded->fabric, *placed, o.plan(), *calibration);
    if (!estimate) return report(estimate.errors());
    const int code = estimate->isFeasible() ? 0 : 1;
    if (!answer.wantsText()) return answer.give(withFailures(toJson(*estimate), o.input), code);
    printEstimate(*estimate);
    return code;
}

Run addTrain(CLI::App& verb) {
    auto train = std::make_shared<TrainOptions>();
    auto answer = std::make_shared<AnswerOptions>();
    train->addTo(verb);
    answer->addTo(verb);
    return [=] { return runTrain(*train, *answer); };
}

} // namespace

const VerbInfo trainVerb{"train", "estimate the iteration time, memory and utilisation of a training job", neverShowsPrices, addTrain};

} // namespace railyard::cli
