#include "app/cli/traffic_options.h"

#include "core/io/traffic_csv.h"
#include "core/routing/patterns.h"

#include <fmt/format.h>

namespace railyard::cli {

void TrafficOptions::addTo(CLI::App& verb) {
    verb.add_option("--pattern", pattern,
                    "traffic pattern: all-to-all (default), ring, rail-ring, permutation, incast, training, or FILE.csv");
    verb.add_option("--routing", routing,
                    "routing: ecmp (even split over equal-cost paths), adaptive (split in proportion to link speed) or hash (each flow on "
                    "a single path)")
        ->check(CLI::IsMember({"ecmp", "adaptive", "hash"}))
        ->capture_default_str();
    verb.add_option("--flows-per-pair", flowsPerPair, "flows per pair of GPUs, with --routing hash")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    verb.add_option("--pxn", pxn, "on: forward traffic to another rail through the HB domain (PXN)")
        ->check(CLI::IsMember({"on", "off"}))
        ->capture_default_str();
    job.addTo(verb);
}

Result<GpuTraffic> TrafficOptions::traffic(const Fabric& fabric, std::uint64_t seed) const {
    if (const auto known = patternFrom(name())) return trafficOf(fabric, *known, seed);
    if (pattern == "training") {
        const auto flows = job.traffic(fabric);
        if (!flows) return flows.errors();
        return toGpuTraffic(*flows);
    }
    if (pattern.ends_with(".csv")) return readTraffic(fabric, pattern);
    return Error::usage(fmt::format(
        "--pattern {}: must be one of all-to-all, ring, rail-ring, permutation, incast, training, or a file ending in .csv", pattern));
}

RoutingOptions TrafficOptions::options(std::uint64_t seed) const {
    RoutingOptions result;
    result.routing = routing == "hash" ? Routing::Hash : routing == "adaptive" ? Routing::Adaptive : Routing::Ecmp;
    result.connectionsPerPair = flowsPerPair;
    result.isForwarded = pxn == "on";
    result.seed = seed;
    return result;
}

} // namespace railyard::cli
