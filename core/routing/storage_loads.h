// The traffic of servers that read from or write to storage on the compute fabric.
#pragma once

#include "core/base/result.h"
#include "core/fabric/fabric.h"

#include <string>
#include <vector>

namespace railyard {

// Servers (with GPUs, NICs and disks) or hosts are the storage; all other servers with GPUs use all of them equally.
struct StorageTraffic {
    std::vector<bool> isStorage; // by device; whole servers
    Bandwidth ofServer;          // per direction
    bool isWrite = false;        // from the servers to storage
};

struct StorageLoads {
    std::vector<double> aToB, bToA; // bit/s by link of the fabric; 0 for PCIe and HB links
    std::int64_t servers = 0;       // servers that use the storage
    std::int64_t cutOff = 0;        // servers that cannot reach all of the storage; the loads exclude the missing part
    double reached = 1;             // reached share of the total demand
    std::string example;            // one of these servers
};

// The marked devices, and all other devices of the servers that contain them.
std::vector<bool> wholeServers(const Fabric& fabric, std::vector<bool> devices);

// A server divides its traffic over its NIC ports that reach storage, by speed; storage divides it by the speed of its ports in
// the same network. Switches divide evenly over the shortest paths, as in linkLoads. Errors: no storage port is connected to a
// switch, or no server remains that could use the storage.
Result<StorageLoads> storageLoads(const Fabric& fabric, const StorageTraffic& traffic);

} // namespace railyard
