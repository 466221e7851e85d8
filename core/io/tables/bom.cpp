#include "core/io/tables/bom.h"

#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/bill/spares.h"
#include "core/bill/unpriced.h"

#include <fmt/format.h>

namespace railyard {
namespace {

using Format = Column::Format;

Cell number(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

std::string confidenceText(const std::string& confidence) {
    if (confidence == "published-price") return "Confidence: published price";
    if (confidence == "street-estimate") return "Confidence: estimate, not a quotation";
    return confidence == "derived" ? "Confidence: derived from a published price" : "Confidence: " + confidence;
}

// Seller, page, date, and what kind of price it is.
std::string priceSource(const BillLine& line) {
    if (!line.part || !line.part->price) return "no published price";
    const Price& price = *line.part->price;
    std::string text = price.source;
    const auto add = [&](const char* between, const std::string& more) {
        if (!more.empty()) text += (text.empty() ? "" : between) + more;
    };
    add(", ", price.date);
    add(". ", price.confidence.empty() ? "" : confidenceText(price.confidence));
    return text;
}

std::string notesOf(const BillLine& line) {
    std::string notes;
    const auto add = [&](const std::string& text) { notes += (notes.empty() ? "" : "; ") + text; };
    const PartNumber order = partNumberOf(line);
    if (!line.part)
        add("part not selected");
    else if (!line.base)
        add("no price: excluded from all totals");
    if (!order.sku.empty()) add(fmt::format("{} SKU {}", line.part->vendor, order.sku));
    if (order.isLengthUnlisted) add("part number follows the maker's length code; confirm that this length is sold");
    if (line.part && line.part->needsCheck) add("some data not verified: check the datasheet");
    if (line.low && line.high && *line.low != *line.high)
        add(fmt::format("price range {} to {}", formatMoney(*line.low), formatMoney(*line.high)));
    if (line.part && line.part->price && !line.base) {
        const Price& price = *line.part->price;
        if (price.low && price.high)
            add(fmt::format("only a price range is known, {} to {}; in no total", formatMoney(*price.low), formatMoney(*price.high)));
        else if (price.low)
            add(fmt::format("only a lowest price is known, {}; in no total", formatMoney(*price.low)));
    }
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
    row.push_back(wattsCell(item.typical));
    row.push_back(wattsCell(item.maximum));
    row.emplace_back(Formula{"={Qty}*{Power typ (W)}", item.typical ? std::optional(item.typical->value() * quantity) : std::nullopt});
    row.push_back(number(item.part ? item.part->rackUnits : std::nullopt));
    row.push_back(number(item.part ? item.part->weightKg : std::nullopt));
    row.emplace_back(priceSource(item));
    row.emplace_back(notesOf(item));
    row.emplace_back(item.part ? item.part->id : std::string());
}

// In both views; between them stands what tells where the quantity comes from. The widths fit a page.
const std::vector<Column> what{{"Section", 9, Format::General, true},
                               {"Part number", 18, Format::General},
                               {"Manufacturer", 13, Format::General, true},
                               {"Description", 25, Format::General, true}};
const std::vector<Column> howMany{{"Qty", 7, Format::Integer},           {"Spare qty", 6.5, Format::Integer},
                                  {"Total qty", 7, Format::Integer},     {"Unit", 6, Format::General},
                                  {"List price", 10, Format::Money},     {"Discount %", 9, Format::Decimal},
                                  {"Net price", 10, Format::Money},      {"Extended net", 13, Format::Money},
                                  {"Currency", 9, Format::General},      {"Lead time (weeks)", 8, Format::Decimal},
                                  {"Power typ (W)", 8, Format::Decimal}, {"Power max (W)", 8, Format::Decimal},
                                  {"Ext power (W)", 9, Format::Decimal}, {"RU", 5, Format::Decimal},
                                  {"Weight (kg)", 8, Format::Decimal},   {"Price source and date", 30, Format::General, true},
                                  {"Notes", 24, Format::General, true},  {"Catalogue ID", 14, Format::General, true}};

// Modules are named by their model: "MMA4Z00-NS: 2 × 400 Gb/s transceiver, osfp-finned cage, multimode, 50 m, MPO-12/APC".
std::string describe(const BillLine& line) {
    const OpticPart* optic = line.part ? line.part->as<OpticPart>() : nullptr;
    if (!optic) return line.description;
    const std::string reach = optic->reach ? fmt::format(", {:g} m", optic->reach->value()) : std::string();
    return fmt::format("{}: {} × {:g} Gb/s transceiver, {} cage, {}{}{}", line.description, optic->ports, inGbps(optic->portSpeed),
                       optic->form, optic->medium == "mmf" ? "multimode" : "single-mode", reach,
                       optic->connector.empty() ? "" : ", " + optic->connector);
}

void addWhat(std::vector<Cell>& row, const BillLine& item) {
    row.emplace_back(item.section);
    row.emplace_back(partNumberOf(item).number);
    row.emplace_back(item.part ? item.part->vendor : std::string());
    row.emplace_back(describe(item));
}

Table startBom(std::initializer_list<Column> left, std::initializer_list<Column> middle) {
    Table table;
    table.name = "BOM";
    for (const auto& some : {std::vector<Column>(left), what, std::vector<Column>(middle), howMany})
        table.columns.insert(table.columns.end(), some.begin(), some.end());
    table.sums = {"Extended net", "Ext power (W)"};
    return table;
}

// What the last row of a bill adds up, and what it cannot.
class SumsLabel {
public:
    void add(const BillLine& line, std::int64_t times) {
        m_unpriced.add(line, times);
        if (!line.typical && static_cast<std::size_t>(line.category) < poweredCategories)
            m_unpowered[static_cast<std::size_t>(line.category)] += line.quantity * times;
        if (line.spares.value_or(0) > 0 || line.section == "Spares") m_hasSpares = true;
        if (partNumberOf(line).number.empty()) ++m_withoutNumber;
    }
    void writeOn(Table& table) const {
        const std::string missing = m_unpriced.text(), dark = itemsText(m_unpowered);
        table.sumsLabel = m_hasSpares ? "Total with spares" : "Total";
        if (!missing.empty()) table.sumsLabel += ", priced items only; excludes " + missing + " without a price";
        if (!dark.empty()) table.sumsLabel += "; power excludes " + dark + " without a published power";
        if (!missing.empty())
            table.notes.push_back(
                fmt::format("{} of {} lines have no price; the total is a lower bound.", m_unpriced.lines(), table.rows.size()));
        if (m_withoutNumber > 0)
            table.notes.push_back(fmt::format("{} of {} lines have no part number: the manufacturer publishes none, or the item is work.",
                                              m_withoutNumber, table.rows.size()));
        table.notes.emplace_back("List prices without discount, tax or freight. Modules and cables are priced as their source says, "
                                 "often a compatible part from a distributor.");
    }

private:
    UnpricedItems m_unpriced;
    std::array<std::int64_t, billCategoryNames.size()> m_unpowered{};
    bool m_hasSpares = false;
    int m_withoutNumber = 0;
};

} // namespace

Table bomTable(const Bill& bill, const Currency& currency) {
    Table table = startBom({{"Line", 6, Format::Integer}}, {});
    double line = 0;
    SumsLabel label;
    for (const BillLine& item : bill.lines) {
        label.add(item, 1);
        const auto quantity = static_cast<double>(item.quantity);
        std::vector<Cell> row{++line};
        addWhat(row, item);
        row.emplace_back(quantity);
        addRest(row, item, quantity, currency);
        table.rows.push_back(std::move(row));
    }
    label.writeOn(table);
    return table;
}

Table bomTableByBlock(const std::vector<BillBlock>& blocks, const Currency& currency) {
    Table table = startBom({{"Line", 6, Format::Integer}, {"Block", 16, Format::General}},
                           {{"Blocks", 8, Format::Integer}, {"Qty per block", 9, Format::Integer}});
    double line = 0;
    SumsLabel label;
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
            label.add(item, block.count);
        }
    label.writeOn(table);
    return table;
}

} // namespace railyard
