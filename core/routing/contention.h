// How much busier the links between switches get than the NICs, for many sets of flows on one fabric.
#pragma once

#include "core/routing/gpus/gpu_ports.h"
#include "core/routing/problem/gpu_traffic.h"
#include "core/routing/switches/stages.h"

#include <memory>
#include <optional>

namespace railyard {

class Contention {
public:
    Contention(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph); // `fabric` must outlive this

    // Utilisation of the busiest link between switches / that of the busiest NIC, at least 1, with ecmp routing as in linkLoads. 1 if
    // nothing leaves an HB domain or a pair has no path. Can be called from several threads.
    double of(const std::vector<GpuFlow>& flows) const;

private:
    const Fabric& m_fabric;
    const std::shared_ptr<const SwitchGraph> m_graph;
    const GpuPorts m_ports;
    const std::optional<Stages> m_stages;
};

} // namespace railyard
