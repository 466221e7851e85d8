#include "core/fabric/edit_scope.h"

#include "core/fabric/path_finder.h"

#include <algorithm>

namespace railyard {

std::vector<std::string> inScope(const Fabric& fabric, const std::vector<std::string>& paths, EditScope scope) {
    if (scope == EditScope::This) return paths;
    const PathFinder finder(fabric);
    const DeviceTable& devices = fabric.devices;
    std::vector<bool> device(devices.size()), place(fabric.scopes.size());
    std::vector<std::string> result;
    const auto isOfRecipe = [&](std::uint32_t at) { // the second root holds what was drawn by hand
        while (fabric.scopes[at].parent != none) at = fabric.scopes[at].parent;
        return at == 0;
    };
    for (const std::string& path : paths) {
        const auto d = finder.device(path);
        const auto s = d ? std::nullopt : finder.scope(path);
        const bool single = d ? devices.kind[*d] != DeviceKind::Switch || !isOfRecipe(devices.scope[*d]) : !s || !isOfRecipe(*s);
        if (single) {
            result.push_back(path);
            continue;
        }
        for (std::uint32_t other = 0; d && other < devices.size(); ++other) {
            const bool alike =
                devices.kind[other] == DeviceKind::Switch && devices.tier[other] == devices.tier[*d] && isOfRecipe(devices.scope[other]);
            if (alike && (scope == EditScope::All || devices.index[other] == devices.index[*d])) device[other] = true;
        }
        for (std::uint32_t other = 0; s && other < fabric.scopes.size(); ++other) {
            const bool alike =
                fabric.scopes[other].role == fabric.scopes[*s].role && fabric.scopes[other].parent != none && isOfRecipe(other);
            if (alike && (scope == EditScope::All || fabric.scopes[other].index == fabric.scopes[*s].index)) place[other] = true;
        }
    }
    for (std::uint32_t s = 0; s < place.size(); ++s)
        if (place[s]) result.push_back(fabric.scopePath(s));
    for (std::uint32_t d = 0; d < device.size(); ++d)
        if (device[d]) result.push_back(fabric.devicePath(d));
    return result;
}

} // namespace railyard
