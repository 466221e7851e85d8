#include "widgets/views/heat_maps.h"
#include "widgets/document/error_words.h"

#include "core/base/unit_text.h"
#include "core/workload/job_messages.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

QString tr(const char* words) { return QCoreApplication::translate("HeatMaps", words); }
QString counted(double value) { return text(formatCount(std::llround(value))); }

QString shortSeconds(double seconds) { return text(formatSeconds(Seconds(seconds))); }

QString capitalised(QString words) {
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    return words;
}

QString sideText(const char* name, const FabricChoice& side) {
    return tr("%1: %2 switches, %3 tiers, %4, %5%6")
        .arg(tr(name), text(formatCount(side.plan.switches())))
        .arg(side.plan.tiers)
        .arg(text(side.words))
        .arg(side.cost.leftOut.none() ? QString() : QStringLiteral("≥ "), text(formatMoney(side.cost.network)));
}

// Outlines the cells whose time exceeds the bandwidth-only time by no more than each factor.
void addContours(const HeatGrid& grid, CellMapData& data) {
    if (grid.isWithoutLatency) return;
    for (const auto& [factor, name] : {std::pair(2.0, "×2"), std::pair(1.2, "+20 %"), std::pair(1.05, "+5 %")}) {
        CellMapData::Contour contour{QString::fromUtf8(name), {}};
        for (std::size_t i = 0; i < grid.values.size(); ++i)
            contour.holds.push_back(grid.values[i] && grid.bandwidthTimes[i] && *grid.values[i] <= *grid.bandwidthTimes[i] * factor);
        data.contours.push_back(std::move(contour));
    }
}

// The smallest message size above which every time in the row is within 20 % of the bandwidth-only time.
std::optional<double> withinBandwidthFrom(const HeatGrid& grid, std::size_t row) {
    std::optional<double> from;
    for (std::size_t x = grid.x.size(); x-- > 0;) {
        const std::size_t i = grid.at(x, row);
        if (!grid.values[i] || *grid.values[i] > *grid.bandwidthTimes[i] * 1.2) break;
        from = grid.x[x];
    }
    return from;
}

} // namespace

CellMapData collectiveTimeCells(const HeatGrid& grid, CollectiveOp op, double ownServers) {
    CellMapData data;
    double low = 1e300, high = 0;
    for (const auto& value : grid.values)
        if (value && *value > 0) low = std::min(low, *value), high = std::max(high, *value);
    const double range = high > low ? std::log(high / low) : 1;
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        data.yLabels << counted(grid.y[y]);
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const std::size_t i = grid.at(x, y);
            const auto& value = grid.values[i];
            data.values.push_back(value && *value > 0 ? std::optional(std::log(*value / low) / range) : value);
            data.cellText.push_back(value ? shortSeconds(*value) : QString());
            const QString head = tr("%1 on %2 servers").arg(text(formatBytes(Bytes(std::llround(grid.x[x]))))).arg(counted(grid.y[y]));
            data.tips.push_back(value ? RichText::filled(tr("<b>%1</b><br>Time: %2<br>%3"), head, shortSeconds(*value), text(grid.notes[i]))
                                      : RichText::filled(tr("<b>%1</b><br>%2"), head, text(grid.notes[i])));
        }
        if (grid.y[y] == ownServers && !grid.x.empty()) data.mark = std::pair(-1, static_cast<int>(y)); // whatever the message size
    }
    for (const double x : grid.x) data.xLabels << text(formatBytes(Bytes(std::llround(x))));
    addContours(grid, data);
    const QString opName = capitalised(QString::fromUtf8(toText(op).data()));
    data.title = tr("%1 time by message size and number of servers").arg(opName);
    if (!grid.values.empty() && data.mark) {
        const auto& small = grid.values[grid.at(grid.x.size() - 1, 0)];
        const auto& own = grid.values[grid.at(grid.x.size() - 1, static_cast<std::size_t>(data.mark->second))];
        if (small && own && *small > 0)
            data.title = tr("%1 of %2 takes %3 on this design's %4 servers")
                             .arg(opName, text(formatBytes(Bytes(std::llround(grid.x.back())))), shortSeconds(*own), counted(ownServers));
    }
    if (const auto from =
            data.mark && !grid.isWithoutLatency ? withinBandwidthFrom(grid, static_cast<std::size_t>(data.mark->second)) : std::nullopt)
        data.title = tr("%1 on %2 servers is within 20 % of link bandwidth from %3 upward")
                         .arg(opName, counted(ownServers), text(formatBytes(Bytes(std::llround(*from)))));
    data.subtitle = grid.isWithoutLatency ? tr("Fastest algorithm. Link bandwidth only: the vendor publishes no latency constants.")
                                          : tr("Fastest algorithm and protocol, calibrated. Contours: time above the bandwidth-only time.");
    data.subtitle += tr(" Other sizes rebuild the same recipe.");
    data.xName = tr("Message size (nccl-tests size)");
    data.yName = tr("Servers");
    data.colorName = tr("Time (log scale)");
    data.lowText = high > 0 ? shortSeconds(low) : QString();
    data.highText = high > 0 ? shortSeconds(high) : QString();
    data.markText = tr("this design");
    return data;
}

