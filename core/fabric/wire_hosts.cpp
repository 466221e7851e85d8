#include "core/fabric/wire_hosts.h"

#include <unordered_map>
#include <vector>

namespace railyard {
namespace {

using Members = std::span<const DeviceId>;

// Leaves of every plane, in order, and the first of each rail.
struct LeavesByPlane {
    std::vector<std::vector<DeviceId>> of;
    std::vector<std::unordered_map<std::uint32_t, DeviceId>> ofRail;
    LeavesByPlane(const DeviceTable& devices, Members all, int planes)
        : of(static_cast<std::size_t>(planes)),
          ofRail(static_cast<std::size_t>(planes)) {
        for (const DeviceId leaf : all)
            if (const std::size_t plane = devices.plane[leaf] - 1; plane < of.size()) {
                of[plane].push_back(leaf);
                ofRail[plane].try_emplace(devices.rail[leaf], leaf);
            }
    }
    DeviceId at(std::size_t plane, std::size_t index) const { return index < of[plane].size() ? of[plane][index] : none; }
};

class HostWiring {
public:
    explicit HostWiring(LinkWriter& write) : m_write(write) {}

    // Connects the ports of NIC `position` of its server or domain; `leafOf` names the leaf of a plane, or none.
    template <class LeafOf>
    void connectNic(DeviceId nic, std::uint32_t position, int planes, std::uint8_t speed, LeafOf leafOf) {
        const auto ports = static_cast<std::uint32_t>(m_write.fabric.portCount(nic));
        std::uint32_t& planeOfNic = m_write.fabric.devices.plane[nic];
        for (std::uint32_t port = 0; port < ports && m_write.hasRoom(); ++port) {
            const std::size_t plane = (std::size_t{position} * ports + port) % static_cast<std::size_t>(planes);
            planeOfNic = port == 0 || planeOfNic == plane + 1 ? static_cast<std::uint32_t>(plane + 1) : 0;
            if (const DeviceId leaf = leafOf(plane); leaf != none)
                m_write.connectDown(nic, PortId(port + 1), leaf, LinkTier::HostLeaf, speed);
        }
    }

    // The leaf of a rail among those of a plane; where the rail has none, or leaves have no rail, they take turns.
    DeviceId leafOfRail(const LeavesByPlane& leaves, std::size_t plane, std::uint32_t rail) const {
        const std::vector<DeviceId>& all = leaves.of[plane];
        if (all.empty()) return none;
        const auto inTurn = all[rail % all.size()];
        if (m_write.fabric.devices.rail[inTurn] == rail + 1) return inTurn;
        const auto own = leaves.ofRail[plane].find(rail + 1);
        return own == leaves.ofRail[plane].end() ? inTurn : own->second;
    }

    void wireRails(const WiringRule& rule, Members nics, Members all, std::uint8_t speed) {
        DeviceTable& devices = m_write.fabric.devices;
        const LeavesByPlane leaves(devices, all, rule.planes);
        if (all.empty()) return;
        std::uint32_t unit = none, position = 0;
        const auto rails = static_cast<std::uint32_t>(rule.rails);
        for (const DeviceId nic : nics) {
            const auto own = rule.railsByDomain ? devices.hbDomain[nic] : devices.server[nic];
            position = own == unit ? position + 1 : 0;
            unit = own;
            const auto rail = position % rails;
            devices.rail[nic] = rail + 1;
            connectNic(nic, position, rule.planes, speed, [&](std::size_t plane) { return leafOfRail(leaves, plane, rail); });
        }
    }

    void wireChassis(const WiringRule& rule, Members nics, Members all, std::uint8_t speed) {
        DeviceTable& devices = m_write.fabric.devices;
        const LeavesByPlane leaves(devices, all, rule.planes);
        ServerId server;
        std::uint32_t position = 0;
        int servers = -1;
        for (const DeviceId nic : nics) {
            position = devices.server[nic] == server ? position + 1 : 0;
            if (devices.server[nic] != server) ++servers;
            server = devices.server[nic];
            devices.rail[nic] = position % static_cast<std::uint32_t>(rule.rails) + 1;
            const auto at = static_cast<std::size_t>(servers / rule.serversPerLeaf);
            connectNic(nic, position, rule.planes, speed, [&](std::size_t plane) { return leaves.at(plane, at); });
        }
    }

private:
    LinkWriter& m_write;
};

} // namespace

void wireHosts(LinkWriter& write, const WiringRule& rule, std::span<const DeviceId> lowers, std::span<const DeviceId> uppers,
               std::uint8_t speed) {
    HostWiring wiring(write);
    if (rule.pattern == WiringPattern::Rail)
        wiring.wireRails(rule, lowers, uppers, speed);
    else
        wiring.wireChassis(rule, lowers, uppers, speed);
}

} // namespace railyard
