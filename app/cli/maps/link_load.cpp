#include "app/cli/maps/map.h"
#include "core/analysis/maps/link_load_grid.h"

#include <fmt/format.h>

namespace railyard::cli {
namespace {

Json loadJson(const LinkLoadGrid& grid, const TrafficOptions& traffic) {
    Json rows = Json::array();
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        Json row = Json::array();
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const auto& value = grid.values[grid.at(x, y)];
            row.push_back(value ? Json(*value) : Json());
        }
        rows.push_back(row);
    }
    return {{"schema", "railyard.heatmap/1"},
            {"title", fmt::format("utilisation of {} links with {} traffic", toText(grid.tier), traffic.name())},
            {"x", {{"name", "upper"}, {"values", grid.x}}},
            {"y", {{"name", "lower"}, {"values", grid.y}}},
            {"value", "utilisation_fraction"},
            {"values", rows}};
}

Result<MapAnswer> linkLoadAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    const Fabric& fabric = *loaded.fabric;
    const auto seed = static_cast<std::uint64_t>(o.input.seed);
    std::optional<LinkTier> tier;
    for (const LinkTier each : {LinkTier::HostLeaf, LinkTier::LeafSpine, LinkTier::SpineSuperspine, LinkTier::SuperspineCore, LinkTier::Hb})
        if (toText(each) == o.tier) tier = each;
    if (!tier)
        return Error::usage(fmt::format("--tier {}: must be one of host-leaf, leaf-spine, spine-superspine, superspine-core, hb", o.tier));
    const auto traffic = o.traffic.traffic(fabric, seed);
    if (!traffic) return traffic.errors();
    const auto loads = linkLoads(fabric, *traffic, o.traffic.options(seed));
    if (!loads) return loads.errors();
    const auto grid = linkLoadGrid(fabric, *loads, *tier);
    if (!grid) return grid.errors();
    Json json = loadJson(*grid, o.traffic);
    if (o.traffic.pattern == JobOptions::kind) json["job_source"] = o.traffic.job.source(*loaded.design);
    json["unreachable_pairs"] = loads->unreachablePairs;
    return MapAnswer{std::move(json), gridCsv(*grid, std::string(toText(grid->tier))), unreachableText(*loads)};
}

Status checkTraffic(const MapOptions& o) { return o.traffic.check(); }

} // namespace

const MapInfo linkLoadMap{"link-load", {"--tier"}, linkLoadAnswer, checkTraffic};

} // namespace railyard::cli
