#include "core/fabric/bgl.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/pending/disjoint_sets.hpp>
#pragma GCC diagnostic pop

namespace railyard {
namespace {
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                    boost::property<boost::edge_index_t, std::size_t>>;

// Where every lower switch is joined to every upper one and there are two of each, no loss of one divides them: such a group
// stands as one node that its switches hang on, so that few edges are left to look at.
bool isTight(const SwitchGraph& graph, std::uint32_t group) {
    const SwitchGraph::Group& of = graph.groups[group];
    return of.regular && of.lowers.size() > 1 && of.uppers.size() > 1;
}
void addTightGroups(const SwitchGraph& graph, Graph& g, std::size_t& index) {
    for (std::uint32_t group = 0; group < graph.groups.size(); ++group) {
        if (!isTight(graph, group)) continue;
        for (const auto& side : {graph.groups[group].lowers, graph.groups[group].uppers})
            for (const auto v : side) boost::add_edge(v, graph.device.size() + group, index++, g);
    }
}

// The tree of blocks (biconnected components) and the vertices that join them, with the weight below each.
class BlockTree {
public:
    BlockTree(const Graph& g, const std::vector<std::size_t>& blockOfEdge, std::size_t blocks, const std::vector<std::int64_t>& weight)
        : m_weight(weight),
          m_below(weight),
          m_blocksOf(weight.size()),
          m_verticesOf(blocks),
          m_blockBelow(blocks, 0),
          m_parentBlock(weight.size(), noBlock),
          m_parentVertex(blocks, 0),
          m_total(weight.size(), 0) {
        const auto indices = boost::get(boost::edge_index, g);
        for (auto [edge, end] = boost::edges(g); edge != end; ++edge)
            for (const std::size_t v : {boost::source(*edge, g), boost::target(*edge, g)}) {
                const std::size_t block = blockOfEdge[indices[*edge]];
                if (!m_blocksOf[v].empty() && m_blocksOf[v].back() == block) continue;
                m_blocksOf[v].push_back(block);
            }
        for (std::size_t v = 0; v < m_blocksOf.size(); ++v) {
            auto& own = m_blocksOf[v];
            std::sort(own.begin(), own.end());
            own.erase(std::unique(own.begin(), own.end()), own.end());
            for (const std::size_t block : own) m_verticesOf[block].push_back(v);
        }
        std::vector<bool> isReached(weight.size());
        for (std::size_t v = 0; v < weight.size(); ++v)
            if (!isReached[v]) addUp(v, isReached);
    }
    // Removing the vertex leaves weight on two sides, or takes some along.
    bool separates(std::size_t v) const {
        if (m_weight[v] > 0) return true;
        int sides = m_total[v] - m_below[v] > 0 ? 1 : 0;
        for (const std::size_t block : m_blocksOf[v]) sides += block != m_parentBlock[v] && m_blockBelow[block] > 0 ? 1 : 0;
        return sides > 1;
    }
    // The block is a single edge; without it there is weight on both sides.
    bool divides(std::size_t block) const {
        const std::int64_t below = m_blockBelow[block], total = m_total[m_parentVertex[block]];
        return m_verticesOf[block].size() == 2 && below > 0 && total - below > 0;
    }

private:
    static constexpr std::size_t noBlock = static_cast<std::size_t>(-1);

    void addUp(std::size_t root, std::vector<bool>& isReached) {
        std::vector<std::size_t> order{root};
        isReached[root] = true;
        for (std::size_t at = 0; at < order.size(); ++at) {
            const std::size_t v = order[at];
            for (const std::size_t block : m_blocksOf[v]) {
                if (block == m_parentBlock[v]) continue;
                m_parentVertex[block] = v;
                for (const std::size_t other : m_verticesOf[block])
                    if (!isReached[other]) isReached[other] = true, m_parentBlock[other] = block, order.push_back(other);
            }
        }
        for (std::size_t at = order.size(); at-- > 1;) {
            const std::size_t block = m_parentBlock[order[at]];
            m_blockBelow[block] += m_below[order[at]];
            m_below[m_parentVertex[block]] += m_below[order[at]];
        }
        for (const std::size_t v : order) m_total[v] = m_below[root];
    }

