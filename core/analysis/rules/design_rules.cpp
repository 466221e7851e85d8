#include "core/analysis/rules/fixes.h"
#include "core/analysis/rules/rule_check.h"
#include "core/base/natural_order.h"
#include "core/base/slot_numbers.h"
#include "core/base/unit_text.h"
#include "core/fabric/bgl.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

// One look at every port; only where one is used twice is it worth to sort them.
bool isAnyPortUsedTwice(const Fabric& fabric) {
    const auto each = [&](const auto& see) {
        for (const LinkId l : fabric.links.ids()) {
            if (!fabric.isNetworkLink(l)) continue;
            see(fabric.links.a[l], fabric.links.aPort[l]);
            see(fabric.links.b[l], fabric.links.bPort[l]);
        }
    };
    const SlotNumbers numbers(fabric.devices.size(), each);
    std::vector<bool> used(numbers.size());
    bool twice = false;
    each([&](DeviceId device, std::uint32_t port) {
        const std::size_t number = numbers.numberOf(device, port);
        twice = twice || used[number];
        used[number] = true;
    });
    return twice;
}

void portUsedTwice(RuleCheck& c) {
    if (!isAnyPortUsedTwice(c.fabric)) return;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> uses;
    for (const LinkId l : c.fabric.links.ids()) {
        if (!c.fabric.isNetworkLink(l)) continue;
        uses.emplace_back((std::uint64_t{c.fabric.links.a[l]} << 32) | c.fabric.links.aPort[l], l);
        uses.emplace_back((std::uint64_t{c.fabric.links.b[l]} << 32) | c.fabric.links.bPort[l], l);
    }
    std::sort(uses.begin(), uses.end());
    for (std::size_t i = 1; i < uses.size(); ++i) {
        if (uses[i].first != uses[i - 1].first) continue;
        const DeviceId device(uses[i].first >> 32);
        const PortId port(uses[i].first);
        const std::string path = c.fabric.devicePath(device) + ":" + c.fabric.portName(device, port, LinkTier::LeafSpine);
        c.add("RY-P001", Severity::Error, fmt::format("Two cables are connected to port {}.", path), path,
              "Move one of them to a free port.");
    }
}

void portsExceeded(RuleCheck& c) {
    std::vector<std::uint32_t> used(c.fabric.devices.size()), highest(c.fabric.devices.size());
    for (const LinkId l : c.fabric.links.ids()) {
        if (!c.fabric.isNetworkLink(l)) continue;
        for (const auto& [device, port] :
             {std::pair(c.fabric.links.a[l], c.fabric.links.aPort[l]), std::pair(c.fabric.links.b[l], c.fabric.links.bPort[l])}) {
            ++used[device];
            highest[device] = std::max<std::uint32_t>(highest[device], port);
        }
    }
    std::int64_t free = 0;
    int freeSwitches = 0, unwired = 0;
    std::string freeExample, unwiredExample;
    for (DeviceId d(0); d < used.size(); ++d) {
        const auto ports = static_cast<std::uint32_t>(c.fabric.portCount(d));
        if (highest[d] > ports)
            c.add("RY-P002", Severity::Error,
                  fmt::format("{} uses port {} but has only {} ports.", c.fabric.devicePath(d), highest[d], ports), c.fabric.devicePath(d),
                  "Choose a switch with more ports, or remove links.");
        if (!c.fabric.devices.routes(d)) continue;
        if (used[d] == 0) {
            if (unwired++ == 0) unwiredExample = c.fabric.devicePath(d);
        } else if (used[d] < ports) {
            free += ports - used[d];
            if (freeSwitches++ == 0) freeExample = c.fabric.devicePath(d);
        }
    }
    if (unwired > 0)
        c.add("RY-P004", Severity::Warning,
              unwired == 1 ? fmt::format("{} has no cables.", unwiredExample)
                           : fmt::format("{} switches have no cables.", formatCount(unwired)),
              unwiredExample, unwired == 1 ? "Connect it, or delete it." : "Connect them, or delete them.", unwired);
    if (free > 0)
        c.add("RY-P003", Severity::Note,
              fmt::format("{} of {} {} unused.", counted(free, "{} port", "{} ports"), counted(freeSwitches, "{} switch", "{} switches"),
                          free == 1 ? "is" : "are"),
              freeExample, "Keep them for expansion, or choose a smaller switch.", freeSwitches);
}

std::optional<std::size_t> nativeGroup(const PortLayout& layout, std::uint32_t port) {
    std::uint32_t before = 0;
    for (std::size_t g = 0; g < layout.size(); ++g) {
        before += static_cast<std::uint32_t>(layout[g].count);
        if (port <= before) return g;
    }
    return {};
}

