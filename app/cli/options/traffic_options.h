// The options for traffic patterns and routing; shared by `loads` and `heatmap --kind link-load`.
#pragma once

#include "app/cli/options/job_options.h"
#include "core/routing/link_loads.h"
#include "core/routing/routing_parameters.h"

namespace railyard::cli {

struct TrafficOptions {
    std::string pattern; // empty if not given
    std::string name() const { return pattern.empty() ? std::string(usualPattern()) : pattern; }
    JobOptions job; // for the pattern training; its order is also that of rings

    void addTo(CLI::App& verb, KindOptions* kinds = nullptr); // kinds of heat maps, where the verb has them
    Status check() const;                                     // that the pattern uses the options that were given
    Result<GpuTraffic> traffic(const Fabric& fabric, std::uint64_t seed) const;
    RoutingOptions options(std::uint64_t seed) const;
    std::string routingText(std::string_view key) const; // of one of routingParameters, as given or usual

private:
    static std::string_view usualPattern() { return patternParameter().choices.front().value; }
    Result<std::vector<DeviceId>> ranks(const Fabric& fabric) const;

    KindOptions m_ofPattern{"--pattern"};
    std::shared_ptr<ParameterTexts> m_routing = std::make_shared<ParameterTexts>();
};

// What the loads leave out; empty: nothing.
std::string unreachableText(const LinkLoads& loads);

} // namespace railyard::cli
