#include "core/fabric/edit_scope.h"

#include "core/fabric/path_finder.h"

#include <algorithm>

namespace railyard {

namespace {

// The pod that the leaves of each SU lead to, as the scope of its spines; none where there are no pods.
std::vector<ScopeId> podsOfUnits(const Fabric& fabric) {
    std::vector<ScopeId> pods;
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] != LinkTier::LeafSpine) continue;
        const auto su = fabric.devices.su[fabric.links.a[l]];
        if (su == 0 || (su < pods.size() && pods[su] != none)) continue;
        ScopeId scope = fabric.devices.scope[fabric.links.b[l]];
        while (scope != none && fabric.scopes[scope].role != Instance::Role::Pod) scope = fabric.scopes[scope].parent;
        if (su >= pods.size()) pods.resize(su + 1, none);
        pods[su] = scope;
    }
    return pods;
}

// Of which SU, from 1: a device in it, or the first device of a scope; 0 where of none.
std::uint32_t unitOf(const Fabric& fabric, const PathFinder& finder, std::optional<DeviceId> device, std::optional<ScopeId> scope) {
    if (!device && scope) {
        const auto [first, last] = finder.devicesOf(*scope);
        if (first < last) device = first;
    }
    return device ? fabric.devices.su[*device] : 0;
}

} // namespace

std::vector<std::string> inScope(const Fabric& fabric, const std::vector<std::string>& paths, EditScope scope) {
    if (scope == EditScope::This) return paths;
    const PathFinder finder(fabric);
    const std::vector<ScopeId> pods = scope == EditScope::PositionInPod ? podsOfUnits(fabric) : std::vector<ScopeId>();
    const auto podOf = [&](std::optional<DeviceId> device, std::optional<ScopeId> place) {
        const auto su = unitOf(fabric, finder, device, place);
        return su < pods.size() ? pods[su] : ScopeId();
    };
    const DeviceTable& devices = fabric.devices;
    std::vector<bool> device(devices.size()), place(fabric.scopes.size());
    std::vector<std::string> result;
    const auto isOfRecipe = [&](ScopeId at) { // the second root holds what was drawn by hand
        while (fabric.scopes[at].parent != none) at = fabric.scopes[at].parent;
        return at == 0;
    };
    for (const std::string& path : paths) {
        const auto d = finder.device(path);
        const auto s = d ? std::nullopt : finder.scope(path);
        const bool single = d ? !devices.routes(*d) || !isOfRecipe(devices.scope[*d]) : !s || !isOfRecipe(*s);
        if (single) {
            result.push_back(path);
            continue;
        }
        const auto own = scope == EditScope::PositionInPod ? podOf(d, s) : none;
        for (DeviceId other(0); d && other < devices.size(); ++other) {
            const bool isSame = devices.routes(other) && devices.tier[other] == devices.tier[*d] && isOfRecipe(devices.scope[other]);
            const bool inPod = own == none || podOf(other, {}) == own;
            if (isSame && inPod && (scope == EditScope::All || devices.index[other] == devices.index[*d])) device[other] = true;
        }
        for (ScopeId other(0); s && other < fabric.scopes.size(); ++other) {
            const bool isSame =
                fabric.scopes[other].role == fabric.scopes[*s].role && fabric.scopes[other].parent != none && isOfRecipe(other);
            const bool inPod = own == none || (isSame && podOf({}, other) == own);
            if (isSame && inPod && (scope == EditScope::All || fabric.scopes[other].index == fabric.scopes[*s].index)) place[other] = true;
        }
    }
    for (ScopeId s(0); s < place.size(); ++s)
        if (place[s]) result.push_back(fabric.scopePath(s));
    for (DeviceId d(0); d < device.size(); ++d)
        if (device[d]) result.push_back(fabric.devicePath(d));
    return result;
}

} // namespace railyard
