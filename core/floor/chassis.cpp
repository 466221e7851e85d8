// What is screwed into racks, and at which unit.
#include "core/floor/chassis.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace railyard {
namespace {

// The HB switches of a rack system stand in trays of their own.
void addSwitchTrays(const Fabric& fabric, Floor& floor) {
    std::vector<const RackSystem*> systemOf(fabric.hbDomains.size());
    for (const Chassis& chassis : floor.chassis) {
        const ServerPart* part = chassis.part ? chassis.part->as<ServerPart>() : nullptr;
        const Part* rack = part && !part->rackSystem.empty() ? fabric.design->catalog->find<RackPart>(part->rackSystem) : nullptr;
        const DomainId domain = fabric.devices.hbDomain[chassis.device];
        if (rack && rack->as<RackPart>()->system && domain != none) systemOf[domain] = &*rack->as<RackPart>()->system;
    }
    std::vector<int> inTray(fabric.hbDomains.size());
    std::vector<std::uint32_t> tray(fabric.hbDomains.size(), none);
    for (const DeviceId d : fabric.devices.ids()) {
        const DomainId domain = fabric.devices.hbDomain[d];
        if (!fabric.devices.isHbSwitch(d) || domain == none || !systemOf[domain]) continue;
        if (tray[domain] == none || inTray[domain] == systemOf[domain]->switchesPerTray) {
            tray[domain] = static_cast<std::uint32_t>(floor.chassis.size());
            inTray[domain] = 0;
            floor.chassis.push_back({d, none, nullptr, none, 0, 1, false});
            floor.chassis.back().isSwitchTray = true;
        }
        ++inTray[domain];
        floor.chassisOf[d] = tray[domain];
    }
}

void addScaleUpSwitches(const Fabric& fabric, Floor& floor) {
    std::vector<std::uint32_t> ofDomain(fabric.hbDomains.size(), none);
    const DeviceTable& devices = fabric.devices;
    for (const DeviceId d : devices.ids())
        if (floor.chassisOf[d] != none && devices.hbDomain[d] != none && ofDomain[devices.hbDomain[d]] == none)
            ofDomain[devices.hbDomain[d]] = floor.chassisOf[d];
    for (const DeviceId d : devices.ids())
        if (floor.chassisOf[d] == none && devices.hbDomain[d] != none) floor.chassisOf[d] = ofDomain[devices.hbDomain[d]];
}

// Trays of a rack system stand where its maker puts them.
void giveUnitsOf(const RackSystem& system, const std::vector<std::uint32_t>& members, Floor& floor) {
    std::size_t trays = 0, switchTrays = 0;
    for (const auto c : members) {
        Chassis& chassis = floor.chassis[c];
        const std::vector<int>& units = chassis.isSwitchTray ? system.switchTrayUnits : system.trayUnits;
        std::size_t& next = chassis.isSwitchTray ? switchTrays : trays;
        const bool isTray = chassis.isSwitchTray || chassis.server != none;
        if (isTray && chassis.unit == 0 && next < units.size()) chassis.unit = units[next];
        if (isTray) ++next;
    }
}

// Where nothing is free the device stands at unit 1, and the rule on overlaps says so.
int freeUnit(const std::vector<bool>& taken, int height, bool fromBelow) {
    const int top = static_cast<int>(taken.size()) - height;
    for (int step = 0; step < top; ++step) {
        const int unit = fromBelow ? 1 + step : top - step;
        const auto at = taken.begin() + unit;
        if (std::none_of(at, at + height, [](bool used) { return used; })) return unit;
    }
    return 1;
}

} // namespace

int chassisHeight(const Part* part, int rackUnits) {
    if (part && part->rackUnits) return static_cast<int>(std::ceil(std::clamp(*part->rackUnits, 1.0, 1000.0)));
    return part && part->as<ServerPart>() ? rackUnits : 1;
}

Watts rackPowerOf(const Part* part) { return part ? part->maximum.value_or(part->typical.value_or(Watts(0))) : Watts(0); }

