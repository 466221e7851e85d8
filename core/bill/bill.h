// Bill of materials with low, base and high prices, and power. A part without a base price is excluded from all totals.
#pragma once

#include "core/bill/auxiliary_networks.h"
#include "core/bill/cable_counts.h"
#include "core/bill/site.h"

#include <array>

namespace railyard {

enum class BillCategory { Switch, Cable, Pluggable, Nic, Server, Storage, InBand, OutOfBand, Rack, Labour };
inline constexpr std::array<std::string_view, 10> billCategoryNames{"switch",  "cable",   "pluggable",   "nic",  "server",
                                                                    "storage", "in_band", "out_of_band", "rack", "labour"};
inline constexpr std::size_t poweredCategories = 8; // racks and labour have no power
// With the name of an auxiliary network before them: "Storage Cables".
inline constexpr std::string_view cablesSection = "Cables", opticsSection = "Optics";

struct BillLine {
    BillCategory category = BillCategory::Switch;
    std::string section; // Compute, Leaf, Spine, Superspine, Core, Optics, Cables, NICs, Racks, Labour
    const Part* part = nullptr;
    std::string description; // without a part: a description of the part that is required
    std::int64_t quantity = 0;
    std::string unit = "each";
    Metres length;                         // length of one cable
    std::optional<Money> low, base, high;  // unit prices; low and high default to base
    std::optional<Watts> typical, maximum; // of one unit; both ends of active cables
    std::optional<std::int64_t> spares;    // set if spares were requested and there is a rule for this line
    std::optional<double> leadTimeHours;   // assumed, where the spares depend on it
    double discount = 0;                   // fraction off the unit prices, see discounts.h; the sums of a bill are without discounts
};

inline constexpr double hoursPerYear = 8760;

struct Bill {
    std::vector<BillLine> lines;
    std::array<std::optional<Money>, billCategoryNames.size()> byCategory; // 0 without lines, empty if no line has a price
    std::array<int, billCategoryNames.size()> linesByCategory{};
    Money network, total, low, high; // lines with a price only
    int unpricedLines = 0;
    std::array<std::optional<Watts>, poweredCategories> watts; // empty if the power of a part is unknown
    std::optional<Watts> networkPower, totalPower;
    std::optional<Watts>
        networkPowerAtMost;                // with the maximum of parts whose typical power is not published; empty: not even that is known
    std::vector<std::string> unknownPower; // IDs of these parts
    Site site;

    // Recurring cost in US dollars per year; empty if the power of a part is unknown.
    std::optional<Watts> facilityPower() const;
    std::optional<double> energyPerYear() const, spacePerYear() const;

    std::optional<Money>& totalOf(BillCategory category) { return byCategory[static_cast<std::size_t>(category)]; }
};

// modulesOf() and cableCountsOf() a fabric.
struct CountedCables {
    std::vector<ModuleCount> modules;
    std::vector<CableCount> cables;
};
// `counted`: where that is known already.
Bill billOf(const Fabric& fabric, const Cabling& cabling, const CountedCables* counted = nullptr);
// Switches, cables and modules of an auxiliary network; its servers and NICs are those of the design.
std::vector<BillLine> billLines(const AuxiliaryFabric& side);

// The lines of every block: `blockOf` assigns every device a number below `blocks`; if it is empty, the design is one block.
// A cable belongs to the block of its lower end, and a module to the block of its device.
std::vector<std::vector<BillLine>> billLines(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf,
                                             std::size_t blocks);

} // namespace railyard