CellMapData timeDifferenceCells(const HeatGrid& grid, CollectiveOp op, const QString& a, const QString& b, const QString& inB,
                                double ownServers) {
    CellMapData data;
    double most = 0.01; // the colour scale spans at least 1 %, so that rounding noise does not look like a difference
    for (const auto& value : grid.values)
        if (value) most = std::max(most, std::abs(*value));
    const auto percent = [](double share) {
        return tr("%1 %").arg(QString::asprintf("%+.1f", share * 100)).replace(QLatin1Char('-'), QChar(0x2212));
    };
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        data.yLabels << counted(grid.y[y]);
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const std::size_t i = grid.at(x, y);
            const auto& value = grid.values[i];
            data.values.push_back(value ? std::optional(-*value / most) : value); // negated, because a longer time is worse
            data.cellText.push_back(!value ? QString() : *value == 0 ? tr("same") : percent(*value));
            const QString head = tr("%1 on %2 servers").arg(text(formatBytes(Bytes(std::llround(grid.x[x]))))).arg(counted(grid.y[y]));
            data.tips.push_back(
                value ? RichText::filled(tr("<b>%1</b><br>%2 vs %4: %3 time (range %5)"), head, b, percent(*value), a, text(grid.notes[i]))
                      : RichText::filled(tr("<b>%1</b><br>%2"), head, text(grid.notes[i])));
        }
        if (grid.y[y] == ownServers && !grid.x.empty()) data.mark = std::pair(-1, static_cast<int>(y)); // whatever the message size
    }
    data.undecided = grid.undecided;
    for (const double x : grid.x) data.xLabels << text(formatBytes(Bytes(std::llround(x))));
    const QString opName = capitalised(QString::fromUtf8(toText(op).data()));
    data.title = tr("%1 time: %2 vs %3").arg(opName, b, a);
    if (data.mark)
        if (const auto& own = grid.values[grid.at(grid.x.size() - 1, static_cast<std::size_t>(data.mark->second))])
            data.title = std::abs(*own) < 5e-4 ? tr("%1 of %2 takes the same time on %3 and %4").arg(opName, data.xLabels.back(), a, b)
                                               : tr("%1 of %2 takes %3 %4 %5")
                                                     .arg(opName, data.xLabels.back(), percent(std::abs(*own)).mid(1),
                                                          *own > 0 ? tr("longer") : tr("less time"), inB);
    data.subtitle = capitalised(tr("%1 vs %2, with the same calibration error for both. Other sizes rebuild the same recipes.").arg(b, a));
    if (grid.isWithoutLatency) data.subtitle += tr(" Link bandwidth only: the vendor publishes no latency constants.");
    data.xName = tr("Message size (nccl-tests size)");
    data.yName = tr("Servers");
    data.colorName = tr("Time difference");
    data.lowText = tr("%1 longer").arg(percent(most).mid(1));
    data.highText = most < 1 ? tr("%1 shorter").arg(percent(-most).mid(1)) : tr("shorter"); // by more than all of it is impossible
    data.hatchText = tr("Hatched: too close to call, or cannot be built");
    data.isDiverging = true;
    data.markText = tr("this design");
    return data;
}

