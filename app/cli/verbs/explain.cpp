#include "app/cli/verbs/verb.h"
#include "core/base/unit_text.h"
#include "core/io/results/results_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

// collectives.all-reduce@1GiB.time_s names the same figure as collectives.0.time_s.
std::string byIndex(const std::string& key, const Metrics& metrics) {
    for (std::size_t c = 0; c < metrics.background.collectives.size(); ++c) {
        const NamedCollective& named = metrics.background.collectives[c];
        for (const std::string& size : {formatBytes(named.size), std::to_string(named.size.count())}) {
            std::string name = fmt::format("collectives.{}@{}.", toText(named.op), size);
            name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
            if (key.starts_with(name)) return fmt::format("collectives.{}.{}", c, key.substr(name.size()));
        }
    }
    return key;
}

std::string numberText(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "unknown"; }

void print(const Explanation& e) {
    fmt::print("{} = {}{}{}\n", e.key, numberText(e.value), e.unit.empty() ? "" : " ", e.unit);
    if (!e.formula.empty()) fmt::print("  = {}\n", e.formula);
    for (const ExplainedInput& input : e.inputs)
        fmt::print("  {:<32} {:>16} {:<8} {}; {}\n", input.name, numberText(input.value), input.unit, input.confidence, input.source);
    if (e.value) fmt::print("  Confidence: {}\n", e.confidence());
    if (!e.note.empty()) fmt::print("  {}\n", e.note);
}

int runExplain(const DesignInput& input, const std::string& key, const AnswerOptions& answer) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    const Metrics metrics = metricsOf(*loaded->fabric);
    const std::vector<Explanation> all = explainAll(*loaded->fabric, metrics);
    if (key.empty()) {
        Json keys = Json::array();
        for (const Explanation& e : all) keys.push_back(e.key);
        if (answer.wantsText())
            for (const Explanation& e : all) fmt::print("{:<56} {} {}\n", e.key, numberText(e.value), e.unit);
        return answer.give(Json{{"keys", keys}});
    }
    const std::string wanted = byIndex(key, metrics);
    const auto found = std::find_if(all.begin(), all.end(), [&](const Explanation& e) { return e.key == wanted; });
    if (found == all.end()) {
        std::string like;
        for (const Explanation& e : all)
            if (e.key.find(key.substr(key.rfind('.') + 1)) != std::string::npos) like += (like.empty() ? "; similar: " : ", ") + e.key;
        return report(
            {Error::usage(fmt::format("there is no metric \"{}\"{}; `railyard-cli explain {}` lists all metrics", key, like, input.file))});
    }
    Explanation named = *found;
    named.key = key; // as it was asked for
    if (answer.wantsText()) print(named);
    return answer.give(withFailures(toJson(named), input));
}

Run addExplain(CLI::App& verb) {
    auto input = std::make_shared<DesignInput>();
    auto key = std::make_shared<std::string>();
    auto answer = std::make_shared<AnswerOptions>();
    input->addTo(verb, true);
    verb.add_option("KEY", *key, "key of the metric, for example counts.gpus, cost.network_usd or collectives.0.time_s");
    answer->addTo(verb);
    return [=] { return runExplain(*input, *key, *answer); };
}

} // namespace

const VerbInfo explainVerb{"explain", "show the formula, the inputs and the sources of a metric; without KEY, list all metrics",
                           alwaysShowsPrices, addExplain};

} // namespace railyard::cli
