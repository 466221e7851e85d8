#include "widgets/export/slide_content.h"

#include "core/analysis/maps/decision.h"
#include "core/base/fingerprint.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"
#include "core/fabric/elaborate.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

QString slideWords(const char* source) { return QCoreApplication::translate("Slide", source); }

QString moneyText(const Bill& bill) {
    return (isLowerBound(bill, &Bill::network) ? QStringLiteral("≥ ") : QString()) + text(formatMoney(bill.network));
}

std::optional<double> allToAll(const Metrics& metrics) {
    for (const NamedCollective& each : metrics.background.collectives)
        if (each.op == CollectiveOp::AllToAll && each.result) return each.result->best.time.value();
    return {};
}

const Bisection& nicsOnly(const Metrics& metrics) {
    return metrics.background.bisection[static_cast<std::size_t>(BisectionKey::GpuNetworkOnly)];
}
const Bisection& withHb(const Metrics& metrics) { return metrics.background.bisection[static_cast<std::size_t>(BisectionKey::GpuWithHb)]; }

QString bisectionText(const Bisection& bisection) {
    if (bisection.isZeroByDesign()) return slideWords("0, by design");
    if (!bisection.fractionOfInjection) return QStringLiteral("–");
    return (bisection.certified ? QString() : QStringLiteral("≤ ")) + QString::number(*bisection.fractionOfInjection, 'f', 2);
}

// "35 %", of something that shrinks or grows.
QString percent(double share) {
    const double all = std::abs(share) * 100;
    return slideWords("%1 %").arg(all, 0, 'f', all < 9.95 ? 1 : 0);
}

QString layoutName(const Design& design) {
    if (!design.recipe) return text(design.name);
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return text(design.name);
    return settings->family == RecipeFamily::RailOnly  ? slideWords("Rail-only")
           : settings->family == RecipeFamily::FatTree ? slideWords("Fat tree")
                                                       : slideWords("Rail-optimized");
}

// What it costs, then what the other layout would change.
QString answerOf(const Metrics& own, const std::optional<Metrics>& twin, const QString& twinName, bool showsPrices) {
    const QString gpus = text(formatCount(own.instant.counts.gpus));
    const auto& share = withHb(own).fractionOfInjection;
    const QString what = share && *share > 0.995 ? slideWords("Full bandwidth between %1 GPUs")
                         : share                 ? slideWords("%2 % of full bandwidth between %1 GPUs")
                                                 : slideWords("A network for %1 GPUs");
    QString title = share && *share <= 0.995 ? what.arg(gpus, QString::number(*share * 100, 'f', 0)) : what.arg(gpus);
    const bool isBound = isLowerBound(own.instant.bill, &Bill::network);
    if (showsPrices && own.instant.bill.network.inCents() > 0)
        title = (isBound ? slideWords("%1 costs at least %2") : slideWords("%1 costs %2"))
                    .arg(title, text(formatMoney(own.instant.bill.network)));
    else
        title =
            slideWords("%1 takes %2").arg(title, counted(own.instant.counts.switches, slideWords("%1 switch"), slideWords("%1 switches")));
    if (!twin) return title;
    QStringList changes;
    const auto saved = differenceOf(twin->instant.bill, own.instant.bill, &Bill::network); // what the twin costs less
    const double switches = 1 - static_cast<double>(twin->instant.counts.switches) /
                                    static_cast<double>(std::max<std::int64_t>(1, own.instant.counts.switches));
    if (showsPrices && saved && own.instant.bill.network.inCents() > 0) {
        const double part = saved->inDollars() / own.instant.bill.network.inDollars();
        changes << (std::abs(part) < 5e-4 ? slideWords("costs the same")
                    : part > 0            ? slideWords("saves %1 of that").arg(percent(part))
                                          : slideWords("costs %1 more").arg(percent(part)));
    } else
        changes << (std::abs(switches) < 5e-4 ? slideWords("takes as many")
                    : switches > 0            ? slideWords("takes %1 fewer").arg(percent(switches))
                                              : slideWords("takes %1 more").arg(percent(switches)));
    if (const auto before = allToAll(own), after = allToAll(*twin); before && after && *before > 0) {
        const double slower = *after / *before - 1;
        if (std::abs(slower) > 5e-4)
            changes << (slower > 0 ? slideWords("slows all-to-all by %1") : slideWords("speeds all-to-all up by %1")).arg(percent(slower));
    }
    return slideWords("%1; %2 %3").arg(title, twinName.toLower(), changes.join(slideWords(" and ")));
}

