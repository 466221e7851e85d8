// Rack space for the switches of networks beside the compute fabric: storage, in-band and out-of-band.
#pragma once

#include "core/floor/floor.h"

namespace railyard {

// A place on the floor, in metres.
struct FloorPoint {
    double x = 0, y = 0;
};

// Places switches one after the other, each in the nearest rack with switches that has units and power to spare. If none has, it opens
// racks in a row of their own, behind the others. What already stands on the floor does not move.
class GuestPlacer {
public:
    GuestPlacer(Floor& floor, const Catalog& catalog);
    std::uint32_t place(std::string path, const Part* part, FloorPoint near); // the index in Floor::guests

private:
    bool hasRoom(std::uint32_t rack, const Part* part, int height) const;
    int freeUnit(std::uint32_t rack, int height) const; // 0: none
    std::uint32_t openRack();

    Floor& m_floor;
    const Part* m_rackPart;
    std::vector<std::uint32_t> m_candidates;  // racks that hold switches
    std::vector<std::vector<bool>> m_isTaken; // of each rack: by unit
    int m_ownRow = 0, m_inOwnRow = 0, m_opened = 0;
};

} // namespace railyard
