#include "core/io/presentation/slide_content.h"

#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::string_view unknown = "–";

std::string moneyText(const Bill& bill) { return (isLowerBound(bill, &Bill::network) ? "≥ " : "") + formatMoney(bill.network); }

const Bisection& nicsOnly(const Metrics& metrics) {
    return metrics.background.bisection[static_cast<std::size_t>(BisectionKey::GpuNetworkOnly)];
}
const Bisection& withHb(const Metrics& metrics) { return metrics.background.bisection[static_cast<std::size_t>(BisectionKey::GpuWithHb)]; }

std::string bisectionText(const Bisection& bisection) {
    if (bisection.isZeroByDesign()) return "0, by design";
    if (!bisection.fractionOfInjection) return std::string(unknown);
    return fmt::format("{}{:.2f}", bisection.certified ? "" : "≤ ", *bisection.fractionOfInjection);
}

std::optional<double> wattsOf(const Metrics& metrics) {
    const auto watts = metrics.instant.bill.networkPower;
    return watts ? std::optional(watts->value()) : std::nullopt;
}

// The parts of "1.2 MW".
std::pair<std::string, std::string> valueAndUnit(const std::string& text) {
    const std::size_t blank = text.find(' ');
    return blank == std::string::npos ? std::pair(text, std::string()) : std::pair(text.substr(0, blank), text.substr(blank + 1));
}

std::string withoutBrackets(const std::string& name) { return name.substr(0, name.find(" (")); }

SlideCell cell(std::string value, std::optional<double> now, std::optional<double> before) {
    SlideCell made{std::move(value)};
    if (!now || !before || *before == 0) return made;
    made.share = *now / *before;
    constexpr double same = 5e-4; // smaller differences read as 0.0 %
    if (std::abs(*made.share - 1) < same) return made;
    made.difference = formatPercent(*made.share - 1);
    made.isBetter = *made.share < 1;
    return made;
}

void addComparison(SlideContent& slide, const Metrics& own, const Metrics& twin, const std::string& ownName, const std::string& twinName,
                   bool showsPrices) {
    slide.columns = {{"Switches", "counts.switches"}};
    if (showsPrices) slide.columns.push_back({"Network cost", "cost.network_usd"});
    slide.columns.push_back({"Network power", "power.network_w"});
    slide.columns.push_back({"All-to-all, 256 MiB", "collectives.all-to-all@256MiB.time_s"});
    slide.columns.push_back({"Bisection, NICs only", "bisection.gpu_network_only.fraction_of_injection"});
    const auto rowOf = [&](const Metrics& metrics, const std::string& name, const Metrics* before) {
        SlideRow row{name, name == "Rail-only", {}};
        const auto was = [&](auto value) -> std::optional<double> { return before ? value(*before) : std::nullopt; };
        const auto switches = [](const Metrics& m) -> std::optional<double> { return static_cast<double>(m.instant.counts.switches); };
        const auto cost = [](const Metrics& m) -> std::optional<double> { return m.instant.bill.network.inDollars(); };
        row.cells.push_back(cell(formatCount(metrics.instant.counts.switches), switches(metrics), was(switches)));
        const bool isComparable =
            !before || unpricedKinds(metrics.instant.bill, &Bill::network) == unpricedKinds(before->instant.bill, &Bill::network);
        if (showsPrices) row.cells.push_back(cell(moneyText(metrics.instant.bill), cost(metrics), isComparable ? was(cost) : std::nullopt));
        const auto watts = metrics.instant.bill.networkPower;
        row.cells.push_back(cell(watts ? formatWatts(*watts) : std::string(unknown), wattsOf(metrics), was(wattsOf)));
        const auto time = allToAllSeconds(metrics);
        row.cells.push_back(cell(time ? formatSeconds(Seconds(*time)) : std::string(unknown), time, was(allToAllSeconds)));
        row.cells.push_back({bisectionText(nicsOnly(metrics))});
        slide.rows.push_back(std::move(row));
    };
    rowOf(own, ownName, nullptr);
    rowOf(twin, twinName, &own);
}

void addFigures(SlideContent& slide, const Metrics& own, const std::string& parts, bool showsPrices) {
    const FabricCounts& counts = own.instant.counts;
    const std::string servers = counts.servers > 0 ? counted(counts.servers, "{} server", "{} servers") : std::string();
    slide.figures.push_back({formatCount(counts.gpus), "GPUs", servers, "counts.gpus", counts.servers > 0 ? "counts.servers" : ""});
    slide.figures.push_back({formatCount(counts.switches), "switches", parts, "counts.switches"});
    if (showsPrices) slide.figures.push_back({moneyText(own.instant.bill), {}, "network, list prices", "cost.network_usd"});
    const auto power = own.instant.bill.networkPower;
    const auto [watts, wattsUnit] = valueAndUnit(power ? formatWatts(*power) : std::string(unknown));
    slide.figures.push_back({watts, wattsUnit, "network power", "power.network_w"});
    const Bisection& bisection = withHb(own);
    const auto [bandwidth, bandwidthUnit] = valueAndUnit(formatBandwidth(gigabitsPerSecond(bisection.upperGbps)));
    slide.figures.push_back({(bisection.certified ? "" : "≤ ") + bandwidth, bandwidthUnit,
                             bisection.fractionOfInjection ? fmt::format("bisection, {:.2f} of full", *bisection.fractionOfInjection)
                                                           : std::string("bisection"),
                             "bisection.gpu_with_hb.upper_gbps"});
    const auto& pluggables = own.instant.cables.pluggables;
    slide.figures.push_back({formatCount(own.instant.cables.cables), "cables",
                             pluggables ? formatCount(*pluggables) + " transceivers" : std::string("transceivers not known"),
                             "counts.cables", pluggables ? "counts.pluggables" : ""});
}

