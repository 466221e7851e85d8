#include "core/routing/gpus/regular_loads.h"

#include "core/routing/gpus/domain_classes.h"
#include "core/routing/gpus/hb_loads.h"
#include "core/routing/switches/ecmp.h"
#include "core/routing/switches/traffic.h"

#include <algorithm>
#include <map>

namespace railyard {
namespace {

// Every switch leads up to the next tier only, leaves to spines to superspines to core switches.
bool isRegularInTiers(const SwitchGraph& graph) {
    const auto isPlain = [&](const SwitchGraph::Group& group) {
        const auto rank = [&](NodeId node) { return static_cast<int>(graph.tier[node]); };
        return leadsUpInTiers(graph, group) && rank(group.uppers.front()) == rank(group.lowers.front()) + 1;
    };
    return std::all_of(graph.groups.begin(), graph.groups.end(), isPlain) && leadsUpEvenly(graph);
}

// Below four tiers of switches: the pods that superspines join, by the groups of both. Pods of a block share all their superspines, and
// lead as much of their traffic to each.
struct Blocks {
    std::vector<std::uint32_t> ofCommunicator; // by group of leaves and spines, or of spines and superspines; none elsewhere
    std::vector<double> share;                 // by group of spines and superspines: of what leaves a pod
};

// Empty if pods share some of their superspines only.
std::optional<Blocks> blocksOf(const SwitchGraph& graph) {
    Blocks blocks{std::vector<std::uint32_t>(graph.groups.size(), none), std::vector<double>(graph.groups.size())};
    std::vector<std::map<std::uint32_t, double>> ofBlock(graph.groups.size()); // spines of a pod by the group above them
    for (std::uint32_t g = 0; g < graph.groups.size(); ++g) {
        if (graph.groups[g].tier != LinkTier::LeafSpine) continue;
        std::map<std::uint32_t, double> above;
        for (const NodeId spine : graph.groups[g].uppers)
            if (graph.groupAbove[spine] != none) above[graph.groupAbove[spine]] += 1;
        if (above.empty()) continue;
        for (auto& [group, spines] : above) spines /= static_cast<double>(graph.groups[g].uppers.size());
        const auto block = above.begin()->first;
        if (!ofBlock[block].empty() && ofBlock[block] != above) return {};
        for (const auto& [group, share] : above) {
            if (blocks.ofCommunicator[group] != none && blocks.ofCommunicator[group] != block) return {};
            blocks.ofCommunicator[group] = block;
            blocks.share[group] = share;
        }
        blocks.ofCommunicator[g] = block;
        ofBlock[block] = std::move(above);
    }
    return blocks;
}

using Weight = std::pair<std::uint32_t, double>; // of a switch, a set of them or a network
double& weightOf(std::vector<Weight>& weights, std::uint32_t of) {
    const auto found = std::find_if(weights.begin(), weights.end(), [&](const Weight& each) { return each.first == of; });
    return found == weights.end() ? weights.emplace_back(of, 0).second : found->second;
}

// What the domains weigh on switches or sets of switches, and what each takes with it: units of one domain send each other
// nothing over the network.
struct Leaving {
    std::vector<double> weight, inside; // by set
};

class RegularCount {
public:
    RegularCount(const Fabric& fabric, const SwitchGraph& graph, DomainClasses classes, Blocks blocks)
        : m_fabric(fabric),
          m_graph(graph),
          m_blocks(std::move(blocks)),
          m_classes(std::move(classes)),
          m_insides(insidesOf(fabric, m_classes)),
          m_ports(gpuPortsOf(m_insides, trafficGraphOf(m_insides))),
          m_users(m_classes.kinds.size()) {
        for (const DomainRun& run : m_classes.runs)
            if (run.kind != none) m_gpus += m_classes.kinds[run.kind].gpus;
        for (std::size_t k = 0; k < m_users.size(); ++k)
            for (std::uint32_t h = 0; h < m_classes.kinds[k].hosts; ++h) m_users[k].push_back(usersOf(m_classes.kinds[k], h));
    }

    // Every GPU has ports to the same networks, as many to each, and reaches the others of its domain.
    bool areGpusEqual() {
        for (std::uint32_t k = 0; k < m_classes.kinds.size(); ++k)
            for (const DeviceId gpu : m_ports.gpusOfDomain.list(k)) {
                if (m_ports.unitOf[gpu] != m_ports.unitOf[m_ports.gpusOfDomain.list(k).front()]) return false;
                std::vector<std::uint32_t> own = networksOf(m_classes.kinds[k], gpu);
                if (m_networks.empty()) m_networks = own;
                if (own.empty() || own != m_networks) return false;
            }
        return m_gpus > 1;
    }

