// Everything `metrics` says about a design, computed once and shown by the command line and the desktop alike.
#pragma once

#include "core/bill/bill.h"
#include "core/collective/collective.h"
#include "core/cut/bisection.h"
#include "core/failure/interrupts.h"

#include <array>
#include <map>

namespace railyard {

struct CableCounts {
    std::map<std::string, std::int64_t> byTier, byMedium; // medium "" where no module fits
    std::int64_t cables = 0, transceiversLogical = 0;
    std::optional<std::int64_t> pluggables; // nothing where some link's modules are unknown
    std::map<std::string, std::int64_t> pluggablesByPart;
};

struct FloorFigures {
    std::int64_t racks = 0, rows = 0;
    Metres width, depth;         // of the area the racks cover
    Metres cable;                // sum of stock lengths of all cables
    std::optional<Metres> saved; // less of it than with the leaf racks before their servers; nothing where they stand there, or by hand
    std::optional<Watts> mostRackPower; // of the fullest rack, maximum of its devices; nothing where one does not say
};

// A network beside the compute fabric.
struct SideFigures {
    std::string name;
    std::int64_t switches = 0, links = 0, cables = 0;
    std::optional<std::int64_t> pluggables;

    std::string key() const; // in_band
};

// Cheap enough to follow every edit.
struct InstantMetrics {
    FabricCounts counts;
    CableCounts cables;
    std::array<double, 5> oversubscription{}; // by SwitchTier: sum of link speeds down / up; 0 for the top tier
    Bandwidth injection;                      // sum over GPUs of their NIC ports
    Bill bill;
    std::optional<FloorFigures> floor; // where racks are placed
    std::vector<SideFigures> sides;
};

struct NamedCollective {
    CollectiveOp op;
    Bytes size;
    std::optional<CollectiveResult> result; // nothing where the GPUs cannot reach each other
    std::string why;
};

struct BackgroundMetrics {
    std::array<Bisection, 3> bisection; // by BisectionKey
    Interrupts interrupts;
    std::vector<NamedCollective> collectives;
};

struct Metrics {
    std::string name, recipe, fingerprint;
    InstantMetrics instant;
    BackgroundMetrics background;
};

InstantMetrics instantMetrics(const Fabric& fabric);
InstantMetrics instantMetrics(const Fabric& fabric, const Cabling& cabling);
BackgroundMetrics backgroundMetrics(const Fabric& fabric, const Fabric& intact);
// Nothing where it was asked to stop on the way.
std::optional<BackgroundMetrics> backgroundMetrics(const Fabric& fabric, const Fabric& intact, const std::stop_token& stop);
Metrics metricsOf(const Fabric& fabric, const Fabric& intact);

} // namespace railyard
