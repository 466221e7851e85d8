#include "core/fabric/optical_switches.h"

#include <algorithm>
#include <array>
#include <map>

namespace railyard {
namespace {

using Info = ParameterInfo;
constexpr std::array<std::string_view, 4> placeNames{"none", "host-leaf", "leaf-spine", "spine-superspine"};

constexpr auto place = [](OpticalSwitching & s) -> auto& { return s.at; };

std::vector<Parameter<OpticalSwitching>> rowsOfSwitching() {
    return {
        choiceParameter<OpticalSwitching, place, placeNames>({.key = "tier",
                                                              .label = "Optical circuit switches",
                                                              .help = "links with optical circuit switches: none, host-leaf, leaf-spine or "
                                                                      "spine-superspine",
                                                              .kind = Info::Kind::Choice,
                                                              .choices = {{"none", "none"},
                                                                          {"host-leaf", "between NICs and leaves"},
                                                                          {"leaf-spine", "between leaves and spines"},
                                                                          {"spine-superspine", "between spines and superspines"}}}),
        {Info{
             .key = "part", .label = "Optical circuit switch", .help = "optical circuit switch of the catalogue", .kind = Info::Kind::Part},
         [](const OpticalSwitching& s) { return s.part; },
         [](OpticalSwitching& s, const std::string& text) { return s.part = text, Status(Done{}); }},
    };
}

} // namespace

std::span<const Parameter<OpticalSwitching>> opticalSwitchingParameters() {
    static const std::vector<Parameter<OpticalSwitching>> rows = rowsOfSwitching();
    return rows;
}

Result<OpticalSwitching> readOpticalSwitching(const ParameterTexts& options) {
    return withTexts(opticalSwitchingParameters(), OpticalSwitching(), options, "the optical circuit switches");
}

OpticalSwitching opticalSwitchingOf(const Design& design) {
    const auto stated = design.ocs ? readOpticalSwitching(design.ocs->options) : Result<OpticalSwitching>(OpticalSwitching());
    return stated ? *stated : OpticalSwitching(); // a document with other values is not opened
}

std::int64_t OpticalSwitches::freePorts() const {
    std::int64_t free = 0;
    for (const auto& own : links) free += ports - static_cast<std::int64_t>(own.size());
    return free;
}

namespace {

// The first uplink of every switch, then the second, and so on.
void spread(const Fabric& fabric, std::vector<LinkId>& links) {
    std::map<DeviceId, std::uint32_t> seen;
    std::vector<std::pair<std::uint32_t, LinkId>> order;
    for (const LinkId l : links) order.emplace_back(seen[fabric.links.a[l]]++, l);
    std::stable_sort(order.begin(), order.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::size_t i = 0; i < order.size(); ++i) links[i] = order[i].second;
}

} // namespace

// Those of the intact fabric, with the links that are left.
static OpticalSwitches leftOf(OpticalSwitches switches, const Fabric& degraded) {
    std::map<std::pair<DeviceId, PortId>, LinkId> left; // by the lower end in the intact fabric
    for (const LinkId l : degraded.links.ids())
        if (degraded.links.tier[l] == switches.tier)
            left.emplace(std::pair(degraded.intactDevice[degraded.links.a[l]], degraded.links.aPort[l]), l);
    const LinkTable& links = degraded.intact->links;
    for (std::vector<LinkId>& own : switches.links) {
        std::vector<LinkId> there;
        for (const LinkId l : own)
            if (const auto found = left.find({links.a[l], links.aPort[l]}); found != left.end()) there.push_back(found->second);
        own = std::move(there);
    }
    return switches;
}

OpticalSwitches opticalSwitchesOf(const Fabric& fabric) {
    if (fabric.intact) return leftOf(opticalSwitchesOf(*fabric.intact), fabric);
    OpticalSwitches switches;
    const OpticalSwitching asked = opticalSwitchingOf(*fabric.design);
    if (asked.at == OpticalSwitching::At::None) return switches;
    const Part* part = fabric.design->catalog->find<OpticalSwitchPart>(asked.part);
    if (!part) return switches;
    switches.part = part;
    switches.ports = part->as<OpticalSwitchPart>()->ports;
    switches.tier = asked.at == OpticalSwitching::At::HostLeaf    ? LinkTier::HostLeaf
                    : asked.at == OpticalSwitching::At::LeafSpine ? LinkTier::LeafSpine
                                                                  : LinkTier::SpineSuperspine;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<LinkId>> linksOf;     // by rail and plane
    const auto ofEither = [&](const DeviceTable::Of<std::uint32_t>& column, LinkId l) { // a NIC with ports in several planes has none
        const std::uint32_t ofLower = column[fabric.links.a[l]];
        return ofLower > 0 ? ofLower : column[fabric.links.b[l]];
    };
    for (const LinkId l : fabric.links.ids())
        if (fabric.links.tier[l] == switches.tier)
            linksOf[{ofEither(fabric.devices.rail, l), ofEither(fabric.devices.plane, l)}].push_back(l);
    const auto most = static_cast<std::size_t>(switches.ports);
    for (auto& [group, own] : linksOf) {
        if (switches.tier != LinkTier::HostLeaf) spread(fabric, own);
        for (std::size_t from = 0; from < own.size(); from += most)
            switches.links.emplace_back(own.begin() + static_cast<std::ptrdiff_t>(from),
                                        own.begin() + static_cast<std::ptrdiff_t>(std::min(own.size(), from + most)));
    }
    return switches;
}

} // namespace railyard
