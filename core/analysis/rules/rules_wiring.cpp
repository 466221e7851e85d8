#include "core/analysis/rules/rule_check.h"
#include "core/base/unit_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

// A rail is crossed where the NIC and the leaf both belong to one rail, and not to the same.
void crossedRailsAndPlanes(RuleCheck& c) {
    Offenders rails, planes;
    const LinkTable& links = c.fabric.links;
    const DeviceTable& devices = c.fabric.devices;
    for (const LinkId l : links.ids()) {
        if (!c.fabric.isNetworkLink(l) || devices.isManager(links.a[l])) continue;
        const auto a = links.a[l], b = links.b[l];
        const bool host = links.tier[l] == LinkTier::HostLeaf;
        if (host && devices.rail[a] > 0 && devices.rail[b] > 0 && devices.rail[a] != devices.rail[b]) rails.note(c.fabric, a);
        if (devices.plane[a] > 0 && devices.plane[b] > 0 && devices.plane[a] != devices.plane[b]) planes.note(c.fabric, a);
    }
    if (rails.count > 0)
        c.add("RY-R004", Severity::Warning,
              counted(rails.count, "{} NIC port is connected to a leaf of another rail.",
                      "{} NIC ports are connected to a leaf of another rail."),
              rails.example, "Move the cable to the leaf of its own rail.", rails.count);
    if (planes.count > 0)
        c.add("RY-R005", Severity::Warning,
              counted(planes.count, "{} cable connects two planes, which must stay separate.",
                      "{} cables connect two planes, which must stay separate."),
              planes.example, "Move the cable to a switch of its own plane.", planes.count);
}

void unwiredNicPorts(RuleCheck& c) {
    std::vector<int> used(c.fabric.devices.size());
    for (const LinkId l : c.fabric.links.ids())
        if (c.fabric.isNetworkLink(l)) ++used[c.fabric.links.a[l]], ++used[c.fabric.links.b[l]];
    Offenders nics;
    for (DeviceId d(0); d < used.size(); ++d)
        if (c.fabric.devices.isNic(d) && used[d] > 0 && used[d] < c.fabric.portCount(d)) nics.note(c.fabric, d);
    if (nics.count > 0)
        c.add("RY-R006", Severity::Warning,
              counted(nics.count, "{} NIC has only some of its ports connected.", "{} NICs have only some of their ports connected."),
              nics.example, "Connect the remaining ports; their bandwidth is paid for but unused.", nics.count);
}

void oddLinks(RuleCheck& c) {
    Offenders peers, skips, loops;
    const LinkTable& links = c.fabric.links;
    for (const LinkId l : links.ids()) {
        const auto a = links.a[l], b = links.b[l];
        if (!c.fabric.isNetworkLink(l)) continue;
        if (a == b)
            loops.note(c.fabric, a);
        else if (c.isSwitch(a) && c.isSwitch(b)) {
            const int step = static_cast<int>(c.fabric.devices.tier[b]) - static_cast<int>(c.fabric.devices.tier[a]);
            if (step == 0) peers.note(c.fabric, a);
            if (std::abs(step) > 1) skips.note(c.fabric, a);
        }
    }
    if (loops.count > 0)
        c.add("RY-L005", Severity::Error,
              counted(loops.count, "{} cable connects a device to itself.", "{} cables connect a device to itself."), loops.example,
              "Connect a cable to two different devices.", loops.count);
    if (peers.count > 0)
        c.add("RY-L003", Severity::Warning,
              counted(peers.count, "{} cable connects switches of the same tier.", "{} cables connect switches of the same tier."),
              peers.example, "Up-down routing does not use such cables. Connect to the tier above instead.", peers.count);
    if (skips.count > 0)
        c.add("RY-L004", Severity::Warning, counted(skips.count, "{} cable skips a tier.", "{} cables skip a tier."), skips.example,
              "Such a cable makes equal-cost paths unequal. Connect to the next tier instead.", skips.count);
}

