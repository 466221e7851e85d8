// The cages of switches and servers, and the place of a port in its cage. Internal to core/bill.
#pragma once

#include "core/bill/cabling.h"

#include <array>
#include <map>
#include <tuple>

namespace railyard {

// An upper bound on the cages that the ports of a device fill; for a NIC, without the other NICs of its server.
std::uint64_t mostCagesOf(const Fabric& fabric, DeviceId device);

class CageFinder {
public:
    CageFinder(const Fabric& fabric, Cabling& cabling) : m_fabric(fabric), m_cabling(cabling) {}

    struct PortPlace {
        Cabling::End end;           // without its number
        std::uint32_t position = 0; // in the cage, from 0: how many links of this speed it can hold before this one
    };
    // Valid until the next call.
    const PortPlace& find(DeviceId device, std::uint32_t port, std::uint8_t speed) {
        if (m_fabric.devices.routes(device)) {
            const SwitchPorts& ports = switchPorts(device, speed);
            if (port - 1 < ports.places.size()) return ports.places[port - 1];
            return m_made = placeOf(ports.runs, port);
        }
        return m_made = onHost(device, port, speed);
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
    struct NicKind { // the NICs of a server, as a rule
        ServerId server;
        std::uint16_t part = 0, layout = 0;
        std::uint8_t speed = 0;
        std::uint32_t ports = 0;
        NicCage cage;
    };
    struct SwitchPorts { // the same for all switches of a part with the same ports
        std::uint64_t key = ~std::uint64_t{0};
        std::vector<Run> runs;
        std::vector<PortPlace> places; // of the ports that it has; others are found by the runs
    };
    // What was asked last is asked again, as a rule.
    template <class Key, class Value>
    class Known {
    public:
        template <class Make>
        const Value& get(const Key& key, Make make) {
            if (!m_last || m_last->first != key) {
                auto it = m_all.find(key);
                if (it == m_all.end()) it = m_all.emplace(key, make()).first;
                m_last = &*it;
            }
            return m_last->second;
        }

    private:
        std::map<Key, Value> m_all;
        const std::pair<const Key, Value>* m_last = nullptr;
    };

    std::uint32_t number(const Cage& cage);
    std::vector<Run> runsOf(DeviceId device, Bandwidth speed);
    static PortPlace placeOf(const std::vector<Run>& runs, std::uint32_t port);
    PortPlace onHost(DeviceId device, std::uint32_t port, std::uint8_t speed);
    const SwitchPorts& switchPorts(DeviceId device, std::uint8_t speed) {
        const std::uint64_t key =
            std::uint64_t{m_fabric.devices.part[device]} << 32U | std::uint64_t{m_fabric.devices.ports[device]} << 8U | speed;
        for (const SwitchPorts* known : m_lastSwitchPorts)
            if (known->key == key) return *known;
        return newSwitchPorts(device, speed, key);
    }
    const SwitchPorts& newSwitchPorts(DeviceId device, std::uint8_t speed, std::uint64_t key);
    NicCage cageOfNic(DeviceId device, std::uint32_t nics, std::uint32_t ports, Bandwidth speed);
    const NicCage& nicCage(DeviceId device, std::uint8_t speed);
    std::uint32_t nicsOf(ServerId server);

    const Fabric& m_fabric;
    Cabling& m_cabling;
    PortPlace m_made;
    NicKind m_lastNic; // of a server
    std::vector<std::uint32_t> m_nicsOfServer;
    std::map<Cage, std::uint32_t> m_numbers;
    std::map<std::uint64_t, SwitchPorts> m_switchPorts;
    std::array<const SwitchPorts*, 2> m_lastSwitchPorts{&m_noPorts, &m_noPorts}; // of the lower and the upper end of a link, as a rule
    static const SwitchPorts m_noPorts;
    Known<std::tuple<std::uint16_t, std::uint16_t, std::uint32_t, std::uint32_t, std::uint8_t>, NicCage>
        m_nics; // part, server part, NICs of the server, ports, speed
};

} // namespace railyard