    LinkLoads loads(Division division) {
        LinkLoads loads;
        loads.aToB.resize(m_fabric.links.size());
        loads.bToA.resize(m_fabric.links.size());
        writeBetweenSwitches(division, loads);
        writeDomains(loads);
        return loads;
    }

private:
    using Users = std::span<const DeviceId>;
    Users gpusOf(const DomainKind& kind, std::uint32_t h) const { // that feed its NIC, in the insides
        return m_ports.gpusOfNic.list(DeviceId(m_graph.hosts[kind.first.host + h].nic - kind.first.device + kind.insideDevice));
    }
    double usersOf(const DomainKind& kind, std::uint32_t h) const { return static_cast<double>(gpusOf(kind, h).size()); }
    std::vector<std::uint32_t> networksOf(const DomainKind& kind, DeviceId gpu) const {
        std::vector<std::uint32_t> networks;
        for (std::uint32_t h = 0; h < kind.hosts; ++h) {
            const Users users = gpusOf(kind, h);
            networks.insert(networks.end(), static_cast<std::size_t>(std::count(users.begin(), users.end(), gpu)),
                            m_graph.network[m_graph.hosts[kind.first.host + h].node]);
        }
        std::sort(networks.begin(), networks.end());
        return networks;
    }
    double perGpu() const { return 1 / (m_gpus - 1); }

    // Domains of one kind on the same switches, which as a rule follow one another.
    struct Place {
        std::uint32_t kind = 0;
        std::vector<NodeId> nodes; // by host
        double domains = 0;
    };
    std::vector<Place> placesOfDomains() const {
        std::vector<Place> places;
        for (const DomainRun& run : m_classes.runs) {
            if (run.kind == none) continue;
            const auto first = m_graph.hosts.begin() + run.host, end = first + m_classes.kinds[run.kind].hosts;
            const auto isThere = [](NodeId node, const SwitchGraph::Host& host) { return node == host.node; };
            if (places.empty() || places.back().kind != run.kind ||
                !std::equal(places.back().nodes.begin(), places.back().nodes.end(), first, isThere)) {
                places.push_back({run.kind, {}, 0});
                std::transform(first, end, std::back_inserter(places.back().nodes), [](const auto& host) { return host.node; });
            }
            ++places.back().domains;
        }
        return places;
    }
    // A leaf's set is itself, a pod's its group of leaves and spines.
    Leaving leaving(const std::vector<Place>& places, const std::vector<std::uint32_t>& setOf) const {
        Leaving result{std::vector<double>(m_graph.device.size()), std::vector<double>(m_graph.device.size())};
        for (const Place& place : places) {
            std::vector<Weight> ofSet, ofNetwork;
            for (std::size_t h = 0; h < place.nodes.size(); ++h) {
                weightOf(ofNetwork, m_graph.network[place.nodes[h]]) += m_users[place.kind][h];
                weightOf(ofSet, setOf[place.nodes[h]]) += m_users[place.kind][h];
            }
            for (const NodeId node : place.nodes) {
                if (setOf[node] == none) continue;
                double& own = weightOf(ofSet, setOf[node]);
                result.weight[setOf[node]] += place.domains * own;
                result.inside[setOf[node]] += place.domains * own * (weightOf(ofNetwork, m_graph.network[node]) - own);
                own = 0; // once
            }
        }
        return result;
    }
    // What every set sends the rest of its network, and gets from it.
    std::vector<double> volumeLeaving(const std::vector<Place>& places, const std::vector<std::uint32_t>& setOf,
                                      const std::vector<double>& ofNetwork) const {
        const Leaving sets = leaving(places, setOf);
        std::vector<double> volume(sets.weight.size());
        for (NodeId v(0); v < setOf.size(); ++v) {
            const auto set = setOf[v], network = m_graph.network[v];
            if (set == none || volume[set] != 0) continue;
            const auto ends = static_cast<double>(std::count(m_networks.begin(), m_networks.end(), network));
            const double units = sets.weight[set] * (ofNetwork[network] - sets.weight[set]) - sets.inside[set];
            if (units > 0) volume[set] = units / (ends * static_cast<double>(m_networks.size())) * perGpu();
        }
        return volume;
    }
    // Of every switch what it sends up, and gets from there.
    std::vector<double> volumeUp() const {
        std::vector<std::uint32_t> leaf(m_graph.device.size(), none), pod(leaf), block(leaf);
        std::vector<double> ofNetwork(m_graph.networks);
        for (NodeId v(0); v < leaf.size(); ++v)
            if (m_graph.tier[v] == SwitchTier::Leaf) {
                leaf[v] = v;
                pod[v] = m_graph.groupAbove[v];
                block[v] = pod[v] == none ? none : m_blocks.ofCommunicator[pod[v]];
            }
        const std::vector<Place> places = placesOfDomains();
        for (const Place& place : places)
            for (std::size_t h = 0; h < place.nodes.size(); ++h)
                ofNetwork[m_graph.network[place.nodes[h]]] += place.domains * m_users[place.kind][h];
        std::vector<double> volume = volumeLeaving(places, leaf, ofNetwork);
        const std::vector<double> ofPod = volumeLeaving(places, pod, ofNetwork), ofBlock = volumeLeaving(places, block, ofNetwork);
        for (NodeId v(0); v < leaf.size(); ++v) {
            const auto below = m_graph.groupBelow[v];
            if (below == none) continue;
            const SwitchGraph::Group& group = m_graph.groups[below];
            const double leaving = group.tier == LinkTier::LeafSpine ? ofPod[below]
                                   : group.tier == LinkTier::SpineSuperspine && m_blocks.ofCommunicator[below] != none
                                       ? ofBlock[m_blocks.ofCommunicator[below]] * m_blocks.share[below]
                                       : 0; // nothing leaves the top
            volume[v] = leaving / static_cast<double>(group.uppers.size());
        }
        return volume;
    }
    void writeBetweenSwitches(Division division, LinkLoads& loads) const {
        const LinkTable& links = m_fabric.links;
        const std::vector<double> volume = volumeUp();
        DeviceId device = none; // cables of a switch follow one another
        double each = 0, perBit = 0;
        for (const LinkId l : links.ids()) {
            if (!m_fabric.isNetworkLink(l) || !m_fabric.devices.routes(links.a[l])) continue;
            if (links.a[l] != device) {
                device = links.a[l];
                const auto found = std::lower_bound(m_graph.device.begin(), m_graph.device.end(), device);
                const NodeId v(found - m_graph.device.begin());
                each = volume[v] / (static_cast<double>(m_graph.edgesAbove(v).size()) * m_graph.edgesAbove(v).front().links);
                perBit = volume[v] / m_graph.uplink[v].value();
            }
            loads.aToB[l] = loads.bToA[l] = division == Division::PerLink ? each : perBit * m_fabric.speedOf(l).value();
        }
    }