Result<CellMapData> differenceCells(const Fabric& fabric, bool isTcp, CollectiveOp op, const std::vector<std::int64_t>& servers,
                                    const TaskContext& context) {
    const auto own = static_cast<double>(countsOf(fabric).servers);
    const auto grid = isTcp ? tcpDifferenceGrid(fabric, op, usualSizes(), servers, context)
                            : twinDifferenceGrid(fabric, op, usualSizes(), servers, context);
    if (!grid) return grid.errors();
    return isTcp ? timeDifferenceCells(*grid, op, tr("RDMA"), tr("TCP"), tr("with TCP than with RDMA"), own)
                 : timeDifferenceCells(*grid, op, tr("rail-optimized"), tr("rail-only"), tr("on rail-only than on rail-optimized"), own);
}

namespace {

// The fractional index of a value on an ascending axis; empty if it lies more than half a step outside.
std::optional<double> placeOn(const std::vector<double>& axis, double value) {
    if (axis.empty() || value < axis.front() * 0.72 || value > axis.back() * 1.4) return {};
    std::size_t above = 0;
    while (above < axis.size() && axis[above] < value) ++above;
    if (above == 0 || above == axis.size()) return above == 0 ? 0.0 : static_cast<double>(axis.size() - 1);
    return static_cast<double>(above - 1) + std::log(value / axis[above - 1]) / std::log(axis[above] / axis[above - 1]);
}

} // namespace

void addMessageDots(const Fabric& fabric, const JobRequest& job, CollectiveOp op, const std::vector<Bytes>& sizes,
                    const std::vector<std::int64_t>& servers, CellMapData& data) {
    const QString model = text(job.planned.job.model.name);
    const auto placed = placedOn(fabric, job);
    const auto messages = placed ? messagesOf(fabric, *placed) : Result<std::vector<JobMessage>>(placed.errors());
    if (!messages) return void(data.dotText = model + QStringLiteral(": ") + wordsOf(messages.error()));
    std::vector<double> x, y;
    for (const Bytes size : sizes) x.push_back(static_cast<double>(size.count()));
    for (const std::int64_t count : servers) y.push_back(static_cast<double>(count));
    double most = 0;
    for (const JobMessage& message : *messages)
        if (message.op == op) most = std::max(most, message.count);
    QStringList words;
    for (const JobMessage& message : *messages) {
        if (message.op != op) continue;
        const QString size = text(formatBytes(message.size));
        const QString kind = QString::fromUtf8(toText(message.kind).data()).toUpper();
        words << tr("%1 %2 × %3, %4").arg(kind, counted(message.count), size, text(message.what));
        const auto column = placeOn(x, static_cast<double>(message.size.count())), row = placeOn(y, static_cast<double>(message.servers));
        if (!column || !row) continue;
        data.dots.push_back({*column, *row, std::log1p(message.count) / std::log1p(most),
                             tr("%1: %2, %3 each, %4 ranks on %5 servers")
                                 .arg(kind, text(message.what), size, counted(static_cast<double>(message.ranks)),
                                      counted(static_cast<double>(message.servers)))});
    }
    const auto nameOf = [](CollectiveOp of) { return QString::fromUtf8(toText(of).data()); };
    QStringList issued; // the user looks at one operation, the job may use others
    for (const JobMessage& message : *messages)
        if (!issued.contains(nameOf(message.op))) issued << nameOf(message.op);
    const QString others =
        issued.isEmpty()
            ? tr("%1 uses no collectives with this parallelism.").arg(model)
            : tr("%1 uses no %2 with this parallelism; it uses %3.")
                  .arg(model, nameOf(op),
                       issued.size() == 1 ? issued[0]
                                          : issued.mid(0, issued.size() - 1).join(QStringLiteral(", ")) + tr(" and ") + issued.last());
    data.dotText = words.isEmpty() ? others : tr("Messages of one %1 rank per iteration: %2").arg(model, words.join(QStringLiteral("; ")));
}

