#include "core/collective/communicator/hb_speeds.h"

#include "core/collective/communicator/hb_rings.h"
#include "core/routing/gpus/domain_classes.h"
#include "core/routing/gpus/hb_loads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace railyard {
namespace {

// bit/s of all rings side by side. A complete graph of n falls apart into n - 1 rings (Tillson 1980; of 4 and 6 into twice as
// many of half the width), so all its links are of use.
double ringsOf(const std::vector<std::vector<std::int64_t>>& speeds) {
    const std::size_t n = speeds.size();
    if (n < 2) return 0;
    if (isComplete(speeds)) return static_cast<double>(speeds[0][1]) * static_cast<double>(n - 1);
    const LinkUnits units = linkUnitsOf(speeds);
    return units.speed == 0 ? 0 : static_cast<double>(units.speed) * ringsSideBySide(units.links);
}

struct Domains {
    std::map<DomainId, std::vector<DeviceId>> members; // by HB domain, in the order of ranks
    std::vector<bool> isMesh;
};

class MeshSpeeds {
public:
    MeshSpeeds(const Fabric& fabric, const SwitchGraph& graph, const Domains& domains)
        : m_fabric(fabric),
          m_domains(domains),
          m_ports(gpuPortsOf(fabric, graph)) {}

    // The most that any link of a domain carries where members send so, for each unit that a GPU sends, in s a bit; infinite
    // where some cannot reach each other.
    template <class Send>
    double worst(const Send& send) const {
        HbLoadTotals sums(m_fabric, m_ports);
        for (const auto& [domain, members] : m_domains.members) {
            if (!m_domains.isMesh[domain]) continue;
            for (std::size_t i = 0; i < members.size(); ++i)
                for (std::size_t j = 0; j < members.size(); ++j) {
                    const double volume = i == j ? 0 : send(i, j, members.size());
                    if (volume == 0) continue;
                    if (!sums.isJoined(members[i], members[j])) return std::numeric_limits<double>::infinity();
                    sums.add(members[i], members[j], volume);
                }
        }
        std::vector<double> forth(m_fabric.links.size()), back(m_fabric.links.size());
        sums.writeTo(forth, back);
        double most = 0;
        for (const LinkId l : indices<LinkId>(forth.size()))
            if (m_fabric.links.tier[l] == LinkTier::Hb) most = std::max(most, std::max(forth[l], back[l]) / m_fabric.speedOf(l).value());
        return most;
    }
    // One root of each kind: members with links of the same speed to the same switches, and to nothing else, stand for one another.
    std::vector<std::size_t> differentRoots(std::size_t largest) const {
        std::map<DeviceId, std::vector<std::pair<DeviceId, double>>> neighbours;
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_fabric.links.tier[l] != LinkTier::Hb) continue;
            const DeviceId a = m_fabric.links.a[l], b = m_fabric.links.b[l];
            const double speed = m_fabric.speedOf(l).value();
            if (m_fabric.devices.isGpu(a)) neighbours[a].emplace_back(b, speed);
            if (m_fabric.devices.isGpu(b)) neighbours[b].emplace_back(a, speed);
        }
        std::set<std::vector<std::pair<DeviceId, double>>> seen;
        std::vector<std::size_t> roots;
        for (std::size_t root = 0; root < largest; ++root) {
            std::vector<std::pair<DeviceId, double>> own; // in all domains
            bool isMesh = false;
            for (const auto& [domain, members] : m_domains.members) {
                if (!m_domains.isMesh[domain]) continue;
                auto& links = neighbours[members[root % members.size()]];
                std::sort(links.begin(), links.end());
                own.insert(own.end(), links.begin(), links.end());
                for (const auto& [device, speed] : links) isMesh = isMesh || m_fabric.devices.isGpu(device);
            }
            if (isMesh || seen.insert(own).second) roots.push_back(root);
        }
        return roots;
    }
    // Of the domain with the least.
    double rings() const {
        std::map<DeviceId, std::pair<DomainId, std::size_t>> place; // of a GPU: domain, index among its members
        std::map<DomainId, std::vector<std::vector<std::int64_t>>> speeds;
        for (const auto& [domain, members] : m_domains.members) {
            if (!m_domains.isMesh[domain] || members.size() < 2) continue;
            for (std::size_t i = 0; i < members.size(); ++i) place[members[i]] = {domain, i};
            speeds[domain].assign(members.size(), std::vector<std::int64_t>(members.size()));
        }
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_fabric.links.tier[l] != LinkTier::Hb) continue;
            const auto a = place.find(m_fabric.links.a[l]), b = place.find(m_fabric.links.b[l]);
            if (a == place.end() || b == place.end() || a->second.first != b->second.first) continue;
            auto& of = speeds[a->second.first];
            const auto speed = std::llround(m_fabric.speedOf(l).value());
            of[a->second.second][b->second.second] += speed;
            of[b->second.second][a->second.second] += speed;
        }
        std::map<std::vector<std::vector<std::int64_t>>, double> known; // most domains are alike
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [domain, of] : speeds) {
            const auto [found, isNew] = known.try_emplace(of, 0);
            if (isNew) found->second = ringsOf(of);
            least = std::min(least, found->second);
        }
        return least;
    }

