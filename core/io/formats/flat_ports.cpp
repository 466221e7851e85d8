#include "core/io/formats/flat_ports.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace railyard {
namespace {

// A native port, split into lanes or not, and the speed of its links.
struct NativePort {
    double gbps = 0;
    int lanes = 1; // 1: not split
};
using NativePorts = std::map<int, NativePort>; // by number

struct PortNumber {
    int native = 0, lane = 0; // lane 0: the whole port
};

// "17", "17.2"; empty for the names of other programs.
std::optional<PortNumber> portNumberFrom(std::string_view name) {
    PortNumber number;
    const char* const end = name.data() + name.size();
    auto at = std::from_chars(name.data(), end, number.native);
    if (at.ec == std::errc() && at.ptr != end && *at.ptr == '.') {
        at = std::from_chars(at.ptr + 1, end, number.lane);
        if (number.lane < 1 || number.lane > 8) return {};
    }
    const bool good = at.ec == std::errc() && at.ptr == end && number.native >= 1 && number.native <= 65'536;
    return good ? std::optional(number) : std::nullopt;
}

void add(NativePorts& ports, const std::string& name, double gbps) {
    const auto number = portNumberFrom(name);
    if (!number) return;
    NativePort& port = ports[number->native];
    port.gbps = gbps;
    if (number->lane > 0) port.lanes = std::max({port.lanes, number->lane, 2}); // of a split port there are two at least
}

// Runs of ports of one speed; gaps belong to the run before them. All ports of a run are split in the same way.
std::vector<PortGroup> groupsOf(const NativePorts& ports) {
    std::vector<PortGroup> groups;
    int next = 1; // native port
    for (const auto& [number, port] : ports) {
        const bool isSplit = port.lanes > 1;
        const bool isSame = !groups.empty() && inGbps(groups.back().speed) == port.gbps && (groups.back().lanes > 1) == isSplit;
        if (!isSame) {
            if (!groups.empty()) groups.back().count += (number - next) * groups.back().lanes;
            groups.push_back({groups.empty() ? (number - next) * port.lanes : 0, gigabitsPerSecond(port.gbps), port.lanes});
            next = number;
        }
        PortGroup& group = groups.back();
        if (port.lanes > group.lanes) {
            group.count = group.count / group.lanes * port.lanes;
            group.lanes = port.lanes;
        }
        group.count += (number - next + 1) * group.lanes;
        next = number + 1;
    }
    return groups;
}

// A switch has as many ports as its part says; those beyond the last link are of the last speed.
void addUnusedPorts(std::vector<PortGroup>& groups, const SwitchPart& part) {
    if (groups.empty()) {
        if (!part.ports.empty()) groups.push_back({part.ports.front().count, part.ports.front().speed});
        return;
    }
    Bandwidth used;
    for (const PortGroup& group : groups) used += group.speed * group.count;
    PortGroup& last = groups.back();
    const Bandwidth all = std::max(part.capacity, last.speed * part.portsAt(last.speed));
    for (int room = part.portsAt(last.speed) - last.count; room >= last.lanes && used + last.speed * last.lanes <= all * (1 + 1e-9);
         room -= last.lanes) {
        last.count += last.lanes;
        used += last.speed * last.lanes;
    }
}

} // namespace

std::vector<std::vector<PortGroup>> portsOf(const FlatFabric& flat, const Catalog& catalog) {
    std::vector<NativePorts> natives(flat.devices.size());
    for (const FlatLink& link : flat.links) {
        if (link.tier == LinkTier::Hb || link.tier == LinkTier::Pcie) continue;
        add(natives[link.a], link.aPort, link.gbps);
        add(natives[link.b], link.bPort, link.gbps);
    }
    std::vector<std::vector<PortGroup>> ports;
    for (std::size_t d = 0; d < natives.size(); ++d) {
        const Part* part = catalog.find(flat.devices[d].part);
        std::vector<PortGroup> groups = groupsOf(natives[d]);
        if (const auto* own = part ? part->as<SwitchPart>() : nullptr) addUnusedPorts(groups, *own);
        if (const auto* own = part ? part->as<NicPart>() : nullptr; own && groups.empty() && own->ports > 0)
            groups.push_back({own->ports, own->bandwidth / own->ports});
        ports.push_back(std::move(groups));
    }
    return ports;
}

} // namespace railyard