// Collective time over NIC and HB bandwidth, on a log colour scale from the fastest to the slowest cell.
CellMapData hbNicCells(const HeatGrid& grid, CollectiveOp op, Bytes size, const BandwidthAxes& own) {
    CellMapData data;
    double low = 1e300, high = 0;
    for (const auto& value : grid.values)
        if (value && *value > 0) low = std::min(low, *value), high = std::max(high, *value);
    const double range = high > low ? std::log(high / low) : 1;
    const auto speed = [](double gbps) { return text(formatBandwidth(gigabitsPerSecond(gbps))); };
    std::optional<double> here;
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        data.yLabels << speed(grid.y[y]);
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const auto& value = grid.values[grid.at(x, y)];
            data.values.push_back(value && *value > 0 ? std::optional(std::log(*value / low) / range) : value);
            data.cellText.push_back(value ? shortSeconds(*value) : QString());
            const QString head = tr("NIC %1, HB %2 per GPU").arg(speed(grid.x[x]), speed(grid.y[y]));
            const QString note = text(grid.notes[grid.at(x, y)]);
            data.tips.push_back(value ? RichText::filled(tr("<b>%1</b><br>Time: %2<br>%3"), head, shortSeconds(*value), note)
                                      : RichText::filled(tr("<b>%1</b><br>%2"), head, note));
            if (grid.x[x] != own.nicGbps[0] || grid.y[y] != own.hbGbps[0]) continue;
            data.mark = std::pair(static_cast<int>(x), static_cast<int>(y));
            here = value;
        }
    }
    for (const double x : grid.x) data.xLabels << speed(x);
    const QString opName = QString::fromUtf8(toText(op).data()), sizeText = text(formatBytes(size));
    const auto faster = [&](int dx, int dy) -> std::optional<double> { // the saving from doubling one of the bandwidths
        if (!data.mark || !here) return {};
        const int x = data.mark->first + dx, y = data.mark->second + dy;
        if (x >= static_cast<int>(grid.x.size()) || y >= static_cast<int>(grid.y.size())) return {};
        const auto& there = grid.values[grid.at(static_cast<std::size_t>(x), static_cast<std::size_t>(y))];
        return there ? std::optional(1 - *there / *here) : std::nullopt;
    };
    const auto nic = faster(1, 0), hb = faster(0, 1);
    data.title = tr("Time of %1 of %2 by NIC and HB bandwidth").arg(opName, sizeText);
    if (nic && hb)
        data.title = tr("Doubling NIC bandwidth saves %1 % of %2 time; doubling HB bandwidth saves %3 %")
                         .arg(*nic * 100, 0, 'f', 0)
                         .arg(opName)
                         .arg(*hb * 100, 0, 'f', 0);
    data.subtitle = tr("%1 of %2 on all GPUs; fastest algorithm and protocol. Rebuilds the recipe at other speeds with the "
                       "same switch port counts and without overrides.")
                        .arg(capitalised(opName), sizeText);
    data.xName = tr("NIC bandwidth (one direction)");
    data.yName = tr("HB bandwidth per GPU (one direction)");
    data.colorName = tr("Time (log scale)");
    data.lowText = high > 0 ? shortSeconds(low) : QString();
    data.highText = high > 0 ? shortSeconds(high) : QString();
    data.markText = tr("this design");
    return data;
}

