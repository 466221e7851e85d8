#include "core/routing/routing_parameters.h"

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
             .choices = {{"ecmp", "ECMP"}, {"adaptive", "adaptive"}, {"hash", "hash"}}}),
        numberParameter<RoutingOptions, routing_field::flowsPerPair>({.key = "flows_per_pair",
                                                                      .label = "Flows per pair",
                                                                      .help = "flows per pair of GPUs, with --routing hash",
                                                                      .low = 1,
                                                                      .high = 64}),
        choiceParameter<RoutingOptions, routing_field::pxn, onOff>(
            {.key = "pxn",
             .label = "PXN",
             .help = "on: forward traffic to another rail through the HB domain (PXN)",
             .kind = Info::Kind::Switch,
             .choices = {{"off", "off"}, {"on", "on"}}}),
    };
    return rows;
}

} // namespace railyard
