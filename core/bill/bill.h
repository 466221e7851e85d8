// What is to be bought, priced low / base / high, and what it draws. A part without a base price enters no total.
#pragma once

#include "core/bill/side_networks.h"

#include <array>

namespace railyard {

enum class BillCategory { Switch, Cable, Pluggable, Nic, Server, Storage, InBand, OutOfBand, Rack, Labour };
inline constexpr std::array<std::string_view, 10> billCategoryNames{"switch",  "cable",   "pluggable",   "nic",  "server",
                                                                    "storage", "in_band", "out_of_band", "rack", "labour"};
inline constexpr std::size_t poweredCategories = 8; // racks and work draw nothing

struct BillLine {
    BillCategory category = BillCategory::Switch;
    std::string section; // Compute, Leaf, Spine, Superspine, Core, Optics, Cables, NICs, Racks, Labour
    const Part* part = nullptr;
    std::string description; // where there is no part: what has to be found
    std::int64_t quantity = 0;
    std::string unit = "each";
    Metres length;                         // of one, where it is a cable
    std::optional<Money> low, base, high;  // of one; low and high default to base
    std::optional<Watts> typical, maximum; // of one, both ends of active cables
    std::optional<std::int64_t> spares;    // where they were asked for and a failure rate is published
};

inline constexpr double powerUsageEffectiveness = 1.3; // modern hall; facility / equipment power
inline constexpr double hoursPerYear = 8760;
inline constexpr double dollarsPerKilowattHour = 0.12; // US industrial planning value
// Wholesale colocation, 250-500 kW, without energy: CBRE North America Data Center Trends H2 2024.
inline constexpr double dollarsPerKilowattMonth = 184.06;

struct Bill {
    std::vector<BillLine> lines;
    std::array<std::optional<Money>, billCategoryNames.size()> byCategory; // 0 without lines, nothing where no line is priced
    std::array<int, billCategoryNames.size()> linesByCategory{};
    Money network, total, low, high; // priced lines only
    int unpricedLines = 0;
    std::array<std::optional<Watts>, poweredCategories> watts; // nothing where a part's power is unknown
    std::optional<Watts> networkPower, totalPower;
    std::vector<std::string> unknownPower; // parts

    // Recurring; nothing where some part's power is unknown. Energy and space are US dollars a year.
    std::optional<Watts> facilityPower() const;
    std::optional<double> energyPerYear() const, spacePerYear() const;

    std::optional<Money>& of(BillCategory category) { return byCategory[static_cast<std::size_t>(category)]; }
};

Bill billOf(const Fabric& fabric, const Cabling& cabling);
Bill billOf(const Fabric& fabric, const Cabling& cabling, const std::vector<SideFabric>& sides);
// Switches, cables and modules of a network beside the compute fabric; its servers and NICs are those of the design.
std::vector<BillLine> billLines(const SideFabric& side);

// The lines of every block: `blockOf` has a number below `blocks` for every device; without it the design is one block.
// A cable belongs to the block of its lower end, a module to that of its device.
std::vector<std::vector<BillLine>> billLines(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf,
                                             std::size_t blocks);

} // namespace railyard
