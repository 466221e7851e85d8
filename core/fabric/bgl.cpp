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
}

std::vector<std::uint32_t> connectedParts(const Fabric& fabric) {
    std::vector<std::uint32_t> rank(fabric.devices.size()), parent(fabric.devices.size());
    boost::disjoint_sets sets(rank.data(), parent.data());
    for (std::uint32_t d = 0; d < parent.size(); ++d) sets.make_set(d);
    for (const LinkId l : fabric.links.ids()) sets.union_set(std::uint32_t{fabric.links.a[l]}, std::uint32_t{fabric.links.b[l]});
    for (std::uint32_t d = 0; d < parent.size(); ++d) parent[d] = sets.find_set(d);
    return parent;
}

// Where every lower switch is joined to every upper one and there are two of each, no loss of one divides them: such a group
// stands as one node that its switches hang on, so that few edges are left to look at.
std::vector<NodeId> cutSwitches(const SwitchGraph& graph) {
    const std::size_t switches = graph.device.size();
    const auto isTight = [&](std::uint32_t g) {
        return graph.groups[g].regular && graph.groups[g].lowers.size() > 1 && graph.groups[g].uppers.size() > 1;
    };
    Graph g(switches + graph.groups.size());
    std::size_t index = 0;
    for (std::uint32_t group = 0; group < graph.groups.size(); ++group) {
        if (!isTight(group)) continue;
        for (const auto& side : {graph.groups[group].lowers, graph.groups[group].uppers})
            for (const auto v : side) boost::add_edge(v, switches + group, index++, g);
    }
    for (const auto& edge : graph.edges)
        if (!isTight(graph.groupAbove[edge.lower])) boost::add_edge(edge.lower, edge.upper, index++, g);
    std::vector<std::size_t> points;
    boost::articulation_points(g, std::back_inserter(points));
    std::erase_if(points, [&](std::size_t v) { return v >= switches; });
    std::sort(points.begin(), points.end());
    return {points.begin(), points.end()};
}

} // namespace railyard
