#include "core/routing/switches/buffer_cycle.h"

#include "core/routing/switches/node_loads.h"

#include <algorithm>
#include <map>

namespace railyard {
namespace {

constexpr double mostWork = 2e8; // destinations * links

// A direction of an edge: a buffer at its far end.
struct Channel {
    std::uint32_t edge = 0;
    bool isUp = false;
    std::size_t index() const { return 2 * std::size_t{edge} + (isUp ? 1 : 0); }
};

class Detours {
public:
    explicit Detours(const SwitchGraph& graph)
        : m_graph(graph),
          m_below(graph.device.size()),
          m_isLeaf(graph.device.size()),
          m_turns(graph.edges.size()) {
        for (std::uint32_t e = 0; e < graph.edges.size(); ++e) m_below[graph.edges[e].upper].push_back(e);
        for (const SwitchGraph::Host& host : graph.hosts) m_isLeaf[host.node] = true;
    }

    DetourTurns find() {
        DetourTurns found;
        std::map<NodeId, std::vector<NodeId>> sources; // by target
        for (const auto& [from, to] : pairsWithoutPath()) {
            if (from == to) continue;
            if (found.pairs++ == 0) found.from = from, found.to = to;
            sources[to].push_back(from);
        }
        double work = 0;
        for (const auto& [target, from] : sources) {
            if ((work += static_cast<double>(m_graph.edges.size())) > mostWork) {
                found.isComplete = false;
                break;
            }
            takeTurns(from, target);
        }
        found.cycle = cycle();
        return found;
    }

private:
    std::vector<std::pair<NodeId, NodeId>> pairsWithoutPath() const {
        NodeDemands demands;
        demands.products.resize(m_graph.networks);
        for (const NodeId node : m_graph.nodes())
            if (m_isLeaf[node]) demands.products[m_graph.network[node]].from.push_back({node, 1});
        for (ProductDemand& each : demands.products) each.to = each.from;
        return loadsBetweenNodes(m_graph, demands, Division::PerLink).unreachable;
    }

    template <class Use>
    void eachNeighbour(NodeId node, Use use) const {
        for (const SwitchGraph::Edge& edge : m_graph.edgesAbove(node)) use(edge.upper);
        for (const std::uint32_t e : m_below[node]) use(m_graph.edges[e].lower);
    }

    // Of the shortest paths, whichever way they go: the turns from down to up.
    void takeTurns(const std::vector<NodeId>& from, NodeId target) {
        By<NodeId, std::uint32_t> hops(m_graph.device.size(), none);
        std::vector<NodeId> order{target};
        hops[target] = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
            eachNeighbour(order[i], [&](NodeId next) {
                if (hops[next] != none) return;
                hops[next] = hops[order[i]] + 1;
                order.push_back(next);
            });
        By<NodeId, bool> isUsed(m_graph.device.size()); // by one of the paths
        for (const NodeId source : from) isUsed[source] = true;
        for (auto node = order.rbegin(); node != order.rend(); ++node) {
            if (!isUsed[*node]) continue;
            eachNeighbour(*node, [&](NodeId next) {
                if (hops[next] + 1 == hops[*node]) isUsed[next] = true;
            });
        }
        for (const NodeId node : order) {
            const std::uint32_t first = m_graph.firstEdge[node], end = m_graph.firstEdge[std::size_t{node} + 1];
            for (std::uint32_t in = first; in < end; ++in) {
                const NodeId before = m_graph.edges[in].upper;
                if (hops[before] != hops[node] + 1 || !isUsed[before] || !isUsed[node]) continue;
                m_turns[in].resize(end - first);
                for (std::uint32_t out = first; out < end; ++out)
                    if (hops[m_graph.edges[out].upper] + 1 == hops[node]) m_turns[in][out - first] = true;
            }
        }
    }

    std::vector<Channel> after(Channel channel) const {
        std::vector<Channel> next;
        const SwitchGraph::Edge& edge = m_graph.edges[channel.edge];
        const NodeId node = channel.isUp ? edge.upper : edge.lower;
        for (const std::uint32_t e : m_below[node])
            if (e != channel.edge) next.push_back({e, false});
        const std::vector<bool>& turns = m_turns[channel.edge];
        const std::uint32_t first = m_graph.firstEdge[node];
        for (std::uint32_t e = first; e < m_graph.firstEdge[std::size_t{node} + 1]; ++e)
            if (channel.isUp || (!turns.empty() && turns[e - first])) next.push_back({e, true});
        return next;
    }

    // Depth first from every turn: each circle has one.
    std::vector<NodeId> cycle() const {
        enum class State : std::uint8_t { New, Open, Done };
        std::vector<State> state(2 * m_graph.edges.size(), State::New);
        struct Step {
            Channel channel;
            std::vector<Channel> next;
        };
        std::vector<Step> path;
        const auto open = [&](Channel channel) {
            state[channel.index()] = State::Open;
            path.push_back({channel, after(channel)});
        };
        for (std::uint32_t start = 0; start < m_turns.size(); ++start) {
            if (m_turns[start].empty() || state[Channel{start, false}.index()] != State::New) continue;
            open({start, false});
            while (!path.empty()) {
                if (path.back().next.empty()) {
                    state[path.back().channel.index()] = State::Done;
                    path.pop_back();
                    continue;
                }
                const Channel next = path.back().next.back();
                path.back().next.pop_back();
                if (state[next.index()] == State::New)
                    open(next);
                else if (state[next.index()] == State::Open)
                    return switchesOf(path, next);
            }
        }
        return {};
    }
    template <class Steps>
    std::vector<NodeId> switchesOf(const Steps& path, Channel first) const {
        std::vector<NodeId> switches;
        auto step = std::find_if(path.begin(), path.end(), [&](const auto& each) { return each.channel.index() == first.index(); });
        for (; step != path.end(); ++step) {
            const SwitchGraph::Edge& edge = m_graph.edges[step->channel.edge];
            switches.push_back(step->channel.isUp ? edge.upper : edge.lower);
        }
        return switches;
    }

    const SwitchGraph& m_graph;
    By<NodeId, std::vector<std::uint32_t>> m_below;
    By<NodeId, bool> m_isLeaf;
    std::vector<std::vector<bool>> m_turns; // by edge that leads down, then by edge above its lower switch: whether a path turns there
};

} // namespace

DetourTurns detourTurnsOf(const SwitchGraph& graph) {
    if (graph.regular || graph.hosts.empty()) return {};
    return Detours(graph).find();
}

} // namespace railyard