CellMapData decisionCells(const DecisionMap& map, std::int64_t ownGpus, std::int64_t ownDomain) {
    CellMapData data;
    data.isDiverging = true;
    data.hatchText = tr("Hatched: no difference, or no network to build");
    for (std::size_t y = 0; y < map.hbDomains.size(); ++y) {
        data.yLabels << counted(static_cast<double>(map.hbDomains[y]));
        for (std::size_t x = 0; x < map.gpus.size(); ++x) {
            const DecisionCell& cell = map.at(x, y);
            const auto saving = cell.switchSaving;
            data.values.push_back(saving ? std::optional(std::clamp(*saving / 0.8, -1.0, 1.0)) : std::nullopt);
            data.undecided.push_back(saving && std::abs(*saving) <= 0.05);
            data.cellText.push_back(!saving                      ? QString()
                                    : std::abs(*saving) < 0.0005 ? QStringLiteral("0 %")
                                                                 : QStringLiteral("%1%2 %")
                                                                       .arg(*saving > 0 ? QStringLiteral("−") : QStringLiteral("+"))
                                                                       .arg(std::abs(*saving) * 100, 0, 'f', 0));
            RichText tip = RichText::filled(tr("<b>%1 GPUs, HB domains of %2 GPUs</b>"), counted(static_cast<double>(cell.gpus)),
                                            counted(static_cast<double>(cell.hbDomainGpus)));
            if (cell.railOptimized && cell.railOnly) {
                tip += RichText::filled(QStringLiteral("<br>%1<br>%2"), sideText("Rail-optimized", *cell.railOptimized),
                                        sideText("Rail-only", *cell.railOnly));
                if (cell.costSaving) tip += RichText::filled(tr("<br>Network cost: %1"), text(formatPercent(-*cell.costSaving)));
                if (cell.allToAllSlowdown)
                    tip += RichText::filled(tr("<br>All-to-all time with forwarding: %1"), text(formatPercent(*cell.allToAllSlowdown)));
            } else {
                tip += RichText::filled(QStringLiteral("<br>%1"), text(cell.why));
            }
            data.tips.push_back(tip);
            if (cell.gpus == ownGpus && cell.hbDomainGpus == ownDomain) data.mark = std::pair(static_cast<int>(x), static_cast<int>(y));
        }
    }
    for (const std::int64_t gpus : map.gpus) data.xLabels << counted(static_cast<double>(gpus));
    data.title = tr("Rail-only saves switches where each rail needs fewer tiers");
    data.subtitle =
        tr("The best rail-only vs the best rail-optimized fabric with the same GPUs, parts and oversubscription; one switch may "
           "carry several rails.");
    data.hint = tr("Point at a cell for settings and cost; double-click to open the rail-only fabric.");
    data.xName = tr("Cluster size (GPUs)");
    data.yName = tr("HB domain size (GPUs)");
    data.colorName = tr("Switch count, rail-only vs rail-optimized");
    data.lowText = tr("+80 % or more");
    data.highText = QStringLiteral("−80 %");
    data.markText = tr("this design");
    return data;
}

CellMapData failureCells(const HeatGrid& grid, std::int64_t ownGpus, Seconds horizon) {
    CellMapData data;
    const auto percent = [](double share) {
        return share > 0.995 && share < 1 ? tr("> 99 %") : tr("%1 %").arg(share * 100, 0, 'g', share < 0.1 ? 2 : 3);
    };
    const QString time = text(formatDuration(horizon));
    std::optional<double> own;
    QString ownNote;
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        data.yLabels << QStringLiteral("×%1").arg(grid.y[y]);
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const auto& value = grid.values[grid.at(x, y)];
            const QString note = text(grid.notes[grid.at(x, y)]);
            data.values.push_back(value);
            // Near 1 the mean time says more than the probability.
            const bool isNearOne = value && *value > 0.995;
            data.cellText.push_back(isNearOne ? note.section(QLatin1Char(' '), 2) : value ? percent(*value) : QString());
            data.tips.push_back(value ? RichText::filled(tr("<b>%1 GPUs, rates ×%2</b><br>Probability of an interruption in %3: %4<br>%5"),
                                                         counted(grid.x[x]), QString::number(grid.y[y]), time, percent(*value), note)
                                      : RichText::filled(tr("<b>%1 GPUs</b><br>%2"), counted(grid.x[x]), note));
            if (grid.y[y] == 1 && std::llround(grid.x[x]) == ownGpus)
                data.mark = std::pair(static_cast<int>(x), static_cast<int>(y)), own = value, ownNote = note;
        }
    }
    for (const double x : grid.x) data.xLabels << counted(x);
    data.title = own && *own > 0.995 ? tr("A job on all %1 GPUs is interrupted every %2")
                                           .arg(counted(static_cast<double>(ownGpus)), ownNote.section(QLatin1Char(' '), 2))
                 : own ? tr("A job on all %1 GPUs is interrupted within %2 with a probability of %3")
                             .arg(counted(static_cast<double>(ownGpus)), time, percent(*own))
                       : tr("Probability of an interruption within %1").arg(time);
    data.subtitle = tr("By the size of the job and by all failure rates, as multiples of those of the design. Above 99.5 %: the mean time "
                       "between interruptions.");
    data.xName = tr("GPUs of the job");
    data.yName = tr("Failure rates, as multiples");
    data.colorName = tr("Probability of an interruption");
    data.lowText = tr("0 %");
    data.highText = tr("100 %");
    data.markText = tr("this design");
    return data;
}

