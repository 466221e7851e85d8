#include "core/routing/routing_parameters.h"

#include "core/routing/patterns.h"

#include <algorithm>
#include <array>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 3> routingNames{"ecmp", "adaptive", "hash"}; // by Routing
constexpr std::array<std::string_view, 2> onOff{"off", "on"};
using Info = ParameterInfo;

namespace routing_field {
constexpr auto routing = [](RoutingOptions & o) -> auto& { return o.routing; };
constexpr auto flowsPerPair = [](RoutingOptions & o) -> auto& { return o.connectionsPerPair; };
constexpr auto pxn = [](RoutingOptions & o) -> auto& { return o.isForwarded; };
} // namespace routing_field

} // namespace

std::span<const Parameter<RoutingOptions>> routingParameters() {
    static const std::vector<Parameter<RoutingOptions>> rows{
        choiceParameter<RoutingOptions, routing_field::routing, routingNames>(
            {.key = "routing",
             .label = "Routing",
             .help =
                 "routing: ecmp (even split over equal-cost paths), adaptive (split in proportion to link speed) or hash (each flow on a "
                 "single path)",
             .kind = Info::Kind::Choice,
             .choices = {{"ecmp", "ECMP, even split"}, {"adaptive", "Adaptive routing"}, {"hash", "ECMP, hash per flow"}}}),
        numberParameter<RoutingOptions, routing_field::flowsPerPair>({.key = "flows_per_pair",
                                                                      .label = "Flows per pair",
                                                                      .help = "flows per pair of GPUs, with --routing hash",
                                                                      .low = 1,
                                                                      .high = 64}),
        choiceParameter<RoutingOptions, routing_field::pxn, onOff>(
            {.key = "pxn",
             .label = "PXN forwarding",
             .help = "on: forward traffic to another rail through the HB domain (PXN)",
             .kind = Info::Kind::Switch,
             .choices = {{"off", "off"}, {"on", "on"}}}),
    };
    return rows;
}

const ParameterInfo& patternParameter() {
    static const ParameterInfo row{.key = "pattern",
                                   .label = "Traffic pattern",
                                   .help = "traffic pattern: all-to-all, ring, rail-ring, permutation, incast, training, or FILE.csv",
                                   .kind = Info::Kind::Text,
                                   .choices = {{"all-to-all", "All-to-all"},
                                               {"ring", "Ring"},
                                               {"rail-ring", "Ring per rail"},
                                               {"permutation", "Permutation"},
                                               {"incast", "Incast"}}};
    return row;
}

std::optional<Pattern> patternFrom(std::string_view text) {
    const auto& choices = patternParameter().choices;
    const auto found = std::find_if(choices.begin(), choices.end(), [&](const ParameterChoice& each) { return each.value == text; });
    if (found == choices.end()) return {};
    return static_cast<Pattern>(found - choices.begin());
}

} // namespace railyard