    const std::vector<std::int64_t>& m_weight;
    std::vector<std::int64_t> m_below; // of a vertex and of what hangs below it
    std::vector<std::vector<std::size_t>> m_blocksOf, m_verticesOf;
    std::vector<std::int64_t> m_blockBelow; // without the vertex above
    std::vector<std::size_t> m_parentBlock, m_parentVertex;
    std::vector<std::int64_t> m_total; // of the tree of a vertex
};
} // namespace

std::vector<std::uint32_t> connectedParts(const Fabric& fabric) {
    std::vector<std::uint32_t> rank(fabric.devices.size()), parent(fabric.devices.size());
    boost::disjoint_sets sets(rank.data(), parent.data());
    for (std::uint32_t d = 0; d < parent.size(); ++d) sets.make_set(d);
    for (const LinkId l : fabric.links.ids()) sets.union_set(std::uint32_t{fabric.links.a[l]}, std::uint32_t{fabric.links.b[l]});
    for (std::uint32_t d = 0; d < parent.size(); ++d) parent[d] = sets.find_set(d);
    return parent;
}

std::vector<NodeId> cutSwitches(const SwitchGraph& graph) {
    const std::size_t switches = graph.device.size();
    Graph g(switches + graph.groups.size());
    std::size_t index = 0;
    addTightGroups(graph, g, index);
    for (const auto& edge : graph.edges)
        if (!isTight(graph, graph.groupAbove[edge.lower])) boost::add_edge(edge.lower, edge.upper, index++, g);
    std::vector<std::size_t> points;
    boost::articulation_points(g, std::back_inserter(points));
    std::erase_if(points, [&](std::size_t v) { return v >= switches; });
    std::sort(points.begin(), points.end());
    return {points.begin(), points.end()};
}

Separations separationsOf(const SwitchGraph& graph, const std::vector<std::vector<NodeId>>& terminals) {
    const std::size_t switches = graph.device.size(), withGroups = switches + graph.groups.size();
    std::vector<std::int64_t> weight(withGroups, 0); // terminals on this switch alone
    std::vector<std::vector<NodeId>> several;
    for (const auto& nodes : terminals) {
        std::vector<NodeId> own = nodes;
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        if (own.size() == 1) ++weight[own.front()];
        if (own.size() > 1) several.push_back(std::move(own));
    }
    weight.resize(withGroups + several.size(), 1);
    Graph g(weight.size());
    std::size_t index = 0;
    addTightGroups(graph, g, index);
    for (std::size_t t = 0; t < several.size(); ++t)
        for (const NodeId node : several[t]) boost::add_edge(std::size_t{node}, withGroups + t, index++, g);
    std::vector<std::size_t> indexOf(graph.edges.size(), 0);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const SwitchGraph::Edge& edge = graph.edges[e];
        if (isTight(graph, graph.groupAbove[edge.lower]) || edge.lower == edge.upper) continue; // a loop divides nothing and is in no block
        indexOf[e] = index;
        boost::add_edge(edge.lower, edge.upper, index++, g);
    }
    std::vector<std::size_t> blockOf(index, 0), points;
    const auto map = boost::make_iterator_property_map(blockOf.begin(), boost::get(boost::edge_index, g));
    const std::size_t blocks = boost::biconnected_components(g, map, std::back_inserter(points)).first;
    std::vector<std::size_t> edgesOf(blocks, 0);
    for (const std::size_t block : blockOf) ++edgesOf[block];
    const BlockTree tree(g, blockOf, blocks, weight);
    Separations result{By<NodeId, bool>(switches), std::vector<bool>(graph.edges.size())};
    for (const NodeId node : graph.nodes()) result.nodes[node] = tree.separates(node);
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        result.edges[e] = graph.edges[e].links == 1 && graph.edges[e].lower != graph.edges[e].upper &&
                          !isTight(graph, graph.groupAbove[graph.edges[e].lower]) && edgesOf[blockOf[indexOf[e]]] == 1 &&
                          tree.divides(blockOf[indexOf[e]]);
    return result;
}

} // namespace railyard
