#include "core/analysis/figures/bill_terms.h"
#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"
#include "core/base/unit_text.h"

#include <fmt/format.h>

namespace railyard {
namespace {

using Asked = const FigureQuery&;
using Source = const FigureSource&;

template <class Read>
Value ofFloor(Source s, Read read) {
    return s.instant.floor ? Value(read(*s.instant.floor)) : std::nullopt;
}

Origin withRacks(Asked asked, const std::string& source, const std::string& whyUnknown = {}) {
    if (!asked.source.instant.floor) return unknownBecause("no racks are placed; set racks=auto");
    return asked.value ? countedFrom(asked, source, asked.storedUnit) : unknownBecause(whyUnknown);
}

Origin originOfCable(Asked asked) {
    if (!asked.value) return withRacks(asked, "");
    const Bill& bill = asked.source.instant.bill;
    OriginTerms lengths;
    for (std::size_t i = 0; i < bill.lines.size(); ++i)
        if (bill.lines[i].category == BillCategory::Cable)
            lengths.emplace_back(quantityOf(bill, i), ExplainedInput{"m_" + nameOfLine(bill, i), bill.lines[i].length.value(), "m",
                                                                     "ordered stock length; exported links.csv, length_m", "counted"});
    return sumOfProducts(lengths);
}

Origin originOfSavedCable(Asked asked) {
    if (!asked.value) return withRacks(asked, "", "leaf racks are placed in front of the racks of their SU, or racks were moved by hand");
    const FloorFigures& floor = *asked.source.instant.floor;
    return {"end_m - cable_m",
            {{"end_m", (floor.cable + *floor.saved).value(), "m", "cable length with leaf_racks=end", "computed"},
             {"cable_m", floor.cable.value(), "m", "floor.cable_m", "counted"}},
            "Cable saved by placing leaf racks in the middle of the racks of their SU."};
}

using Display = FigureDisplay;

std::string racksText(const FigureSource& s) { return s.instant.floor ? formatCount(s.instant.floor->racks) : "No racks"; }
std::string kilometresText(const FigureSource& s) {
    return s.instant.floor ? fmt::format("{:.1f} km", s.instant.floor->cable.value() / 1000) : std::string();
}
std::string howLong(const FigureSource& s) {
    return s.instant.floor ? "Total stock length of all cables" : "Cables are assumed to be 30 m long; place racks in the Floor view.";
}

constexpr FigureInfo rows[] = {
    shown({"floor.racks", "Floor", "Racks", "", 1, count, "",
           [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return static_cast<double>(f.racks); }); },
           [](Asked a) { return withRacks(a, "exported devices.csv: distinct values of rack, plus racks placed by hand"); }, nullptr, true},
          {Display::Panel, 34, "Racks", true, racksText, nullptr, howLong, "floor.cable_m", "Racks · cable length"}),
    {"floor.rows", "Floor", "Rows of racks", "", 1, count, "",
     [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return static_cast<double>(f.rows); }); },
     [](Asked a) { return withRacks(a, "highest row number with a rack"); }},
    {"floor.width_m", "Floor", "Floor width", "m", 1, decimal, "m",
     [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return f.width.value(); }); },
     [](Asked a) { return withRacks(a, "highest position with a rack, times the width of a rack"); }},
    {"floor.depth_m", "Floor", "Floor depth", "m", 1, decimal, "m",
     [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return f.depth.value(); }); },
     [](Asked a) { return withRacks(a, "rows times the depth of a rack and an aisle, without the last aisle"); }},
    shown({"floor.cable_m", "Floor", "Length of all cables", "m", 1, count, "m",
           [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return f.cable.value(); }); }, originOfCable},
          {0, 0, "Cable length", true, kilometresText}),
    {"floor.cable_saved_m", "Floor", "Cable saved by placement", "m", 1, count, "m",
     [](Source s) { return s.instant.floor ? valueOf(s.instant.floor->saved) : std::nullopt; }, originOfSavedCable},
    {"floor.most_rack_power_w", "Floor", "Power of the fullest rack", "kW", kilo, decimal, "W",
     [](Source s) { return s.instant.floor ? valueOf(s.instant.floor->mostRackPower) : std::nullopt; },
     [](Asked a) {
         return withRacks(a, "power of the devices in the rack with the highest power: maximum where published, otherwise typical",
                          "the power of a device in a rack is not published");
     }},
};

} // namespace

std::span<const FigureInfo> floorFigures() { return rows; }

} // namespace railyard
