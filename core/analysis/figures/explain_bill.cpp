#include "core/analysis/figures/explain_bill.h"

#include "core/base/counted.h"

#include <fmt/format.h>

namespace railyard {
namespace {

using Terms = std::vector<std::pair<ExplainedInput, ExplainedInput>>;

std::string nameOf(const Bill& bill, std::size_t at) {
    const BillLine& line = bill.lines[at];
    return fmt::format("{}_{}", at + 1, line.part ? line.part->id : line.section);
}

ExplainedInput quantityOf(const Bill& bill, std::size_t at) {
    return {"qty_" + nameOf(bill, at), static_cast<double>(bill.lines[at].quantity), "", "bill line: " + bill.lines[at].description,
            "counted"};
}

ExplainedInput priceOf(const Bill& bill, std::size_t at, const std::optional<Money>& price, std::string_view which) {
    const BillLine& line = bill.lines[at];
    const Price& published = *line.part->price;
    return {fmt::format("{}_{}", which, nameOf(bill, at)), price->inDollars(), "USD",
            fmt::format("{}, {}{}", published.source, published.date, published.basis.empty() ? "" : ", " + published.basis),
            published.confidence};
}

enum class Bound { Low, Base, High };

Terms priced(const Bill& bill, Bound bound, std::optional<BillCategory> only = {}) {
    Terms terms;
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        const BillLine& line = bill.lines[i];
        if (!line.base || (only && line.category != *only)) continue;
        const auto& price = bound == Bound::Low ? line.low : bound == Bound::High ? line.high : line.base;
        terms.emplace_back(quantityOf(bill, i), priceOf(bill, i, price,
                                                        bound == Bound::Low    ? "low_usd"
                                                        : bound == Bound::High ? "high_usd"
                                                                               : "usd"));
    }
    return terms;
}

// A total inherits the worst mark of its parts.
std::string weakestOf(const Terms& terms) {
    Explanation all;
    for (const auto& [quantity, each] : terms) all.inputs.push_back(each);
    return all.confidence();
}

void explainCost(ExplanationBook& book, const Bill& bill) {
    const std::string atLeast =
        bill.unpricedLines > 0 ? counted(bill.unpricedLines, "Lower bound: {} line has no price.", "Lower bound: {} lines have no price.")
                               : "";
    std::vector<ExplainedInput> network, total;
    for (std::size_t c = 0; c < billCategoryNames.size(); ++c) {
        if (!bill.byCategory[c]) continue;
        const std::string name(billCategoryNames[c]);
        const ExplainedInput input{name + "_usd", bill.byCategory[c]->inDollars(), "USD", "cost.by_category_usd." + name,
                                   weakestOf(priced(bill, Bound::Base, static_cast<BillCategory>(c)))};
        total.push_back(input);
        if (c <= static_cast<std::size_t>(BillCategory::Pluggable)) network.push_back(input);
    }
    book.sum("cost.network_usd", bill.network.inDollars(), "USD", network, atLeast);
    book.sum("cost.total_usd", bill.total.inDollars(), "USD", total, atLeast);
    book.products("cost.low_usd", bill.low.inDollars(), "USD", priced(bill, Bound::Low), atLeast);
    book.products("cost.high_usd", bill.high.inDollars(), "USD", priced(bill, Bound::High), atLeast);
    for (std::size_t c = 0; c < billCategoryNames.size(); ++c) {
        const std::string key = fmt::format("cost.by_category_usd.{}", billCategoryNames[c]);
        if (bill.byCategory[c])
            book.products(key, bill.byCategory[c]->inDollars(), "USD", priced(bill, Bound::Base, static_cast<BillCategory>(c)));
        else
            book.unknown(key, "USD", "none of these parts has a price");
    }
    book.counted("cost.unpriced_lines", bill.unpricedLines, "lines of the bill without a base price");
}

Terms powered(const Bill& bill, BillCategory only) {
    Terms terms;
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        const BillLine& line = bill.lines[i];
        if (line.category != only || !line.typical) continue;
        terms.emplace_back(quantityOf(bill, i),
                           ExplainedInput{"w_" + nameOf(bill, i), line.typical->value(), "W",
                                          line.part ? (line.part->typical ? "typical power: " : "maximum power: ") + line.part->source
                                                    : "passive fibre: no power",
                                          line.part ? line.part->confidence : "assumption"});
    }
    return terms;
}

