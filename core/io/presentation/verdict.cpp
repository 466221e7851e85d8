#include "core/io/presentation/verdict.h"

#include "core/analysis/maps/decision.h"
#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace railyard {
namespace {

constexpr double same = 5e-4; // smaller differences read as 0.0 %

// "35 %", of something that shrinks or grows.
std::string percent(double share) {
    const double all = std::abs(share) * 100;
    return all < 9.95 ? fmt::format("{:.1f} %", all) : fmt::format("{:.0f} %", all);
}

std::string lowered(std::string words) {
    std::transform(words.begin(), words.end(), words.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return words;
}

// What it is, and what that costs.
std::string outlay(const Metrics& own, bool showsPrices) {
    const std::string gpus = formatCount(own.instant.counts.gpus);
    const auto& share = own.background.bisection[static_cast<std::size_t>(BisectionKey::GpuWithHb)].fractionOfInjection;
    const bool isFull = share && *share > 0.995;
    const std::string what = isFull  ? fmt::format("Full bandwidth between {} GPUs", gpus)
                             : share ? fmt::format("{:.0f} % of full bandwidth between {} GPUs", *share * 100, gpus)
                                     : fmt::format("A network for {} GPUs", gpus);
    const Bill& bill = own.instant.bill;
    if (!showsPrices || bill.network.inCents() <= 0)
        return what + " takes " + counted(own.instant.counts.switches, "{} switch", "{} switches");
    return what + (isLowerBound(bill, &Bill::network) ? " costs at least " : " costs ") + formatMoney(bill.network);
}

} // namespace

OtherDesign otherDesign(FabricPointer fabric) {
    Metrics metrics = metricsOf(*fabric);
    return {std::move(fabric), std::move(metrics)};
}

std::optional<OtherDesign> twinBeside(const Design& design) {
    if (!design.recipe) return {};
    auto twin = twinOf(design);
    if (!twin) return {};
    return otherDesign(elaborate(std::make_shared<const Design>(std::move(*twin))));
}

std::string layoutName(const Design& design) {
    if (!design.recipe) return design.name;
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return design.name;
    return settings->family == RecipeFamily::RailOnly  ? "Rail-only"
           : settings->family == RecipeFamily::FatTree ? "Fat tree"
                                                       : "Rail-optimized";
}

std::string designVerdict(const Metrics& own, const OtherDesign* twin, bool showsPrices) {
    const std::string title = outlay(own, showsPrices);
    if (!twin) return title;
    std::string changes;
    const auto add = [&](const std::string& change) { changes += (changes.empty() ? "" : " and ") + change; };
    const Metrics& other = twin->metrics;
    const Bill& bill = own.instant.bill;
    const auto saved = differenceOf(other.instant.bill, bill, &Bill::network); // what the twin costs less
    if (showsPrices && saved && bill.network.inCents() > 0) {
        const double part = saved->inDollars() / bill.network.inDollars();
        add(std::abs(part) < same ? "costs the same"
            : part > 0            ? "saves " + percent(part) + " of that"
                                  : "costs " + percent(part) + " more");
    } else {
        const double fewer = 1 - static_cast<double>(other.instant.counts.switches) /
                                     static_cast<double>(std::max<std::int64_t>(1, own.instant.counts.switches));
        add(std::abs(fewer) < same ? "takes as many"
            : fewer > 0            ? "takes " + percent(fewer) + " fewer"
                                   : "takes " + percent(fewer) + " more");
    }
    if (const auto before = allToAllSeconds(own), after = allToAllSeconds(other); before && after && *before > 0) {
        const double slower = *after / *before - 1;
        if (std::abs(slower) > same) add((slower > 0 ? "slows all-to-all by " : "speeds all-to-all up by ") + percent(slower));
    }
    return fmt::format("{}; {} {}", title, lowered(layoutName(*twin->fabric->design)), changes);
}

std::string comparisonVerdict(const Metrics& a, const Metrics& b) {
    const auto saved = differenceOf(b.instant.bill, a.instant.bill, &Bill::network);
    const std::int64_t switches = a.instant.counts.switches - b.instant.counts.switches;
    std::string words;
    if (!saved)
        words = fmt::format("{} needs {} switches instead of {}; the network costs leave out different kinds of parts without a price",
                            b.name, formatCount(b.instant.counts.switches), formatCount(a.instant.counts.switches));
    else if (switches == 0 && saved->inCents() == 0)
        words = fmt::format("{} saves nothing: both designs need {} switches", b.name, formatCount(a.instant.counts.switches));
    else {
        const double share = a.instant.bill.network.inCents() > 0 ? saved->inDollars() / a.instant.bill.network.inDollars() : 0;
        const bool isCheaper = saved->inCents() >= 0;
        words = fmt::format("{} {} {} of network cost ({})", b.name, isCheaper ? "saves" : "adds",
                            formatMoney(isCheaper ? *saved : Money() - *saved), formatPercent(-share));
        const std::string count = formatCount(std::abs(switches));
        words += switches == 0                 ? " with as many switches"
                 : isCheaper == (switches > 0) ? counted(std::abs(switches), " and {} switch", " and {} switches")
                                               : fmt::format(" but needs {} {} switches", count, switches > 0 ? "fewer" : "more");
    }
    const auto before = allToAllSeconds(a), after = allToAllSeconds(b);
    if (!before || !after || *before <= 0) return words;
    const double slower = *after / *before - 1;
    if (std::abs(slower) < same) return words + "; all-to-all takes the same time.";
    std::string change = formatPercent(std::abs(slower));
    if (change.starts_with('+')) change.erase(0, 1);
    return fmt::format("{}; all-to-all is {} {}.", words, change, slower > 0 ? "slower" : "faster");
}

std::optional<double> allToAllSeconds(const Metrics& metrics) {
    for (const NamedCollective& each : metrics.background.collectives)
        if (each.op == CollectiveOp::AllToAll && each.result) return each.result->best.time.value();
    return {};
}

} // namespace railyard
