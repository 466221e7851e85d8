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

} // namespace

std::vector<Remedy> remediesOf(const Fabric& fabric, const JobParts& parts, const ReliabilityRequest& request) {
    std::vector<Remedy> remedies;
    const Seconds restart = request.checkpoint.restart;
    if (!parts.servers.empty() && !parts.gpus.empty()) {
        const ServerId server = parts.servers.front();
        const std::optional<Money> ofServer = priceOfServer(fabric, server);
        std::int64_t gpusOfServer = 0;
        for (const DeviceId d : fabric.devices.ids()) gpusOfServer += fabric.devices.isGpu(d) && fabric.devices.server[d] == server ? 1 : 0;
        std::map<DomainId, std::set<ServerId>> domains;
        std::map<DomainId, std::int64_t> gpusOf;
        for (const DeviceId gpu : parts.gpus)
            if (const DomainId domain = fabric.devices.hbDomain[gpu]; domain != none && parts.serverOf[gpu] != none)
                domains[domain].insert(parts.serverOf[gpu]), ++gpusOf[domain];
        const bool isShared = std::any_of(gpusOf.begin(), gpusOf.end(), [](const auto& each) { return each.second > 1; });
        if (isShared)
            remedies.push_back({"spare-gpu", "A spare GPU in every HB domain", static_cast<std::int64_t>(domains.size()),
                                ofServer ? std::optional(dividedBy(*ofServer, std::max<std::int64_t>(1, gpusOfServer))) : std::nullopt,
                                restart, request.repairServer});
        if (!domains.empty()) {
            const auto servers = static_cast<std::int64_t>(domains.begin()->second.size());
            remedies.push_back({"standby-domain", "A standby HB domain", 1, ofServer ? std::optional(*ofServer * servers) : std::nullopt,
                                restart, request.repairServer});
        }
        remedies.push_back(
            {"standby-server", "Standby servers", std::max<std::int64_t>(1, request.standbys), ofServer, restart, request.repairServer});
    }
    if (const OpticalSwitches switches = opticalSwitchesOf(fabric); switches.isAny() && !parts.servers.empty()) {
        const auto turning = switches.part->as<OpticalSwitchPart>()->switchingMs;
        if (switches.tier == LinkTier::HostLeaf)
            remedies.push_back({"ocs-spare", "Spare servers behind the optical circuit switches",
                                std::max<std::int64_t>(1, request.standbys), priceOfServer(fabric, parts.servers.front()),
                                restart + Seconds(turning.value_or(0) / 1000), request.repairServer});
    }
    std::int64_t leaves = 0;
    DeviceId leaf = none;
    for (const DeviceId d : fabric.devices.ids())
        if (parts.devices[d] != PartUse::None && fabric.devices.routes(d) && fabric.devices.tier[d] == SwitchTier::Leaf)
            if (leaves++ == 0) leaf = d;
    if (leaves > 0) {
        const std::string& part = fabric.partIds[fabric.devices.part[leaf]];
        const auto rate = ratesOf(*fabric.design, request).of(PartKind::Leaf, part).base;
        constexpr double confidence = 0.95;
        const std::int64_t spares =
            rate ? std::max<std::int64_t>(1, sparesFor(leaves, *rate * request.earlyLife, spareLeadTimeHours, confidence)) : 1;
        remedies.push_back(
            {"spare-leaf", "Spare leaves", spares, priceOf(fabric.partOf(leaf)), request.repairSwitch, Seconds(spareLeadTimeHours * 3600)});
    }
    return remedies;
}

} // namespace railyard
