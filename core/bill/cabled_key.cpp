#include "core/bill/cabled_key.h"

#include "core/base/runs.h"
#include "core/fabric/network_runs.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace railyard {
namespace {

// The entries of a table that are used, numbered in the order of their first use.
class UsedEntries {
public:
    explicit UsedEntries(std::size_t count) : m_numbers(count, none) {}
    // `state` is called at the first use.
    template <class State>
    std::uint32_t numberOf(std::size_t entry, const State& state) {
        std::uint32_t& number = m_numbers[entry];
        if (number == none) {
            number = m_next++;
            state();
        }
        return number;
    }

private:
    std::vector<std::uint32_t> m_numbers;
    std::uint32_t m_next = 0;
};

class Key {
public:
    explicit Key(const Fabric& fabric)
        : m_fabric(fabric),
          m_parts(fabric.partIds.size()),
          m_layouts(fabric.portLayouts.size()),
          m_speeds(fabric.speeds.size()) {}

    Fingerprint value() {
        m_numbers.add(static_cast<std::uint64_t>(m_fabric.design->trunk), 0);
        addDevices();
        addLinks();
        return m_numbers.value();
    }

private:
    void addPart(std::size_t part) {
        const Fingerprint id = fingerprintOf(m_fabric.partIds[part]);
        m_numbers.add(id.high, id.low);
    }
    void addSpeed(Bandwidth speed) { m_numbers.add(std::bit_cast<std::uint64_t>(speed.value()), 0); }
    void addLayout(const PortLayout& layout) {
        m_numbers.add(layout.size(), 0);
        for (const PortGroup& group : layout) {
            m_numbers.add(static_cast<std::uint64_t>(group.count), static_cast<std::uint64_t>(group.lanes));
            addSpeed(group.speed);
        }
    }
    std::uint64_t partNumber(std::uint16_t part) {
        return m_parts.numberOf(part, [&] { addPart(part); });
    }
    std::uint64_t layoutNumber(std::uint16_t layout) {
        return m_layouts.numberOf(layout, [&] { addLayout(m_fabric.portLayouts[layout]); });
    }
    std::uint64_t speedNumber(std::uint8_t speed) {
        return m_speeds.numberOf(speed, [&] { addSpeed(m_fabric.speeds[speed]); });
    }

    // What devices with cables are, but for their index.
    std::uint64_t sortNumber(DeviceId device) {
        const DeviceTable& devices = m_fabric.devices;
        const std::uint64_t part = partNumber(devices.part[device]), layout = layoutNumber(devices.ports[device]);
        return part << 40U | layout << 24U | static_cast<std::uint64_t>(devices.kind[device]) << 16U |
               static_cast<std::uint64_t>(devices.tier[device]) << 8U | (devices.server[device] == none ? 0U : 1U);
    }

    // Those that may have cables, numbered one after the other, and the servers that have any device.
    void addDevices() {
        const DeviceTable& devices = m_fabric.devices;
        m_numberOf = By<DeviceId, std::uint32_t>(devices.size(), none);
        std::uint32_t next = 0;
        ServerId before;
        std::uint64_t last = none, sort = 0; // of the device before, which most are like
        for (const DeviceId d : devices.ids()) {
            const DeviceKind kind = devices.kind[d];
            const ServerId server = devices.server[d];
            if (server != before) {
                before = server;
                if (server != none) m_numbers.add(server, partNumber(m_fabric.serverParts[server]));
            }
            if (kind == DeviceKind::Gpu || kind == DeviceKind::HbSwitch) continue; // without cables
            m_numberOf[d] = next++;
            const std::uint64_t own = std::uint64_t{devices.part[d]} << 48U | std::uint64_t{devices.ports[d]} << 32U |
                                      static_cast<std::uint64_t>(kind) << 16U | static_cast<std::uint64_t>(devices.tier[d]) << 8U |
                                      (server == none ? 0U : 1U);
            if (own != last) sort = sortNumber(d);
            last = own;
            m_numbers.add(devices.index[d], sort);
        }
        m_numbers.add(next, none);
    }

    void addLinks() {
        const LinkTable& links = m_fabric.links;
        for (const LinkRun& run : networkRuns(links))
            for (LinkId first = run.first, end; first < run.end; first = end) { // of one tier and speed
                end = LinkId(endOfEqual(links.speed.data(), first, endOfEqual(links.tier.data(), first, run.end)));
                m_numbers.add(std::uint64_t{end - first} << 8U | static_cast<std::uint64_t>(links.tier[first]),
                              speedNumber(links.speed[first]));
                addEnds({first, end});
            }
    }
    void addEnds(const LinkRun& run) {
        const LinkTable& links = m_fabric.links;
        FingerprintOfNumbers numbers = m_numbers; // of its own, which stays in registers
        const std::uint32_t* const numberOf = m_numberOf.data();
        const DeviceId *const a = links.a.data(), *const b = links.b.data();
        const PortId *const aPort = links.aPort.data(), *const bPort = links.bPort.data();
        for (std::size_t l = run.first, end = run.end; l < end; ++l)
            numbers.add(std::uint64_t{numberOf[a[l]]} << 32U | numberOf[b[l]], std::uint64_t{aPort[l]} << 32U | bPort[l]);
        m_numbers = numbers;
    }

    const Fabric& m_fabric;
    UsedEntries m_parts, m_layouts, m_speeds;
    FingerprintOfNumbers m_numbers;
    By<DeviceId, std::uint32_t> m_numberOf; // of devices; none of those without cables
};

bool isInRackSystem(const Part* server) {
    const ServerPart* part = server ? server->as<ServerPart>() : nullptr;
    return part && !part->rackSystem.empty();
}

} // namespace

std::optional<Fingerprint> cabledKeyOf(const Fabric& fabric) {
    const Design& design = *fabric.design;
    if (design.floor || design.ocs || !design.networks.empty() || fabric.intact) return {};
    if (std::any_of(fabric.parts.begin(), fabric.parts.end(), isInRackSystem)) return {};
    return Key(fabric).value();
}

} // namespace railyard
