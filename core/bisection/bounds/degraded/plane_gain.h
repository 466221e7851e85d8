// What failed links gain for a cut where the top switches of a fabric are divided, for the argument of top_sides.cpp.
#pragma once

#include "core/base/quantity.h"

#include <cstdint>
#include <vector>

namespace railyard {

struct PlaneFailures {
    // Failed capacity below and above a spine, and what it sends to one top. A row has one spine of a pod in every plane.
    struct Spine {
        std::uint32_t row, plane;
        Bandwidth below, above, toTop;
    };
    struct OfUnit { // between the leaves of a unit and a spine, or a top without a row
        std::uint32_t unit, row, plane;
        Bandwidth failed;
    };
    struct Top {
        std::uint32_t plane;
        Bandwidth failed;
    };
    std::uint32_t planes = 0;
    std::vector<double> endpointsOfUnit, endpointsOfRow; // a pod's in equal parts
    std::vector<std::uint32_t> podOfUnit;
    std::vector<Spine> spines;
    std::vector<OfUnit> ofUnits;
    std::vector<Top> tops;
    double smallest = 1; // share of a unit in the flow of its pod
};

// The most that spines gain, whatever sides units and tops take. Units stand whole, and the sides have equal numbers of endpoints. All
// tops of a plane are listed; without spines, every plane is a top.
// [n]: while n of the planes have tops on both sides.
std::vector<Bandwidth> mostGainByDividedPlanes(const PlaneFailures& failures);
Bandwidth mostGainOfPlanes(const PlaneFailures& failures);

} // namespace railyard
