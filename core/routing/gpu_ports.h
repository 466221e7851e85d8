// The NIC ports of a fabric and which GPUs send through them.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

struct NicPort {
    std::uint32_t nic = 0;  // device
    std::uint32_t link = 0; // of the fabric: the cable to its switch
    std::uint32_t node = 0; // that switch
    std::uint32_t network = 0;
    std::uint32_t domain = 0; // HB domain
    // Place in the domain: ports with the same key, in two domains, are on the same rail.
    std::uint32_t key = 0;
    Bandwidth speed;
    double weight = 1; // what a GPU sends it divides among its ports by their weights
};

// Lists by index: those of x are of(x).
class Lists {
public:
    Lists() = default;
    Lists(std::size_t count, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs); // x, item; in their order
    std::span<const std::uint32_t> of(std::uint32_t x) const { return std::span(m_items).subspan(m_first[x], m_first[x + 1] - m_first[x]); }

private:
    std::vector<std::uint32_t> m_first{0}, m_items;
};

struct GpuPorts {
    std::vector<std::uint32_t> gpus; // devices, in the order of the fabric
    std::vector<NicPort> ports;      // that lead to a switch; NICs outside every HB domain have none
    Lists portsOfGpu;                // by device
    // GPUs that an HB fabric joins, and so can forward for one another: an HB domain, or what is left of it in one piece.
    std::vector<std::uint32_t> unitOf; // of a device; none where it is no GPU of a domain
    std::uint32_t units = 0;
    Lists portsOfUnit;  // of NICs that a GPU of it feeds
    Lists gpusOfUnit;   // devices
    Lists gpusOfDomain; // devices
    Lists gpusOfNic;    // by device
    Bandwidth fastest;  // what the GPU with the most NIC bandwidth can send, one direction
};
GpuPorts gpuPortsOf(const Fabric& fabric, const SwitchGraph& graph); // every port weighs the same
// The same of a group, as a collective library would have it: NICs are theirs alone and used by their speed. A member whose NICs
// are gone has those of the members that an HB fabric joins it with; where none of them has one left, those of all GPUs there, at
// the members' part of their speed. Pieces of an HB domain that no HB link joins are domains of their own: NicPort::domain is the unit.
GpuPorts portsOfGroup(const Fabric& fabric, const SwitchGraph& graph, const std::vector<std::uint32_t>& members);

} // namespace railyard
