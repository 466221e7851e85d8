#include "app/cli/options/arguments.h"

#include "app/cli/options/parameter_options.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/unit_text.h"
#include "core/fabric/without.h"
#include "core/failure/failure_parameters.h"
#include "core/io/document/design_json.h"
#include "core/json/json_text.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace railyard::cli {

int report(const std::vector<Error>& errors) {
    for (const Error& error : errors) fmt::print(stderr, "railyard-cli: error: {}\n", withoutFaults(toText(error)));
    return static_cast<int>(errors.front().kind);
}

void printJson(const std::string& text) { fmt::print("{}\n", text); }

NumberBetween::NumberBetween(double least, double most) : CLI::Range(least, most) {
    func_ = [least, most](std::string& text) {
        double number = 0;
        if (!CLI::detail::lexical_cast(text, number) || std::isnan(number)) return fmt::format("{} is not a number", text);
        if (number >= least && number <= most) return std::string();
        return fmt::format("{} is not from {} to {}", text, least, most);
    };
}

WholeNumber::WholeNumber() : CLI::Validator("WHOLE NUMBER") {
    func_ = [](std::string& text) {
        std::int64_t number = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool good = failure == std::errc() && end == text.data() + text.size() && number >= 0;
        return good ? std::string() : fmt::format("{} is not a whole number from 0 to {}", text, std::numeric_limits<std::int64_t>::max());
    };
}

void AnswerOptions::addTo(CLI::App& verb) {
    verb.add_flag("--json", json, "print JSON");
    verb.add_option("-o", file, "write the result as JSON to this file; - for standard output");
}

int AnswerOptions::give(const Json& answer, int code) const {
    const std::string text = jsonText(answer);
    if (!file.empty() && file != "-")
        if (Status written = writeFile(file, text + "\n"); !written) return report(written.errors());
    if (json || file == "-") printJson(text);
    return code;
}

Error oneOutput(const char* option) {
    return Error::usage(fmt::format("{} -: standard output is for the JSON result; name a file", option));
}

void DesignInput::addTo(CLI::App& verb, bool withFailures) {
    verb.add_option("FILE", file, "the design (*.railyard)")->required();
    if (!withFailures) return;
    verb.add_option("--fail", fail,
                    "fail the elements that match this selector, for example su[1]/leaf[2], tier=leaf or rail=3 (repeatable)")
        ->allow_extra_args(false);
    const auto row = [](std::string_view key) -> const ParameterInfo& { return parameterNamed(failureParameters(), key)->info; };
    verb.add_option(row("fail_links").option(), failLinks, std::string(row("fail_links").help));
    verb.add_option(row("seed").option(), seed, std::string(row("seed").help))->check(WholeNumber())->capture_default_str();
}

Json withFailures(Json answer, const DesignInput& input) {
    if (input.hasFailures())
        answer["failures"] = {
            {"selectors", input.fail}, {"links", input.failLinks.empty() ? Json() : Json(input.failLinks)}, {"seed", input.seed}};
    return answer;
}

void reportMigrations(const Design& design, const std::string& file) {
    for (const std::string& migration : design.migrations) fmt::print(stderr, "railyard-cli: note: {}: {}\n", file, migration);
}

Result<LoadedDesign> load(const DesignInput& input) {
    auto design = loadDesign(input.file);
    if (!design) return design.errors();
    reportMigrations(**design, input.file);
    LoadedDesign loaded;
    loaded.design = *design;
    loaded.intact = loaded.fabric = elaborate(*design);
    for (const Diagnostic& problem : loaded.fabric->diagnostics) // every figure would be wrong
        if (problem.code == linksOmitted) return Error::unbuildable(fmt::format("{} {}", problem.text, problem.hint));
    ParameterTexts random{{"seed", std::to_string(input.seed)}};
    if (!input.failLinks.empty()) random["fail_links"] = input.failLinks;
    const auto failures = settingsFrom(failureParameters(), Failures{input.fail, 0}, random, "a failure");
    if (!failures) return failures.errors();
    const auto removal = removalOf(*loaded.intact, *failures);
    if (!removal) return removal.errors();
    if (input.hasFailures()) loaded.fabric = without(loaded.intact, removal->devices, removal->links);
    return loaded;
}

int writtenFiles(const Status& status, bool json, const std::vector<std::string>& files, const std::vector<std::string>& warnings) {
    if (!status) return report(status.errors());
    for (const std::string& warning : warnings) fmt::print(stderr, "railyard-cli: warning: {}\n", warning);
    Json answer{{"files", files}, {"losses", Json::array()}};
    if (!warnings.empty()) answer["warnings"] = warnings;
    if (json) printJson(jsonText(answer));
    return 0;
}

} // namespace railyard::cli
