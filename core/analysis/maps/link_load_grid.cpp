#include "core/analysis/maps/link_load_grid.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace railyard {

Result<LinkLoadGrid> linkLoadGrid(const Fabric& fabric, const LinkLoads& loads, LinkTier tier) {
    constexpr std::size_t mostCells = 16'777'216; // 4,096 by 4,096
    LinkLoadGrid grid;
    grid.tier = tier;
    std::map<DeviceId, std::size_t> columns, rows;
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] != tier) continue;
        rows[fabric.links.a[l]] = columns[fabric.links.b[l]] = 0;
    }
    if (rows.empty()) return Error::unbuildable(fmt::format("the design has no {} links", toText(tier)));
    if (rows.size() * columns.size() > mostCells)
        return Error::unbuildable(
            fmt::format("the matrix would have {} × {} cells, more than the maximum of {}; export the link loads as CSV instead",
                        rows.size(), columns.size(), mostCells));
    const auto number = [&](auto& places, std::vector<std::string>& names) {
        for (auto& [device, place] : places) {
            place = names.size();
            names.push_back(fabric.devicePath(device));
        }
    };
    number(columns, grid.x);
    number(rows, grid.y);
    grid.values.resize(grid.x.size() * grid.y.size());
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] != tier) continue;
        auto& value = grid.values[grid.at(columns.at(fabric.links.b[l]), rows.at(fabric.links.a[l]))];
        value = std::max(value.value_or(0), loads.utilisation(fabric, l));
    }
    return grid;
}

} // namespace railyard
