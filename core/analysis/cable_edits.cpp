#include "core/analysis/cable_edits.h"

#include "core/bill/cabling.h"
#include "core/design/edits/edit.h"
#include "core/fabric/connect.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/path_finder.h"
#include "core/fabric/similar_path.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

std::string nearestText(const Fabric& fabric, const std::string& path) {
    const std::string similar = similarPath(fabric, path);
    return similar.empty() ? std::string() : "; the nearest element is " + similar;
}

Result<Edit> withoutCable(const DesignPointer& design, const Fabric& fabric, LinkId of) {
    const Cabling cabling = cablingOf(fabric);
    Design next = *design;
    Block free = *design->free;
    const CabledLinkId cable = cabling.cable[cabling.links.find(of)];
    for (const CabledLinkId own : cabling.links.ids()) {
        if (cabling.cable[own] != cable) continue;
        const LinkId l = cabling.links[own];
        const std::string a = portPath(fabric, l, true), b = portPath(fabric, l, false);
        const auto isIt = [&](const FreeLink& link) { return (link.a == a && link.b == b) || (link.a == b && link.b == a); };
        if (std::erase_if(free.links, isIt) == 0) next.overrides[a].remove = true;
    }
    next.free = shared(std::move(free));
    return Edit{std::make_shared<const Design>(std::move(next)),
                fmt::format("Disconnect {} – {}", portPath(fabric, of, true), portPath(fabric, of, false))};
}

} // namespace

bool isPort(std::string_view path) { return path.find(':') != std::string_view::npos; }

std::string portPath(const Fabric& fabric, LinkId link, bool isLowerEnd) {
    const LinkTable& links = fabric.links;
    const DeviceId device = isLowerEnd ? links.a[link] : links.b[link];
    return fabric.devicePath(device) + ":" + fabric.portName(device, isLowerEnd ? links.aPort[link] : links.bPort[link], links.tier[link]);
}

std::string cablePath(const Fabric& fabric, LinkId link) { return portPath(fabric, link, fabric.devices.routes(fabric.links.a[link])); }

std::optional<LinkId> cableAt(const Fabric& fabric, const std::string& port) {
    const auto found = PathFinder(fabric).port(port);
    const LinkTable& links = fabric.links;
    for (const LinkId l : links.ids())
        if (found && fabric.isNetworkLink(l) &&
            (std::pair(links.a[l], links.aPort[l]) == *found || std::pair(links.b[l], links.bPort[l]) == *found))
            return l;
    return {};
}

Result<Edit> disconnect(const Fabric& fabric, const std::string& port) {
    if (const auto link = cableAt(fabric, port)) return withoutCable(fabric.design, fabric, *link);
    if (PathFinder(fabric).port(port)) return Error::unbuildable(fmt::format("Port {} has no cable.", port));
    return Error::usage(fmt::format("disconnect {0}: the design has no port {0}; expected a port such as su[1]/leaf[2]:17{1}", port,
                                    nearestText(fabric, port)));
}
Result<Edit> disconnect(const DesignPointer& design, const std::string& port) { return disconnect(*elaborate(design), port); }

Result<Edit> moveCable(const Fabric& fabric, const std::string& port, const std::string& to) {
    const auto link = cableAt(fabric, port);
    const auto free = disconnect(fabric, port);
    if (!free) return free.errors();
    const bool isLowerEnd = portPath(fabric, *link, true) == port;
    const Cabling cabling = cablingOf(fabric);
    std::vector<std::string> staying; // of all links that the cable carries
    const CabledLinkId cable = cabling.cable[cabling.links.find(*link)];
    for (const CabledLinkId own : cabling.links.ids())
        if (cabling.cable[own] == cable) staying.push_back(portPath(fabric, cabling.links[own], isLowerEnd));
    if (staying.size() > 1 && isPort(to))
        return Error::unbuildable(
            fmt::format("The cable at {} carries {} links. Name the device that it should lead to, not one port.", port, staying.size()));
    DesignPointer design = free->design;
    for (const std::string& end : staying) {
        const auto moved = connect(*elaborate(design), end, to);
        if (!moved) return moved.errors();
        design = moved->design;
    }
    return Edit{design, fmt::format("Move cable of {} to {}", port, to)};
}

Result<Edit> removeAll(const Fabric& fabric, const std::vector<std::string>& paths) {
    std::vector<std::string> elements;
    DesignPointer design = fabric.design;
    std::string label;
    for (const std::string& path : paths) {
        if (!isPort(path)) {
            elements.push_back(path);
            continue;
        }
        const auto less = design == fabric.design ? disconnect(fabric, path) : disconnect(design, path);
        if (!less) return less.errors();
        design = less->design;
        label = less->label;
    }
    if (elements.empty() && design != fabric.design) return Edit{design, label};
    return removeElements(*design, elements);
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
