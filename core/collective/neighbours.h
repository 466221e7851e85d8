// Which GPUs of a group send to which when data goes around HB domains and from one to the next.
#pragma once

#include "core/routing/link_loads.h"

#include <map>
#include <vector>

namespace railyard {

// Two balanced binary trees over so many places, such that leaves of one are inner places of the other, as NCCL builds them
// (src/graph/trees.cc): every place but a root and its parent, of the first tree and the second in turn.
std::vector<std::pair<std::size_t, std::size_t>> binaryTrees(std::size_t count);

class Neighbours {
public:
    Neighbours() = default;
    Neighbours(const Fabric& fabric, const std::vector<std::uint32_t>& gpus); // rank 0 first

    using Lane = std::pair<std::uint32_t, std::uint32_t>; // rail, and the how many-th GPU on it in its domain
    // GPUs by HB domain, in the order of ranks; one in no domain is one of its own.
    const std::vector<std::vector<std::uint32_t>>& domains() const { return m_domains; }
    // GPUs with a NIC that is cabled.
    const std::map<Lane, std::uint32_t>& lanesOf(std::size_t domain) const { return m_lanes[domain]; }
    // So many bytes from every GPU around the rings of its domain: to the next through switches, over all links of a mesh, as
    // the rings side by side use them (hb_speeds.h).
    void around(std::size_t domain, double bytes, std::vector<GpuFlow>& flows) const;

private:
    std::vector<std::vector<std::uint32_t>> m_domains;
    std::vector<std::map<Lane, std::uint32_t>> m_lanes;                              // by domain: GPUs with a NIC that is cabled
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, double>>> m_linked; // by GPU of a mesh: members and link speed
};

} // namespace railyard
