// HB domains that are built alike: what holds inside one of them holds in thousands.
#pragma once

#include "core/fabric/switch_graph.h"

#include <optional>

namespace railyard {

// Where a domain stands in the tables of the fabric; its devices, links inside and cables to switches follow one another.
struct DomainRun {
    std::uint32_t device = 0, link = 0, host = 0; // the first of each; host: into SwitchGraph::hosts
    std::uint32_t kind = none;                    // none: no device is left of it
};
// Domains of a kind have the same devices, joined by the same links and led to the same networks, in the same order.
struct DomainKind {
    DomainRun first;
    std::uint32_t devices = 0, links = 0, hosts = 0, gpus = 0;
    std::uint32_t insideDevice = 0, insideLink = 0; // its first ones in insidesOf
};
struct AlikeDomains {
    std::vector<DomainKind> kinds;
    std::vector<DomainRun> runs; // by HB domain
};
// Nothing where a GPU belongs to no domain, what is of one domain does not stand together, or kinds are many.
std::optional<AlikeDomains> alikeDomainsOf(const Fabric& fabric, const SwitchGraph& graph);
// One domain of every kind, numbered as the kinds: devices and the links inside, as many as the HB fabric needs to be counted.
Fabric insidesOf(const Fabric& fabric, const AlikeDomains& alike);

} // namespace railyard
