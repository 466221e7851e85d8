// The ranks of a group and the NIC ports they send through.
#pragma once

#include "core/collective/collective.h"

#include <string>
#include <vector>

namespace railyard {

struct GroupMember {
    std::uint32_t gpu = 0, domain = 0;
};

struct GroupPort {
    std::uint32_t node = 0, domain = 0, key = 0; // key: position of the NIC port in its domain
    double capacity = 0;
    double gpus = 0; // group members that use it, each by the share of its traffic that goes here; other GPUs leave it to them
    std::uint32_t nic = 0;
    double part = 1;        // of the port, that the group may use; in `capacity` already
    std::uint32_t link = 0; // of the fabric: its cable
};

struct GroupLayout {
    std::vector<std::uint32_t> domains; // in ring order
    std::vector<GroupPort> ports;       // in ring order of their domains, by key in each
    std::vector<double> nicOfGpu;       // bit/s of every member
    std::vector<double> nicsOfGpu;      // of every member; one that several GPUs share in parts
    std::vector<bool> isOrphan;         // members whose NICs are gone; nicOfGpu is what they get of those of their domain
    bool planes = false;                // any two members reach a network together, out of several
};

std::vector<GroupMember> membersOf(const Fabric& fabric, RankOrder order); // all GPUs
// NIC ports of the group's domains and the members that feed them.
GroupLayout layOut(const Fabric& fabric, const SwitchGraph& graph, const std::vector<GroupMember>& members);

} // namespace railyard
