#include "core/routing/gpus/domain_classes.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr std::size_t mostKinds = 16;

class ClassSearch {
public:
    ClassSearch(const Fabric& fabric, const SwitchGraph& graph)
        : m_fabric(fabric),
          m_hosts(graph.hosts),
          m_network(graph.network),
          m_extents(fabric.hbDomains.size()) {
        m_found.runs.resize(fabric.hbDomains.size());
    }

    std::optional<DomainClasses> result() {
        if (!findDevices() || !findLinks() || !findHosts()) return {};
        std::uint32_t last = 0; // neighbours are mostly alike
        for (std::uint32_t domain = 0; domain < m_extents.size(); ++domain) {
            if (m_extents[domain].devices == 0) continue;
            const auto kind = kindOf(domain, last);
            if (kind == m_found.kinds.size()) addKind(domain);
            if (m_found.kinds.size() > mostKinds) return {};
            m_found.runs[domain].kind = last = kind;
        }
        return std::move(m_found);
    }

private:
    struct Extent {
        std::uint32_t devices = 0, links = 0, hosts = 0;
    };
    // One more of a domain's `count`. Whether it stands beside the one before.
    template <class Id>
    static bool take(Id at, Id& first, std::uint32_t& count) {
        if (count == 0) first = at;
        return at == first + count++;
    }
    bool findDevices() {
        const DeviceTable& devices = m_fabric.devices;
        for (const DeviceId d : devices.ids()) {
            const auto domain = devices.hbDomain[d];
            if (domain == none && devices.isGpu(d)) return false;
            if (domain != none && !take(d, m_found.runs[domain].device, m_extents[domain].devices)) return false;
        }
        return true;
    }
    bool findLinks() {
        const LinkTable& links = m_fabric.links;
        const auto& domainOf = m_fabric.devices.hbDomain;
        for (LinkId l(0); l < links.size();) {
            if (m_fabric.isNetworkLink(l)) {
                ++l;
                continue;
            }
            const auto domain = domainOf[links.a[l]];
            const LinkId first = l;
            if (domain == none || m_extents[domain].links > 0) return false;
            const DeviceId device = m_found.runs[domain].device;
            const auto count = m_extents[domain].devices;
            const auto isInside = [&](std::uint32_t end) { return end - device < count; }; // below it wraps around
            while (l < links.size() && !m_fabric.isNetworkLink(l) && isInside(links.a[l]) && isInside(links.b[l])) ++l;
            if (l == first) return false;
            m_found.runs[domain].link = first;
            m_extents[domain].links = l - first;
        }
        return true;
    }
    bool findHosts() {
        for (std::uint32_t h = 0; h < m_hosts.size(); ++h) {
            const auto domain = m_fabric.devices.hbDomain[m_hosts[h].nic];
            if (domain != none && !take(h, m_found.runs[domain].host, m_extents[domain].hosts)) return false;
        }
        return true;
    }

    std::uint32_t kindOf(std::uint32_t domain, std::uint32_t last) const {
        const auto kinds = static_cast<std::uint32_t>(m_found.kinds.size());
        if (last < kinds && isSameClass(domain, m_found.kinds[last])) return last;
        for (std::uint32_t kind = 0; kind < kinds; ++kind)
            if (isSameClass(domain, m_found.kinds[kind])) return kind;
        return kinds;
    }
    bool isSameClass(std::uint32_t domain, const DomainKind& kind) const {
        const Extent& extent = m_extents[domain];
        const DomainRun &own = m_found.runs[domain], &other = kind.first;
        if (extent.devices != kind.devices || extent.links != kind.links || extent.hosts != kind.hosts) return false;
        const LinkTable& links = m_fabric.links;
        const auto isSame = [](const auto& column, std::uint32_t a, std::uint32_t b, std::uint32_t count) {
            return std::equal(column.begin() + a, column.begin() + a + count, column.begin() + b);
        };
        if (!isSame(m_fabric.devices.kind, own.device, other.device, extent.devices) ||
            !isSame(links.tier, own.link, other.link, extent.links) || !isSame(links.speed, own.link, other.link, extent.links))
            return false;
        const auto shift = own.device - other.device;
        if (!isShifted(links.a, own.link, other.link, extent.links, shift) ||
            !isShifted(links.b, own.link, other.link, extent.links, shift))
            return false;
        const auto first = m_hosts.begin() + own.host;
        return std::equal(first, first + extent.hosts, m_hosts.begin() + other.host, [&](const auto& here, const auto& there) {
            return here.nic == there.nic + shift && here.capacity == there.capacity && m_network[here.node] == m_network[there.node];
        });
    }
    // All differences are gathered before the one question.
    static bool isShifted(const LinkTable::Of<DeviceId>& column, std::uint32_t a, std::uint32_t b, std::uint32_t count,
                          std::uint32_t shift) {
        std::uint32_t differences = 0;
        for (std::uint32_t i = 0; i < count; ++i) differences |= column[a + i] - column[b + i] - shift;
        return differences == 0;
    }
    void addKind(std::uint32_t domain) {
        const Extent& extent = m_extents[domain];
        const auto first = m_fabric.devices.kind.begin() + m_found.runs[domain].device;
        const auto gpus = static_cast<std::uint32_t>(std::count(first, first + extent.devices, DeviceKind::Gpu));
        DomainKind kind{m_found.runs[domain], extent.devices, extent.links, extent.hosts, gpus};
        if (!m_found.kinds.empty()) {
            const DomainKind& last = m_found.kinds.back();
            kind.insideDevice = last.insideDevice + last.devices;
            kind.insideLink = last.insideLink + last.links;
        }
        m_found.kinds.push_back(kind);
    }

    const Fabric& m_fabric;
    const std::vector<SwitchGraph::Host>& m_hosts;
    const By<NodeId, std::uint32_t>& m_network;
    std::vector<Extent> m_extents;
    DomainClasses m_found;
};

} // namespace

std::optional<DomainClasses> domainClassesOf(const Fabric& fabric, const SwitchGraph& graph) { return ClassSearch(fabric, graph).result(); }

Fabric insidesOf(const Fabric& fabric, const DomainClasses& classes) {
    Fabric insides;
    insides.speeds = fabric.speeds;
    for (std::uint32_t k = 0; k < classes.kinds.size(); ++k) {
        const DomainKind& kind = classes.kinds[k];
        insides.hbDomains.push_back(fabric.hbDomains[fabric.devices.hbDomain[kind.first.device]]);
        insides.devices.resize(kind.insideDevice + kind.devices);
        for (std::uint32_t d = 0; d < kind.devices; ++d) {
            insides.devices.kind[kind.insideDevice + d] = fabric.devices.kind[kind.first.device + d];
            insides.devices.hbDomain[kind.insideDevice + d] = DomainId(k);
        }
        const auto shift = kind.insideDevice - kind.first.device;
        for (std::uint32_t l = kind.first.link; l < kind.first.link + kind.links; ++l)
            insides.links.append(DeviceId(fabric.links.a[l] + shift), fabric.links.aPort[l], DeviceId(fabric.links.b[l] + shift),
                                 fabric.links.bPort[l], fabric.links.tier[l], fabric.links.speed[l]);
    }
    return insides;
}

} // namespace railyard
