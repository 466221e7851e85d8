// Up-down paths to one destination switch, computed for single link bundles.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

class FlatRouter {
public:
    explicit FlatRouter(const SwitchGraph& graph);
    struct Arc {
        NodeId node;
        std::uint32_t edge = 0;
    };
    static constexpr int unreachable = 1 << 29;

    void aimAt(NodeId target);
    // Hops to the target, going down only, or going up first if that is shorter.
    int hops(NodeId node) const { return m_any[node]; }
    bool goesUp(NodeId node) const { return m_downOnly[node] > m_any[node]; }
    // The next bundles on the shortest paths.
    template <class Use>
    void eachNext(NodeId node, Use use) const {
        const bool upwards = goesUp(node);
        for (const Arc& arc : upwards ? m_up[node] : m_down[node])
            if ((upwards ? m_any : m_downOnly)[arc.node] == m_any[node] - 1) use(arc);
    }
    const std::vector<NodeId>& lowestFirst() const { return m_upwards; } // each after all lower ones

private:
    void sortUpwards(const SwitchGraph& graph);

    std::vector<std::vector<Arc>> m_up, m_down;
    std::vector<NodeId> m_upwards;
    std::vector<int> m_downOnly, m_any;
};

} // namespace railyard
