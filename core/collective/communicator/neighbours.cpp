#include "core/collective/communicator/neighbours.h"

#include <algorithm>

namespace railyard {
namespace {

// By GPU the rail of its first NIC that is cabled; `none` where it has no such NIC.
By<DeviceId, std::uint32_t> railsInUse(const Fabric& fabric) {
    const LinkTable& links = fabric.links;
    std::vector<bool> isCabled(fabric.devices.size());
    for (const LinkId l : links.ids())
        if (fabric.isNetworkLink(l)) isCabled[links.a[l]] = isCabled[links.b[l]] = true;
    By<DeviceId, std::uint32_t> rails(fabric.devices.size(), none);
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie && isCabled[links.b[l]] && rails[links.a[l]] == none)
            rails[links.a[l]] = fabric.devices.rail[links.b[l]];
    return rails;
}

// The parent of a place in a balanced binary tree over `count` places: leaves are the odd ones, place 0 is the root and has none.
std::size_t parentOf(std::size_t place, std::size_t count) {
    const std::size_t bit = place & (~place + 1), above = (place ^ bit) | bit << 1;
    return above < count ? above : place ^ bit;
}

} // namespace

std::vector<std::pair<std::size_t, std::size_t>> binaryTrees(std::size_t count) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    // The second tree is the first one mirrored, or shifted by one.
    const auto other = [&](std::size_t at) { return count % 2 == 0 ? count - 1 - at : (at + 1) % count; };
    for (std::size_t place = 1; place < count; ++place) {
        const std::size_t parent = parentOf(place, count);
        edges.emplace_back(place, parent);
        edges.emplace_back(other(place), other(parent));
    }
    return edges;
}

std::int64_t mostTreeEdges(std::int64_t count) { return std::clamp<std::int64_t>(count, 0, 4); }

Neighbours::Neighbours(const Fabric& fabric, const std::vector<DeviceId>& gpus) {
    const DeviceTable& devices = fabric.devices;
    const auto rails = railsInUse(fabric);
    std::map<std::uint32_t, std::size_t> place;
    std::vector<bool> isMember(devices.size());
    for (const DeviceId gpu : gpus) {
        const auto domain = devices.hbDomain[gpu];
        const std::size_t at = domain == none ? m_domains.size() : place.emplace(domain, m_domains.size()).first->second;
        if (at == m_domains.size()) m_domains.emplace_back(), m_lanes.emplace_back();
        m_domains[at].push_back(gpu);
        isMember[gpu] = true;
        if (rails[gpu] == none) continue;
        std::uint32_t ordinal = 0;
        while (!m_lanes[at].emplace(Lane(rails[gpu], ordinal), gpu).second) ++ordinal;
    }
    for (const LinkId l : fabric.links.ids()) {
        const auto a = fabric.links.a[l], b = fabric.links.b[l];
        if (fabric.links.tier[l] != LinkTier::Hb || !isMember[a] || !isMember[b]) continue;
        const double speed = fabric.speedOf(l).value();
        m_linked[a].emplace_back(b, speed);
        m_linked[b].emplace_back(a, speed);
    }
}

void Neighbours::around(std::size_t domain, double bytes, std::vector<GpuFlow>& flows) const {
    const auto& members = m_domains[domain];
    if (members.size() < 2 || bytes <= 0) return;
    for (std::size_t p = 0; p < members.size(); ++p) {
        const auto linked = m_linked.find(members[p]);
        if (linked == m_linked.end()) {
            flows.push_back({members[p], members[(p + 1) % members.size()], bytes});
            continue;
        }
        double all = 0;
        for (const auto& [gpu, speed] : linked->second) all += speed;
        for (const auto& [gpu, speed] : linked->second) flows.push_back({members[p], gpu, bytes * speed / all});
    }
}

} // namespace railyard