CellMapData trainingCells(const HeatGrid& grid, const PlacedJob& placed) {
    CellMapData data;
    double low = 1e300, high = 0;
    for (const auto& value : grid.values)
        if (value && *value > 0) low = std::min(low, *value), high = std::max(high, *value);
    const double range = high > low ? std::log(high / low) : 1;
    const auto factor = [](double value) { return QStringLiteral("×%1").arg(value); };
    std::optional<double> here, fasterNic, fasterHb;
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        data.yLabels << factor(grid.y[y]);
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const auto& value = grid.values[grid.at(x, y)];
            data.values.push_back(value && *value > 0 ? std::optional(std::log(*value / low) / range) : value);
            data.cellText.push_back(value ? shortSeconds(*value) : QString());
            const QString head = tr("NICs and network links %1, HB links %2").arg(factor(grid.x[x]), factor(grid.y[y]));
            const QString note = text(grid.notes[grid.at(x, y)]);
            data.tips.push_back(value ? RichText::filled(tr("<b>%1</b><br>Iteration: %2<br>%3"), head, shortSeconds(*value), note)
                                      : RichText::filled(tr("<b>%1</b><br>%2"), head, note));
            if (grid.x[x] == 1 && grid.y[y] == 1) data.mark = std::pair(static_cast<int>(x), static_cast<int>(y)), here = value;
            if (grid.x[x] == 2 && grid.y[y] == 1) fasterNic = value;
            if (grid.x[x] == 1 && grid.y[y] == 2) fasterHb = value;
        }
    }
    for (const double x : grid.x) data.xLabels << factor(x);
    data.title = tr("Iteration time by NIC and HB bandwidth");
    if (here && fasterNic && fasterHb)
        data.title = tr("Doubling NIC bandwidth saves %1 % of the iteration; doubling HB bandwidth saves %2 %")
                         .arg((1 - *fasterNic / *here) * 100, 0, 'f', 0)
                         .arg((1 - *fasterHb / *here) * 100, 0, 'f', 0);
    data.subtitle = tr("%1 on %2 GPUs. The same switches, ports and cables at other speeds.")
                        .arg(text(placed.job.model.name), counted(static_cast<double>(placed.job.gpus())));
    data.xName = tr("Speed of NICs and network links");
    data.yName = tr("Speed of HB links");
    data.colorName = tr("Iteration time (log scale)");
    data.lowText = high > 0 ? shortSeconds(low) : QString();
    data.highText = high > 0 ? shortSeconds(high) : QString();
    data.markText = tr("this design");
    return data;
}

CellMapData linkLoadCells(const LinkLoadGrid& grid) {
    constexpr std::size_t mostLabels = 64; // of an axis; beyond, cells carry no text and every nth name is shown
    CellMapData data;
    double most = 0;
    for (const auto& value : grid.values) most = std::max(most, value.value_or(0));
    const bool isSmall = grid.x.size() <= 16 && grid.y.size() <= 32;
    const auto labels = [&](const std::vector<std::string>& names) {
        QStringList list;
        const std::size_t step = names.size() / mostLabels + 1;
        for (std::size_t i = 0; i < names.size(); ++i) list << (i % step == 0 ? text(names[i]) : QString());
        return list;
    };
    data.xLabels = labels(grid.x);
    data.yLabels = labels(grid.y);
    for (std::size_t y = 0; y < grid.y.size(); ++y)
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const auto& value = grid.values[grid.at(x, y)];
            data.values.push_back(value && most > 0 ? std::optional(*value / most) : value);
            data.cellText.push_back(value && isSmall ? text(formatShare(*value)) : QString());
            data.tips.push_back(RichText::filled(tr("<b>%1 → %2</b><br>Utilisation: %3"), text(grid.y[y]), text(grid.x[x]),
                                                 value ? text(formatShare(*value)) : tr("no link")));
        }
    const bool isOfSpines = grid.tier == LinkTier::LeafSpine;
    data.title = (isOfSpines ? tr("The busiest link between leaves and spines is at %1 utilisation")
                             : tr("The busiest link between NICs and leaves is at %1 utilisation"))
                     .arg(text(formatShare(most)));
    data.subtitle = tr("All-to-all over all GPUs, split evenly over equal-cost paths, when every GPU sends at its full rate.");
    data.xName = isOfSpines ? tr("Spine") : tr("Leaf");
    data.yName = isOfSpines ? tr("Leaf") : tr("NIC");
    data.colorName = tr("Utilisation");
    data.lowText = tr("0 %");
    data.highText = text(formatShare(most));
    return data;
}

