#include "core/analysis/rule_check.h"

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
    for (std::size_t l = 0; l < links.size(); ++l) {
        if (!c.fabric.isNetworkLink(l) || devices.kind[links.a[l]] == DeviceKind::Manager) continue;
        const std::uint32_t a = links.a[l], b = links.b[l];
        const bool host = links.tier[l] == LinkTier::HostLeaf;
        if (host && devices.rail[a] > 0 && devices.rail[b] > 0 && devices.rail[a] != devices.rail[b]) rails.note(c.fabric, a);
        if (devices.plane[a] > 0 && devices.plane[b] > 0 && devices.plane[a] != devices.plane[b]) planes.note(c.fabric, a);
    }
    if (rails.count > 0)
        c.add("RY-R004", Severity::Warning, fmt::format("{} NIC ports end on a leaf of another rail", formatCount(rails.count)),
              rails.example, "move the cable to the leaf of its own rail", rails.count);
    if (planes.count > 0)
        c.add("RY-R005", Severity::Warning,
              fmt::format("{} cables join two planes, which are meant to be separate", formatCount(planes.count)), planes.example,
              "move the cable to a switch of its own plane", planes.count);
}

void unwiredNicPorts(RuleCheck& c) {
    std::vector<int> used(c.fabric.devices.size());
    for (std::size_t l = 0; l < c.fabric.links.size(); ++l)
        if (c.fabric.isNetworkLink(l)) ++used[c.fabric.links.a[l]], ++used[c.fabric.links.b[l]];
    Offenders nics;
    for (std::uint32_t d = 0; d < used.size(); ++d)
        if (c.fabric.devices.kind[d] == DeviceKind::Nic && used[d] > 0 && used[d] < c.fabric.portCount(d)) nics.note(c.fabric, d);
    if (nics.count > 0)
        c.add("RY-R006", Severity::Warning, fmt::format("{} NICs have a cable on some of their ports only", formatCount(nics.count)),
              nics.example, "cable the other ports, or they are bandwidth paid for and not used", nics.count);
}

void oddLinks(RuleCheck& c) {
    Offenders peers, skips, loops;
    const LinkTable& links = c.fabric.links;
    for (std::size_t l = 0; l < links.size(); ++l) {
        const std::uint32_t a = links.a[l], b = links.b[l];
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
        c.add("RY-L005", Severity::Error, fmt::format("{} cables leave and enter the same device", formatCount(loops.count)), loops.example,
              "a cable needs two different ends", loops.count);
    if (peers.count > 0)
        c.add("RY-L003", Severity::Warning, fmt::format("{} cables join switches of one tier", formatCount(peers.count)), peers.example,
              "up-down routing does not use them; connect to the tier above", peers.count);
    if (skips.count > 0)
        c.add("RY-L004", Severity::Warning, fmt::format("{} cables pass over a tier", formatCount(skips.count)), skips.example,
              "equal-cost paths become unequal; connect to the next tier", skips.count);
}

void mixedProtocols(RuleCheck& c) {
    Offenders links;
    const auto protocol = [&](std::uint32_t device) {
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
              fmt::format("{} pairs of switches speak different protocols: InfiniBand and Ethernet", formatCount(links.count)),
              links.example, "use switches of one protocol in one fabric", links.count);
    std::map<SwitchTier, std::set<std::string>> parts;
    std::map<SwitchTier, std::uint32_t> example;
    for (const std::uint32_t d : c.graph.device)
        if (parts[c.fabric.devices.tier[d]].insert(c.fabric.partIds[c.fabric.devices.part[d]]).second)
            example[c.fabric.devices.tier[d]] = d;
    for (const auto& [tier, ids] : parts)
        if (ids.size() > 1)
            c.add("RY-N002", Severity::Note, fmt::format("the {} tier is built of {} different parts", toText(tier), ids.size()),
                  c.fabric.devicePath(example[tier]), "one part a tier keeps spares and firmware simple", static_cast<int>(ids.size()));
}

// Leaves of one design should offer their servers the same: a straggler slows the whole job.
void unequalOversubscription(RuleCheck& c) {
    const std::vector<double>& up = c.graph.uplink;
    std::vector<double> down(c.graph.device.size());
    for (const auto& host : c.graph.hosts) down[host.node] += host.capacity.value();
    double best = 0, worst = 0;
    std::uint32_t example = none;
    for (std::uint32_t v = 0; v < down.size(); ++v) {
        if (down[v] <= 0 || up[v] <= 0) continue;
        const double ratio = std::max(1.0, down[v] / up[v]);
        if (best == 0 || ratio < best) best = ratio;
        if (ratio > worst) worst = ratio, example = c.graph.device[v];
    }
    if (example != none && worst > best * 1.1)
        c.add("RY-E002", Severity::Warning, fmt::format("leaves differ in oversubscription, from {:.2f}:1 to {:.2f}:1", best, worst),
              c.fabric.devicePath(example), "the slowest leaf paces a collective; give all the same uplinks");
}

// Without its leaf a whole HB domain is off the fabric.
void domainsOnOneLeaf(RuleCheck& c) {
    std::vector<std::uint32_t> leafOf(c.fabric.hbDomains.size(), none);
    std::vector<bool> several(c.fabric.hbDomains.size());
    for (const auto& host : c.graph.hosts) {
        const std::uint32_t domain = c.fabric.devices.hbDomain[host.nic];
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
              fmt::format("{} HB domains hang on one leaf each: without it they are off the fabric", formatCount(count)), example,
              "spread their NICs over several leaves", count);
}

} // namespace

void checkWiring(RuleCheck& check) {
    for (const auto rule : {crossedRailsAndPlanes, unwiredNicPorts, oddLinks, mixedProtocols, unequalOversubscription, domainsOnOneLeaf})
        rule(check);
}

} // namespace railyard
