// The NIC ports of a fabric and the GPUs that send through them.
#pragma once

#include "core/fabric/switch_graph.h"

#include <functional>
#include <numeric>
#include <set>

namespace railyard {

struct NicPort {
    DeviceId nic;
    LinkId link; // the cable to the switch
    NodeId node; // the switch at the other end
    std::uint32_t network = 0;
    std::uint32_t domain = 0; // HB domain
    // Position in the domain: ports of two domains with the same key are on the same rail.
    std::uint32_t key = 0;
    // The rail of the NIC and the port's number: several NICs of a domain may be on one rail. A port on no rail has one of its own.
    std::uint64_t rail = 0;
    Bandwidth speed;
    double weight = 1; // a GPU divides its traffic among its ports by weight
};

// The position of a NIC port in its HB domain. In a domain of several servers, the same NIC index occurs once per server: the servers are
// told apart by their place in the domain, because their own index starts again in every SU.
class NicKeys {
public:
    explicit NicKeys(const Fabric& fabric);
    std::uint32_t indexOf(const SwitchGraph::Host& host) const;

private:
    const Fabric& m_fabric;
    By<ServerId, std::uint32_t> m_place; // 0 if it is a domain of its own
};

// The rail of a NIC port by its key; where the NIC is on none, one for each position, above all others.
std::uint32_t railOfPort(const Fabric& fabric, DeviceId nic, std::uint32_t key);

// Lists by index: list(x) is that of x.
template <class Of, class Item>
class Lists {
public:
    Lists() = default;
    Lists(std::size_t size, const std::vector<std::pair<Of, Item>>& pairs) : m_first(size + 1), m_items(pairs.size()) { // in this order
        for (const auto& [x, item] : pairs) ++m_first[x + 1];
        std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
        std::vector<std::uint32_t> at(m_first.begin(), m_first.end() - 1);
        for (const auto& [x, item] : pairs) m_items[at[x]++] = item;
    }
    std::span<const Item> list(Of x) const { return std::span(m_items).subspan(m_first[x], m_first[x + 1] - m_first[x]); }

private:
    std::vector<std::uint32_t> m_first{0};
    std::vector<Item> m_items;
};

// Whether any two of these sets of networks have one in common. Of more sets than can be compared only whether all have one in common.
using NetworkSet = std::set<std::uint32_t>;
bool doAnyTwoMeet(const std::set<NetworkSet>& sets);

struct GpuPorts {
    std::vector<DeviceId> gpus; // devices, in the order of the fabric
    std::vector<NicPort> ports; // ports connected to a switch; NICs outside of all HB domains have none
    Lists<DeviceId, std::uint32_t> portsOfGpu;
    // Units: GPUs that are connected by an HB fabric and can forward for each other: an HB domain, or a connected part of it.
    By<DeviceId, std::uint32_t> unitOf; // none if it is not a GPU of a domain
    std::uint32_t units = 0;
    Lists<std::uint32_t, std::uint32_t> portsOfUnit; // of NICs that are used by a GPU of the unit
    Lists<std::uint32_t, DeviceId> gpusOfUnit;
    Lists<std::uint32_t, DeviceId> gpusOfDomain;
    Lists<DeviceId, DeviceId> gpusOfNic;
    Bandwidth fastest; // the highest NIC bandwidth of a GPU, per direction
};
GpuPorts gpuPortsOf(const Fabric& fabric, const SwitchGraph& graph); // all ports have the same weight
// The same for a group with the NIC use of a collective library: NICs are used by the group only, in proportion to their speed.
// A member with failed NICs uses those of members connected by an HB fabric; if these have none, or share no network with those of
// another unit of the group, the NICs of all GPUs there, with the share of the members. Parts of an HB domain without HB links between them
// are separate domains: NicPort::domain is the unit.
GpuPorts portsOfCommunicator(const Fabric& fabric, const SwitchGraph& graph, const std::vector<DeviceId>& members);
// The same where gpuPortsOf() this fabric may be known already; asked only where it is needed.
GpuPorts portsOfCommunicator(const Fabric& fabric, const SwitchGraph& graph, const std::vector<DeviceId>& members,
                             const std::function<const GpuPorts&()>& portsOfAll);

} // namespace railyard
