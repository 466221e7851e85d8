#include "widgets/canvas/painter/server_inside.h"

#include <algorithm>
#include <map>

namespace railyard {

template <class Item, class KeyOf>
ServerInsides::Lists<Item> ServerInsides::listed(std::size_t lists, std::size_t count, KeyOf keyOf) {
    Lists<Item> result;
    result.first.assign(lists + 1, 0);
    for (std::size_t i = 0; i < count; ++i)
        if (const std::uint32_t key = keyOf(Item(i)); key != none) ++result.first[key + 1];
    for (std::size_t k = 0; k < lists; ++k) result.first[k + 1] += result.first[k];
    result.items.resize(result.first.back());
    std::vector<std::uint32_t> at(result.first.begin(), result.first.end() - 1);
    for (std::size_t i = 0; i < count; ++i)
        if (const std::uint32_t key = keyOf(Item(i)); key != none) result.items[at[key]++] = Item(i);
    return result;
}

ServerInsides::ServerInsides(const Fabric& fabric) : m_server(fabric.scopes.size(), none), m_domain(fabric.scopes.size(), none) {
    for (std::uint32_t s = 0; s < fabric.servers.size(); ++s) m_server[fabric.servers[s]] = s;
    for (std::uint32_t d = 0; d < fabric.hbDomains.size(); ++d) m_domain[fabric.hbDomains[d]] = d;
    const DeviceTable& devices = fabric.devices;
    const LinkTable& links = fabric.links;
    const auto isInside = [&](LinkId l) { return links.tier[l] == LinkTier::Hb || links.tier[l] == LinkTier::Pcie; };
    m_devicesOfServer =
        listed<DeviceId>(fabric.servers.size(), devices.size(), [&](DeviceId d) { return std::uint32_t{devices.server[d]}; });
    m_devicesOfDomain =
        listed<DeviceId>(fabric.hbDomains.size(), devices.size(), [&](DeviceId d) { return std::uint32_t{devices.hbDomain[d]}; });
    m_linksOfServer = listed<LinkId>(fabric.servers.size(), links.size(),
                                     [&](LinkId l) { return isInside(l) ? std::uint32_t{devices.server[links.a[l]]} : NoIndex::number; });
    m_linksOfDomain = listed<LinkId>(fabric.hbDomains.size(), links.size(),
                                     [&](LinkId l) { return isInside(l) ? std::uint32_t{devices.hbDomain[links.a[l]]} : NoIndex::number; });
    findRings(fabric);
}

// Only where GPUs are joined by direct links, and not each to each: there every GPU is on as many rings as it has links to another GPU.
void ServerInsides::findRings(const Fabric& fabric) {
    for (const ScopeId domain : fabric.hbDomains) {
        const Inside inside = insideOf(fabric, domain);
        if (inside.hb.empty() || !inside.switches.empty()) continue;
        Speeds speeds = directSpeeds(fabric, inside.gpus, inside.hb);
        if (isComplete(speeds) || m_rings.contains(speeds)) continue;
        auto rings = ringsBothWays(linkUnitsOf(speeds).links);
        m_rings.emplace(std::move(speeds), std::move(rings));
    }
}

namespace {

// The part states how many; GPUs and NICs stand behind them in order. A server of other counts, or one whose NICs are used across them, is
// wired in a way that the part does not describe.
std::vector<ServerInsides::PcieSwitch> pcieSwitchesOf(const Fabric& fabric, ServerId server, const ServerInsides::Inside& inside) {
    const Part* part = fabric.parts[fabric.serverParts[server]];
    const ServerPart* facts = part ? std::get_if<ServerPart>(&part->detail) : nullptr;
    const std::size_t count = facts ? static_cast<std::size_t>(facts->pcieSwitches) : 0;
    if (count == 0 || inside.gpus.size() != static_cast<std::size_t>(facts->gpus) || inside.gpus.size() % count != 0 ||
        inside.nics.empty() || inside.nics.size() % count != 0)
        return {};
    std::vector<ServerInsides::PcieSwitch> result(count);
    std::map<DeviceId, std::size_t> behind;
    const auto spread = [&](const std::vector<DeviceId>& devices, std::vector<DeviceId> ServerInsides::PcieSwitch::*list) {
        for (std::size_t i = 0; i < devices.size(); ++i) {
            const std::size_t k = i / (devices.size() / count);
            (result[k].*list).push_back(devices[i]);
            behind[devices[i]] = k;
        }
    };
    spread(inside.gpus, &ServerInsides::PcieSwitch::gpus);
    spread(inside.nics, &ServerInsides::PcieSwitch::nics);
    for (const LinkId l : inside.pcie)
        if (behind.at(fabric.links.a[l]) != behind.at(fabric.links.b[l])) return {};
    return result;
}

} // namespace

ServerInsides::Inside ServerInsides::insideOf(const Fabric& fabric, ScopeId scope) const {
    Inside inside;
    const std::uint32_t server = m_server[scope], domain = m_domain[scope];
    if (server == none && domain == none) return inside;
    const bool isServer = server != none;
    std::vector<ServerId> servers;
    for (const DeviceId d : isServer ? m_devicesOfServer.list(server) : m_devicesOfDomain.list(domain)) {
        const DeviceKind kind = fabric.devices.kind[d];
        (kind == DeviceKind::Gpu ? inside.gpus : kind == DeviceKind::Nic ? inside.nics : inside.switches).push_back(d);
        if (fabric.devices.server[d] != none) servers.push_back(fabric.devices.server[d]); // switches of the domain stand in none
    }
    std::sort(servers.begin(), servers.end());
    inside.servers = static_cast<int>(std::unique(servers.begin(), servers.end()) - servers.begin());
    for (const LinkId l : isServer ? m_linksOfServer.list(server) : m_linksOfDomain.list(domain))
        (fabric.links.tier[l] == LinkTier::Hb ? inside.hb : inside.pcie).push_back(l);
    if (inside.servers == 1) inside.pcieSwitches = pcieSwitchesOf(fabric, servers.front(), inside);
    if (m_rings.empty() || !inside.switches.empty()) return inside;
    if (const auto found = m_rings.find(directSpeeds(fabric, inside.gpus, inside.hb)); found != m_rings.end())
        for (const HbRing& ring : found->second) {
            std::vector<DeviceId>& members = inside.rings.emplace_back();
            for (const std::size_t member : ring) members.push_back(inside.gpus[member]);
        }
    return inside;
}

} // namespace railyard