SlideCell cell(const QString& value, std::optional<double> now, std::optional<double> before, bool lessIsBetter = true) {
    SlideCell made{value, {}, true, {}};
    if (!now || !before || *before == 0) return made;
    made.share = *now / *before;
    if (std::abs(*made.share - 1) < 5e-4) return made;
    const double change = *now / *before - 1;
    made.difference = text(formatPercent(change));
    made.isBetter = (change < 0) == lessIsBetter;
    return made;
}

void addComparison(SlideContent& slide, const Metrics& own, const Metrics& twin, const QString& ownName, const QString& twinName,
                   bool showsPrices) {
    slide.columns = {slideWords("Switches")};
    if (showsPrices) slide.columns << slideWords("Network cost");
    slide.columns << slideWords("Network power") << slideWords("All-to-all, 256 MiB") << slideWords("Bisection, NICs only");
    const auto rowOf = [&](const Metrics& metrics, const QString& name, const Metrics* before) {
        SlideRow row{name, name == slideWords("Rail-only"), {}};
        const auto was = [&](auto value) -> std::optional<double> { return before ? value(*before) : std::nullopt; };
        const auto switches = [](const Metrics& m) -> std::optional<double> { return static_cast<double>(m.instant.counts.switches); };
        const auto cost = [](const Metrics& m) -> std::optional<double> { return m.instant.bill.network.inDollars(); };
        const auto power = [](const Metrics& m) -> std::optional<double> {
            const auto watts = m.instant.bill.networkPower;
            return watts ? std::optional(watts->value()) : std::nullopt;
        };
        row.cells.push_back(cell(text(formatCount(metrics.instant.counts.switches)), switches(metrics), was(switches)));
        const bool isComparable =
            !before || unpricedKinds(metrics.instant.bill, &Bill::network) == unpricedKinds(before->instant.bill, &Bill::network);
        if (showsPrices) row.cells.push_back(cell(moneyText(metrics.instant.bill), cost(metrics), isComparable ? was(cost) : std::nullopt));
        const auto watts = metrics.instant.bill.networkPower;
        row.cells.push_back(cell(watts ? text(formatWatts(*watts)) : QStringLiteral("–"), power(metrics), was(power)));
        const auto time = allToAll(metrics);
        row.cells.push_back(cell(time ? text(formatSeconds(Seconds(*time))) : QStringLiteral("–"), time, was(allToAll)));
        row.cells.push_back({bisectionText(nicsOnly(metrics)), {}, true, {}});
        slide.rows.push_back(std::move(row));
    };
    rowOf(own, ownName, nullptr);
    rowOf(twin, twinName, &own);
}

} // namespace

QString tierTitle(const TierFacts& tier) {
    const QString name = QString::fromStdString(std::string(toText(tier.tier)));
    return QObject::tr("%1: %2 × %3")
        .arg(name.left(1).toUpper() + name.mid(1), QString::fromStdString(formatCount(tier.switches)),
             QString::fromStdString(tier.partText()).section(QStringLiteral(" ("), 0, 0));
}

TierLines tierLines(const SlideContent& content, double top) {
    constexpr double bottom = 800, twoLines = 58; // where the comparison begins; what two lines need
    const double pitch = std::min(62.0, (bottom - top) / static_cast<double>(std::max<std::size_t>(1, content.tiers.size())));
    return {pitch, pitch >= twoLines};
}