// A link runs at the speed of both its ports; a breakout is a port of its own speed.
void speedMismatch(RuleCheck& c) {
    std::map<std::string, std::pair<int, std::string>> seen; // how many, an example
    for (const LinkId l : c.fabric.links.ids()) {
        if (!c.fabric.isNetworkLink(l)) continue;
        for (const auto& [device, port] :
             {std::pair(c.fabric.links.a[l], c.fabric.links.aPort[l]), std::pair(c.fabric.links.b[l], c.fabric.links.bPort[l])}) {
            const PortLayout& layout = c.fabric.portLayouts[c.fabric.devices.ports[device]];
            const auto group = nativeGroup(layout, port);
            if (!group || layout[*group].speed == c.fabric.speedOf(l)) continue;
            auto& [count, example] = seen[fmt::format("{:g} Gb/s links are connected to {:g} Gb/s ports.", inGbps(c.fabric.speedOf(l)),
                                                      inGbps(layout[*group].speed))];
            if (count++ == 0) example = c.fabric.devicePath(device) + ":" + c.fabric.portName(device, port, c.fabric.links.tier[l]);
        }
    }
    for (const auto& [text, found] : seen)
        c.add("RY-L002", Severity::Error, text, found.second, "Use the same speed for the link and its ports, or use a breakout.",
              found.first);
}

void unreachableGpus(RuleCheck& c) {
    std::vector<bool> nicWired(c.fabric.devices.size()), gpuWired(c.fabric.devices.size());
    for (const auto& host : c.graph.hosts) nicWired[host.nic] = true;
    for (const auto& [a, b] : c.graph.direct) nicWired[a] = nicWired[b] = true;
    const LinkTable& links = c.fabric.links;
    std::vector<bool> domainWired(c.fabric.hbDomains.size());
    std::set<std::uint32_t> domains;
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie && nicWired[links.b[l]]) gpuWired[links.a[l]] = true;
    for (const DeviceId d : c.fabric.devices.ids()) {
        if (!c.fabric.devices.isGpu(d)) continue;
        if (c.fabric.devices.hbDomain[d] != none) domains.insert(c.fabric.devices.hbDomain[d]);
        if (gpuWired[d] && c.fabric.devices.hbDomain[d] != none) domainWired[c.fabric.devices.hbDomain[d]] = true;
    }
    int unreachable = 0, unwired = 0;
    std::string example, unwiredExample;
    if (domains.size() < 2) return;
    for (const DeviceId d : c.fabric.devices.ids()) {
        if (!c.fabric.devices.isGpu(d) || gpuWired[d]) continue;
        const bool alone = c.fabric.devices.hbDomain[d] == none || !domainWired[c.fabric.devices.hbDomain[d]];
        if (alone && unreachable++ == 0) example = c.fabric.devicePath(d);
        if (!alone && unwired++ == 0) unwiredExample = c.fabric.devicePath(d);
    }
    if (unreachable > 0)
        c.add("RY-R001", Severity::Error,
              counted(unreachable, "{} GPU cannot reach any other server.", "{} GPUs cannot reach any other server."), example,
              "Connect a NIC of the server to a leaf.", unreachable);
    if (unwired > 0)
        c.add("RY-R002", Severity::Warning,
              counted(unwired, "{} GPU has no connected NIC and depends on forwarding inside its HB domain.",
                      "{} GPUs have no connected NIC and depend on forwarding inside their HB domain."),
              unwiredExample, unwired == 1 ? "Connect its NIC." : "Connect their NICs.", unwired);
}

// Servers that no chain of switches and HB domains joins.
void disconnected(RuleCheck& c) {
    const std::vector<std::uint32_t> part = connectedParts(c.fabric);
    std::set<std::uint32_t> parts;
    std::string example;
    for (const DeviceId d : c.fabric.devices.ids())
        if (c.fabric.devices.isGpu(d) && parts.insert(part[d]).second) example = c.fabric.devicePath(d);
    std::set<std::uint32_t> wired;
    for (const auto& host : c.graph.hosts) wired.insert(part[host.nic]);
    if (parts.size() > 1 && wired.size() > 1)
        c.add("RY-R003", Severity::Error, fmt::format("The design consists of {} parts that cannot reach each other.", parts.size()),
              example, "Connect the switches of these parts.", static_cast<int>(parts.size()));
}

void unevenEcmp(RuleCheck& c) {
    for (const auto& group : c.graph.groups) {
        if (group.regular) continue;
        const std::string example = c.fabric.devicePath(c.graph.device[group.uppers.front()]);
        c.add("RY-E001", Severity::Warning,
              fmt::format("ECMP is uneven: the {} switches do not all have the same number of links to each of the {} switches above them.",
                          group.lowers.size(), group.uppers.size()),
              example, "Use a switch count that divides the number of uplinks.", static_cast<int>(group.lowers.size()));
    }
}

