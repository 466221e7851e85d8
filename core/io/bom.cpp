#include "core/base/unit_text.h"
#include "core/bill/spares.h"
#include "core/io/deliverables.h"

#include <fmt/format.h>

namespace railyard {
namespace {

using Format = Column::Format;

Cell watts(const std::optional<Watts>& power) { return power ? Cell(power->value()) : Cell(); }
Cell number(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

std::string priceSource(const BillLine& line) {
    if (!line.part || !line.part->price) return "no price published";
    const Price& price = *line.part->price;
    return price.date + (price.source.empty() ? "" : ", " + price.source);
}

std::string notesOf(const BillLine& line) {
    std::string notes;
    const auto add = [&](const std::string& text) { notes += (notes.empty() ? "" : "; ") + text; };
    if (!line.part)
        add("part to be chosen");
    else if (!line.base)
        add("unpriced: not in any total");
    if (line.part && line.part->needsCheck) add("some figures from memory: check the datasheet");
    if (line.low && line.high && *line.low != *line.high)
        add(fmt::format("price {} to {}", formatMoney(*line.low), formatMoney(*line.high)));
    if (line.part && line.part->price && !line.base && line.part->price->low)
        add(fmt::format("press range from {}", formatMoney(*line.part->price->low)));
    return notes;
}

// The part of a row that follows the quantity.
void addRest(std::vector<Cell>& row, const BillLine& item, double quantity, const Currency& currency) {
    const auto price = [&](const std::optional<Money>& money) {
        return money ? std::optional(money->inDollars() * currency.perDollar) : std::nullopt;
    };
    const std::optional<double> net = price(item.base);
    const auto spares = static_cast<double>(item.spares.value_or(0));
    row.emplace_back(spares);
    row.emplace_back(Formula{"={Qty}+{Spare qty}", quantity + spares});
    row.emplace_back(item.unit);
    row.push_back(number(net));
    row.emplace_back(0.0);
    row.emplace_back(Formula{"={List price}*(1-{Discount %}/100)", net});
    row.emplace_back(Formula{"={Total qty}*{Net price}", net ? std::optional(*net * (quantity + spares)) : std::nullopt});
    row.emplace_back(currency.code);
    row.push_back(item.spares ? Cell(spareLeadTimeHours / (24 * 7)) : Cell());
    row.push_back(watts(item.typical));
    row.push_back(watts(item.maximum));
    row.emplace_back(Formula{"={Qty}*{Power typ (W)}", item.typical ? std::optional(item.typical->value() * quantity) : std::nullopt});
    row.push_back(number(item.part ? item.part->rackUnits : std::nullopt));
    row.push_back(number(item.part ? item.part->weightKg : std::nullopt));
    row.emplace_back(priceSource(item));
    row.emplace_back(notesOf(item));
}

// In both views; between them stands what tells where the quantity comes from.
const std::vector<Column> what{{"Section", 12, Format::General},
                               {"Part number", 24, Format::General},
                               {"Manufacturer", 16, Format::General},
                               {"Description", 38, Format::General}};
const std::vector<Column> howMany{{"Qty", 9, Format::Integer},
                                  {"Spare qty", 9, Format::Integer},
                                  {"Total qty", 9, Format::Integer},
                                  {"Unit", 7, Format::General},
                                  {"List price", 12, Format::Money},
                                  {"Discount %", 10, Format::Decimal},
                                  {"Net price", 12, Format::Money},
                                  {"Extended net", 16, Format::Money},
                                  {"Currency", 9, Format::General},
                                  {"Lead time (weeks)", 10, Format::Decimal},
                                  {"Power typ (W)", 10, Format::Decimal},
                                  {"Power max (W)", 10, Format::Decimal},
                                  {"Ext power (W)", 12, Format::Decimal},
                                  {"RU", 6, Format::Decimal},
                                  {"Weight (kg)", 10, Format::Decimal},
                                  {"Price source and date", 44, Format::General},
                                  {"Notes", 44, Format::General}};

void addWhat(std::vector<Cell>& row, const BillLine& item) {
    row.emplace_back(item.section);
    row.emplace_back(item.part ? item.part->id : std::string());
    row.emplace_back(item.part ? item.part->vendor : std::string());
    row.emplace_back(item.description);
}

Table startBom(std::initializer_list<Column> left, std::initializer_list<Column> middle) {
    Table table;
    table.name = "BOM";
    for (const auto& some : {std::vector<Column>(left), what, std::vector<Column>(middle), howMany})
        table.columns.insert(table.columns.end(), some.begin(), some.end());
    table.sums = {"Extended net", "Ext power (W)"};
    return table;
}

void noteUnpriced(Table& table, int lines) {
    if (lines > 0) table.notes.push_back(fmt::format("{} lines have no price: the total is at least.", lines));
}

} // namespace

Table bomTable(const Bill& bill, const Currency& currency) {
    Table table = startBom({{"Line", 6, Format::Integer}}, {});
    double line = 0;
    for (const BillLine& item : bill.lines) {
        const auto quantity = static_cast<double>(item.quantity);
        std::vector<Cell> row{++line};
        addWhat(row, item);
        row.emplace_back(quantity);
        addRest(row, item, quantity, currency);
        table.rows.push_back(std::move(row));
    }
    noteUnpriced(table, bill.unpricedLines);
    return table;
}

Table bomTableByBlock(const std::vector<BillBlock>& blocks, const Currency& currency) {
    Table table = startBom({{"Line", 6, Format::Integer}, {"Block", 16, Format::General}},
                           {{"Blocks", 8, Format::Integer}, {"Qty per block", 9, Format::Integer}});
    double line = 0;
    int unpriced = 0;
    for (const BillBlock& block : blocks)
        for (const BillLine& item : block.lines) {
            const auto each = static_cast<double>(item.quantity), count = static_cast<double>(block.count);
            std::vector<Cell> row{++line, block.name};
            addWhat(row, item);
            row.emplace_back(count);
            row.emplace_back(each);
            row.emplace_back(Formula{"={Blocks}*{Qty per block}", count * each});
            addRest(row, item, count * each, currency);
            table.rows.push_back(std::move(row));
            unpriced += item.base ? 0 : 1;
        }
    noteUnpriced(table, unpriced);
    return table;
}

namespace {

Json lineJson(const BillLine& line, std::int64_t blocks) {
    const auto money = [](const std::optional<Money>& m) { return m ? Json(m->inDollars()) : Json(); };
    const std::int64_t quantity = line.quantity * blocks;
    return {{"section", line.section},
            {"category", billCategoryNames[static_cast<std::size_t>(line.category)]},
            {"part", line.part ? Json(line.part->id) : Json()},
            {"description", line.description},
            {"quantity", quantity},
            {"unit_low_usd", money(line.low)},
            {"unit_usd", money(line.base)},
            {"unit_high_usd", money(line.high)},
            {"extended_usd", line.base ? Json((*line.base * quantity).inDollars()) : Json()},
            {"typical_w", line.typical ? Json(line.typical->value()) : Json()},
            {"max_w", line.maximum ? Json(line.maximum->value()) : Json()},
            {"price_date", line.part && line.part->price ? Json(line.part->price->date) : Json()},
            {"price_source", line.part && line.part->price ? Json(line.part->price->source) : Json()}};
}

} // namespace

Json bomJson(const Bill& bill, const std::vector<BillBlock>& blocks, const Currency& currency) {
    Json lines = Json::array();
    for (const BillBlock& block : blocks)
        for (const BillLine& line : block.lines) {
            Json item{{"block", block.name}, {"blocks", block.count}, {"quantity_per_block", line.quantity}};
            item.update(lineJson(line, block.count));
            lines.push_back(item);
        }
    if (blocks.empty())
        for (const BillLine& line : bill.lines) lines.push_back(lineJson(line, 1));
    for (std::size_t i = 0; blocks.empty() && i < bill.lines.size(); ++i)
        if (const auto& spares = bill.lines[i].spares) {
            lines[i]["spare_quantity"] = *spares;
            lines[i]["lead_time_h"] = spareLeadTimeHours;
        }
    Json answer{{"schema", "railyard.bom/1"},
                {"lines", lines},
                {"network_usd", bill.network.inDollars()},
                {"total_usd", bill.total.inDollars()},
                {"low_usd", bill.low.inDollars()},
                {"high_usd", bill.high.inDollars()},
                {"unpriced_lines", bill.unpricedLines}};
    if (currency.code != "USD") {
        const auto converted = [&](Money money) { return money.inDollars() * currency.perDollar; };
        answer["currency"] = {{"code", currency.code},          {"per_usd", currency.perDollar}, {"network", converted(bill.network)},
                              {"total", converted(bill.total)}, {"low", converted(bill.low)},    {"high", converted(bill.high)}};
    }
    return answer;
}

} // namespace railyard