SlideContent slideContentOf(const Fabric& fabric, const SlideOptions& options) {
    const Design& design = *fabric.design;
    const Metrics own = metricsOf(fabric);
    SlideContent slide;
    slide.tiers = tierFactsOf(fabric);
    const FabricCounts& counts = own.instant.counts;
    slide.rails = layoutName(design) == slideWords("Fat tree") ? 0 : static_cast<int>(counts.rails); // all NICs on one leaf: no lanes
    std::optional<Metrics> twin;
    QString twinName;
    if (const auto other = design.recipe ? twinOf(design) : Result<Design>(Error::unbuildable("hand-drawn"))) {
        twinName = layoutName(*other);
        if (twinName != layoutName(design)) twin = metricsOf(*elaborate(std::make_shared<const Design>(*other)));
    }
    slide.title = answerOf(own, twin, twinName, options.showsPrices);
    QStringList parts;
    for (const TierFacts& tier : slide.tiers)
        if (const QString part = text(tier.partText()).section(QStringLiteral(" ("), 0, 0); !parts.contains(part)) parts << part;
    if (!options.sentence.isEmpty())
        slide.subtitle = options.sentence;
    else
        slide.subtitle =
            slideWords("%1, %2: %3, %4")
                .arg(layoutName(design), counted(counts.tiers, slideWords("%1 tier"), slideWords("%1 tiers")),
                     counted(counts.servers, slideWords("%1 server"), slideWords("%1 servers")), parts.join(slideWords(" and ")));
    const auto power = own.instant.bill.networkPower;
    const QStringList watts = power ? text(formatWatts(*power)).split(QLatin1Char(' ')) : QStringList{QStringLiteral("–"), QString()};
    slide.figures.push_back({text(formatCount(counts.gpus)), slideWords("GPUs"),
                             counts.servers > 0 ? counted(counts.servers, slideWords("%1 server"), slideWords("%1 servers")) : QString(),
                             "counts.gpus", counts.servers > 0 ? "counts.servers" : ""});
    slide.figures.push_back(
        {text(formatCount(counts.switches)), slideWords("switches"), parts.join(slideWords(" and ")), "counts.switches"});
    if (options.showsPrices)
        slide.figures.push_back({moneyText(own.instant.bill), {}, slideWords("network, list prices"), "cost.network_usd"});
    slide.figures.push_back({watts.front(), watts.last(), slideWords("network power"), "power.network_w"});
    const Bisection& bisection = withHb(own);
    const QStringList bandwidth = text(formatBandwidth(gigabitsPerSecond(bisection.upperGbps))).split(QLatin1Char(' '));
    slide.figures.push_back({(bisection.certified ? QString() : QStringLiteral("≤ ")) + bandwidth.front(), bandwidth.last(),
                             bisection.fractionOfInjection
                                 ? slideWords("bisection, %1 of full").arg(QString::number(*bisection.fractionOfInjection, 'f', 2))
                                 : slideWords("bisection"),
                             "bisection.gpu_with_hb.upper_gbps"});
    const auto& pluggables = own.instant.cables.pluggables;
    slide.figures.push_back(
        {text(formatCount(own.instant.cables.cables)), slideWords("cables"),
         pluggables ? slideWords("%1 transceivers").arg(text(formatCount(*pluggables))) : slideWords("transceivers not known"),
         "counts.cables", pluggables ? "counts.pluggables" : ""});
    slide.stated.fingerprint = own.fingerprint;
    const FigureSource source{own.instant, &own.background};
    for (const SlideFigure& figure : slide.figures)
        for (const std::string& key : {figure.key, figure.whatKey})
            if (auto stated = statedFigure(source, key)) slide.stated.figures.push_back(std::move(*stated));
    if (twin) addComparison(slide, own, *twin, layoutName(design), twinName, options.showsPrices);
    const auto block = [&](const QString& name, const QString& value) {
        if (!value.isEmpty()) slide.titleBlock.emplace_back(name, value);
    };
    block(slideWords("Project"), options.project);
    block(slideWords("Author"), options.author);
    block(slideWords("Date"), options.date);
    block(slideWords("Revision"), options.revision);
    block(slideWords("Design"), text(design.name));
    block(slideWords("Fingerprint"), text(own.fingerprint).left(12));
    QStringList basis;
    if (options.showsPrices)
        basis << (isLowerBound(own.instant.bill, &Bill::network)
                      ? slideWords("Catalogue list prices; parts without a price are left out (≥).")
                      : slideWords("Catalogue list prices."));
    basis << slideWords("Power without servers.")
          << slideWords("Bisection in one direction%1.").arg(bisection.certified ? slideWords(", certified") : QString());
    slide.basis = basis.join(QLatin1Char(' '));
    return slide;
}

} // namespace railyard
