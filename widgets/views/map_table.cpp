#include "widgets/views/map_table.h"

#include "core/design/recipes/recipe.h"

#include <QCoreApplication>
#include <algorithm>

namespace railyard {
namespace {

constexpr Bytes usualMessage(std::int64_t{256} << 20);

std::vector<std::int64_t> serversOf(const MapRequest& r) { return r.servers.empty() ? usualServerCounts(r.fabric) : r.servers; }

Result<MapContent> collectiveTime(const MapRequest& r) {
    const std::vector<std::int64_t> servers = serversOf(r);
    const auto grid = collectiveTimeGrid(r.fabric, r.op, usualSizes(), servers);
    if (!grid) return grid.errors();
    CellMapData data = collectiveTimeCells(*grid, r.op, static_cast<double>(countsOf(r.fabric).servers));
    addMessageDots(r.fabric, r.job, r.op, usualSizes(), servers, data);
    return MapContent(std::move(data));
}

template <bool IsTcp>
Result<MapContent> difference(const MapRequest& r) {
    const std::vector<std::int64_t> servers = serversOf(r);
    auto cells = differenceCells(r.fabric, IsTcp, r.op, servers);
    if (!cells) return cells.errors();
    addMessageDots(r.fabric, r.job, r.op, usualSizes(), servers, *cells);
    return MapContent(std::move(*cells));
}

Result<MapContent> hbNic(const MapRequest& r) {
    const auto grid = hbNicGrid(r.fabric, r.op, usualMessage, {});
    if (!grid) return grid.errors();
    return MapContent(hbNicCells(*grid, r.op, usualMessage, ownBandwidths(r.fabric)));
}

Result<MapContent> traffic(const MapRequest& r) {
    MatrixMapData data = jobTrafficMap(r.fabric, r.job, r.isByKind);
    if (!data.matrix) return Error::unbuildable((data.title + QStringLiteral(": ") + data.subtitle).toStdString());
    return MapContent(std::move(data));
}

Result<MapContent> collisions(const MapRequest& r) { return MapContent(collisionCurves(r.fabric)); }

Result<MapContent> jobs(const MapRequest& r) {
    CurveData curves = jobCurves(r.fabric, r.op, usualMessage);
    if (curves.lines.empty()) return Error::unbuildable((curves.title + QStringLiteral(": ") + curves.subtitle).toStdString());
    return MapContent(std::move(curves));
}

Result<MapContent> decision(const MapRequest& r) {
    const Design& design = *r.fabric.design;
    if (!design.recipe) return Error::unbuildable("The decision map needs a recipe, but this design is hand-drawn.");
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return settings.errors();
    return MapContent(decisionCells(usualDecisionMap(*design.recipe, *design.catalog), settings->gpus(), settings->hbDomainGpus));
}

constexpr unsigned timesUse = MapInfo::Operation | MapInfo::Job;
constexpr MapInfo maps[] = {
    {"collective-time", QT_TRANSLATE_NOOP("MapTable", "Collective time by message size and servers"), timesUse, collectiveTime},
    {"difference", QT_TRANSLATE_NOOP("MapTable", "Collective time, rail-only vs rail-optimized"), timesUse, difference<false>},
    {"tcp", QT_TRANSLATE_NOOP("MapTable", "Collective time, TCP vs RDMA"), timesUse, difference<true>},
    {"hb-nic", QT_TRANSLATE_NOOP("MapTable", "Collective time by NIC and HB bandwidth"), MapInfo::Operation, hbNic},
    {"traffic", QT_TRANSLATE_NOOP("MapTable", "Traffic matrix of the training job"), MapInfo::Job | MapInfo::Colour, traffic},
    {"collisions", QT_TRANSLATE_NOOP("MapTable", "ECMP hash collisions"), MapInfo::Nothing, collisions},
    {"jobs", QT_TRANSLATE_NOOP("MapTable", "Concurrent jobs"), MapInfo::Operation, jobs},
    {"decision", nullptr, MapInfo::Prices, decision}, // has a view of its own
};

} // namespace

QString MapInfo::picture() const { return QStringLiteral("heatmap:") + QString::fromUtf8(kind.data()); }

QString MapInfo::name() const { return title ? QCoreApplication::translate("MapTable", title) : QString(); }

std::span<const MapInfo> mapTable() { return maps; }

const MapInfo* mapNamed(std::string_view kind) {
    const auto found = std::find_if(std::begin(maps), std::end(maps), [&](const MapInfo& row) { return row.kind == kind; });
    return found == std::end(maps) ? nullptr : &*found;
}

std::string mapPictures() {
    std::string all;
    for (const MapInfo& row : maps) all += (all.empty() ? "" : ", ") + row.picture().toStdString();
    return all;
}

} // namespace railyard