CurveData collisionCurves(const HeatGrid& grid) {
    CurveData data;
    data.xName = tr("Connections per pair");
    data.yName = tr("Slowdown vs even load balancing");
    data.title = tr("Slowdown from ECMP hash collisions");
    data.subtitle = tr("Load of the busiest link when each connection is hashed onto one path, vs even spreading over all paths; seed 1.");
    data.least = 0.9;
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        CurveData::Line line{text(grid.yNames[y]), {}};
        for (std::size_t x = 0; x < grid.x.size(); ++x)
            if (const auto& value = grid.values[grid.at(x, y)]) line.points.emplace_back(grid.x[x], *value);
        if (line.points.empty()) {
            data.subtitle += QLatin1Char(' ') + line.name + QStringLiteral(": ") + text(grid.notes[grid.at(0, y)]) + QLatin1Char('.');
            continue;
        }
        if (data.lines.empty()) {
            data.ticks = grid.x;
            data.title = tr("ECMP hashing slows a permutation ×%1 with one connection per pair, ×%2 with %3")
                             .arg(line.points.front().second, 0, 'f', 1)
                             .arg(line.points.back().second, 0, 'f', 1)
                             .arg(line.points.back().first);
        }
        data.lines.push_back(std::move(line));
    }
    return data;
}

CurveData jobCurves(const HeatGrid& grid, CollectiveOp op, Bytes size) {
    CurveData data;
    const QString opName = QString::fromUtf8(toText(op).data());
    data.xName = tr("Concurrent jobs, each on the same number of HB domains");
    data.yName = tr("Slowdown of the slowest job");
    data.least = 0.9;
    data.title = tr("Slowdown of concurrent jobs");
    data.subtitle =
        tr("Each job runs %1 of %2; time when sharing vs alone. Packed: adjacent HB domains; spread: HB domains assigned round-robin.")
            .arg(opName, text(formatBytes(size)));
    QString bottleneck;
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        CurveData::Line line{y == 0 ? tr("packed") : tr("spread"), {}};
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const auto& value = grid.values[grid.at(x, y)];
            if (!value) break; // fewer HB domains than jobs
            line.points.emplace_back(grid.x[x], *value);
            if (*value > 1.005 && !grid.notes[grid.at(x, y)].empty()) bottleneck = text(grid.notes[grid.at(x, y)]);
        }
        if (data.lines.empty())
            for (const auto& [x, slowdown] : line.points) data.ticks.push_back(x);
        data.lines.push_back(std::move(line));
    }
    if (data.lines.front().points.size() < 2) return data.subtitle = tr("A single HB domain holds only one job."), data;
    const auto worstOf = [](const CurveData::Line& line) { // slowdown does not always grow with the number of jobs
        return *std::max_element(line.points.begin(), line.points.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    };
    const auto packed = worstOf(data.lines[0]), spread = worstOf(data.lines[1]);
    data.title = packed.second < 1.005 && spread.second < 1.005
                     ? tr("Up to %1 concurrent jobs do not slow each other, packed or spread").arg(data.ticks.back())
                     : tr("%1: concurrent jobs slow each other up to ×%2 packed (%3 jobs), ×%4 spread (%5 jobs)")
                           .arg(capitalised(opName))
                           .arg(packed.second, 0, 'f', 2)
                           .arg(packed.first)
                           .arg(spread.second, 0, 'f', 2)
                           .arg(spread.first);
    if (!bottleneck.isEmpty()) data.subtitle += tr(" Bottleneck: links such as %1.").arg(bottleneck);
    return data;
}

