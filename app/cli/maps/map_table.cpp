#include "app/cli/maps/map_table.h"

#include <algorithm>
#include <array>

namespace railyard::cli {

std::span<const MapInfo* const> mapTable() {
    static constexpr std::array table{&collectiveTimeMap, &differenceMap, &tcpMap,  &hbNicMap,   &trainingMap, &trafficMap,
                                      &linkLoadMap,       &collisionsMap, &jobsMap, &failureMap, &decisionMap};
    return table;
}

const MapInfo* mapNamed(std::string_view kind) {
    const auto all = mapTable();
    const auto found = std::find_if(all.begin(), all.end(), [&](const MapInfo* map) { return map->kind == kind; });
    return found == all.end() ? nullptr : *found;
}

std::vector<std::string> mapsWith(std::string_view option) {
    std::vector<std::string> kinds;
    for (const MapInfo* map : mapTable())
        if (std::find(map->options.begin(), map->options.end(), option) != map->options.end()) kinds.emplace_back(map->kind);
    return kinds;
}

} // namespace railyard::cli
