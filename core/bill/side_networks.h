// Storage, in-band and out-of-band networks, elaborated and cabled apart from the compute fabric. Their cables count 30 m:
// their switches stand in no rack yet.
#pragma once

#include "core/bill/cabling.h"

namespace railyard {

struct SideFabric {
    std::string name; // storage, in-band, out-of-band
    FabricPointer fabric;
    Cabling cabling;
    int others = 0; // of its hosts, the last, which are no servers of the design
};
// Their hosts are the servers that the design has, failed or not, and the switches that are to be managed.
std::vector<SideFabric> sideFabricsOf(const Fabric& compute);
// RY-D017: networks that cannot be built for the hosts there are now; they are missing from the above.
std::vector<Diagnostic> sideProblems(const Fabric& compute);

// What the hosts of sides[which] are called, in the order of its servers: the servers of the design, then storage/node[3],
// or whatever else is managed: the switches of every network.
std::vector<std::string> sideHosts(const std::vector<SideFabric>& sides, std::size_t which, const Fabric& compute);
// What a device of it is called beside those of the design: storage/leaf[2], su[1]/srv[4]/storage[1].
std::string sidePath(const SideFabric& side, const std::vector<std::string>& hosts, std::uint32_t device);

} // namespace railyard
