// The neighbours of each GPU of a group, for traffic around HB domains and between adjacent domains.
#pragma once

#include "core/routing/link_loads.h"

#include <map>
#include <vector>

namespace railyard {

// Two balanced binary trees over `count` positions in which the leaves of one are inner nodes of the other, as built by NCCL
// (src/graph/trees.cc). Lists every position except a root with its parent, first tree and second tree alternating.
std::vector<std::pair<std::size_t, std::size_t>> binaryTrees(std::size_t count);
// The edges of both trees that meet at one position, at most: two of two positions, three of three, and four of more. Each carries half
// a message up and down.
std::int64_t mostTreeEdges(std::int64_t count);

class Neighbours {
public:
    Neighbours() = default;
    Neighbours(const Fabric& fabric, const std::vector<DeviceId>& gpus); // rank 0 first

    using Lane = std::pair<std::uint32_t, std::uint32_t>; // rail, and the position among the GPUs of the domain on this rail
    // GPUs by HB domain, in rank order; a GPU outside of all domains is a domain of its own.
    const std::vector<std::vector<DeviceId>>& domains() const { return m_domains; }
    // GPUs with a connected NIC.
    const std::map<Lane, DeviceId>& lanesOf(std::size_t domain) const { return m_lanes[domain]; }
    // `bytes` from every GPU along the rings of its domain: to the next GPU through switches, or over all links of a mesh with the
    // edge-disjoint rings of hb_speeds.h.
    void around(std::size_t domain, double bytes, std::vector<GpuFlow>& flows) const;

private:
    std::vector<std::vector<DeviceId>> m_domains;
    std::vector<std::map<Lane, DeviceId>> m_lanes;                         // by domain: GPUs with a connected NIC
    std::map<DeviceId, std::vector<std::pair<DeviceId, double>>> m_linked; // by GPU of a mesh: linked members and link speeds
};

} // namespace railyard
