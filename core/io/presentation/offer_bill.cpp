#include "core/io/presentation/offer_bill.h"

#include "core/base/unit_text.h"
#include "core/io/tables/bom.h"
#include "core/io/tables/bom_workbook.h"

#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr double btuPerHour = 3.412142; // of a watt

} // namespace

OfferSection billSection(const OfferRequest& request, OfferStatement& statement) {
    OfferSection own{"Bill of materials", {}};
    Bill bill = request.metrics.instant.bill;
    if (request.isCustomer)
        for (BillLine& line : bill.lines) line.low = line.base = line.high = {};
    const Table table = bomTable(bill, {}, {request.fabric->design->name, BomFor::Text, !request.isCustomer});
    std::vector<OfferColumn> columns{
        {"Section", 1.5}, {"Part number", 2.4}, {"Manufacturer", 2.2}, {"Description", 4.4}, {"Qty", 1.1, true}};
    if (!request.isCustomer) columns.insert(columns.end(), {{"Price kind", 2.1}, {"Unit price", 1.6, true}, {"Extended net", 2, true}});
    OfferTable lines = columnsOf(table, columns);
    const std::vector<std::string> keys = lineKeys(bill);
    const std::size_t words = columnNamed(lines, "Description"), quantity = columnNamed(lines, "Qty"),
                      unit = columnNamed(lines, "Unit price"), extended = columnNamed(lines, "Extended net");
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        const BillLine& line = bill.lines[i];
        std::vector<std::string>& row = lines.rows[i];
        row[words] += "\n" + keys[i]; // a column of its own has no room
        statement.state(billKey(keys[i], "quantity"), static_cast<double>(line.quantity), row[quantity]);
        if (!line.base) continue;
        statement.state(billKey(keys[i], "unit_usd"), line.base->inDollars(), row[unit]);
        statement.state(billKey(keys[i], "extended_usd"), line.base->inDollars() * static_cast<double>(line.quantity), row[extended]);
    }
    lines.keys = "Keys of a line (KEY is printed below its description): " + billKey("KEY", "quantity");
    if (!request.isCustomer) {
        lines.keys += fmt::format(", {}, {}", billKey("KEY", "unit_usd"), billKey("KEY", "extended_usd"));
        std::vector<std::string> total(columns.size());
        total.front() = "Total";
        total[words] = table.sumsLabel;
        total[words] += "\nbill.total_usd";
        total[extended] = cellText(bill.total.inDollars(), {.name = {}, .format = CellFormat::Money});
        statement.state("bill.total_usd", bill.total.inDollars(), total[extended]);
        statement.state("bill.total_of", {}, table.sumsLabel);
        lines.rows.push_back(std::move(total));
        lines.endsInTotal = true;
        own.sentences.push_back(fmt::format("Prices in US dollars from the catalogue of {}.", request.fabric->design->catalog->asOf()));
    }
    lines.keys += ".";
    own.tables.push_back(std::move(lines));
    own.notes = table.notes;
    if (!request.isCustomer) own.tables.push_back(statement.figuresOfSection("Cost"));
    return own;
}

OfferSection powerSection(const OfferRequest& request, OfferStatement& statement) {
    OfferSection own{"Power and cooling", {}};
    const auto total = request.metrics.instant.bill.totalPower;
    if (!total) own.sentences.push_back("The total is not known: the power of a part is not published.");
    OfferTable parts = columnsOf(powerTable(request.metrics.instant.bill, {}, !request.isCustomer),
                                 {{"Category", 1.6}, {"Power (W)", 1.4, true}, {"Basis", 5.4}, {"Key", 3}});
    for (std::vector<std::string>& row : parts.rows) {
        const bool isSum = row[0] == "network" || row[0] == "total" || row[0] == "facility";
        row.back() = isSum ? fmt::format("power.{}_w", row[0]) : "power.by_category_w." + row[0];
        if (!row[1].empty()) {
            const auto figure = statedFigure(statement.source(), row.back());
            statement.state(row.back(), figure ? figure->value : std::nullopt, row[1] + " W");
        }
    }
    own.tables.push_back(std::move(parts));
    OfferTable figures = statement.figuresOfSection("Power");
    if (total) {
        const double heat = total->value() * btuPerHour;
        statement.addFigure(figures, "Heat output", "power.heat_btu_h", heat, formatCount(std::llround(heat)) + " BTU/h");
    }
    own.tables.push_back(std::move(figures));
    return own;
}

} // namespace railyard
