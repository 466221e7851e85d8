#include "app/cli/commands.h"
#include "core/collective/algorithms/algorithm_table.h"

#include "core/analysis/metrics/metrics.h"
#include "core/analysis/rules/design_rules.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/compare.h"
#include "core/io/tables/csv.h"
#include "core/json/json_text.h"

#include <fmt/format.h>
#include <memory>
#include <regex>

namespace railyard::cli {
namespace {

void printMetrics(const Metrics& m) {
    const auto line = [](std::string_view name, const std::string& value) { fmt::print("{:<37}{}\n", name, value); };
    const InstantMetrics& i = m.instant;
    const std::string_view least = i.bill.unpricedLines > 0 ? "≥ " : "";
    line("Design", m.name);
    line("GPUs", formatCount(i.counts.gpus));
    line("Servers", formatCount(i.counts.servers));
    line("Switches", fmt::format("{} in {} tier{}", formatCount(i.counts.switches), i.counts.tiers, i.counts.tiers == 1 ? "" : "s"));
    for (std::size_t t = 1; t < i.counts.switchesByTier.size(); ++t)
        if (i.counts.switchesByTier[t] > 0)
            line(fmt::format("  {}", toText(static_cast<SwitchTier>(t))),
                 fmt::format("{}, {}", formatCount(i.counts.switchesByTier[t]),
                             i.oversubscription[t] > 0 ? formatRatio(i.oversubscription[t]) : "top tier"));
    line("Links", formatCount(i.counts.links));
    line("Pluggable modules",
         i.cables.pluggables ? formatCount(*i.cables.pluggables) : "unknown (the catalogue has no module for some of the cages)");
    line("Network cost",
         fmt::format("{}{}", least, formatMoney(i.bill.network)) + (i.bill.unpricedLines > 0 ? " (excludes unpriced items)" : ""));
    line("Network power", i.bill.networkPower ? formatWatts(*i.bill.networkPower) : "unknown (not published for at least one part)");
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        const Bisection& b = m.background.bisection[static_cast<std::size_t>(key)];
        line(std::string(labelOf(key)),
             fmt::format("{}, {:.2f} of half the injection bandwidth, {}", formatBandwidth(gigabitsPerSecond(b.upperGbps)),
                         b.fractionOfInjection.value_or(0), b.certified ? "certified" : "upper bound"));
    }
    for (const NamedCollective& c : m.background.collectives)
        line(fmt::format("{} {}", toText(c.op), formatBytes(c.size)),
             c.result ? fmt::format("{}, {}", timeText(*c.result), algorithmText(*c.result)) : c.why);
    const NetworkLatency& latency = m.background.latency;
    const auto seconds = [](const std::optional<PathLatency>& path) {
        return path ? formatSeconds(path->total()) : std::string("unknown");
    };
    line("Latency without load", latency.mean ? fmt::format("{} mean, {} longest, one way", seconds(latency.mean), seconds(latency.longest))
                                              : "unknown, because " + latency.why);
    if (m.background.interrupts.probability)
        line("Interrupt probability, 30 days", fmt::format("{:.1f} %", *m.background.interrupts.probability * 100));
    if (m.background.interrupts.meanTimeHours)
        line("Mean time between interrupts", fmt::format("{:.1f} h", *m.background.interrupts.meanTimeHours));
}

int runMetrics(const DesignInput& input, const AnswerOptions& answer) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    const Metrics metrics = metricsOf(*loaded->fabric);
    if (answer.wantsText()) printMetrics(metrics);
    return answer.give(withFailures(toJson(metrics), input));
}

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

Status writeWitness(const Fabric& fabric, const std::vector<bool>& sideA, const std::string& path) {
    const auto share = shareOnSideA(fabric, BisectionKey::Server, sideA); // domains are whole
    CsvWriter csv;
    csv.text("path").text("side").endRow();
    for (std::size_t d = 0; d < fabric.devices.size(); ++d) {
        if (fabric.devices.kind[d] != DeviceKind::Gpu || fabric.devices.hbDomain[d] == none) continue;
        csv.text(fabric.devicePath(d)).text(share[fabric.devices.hbDomain[d]] == 1.0 ? "a" : "b").endRow();
    }
    return writeFile(path, csv.bytes());
}

int runBisection(const DesignInput& input, const std::string& witness, const AnswerOptions& answer) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    Json all = Json::object();
    const std::array<Bisection, 3> results = bisections(*loaded->fabric);
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        const Bisection& result = results[static_cast<std::size_t>(key)];
        all[std::string(toText(key))] = toJson(result);
        if (answer.wantsText())
            fmt::print("{:<37}{} to {} ({})\n", labelOf(key), formatBandwidth(gigabitsPerSecond(result.lowerGbps)),
                       formatBandwidth(gigabitsPerSecond(result.upperGbps)), result.certified ? "certified" : result.method);
        if (key == BisectionKey::Server && !witness.empty())
            if (Status written = writeWitness(*loaded->fabric, result.sideA, witness); !written) return report(written.errors());
    }
    return answer.give(withFailures(std::move(all), input));
}

