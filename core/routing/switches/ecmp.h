// The most loaded link between switches under equal-cost multi-path routing.
#pragma once

#include "core/base/found_once.h"
#include "core/routing/switches/stages.h"
#include "core/routing/switches/traffic.h"

#include <string>

namespace railyard {

struct RoutedLoad {
    bool connected = true;
    double worst = 0;                  // largest load / capacity (per bit/s) of a link between switches
    std::string bottleneck;            // the tier of this link
    std::vector<double> worstOfTarget; // by leaf of the destination: the worst link on any path to it; infinite if a path is missing
};

// True if the traffic out of a set of leaves divides evenly over its uplinks: groups are regular, all switches of a pod have equal
// uplinks, and pods that share a top group share all of them. A counterexample is a pod without its spine 6, which sends nothing
// over spine 6 of the other pods.
bool leadsUpEvenly(const SwitchGraph& graph);
// Equal-cost multi-path routing, up and down, divided again at every switch, as switches do after failures. Regular fabrics use a
// closed form per group, otherwise tier by tier (node_loads.h), otherwise one destination leaf at a time. With the tier-by-tier
// method `worstOfTarget` of all pairs is empty, because it is not used.
class TrafficRouter {
public:
    explicit TrafficRouter(const SwitchGraph& graph) : m_graph(graph) {} // which must outlive this
    // Without `isOfTargets`, `worstOfTarget` may be empty: it takes about as long as everything else.
    RoutedLoad route(const Traffic& traffic, bool isOfTargets = true) const;
    const Stages* stages() const; // by links; null if there are none

private:
    const SwitchGraph& m_graph;
    FoundOnce<std::optional<Stages>> m_stages;
};
RoutedLoad routeTraffic(const SwitchGraph& graph, const Traffic& traffic); // once
RoutedLoad routeFlat(const SwitchGraph& graph, const Traffic& traffic);
RoutedLoad routeByTiers(const SwitchGraph& graph, const Traffic& traffic); // requires that stagesOf(graph) is not empty
RoutedLoad routeEven(const SwitchGraph& graph, const Traffic& traffic);    // requires that pods have equal uplinks

} // namespace railyard