MatrixMapData jobTrafficMap(const Fabric& fabric, const JobRequest& request, bool isByKind) {
    const auto placed = placedOn(fabric, request);
    if (!placed) return {tr("This job cannot run here"), wordsOf(placed.error()), {}};
    const TrainingJob& job = placed->job;
    const auto traffic = jobTrafficOf(fabric, job, placed->gpus);
    if (!traffic) return {tr("This job cannot run here"), wordsOf(traffic.error()), {}};
    MatrixMapData data;
    data.isByKind = isByKind;
    const auto matrix = std::make_shared<TrafficMatrix>(trafficMatrix(fabric, *traffic, MatrixGrain::Gpu));
    data.matrix = matrix;
    const double total = traffic->total();
    if (total <= 0) return {tr("No traffic"), tr("This job has only one GPU."), {}};
    const auto percent = [&](double bytes) { return QString::number(bytes / total * 100, 'f', 1); };
    data.title = tr("%1 % of the bytes stay inside HB domains").arg(percent(matrix->inDomains));
    if (matrix->hasRails && matrix->onRails + matrix->acrossRails > 0)
        data.title +=
            matrix->acrossRails <= 0 ? tr("; the rest stays on its rail") : tr("; %1 % cross rails").arg(percent(matrix->acrossRails));
    QStringList degrees;
    for (const Parallel kind : {Parallel::Tensor, Parallel::Context, Parallel::Expert, Parallel::Data, Parallel::Pipeline})
        if (const std::int64_t degree = kind == Parallel::Expert ? job.expertRanks() : job.by(kind); degree > 1)
            degrees << QStringLiteral("%1 %2").arg(QString::fromUtf8(toText(kind).data()).toUpper(), counted(static_cast<double>(degree)));
    const std::int64_t all = countsOf(fabric).gpus;
    const QString gpus = job.gpus() == all
                             ? counted(static_cast<double>(all))
                             : tr("%1 of %2").arg(counted(static_cast<double>(job.gpus())), counted(static_cast<double>(all)));
    data.subtitle = tr("%1 on %2 GPUs: %3; %4 sequences of %5 tokens per iteration. Collectives run as rings.")
                        .arg(text(job.model.name), gpus, degrees.join(QStringLiteral(" · ")), counted(static_cast<double>(job.globalBatch)),
                             counted(static_cast<double>(job.model.sequenceTokens)));
    return data;
}

QString verdictOf(const DecisionCell& cell) {
    if (!cell.railOptimized || !cell.railOnly || !cell.switchSaving) return text(cell.why);
    const auto one = cell.railOptimized->plan.switches(), other = cell.railOnly->plan.switches();
    const auto saved = differenceOf(cell.railOnly->cost, cell.railOptimized->cost);
    QString words;
    if (one == other)
        words = tr("Rail-only saves no switches here: both fabrics need %1.").arg(counted(static_cast<double>(one)));
    else
        words = tr("Rail-only needs %1 switches instead of %2 (%3)")
                    .arg(counted(static_cast<double>(other)), counted(static_cast<double>(one)), text(formatPercent(-*cell.switchSaving)));
    if (one != other && saved)
        words +=
            tr(" and %1 %2 of network cost%3.")
                .arg(saved->inCents() >= 0 ? tr("saves") : tr("adds"), text(formatMoney(saved->inCents() >= 0 ? *saved : Money() - *saved)),
                     cell.railOnly->cost.leftOut.none() ? QString() : tr(" (excludes unpriced parts)"));
    else if (one != other)
        words += tr("; the network costs leave out different kinds of parts without a price.");
    if (cell.allToAllSlowdown)
        words += tr(" All-to-all takes %1 longer.").arg(text(formatPercent(*cell.allToAllSlowdown)).remove(QLatin1Char('+')));
    return words;
}

} // namespace railyard