void singlePoints(RuleCheck& c) {
    std::vector<std::uint32_t> leafOf(c.fabric.devices.size(), none);
    std::vector<bool> several(c.fabric.devices.size()); // NICs with ports on several leaves
    for (const auto& host : c.graph.hosts) {
        several[host.nic] = several[host.nic] || (leafOf[host.nic] != none && leafOf[host.nic] != host.node);
        leafOf[host.nic] = host.node;
    }
    std::map<std::uint32_t, std::int64_t> nicsOnLeaf; // that have no other
    for (std::size_t d = 0; d < leafOf.size(); ++d)
        if (leafOf[d] != none && !several[d]) ++nicsOnLeaf[leafOf[d]];
    if (!nicsOnLeaf.empty()) {
        const auto worst = std::max_element(nicsOnLeaf.begin(), nicsOnLeaf.end(), [](auto& a, auto& b) { return a.second < b.second; });
        const auto leaves = static_cast<std::int64_t>(nicsOnLeaf.size());
        c.add("RY-S001", Severity::Note,
              leaves == 1 ? fmt::format("One leaf is a single point of failure for {}.", counted(worst->second, "{} NIC", "{} NICs"))
                          : fmt::format("{} leaves are single points of failure, each for up to {}.", formatCount(leaves),
                                        counted(worst->second, "{} NIC", "{} NICs")),
              c.fabric.devicePath(c.graph.device[worst->first]), "Add a second plane or use dual-ToR to remove them.",
              static_cast<int>(leaves));
    }
    const std::vector<NodeId> bridges = cutSwitches(c.graph);
    std::vector<std::uint32_t> upper;
    for (const auto v : bridges)
        if (c.graph.tier[v] != SwitchTier::Leaf) upper.push_back(v);
    if (!upper.empty())
        c.add("RY-S002", Severity::Warning,
              counted(static_cast<std::int64_t>(upper.size()),
                      "{} switch above the leaves is a single point of failure: if it fails, the fabric is partitioned.",
                      "{} switches above the leaves are single points of failure: if any of them fails, the fabric is partitioned."),
              c.fabric.devicePath(c.graph.device[upper.front()]), "Add a redundant switch.", static_cast<int>(upper.size()));
}

void prices(RuleCheck& c) {
    std::set<std::string> old;                                            // leaves and spines may be one part
    std::map<std::string, std::pair<std::int64_t, std::string>> unpriced; // cables of one part come in several lengths
    for (const BillLine& line : c.bill.lines) {
        const std::string subject = line.part ? line.part->id : line.description;
        if (!line.base) {
            auto& [quantity, name] = unpriced[subject];
            quantity += line.quantity;
            name = line.part ? line.part->name : line.description;
        } else if (line.part && line.part->price && isOldPrice(line.part->price->date, c.asOf) && old.insert(subject).second)
            c.add("RY-C002", Severity::Warning,
                  fmt::format("The price of {} dates from {}, more than twelve months ago.", line.part->id, line.part->price->date),
                  subject, "Request a new quote.");
    }
    for (const auto& [subject, line] : unpriced)
        c.add("RY-C001", Severity::Note, fmt::format("No price is known for {} × {}.", formatCount(line.first), line.second), subject,
              "Totals are lower bounds until these are priced.", static_cast<int>(line.first));
    std::set<std::string> unknown(c.bill.unknownPower.begin(), c.bill.unknownPower.end());
    for (const std::string& part : unknown)
        c.add("RY-C003", Severity::Note, fmt::format("The power consumption of {} is not published.", part), part,
              "Power totals that include it are not available.");
}

} // namespace

std::vector<Diagnostic> checkDesign(const Fabric& fabric, const Cabling& cabling, const Bill& bill, std::string_view asOf) {
    RuleCheck check{fabric,
                    cabling,
                    bill,
                    asOf.empty() ? std::string_view(fabric.design->catalog->asOf()) : asOf,
                    switchGraphOf(fabric),
                    fabric.diagnostics};
    for (const auto rule : {portUsedTwice, portsExceeded, speedMismatch, unreachableGpus, disconnected, unevenEcmp, singlePoints, prices,
                            checkFloor, checkLossless, checkWiring, checkHbDomains, checkParts, checkCost, checkTraining})
        rule(check);
    addFixes(check);
    for (Diagnostic& d : check.found)
        for (const Approval& approval : fabric.design->approvals)
            if (approval.code == d.code && (approval.subject.empty() || approval.subject == d.subject)) d.approved = approval.reason;
    std::stable_sort(check.found.begin(), check.found.end(), [](const Diagnostic& a, const Diagnostic& b) {
        if (a.approved.empty() != b.approved.empty()) return a.approved.empty();
        if (a.severity != b.severity) return a.severity > b.severity;
        return a.code != b.code ? a.code < b.code : naturallyLess(a.subject, b.subject);
    });
    return check.found;
}

} // namespace railyard
