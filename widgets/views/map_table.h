// The heat maps and curves of a design, a row each: the Traffic view, the Decide view and `railyard render` show them.
#pragma once

#include "core/analysis/maps/map_kinds.h"
#include "widgets/views/heat_maps.h"

#include <span>
#include <variant>

namespace railyard {

struct MapRequest {
    const Fabric& fabric;
    CollectiveOp op = CollectiveOp::AllReduce;
    JobRequest job;
    bool isByKind = false;                  // of the traffic matrix: colours show the parallelism instead of the volume
    std::vector<std::int64_t> servers = {}; // counts of the maps over servers; empty: the usual ones
    TaskContext context = {};
};

using MapContent = std::variant<CellMapData, CurveData, MatrixMapData>;

struct MapInfo {
    const MapKind* kind = nullptr;
    Result<MapContent> (*content)(const MapRequest& request) = nullptr; // errors: the map cannot be made of this design

    bool has(MapKind::Use use) const { return kind->has(use); }
    QString picture() const; // heatmap:KIND
    QString name() const;    // the title in the language of the user
};

std::span<const MapInfo> mapTable();            // one for each of mapKinds, in their order
const MapInfo* mapNamed(std::string_view kind); // null if there is none
std::string mapPictures();                      // heatmap:collective-time, heatmap:hb-nic and so on

} // namespace railyard