void countIn(Rack& rack, const Part* part, int height) {
    rack.units += height;
    rack.power += rackPowerOf(part);
    rack.kg += part ? part->weightKg.value_or(0) : 0;
    rack.unknownPower |= !part || !part->typicalElseMaximum();
    rack.unknownHeight |= !part || !part->rackUnits;
    rack.unknownWeight |= !part || !part->weightKg;
}

void collectChassis(const Fabric& fabric, int serverRackUnits, Floor& floor) {
    floor.chassisOf.assign(fabric.devices.size(), none);
    std::vector<std::uint32_t> ofServer(fabric.servers.size(), none);
    const auto add = [&](DeviceId device, ServerId server, const Part* part) {
        Chassis chassis;
        chassis.device = device;
        chassis.server = server;
        chassis.part = part;
        chassis.height = chassisHeight(part, serverRackUnits);
        floor.chassis.push_back(chassis);
        return static_cast<std::uint32_t>(floor.chassis.size() - 1);
    };
    for (const DeviceId d : fabric.devices.ids()) {
        const ServerId server = fabric.devices.server[d];
        if (server != none) {
            if (ofServer[server] == none) ofServer[server] = add(d, server, fabric.parts[fabric.serverParts[server]]);
            floor.chassisOf[d] = ofServer[server];
            continue;
        }
        const DeviceKind kind = fabric.devices.kind[d];
        if (infoOf(kind).mounted) floor.chassisOf[d] = add(d, none, fabric.partOf(d));
    }
    addSwitchTrays(fabric, floor);
    addScaleUpSwitches(fabric, floor);
}

void giveUnits(Floor& floor) {
    std::vector<std::vector<std::uint32_t>> members(floor.racks.size());
    for (const bool servers : {true, false})
        for (std::uint32_t c = 0; c < floor.chassis.size(); ++c)
            if (floor.chassis[c].rack != none && (floor.chassis[c].server != none) == servers) members[floor.chassis[c].rack].push_back(c);
    for (std::size_t r = 0; r < members.size(); ++r) {
        const int height = floor.racks[r].height();
        std::vector<bool> taken(static_cast<std::size_t>(height) + 1);
        const auto take = [&](const Chassis& chassis) {
            for (int u = chassis.unit; u < chassis.unit + chassis.height && u <= height; ++u) taken[static_cast<std::size_t>(u)] = true;
        };
        if (const RackPart* part = floor.racks[r].part ? floor.racks[r].part->as<RackPart>() : nullptr; part && part->system)
            giveUnitsOf(*part->system, members[r], floor);
        for (const auto c : members[r])
            if (floor.chassis[c].unit > 0) take(floor.chassis[c]);
        for (const auto c : members[r]) {
            Chassis& chassis = floor.chassis[c];
            if (chassis.unit > 0) continue;
            chassis.unit = freeUnit(taken, chassis.height, floor.racks[r].servers > 0);
            take(chassis);
        }
    }
}

void completeSystems(const Fabric& fabric, const Part& system, Floor& floor) {
    const auto domainOf = [&](const Chassis& chassis) { return fabric.devices.hbDomain[chassis.device]; };
    std::map<DomainId, std::uint32_t> rackOf;
    for (const Chassis& chassis : floor.chassis)
        if (chassis.server != none && chassis.rack != none && floor.racks[chassis.rack].part == &system)
            rackOf.try_emplace(domainOf(chassis), chassis.rack);
    for (Chassis& chassis : floor.chassis)
        if (const auto rack = rackOf.find(domainOf(chassis)); chassis.isSwitchTray && rack != rackOf.end()) {
            chassis.rack = rack->second;
            ++floor.racks[rack->second].units;
        }
    for (Rack& rack : floor.racks) {
        if (rack.part != &system || rack.servers == 0) continue;
        rack.power = rackPowerOf(&system);
        rack.kg = system.weightKg.value_or(0);
        rack.unknownPower = rack.unknownHeight = false;
        rack.unknownWeight = !system.weightKg;
    }
}

} // namespace railyard
