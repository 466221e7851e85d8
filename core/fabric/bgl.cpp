#include "core/fabric/bgl.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/connected_components.hpp>
#pragma GCC diagnostic pop

namespace railyard {
namespace {
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                    boost::property<boost::edge_index_t, std::size_t>>;
}

std::vector<std::uint32_t> connectedParts(const Fabric& fabric) {
    Graph graph(fabric.devices.size());
    for (std::size_t l = 0; l < fabric.links.size(); ++l) boost::add_edge(fabric.links.a[l], fabric.links.b[l], l, graph);
    std::vector<std::uint32_t> part(fabric.devices.size());
    if (!part.empty()) boost::connected_components(graph, part.data());
    return part;
}

std::vector<std::uint32_t> cutSwitches(const SwitchGraph& graph) {
    Graph g(graph.device.size());
    std::size_t index = 0;
    for (const auto& edge : graph.edges) boost::add_edge(edge.lower, edge.upper, index++, g);
    std::vector<std::size_t> points;
    boost::articulation_points(g, std::back_inserter(points));
    std::sort(points.begin(), points.end());
    return {points.begin(), points.end()};
}

} // namespace railyard
