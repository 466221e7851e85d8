#include "app/cli/options/train_options.h"
#include "app/cli/verbs/verb.h"
#include "core/base/unit_text.h"
#include "core/io/results/training_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct CurveOptions {
    std::string over;
};

void print(const TrainingCurve& curve) {
    fmt::print("{:>12} {:>12} {:>8} {:>10} {:>10}\n", toText(curve.axis), "iteration", "MFU", "exposed", "days");
    for (const TrainingPoint& point : curve.points) {
        if (!point.estimate) {
            fmt::print("{:>12g} {}\n", point.x, point.why);
            continue;
        }
        const TrainingEstimate& e = *point.estimate;
        fmt::print("{:>12g} {:>12} {:>6.1f} % {:>8.1f} % {:>10.3g}{}\n", point.x, formatSeconds(e.iteration), e.modelShare() * 100,
                   e.breakdown.exposed() / e.iteration * 100, e.days(), e.isFeasible() ? "" : "  does not fit");
    }
}

int runTrain(const TrainOptions& o, const CurveOptions& curveOptions, const AnswerOptions& answer) {
    const auto calibration = o.calibration();
    if (!calibration) return report(calibration.errors());
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    const auto placed = o.placedOn(*loaded->fabric);
    if (!placed) return report(placed.errors());
    std::optional<TrainingCurve> curve;
    if (!curveOptions.over.empty()) {
        const auto axis = std::find(trainingAxisNames.begin(), trainingAxisNames.end(), curveOptions.over) - trainingAxisNames.begin();
        auto found = trainingCurve(*loaded->fabric, *placed, o.plan(), static_cast<TrainingAxis>(axis), *calibration);
        if (!found) return report(found.errors());
        curve = std::move(*found);
    }
    const auto estimate = estimateTraining(*loaded->fabric, *placed, o.plan(), *calibration);
    if (!estimate) return report(estimate.errors());
    const auto checks = checksOf(*loaded->fabric, placed->gpus, *calibration);
    if (!checks) return report(checks.errors());
    const int code = estimate->isFeasible() ? 0 : 1;
    Json json = toJson(*estimate);
    if (curve) json["curve"] = toJson(*curve);
    if (!checks->empty()) json["calibration_checks"] = toJson(*checks);
    if (!answer.wantsText()) return answer.give(withFailures(json, o.input), code);
    printEstimate(*estimate);
    printChecks(*checks);
    if (curve) print(*curve);
    return code;
}

Run addTrain(CLI::App& verb) {
    auto train = std::make_shared<TrainOptions>();
    auto answer = std::make_shared<AnswerOptions>();
    auto curve = std::make_shared<CurveOptions>();
    train->addTo(verb);
    verb.add_option(
            "--over", curve->over,
            "also the same job over gpus, batch, network (speed of NICs and switches), hb (speed of HB links) or hb-domain (its size)")
        ->check(CLI::IsMember(std::vector<std::string>(trainingAxisNames.begin(), trainingAxisNames.end())));
    answer->addTo(verb);
    return [=] { return runTrain(*train, *curve, *answer); };
}

} // namespace

const VerbInfo trainVerb{"train", "estimate the iteration time, memory and utilisation of a training job", neverShowsPrices, addTrain};

} // namespace railyard::cli
