// What servers read from storage that hangs on the compute fabric, or write to it.
#pragma once

#include "core/base/result.h"
#include "core/fabric/fabric.h"

#include <string>
#include <vector>

namespace railyard {

// Servers (of GPUs, lending NICs and disks) or hosts are storage; every other server with GPUs takes the same from all of them.
struct StorageTraffic {
    std::vector<bool> isStorage; // by device; of whole servers
    Bandwidth ofServer;          // one direction
    bool isWrite = false;        // from the servers to storage
};

struct StorageLoads {
    std::vector<double> aToB, bToA; // bit/s, by link of the fabric; PCIe and HB links carry nothing
    std::int64_t servers = 0;       // that take part
    std::int64_t cutOff = 0;        // that reach no storage, or not all of it; what they lack is in no load
    double reached = 1;             // of what all of them ask for
    std::string example;            // one of those
};

// The devices, and all others of the servers that hold them.
std::vector<bool> wholeServers(const Fabric& fabric, std::vector<bool> devices);

// A server divides its traffic over its NIC ports that lead to storage, by their speed; storage shares it by the speed of its
// ports in that network. Switches divide evenly over the shortest ways, as in linkLoads. Errors: nothing that is storage has a
// port that leads to a switch, or no server is left to use it.
Result<StorageLoads> storageLoads(const Fabric& fabric, const StorageTraffic& traffic);

} // namespace railyard
