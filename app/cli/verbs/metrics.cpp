#include "core/analysis/metrics/metrics.h"
#include "app/cli/verbs/verb.h"
#include "core/analysis/figures/shown_figures.h"
#include "core/io/results/results_json.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

std::string inBrackets(const std::string& note) { return note.empty() ? "" : fmt::format(" ({})", note); }

void printMetrics(const Metrics& m) {
    const auto line = [](std::string_view name, const std::string& value) { fmt::print("{:<37}{}\n", name, value); };
    line("Design", m.name);
    std::string reason; // said once
    for (const ShownFigure& figure : shownFigures(FigureDisplay::Text, {m.instant, &m.background})) {
        const std::string tag = figure.tag.empty() ? "" : ", " + figure.tag;
        if (figure.value || figure.text != "–") {
            line(figure.title, figure.text + tag + (figure.row->pricesOf != PricesOf::Nothing ? inBrackets(figure.note) : ""));
            continue;
        }
        const bool isNew = !figure.note.empty() && figure.note != reason;
        line(figure.title, isNew ? "unknown. " + figure.note : "unknown");
        reason = figure.note.empty() ? reason : figure.note;
    }
    if (m.background.bisection.front().fractionOfInjection) fmt::print("Bisection is a share of half the injection bandwidth.\n");
}

int runMetrics(const DesignInput& input, const AnswerOptions& answer) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    const Metrics metrics = metricsOf(*loaded->fabric);
    if (answer.wantsText()) printMetrics(metrics);
    return answer.give(withFailures(toJson(metrics), input));
}

Run addMetrics(CLI::App& verb) {
    auto input = std::make_shared<DesignInput>();
    auto answer = std::make_shared<AnswerOptions>();
    input->addTo(verb, true);
    answer->addTo(verb);
    return [=] { return runMetrics(*input, *answer); };
}

} // namespace

const VerbInfo metricsVerb{"metrics", "show counts, cost, power, bisection, collective times and failure metrics", alwaysShowsPrices,
                           addMetrics};

} // namespace railyard::cli
