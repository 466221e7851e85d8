#include "core/io/tables/port_dialect.h"

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

// Cages of eight electrical lanes are OSFP and QSFP-DD, all others have four.
int electricalLanes(const Fabric& fabric, DeviceId device) {
    const Part* part = fabric.partOf(device);
    const SwitchPart* details = part ? part->as<SwitchPart>() : nullptr;
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

} // namespace

const std::vector<PortDialect>& portDialects() {
    static const std::vector<PortDialect> table{
        {"railyard", "{n}", "{n}.{l}", "{n}"},
        {"nvidia", "swp{n}", "swp{n}s{l0}", "rail{n}"}, // NVIDIA cabling workbooks
        {"cumulus", "swp{n}", "swp{n}s{l0}", "eth{n0}"},
        {"sonic", "Ethernet{e}", "Ethernet{e}", "eth{n0}"},
        {"nvos", "sw{n}", "sw{n}p{l}", "mlx5_{n0}"},
        {"infiniband", "{n}", "{n}/{l}", "mlx5_{n0}"},
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
    if (fabric.devices.kind[device] != DeviceKind::Switch) {
        const int ports = std::max(1, fabric.portCount(device));
        const int number = static_cast<int>(fabric.devices.index[device] - 1) * ports + static_cast<int>(port);
        return filled(dialect.host, {{"{n0}", number - 1}, {"{n}", number}});
    }
    const NativePort native = nativePort(fabric, device, port);
    const int lanes = electricalLanes(fabric, device);
    const int first = (native.number - 1) * lanes + (native.lane > 0 ? (native.lane - 1) * lanes / std::max(1, native.lanes) : 0);
    return filled(native.lane > 0 ? dialect.lane : dialect.whole,
                  {{"{n0}", native.number - 1}, {"{n}", native.number}, {"{l0}", native.lane - 1}, {"{l}", native.lane}, {"{e}", first}});
}

} // namespace railyard