void mixedProtocols(RuleCheck& c) {
    Offenders links;
    const auto protocol = [&](DeviceId device) {
        const Part* part = c.fabric.partOf(device);
        const SwitchPart* details = part ? part->as<SwitchPart>() : nullptr;
        return details ? std::string_view(details->protocol) : std::string_view();
    };
    for (const auto& edge : c.graph.edges) {
        const std::string_view a = protocol(c.graph.device[edge.lower]), b = protocol(c.graph.device[edge.upper]);
        if (!a.empty() && !b.empty() && a != b) links.note(c.fabric, c.graph.device[edge.lower]);
    }
    if (links.count > 0)
        c.add("RY-N001", Severity::Error,
              counted(links.count, "{} pair of connected switches uses different protocols: InfiniBand and Ethernet.",
                      "{} pairs of connected switches use different protocols: InfiniBand and Ethernet."),
              links.example, "Use switches with the same protocol throughout a fabric.", links.count);
    std::map<SwitchTier, std::set<std::string>> parts;
    std::map<SwitchTier, DeviceId> example;
    for (const auto d : c.graph.device)
        if (parts[c.fabric.devices.tier[d]].insert(c.fabric.partIds[c.fabric.devices.part[d]]).second)
            example[c.fabric.devices.tier[d]] = d;
    for (const auto& [tier, ids] : parts)
        if (ids.size() > 1)
            c.add("RY-N002", Severity::Note, fmt::format("The {} tier uses {} different switch parts.", toText(tier), ids.size()),
                  c.fabric.devicePath(example[tier]), "A single part per tier simplifies spares and firmware.",
                  static_cast<int>(ids.size()));
}

// Leaves of one design should offer their servers the same: a straggler slows the whole job.
void unequalOversubscription(RuleCheck& c) {
    const std::vector<Bandwidth>& up = c.graph.uplink;
    std::vector<Bandwidth> down(c.graph.device.size());
    for (const auto& host : c.graph.hosts) down[host.node] += host.capacity;
    double best = 0, worst = 0;
    DeviceId example;
    for (std::uint32_t v = 0; v < down.size(); ++v) {
        if (down[v] <= Bandwidth() || up[v] <= Bandwidth()) continue;
        const double ratio = std::max(1.0, down[v] / up[v]);
        if (best == 0 || ratio < best) best = ratio;
        if (ratio > worst) worst = ratio, example = c.graph.device[v];
    }
    if (example != none && worst > best * 1.1)
        c.add("RY-E002", Severity::Warning, fmt::format("Leaf oversubscription varies from {:.2f}:1 to {:.2f}:1.", best, worst),
              c.fabric.devicePath(example), "The most oversubscribed leaf limits a collective. Give all leaves the same uplinks.");
}

// Without its leaf a whole HB domain is off the fabric.
void domainsOnOneLeaf(RuleCheck& c) {
    std::vector<std::uint32_t> leafOf(c.fabric.hbDomains.size(), none);
    std::vector<bool> several(c.fabric.hbDomains.size());
    for (const auto& host : c.graph.hosts) {
        const auto domain = c.fabric.devices.hbDomain[host.nic];
        if (domain == none) continue;
        several[domain] = several[domain] || (leafOf[domain] != none && leafOf[domain] != host.node);
        leafOf[domain] = host.node;
    }
    int count = 0;
    std::string example;
    for (std::size_t d = 0; d < leafOf.size(); ++d)
        if (leafOf[d] != none && !several[d] && c.graph.device.size() > 1 && count++ == 0)
            example = c.fabric.scopePath(c.fabric.hbDomains[d]);
    if (count > 0)
        c.add("RY-S003", Severity::Note,
              counted(count, "{} HB domain is connected to a single leaf: if that leaf fails, the domain is off the fabric.",
                      "{} HB domains are each connected to a single leaf: if that leaf fails, the domain is off the fabric."),
              example, "Connect the NICs of a domain to several leaves.", count);
}

} // namespace

void checkWiring(RuleCheck& check) {
    for (const auto rule : {crossedRailsAndPlanes, unwiredNicPorts, oddLinks, mixedProtocols, unequalOversubscription, domainsOnOneLeaf})
        rule(check);
}

} // namespace railyard
