// The ranks of a group and the NIC ports they send through.
#pragma once

#include "core/collective/communicator/communicator_links.h"
#include "core/collective/communicator/fabric_index.h"
#include "core/fabric/switch_graph.h"

#include <string>
#include <vector>

namespace railyard {

struct CommunicatorMember {
    DeviceId gpu;
    std::uint32_t domain = 0;
};

struct CommunicatorPort {
    NodeId node;
    std::uint32_t domain = 0, key = 0; // key: position of the NIC port in its domain
    double capacity = 0;
    double gpus = 0; // group members that use the port, each weighted by the share of its traffic; other GPUs leave it to them
    DeviceId nic;
    double part = 1; // share of the port that the group can use; already included in `capacity`
    LinkId link;     // link index in the fabric: the cable of the port
};

struct CommunicatorLayout {
    std::vector<std::uint32_t> domains;  // in ring order
    std::vector<CommunicatorPort> ports; // in ring order of their domains, sorted by key within each
    std::vector<double> nicOfGpu;        // by member: bit/s
    std::vector<double> nicsOfGpu;       // by member; a NIC shared by several GPUs counts as a fraction
    // By member: its NICs have failed, or lead to no network that all domains reach; nicOfGpu is its share of the NICs of its domain.
    std::vector<bool> isOrphan;
    std::vector<std::uint32_t> borrowers; // domains that send through NICs of GPUs outside the group, in ring order
    bool planes = false;                  // there are several networks, and any two members have one in common
};

std::vector<CommunicatorMember> membersOf(const Fabric& fabric, RankOrder order); // all GPUs
// The NIC ports of the group's domains and the members that send through them.
CommunicatorLayout layOut(const Fabric& fabric, const SwitchGraph& graph, const FabricIndex& index,
                          const std::vector<CommunicatorMember>& members);

} // namespace railyard
