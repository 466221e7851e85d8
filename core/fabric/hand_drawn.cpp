#include "core/fabric/hand_drawn.h"

#include "core/fabric/elaborate.h"
#include "core/fabric/path_finder.h"
#include "core/fabric/without.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace railyard {
namespace {

LinkTier tierBetween(const DeviceTable& devices, DeviceId lower, DeviceId upper) {
    if (devices.kind[lower] == DeviceKind::Manager) return LinkTier::ManagerLeaf;
    if (devices.kind[lower] != DeviceKind::Switch) return LinkTier::HostLeaf;
    const SwitchTier top = devices.tier[upper];
    if (top == SwitchTier::Core) return LinkTier::SuperspineCore;
    return top == SwitchTier::Superspine ? LinkTier::SpineSuperspine : LinkTier::LeafSpine;
}

std::optional<Bandwidth> portSpeed(const Fabric& fabric, DeviceId device, std::uint32_t port) {
    int before = 0;
    for (const PortGroup& group : fabric.portLayouts[fabric.devices.ports[device]]) {
        before += group.count;
        if (static_cast<int>(port) <= before) return group.speed;
    }
    return {};
}

int height(const DeviceTable& devices, DeviceId device) {
    return devices.kind[device] == DeviceKind::Switch ? static_cast<int>(devices.tier[device]) : 0;
}

// A link runs at the slower of its two ports; the rule RY-L001 reports the mismatch.
std::uint8_t slowerSpeed(Fabric& fabric, Bandwidth a, Bandwidth b) {
    const Bandwidth speed = std::min(a, b);
    const auto it = std::find(fabric.speeds.begin(), fabric.speeds.end(), speed);
    if (it != fabric.speeds.end()) return static_cast<std::uint8_t>(it - fabric.speeds.begin());
    fabric.speeds.push_back(speed);
    return static_cast<std::uint8_t>(fabric.speeds.size() - 1);
}

// A NIC belongs to the plane of the switches it is cabled to; to none where they differ.
void takePlane(DeviceTable& devices, DeviceId nic, DeviceId upper, std::unordered_map<std::uint32_t, std::uint32_t>& planeOf) {
    if (devices.kind[nic] != DeviceKind::Nic || devices.kind[upper] != DeviceKind::Switch) return;
    const auto plane = devices.plane[upper];
    const auto known = planeOf.find(nic);
    if (known == planeOf.end() && devices.plane[nic] != 0) return; // the recipe's
    if (known == planeOf.end())
        devices.plane[nic] = planeOf[nic] = plane;
    else if (known->second != plane)
        devices.plane[nic] = 0;
}

} // namespace

void addFreeLinks(Fabric& fabric, const std::vector<PlacedLink>& links) {
    if (links.empty()) return;
    const PathFinder finder(fabric);
    std::unordered_map<std::uint32_t, std::uint32_t> planeOf; // of NICs that had none: of their first cable
    for (const auto& [link, scope] : links) {
        const std::string at = fabric.scopePath(scope), prefix = at.empty() ? at : at + "/";
        auto a = finder.port(prefix + link->a), b = finder.port(prefix + link->b);
        if (!a || !b) {
            fabric.diagnostics.push_back(
                {"RY-D015", Severity::Warning,
                 fmt::format("The cable {}{} – {}{} is connected to a port that does not exist.", prefix, link->a, prefix, link->b),
                 prefix + (a ? link->b : link->a), "Connect it to an existing port, or delete it.", 1});
            continue;
        }
        if (height(fabric.devices, a->first) > height(fabric.devices, b->first)) std::swap(a, b);
        const Bandwidth aSpeed = *portSpeed(fabric, a->first, a->second), bSpeed = *portSpeed(fabric, b->first, b->second);
        if (aSpeed != bSpeed)
            fabric.diagnostics.push_back(
                {"RY-L001", Severity::Error,
                 fmt::format("A cable connects a {:g} Gb/s port to a {:g} Gb/s port.", inGbps(aSpeed), inGbps(bSpeed)), prefix + link->a,
                 "Use ports of the same speed, or a switch part whose ports match.", 1});
        if (fabric.devices.kind[a->first] == DeviceKind::Nic && fabric.devices.rail[a->first] == 0)
            fabric.devices.rail[a->first] = fabric.devices.rail[b->first];
        takePlane(fabric.devices, a->first, b->first, planeOf);
        fabric.links.append(a->first, a->second, b->first, b->second, tierBetween(fabric.devices, a->first, b->first),
                            slowerSpeed(fabric, aSpeed, bSpeed));
    }
}

namespace {

std::uint16_t partIndex(Fabric& fabric, const std::string& id) {
    const auto known = std::find(fabric.partIds.begin(), fabric.partIds.end(), id);
    if (known != fabric.partIds.end()) return static_cast<std::uint16_t>(known - fabric.partIds.begin());
    fabric.partIds.push_back(id);
    fabric.parts.push_back(fabric.design->catalog->find(id));
    return static_cast<std::uint16_t>(fabric.parts.size() - 1);
}

// Scopes stand before those inside them, so one pass hands the mark down.
void markInside(const Fabric& fabric, std::vector<bool> scopes, std::vector<bool>& devices) {
    for (std::size_t s = 0; s < scopes.size(); ++s)
        if (fabric.scopes[s].parent != none && scopes[fabric.scopes[s].parent]) scopes[s] = true;
    for (const DeviceId d : indices<DeviceId>(devices.size()))
        if (scopes[fabric.devices.scope[d]]) devices[d] = true;
}

} // namespace

FabricPointer withOverrides(std::shared_ptr<Fabric> fabric) {
    const auto& overrides = fabric->design->overrides;
    if (overrides.empty()) return fabric;
    const PathFinder finder(*fabric);
    std::vector<bool> gone(fabric->devices.size()), scopesGone(fabric->scopes.size());
    bool any = false;
    for (const auto& [path, change] : overrides) {
        const auto device = finder.device(path);
        const auto scope = device ? std::nullopt : finder.scope(path);
        if (!device && !scope) {
            fabric->diagnostics.push_back({"RY-D014", Severity::Note, fmt::format("Orphaned override: {} no longer exists.", path), path,
                                           "Enlarge the design again, or remove the override.", 1});
            continue;
        }
        if (change.remove) {
            any = true;
            if (device)
                gone[*device] = true;
            else
                scopesGone[*scope] = true;
        }
        if (device && !change.part.empty()) fabric->devices.part[*device] = partIndex(*fabric, change.part);
    }
    if (!any) return fabric;
    markInside(*fabric, scopesGone, gone);
    auto rest = std::make_shared<Fabric>(*without(fabric, gone, {}));
    rest->intact = nullptr; // what was deleted is not there, and leaves no hole in a rack
    rest->intactDevice.clear();
    return rest;
}

} // namespace railyard
