// Port names as a vendor's system prints them. Inside, a port is (device, number, lane), all from 1.
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

const std::vector<PortDialect>& portDialects(); // the first is our own: 17, 17.2
Result<PortDialect> portDialectFrom(std::string_view name);
// The name of a network port: of a switch by its native port and lane, of a NIC by its place in the server.
std::string portNameIn(const PortDialect& dialect, const Fabric& fabric, std::uint32_t device, std::uint32_t port);

} // namespace railyard