void explainPower(ExplanationBook& book, const Bill& bill) {
    std::vector<ExplainedInput> network, total;
    for (std::size_t c = 0; c < poweredCategories; ++c) {
        if (!bill.watts[c]) continue;
        const std::string name(billCategoryNames[c]);
        const ExplainedInput input{name + "_w", bill.watts[c]->value(), "W", "power.by_category_w." + name,
                                   weakestOf(powered(bill, static_cast<BillCategory>(c)))};
        total.push_back(input);
        if (c <= static_cast<std::size_t>(BillCategory::Pluggable)) network.push_back(input);
    }
    std::string missing;
    for (const std::string& part : bill.unknownPower) missing += (missing.empty() ? "power not published for " : ", ") + part;
    if (bill.networkPower)
        book.sum("power.network_w", bill.networkPower->value(), "W", network);
    else
        book.unknown("power.network_w", "W", missing);
    if (bill.totalPower)
        book.sum("power.total_w", bill.totalPower->value(), "W", total);
    else
        book.unknown("power.total_w", "W", missing);
    for (std::size_t c = 0; c < poweredCategories; ++c) {
        const std::string key = fmt::format("power.by_category_w.{}", billCategoryNames[c]);
        if (bill.watts[c])
            book.products(key, bill.watts[c]->value(), "W", powered(bill, static_cast<BillCategory>(c)));
        else
            book.unknown(key, "W", missing);
    }
    if (!bill.totalPower) {
        book.unknown("power.facility_w", "W", missing);
        book.unknown("power.energy_usd_year", "USD", missing);
        book.unknown("power.space_usd_year", "USD", missing);
        return;
    }
    Explanation all;
    all.inputs = total;
    const std::string weakest = all.confidence();
    const ExplainedInput pue{"pue", powerUsageEffectiveness, "", "modern data hall (range 1.1 to 1.3)", "assumption"};
    const double facility = bill.facilityPower()->value();
    book.add({"power.facility_w",
              "W",
              facility,
              "total_w * pue",
              {{"total_w", bill.totalPower->value(), "W", "power.total_w", weakest}, pue},
              ""});
    book.add({"power.energy_usd_year",
              "USD",
              bill.energyPerYear(),
              "facility_w / 1000 * hours_per_year * usd_per_kwh",
              {{"facility_w", facility, "W", "power.facility_w", weakest},
               {"hours_per_year", hoursPerYear, "h", "by definition", "assumption"},
               {"usd_per_kwh", dollarsPerKilowattHour, "USD/kWh", "US industrial planning value (range 0.08 to 0.15)", "assumption"}},
              ""});
    book.add({"power.space_usd_year",
              "USD",
              bill.spacePerYear(),
              "total_w / 1000 * 12 * usd_per_kw_month",
              {{"total_w", bill.totalPower->value(), "W", "power.total_w", weakest},
               {"usd_per_kw_month", dollarsPerKilowattMonth, "USD/kW",
                "CBRE North America Data Center Trends H2 2024, 250-500 kW, excluding energy", "published-price"}},
              "Colocation: 120 to 300 USD per kW and month, depending on market and year."});
}

void explainFloor(ExplanationBook& book, const Bill& bill, const FloorFigures& floor) {
    book.counted("floor.racks", floor.racks, "exported devices.csv: distinct values of rack, plus racks placed by hand");
    book.counted("floor.rows", floor.rows, "highest row number with a rack");
    book.counted("floor.width_m", floor.width.value(), "highest position with a rack, times the width of a rack", "m");
    book.counted("floor.depth_m", floor.depth.value(), "rows times the depth of a rack and an aisle, without the last aisle", "m");
    if (floor.mostRackPower)
        book.counted("floor.most_rack_power_w", floor.mostRackPower->value(),
                     "power of the devices in the rack with the highest power: maximum where published, otherwise typical", "W");
    else
        book.unknown("floor.most_rack_power_w", "W", "the power of a device in a rack is not published");
    Terms lengths;
    for (std::size_t i = 0; i < bill.lines.size(); ++i)
        if (bill.lines[i].category == BillCategory::Cable)
            lengths.emplace_back(quantityOf(bill, i), ExplainedInput{"m_" + nameOf(bill, i), bill.lines[i].length.value(), "m",
                                                                     "ordered stock length; exported links.csv, length_m", "counted"});
    book.products("floor.cable_m", floor.cable.value(), "m", lengths);
    if (floor.saved)
        book.add({"floor.cable_saved_m",
                  "m",
                  floor.saved->value(),
                  "end_m - cable_m",
                  {{"end_m", (floor.cable + *floor.saved).value(), "m", "cable length with leaf_racks=end", "computed"},
                   {"cable_m", floor.cable.value(), "m", "floor.cable_m", "counted"}},
                  "Cable saved by placing leaf racks in the middle of the racks of their SU."});
    else
        book.unknown("floor.cable_saved_m", "m", "leaf racks are placed in front of the racks of their SU, or racks were moved by hand");
}

void explainSides(ExplanationBook& book, const std::vector<SideFigures>& sides) {
    for (const SideFigures& side : sides) {
        const std::string at = "networks." + side.key() + ".", file = "exported " + side.name + "-links.csv";
        book.counted(at + "switches", side.switches, "exported " + side.name + "-devices.csv: rows with kind switch");
        book.counted(at + "links", side.links, file + ": rows, without tiers hb and pcie");
        book.counted(at + "cables", side.cables, file + ": distinct cable IDs");
        if (side.pluggables)
            book.counted(at + "pluggables", *side.pluggables, "cages with at least one cable of this network");
        else
            book.unknown(at + "pluggables", "", "the catalogue has no module for some of the cages");
    }
}

} // namespace

void explainBill(ExplanationBook& book, const InstantMetrics& metrics) {
    explainSides(book, metrics.sides);
    const Bill& bill = metrics.bill;
    if (metrics.floor)
        explainFloor(book, bill, *metrics.floor);
    else
        for (const auto& [key, unit] : {std::pair("racks", ""), std::pair("rows", ""), std::pair("width_m", "m"), std::pair("depth_m", "m"),
                                        std::pair("cable_m", "m"), std::pair("cable_saved_m", "m"), std::pair("most_rack_power_w", "W")})
            book.unknown(std::string("floor.") + key, unit, "no racks are placed; set racks=auto");
    explainCost(book, bill);
    explainPower(book, bill);
}

} // namespace railyard
