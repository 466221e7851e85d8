#include "app/cli/verbs/verb.h"
#include "core/analysis/figures/figure_table.h"
#include "core/io/results/results_json.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

std::string numberText(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "unknown"; }

void print(const Explanation& e) {
    fmt::print("{} = {}{}{}\n", e.key, numberText(e.value), e.unit.empty() ? "" : " ", e.unit);
    if (!e.origin.formula.empty()) fmt::print("  = {}\n", e.origin.formula);
    for (const ExplainedInput& input : e.origin.inputs)
        fmt::print("  {:<32} {:>16} {:<8} {}; {}\n", input.name, numberText(input.value), input.unit, input.confidence, input.source);
    if (e.value) fmt::print("  Confidence: {}\n", e.confidence());
    if (!e.origin.note.empty()) fmt::print("  {}\n", e.origin.note);
}

int runExplain(const DesignInput& input, const std::string& key, const AnswerOptions& answer) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    const Metrics metrics = metricsOf(*loaded->fabric);
    const FigureSource source{metrics.instant, &metrics.background};
    if (key.empty()) {
        Json keys = Json::array();
        for (const FigureValue& figure : figuresOf(source)) {
            keys.push_back(figure.key());
            if (answer.wantsText()) fmt::print("{:<56} {} {}\n", figure.key(), numberText(figure.member.value), figure.member.storedUnit);
        }
        return answer.give(Json{{"schema", "railyard.explain_keys/1"}, {"keys", keys}});
    }
    auto found = explain(*loaded->fabric, source, key);
    if (!found) {
        std::string like;
        for (const FigureValue& figure : figuresOf(source))
            if (const std::string name = figure.key(); name.find(key.substr(key.rfind('.') + 1)) != std::string::npos)
                like += (like.empty() ? "; similar: " : ", ") + name;
        return report(
            {Error::usage(fmt::format("there is no metric \"{}\"{}; `railyard-cli explain {}` lists all metrics", key, like, input.file))});
    }
    found->key = key; // as it was asked for
    if (answer.wantsText()) print(*found);
    return answer.give(withFailures(toJson(*found), input));
}

Run addExplain(CLI::App& verb) {
    auto input = std::make_shared<DesignInput>();
    auto key = std::make_shared<std::string>();
    auto answer = std::make_shared<AnswerOptions>();
    input->addTo(verb, true);
    verb.add_option("KEY", *key, "key of the metric, for example counts.gpus, cost.network_usd or collectives.all-reduce@1GiB.time_s");
    answer->addTo(verb);
    return [=] { return runExplain(*input, *key, *answer); };
}

} // namespace

const VerbInfo explainVerb{"explain", "show the formula, the inputs and the sources of a metric; without KEY, list all metrics",
                           alwaysShowsPrices, addExplain};

} // namespace railyard::cli
