// Port names in the form of a vendor's operating system. Internally a port is (device, number, lane), all counted from 1.
#pragma once

#include "core/fabric/fabric.h"

#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct PortDialect {
    std::string_view name;
    // {n} port, {n0} port from 0, {l} lane, {l0} lane from 0, {e} first electrical lane of the port from 0
    std::string_view whole, lane, host;
};

const std::vector<PortDialect>& portDialects(); // the first one is Railyard's own: 17, 17.2
Result<PortDialect> portDialectFrom(std::string_view name);
// The name of a network port: for a switch by native port and lane, for a NIC by its position in the server.
std::string portNameIn(const PortDialect& dialect, const Fabric& fabric, DeviceId device, PortId port);

} // namespace railyard
