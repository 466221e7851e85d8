#include "core/floor/guests.h"

#include "core/floor/chassis.h"
#include "core/floor/rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {

GuestPlacer::GuestPlacer(Floor& floor, const Catalog& catalog)
    : m_floor(floor),
      m_rackPart(rackFor(floor.plan, nullptr, catalog)),
      m_isTaken(floor.racks.size()) {
    for (std::uint32_t r = 0; r < floor.racks.size(); ++r) {
        m_isTaken[r].resize(static_cast<std::size_t>(floor.racks[r].height()) + 1);
        if (floor.racks[r].switches > 0) m_candidates.push_back(r);
    }
    for (const Chassis& chassis : floor.chassis) {
        if (chassis.rack == none) continue;
        std::vector<bool>& taken = m_isTaken[chassis.rack];
        for (int u = chassis.unit; u < chassis.unit + chassis.height && u < static_cast<int>(taken.size()); ++u)
            taken[static_cast<std::size_t>(u)] = true;
    }
}

// From the top, as network devices of server racks.
int GuestPlacer::freeUnit(std::uint32_t rack, int height) const {
    const std::vector<bool>& taken = m_isTaken[rack];
    for (int unit = static_cast<int>(taken.size()) - height; unit >= 1; --unit) {
        const auto at = taken.begin() + unit;
        if (std::none_of(at, at + height, [](bool used) { return used; })) return unit;
    }
    return 0;
}

bool GuestPlacer::hasRoom(std::uint32_t rack, const Part* part, int height) const {
    const Rack& own = m_floor.racks[rack];
    const double watts = own.power.value() + rackPowerOf(part).value();
    const double most = own.part ? own.part->as<RackPart>()->power.value() : watts;
    return watts <= most * (1 + 1e-9) && freeUnit(rack, height) > 0;
}

std::uint32_t GuestPlacer::openRack() {
    if (m_ownRow == 0) m_ownRow = m_floor.rows + 1;
    Rack rack;
    do rack.name = fmt::format("network-rack[{}]", ++m_opened); // not that of a rack that was named by hand
    while (std::any_of(m_floor.racks.begin(), m_floor.racks.end(), [&](const Rack& each) { return each.name == rack.name; }));
    rack.part = m_rackPart;
    const int rowLength = std::max(1, static_cast<int>(std::lround(m_floor.width.value() / m_floor.rackPitch.value())));
    if (m_inOwnRow >= rowLength) ++m_ownRow, m_inOwnRow = 0;
    const auto isTaken = [&](RackSpot spot) { // by a rack that was moved there
        return std::any_of(m_floor.racks.begin(), m_floor.racks.end(), [&](const Rack& each) { return each.spot == spot; });
    };
    do rack.spot = {m_ownRow, ++m_inOwnRow};
    while (isTaken(rack.spot));
    if (const auto moved = m_floor.plan.moved.find(rack.name); moved != m_floor.plan.moved.end())
        rack.spot = moved->second, rack.moved = true;
    setSpot(m_floor, rack);
    m_isTaken.emplace_back(static_cast<std::size_t>(rack.height()) + 1);
    m_floor.racks.push_back(std::move(rack));
    m_candidates.push_back(static_cast<std::uint32_t>(m_floor.racks.size() - 1));
    return m_candidates.back();
}

std::uint32_t GuestPlacer::place(std::string path, const Part* part, FloorPoint near) {
    Guest guest{std::move(path), part, none, 0, chassisHeight(part, m_rackPart ? m_rackPart->as<RackPart>()->units : 48)};
    double least = 0;
    for (const std::uint32_t r : m_candidates) {
        const Rack& rack = m_floor.racks[r];
        const double distance = std::abs(rack.x - near.x) + std::abs(rack.y - near.y);
        if (guest.rack != none && distance >= least - 1e-9) continue; // of equally near racks the first
        if (!hasRoom(r, part, guest.height)) continue;
        guest.rack = r;
        least = distance;
    }
    if (guest.rack == none) guest.rack = openRack();
    guest.unit = std::max(1, freeUnit(guest.rack, guest.height));
    std::vector<bool>& taken = m_isTaken[guest.rack];
    for (int u = guest.unit; u < guest.unit + guest.height && u < static_cast<int>(taken.size()); ++u)
        taken[static_cast<std::size_t>(u)] = true;
    Rack& rack = m_floor.racks[guest.rack];
    ++rack.switches;
    ++rack.switchesByTier[static_cast<std::size_t>(SwitchTier::None)];
    countIn(rack, part, guest.height);
    m_floor.guests.push_back(std::move(guest));
    return static_cast<std::uint32_t>(m_floor.guests.size() - 1);
}

} // namespace railyard
