#include "core/fabric/hand_drawn.h"

#include "core/fabric/elaborate.h"
#include "core/fabric/path_finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

LinkTier tierBetween(const DeviceTable& devices, std::uint32_t lower, std::uint32_t upper) {
    if (devices.kind[lower] == DeviceKind::Manager) return LinkTier::ManagerLeaf;
    if (devices.kind[lower] != DeviceKind::Switch) return LinkTier::HostLeaf;
    const SwitchTier top = devices.tier[upper];
    if (top == SwitchTier::Core) return LinkTier::SuperspineCore;
    return top == SwitchTier::Superspine ? LinkTier::SpineSuperspine : LinkTier::LeafSpine;
}

std::optional<Bandwidth> portSpeed(const Fabric& fabric, std::uint32_t device, std::uint32_t port) {
    int before = 0;
    for (const PortGroup& group : fabric.portLayouts[fabric.devices.ports[device]]) {
        before += group.count;
        if (static_cast<int>(port) <= before) return group.speed;
    }
    return {};
}

int height(const DeviceTable& devices, std::uint32_t device) {
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

} // namespace

void addFreeLinks(Fabric& fabric, const std::vector<const FreeLink*>& links) {
    if (links.empty()) return;
    const PathFinder finder(fabric);
    for (const FreeLink* link : links) {
        auto a = finder.port(link->a), b = finder.port(link->b);
        if (!a || !b) {
            fabric.diagnostics.push_back({"RY-D015", Severity::Warning,
                                          fmt::format("the cable {} – {} ends on a port that is not there", link->a, link->b),
                                          a ? link->b : link->a, "draw it again to a port that exists, or delete it", 1});
            continue;
        }
        if (height(fabric.devices, a->first) > height(fabric.devices, b->first)) std::swap(a, b);
        const Bandwidth aSpeed = *portSpeed(fabric, a->first, a->second), bSpeed = *portSpeed(fabric, b->first, b->second);
        if (aSpeed != bSpeed)
            fabric.diagnostics.push_back(
                {"RY-L001", Severity::Error,
                 fmt::format("a cable joins a {:g} Gb/s port and a {:g} Gb/s port", inGbps(aSpeed), inGbps(bSpeed)), link->a,
                 "use ports of one speed, or a switch part whose ports match", 1});
        fabric.links.append(a->first, a->second, b->first, b->second, tierBetween(fabric.devices, a->first, b->first),
                            slowerSpeed(fabric, aSpeed, bSpeed));
    }
}

FabricPointer withOverrides(std::shared_ptr<Fabric> fabric) {
    const auto& overrides = fabric->design->overrides;
    if (overrides.empty()) return fabric;
    const PathFinder finder(*fabric);
    std::vector<bool> gone;
    for (const auto& [path, change] : overrides) {
        const auto device = finder.device(path);
        const auto scope = device ? std::nullopt : finder.scope(path);
        if (!device && !scope) {
            fabric->diagnostics.push_back({"RY-D014", Severity::Note,
                                           fmt::format("a change of {} waits: the design has no such element now", path), path,
                                           "grow the design back, or purge the change", 1});
            continue;
        }
        if (change.remove) {
            auto removal = select(*fabric, path);
            if (!removal) continue;
            gone.resize(fabric->devices.size());
            for (std::size_t d = 0; d < gone.size(); ++d)
                if (removal->devices[d]) gone[d] = true;
        }
        if (device && !change.part.empty()) {
            fabric->partIds.push_back(change.part);
            fabric->parts.push_back(fabric->design->catalog->find(change.part));
            fabric->devices.part[*device] = static_cast<std::uint16_t>(fabric->parts.size() - 1);
        }
    }
    return gone.empty() ? fabric : without(fabric, gone, {});
}

} // namespace railyard
