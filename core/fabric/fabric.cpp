#include "core/fabric/fabric.h"

#include "core/base/runs.h"
#include "core/fabric/network_runs.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>

namespace railyard {

void DeviceTable::resize(std::size_t count) {
    kind.resize(count, DeviceKind::Gpu);
    tier.resize(count, SwitchTier::None);
    scope.resize(count, none);
    for (auto* column : {&slug, &part, &ports}) column->resize(count, 0);
    for (auto* column : {&index, &rail, &su, &plane}) column->resize(count, 0);
    server.resize(count, none);
    hbDomain.resize(count, none);
}

void DeviceTable::resizeUnset(std::size_t count) {
    kind.resize(count);
    tier.resize(count);
    scope.resize(count);
    for (auto* column : {&slug, &part, &ports}) column->resize(count);
    for (auto* column : {&index, &rail, &su, &plane}) column->resize(count);
    server.resize(count);
    hbDomain.resize(count);
}

// Added up without a branch, several links at a time.
std::size_t LinkTable::countOf(LinkTier of) const {
    std::uint32_t count = 0;
    for (const LinkTier each : tier) count += each == of ? 1 : 0;
    return count;
}

std::size_t LinkTable::countNetworkLinks() const {
    std::uint32_t count = 0;
    for (const LinkTier each : tier) count += each < LinkTier::Hb ? 1 : 0;
    return count;
}

void LinkTable::reserve(std::size_t count) {
    for (auto* column : {&a, &b}) column->reserve(count);
    for (auto* column : {&aPort, &bPort}) column->reserve(count);
    tier.reserve(count);
    speed.reserve(count);
}

void LinkTable::resizeUnset(std::size_t count) {
    for (auto* column : {&a, &b}) column->resize(count);
    for (auto* column : {&aPort, &bPort}) column->resize(count);
    tier.resize(count);
    speed.resize(count);
}

int Fabric::portCount(DeviceId device) const {
    int count = 0;
    for (const PortGroup& group : portLayouts[devices.ports[device]]) count += group.count;
    return count;
}

std::string Fabric::scopePath(ScopeId scope) const {
    if (scope == none || scopes[scope].parent == none) return {};
    const std::string above = scopePath(scopes[scope].parent);
    const std::string own = fmt::format("{}[{}]", slugs[scopes[scope].slug], scopes[scope].index);
    return above.empty() ? own : above + "/" + own;
}

std::string Fabric::devicePath(DeviceId device) const {
    const std::string above = scopePath(devices.scope[device]);
    const std::string own = fmt::format("{}[{}]", slugs[devices.slug[device]], devices.index[device]);
    return above.empty() ? own : above + "/" + own;
}

std::string Fabric::portName(DeviceId device, PortId port, LinkTier tier) const {
    if (tier == LinkTier::Hb) return fmt::format("hb{}", port);
    if (tier == LinkTier::Pcie) return fmt::format("pcie{}", port);
    std::uint32_t left = port, native = 0;
    for (const PortGroup& group : portLayouts[devices.ports[device]]) {
        const auto count = static_cast<std::uint32_t>(group.count), lanes = static_cast<std::uint32_t>(group.lanes);
        if (left <= count) {
            const auto own = native + (left - 1) / lanes + 1;
            return lanes == 1 ? fmt::format("{}", own) : fmt::format("{}.{}", own, (left - 1) % lanes + 1);
        }
        left -= count;
        native += (count + lanes - 1) / lanes;
    }
    return fmt::format("{}", native + left);
}

std::optional<PortId> Fabric::portFromName(DeviceId device, std::string_view name) const {
    std::uint32_t native = 0, lane = 1;
    const char *at = name.data(), *end = at + name.size();
    const auto first = std::from_chars(at, end, native);
    if (first.ec != std::errc() || native == 0) return {};
    if (first.ptr != end) {
        if (*first.ptr != '.') return {};
        const auto second = std::from_chars(first.ptr + 1, end, lane);
        if (second.ec != std::errc() || second.ptr != end || lane == 0) return {};
    }
    std::uint32_t before = 0, nativeBefore = 0;
    for (const PortGroup& group : portLayouts[devices.ports[device]]) {
        const auto lanes = static_cast<std::uint32_t>(group.lanes), count = static_cast<std::uint32_t>(group.count);
        const auto natives = (count + lanes - 1) / lanes;
        if (native <= nativeBefore + natives) {
            const auto port = (native - nativeBefore - 1) * lanes + lane;
            return lane <= lanes && port <= count ? std::optional(PortId(before + port)) : std::nullopt;
        }
        before += count;
        nativeBefore += natives;
    }
    return {};
}

// Quicker than to ask for the property, where every device or link is looked at.
constexpr DeviceKind onlyKindThatRoutes = DeviceKind::Switch;
static_assert(std::count_if(deviceKinds.begin(), deviceKinds.end(), [](const DeviceKindInfo& kind) { return kind.routes; }) == 1 &&
              infoOf(onlyKindThatRoutes).routes);

std::vector<DeviceId> switchesOf(const DeviceTable& devices) {
    static_assert(sizeof(DeviceKind) == 1);
    std::vector<DeviceId> switches;
    const DeviceKind *const begin = devices.kind.data(), *const end = begin + devices.size();
    for (const DeviceKind* at = begin; at != end; ++at) {
        at = static_cast<const DeviceKind*>(std::memchr(at, static_cast<int>(onlyKindThatRoutes), static_cast<std::size_t>(end - at)));
        if (!at) break;
        switches.emplace_back(at - begin);
    }
    return switches;
}

namespace {

// The ports of switches that links take. `routes`: by device, 1 or 0.
std::int64_t switchPortsOf(const LinkTable& links, const LinkRun& run, const std::vector<std::uint8_t>& routes) {
    const std::uint8_t* const isSwitch = routes.data();
    const DeviceId *const a = links.a.data(), *const b = links.b.data();
    std::uint32_t ports = 0;
    for (std::size_t l = run.first, end = run.end; l < end; ++l) ports += std::uint32_t{isSwitch[a[l]]} + isSwitch[b[l]];
    return ports;
}

// Different numbers, from 1.
class NumbersSeen {
public:
    void note(std::uint32_t number) {
        if (number >= m_isSeen.size()) m_isSeen.resize(std::size_t{number} + 1);
        m_isSeen[number] = 1;
    }
    std::int64_t count() const { return m_isSeen.empty() ? 0 : std::count(m_isSeen.begin() + 1, m_isSeen.end(), 1); }

private:
    std::vector<std::uint8_t> m_isSeen;
};

// Which servers or HB domains occur. Devices of one mostly follow one another, so the same number is noted once.
template <class Id>
class GroupsSeen {
public:
    explicit GroupsSeen(std::size_t groups) : m_isSeen(groups) {}
    void note(Id id) {
        if (id == m_last) return;
        m_last = id;
        if (id != none) m_isSeen[id] = true;
    }
    std::int64_t count() const { return std::count(m_isSeen.begin(), m_isSeen.end(), true); }

private:
    std::vector<bool> m_isSeen;
    Id m_last;
};

// Counts all devices but switches in one pass, as there are many.
void countDevices(const Fabric& fabric, FabricCounts& counts) {
    const DeviceTable& devices = fabric.devices;
    const DeviceKind* const kindOf = devices.kind.data();
    const std::uint32_t* const railOf = devices.rail.data();
    const ServerId* const serverOf = devices.server.data();
    const DomainId* const domainOf = devices.hbDomain.data();
    GroupsSeen<ServerId> servers(fabric.servers.size());
    GroupsSeen<DomainId> domains(fabric.hbDomains.size()); // with GPUs
    NumbersSeen rails;
    std::int64_t gpus = 0, nics = 0;
    for (std::size_t d = 0, end = devices.size(); d < end; ++d) {
        servers.note(serverOf[d]);
        if (kindOf[d] == DeviceKind::Gpu) {
            ++gpus;
            domains.note(domainOf[d]);
        } else if (kindOf[d] == DeviceKind::Nic) {
            ++nics;
            rails.note(railOf[d]);
        }
    }
    counts.gpus = gpus;
    counts.nics = nics;
    counts.servers = servers.count();
    counts.hbDomains = domains.count();
    counts.rails = rails.count();
}

} // namespace

FabricCounts countsOf(const Fabric& fabric) {
    FabricCounts counts;
    const DeviceTable& devices = fabric.devices;
    countDevices(fabric, counts);
    NumbersSeen planes;
    std::vector<std::uint8_t> routes(devices.size());
    for (const DeviceId d : switchesOf(devices)) {
        routes[d] = 1;
        ++counts.switches;
        planes.note(devices.plane[d]);
        ++counts.switchesByTier[static_cast<std::size_t>(devices.tier[d])];
        counts.switchPorts += fabric.portCount(d);
        counts.tiers = std::max(counts.tiers, static_cast<int>(devices.tier[d]));
    }
    counts.planes = planes.count();
    const LinkTable& links = fabric.links;
    const auto ofTier = [&](LinkTier tier) -> std::int64_t& { return counts.linksByTier[static_cast<std::size_t>(tier)]; };
    for (const LinkRun& run : networkRuns(links)) {
        counts.links += static_cast<std::int64_t>(run.size());
        counts.switchPortsUsed += switchPortsOf(links, run, routes);
        for (std::size_t first = run.first, end = first; first < run.end; first = end) {
            end = endOfEqual(links.tier.data(), first, run.end);
            ofTier(links.tier[first]) += static_cast<std::int64_t>(end - first);
        }
    }
    ofTier(LinkTier::Hb) = static_cast<std::int64_t>(links.countOf(LinkTier::Hb));
    ofTier(LinkTier::Pcie) = static_cast<std::int64_t>(links.size()) - counts.links - ofTier(LinkTier::Hb);
    return counts;
}

bool isSameNetwork(const Fabric& a, const Fabric& b) {
    return a.design->catalog == b.design->catalog && a.slugs == b.slugs && a.partIds == b.partIds && a.portLayouts == b.portLayouts &&
           a.speeds == b.speeds && a.servers == b.servers && a.serverParts == b.serverParts && a.hbDomains == b.hbDomains &&
           a.scopes == b.scopes && a.devices == b.devices && a.links == b.links;
}

} // namespace railyard
