// Port names in the form of a vendor's operating system. Internally a port is (device, number, lane), all counted from 1.
#pragma once

#include "core/fabric/fabric.h"

#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct PortDialect {
    std::string_view name;
    // {n} cage, {n0} cage from 0, {l} port in the cage, {l0} the same from 0, {e} its first electrical lane from 0. A cage with one port is
    // called like it, and a lane of a split port like a port of the cage.
    std::string_view whole, lane, host;
    std::string_view laneInCage = {}; // a lane of a split port that shares its cage: {p} port in the cage, {l} lane; empty: as `lane`
    std::string_view infiniband = {}; // another dialect for switches that speak InfiniBand
};

const std::vector<PortDialect>& portDialects(); // the first one is Railyard's own: 17, 17.2
Result<PortDialect> portDialectFrom(std::string_view name);
// The name of a network port: for a switch by cage, and port or lane in the cage; in the first dialect by native port and lane; for a
// NIC by its position in the server.
std::string portNameIn(const PortDialect& dialect, const Fabric& fabric, DeviceId device, PortId port);

} // namespace railyard
