// How much busier the links between switches get than the NICs, for many sets of flows on one fabric.
#pragma once

#include "core/routing/gpus/gpu_ports.h"
#include "core/routing/problem/gpu_traffic.h"
#include "core/routing/switches/stages.h"

#include <memory>
#include <optional>

namespace railyard {

// What flows take of every link, in both directions, while the busiest NIC among them is fully used: a share of its speed; above 1 where
// links between switches are the bottleneck.
struct LinkShares {
    std::vector<double> aToB, bToA; // by link; only those between switches are above 0. Empty: nothing leaves an HB domain
    bool isEmpty() const { return aToB.empty(); }
    void add(const LinkShares& other, double factor);
    void atLeast(const LinkShares& other);
};

class Contention {
public:
    Contention(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph); // `fabric` must outlive this

    // Utilisation of the busiest link between switches / that of the busiest NIC, at least 1, with ecmp routing as in linkLoads. 1 if
    // nothing leaves an HB domain or a pair has no path. Can be called from several threads.
    // `others`: what else is on the links at the same time.
    double of(const std::vector<GpuFlow>& flows, const LinkShares* others = nullptr) const;
    LinkShares sharesOf(const std::vector<GpuFlow>& flows) const; // empty as well if a pair has no path

private:
    const Fabric& m_fabric;
    const std::shared_ptr<const SwitchGraph> m_graph;
    const GpuPorts m_ports;
    const std::optional<Stages> m_stages;
};

} // namespace railyard
