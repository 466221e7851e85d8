#include "widgets/views/failure_answer.h"

#include "core/analysis/maps/decision.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>

namespace railyard {
namespace {

QString words(const char* text) { return QCoreApplication::translate("FailureView", text); }
QString hours(double value) { return text(formatDuration(Seconds(value * 3600))); }
// The sign stays with its number.
QString percent(double share, int digits = 1) {
    return words("%1 %").arg(share * 100, 0, 'f', digits).replace(QLatin1Char(' '), QChar::Nbsp);
}
QString expected(double value) { return QString::number(value, 'g', 3); }

// What causes most of the interruptions: "GPUs".
QString manyOf(PartKind kind) {
    switch (kind) {
    case PartKind::Gpu: return words("GPUs");
    case PartKind::Nic: return words("NICs");
    case PartKind::HostLink: return words("host links");
    case PartKind::Leaf: return words("leaves");
    case PartKind::Server: return words("servers");
    case PartKind::Tray: return words("trays");
    case PartKind::NvlinkSwitchTray: return words("NVLink switch trays");
    case PartKind::Software: return words("software faults");
    default: break;
    }
    return words("parts of the network");
}

BandData::Line lineOf(const QString& name, bool isMain) {
    BandData::Line line;
    line.name = name;
    line.isMain = isMain;
    return line;
}

BandData::Line bandwidthLine(const BandwidthLeftCurve& curve, const QString& name, bool isMain) {
    BandData::Line line = lineOf(name, isMain);
    line.note = words("%1 switches, %2 failures a year").arg(text(formatCount(curve.switches))).arg(curve.failuresPerYear, 0, 'g', 2);
    for (const BandwidthLeftPoint& point : curve.points)
        line.points.push_back({static_cast<double>(point.failed), point.mean, point.low, point.high});
    return line;
}

} // namespace

FailureAnswer failureAnswer(const FailureRequest& request, const TaskContext& context) {
    FailureAnswer answer;
    answer.to = request;
    const Fabric& fabric = *request.degraded;
    const auto place = jobPlaceOf(fabric, request.asked);
    if (!place) return answer.refusal = wordsOf(place.error()), answer;
    if (place->gpus.empty()) return answer.refusal = words("The design has no GPUs."), answer;
    const JobParts parts = jobPartsOf(fabric, *place, request.asked.policy);
    answer.reliability = reliabilityOf(fabric, parts, request.asked, request.shown->cabling.get());
    const JobParts remaining = remainingPartsOf(fabric, *place, request.asked.policy);
    answer.failures = singleFailures(request.degraded, remaining, request.asked, context);
    answer.pair = worstPair(request.degraded, remaining, request.asked.policy, context);
    answer.remedies = remediesOf(*request.shown->fabric, parts, request.asked);
    if (auto policies = leafPolicies(request.degraded, request.asked))
        answer.policies = std::move(*policies);
    else
        answer.policyRefusal = wordsOf(policies.error());
    return answer;
}

FailureCurvesAnswer failureCurves(const FailureRequest& request, const TaskContext& context) {
    FailureCurvesAnswer answer;
    answer.to = request;
    const Snapshot& shown = *request.shown;
    answer.isRailOnly = shown.design->recipe && shown.design->recipe->name.starts_with("rail-only");
    answer.standbys = standbyCurve(*request.degraded, shown.instant.bill, request.asked, context);
    answer.own = bandwidthLeftCurve(request.degraded, request.asked, context);
    answer.sizes = jobSizeCurve(*request.degraded, request.asked, context);
    if (context.stop.stop_requested()) return answer;
    if (request.degraded->intact) return answer; // the twin has no such failures
    if (const auto twin = twinOf(*shown.design))
        answer.twin = bandwidthLeftCurve(elaborate(std::make_shared<const Design>(*twin)), request.asked, context);
    return answer;
}

QString failureHeadline(const Reliability& r) {
    const QString gpus = text(formatCount(r.jobGpus));
    if (!r.meanTimeHours) return words("No part with a known failure rate interrupts a job on %1 GPUs").arg(gpus);
    std::map<PartKind, double> causes;
    for (const FailureComponent& row : r.components)
        if (row.interruptsJob) causes[row.kind] += row.rate.base.value_or(0) * static_cast<double>(row.count);
    const auto main = std::max_element(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return words("A job on %1 GPUs is interrupted every %2; %3 cause %4 % of the interruptions")
        .arg(gpus, hours(*r.meanTimeHours), manyOf(main->first), QString::number(main->second / r.perYear * 100, 'f', 0));
}

QString failureSubtitle(const Reliability& r) {
    const double years = r.horizonHours / 8760;
    QStringList parts;
    const bool isRange = r.lowPerYear < r.perYear || r.highPerYear > r.perYear;
    const QString own = expected(r.expectedInterruptions()), within = hours(r.horizonHours);
    if (!r.isKnown)
        parts << words("How many interruptions to expect in %1 is not known.").arg(within);
    else
        parts << (isRange ? words("%1 interruptions are expected in %2 (%3 to %4 with low and high rates).")
                                .arg(own, within, expected(r.lowPerYear * years), expected(r.highPerYear * years))
                          : words("%1 interruptions are expected in %2.").arg(own, within));
    if (r.probability && *r.probability < 0.995) parts << words("The probability of one or more is %1.").arg(percent(*r.probability));
    if (r.checkpoint)
        parts << words("With a checkpoint every %1, the effective training time ratio (ETTR) is %2.")
                     .arg(text(formatDuration(r.checkpoint->interval)), percent(r.checkpoint->ettr));
    for (const std::string& note : r.notes) parts << text(note);
    if (!r.missingRates.empty()) {
        QStringList names;
        for (const std::string& each : r.missingRates) names << text(std::string(labelOf(*partKindFrom(each))));
        parts << words("No base failure rate is known for: %1. Totals exclude it.").arg(names.join(QStringLiteral(", ")));
    }
    return parts.join(QLatin1Char(' '));
}

BandData standbyChart(const FailureCurvesAnswer& answer) {
    BandData data;
    const StandbyCurve& curve = answer.standbys;
    if (curve.points.empty()) return data;
    const StandbyPoint& best = curve.points[curve.best];
    data.title = best.trains <= 0 ? words("At these failure rates, the job rarely makes progress")
                                  : counted(best.standbys, words("%1 warm standby makes the most of the GPUs"),
                                            words("%1 warm standbys make the most of the GPUs"));
    data.subtitle = words("Effective training time as a share of all GPU time; server repair %1, %2 trials per point")
                        .arg(text(formatDuration(answer.to.asked.repairServer)), text(formatCount(curve.trials)));
    data.xName =
        words("Warm standbys, of %1 servers").arg(text(formatCount(static_cast<std::int64_t>(answer.to.shown->fabric->servers.size()))));
    data.bandName = words("low and high rates");
    data.isPercent = true;
    BandData::Line line = lineOf(words("base rates"), true);
    for (const StandbyPoint& point : curve.points)
        line.points.push_back({static_cast<double>(point.standbys), point.trains, std::min(point.trainsLow, point.trains),
                               std::max(point.trainsHigh, point.trains)});
    data.lines.push_back(std::move(line));
    data.flag =
        BandData::Flag{static_cast<double>(best.standbys), best.trains,
                       counted(best.standbys, words("%1 standby"), words("%1 standbys")) + QStringLiteral(": ") + percent(best.trains)};
    return data;
}

BandData bandwidthChart(const FailureCurvesAnswer& answer) {
    BandData data;
    if (answer.own.points.empty()) return data;
    const BandwidthLeftPoint& last = answer.own.points.back();
    // The number of failures that both have, in the middle of the chart.
    const auto& points = answer.own.points;
    const BandwidthLeftPoint& middle = points[points.size() / 2];
    const BandwidthLeftPoint* other = nullptr;
    for (const BandwidthLeftPoint& each : answer.twin.points)
        if (each.failed == middle.failed) other = &each;
    const QString twin = answer.isRailOnly ? words("rail-optimized twin") : words("rail-only twin");
    const bool isDegraded = answer.to.degraded && answer.to.degraded->intact;
    data.title =
        other ? words("%1 failed switches leave %2 here, %3 in the %4")
                    .arg(middle.failed)
                    .arg(middle.mean, 0, 'f', 2)
                    .arg(other->mean, 0, 'f', 2)
                    .arg(twin)
              : words(isDegraded ? "%1 more failed switches leave %2 of the bandwidth" : "%1 failed switches leave %2 of the bandwidth")
                    .arg(middle.failed)
                    .arg(middle.mean, 0, 'f', 2);
    data.subtitle = words("Server bisection against intact; mean and 5 to 95 % of %1 draws").arg(answer.own.draws);
    data.xName = words("Failed switches, drawn at random over all tiers");
    data.lines.push_back(bandwidthLine(answer.own, words("this design"), true));
    if (!answer.twin.points.empty()) data.lines.push_back(bandwidthLine(answer.twin, twin, false));
    double least = last.low;
    for (const BandwidthLeftPoint& each : answer.twin.points) least = std::min(least, each.low);
    data.least = std::max(0.0, std::floor((least - 0.06) * 5) / 5);
    return data;
}

BandData jobSizeChart(const FailureCurvesAnswer& answer) {
    BandData data;
    BandData::Line line = lineOf(words("base rates"), true);
    const JobSizePoint* last = nullptr;
    for (const JobSizePoint& point : answer.sizes)
        if (point.ettr) {
            line.points.push_back(
                {static_cast<double>(point.gpus), *point.ettr, point.ettrLow.value_or(*point.ettr), point.ettrHigh.value_or(*point.ettr)});
            last = &point;
        }
    if (line.points.size() < 2) return data;
    data.title = words("ETTR of a job on %1 GPUs: %2").arg(text(formatCount(last->gpus)), percent(*last->ettr));
    data.subtitle =
        words("Effective training time ratio with enough standbys; checkpoint write %1, restart %2")
            .arg(text(formatDuration(answer.to.asked.checkpoint.write)), text(formatDuration(answer.to.asked.checkpoint.restart)));
    data.xName = words("GPUs of the job");
    data.bandName = words("low and high rates");
    data.isPercent = data.isLogarithmic = true;
    double least = 1;
    for (const BandPoint& point : line.points) least = std::min(least, point.low);
    data.least = std::max(0.0, std::floor((least - 0.02) * 5) / 5);
    data.lines.push_back(std::move(line));
    return data;
}

const std::vector<FailureChart>& failureCharts() {
    static const std::vector<FailureChart> charts{
        {"standbys", standbyChart}, {"bandwidth-left", bandwidthChart}, {"ettr-over-gpus", jobSizeChart}};
    return charts;
}

std::string failureChartKeys() {
    std::string keys = "components";
    for (const FailureChart& each : failureCharts()) keys += ", " + std::string(each.key);
    return keys;
}

QString standbyVerdict(const StandbyCurve& curve) {
    if (curve.points.size() < 2 || curve.points[curve.best].trains <= 0) return {};
    const StandbyPoint& best = curve.points[curve.best];
    QString verdict = best.standbys == 0 ? words("No warm standbys minimise the cost per token.")
                                         : counted(best.standbys, words("%1 warm standby minimises the cost per token."),
                                                   words("%1 warm standbys minimise the cost per token."));
    const auto more = [&](std::size_t at) { return curve.moreForToken(at); };
    const auto percentMore = [&](std::size_t at) {
        return std::isfinite(more(at)) && more(at) < 10 ? words("%1 %").arg(more(at) * 100, 0, 'f', more(at) < 0.1 ? 1 : 0)
                                                        : words("many times as much");
    };
    if (curve.best > 0) {
        const std::size_t fewer = curve.nearest(best.standbys / 2);
        verdict += QLatin1Char(' ') +
                   (std::isfinite(more(fewer)) && more(fewer) < 10
                        ? words("With %1 a token costs %2 more, because the job waits for repairs.")
                              .arg(text(formatCount(curve.points[fewer].standbys)), percentMore(fewer))
                        : words("With %1 the job nearly always waits for repairs.").arg(text(formatCount(curve.points[fewer].standbys))));
    }
    if (curve.best + 1 < curve.points.size()) {
        const std::size_t greater = std::max(curve.best + 1, curve.nearest(best.standbys * 2));
        verdict += QLatin1Char(' ') + words("With %1 it costs %2 more, because servers stand idle.")
                                          .arg(text(formatCount(curve.points[greater].standbys)), percentMore(greater));
    }
    return verdict;
}

QString pairSentence(const PairFailure& pair) {
    const QString sentence =
        counted(pair.gpusLost, words("%2 and %3 at the same time: %1 GPU lost"), words("%2 and %3 at the same time: %1 GPUs lost"))
            .arg(text(pair.paths[0]), text(pair.paths[1]));
    return pair.bandwidthLeft ? words("%1, bandwidth left %2.").arg(sentence).arg(*pair.bandwidthLeft, 0, 'f', 2)
                              : sentence + QLatin1Char('.');
}

QString remedyLines(const std::vector<Remedy>& remedies) {
    QStringList lines;
    for (const Remedy& each : remedies) {
        const auto total = each.total();
        const QString cost =
            total ? words("%1 × %2 = %3").arg(text(formatCount(each.count)), text(formatMoney(*each.each)), text(formatMoney(*total)))
                  : words("%1, no price is known").arg(text(formatCount(each.count)));
        lines << words("%1: %2. Down %3 instead of %4.")
                     .arg(words(std::string(each.label).c_str()), cost, text(formatDuration(each.with)),
                          text(formatDuration(each.without)));
    }
    return lines.join(QLatin1Char('\n'));
}

QString policyVerdict(const LeafPolicies& policies) {
    const auto turn = policies.turn();
    if (!turn)
        return policies.isForwardingBetter()
                   ? words("Forwarding loses less training time, however long the repair takes.")
                   : words("The GPUs should leave the job: forwarding loses more training time, however short the repair is.");
    return words("Forwarding loses less training time if the leaf is replaced within %1; otherwise the GPUs should leave the job.")
        .arg(text(formatDuration(*turn)));
}

} // namespace railyard
