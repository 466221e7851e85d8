#include "core/fabric/wire_servers.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace railyard {
namespace {

using Members = std::span<const DeviceId>;

class ServerWiring {
public:
    explicit ServerWiring(LinkWriter& write) : m_write(write) {}

    // The lower devices are GPUs, or HB switches whose first ports their GPUs have.
    void wireStar(Members lowers, Members switches, std::uint8_t speed) {
        for (std::size_t g = 0; g < lowers.size(); ++g) {
            const std::uint32_t used = m_write.nextPort[lowers[g]];
            for (std::size_t s = 0; s < switches.size() && m_write.hasRoom(); ++s)
                m_write.link(lowers[g], PortId(used + static_cast<std::uint32_t>(s) + 1), switches[s], PortId(g + 1), LinkTier::Hb, speed);
        }
        for (const DeviceId each : switches) m_write.nextPort[each] = static_cast<std::uint32_t>(lowers.size());
    }

    // One star for each run of GPUs, of one switch or of as many as the rule says; their servers, with all their devices, belong to the
    // domain of its switch. What is beyond the last whole run joins the last star. All of them are in `inBlock`.
    void wireDomains(const WiringRule& rule, Members gpus, Members switches, std::uint8_t speed, Indices<DeviceId> inBlock) {
        if (switches.empty()) return;
        DeviceTable& devices = m_write.fabric.devices;
        const auto run = static_cast<std::size_t>(rule.run);
        std::unordered_map<ServerId, DomainId> domainOf; // of a server
        const auto perStar = static_cast<std::size_t>(std::max(1, rule.uppersPerGroup));
        const std::size_t stars = (switches.size() + perStar - 1) / perStar;
        for (std::size_t s = 0; s < stars; ++s) {
            const std::size_t first = std::min(s * run, gpus.size()), end = s + 1 == stars ? gpus.size() : first + run;
            const Members own = gpus.subspan(first, std::min(end, gpus.size()) - first);
            const Members uppers = switches.subspan(s * perStar, std::min(perStar, switches.size() - s * perStar));
            wireStar(own, uppers, speed);
            for (const DeviceId gpu : own) domainOf[devices.server[gpu]] = devices.hbDomain[gpu] = devices.hbDomain[uppers.front()];
        }
        if (gpus.empty()) return;
        for (const DeviceId d : inBlock)
            if (const auto own = domainOf.find(devices.server[d]); own != domainOf.end() && devices.server[d] != none)
                devices.hbDomain[d] = own->second;
    }

    void wireMesh(Members gpus, std::uint8_t speed) {
        for (std::size_t i = 0; i < gpus.size(); ++i)
            for (std::size_t j = i + 1; j < gpus.size() && m_write.hasRoom(); ++j)
                m_write.link(gpus[i], PortId(j), gpus[j], PortId(i + 1), LinkTier::Hb, speed);
    }
    // Two quads, all pairs of each joined, and GPU i with i + 4. With six links a GPU, eight of the pairs have two
    // (nvidia-smi topo -m of a DGX-1 with V100). Source: NVIDIA DGX-1 with Tesla V100 white paper, WP-08437-002, figure 4.
    void wireCube(const WiringRule& rule, Members gpus) {
        static constexpr int pairs[][3] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1}, {1, 5, 2}, {2, 3, 2},
                                           {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1}, {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};
        if (gpus.size() != 8) return;
        std::array<std::uint32_t, 8> ports{};
        for (const auto& [i, j, links] : pairs) {
            const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
            const std::uint8_t speed = m_write.speedIndex(rule.speed * (rule.uplinks > 4 ? links : 1));
            const PortId from(++ports[a]), to(++ports[b]);
            m_write.link(gpus[a], from, gpus[b], to, LinkTier::Hb, speed);
        }
    }
    // GPU g uses NIC floor(g * nics / gpus); with more NICs than GPUs, NIC n belongs to GPU floor(n * gpus / nics).
    void wirePcie(Members gpus, Members nics, std::uint8_t speed) {
        if (gpus.empty() || nics.empty()) return;
        const std::size_t count = std::max(gpus.size(), nics.size());
        std::size_t lastGpu = count, lastNic = count, gpuPort = 0, nicPort = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t g = i * gpus.size() / count, n = i * nics.size() / count;
            gpuPort = g == lastGpu ? gpuPort + 1 : 1;
            nicPort = n == lastNic ? nicPort + 1 : 1;
            m_write.link(gpus[g], PortId(gpuPort), nics[n], PortId(nicPort), LinkTier::Pcie, speed);
            lastGpu = g;
            lastNic = n;
        }
    }

private:
    LinkWriter& m_write;
};

} // namespace

bool joinsDomains(const WiringRule& rule) { return rule.pattern == WiringPattern::HbStar && rule.run > 0; }

void wireServers(LinkWriter& write, const WiringRule& rule, std::span<const DeviceId> lowers, std::span<const DeviceId> uppers,
                 std::uint8_t speed, Indices<DeviceId> devices) {
    ServerWiring wiring(write);
    switch (rule.pattern) {
    case WiringPattern::HbStar:
        return joinsDomains(rule) ? wiring.wireDomains(rule, lowers, uppers, speed, devices) : wiring.wireStar(lowers, uppers, speed);
    case WiringPattern::HbMesh: return wiring.wireMesh(lowers, speed);
    case WiringPattern::HbCube: return wiring.wireCube(rule, lowers);
    case WiringPattern::Pcie: return wiring.wirePcie(lowers, uppers, speed);
    default: return;
    }
}

} // namespace railyard
