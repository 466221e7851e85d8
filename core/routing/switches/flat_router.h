// Up-down paths to one destination switch, computed for single link bundles.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

class FlatRouter {
public:
    explicit FlatRouter(const SwitchGraph& graph);
    struct Arc {
        std::uint32_t node = 0, edge = 0;
    };
    static constexpr int unreachable = 1 << 29;

    void aimAt(std::uint32_t target);
    // Hops to the target, going down only, or going up first if that is shorter.
    int hops(std::uint32_t node) const { return m_any[node]; }
    bool goesUp(std::uint32_t node) const { return m_downOnly[node] > m_any[node]; }
    // The next bundles on the shortest paths.
    template <class Use>
    void eachNext(std::uint32_t node, Use use) const {
        const bool upwards = goesUp(node);
        for (const Arc& arc : upwards ? m_up[node] : m_down[node])
            if ((upwards ? m_any : m_downOnly)[arc.node] == m_any[node] - 1) use(arc);
    }
    const std::vector<std::uint32_t>& lowestFirst() const { return m_upwards; } // nodes, each after all lower ones

private:
    void sortUpwards(const SwitchGraph& graph);

    std::vector<std::vector<Arc>> m_up, m_down;
    std::vector<std::uint32_t> m_upwards;
    std::vector<int> m_downOnly, m_any;
};

} // namespace railyard
