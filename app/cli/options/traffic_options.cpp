#include "app/cli/options/traffic_options.h"

#include "app/cli/options/parameter_options.h"
#include "core/base/counted.h"
#include "core/collective/collective.h"
#include "core/io/imports/rank_list.h"
#include "core/io/imports/traffic_csv.h"
#include "core/routing/patterns.h"

#include <fmt/format.h>

namespace railyard::cli {

void TrafficOptions::addTo(CLI::App& verb, KindOptions* kinds) {
    const std::string own = "link-load", ofJobs = "traffic", ofTraining = "training";
    const ParameterInfo& row = patternParameter();
    auto* chosen = verb.add_option(row.option(), pattern, std::string(row.help))->default_str(std::string(usualPattern()));
    if (kinds) kinds->add(chosen, {own, ofJobs, ofTraining});
    for (CLI::Option* option : addParameters(verb, routingParameters(), RoutingOptions(), m_routing))
        if (kinds) kinds->add(option, {own});
    job.addTo(verb, m_ofPattern, {std::string(JobOptions::kind)});
    m_ofPattern.add(
        verb.add_option("--order", job.order, "rank order: near, far, or a file with one GPU path per line, starting with rank 0")
            ->capture_default_str(),
        {"training", "ring", "rail-ring"});
    for (CLI::Option* option : job.addGpusTo(verb)) m_ofPattern.add(option, {std::string(JobOptions::kind)});
    if (kinds) kinds->addAll(m_ofPattern, {own, ofJobs, ofTraining, "decision"});
}

Status TrafficOptions::check() const { return m_ofPattern.check(name()); }

Result<std::vector<DeviceId>> TrafficOptions::ranks(const Fabric& fabric) const {
    if (job.order == "near" || job.order == "far") return gpusInOrder(fabric, job.order == "far" ? RankOrder::Far : RankOrder::Near);
    return readRankList(fabric, job.order);
}

Result<GpuTraffic> TrafficOptions::traffic(const Fabric& fabric, std::uint64_t seed) const {
    if (const auto known = patternFrom(name())) {
        if (job.order == "near") return trafficOf(fabric, *known, seed);
        const auto gpus = ranks(fabric);
        if (!gpus) return gpus.errors();
        return trafficAmong(fabric, *gpus, *known, seed);
    }
    if (pattern == JobOptions::kind) {
        const auto flows = job.traffic(fabric, seed);
        if (!flows) return flows.errors();
        return toGpuTraffic(*flows);
    }
    if (pattern.ends_with(".csv")) return readTraffic(fabric, pattern);
    return Error::usage(fmt::format("{} {}: must be one of {}, {}, or a file ending in .csv", patternParameter().option(), pattern,
                                    patternParameter().rangeText(), JobOptions::kind));
}

RoutingOptions TrafficOptions::options(std::uint64_t seed) const {
    RoutingOptions result = *withTexts(routingParameters(), RoutingOptions(), *m_routing, "routing"); // checked by the command line
    result.seed = seed;
    return result;
}

std::string TrafficOptions::routingText(std::string_view key) const { return parameterNamed(routingParameters(), key)->text(options(1)); }

std::string unreachableText(const LinkLoads& loads) {
    if (loads.unreachablePairs == 0) return {};
    return fmt::format("{} of GPUs cannot reach each other, so the loads exclude their traffic; {}",
                       counted(loads.unreachablePairs, "{} pair", "{} pairs"), loads.unreachableExample);
}

} // namespace railyard::cli
