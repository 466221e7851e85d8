// The options for traffic patterns and routing; shared by `loads` and `heatmap --kind link-load`.
#pragma once

#include "app/cli/job_options.h"
#include "core/routing/link_loads.h"

namespace railyard::cli {

struct TrafficOptions {
    std::string pattern, routing = "ecmp", pxn = "off"; // pattern: empty if not given
    std::string name() const { return pattern.empty() ? "all-to-all" : pattern; }
    int flowsPerPair = 1;
    JobOptions job; // for the pattern training

    void addTo(CLI::App& verb);
    Result<GpuTraffic> traffic(const Fabric& fabric, std::uint64_t seed) const;
    RoutingOptions options(std::uint64_t seed) const;
};

} // namespace railyard::cli
