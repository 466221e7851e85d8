// How much busier the links between switches get than the NICs, for many sets of flows on one fabric.
#pragma once

#include "core/routing/gpus/gpu_ports.h"
#include "core/routing/problem/gpu_traffic.h"
#include "core/routing/switches/stages.h"

#include <memory>
#include <optional>

namespace railyard {

// What flows take of a link between switches, while the busiest NIC among them is fully used: shares of its speed in both directions; above
// 1 where links between switches are the bottleneck.
struct LinkShare {
    LinkId link = none;
    double aToB = 0, bToA = 0;
};
// In the order of links, without those that carry nothing. Empty: nothing leaves an HB domain, or a pair has no path.
using LinkShares = std::vector<LinkShare>;
LinkShares maximumOf(const LinkShares& a, const LinkShares& b); // of every link and direction

// The shares of several jobs together.
class SharedLinks {
public:
    explicit SharedLinks(std::size_t links) : m_aToB(links), m_bToA(links) {}
    void add(const LinkShares& shares, double weight);
    // The busiest link of `flows`, with all that is on it but for the part that the job of the flows added itself, `own` by its weight;
    // at least 1. `own` has every link of `flows`.
    double busiestWith(const LinkShares& flows, const LinkShares& own, double weight) const;

private:
    std::vector<double> m_aToB, m_bToA;
};

class Contention {
public:
    Contention(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph); // `fabric` must outlive this

    // Utilisation of the busiest link between switches / that of the busiest NIC, at least 1, with ecmp routing as in linkLoads. 1 if
    // nothing leaves an HB domain or a pair has no path. Can be called from several threads.
    double of(const std::vector<GpuFlow>& flows) const { return busiestOf(sharesOf(flows)); }
    LinkShares sharesOf(const std::vector<GpuFlow>& flows) const;
    static double busiestOf(const LinkShares& shares); // at least 1

private:
    const Fabric& m_fabric;
    const std::shared_ptr<const SwitchGraph> m_graph;
    const GpuPorts m_ports;
    const std::optional<Stages> m_stages;
};

} // namespace railyard
