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
    if (devices.isManager(lower)) return LinkTier::ManagerLeaf;
    if (!devices.routes(lower)) return LinkTier::HostLeaf;
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

int height(const DeviceTable& devices, DeviceId device) { return devices.routes(device) ? static_cast<int>(devices.tier[device]) : 0; }

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
    if (!devices.isNic(nic) || !devices.routes(upper)) return;
    const auto plane = devices.plane[upper];
    const auto known = planeOf.find(nic);
    if (known == planeOf.end() && devices.plane[nic] != 0) return; // the recipe's
    if (known == planeOf.end())
        devices.plane[nic] = planeOf[nic] = plane;
    else if (known->second != plane)
        devices.plane[nic] = 0;
}

} // namespace

std::vector<LinkId> addFreeLinks(Fabric& fabric, const std::vector<PlacedLink>& links) {
    std::vector<LinkId> drawn;
    if (links.empty()) return drawn;
    const std::vector<FreeLink>& own = fabric.design->free->links;
    const auto isOwn = [&](const FreeLink* link) { return !own.empty() && link >= &own.front() && link <= &own.back(); };
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
        if (fabric.devices.isNic(a->first) && fabric.devices.rail[a->first] == 0)
            fabric.devices.rail[a->first] = fabric.devices.rail[b->first];
        takePlane(fabric.devices, a->first, b->first, planeOf);
        if (isOwn(link)) drawn.emplace_back(fabric.links.size());
        fabric.links.append(a->first, a->second, b->first, b->second, tierBetween(fabric.devices, a->first, b->first),
                            slowerSpeed(fabric, aSpeed, bSpeed));
    }
    return drawn;
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

namespace {

void reportOrphan(Fabric& fabric, const std::string& path) {
    fabric.diagnostics.push_back({"RY-D014", Severity::Note, fmt::format("Orphaned override: {} no longer exists.", path), path,
                                  "Enlarge the design again, or remove the override.", 1});
}

// Ports whose cable was taken away. A cable drawn by hand to a port that became free in this way stays.
class CutPorts {
public:
    void add(DeviceId device, PortId port, const std::string& path) { m_paths.emplace(key(device, port), &path); }
    // Marks the links at these ports; what finds no cable is an orphan.
    std::vector<bool> linksOf(Fabric& fabric, const std::vector<LinkId>& drawn) {
        std::vector<bool> gone(fabric.links.size()), isDrawn(fabric.links.size());
        if (m_paths.empty()) return {};
        for (const LinkId l : drawn) isDrawn[l] = true;
        std::unordered_map<std::uint64_t, const std::string*> orphans = m_paths;
        const LinkTable& links = fabric.links;
        for (const LinkId l : links.ids()) {
            if (isDrawn[l] || !fabric.isNetworkLink(l)) continue;
            for (const std::uint64_t end : {key(links.a[l], links.aPort[l]), key(links.b[l], links.bPort[l])}) {
                if (!m_paths.contains(end)) continue;
                gone[l] = true;
                orphans.erase(end);
            }
        }
        std::vector<std::string> without;
        for (const auto& [end, path] : orphans) without.push_back(*path);
        std::sort(without.begin(), without.end());
        for (const std::string& path : without) reportOrphan(fabric, path);
        return gone;
    }

private:
    static std::uint64_t key(DeviceId device, PortId port) { return std::uint64_t{device} << 32U | port; }
    std::unordered_map<std::uint64_t, const std::string*> m_paths;
};

} // namespace

FabricPointer withOverrides(std::shared_ptr<Fabric> fabric, const std::vector<LinkId>& drawn) {
    const auto& overrides = fabric->design->overrides;
    if (overrides.empty()) return fabric;
    const PathFinder finder(*fabric);
    std::vector<bool> gone(fabric->devices.size()), scopesGone(fabric->scopes.size());
    CutPorts cut;
    bool any = false;
    for (const auto& [path, change] : overrides) {
        if (const auto port = finder.port(path)) {
            any = any || change.remove;
            if (change.remove) cut.add(port->first, port->second, path);
            continue;
        }
        const auto device = finder.device(path);
        const auto scope = device ? std::nullopt : finder.scope(path);
        if (!device && !scope) {
            reportOrphan(*fabric, path);
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
    const std::vector<bool> linksGone = cut.linksOf(*fabric, drawn);
    auto rest = std::make_shared<Fabric>(*without(fabric, gone, linksGone));
    rest->intact = nullptr; // what was deleted is not there, and leaves no hole in a rack
    rest->intactDevice.clear();
    return rest;
}

} // namespace railyard
