#include "core/analysis/metrics/metrics.h"
#include "app/cli/verbs/verb.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "core/io/results/results_json.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

void printMetrics(const Metrics& m) {
    const auto line = [](std::string_view name, const std::string& value) { fmt::print("{:<37}{}\n", name, value); };
    const InstantMetrics& i = m.instant;
    const std::string_view least = isLowerBound(i.bill, &Bill::network) ? "≥ " : "";
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
    line("Network cost", fmt::format("{}{}", least, formatMoney(i.bill.network)) + (least.empty() ? "" : " (excludes unpriced items)"));
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
    if (m.background.interrupts.probability) line("Interrupt probability, 30 days", formatShare(*m.background.interrupts.probability));
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
