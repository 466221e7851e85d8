#include "core/bill/split_lanes.h"

#include "core/base/slot_numbers.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace railyard {
namespace {

constexpr std::uint32_t unsplit = none; // a port that is not split into lanes

// By layout and port: the native port of which it is a lane, from 0.
class SplitPorts {
public:
    explicit SplitPorts(const Fabric& fabric) : m_fabric(fabric) {
        constexpr std::uint32_t most = 4096; // documents may name ports in the millions
        for (const PortLayout& layout : fabric.portLayouts) {
            std::uint32_t ports = 0;
            std::uint64_t natives = 0;
            for (const PortGroup& group : layout) {
                ports += static_cast<std::uint32_t>(group.count);
                natives += nativesOf(group);
            }
            Layout& own = m_of.emplace_back();
            own.natives = static_cast<std::uint32_t>(std::min<std::uint64_t>(natives, none));
            for (std::uint32_t port = 1; port <= std::min(ports, most); ++port) own.known.push_back(find(layout, port));
        }
    }

    std::uint32_t of(DeviceId device, std::uint32_t port) const {
        const std::size_t layout = m_fabric.devices.ports[device];
        const std::vector<std::uint32_t>& known = m_of[layout].known;
        return port - 1 < known.size() ? known[port - 1] : find(m_fabric.portLayouts[layout], port);
    }
    std::vector<std::uint32_t> nativesOfDevices() const {
        const auto& layouts = m_fabric.devices.ports;
        std::vector<std::uint32_t> natives(layouts.size());
        std::transform(layouts.begin(), layouts.end(), natives.begin(), [&](std::uint16_t layout) { return m_of[layout].natives; });
        return natives;
    }

private:
    struct Layout {
        std::uint32_t natives = 0;
        std::vector<std::uint32_t> known{}; // of the first ports
    };
    static std::uint32_t nativesOf(const PortGroup& group) {
        const auto count = static_cast<std::uint32_t>(group.count), lanes = static_cast<std::uint32_t>(group.lanes);
        return (count + lanes - 1) / lanes;
    }
    static std::uint32_t find(const PortLayout& layout, std::uint32_t port) {
        std::uint32_t left = port, native = 0;
        for (const PortGroup& group : layout) {
            const auto count = static_cast<std::uint32_t>(group.count), lanes = static_cast<std::uint32_t>(group.lanes);
            if (left <= count) return lanes > 1 ? native + (left - 1) / lanes : unsplit;
            left -= count;
            native += nativesOf(group);
        }
        return unsplit;
    }

    const Fabric& m_fabric;
    std::vector<Layout> m_of;
};

} // namespace

bool hasSplitPorts(const Fabric& fabric) {
    return std::any_of(fabric.portLayouts.begin(), fabric.portLayouts.end(), [](const PortLayout& layout) {
        return std::any_of(layout.begin(), layout.end(), [](const PortGroup& group) { return group.lanes > 1; });
    });
}

void joinLanes(const Fabric& fabric, Cabling& cabling) {
    constexpr std::uint32_t several = none - 1; // partners; no port has this number
    struct NativePort {
        CabledLinkId first;        // of its lanes
        CabledLinkId firstToWhole; // of those to a port that is whole
        std::uint32_t partner = unsplit;
    };
    struct Lane { // native ports of the fabric, or unsplit
        std::uint32_t a, b;
    };
    const LinkTable& links = fabric.links;
    const SplitPorts split(fabric);
    const SlotNumbers numbers(split.nativesOfDevices(), 2 * cabling.links.size(), [&](const auto& note) {
        for (const LinkId l : cabling.links)
            for (const auto& [device, port] : {std::pair(links.a[l], links.aPort[l]), std::pair(links.b[l], links.bPort[l])})
                if (const std::uint32_t native = split.of(device, port); native != unsplit) note(device, native);
    });
    const auto nativePort = [&](DeviceId device, PortId port) {
        const std::uint32_t native = split.of(device, port);
        return native == unsplit ? unsplit : static_cast<std::uint32_t>(numbers.numberOf(device, native));
    };
    std::vector<NativePort> ports(numbers.size());
    const auto note = [&](std::uint32_t own, std::uint32_t other, CabledLinkId l) {
        if (own == unsplit) return;
        NativePort& port = ports[own];
        if (port.first == none)
            port.first = l, port.partner = other;
        else if (port.partner != other)
            port.partner = several;
        if (other == unsplit && port.firstToWhole == none) port.firstToWhole = l;
    };
    UnsetBy<CabledLinkId, Lane> lanes(cabling.links.size());
    for (const CabledLinkId own : cabling.links.ids()) {
        const LinkId l = cabling.links[own];
        const Lane lane{nativePort(links.a[l], links.aPort[l]), nativePort(links.b[l], links.bPort[l])};
        lanes[own] = lane;
        note(lane.a, lane.b, own);
        note(lane.b, lane.a, own);
    }
    for (const CabledLinkId own : cabling.links.ids()) {
        const Lane lane = lanes[own];
        CabledLinkId first = own;
        if ((lane.a == unsplit) != (lane.b == unsplit))
            first = ports[lane.a == unsplit ? lane.b : lane.a].firstToWhole;
        else if (lane.a != unsplit && ports[lane.a].partner != several && ports[lane.b].partner != several) // else the lanes part
            first = ports[lane.a].first;
        cabling.cable[own] = first;
    }
}

} // namespace railyard
