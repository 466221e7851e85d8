#include "app/cli/verbs/verb.h"
#include "core/analysis/rules/design_rules.h"
#include "core/io/results/results_json.h"

#include <fmt/format.h>
#include <memory>
#include <regex>

namespace railyard::cli {
namespace {

// The finding with its subject on one line; below it the remedy, or the reason of the approval, and the edit that fixes it.
void print(const Diagnostic& finding) {
    const bool open = finding.approved.empty();
    fmt::print("{:<8} {}  {}{}\n", open ? toText(finding.severity) : "approved", finding.code, finding.text,
               finding.subject.empty() ? "" : " [" + finding.subject + "]");
    constexpr std::string_view indent = "                  ";
    if (const std::string& below = open ? finding.hint : finding.approved; !below.empty()) fmt::print("{}{}\n", indent, below);
    if (open && !finding.fix.empty()) fmt::print("{}Fix: {}\n", indent, finding.fix);
}

int runCheck(const DesignInput& input, const std::string& severity, const std::string& asOf, const AnswerOptions& answer) {
    if (severity != "note" && severity != "warning" && severity != "error")
        return report({Error::usage(fmt::format("--severity {}: must be note, warning or error", severity))});
    static const std::regex date("20[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?");
    if (!asOf.empty() && !std::regex_match(asOf, date))
        return report({Error::usage(fmt::format("--as-of {}: expected a date such as 2026-11-30", asOf))});
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    const Cabling cabling = cablingOf(*loaded->fabric);
    std::vector<Diagnostic> found = checkDesign(*loaded->fabric, cabling, billOf(*loaded->fabric, cabling), asOf);
    const Severity least = severity == "error" ? Severity::Error : severity == "warning" ? Severity::Warning : Severity::Note;
    std::erase_if(found, [&](const Diagnostic& d) { return d.severity < least; });
    bool errors = false;
    for (const Diagnostic& d : found) errors = errors || (d.severity == Severity::Error && d.approved.empty());
    if (answer.wantsText())
        for (const Diagnostic& d : found) print(d);
    if (found.empty() && answer.wantsText()) fmt::print("No findings.\n");
    return answer.give(withFailures({{"schema", "railyard.check/1"}, {"findings", toJson(found)}}, input), errors ? 1 : 0);
}

Run addCheck(CLI::App& verb) {
    auto input = std::make_shared<DesignInput>();
    auto severity = std::make_shared<std::string>("note"), asOf = std::make_shared<std::string>();
    auto answer = std::make_shared<AnswerOptions>();
    input->addTo(verb, true);
    verb.add_option("--severity", *severity, "lowest severity to show: note, warning or error")->capture_default_str();
    verb.add_option("--as-of", *asOf, "reference date for the age of prices; default: the date of the catalogue");
    answer->addTo(verb);
    return [=] { return runCheck(*input, *severity, *asOf, *answer); };
}

} // namespace

const VerbInfo checkVerb{"check", "check the design rules; the exit code is 1 if there is an unapproved error", alwaysShowsPrices,
                         addCheck};

} // namespace railyard::cli