// Everything that reads as a number, with the key of its figure where it is one.
void state(SlideContent& slide, const Metrics& own, bool isSubtitleOurs) {
    StatedFigures& stated = slide.stated;
    stated.fingerprint = own.fingerprint;
    stated.by = StatedFigures::By::Slide;
    const FigureSource source{own.instant, &own.background};
    for (const SlideFigure& figure : slide.figures)
        for (const std::string& key : {figure.key, figure.whatKey})
            if (auto each = statedFigure(source, key)) stated.figures.push_back(std::move(*each));
    stated.add(std::string(titleKey), {}, slide.title);
    if (isSubtitleOurs) stated.add("subtitle", {}, slide.subtitle);
    for (const TierFacts& tier : slide.tiers) {
        stated.add(tierKey(tier), {}, tierTitle(tier));
        stated.add(tierKey(tier) + ".ports", {}, tier.portsText());
    }
    if (slide.rows.size() < 2) return;
    for (std::size_t c = 0; c < slide.columns.size(); ++c) {
        stated.add(slide.columns[c].key, {}, slide.rows[0].cells[c].value); // unless it is among the six
        stated.add(std::string(otherPrefix) + slide.columns[c].key, {}, slide.rows[1].cells[c].words());
    }
}

} // namespace

std::string tierTitle(const TierFacts& tier) {
    std::string name(toText(tier.tier));
    if (!name.empty() && name.front() >= 'a') name.front() = static_cast<char>(name.front() - 32);
    return fmt::format("{}: {} × {}", name, formatCount(tier.switches), withoutBrackets(tier.partText()));
}

std::string tierKey(const TierFacts& tier) { return fmt::format("tiers.{}", toText(tier.tier)); }

TierLines tierLines(const SlideContent& content, double top) {
    constexpr double bottom = 800, twoLines = 58; // where the comparison begins; what two lines need
    const double pitch = std::min(62.0, (bottom - top) / static_cast<double>(std::max<std::size_t>(1, content.tiers.size())));
    return {pitch, pitch >= twoLines};
}

TitleBlock titleBlockOf(const Metrics& metrics, const SlideOptions& options) {
    TitleBlock block;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) block.emplace_back(name, value);
    };
    add("Project", options.project);
    add("Author", options.author);
    add("Date", options.date);
    add("Revision", options.revision);
    add("Design", metrics.name);
    add("Fingerprint", metrics.fingerprint.substr(0, 12));
    return block;
}

SlideContent slideContentOf(const Fabric& fabric, const SlideOptions& options) {
    const std::optional<OtherDesign> twin = twinBeside(*fabric.design);
    return slideContentOf(fabric, metricsOf(fabric), twin ? &*twin : nullptr, options);
}

SlideContent slideContentOf(const Fabric& fabric, const Metrics& own, const OtherDesign* twin, const SlideOptions& options) {
    const Design& design = *fabric.design;
    SlideContent slide;
    slide.tiers = tierFactsOf(fabric);
    const FabricCounts& counts = own.instant.counts;
    const std::string layout = layoutName(design);
    slide.rails = layout == "Fat tree" ? 0 : static_cast<int>(counts.rails); // all NICs on one leaf: no lanes
    if (twin && layoutName(*twin->fabric->design) == layout) twin = nullptr;
    slide.title = designVerdict(own, twin, options.showsPrices);
    std::vector<std::string> parts;
    for (const TierFacts& tier : slide.tiers)
        if (std::string part = withoutBrackets(tier.partText()); std::find(parts.begin(), parts.end(), part) == parts.end())
            parts.push_back(std::move(part));
    const std::string partsText = fmt::format("{}", fmt::join(parts, " and "));
    slide.subtitle = options.sentence.empty() ? fmt::format("{}, {}: {}, {}", layout, counted(counts.tiers, "{} tier", "{} tiers"),
                                                            counted(counts.servers, "{} server", "{} servers"), partsText)
                                              : options.sentence;
    addFigures(slide, own, partsText, options.showsPrices);
    if (twin) addComparison(slide, own, twin->metrics, layout, layoutName(*twin->fabric->design), options.showsPrices);
    if (fabric.intact) { // with failures, which no file of the design tells: nothing of it can be verified
        for (SlideFigure& figure : slide.figures) figure.key = figure.whatKey = {};
    } else {
        state(slide, own, options.sentence.empty());
        slide.stated.isCustomer = !options.showsPrices;
    }
    slide.titleBlock = titleBlockOf(own, options);
    if (options.showsPrices)
        slide.basis = isLowerBound(own.instant.bill, &Bill::network) ? "Catalogue list prices; parts without a price are left out (≥). "
                                                                     : "Catalogue list prices. ";
    slide.basis += fmt::format("Power without servers. Bisection in one direction{}.", withHb(own).certified ? ", certified" : "");
    return slide;
}

} // namespace railyard
