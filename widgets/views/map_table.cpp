#include "widgets/views/map_table.h"

#include "core/analysis/maps/failure_grid.h"
#include "core/design/recipes/recipe.h"
#include "core/reliability/reliability_parameters.h"
#include "core/routing/link_loads.h"
#include "core/routing/patterns.h"

#include <QCoreApplication>
#include <algorithm>

namespace railyard {
namespace {

constexpr Bytes usualMessage(std::int64_t{256} << 20);

std::vector<std::int64_t> serversOf(const MapRequest& r) { return r.servers.empty() ? usualServerCounts(r.fabric) : r.servers; }

Result<MapContent> collectiveTime(const MapRequest& r) {
    const std::vector<std::int64_t> servers = serversOf(r);
    const auto grid = collectiveTimeGrid(r.fabric, r.op, usualSizes(), servers, shippedCalibration(), r.context);
    if (!grid) return grid.errors();
    CellMapData data = collectiveTimeCells(*grid, r.op, static_cast<double>(countsOf(r.fabric).servers));
    addMessageDots(r.fabric, r.job, r.op, usualSizes(), servers, data);
    return MapContent(std::move(data));
}

template <bool IsTcp>
Result<MapContent> difference(const MapRequest& r) {
    const std::vector<std::int64_t> servers = serversOf(r);
    auto cells = differenceCells(r.fabric, IsTcp, r.op, servers, r.context);
    if (!cells) return cells.errors();
    addMessageDots(r.fabric, r.job, r.op, usualSizes(), servers, *cells);
    return MapContent(std::move(*cells));
}

Result<MapContent> hbNic(const MapRequest& r) {
    const auto grid = hbNicGrid(r.fabric, r.op, usualMessage, {}, shippedCalibration(), r.context);
    if (!grid) return grid.errors();
    return MapContent(hbNicCells(*grid, r.op, usualMessage, ownBandwidths(r.fabric)));
}

Result<MapContent> traffic(const MapRequest& r) {
    MatrixMapData data = jobTrafficMap(r.fabric, r.job, r.isByKind);
    if (!data.matrix) return Error::unbuildable((data.title + QStringLiteral(": ") + data.subtitle).toStdString());
    return MapContent(std::move(data));
}

Result<MapContent> training(const MapRequest& r) {
    const auto placed = placedOn(r.fabric, r.job);
    if (!placed) return placed.errors();
    return MapContent(trainingCells(trainingGrid(r.fabric, *placed, r.job.planned.plan, r.context), *placed));
}

Result<MapContent> linkLoad(const MapRequest& r) {
    const auto loads = linkLoads(r.fabric, trafficOf(r.fabric, Pattern::AllToAll, 1), {});
    if (!loads) return loads.errors();
    auto grid = linkLoadGrid(r.fabric, *loads, LinkTier::LeafSpine);
    if (!grid) grid = linkLoadGrid(r.fabric, *loads, LinkTier::HostLeaf); // of one tier
    if (!grid) return grid.errors();
    return MapContent(linkLoadCells(*grid));
}

Result<MapContent> collisions(const MapRequest& r) {
    const auto grid = collisionGrid(r.fabric, r.context);
    if (!grid) return grid.errors();
    return MapContent(collisionCurves(*grid));
}

Result<MapContent> jobs(const MapRequest& r) {
    const auto grid = concurrentJobsGrid(r.fabric, r.op, usualMessage, r.context);
    if (!grid) return grid.errors();
    return MapContent(jobCurves(*grid, r.op, usualMessage));
}

Result<MapContent> failure(const MapRequest& r) {
    const ReliabilityRequest request = reliabilityOfDesign(*r.fabric.design);
    const Fabric& intact = r.fabric.intact ? *r.fabric.intact : r.fabric;
    return MapContent(failureCells(failureGrid(r.fabric, request, r.context), countsOf(intact).gpus, request.horizon));
}

Result<MapContent> decision(const MapRequest& r) {
    const Design& design = *r.fabric.design;
    if (!design.recipe) return Error::unbuildable("The decision map needs a recipe, but this design is hand-drawn.");
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return settings.errors();
    return MapContent(
        decisionCells(usualDecisionMap(*design.recipe, *design.catalog, r.context), settings->gpus(), settings->hbDomainGpus));
}

using Content = decltype(MapInfo::content);
constexpr std::pair<std::string_view, Content> contents[] = {
    {"collective-time", collectiveTime},
    {"difference", difference<false>},
    {"tcp", difference<true>},
    {"hb-nic", hbNic},
    {"training", training},
    {"traffic", traffic},
    {"link-load", linkLoad},
    {"collisions", collisions},
    {"jobs", jobs},
    {"failure", failure},
    {"decision", decision},
};

} // namespace

QString MapInfo::picture() const { return QStringLiteral("heatmap:") + QString::fromUtf8(kind->name.data()); }

QString MapInfo::name() const { return QCoreApplication::translate("MapTable", kind->title.data()); }

std::span<const MapInfo> mapTable() {
    static const std::vector<MapInfo> maps = [] {
        std::vector<MapInfo> rows;
        for (const MapKind& kind : mapKinds())
            for (const auto& [name, content] : contents)
                if (name == kind.name) rows.push_back({&kind, content});
        return rows;
    }();
    return maps;
}

const MapInfo* mapNamed(std::string_view kind) {
    const auto maps = mapTable();
    const auto found = std::find_if(maps.begin(), maps.end(), [&](const MapInfo& row) { return row.kind->name == kind; });
    return found == maps.end() ? nullptr : &*found;
}

std::string mapPictures() {
    std::string all;
    for (const MapInfo& row : mapTable()) all += (all.empty() ? "" : ", ") + row.picture().toStdString();
    return all;
}

} // namespace railyard
