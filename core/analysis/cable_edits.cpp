#include "core/analysis/cable_edits.h"

#include "core/bill/cabling.h"
#include "core/design/edits/edit.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/path_finder.h"
#include "core/fabric/similar_path.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

std::string portPath(const Fabric& fabric, LinkId link, bool lower) {
    const LinkTable& links = fabric.links;
    const DeviceId device = lower ? links.a[link] : links.b[link];
    return fabric.devicePath(device) + ":" + fabric.portName(device, lower ? links.aPort[link] : links.bPort[link], links.tier[link]);
}

std::string nearestText(const Fabric& fabric, const std::string& path) {
    const std::string similar = similarPath(fabric, path);
    return similar.empty() ? std::string() : "; the nearest element is " + similar;
}

Result<Edit> withoutCable(const DesignPointer& design, const Fabric& fabric, LinkId of) {
    const Cabling cabling = cablingOf(fabric);
    Design next = *design;
    Block free = *design->free;
    for (const LinkId l : fabric.links.ids()) {
        if (cabling.cable[l] == none || cabling.cable[l] != cabling.cable[of]) continue;
        const std::string a = portPath(fabric, l, true), b = portPath(fabric, l, false);
        const auto isIt = [&](const FreeLink& link) { return (link.a == a && link.b == b) || (link.a == b && link.b == a); };
        if (std::erase_if(free.links, isIt) == 0) next.overrides[a].remove = true;
    }
    next.free = shared(std::move(free));
    return Edit{std::make_shared<const Design>(std::move(next)),
                fmt::format("Disconnect {} – {}", portPath(fabric, of, true), portPath(fabric, of, false))};
}

} // namespace

Result<Edit> disconnect(const DesignPointer& design, const std::string& port) {
    const FabricPointer fabric = elaborate(design);
    const auto found = PathFinder(*fabric).port(port);
    if (!found)
        return Error::usage(fmt::format("disconnect {0}: the design has no port {0}; expected a port such as su[1]/leaf[2]:17{1}", port,
                                        nearestText(*fabric, port)));
    const LinkTable& links = fabric->links;
    for (const LinkId l : links.ids())
        if (fabric->isNetworkLink(l) &&
            (std::pair(links.a[l], links.aPort[l]) == *found || std::pair(links.b[l], links.bPort[l]) == *found))
            return withoutCable(design, *fabric, l);
    return Error::unbuildable(fmt::format("Port {} has no cable.", port));
}

Result<Edit> disconnect(const DesignPointer& design, const std::string& a, const std::string& b) {
    // A cable drawn by hand may end where nothing is any more, so it goes by its own words.
    const auto isNamed = [&](const FreeLink& link) { return (link.a == a && link.b == b) || (link.a == b && link.b == a); };
    if (std::any_of(design->free->links.begin(), design->free->links.end(), isNamed)) return removeLink(*design, a, b);
    const FabricPointer fabric = elaborate(design);
    const PathFinder finder(*fabric);
    // An end is a port, or any port of a device.
    const auto endAt = [&](const std::string& path) -> std::optional<std::pair<DeviceId, PortId>> {
        if (const auto port = finder.port(path)) return port;
        const auto device = finder.device(path);
        return device ? std::optional(std::pair(*device, PortId(0))) : std::nullopt;
    };
    const auto from = endAt(a), to = endAt(b);
    for (const auto& [end, path] : {std::pair(from, a), std::pair(to, b)})
        if (!end)
            return Error::usage(
                fmt::format("disconnect {} {}: the design has no device or port {}{}", a, b, path, nearestText(*fabric, path)));
    const LinkTable& links = fabric->links;
    const auto isAt = [&](DeviceId device, PortId port, const std::pair<DeviceId, PortId>& end) {
        return device == end.first && (end.second == PortId(0) || end.second == port);
    };
    for (const LinkId l : links.ids()) {
        if (!fabric->isNetworkLink(l)) continue;
        const bool isIt = (isAt(links.a[l], links.aPort[l], *from) && isAt(links.b[l], links.bPort[l], *to)) ||
                          (isAt(links.a[l], links.aPort[l], *to) && isAt(links.b[l], links.bPort[l], *from));
        if (isIt) return withoutCable(design, *fabric, l);
    }
    return Error::unbuildable(fmt::format("No cable connects {} and {}.", a, b));
}

} // namespace railyard