    // Host links, and the links inside, counted for one domain of each kind.
    void writeDomains(LinkLoads& loads) const {
        HbLoadTotals hb(m_insides, m_ports);
        for (std::uint32_t k = 0; k < m_classes.kinds.size(); ++k) hb.addToAll(k, perGpu());
        std::vector<double> aToB(m_insides.links.size()), bToA(aToB);
        hb.writeTo(aToB, bToA);
        for (const DomainKind& kind : m_classes.kinds) {
            writePcie(kind, aToB);
            writePcie(kind, bToA);
            loads.ofGpu = std::max(loads.ofGpu, fastestIn(kind));
        }
        for (const DomainRun& run : m_classes.runs) {
            if (run.kind == none) continue;
            const DomainKind& kind = m_classes.kinds[run.kind];
            std::copy_n(aToB.begin() + kind.insideLink, kind.links, loads.aToB.begin() + run.link);
            std::copy_n(bToA.begin() + kind.insideLink, kind.links, loads.bToA.begin() + run.link);
            const double user = ofUser(kind);
            for (std::uint32_t h = 0; h < kind.hosts; ++h) {
                const LinkId link = m_graph.hosts[run.host + h].link;
                loads.aToB[link] = loads.bToA[link] = m_users[run.kind][h] * user;
            }
        }
    }
    // What a GPU sends through one of its ports.
    double ofUser(const DomainKind& kind) const { return (m_gpus - kind.gpus) / static_cast<double>(m_networks.size()) * perGpu(); }
    void writePcie(const DomainKind& kind, std::vector<double>& loads) const {
        std::vector<double> ports(m_insides.devices.size()); // of a NIC
        for (std::uint32_t h = 0; h < kind.hosts; ++h)
            ports[m_graph.hosts[kind.first.host + h].nic - kind.first.device + kind.insideDevice] += 1;
        for (std::uint32_t l = kind.insideLink; l < kind.insideLink + kind.links; ++l)
            if (m_insides.links.tier[l] == LinkTier::Pcie) loads[l] = ports[m_insides.links.b[l]] * ofUser(kind);
    }
    Bandwidth fastestIn(const DomainKind& kind) const {
        std::vector<double> bits(m_insides.devices.size()); // of a GPU
        for (std::uint32_t h = 0; h < kind.hosts; ++h)
            for (const DeviceId gpu : gpusOf(kind, h)) bits[gpu] += m_graph.hosts[kind.first.host + h].capacity.value() / usersOf(kind, h);
        return Bandwidth(bits.empty() ? 0 : *std::max_element(bits.begin(), bits.end()));
    }

    const Fabric& m_fabric;
    const SwitchGraph& m_graph;
    const Blocks m_blocks;
    const DomainClasses m_classes;
    const Fabric m_insides;
    const GpuPorts m_ports;                   // of the insides, where no port leads to a switch
    std::vector<std::vector<double>> m_users; // by kind and host: GPUs that feed it
    double m_gpus = 0;
    std::vector<std::uint32_t> m_networks; // of the ports of a GPU, sorted
};

} // namespace

std::optional<LinkLoads> regularAllToAll(const Fabric& fabric, const SwitchGraph& graph, Division division) {
    const bool onLeaves = std::all_of(graph.hosts.begin(), graph.hosts.end(),
                                      [&](const SwitchGraph::Host& host) { return graph.tier[host.node] == SwitchTier::Leaf; });
    if (!onLeaves || !isRegularInTiers(graph)) return {};
    auto classes = domainClassesOf(fabric, graph);
    auto blocks = blocksOf(graph);
    if (!classes || !blocks) return {};
    RegularCount count(fabric, graph, std::move(*classes), std::move(*blocks));
    if (!count.areGpusEqual()) return {};
    return count.loads(division);
}

} // namespace railyard
