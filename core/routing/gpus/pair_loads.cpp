#include "core/routing/gpus/pair_loads.h"

#include <algorithm>
#include <utility>

namespace railyard {
namespace {

class PairCount {
public:
    PairCount(const SwitchGraph& graph, const GpuPorts& ports) : m_graph(graph), m_ports(ports) {
        for (const NicPort& port : ports.ports) m_domains = std::max<std::size_t>(m_domains, port.domain + 1);
        m_loads.portUp.resize(ports.ports.size());
        m_loads.portDown.resize(ports.ports.size());
    }

    PairLoads loadsOf(const std::vector<PortProduct>& products, Division division, const Stages* stages) {
        NodeDemands nodes;
        for (const PortProduct& product : products) addProduct(product, nodes);
        m_loads.between = stages ? loadsBetweenNodes(m_graph, nodes, division, stages) : loadsBetweenNodes(m_graph, nodes, division);
        takeBack(products, m_loads.between);
        return std::move(m_loads);
    }

private:
    // One side of a product: weights summed, by switch and by HB domain. Products can be many and small: what is as long as
    // the fabric is made once, and cleared where it was touched.
    struct Side {
        double all = 0;
        std::vector<NodeWeight> ofNode;     // sorted by node
        std::vector<double> ofDomain;       // by domain; 0 where none
        std::vector<double> onNode;         // while they are summed
        std::vector<std::uint32_t> domains; // those that are not 0, sorted
        std::vector<PortWeight> byDomain;   // the weights, those of a domain beside one another
    };
    void take(const std::vector<PortWeight>& weights, Side& side) const {
        const auto domainOf = [&](const PortWeight& each) { return m_ports.ports[each.port].domain; };
        for (const auto domain : side.domains) side.ofDomain[domain] = 0;
        side.ofDomain.resize(m_domains);
        side.all = 0;
        side.domains.clear();
        side.ofNode.clear();
        side.byDomain = weights;
        const auto isBefore = [&](const PortWeight& a, const PortWeight& b) { return domainOf(a) < domainOf(b); };
        if (!std::is_sorted(side.byDomain.begin(), side.byDomain.end(), isBefore))
            std::stable_sort(side.byDomain.begin(), side.byDomain.end(), isBefore);
        side.onNode.resize(m_graph.device.size());
        for (const PortWeight& each : side.byDomain) {
            if (side.domains.empty() || side.domains.back() != domainOf(each)) side.domains.push_back(domainOf(each));
            side.all += each.weight;
            side.ofDomain[domainOf(each)] += each.weight;
            const NodeId node = m_ports.ports[each.port].node;
            if (side.onNode[node] == 0) side.ofNode.push_back({node, 0});
            side.onNode[node] += each.weight;
        }
        std::sort(side.ofNode.begin(), side.ofNode.end(), [](const NodeWeight& a, const NodeWeight& b) { return a.node < b.node; });
        for (NodeWeight& each : side.ofNode) each.weight = std::exchange(side.onNode[each.node], 0);
    }

