// The cages of switches and servers, and the place of a port in its cage. Internal to core/bill.
#pragma once

#include "core/bill/cabling.h"

#include <array>
#include <map>
#include <span>
#include <tuple>

namespace railyard {

// An upper bound on the cages that the ports of a device fill; for a NIC, without the other NICs of its server.
std::uint64_t mostCagesOf(const Fabric& fabric, DeviceId device);

class CageFinder {
public:
    CageFinder(const Fabric& fabric, Cabling& cabling) : m_fabric(fabric), m_cabling(cabling) {}

    static constexpr std::uint32_t mostKept = 4096; // places of ports; documents may name ports in the millions
    struct PortPlace {
        std::uint32_t kind = 0;      // into Cabling::cageKinds
        std::uint32_t cageIndex = 0; // in the device (for NICs: in the server), from 0
        std::uint32_t position = 0;  // in the cage, from 0: how many links of this speed it can hold before this one
    };
    PortPlace find(DeviceId device, std::uint32_t port, std::uint8_t speed);
    void setNicsOfServers(By<ServerId, std::uint32_t> nics) { m_nicsOfServer = std::move(nics); } // counted when needed otherwise
    // Of the first ports of a switch or NIC, as far as they are kept in a table, which lives as long as the finder. Others must be found.
    // Those of the NICs of a server follow one another, by the index of the NIC.
    std::span<const PortPlace> placesOf(DeviceId device, std::uint8_t speed) {
        const DeviceTable& devices = m_fabric.devices;
        if (devices.routes(device)) return switchPorts(device, speed).places;
        if (!devices.isNic(device)) return {};
        const NicPorts& nics = nicPorts(device, speed);
        const std::uint64_t first = (std::uint64_t{devices.index[device]} - 1) * nics.ports;
        if (devices.index[device] == 0 || first + nics.ports > nics.places.size()) return {};
        return std::span(nics.places).subspan(first, nics.ports);
    }

private:
    // A fabric without links has no speeds; cages are counted there too.
    Bandwidth speedAt(std::uint8_t speed) const { return speed < m_fabric.speeds.size() ? m_fabric.speeds[speed] : Bandwidth(); }
    // Ports that follow one another on a switch, and the cages they fill.
    struct Run {
        std::uint32_t ports, firstNative, lanes, perCage; // perCage: native ports
        std::uint32_t cage;
    };
    struct NicCage {
        std::uint32_t cage = 0;
        std::uint32_t perCage = 1; // ports
    };
    // The NIC ports of a server, which follow one another in its cages.
    struct NicPorts {
        NicCage cage;
        std::uint32_t ports = 0;       // of each NIC
        std::vector<PortPlace> places; // from the first port of the first NIC on
    };
    struct NicKind { // the NICs of servers that are alike
        std::uint16_t part = 0, layout = 0, chassis = 0;
        std::uint8_t speed = 0;
        std::uint32_t nics = 0; // of the server
        const NicPorts* ports = nullptr;
    };
    struct SwitchPorts { // the same for all switches of a part with the same ports
        std::uint64_t key = ~std::uint64_t{0};
        std::vector<Run> runs;
        std::vector<PortPlace> places; // of the ports that it has; others are found by the runs
    };
    std::uint32_t number(const Cage& cage);
    std::vector<Run> runsOf(DeviceId device, Bandwidth speed);
    static PortPlace placeOf(const std::vector<Run>& runs, std::uint32_t port);
    static PortPlace placeInServer(const NicCage& cage, std::uint32_t port);
    const SwitchPorts& switchPorts(DeviceId device, std::uint8_t speed) {
        const std::uint64_t key =
            std::uint64_t{m_fabric.devices.part[device]} << 32U | std::uint64_t{m_fabric.devices.ports[device]} << 8U | speed;
        for (const SwitchPorts* known : m_lastSwitchPorts)
            if (known->key == key) return *known;
        return newSwitchPorts(device, speed, key);
    }
    const SwitchPorts& newSwitchPorts(DeviceId device, std::uint8_t speed, std::uint64_t key);
    NicCage cageOfNic(DeviceId device, std::uint32_t nics, std::uint32_t ports, Bandwidth speed);
    const NicPorts& newNicPorts(DeviceId device, std::uint16_t chassis, std::uint32_t nics, std::uint8_t speed);
    const NicPorts& nicPorts(DeviceId device, std::uint8_t speed) {
        const DeviceTable& devices = m_fabric.devices;
        const ServerId server = devices.server[device];
        const std::uint16_t chassis = server == none ? std::uint16_t{0} : m_fabric.serverParts[server];
        const std::uint32_t nics = server == none ? 0 : nicsOf(server);
        NicKind& kind = m_lastNic;
        const bool isKnown = kind.ports && kind.part == devices.part[device] && kind.layout == devices.ports[device] &&
                             kind.chassis == chassis && kind.nics == nics && kind.speed == speed;
        if (!isKnown)
            kind = {devices.part[device], devices.ports[device], chassis, speed, nics, &newNicPorts(device, chassis, nics, speed)};
        return *kind.ports;
    }
    std::uint32_t nicsOf(ServerId server) {
        if (m_nicsOfServer.empty()) countNics();
        return m_nicsOfServer[server];
    }
    void countNics();

    const Fabric& m_fabric;
    Cabling& m_cabling;
    NicKind m_lastNic;
    By<ServerId, std::uint32_t> m_nicsOfServer;
    std::map<Cage, std::uint32_t> m_numbers;
    std::map<std::uint64_t, SwitchPorts> m_switchPorts;
    std::array<const SwitchPorts*, 2> m_lastSwitchPorts{&m_noPorts, &m_noPorts}; // of the lower and the upper end of a link, as a rule
    static const SwitchPorts m_noPorts;
    std::map<std::tuple<std::uint16_t, std::uint16_t, std::uint32_t, std::uint32_t, std::uint8_t>, NicPorts>
        m_nicPorts; // by part, server part, NICs of the server, ports, speed
};

} // namespace railyard
