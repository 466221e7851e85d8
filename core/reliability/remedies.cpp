#include "core/reliability/remedies.h"

#include "core/bill/spares.h"
#include "core/fabric/optical_switches.h"
#include "core/fabric/rack_systems.h"

#include <algorithm>
#include <map>
#include <set>

namespace railyard {
namespace {

std::optional<Money> priceOf(const Part* part) { return part && part->price ? part->price->base : std::nullopt; }

Money dividedBy(Money price, std::int64_t parts) { return Money::cents(price.inCents() / parts); }

// Of a server, or of a tray as its share of the rack with which it is bought.
std::optional<Money> priceOfServer(const Fabric& fabric, ServerId server) {
    if (const auto own = priceOf(fabric.parts[fabric.serverParts[server]])) return own;
    const Part* rack = rackSystemOf(fabric, server);
    const auto whole = priceOf(rack);
    const auto& system = rack ? rack->as<RackPart>()->system : std::nullopt;
    return whole && system && !system->trayUnits.empty()
               ? std::optional(dividedBy(*whole, static_cast<std::int64_t>(system->trayUnits.size())))
               : std::nullopt;
}

// The servers of the job of one part, and the HB domains that they stand in.
struct OfPart {
    std::string part;
    ServerId first;
    std::int64_t gpusOfServer = 0;
    std::map<DomainId, std::set<ServerId>> domains;
    std::map<DomainId, std::int64_t> gpus;
};
std::map<std::uint16_t, OfPart> serversByPart(const Fabric& fabric, const JobParts& parts) {
    std::map<std::uint16_t, OfPart> all;
    for (const DeviceId gpu : parts.gpus) {
        const ServerId server = parts.serverOf[gpu];
        if (server == none) continue;
        const auto [found, isFresh] = all.try_emplace(fabric.serverParts[server]);
        OfPart& own = found->second;
        if (isFresh) own.part = fabric.partIds[fabric.serverParts[server]], own.first = server;
        if (const DomainId domain = fabric.devices.hbDomain[gpu]; domain != none) own.domains[domain].insert(server), ++own.gpus[domain];
    }
    for (const DeviceId d : fabric.devices.ids())
        for (auto& [index, own] : all)
            if (fabric.devices.isGpu(d) && fabric.devices.server[d] == own.first) ++own.gpusOfServer;
    return all;
}

void addServers(const Fabric& fabric, const OfPart& own, const ReliabilityRequest& request, std::vector<Remedy>& remedies) {
    const Seconds restart = request.checkpoint.restart;
    const std::optional<Money> price = priceOfServer(fabric, own.first);
    const auto add = [&](std::string_view key, std::string_view label, std::int64_t count, const std::optional<Money>& each, Seconds with) {
        remedies.push_back({key, label, own.part, count, each, with, request.repairServer});
    };
    const std::int64_t standbys = std::max<std::int64_t>(1, request.standbys);
    if (std::any_of(own.gpus.begin(), own.gpus.end(), [](const auto& each) { return each.second > 1; }))
        add("spare-gpu", "A spare GPU in every HB domain", static_cast<std::int64_t>(own.domains.size()),
            price ? std::optional(dividedBy(*price, std::max<std::int64_t>(1, own.gpusOfServer))) : std::nullopt, restart);
    if (!own.domains.empty()) {
        const auto largest = std::max_element(own.domains.begin(), own.domains.end(),
                                              [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
        const auto servers = static_cast<std::int64_t>(largest->second.size());
        add("standby-domain", "A standby HB domain", 1, price ? std::optional(*price * servers) : std::nullopt, restart);
    }
    add("standby-server", "Standby servers", standbys, price, restart);
    const OpticalSwitches switches = opticalSwitchesOf(fabric);
    if (!switches.isAny() || switches.tier != LinkTier::HostLeaf) return;
    if (const auto turning = switches.part->as<OpticalSwitchPart>()->switchingMs)
        add("ocs-spare", "Spare servers behind optical switches", standbys, price, restart + Seconds(*turning / 1000));
}

void addLeaves(const Fabric& fabric, const JobParts& parts, const ReliabilityRequest& request, std::vector<Remedy>& remedies) {
    std::map<std::uint16_t, std::int64_t> leaves; // by part
    for (const DeviceId d : fabric.devices.ids())
        if (parts.devices[d] != PartUse::None && fabric.devices.routes(d) && fabric.devices.tier[d] == SwitchTier::Leaf)
            ++leaves[fabric.devices.part[d]];
    constexpr double confidence = 0.95;
    const Rates rates = ratesOf(*fabric.design, request);
    for (const auto& [index, count] : leaves) {
        const std::string& part = fabric.partIds[index];
        const auto rate = rates.of(PartKind::Leaf, part).base;
        const std::int64_t spares =
            rate ? std::max<std::int64_t>(1, sparesFor(count, *rate * request.earlyLife, spareLeadTimeHours, confidence)) : 1;
        remedies.push_back({"spare-leaf", "Spare leaves", part, spares, priceOf(fabric.parts[index]), request.repairSwitch,
                            Seconds(spareLeadTimeHours * 3600)});
    }
}

} // namespace

std::vector<Remedy> remediesOf(const Fabric& fabric, const JobParts& parts, const ReliabilityRequest& request) {
    std::vector<Remedy> remedies;
    for (const auto& [index, own] : serversByPart(fabric, parts)) addServers(fabric, own, request, remedies);
    addLeaves(fabric, parts, request, remedies);
    return remedies;
}

} // namespace railyard
