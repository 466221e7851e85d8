#include "core/floor/floor.h"

#include "core/floor/placement.h"
#include "core/floor/rows.h"

#include <cmath>

namespace railyard {

Floor floorOf(const Fabric& fabric, std::optional<LeafRacks> leafRacks) {
    Floor floor;
    if (!fabric.design->floor) return floor;
    if (fabric.intact) {
        const Floor before = floorOf(*fabric.intact, leafRacks);
        floor = before;
        floor.chassisOf.clear();
        for (const DeviceId device : fabric.intactDevice) floor.chassisOf.push_back(before.chassisOf[device]);
        return floor;
    }
    floor.plan = *fabric.design->floor;
    floor.plan.leafRacks = leafRacks.value_or(floor.plan.leafRacks);
    placeRacks(placeChassis(fabric, floor), floor);
    return floor;
}

std::string_view Rack::row() const { return std::string_view(label).substr(0, label.find_first_of("0123456789")); }

std::optional<Metres> Floor::route(DeviceId a, DeviceId b) const {
    const Chassis *from = chassisAt(a), *to = chassisAt(b);
    if (!from || !to || from->rack == none || to->rack == none) return {};
    const auto height = [](const Chassis& c) { return (c.unit - 1 + c.height / 2.0) * rackUnitMetres; };
    if (from->rack == to->rack) return Metres(std::abs(height(*from) - height(*to)) + inRackDressingMetres);
    const Rack &left = racks[from->rack], &right = racks[to->rack];
    const auto drop = [&](const Chassis& c) { return std::max(0.0, plan.trayHeight.value() - height(c)); };
    const double distance = std::abs(left.x - right.x) + std::abs(left.y - right.y) + drop(*from) + drop(*to);
    return Metres(distance * (1 + plan.slackFraction) + 2 * plan.slack.value());
}

std::string chassisPath(const Fabric& fabric, const Chassis& chassis) {
    return chassis.server != none ? fabric.scopePath(fabric.servers[chassis.server]) : fabric.devicePath(chassis.device);
}

} // namespace railyard