struct CompareOptions {
    std::vector<std::string> files;
    std::vector<std::string> collectives;
    std::string output;
    bool json = false;
};

// "all-to-all@256MiB" joins the collectives that metrics always holds.
Status addCollective(const std::string& text, const Fabric& fabric, Metrics& metrics) {
    const std::size_t at = text.find('@');
    const auto op = collectiveOpFrom(text.substr(0, at));
    if (!op || at == std::string::npos)
        return Error::usage(fmt::format("--collective {}: expected OPERATION@SIZE, for example all-to-all@256MiB", text));
    const auto size = parseBytes(text.substr(at + 1));
    if (!size) return Error::usage("--collective: " + size.error().text);
    if (size->count() == 0) return Error::usage(fmt::format("--collective {}: the size must be greater than 0", text));
    for (const NamedCollective& known : metrics.background.collectives)
        if (known.op == *op && known.size == *size) return Done{};
    NamedCollective named{*op, *size, {}, {}};
    if (auto group = Communicator::of(fabric, 0, RankOrder::Near)) {
        if (auto timed = group->time(*op, *size))
            named.result = *timed;
        else
            named.why = timed.error().text;
    }
    metrics.background.collectives.push_back(named);
    return Done{};
}

int runCompare(const CompareOptions& o) {
    if (o.files.size() < 2)
        return report({Error::usage("compare requires at least two designs, for example: railyard-cli compare A.railyard B.railyard")});
    std::vector<Json> all;
    std::vector<Error> errors;
    for (const std::string& file : o.files) {
        DesignInput input;
        input.file = file;
        auto loaded = load(input);
        if (!loaded) {
            errors.insert(errors.end(), loaded.errors().begin(), loaded.errors().end());
            continue;
        }
        Metrics metrics = metricsOf(*loaded->fabric);
        for (const std::string& text : o.collectives)
            if (Status added = addCollective(text, *loaded->fabric, metrics); !added) return report(added.errors());
        all.push_back(toJson(metrics));
    }
    if (!errors.empty()) return report(errors);
    if (!o.output.empty() && o.output != "-")
        if (Status written = writeComparison(all, o.output); !written) return report(written.errors());
    if (o.json)
        printJson(jsonText(compareJson(all)));
    else if (o.output.empty() || o.output == "-")
        fmt::print("{}", markdownOf(comparisonTable(all)));
    return 0;
}

} // namespace

void addAnalysisCommands(CLI::App& app, Run& run) {
    auto answer = std::make_shared<AnswerOptions>();
    auto input = std::make_shared<DesignInput>();
    auto* verb = app.add_subcommand("metrics", "show counts, cost, power, bisection, collective times and failure metrics");
    input->addTo(*verb, true);
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return runMetrics(*input, *answer); }; });

    auto checked = std::make_shared<DesignInput>();
    auto severity = std::make_shared<std::string>("note"), asOf = std::make_shared<std::string>();
    verb = app.add_subcommand("check", "check the design rules; the exit code is 1 if there is an unapproved error");
    checked->addTo(*verb, true);
    verb->add_option("--severity", *severity, "lowest severity to show: note, warning or error")->capture_default_str();
    verb->add_option("--as-of", *asOf, "reference date for the age of prices; default: the date of the catalogue");
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return runCheck(*checked, *severity, *asOf, *answer); }; });

    auto cut = std::make_shared<DesignInput>();
    auto witness = std::make_shared<std::string>();
    verb = app.add_subcommand("bisection", "compute the bisection bandwidth of servers and GPUs, with lower and upper bounds");
    cut->addTo(*verb, true);
    verb->add_option("--witness", *witness, "write the server partition of the smallest cut found to this CSV file");
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return runBisection(*cut, *witness, *answer); }; });

    addCollectiveCommand(app, run);
    addLoadsCommand(app, run);
    auto compare = std::make_shared<CompareOptions>();
    verb = app.add_subcommand("compare", "compare the metrics of designs with those of the first design");
    verb->add_option("FILES", compare->files, "two or more *.railyard designs")->required();
    verb->add_option("--collective", compare->collectives, "additional collective to compare, for example all-to-all@256MiB (repeatable)")
        ->allow_extra_args(false);
    verb->add_option("-o", compare->output, "output file: .xlsx or .md with titles and units, .json or .csv with metric keys");
    verb->add_flag("--json", compare->json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runCompare(*compare); }; });

    addHeatmapCommand(app, run);
}

} // namespace railyard::cli
