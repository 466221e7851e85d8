// Classes of identical HB domains: what is computed for one domain applies to all domains of its class.
#pragma once

#include "core/fabric/switch_graph.h"

#include <optional>

namespace railyard {

// The position of a domain in the tables of the fabric; its devices, inner links and cables to switches are adjacent.
struct DomainRun {
    DeviceId device{0}; // the first of each
    LinkId link{0};
    std::uint32_t host = 0;    // the first of each; host: index in SwitchGraph::hosts
    std::uint32_t kind = none; // none: all devices of the domain have been removed
};
// Domains of a class have the same devices, connected by the same links and to the same networks, in the same order.
struct DomainKind {
    DomainRun first;
    std::uint32_t devices = 0, links = 0, hosts = 0, gpus = 0;
    std::uint32_t insideDevice = 0, insideLink = 0; // its first device and link in insidesOf
};
struct DomainClasses {
    std::vector<DomainKind> kinds;
    std::vector<DomainRun> runs; // by HB domain
};
// Empty if a GPU is outside of all domains, if the entries of a domain are not adjacent, or if there are many classes.
std::optional<DomainClasses> domainClassesOf(const Fabric& fabric, const SwitchGraph& graph);
// One domain of every class, in class order: its devices and inner links, sufficient for computing HB loads.
Fabric insidesOf(const Fabric& fabric, const DomainClasses& classes);

} // namespace railyard
