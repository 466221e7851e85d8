#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"
#include "core/base/counted.h"
#include "core/base/unit_text.h"

#include <fmt/format.h>

namespace railyard {
namespace {

template <std::optional<PathLatency> NetworkLatency::*Path>
Value total(const FigureSource& s) {
    if (!s.background || !(s.background->latency.*Path)) return {};
    return (s.background->latency.*Path)->total().value();
}

// Their packets would have to go down and up again.
std::string leftOut(std::int64_t pairs) {
    return counted(pairs, "without {} pair of GPUs that has no path up and then down",
                   "without {} pairs of GPUs that have no path up and then down");
}

template <std::optional<PathLatency> NetworkLatency::*Path>
Origin originOf(const FigureQuery& asked) {
    const NetworkLatency& latency = asked.source.background->latency;
    const auto& path = latency.*Path;
    if (!path) return unknownBecause(latency.why);
    constexpr bool isMean = Path == &NetworkLatency::mean;
    const std::string which = isMean ? "a path, mean" : "the longest path";
    return {"switches_s + serialisation_s + cable_m * seconds_per_m",
            {{"switches_s", path->switches.value(), "s", "latency of the switches of " + which + ", from their data sheets", "datasheet"},
             {"serialisation_s", path->serialisation.value(), "s",
              fmt::format("{:g} bytes at the speed of each link of {}", serialisedBytes, which), "counted"},
             {"cable_m", path->cable.value(), "m", "exported links.csv: length_m of the links of " + which, "counted"},
             {"seconds_per_m", cableSecondsPerMetre, "s/m", "signal speed of about two thirds of that of light in vacuum", "assumption"}},
            std::string("One way, without load, between the NIC ports of two GPUs of different HB domains") +
                (isMean ? "; mean of all pairs with a path" : "") +
                (latency.unreachablePairs > 0 ? ", " + leftOut(latency.unreachablePairs) : "") + "."};
}

using Display = FigureDisplay;

std::string howLatency(const FigureSource& s) {
    if (!s.background) return {};
    const NetworkLatency& latency = s.background->latency;
    if (!latency.why.empty()) return sentence(latency.why);
    const std::string how = "One way between NIC ports of different HB domains: switches, cables, and 64 bytes at each link";
    return latency.unreachablePairs > 0 ? how + "; " + leftOut(latency.unreachablePairs) : how;
}

constexpr FigureInfo rows[] = {
    shown({"latency.mean_s", "Latency", "Network latency without load, mean", "µs", micro, decimal, "s", total<&NetworkLatency::mean>,
           originOf<&NetworkLatency::mean>, nullptr, true},
          {Display::Text | Display::Panel, 50, "Latency without load, mean", true, nullptr, nullptr, howLatency, "latency.longest_s",
           "Latency, mean · longest"}),
    shown({"latency.longest_s", "Latency", "Network latency without load, longest path", "µs", micro, decimal, "s",
           total<&NetworkLatency::longest>, originOf<&NetworkLatency::longest>, nullptr, true},
          {Display::Text, 51, "Latency without load, longest"}),
};

} // namespace

std::span<const FigureInfo> latencyFigures() { return rows; }

} // namespace railyard
