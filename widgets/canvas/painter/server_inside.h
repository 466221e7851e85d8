// The contents of a server or an HB domain in the fabric: GPUs, NICs, HB switches or direct links, and which GPU uses which NIC.
#pragma once

#include "core/collective/communicator/hb_rings.h"
#include "core/fabric/fabric.h"

#include <map>
#include <span>

namespace railyard {

// Devices and links by server and by HB domain. Built once for a fabric, when the first server is opened.
class ServerInsides {
public:
    explicit ServerInsides(const Fabric& fabric);

    struct PcieSwitch {
        std::vector<DeviceId> gpus, nics;
    };
    struct Inside {
        std::vector<DeviceId> gpus, nics, switches;
        std::vector<LinkId> hb, pcie;
        std::vector<std::vector<DeviceId>> rings; // of direct HB links that do not join every pair: a cube mesh
        std::vector<PcieSwitch> pcieSwitches;     // of one server; empty if its part does not say, or the fabric is wired another way
        int servers = 0;                          // of an HB domain
    };
    Inside insideOf(const Fabric& fabric, ScopeId scope) const; // of a server or an HB domain

private:
    template <class Item>
    struct Lists { // CSR
        std::vector<std::uint32_t> first;
        std::vector<Item> items;
        std::span<const Item> list(std::size_t list) const { return std::span(items).subspan(first[list], first[list + 1] - first[list]); }
    };
    template <class Item, class KeyOf>
    static Lists<Item> listed(std::size_t lists, std::size_t count, KeyOf keyOf);

    using Speeds = std::vector<std::vector<std::int64_t>>;
    void findRings(const Fabric& fabric);

    By<ScopeId, std::uint32_t> m_server, m_domain; // by scope; none
    Lists<DeviceId> m_devicesOfServer, m_devicesOfDomain;
    Lists<LinkId> m_linksOfServer, m_linksOfDomain;
    std::map<Speeds, std::vector<HbRing>> m_rings; // servers with the same speeds share them
};

} // namespace railyard