private:
    const Fabric& m_fabric;
    const Domains& m_domains;
    const GpuPorts m_ports;
};

// The same members in one domain of every class: all domains of a class have the same speeds. Empty if two domains of a class have
// different members, or if the domains fall into no classes.
std::optional<Domains> oneOfEveryClass(const Domains& domains, const DomainClasses& classes) {
    Domains few;
    few.isMesh.resize(classes.kinds.size());
    for (const auto& [domain, members] : domains.members) {
        const DomainRun& run = classes.runs[domain];
        if (run.kind == none) return {};
        std::vector<DeviceId> own;
        for (const DeviceId gpu : members) own.push_back(DeviceId(classes.kinds[run.kind].insideDevice + (gpu - run.device)));
        const auto [known, isNew] = few.members.try_emplace(DomainId(run.kind), own);
        if (!isNew && known->second != own) return {};
        few.isMesh[run.kind] = domains.isMesh[domain];
    }
    return few;
}

void lowerTo(const MeshSpeeds& meshes, std::size_t largest, HbBandwidths& speeds) {
    const auto lower = [](Bandwidth& speed, double value) { speed = Bandwidth(std::min(speed.value(), value)); };
    const double others = static_cast<double>(largest - 1);
    lower(speeds.exchange, others / meshes.worst([](std::size_t, std::size_t, std::size_t) { return 1.0; }));
    const double next = 1 / meshes.worst([](std::size_t i, std::size_t j, std::size_t n) { return j == (i + 1) % n ? 1.0 : 0.0; });
    lower(speeds.neighbour, next);
    lower(speeds.ring, std::max(meshes.rings(), next));
    for (const std::size_t root : meshes.differentRoots(largest))
        lower(speeds.root, others / meshes.worst([root](std::size_t i, std::size_t, std::size_t n) { return i == root % n ? 1.0 : 0.0; }));
}

} // namespace

HbBandwidths hbBandwidthsOf(const Fabric& fabric, const SwitchGraph& graph, const FabricIndex& index, const std::vector<DeviceId>& gpus) {
    Domains domains{{}, index.isMesh};
    double least = std::numeric_limits<double>::infinity();
    bool hasMesh = false;
    for (const DeviceId gpu : gpus) {
        least = std::min(least, index.hb[gpu]);
        const auto domain = fabric.devices.hbDomain[gpu];
        if (domain == none || !domains.isMesh[domain]) continue;
        domains.members[domain].push_back(gpu);
        hasMesh = true;
    }
    HbBandwidths speeds{Bandwidth(least), Bandwidth(least), Bandwidth(least), Bandwidth(least), Bandwidth(least)};
    std::size_t largest = 0;
    for (const auto& [domain, members] : domains.members)
        if (domains.isMesh[domain]) largest = std::max(largest, members.size());
    if (!hasMesh || largest < 2) return speeds;
    const auto classes = domainClassesOf(fabric, graph);
    const auto few = classes ? oneOfEveryClass(domains, *classes) : std::nullopt;
    if (few) {
        const Fabric insides = insidesOf(fabric, *classes);
        lowerTo(MeshSpeeds(insides, trafficGraphOf(insides), *few), largest, speeds);
    } else {
        lowerTo(MeshSpeeds(fabric, graph, domains), largest, speeds);
    }
    return speeds;
}

} // namespace railyard