    void addProduct(const PortProduct& product, NodeDemands& nodes) {
        take(product.from, m_from);
        take(product.to, m_to);
        for (const PortWeight& each : product.from) send(product, each, m_to.all - m_to.ofDomain[m_ports.ports[each.port].domain]);
        for (const PortWeight& each : product.to)
            m_loads.portDown[each.port] += each.weight * (m_from.all - m_from.ofDomain[m_ports.ports[each.port].domain]);
        nodes.products.push_back({m_from.ofNode, m_to.ofNode});
        m_loads.served += m_from.all * m_to.all;
        for (const auto domain : m_from.domains) m_loads.served -= m_from.ofDomain[domain] * m_to.ofDomain[domain];
        takeBackInside(nodes);
    }
    void send(const PortProduct& product, const PortWeight& from, double units) {
        m_loads.portUp[from.port] += from.weight * units;
        if (from.own < from.weight) m_loads.forwarded.push_back({from.port, product.rail, (from.weight - from.own) * units});
    }
    using Place = std::vector<std::pair<NodeId, double>>; // switches and weights
    static void mergeEqual(Place& place) {
        std::stable_sort(place.begin(), place.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::size_t last = 0;
        for (std::size_t i = 1; i < place.size(); ++i)
            if (place[i].first == place[last].first)
                place[last].second += place[i].second;
            else
                place[++last] = place[i];
        place.resize(std::min(place.size(), last + 1));
    }
    // GPUs of one domain do not use the network between them. Domains on the same switches are many: counted once.
    void takeBackInside(NodeDemands& nodes) const {
        std::map<std::pair<Place, Place>, double> byPlaces;
        auto from = m_from.byDomain.begin(), to = m_to.byDomain.begin();
        const auto placeOf = [&](std::uint32_t domain, auto& at, const auto end) {
            Place place;
            while (at != end && m_ports.ports[at->port].domain < domain) ++at;
            for (; at != end && m_ports.ports[at->port].domain == domain; ++at)
                place.emplace_back(m_ports.ports[at->port].node, at->weight);
            mergeEqual(place);
            return place;
        };
        for (const auto domain : m_from.domains) {
            Place here = placeOf(domain, from, m_from.byDomain.end()), there = placeOf(domain, to, m_to.byDomain.end());
            if (!there.empty()) byPlaces[{std::move(here), std::move(there)}] += 1;
        }
        for (const auto& [places, count] : byPlaces)
            for (const auto& [a, sent] : places.first)
                for (const auto& [b, taken] : places.second) nodes.pairs.push_back({a, b, -count * sent * taken});
    }

    // Of one side of a product, by switch: its weights, and those of each HB domain.
    struct OnNode {
        double all = 0;
        std::map<std::uint32_t, double> ofDomain;
        std::vector<PortWeight> ports;
    };
    std::map<std::uint32_t, OnNode> byNode(const std::vector<PortWeight>& weights) const {
        std::map<std::uint32_t, OnNode> nodes;
        for (const PortWeight& each : weights) {
            OnNode& node = nodes[m_ports.ports[each.port].node];
            node.all += each.weight;
            node.ofDomain[m_ports.ports[each.port].domain] += each.weight;
            node.ports.push_back(each);
        }
        for (auto& [v, node] : nodes) { // a port stands there once for every GPU that it serves
            std::sort(node.ports.begin(), node.ports.end(), [](const PortWeight& x, const PortWeight& y) { return x.port < y.port; });
            std::size_t last = 0;
            for (std::size_t i = 1; i < node.ports.size(); ++i)
                if (node.ports[i].port == node.ports[last].port) {
                    node.ports[last].weight += node.ports[i].weight;
                    node.ports[last].own += node.ports[i].own;
                } else
                    node.ports[++last] = node.ports[i];
            node.ports.resize(last + 1);
        }
        return nodes;
    }
    double elsewhere(const OnNode& node, std::uint32_t port) const { // of other HB domains
        const auto own = node.ofDomain.find(m_ports.ports[port].domain);
        return node.all - (own == node.ofDomain.end() ? 0 : own->second);
    }
    // What ports of switches that nothing joins would have sent each other is in no load.
    void takeBack(const std::vector<PortProduct>& products, const NodeLoads& between) {
        for (std::size_t i = 0; !between.unreachable.empty() && i < products.size(); ++i) {
            const auto senders = byNode(products[i].from), receivers = byNode(products[i].to);
            for (const auto& [from, to] : between.unreachable) {
                const auto here = senders.find(from), there = receivers.find(to);
                if (here == senders.end() || there == receivers.end()) continue;
                double lost = 0;
                for (const PortWeight& a : here->second.ports) {
                    send(products[i], a, -elsewhere(there->second, a.port));
                    lost += a.weight * elsewhere(there->second, a.port);
                }
                for (const PortWeight& b : there->second.ports) {
                    m_loads.portDown[b.port] -= b.weight * elsewhere(here->second, b.port);
                    m_loads.lostAt[{products[i].kind, b.port}] += elsewhere(here->second, b.port);
                }
                m_loads.served -= lost;
                if (lost > 0 && !m_loads.disconnected) m_loads.disconnected = std::pair(from, to);
            }
        }
    }

    const SwitchGraph& m_graph;
    const GpuPorts& m_ports;
    std::size_t m_domains = 0;
    Side m_from, m_to;
    PairLoads m_loads;
};

} // namespace

PairLoads loadsOfPairs(const SwitchGraph& graph, const GpuPorts& ports, bool isForwarded, Division division, const Stages* stages) {
    return loadsOfProducts(graph, ports, allToAllProducts(ports, isForwarded), division, stages);
}

PairLoads loadsOfProducts(const SwitchGraph& graph, const GpuPorts& ports, const std::vector<PortProduct>& products, Division division,
                          const Stages* stages) {
    return PairCount(graph, ports).loadsOf(products, division, stages);
}

} // namespace railyard
