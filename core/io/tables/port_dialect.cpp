#include "core/io/tables/port_dialect.h"

#include "core/bill/cabling.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

struct NativePort {
    int number = 0, lane = 0, lanes = 1; // lane from 1, 0 = not split
};

NativePort nativePort(const Fabric& fabric, DeviceId device, PortId port) {
    const std::string own = fabric.portName(device, port, LinkTier::LeafSpine);
    NativePort native;
    native.number = std::stoi(own);
    if (const std::size_t dot = own.find('.'); dot != std::string::npos) native.lane = std::stoi(own.substr(dot + 1));
    std::uint32_t left = port;
    for (const PortGroup& group : fabric.portLayouts[fabric.devices.ports[device]]) {
        native.lanes = group.lanes;
        if (left <= static_cast<std::uint32_t>(group.count)) break;
        left -= static_cast<std::uint32_t>(group.count);
    }
    return native;
}

const SwitchPart* switchPartOf(const Fabric& fabric, DeviceId device) {
    const Part* part = fabric.partOf(device);
    return part ? part->as<SwitchPart>() : nullptr;
}

// Cages of eight electrical lanes are OSFP and QSFP-DD, all others have four.
int electricalLanes(const SwitchPart* details) {
    const bool eight = details && (details->cage.starts_with("osfp") || details->cage.starts_with("qsfp-dd"));
    return eight ? 8 : 4;
}

std::string filled(std::string_view pattern, const std::vector<std::pair<std::string_view, int>>& fields) {
    std::string text(pattern);
    for (const auto& [name, value] : fields)
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
            text.replace(at, name.size(), std::to_string(value));
    return text;
}

std::string nameOfSwitchPort(const PortDialect& dialect, const SwitchPart* details, const NativePort& native) {
    const int perCage = details ? nativePortsPerCage(*details) : 1;
    const int cage = (native.number - 1) / perCage, port = (native.number - 1) % perCage; // from 0
    const bool isSplit = native.lane > 0, isShared = perCage > 1;
    const int inCage = port * native.lanes + std::max(0, native.lane - 1); // from 0, over all ports of the cage and their lanes
    const int electrical = cage * electricalLanes(details) + inCage * electricalLanes(details) / std::max(1, perCage * native.lanes);
    const bool ofPort = isSplit && isShared && !dialect.laneInCage.empty();
    const int lane = ofPort ? native.lane - 1 : inCage;
    return filled(ofPort                ? dialect.laneInCage
                  : isSplit || isShared ? dialect.lane
                                        : dialect.whole,
                  {{"{n0}", cage}, {"{n}", cage + 1}, {"{p}", port + 1}, {"{l0}", lane}, {"{l}", lane + 1}, {"{e}", electrical}});
}

} // namespace

const std::vector<PortDialect>& portDialects() {
    static const std::vector<PortDialect> table{
        {"railyard", "{n}", "{n}.{l}", "{n}"},
        {"nvidia", "swp{n}", "swp{n}s{l0}", "rail{n}", {}, "nvos"}, // NVIDIA cabling workbooks
        {"cumulus", "swp{n}", "swp{n}s{l0}", "eth{n0}"},
        {"sonic", "Ethernet{e}", "Ethernet{e}", "eth{n0}"},
        {"nvos", "sw{n}", "sw{n}p{l}", "mlx5_{n0}", "sw{n}p{p}s{l}"},
        {"infiniband", "{n}", "{n}/{l}", "mlx5_{n0}", "{n}/{p}/{l}"},
        {"nx-os", "Ethernet1/{n}", "Ethernet1/{n}/{l}", "eth{n0}"},
        {"arista", "Ethernet{n}/1", "Ethernet{n}/{l}", "eth{n0}"},
        {"sr-linux", "ethernet-1/{n}", "ethernet-1/{n}/{l}", "eth{n0}"},
    };
    return table;
}

Result<PortDialect> portDialectFrom(std::string_view name) {
    std::string names;
    for (const PortDialect& dialect : portDialects()) {
        if (dialect.name == name) return dialect;
        names += (names.empty() ? "" : ", ") + std::string(dialect.name);
    }
    return Error::usage(fmt::format("dialect = {}: must be one of {}", name, names));
}

std::string portNameIn(const PortDialect& dialect, const Fabric& fabric, DeviceId device, PortId port) {
    if (dialect.name == portDialects().front().name) return fabric.portName(device, port, LinkTier::LeafSpine);
    if (!fabric.devices.routes(device)) {
        const int ports = std::max(1, fabric.portCount(device));
        const int number = static_cast<int>(fabric.devices.index[device] - 1) * ports + static_cast<int>(port);
        return filled(dialect.host, {{"{n0}", number - 1}, {"{n}", number}});
    }
    const SwitchPart* details = switchPartOf(fabric, device);
    if (!dialect.infiniband.empty() && details && details->protocol == "ib")
        for (const PortDialect& other : portDialects())
            if (other.name == dialect.infiniband) return nameOfSwitchPort(other, details, nativePort(fabric, device, port));
    return nameOfSwitchPort(dialect, details, nativePort(fabric, device, port));
}

} // namespace railyard
