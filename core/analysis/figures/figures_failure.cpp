#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"
#include "core/base/unit_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

using Asked = const FigureQuery&;
using Source = const FigureSource&;

// Where lifetimes are not exponential, or some servers fail more often, the probability does not follow from the mean rates.
bool hasConstantRates(Asked asked) {
    const Reliability& known = asked.source.background->interrupts;
    return std::all_of(known.components.begin(), known.components.end(), [&](const FailureComponent& part) {
        const double constant = part.rate.base.value_or(0) * known.horizonHours / hoursPerYear;
        return std::abs(part.hazard.value_or(constant) - constant) <= 1e-9 * constant;
    });
}

// gpu_count * gpu_rate + …; interrupts a year. Or with the hazard of each within the horizon.
std::string sumOf(Asked asked, std::vector<ExplainedInput>& inputs, bool isOfHazards) {
    const std::string factor = isOfHazards ? "hazard" : "rate";
    std::string rates;
    std::map<std::string, int> known; // a kind of several parts has a row for each
    for (const FailureComponent& part : asked.source.background->interrupts.components) {
        if (!part.interruptsJob || !part.rate.base) continue;
        std::string name = identifier(std::string(toText(part.kind)));
        if (const int number = ++known[name]; number > 1) name += fmt::format("_{}", number);
        rates += fmt::format("{}{}_count * {}_{}", rates.empty() ? "" : " + ", name, name, factor);
        inputs.push_back(
            {name + "_count", static_cast<double>(part.count), "", "parts of which one failure interrupts a job on all GPUs", "counted"});
        if (isOfHazards)
            inputs.push_back({name + "_hazard", part.hazard.value_or(0), "",
                              "-ln of the probability that one of them does not fail within the horizon", "derived"});
        else
            inputs.push_back({name + "_rate", *part.rate.base, "1/year", part.rate.source, "derived"});
    }
    return rates;
}
std::string ratesOf(Asked asked, std::vector<ExplainedInput>& inputs) { return sumOf(asked, inputs, false); }

const ExplainedInput year{"hours_per_year", hoursPerYear, "h", "by definition", "assumption"};

Origin originOfProbability(Asked asked) {
    if (!asked.value) return unknownBecause("the job uses no components");
    Origin origin;
    if (!hasConstantRates(asked)) {
        origin.formula = fmt::format("1 - exp(-({}))", sumOf(asked, origin.inputs, true));
        origin.note =
            fmt::format("Assumes independent failures. Hazards within {:g} h follow from the distribution of lifetimes and from the "
                        "servers of the design that fail more often.",
                        asked.source.background->interrupts.horizonHours);
        return origin;
    }
    origin.formula = fmt::format("1 - exp(-(({}) * horizon_h / hours_per_year))", ratesOf(asked, origin.inputs));
    origin.inputs.push_back(
        {"horizon_h", asked.source.background->interrupts.horizonHours, "h", "30 days, by definition of the metric", "assumption"});
    origin.inputs.push_back(year);
    origin.note = "Assumes constant failure rates and independent failures.";
    return origin;
}

Origin originOfMeanTime(Asked asked) {
    if (!asked.value) return unknownBecause("the job uses no components");
    Origin origin;
    origin.formula = fmt::format("hours_per_year / ({})", ratesOf(asked, origin.inputs));
    origin.inputs.push_back(year);
    return origin;
}

using Display = FigureDisplay;

std::string ofWhichJob(const FigureSource&) { return "For a job on all GPUs, with the failure rates of the design"; }
std::string probabilityText(const FigureSource& s) {
    const auto probability = s.background ? s.background->interrupts.probability : std::nullopt;
    if (!probability) return "–";
    constexpr double nearOne = 0.9995; // the mean time says more
    return *probability > nearOne ? "> 99.9 %" : formatShare(*probability);
}

constexpr FigureInfo rows[] = {
    shown({"failure.mttf_h", "Reliability", "Mean time between interrupts", "h", 1, decimal, "h",
           [](Source s) { return s.background ? s.background->interrupts.meanTimeHours : std::nullopt; }, originOfMeanTime, nullptr, true},
          {Display::Text | Display::Panel | Display::Comparison, 52, "Mean time between interrupts", false, nullptr, nullptr, ofWhichJob}),
    shown({"failure.interrupt_probability", "Reliability", "Probability of an interrupt within the horizon", "", 1, percent, "",
           [](Source s) { return s.background ? s.background->interrupts.probability : std::nullopt; }, originOfProbability},
          {Display::Text | Display::Summary, 53, "Interrupt probability, 30 days", true, probabilityText}),
    {"failure.horizon_h", "Reliability", "Horizon of that probability", "h", 1, count, "h",
     [](Source s) { return s.background ? Value(s.background->interrupts.horizonHours) : std::nullopt; },
     [](Asked) {
         return Origin{"30 * 24", {}};
     }},
};

} // namespace

std::span<const FigureInfo> failureFigures() { return rows; }

} // namespace railyard
