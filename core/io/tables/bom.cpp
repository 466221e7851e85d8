#include "core/io/tables/bom.h"

#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/bill/unpriced.h"

#include <fmt/format.h>
#include <functional>
#include <map>

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
std::string priceSource(const BillLine& line, const Currency& currency) {
    if (!line.part || !line.part->price) return "no published price";
    const Price& price = *line.part->price;
    std::string text = citationIn(currency, price.source);
    const auto add = [&](const char* between, const std::string& more) {
        if (!more.empty()) text += (text.empty() ? "" : between) + more;
    };
    add(", ", price.date);
    add(". ", price.confidence.empty() ? "" : confidenceText(price.confidence));
    return text;
}

std::string notesOf(const BillLine& line, const Currency& currency) {
    std::string notes;
    const auto add = [&](const std::string& text) { notes += (notes.empty() ? "" : "; ") + text; };
    const PartNumber order = partNumberOf(line);
    if (!line.part)
        add("no part in the catalogue");
    else if (!line.base)
        add("no price in the catalogue");
    if (!order.sku.empty()) add(fmt::format("{} SKU {}", line.part->vendor, order.sku));
    if (order.isLengthUnlisted) add("part number follows the maker's length code; confirm that this length is sold");
    if (line.part && line.part->needsCheck) add("some data not verified: check the datasheet");
    const auto money = [&](Money amount) { return moneyText(currency, amount); };
    if (line.low && line.high && *line.low != *line.high)
        add(fmt::format("price range {}", formatInterval(money(*line.low), money(*line.high))));
    if (line.part && line.part->price && !line.base) {
        const Price& price = *line.part->price;
        if (price.low && price.high)
            add(fmt::format("only a price range is known ({}); excluded from totals",
                            formatInterval(money(*price.low), money(*price.high))));
        else if (price.low)
            add(fmt::format("only a lowest price is known ({}); excluded from totals", money(*price.low)));
    }
    if (line.leadTimeHours) add("lead time assumed");
    if (isMaximumPower(line)) add("typical power not published: extended with the maximum");
    return notes;
}

// Formulas of a line. Without a price they give an empty text, and follow as soon as one is typed in.
constexpr const char *netFormula = R"(=IF({Unit price}="","",ROUND({Unit price}*(1-{Discount %}/100),2)))",
                     *extendedFormula = R"(=IF({Net price}="","",{Total qty}*{Net price}))",
                     *powerFormula = R"(=IF({Power typ (W)}="",IF({Power max (W)}="","",{Qty}*{Power max (W)}),{Qty}*{Power typ (W)}))";

// The bounds get the same discount; without a range of their own they are the net price. A quote may lie outside the range.
std::string boundFormula(const char* column, const char* extreme) {
    return fmt::format(
        R"(=IF({{Net price}}="","",{{Qty}}*{1}({{Net price}},IF({{{0}}}="",{{Net price}},ROUND({{{0}}}*(1-{{Discount %}}/100),2)))))",
        column, extreme);
}

// The part of a row that follows the quantity.
void addRest(std::vector<Cell>& row, const BillLine& item, double quantity, const Currency& currency) {
    const auto price = [&](const std::optional<Money>& money) { return money ? std::optional(amountIn(currency, *money)) : std::nullopt; };
    const auto times = [](const std::optional<double>& each, double count) {
        return each ? std::optional(roundedToCents(*each * count)) : std::nullopt;
    };
    const std::optional<double> unit = price(item.base), low = price(item.low), high = price(item.high);
    const auto discounted = [&](const std::optional<double>& amount) {
        return amount ? std::optional(roundedToCents(*amount * (1 - item.discount))) : std::nullopt;
    };
    const std::optional<double> net = discounted(unit), netLow = discounted(low), netHigh = discounted(high);
    const bool isRange = item.low && item.high && *item.low != *item.high;
    const auto spares = static_cast<double>(item.spares.value_or(0));
    row.emplace_back(spares);
    row.emplace_back(Formula{"={Qty}+{Spare qty}", quantity + spares});
    row.emplace_back(item.unit);
    row.push_back(number(unit));
    row.emplace_back(priceKind(item));
    row.emplace_back(item.discount * 100);
    row.emplace_back(Formula{netFormula, net});
    row.emplace_back(Formula{extendedFormula, times(net, quantity + spares)});
    row.emplace_back(currency.code);
    row.push_back(item.leadTimeHours ? Cell(*item.leadTimeHours / (24 * 7)) : Cell());
    row.push_back(isMaximumPower(item) ? Cell() : wattsCell(item.typical));
    row.push_back(wattsCell(item.maximum));
    row.emplace_back(Formula{powerFormula, item.typical ? std::optional(item.typical->value() * quantity) : std::nullopt});
    row.push_back(number(item.part ? item.part->rackUnits : std::nullopt));
    row.push_back(number(item.part ? item.part->weightKg : std::nullopt));
    row.emplace_back(priceSource(item, currency));
    row.emplace_back(notesOf(item, currency));
    row.emplace_back(item.part ? item.part->id : std::string());
    row.emplace_back(std::string(billCategoryNames[static_cast<std::size_t>(item.category)]));
    row.push_back(isRange ? number(low) : Cell());
    row.push_back(isRange ? number(high) : Cell());
    row.emplace_back(Formula{boundFormula("Low price", "MIN"), times(netLow, quantity)});
    row.emplace_back(Formula{boundFormula("High price", "MAX"), times(netHigh, quantity)});
}

// In both views; between them stands what tells where the quantity comes from. The widths fit a page.
const std::vector<Column> what{{"Section", 9, Format::General, true},
                               {"Part number", 18, Format::General},
                               {"Manufacturer", 13, Format::General, true},
                               {"Description", 25, Format::General, true}};
const std::vector<Column> howMany{{"Qty", 7, Format::Integer},
                                  {"Spare qty", 6.5, Format::Integer},
                                  {"Total qty", 7, Format::Integer},
                                  {"Unit", 6, Format::General},
                                  {"Unit price", 10, Format::Money},
                                  {"Price kind", 10, Format::General},
                                  {"Discount %", 9, Format::Decimal},
                                  {"Net price", 10, Format::Money},
                                  {"Extended net", 13, Format::Money},
                                  {"Currency", 9, Format::General},
                                  {"Lead time (weeks)", 8, Format::Decimal},
                                  {"Power typ (W)", 8, Format::Decimal},
                                  {"Power max (W)", 8, Format::Decimal},
                                  {"Ext power (W)", 9, Format::Decimal},
                                  {"RU", 5, Format::Decimal},
                                  {"Weight (kg)", 8, Format::Decimal},
                                  {"Price source and date", 30, Format::General, true},
                                  {"Notes", 24, Format::General, true},
                                  {"Catalogue ID", 14, Format::General, true},
                                  {"Category", 11, Format::General},
                                  {"Low price", 10, Format::Money},
                                  {"High price", 10, Format::Money},
                                  {"Extended low", 13, Format::Money},
                                  {"Extended high", 13, Format::Money}};

// "OSFP, finned top"
std::string formInWords(std::string_view form) {
    std::string words(form.substr(0, form.find('-')));
    std::transform(words.begin(), words.end(), words.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (form.find("-finned") != std::string_view::npos) words += ", finned top";
    if (form.find("-flat") != std::string_view::npos) words += ", flat top";
    return words;
}

// Modules are named by their model: "MMA4Z00-NS: 2 × 400 Gb/s transceiver, OSFP, finned top, multimode, 50 m, MPO-12/APC".
std::string describe(const BillLine& line) {
    const OpticPart* optic = line.part ? line.part->as<OpticPart>() : nullptr;
    if (!optic) return line.description;
    const std::string reach = optic->reach ? fmt::format(", {:g} m", optic->reach->value()) : std::string();
    return fmt::format("{}: {} × {:g} Gb/s transceiver, {}, {}{}{}", line.description, optic->ports, inGbps(optic->portSpeed),
                       formInWords(optic->form), optic->medium == "mmf" ? "multimode" : "single-mode", reach,
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
    table.sums = {"Extended net", "Ext power (W)", "Extended low", "Extended high"};
    return table;
}

// What the last row of a bill adds up, and what it cannot.
class SumsLabel {
public:
    void add(const BillLine& line, std::int64_t times) {
        m_unpriced.add(line, times);
        if (line.discount > 0) m_hasDiscounts = true;
        if (!line.typical && static_cast<std::size_t>(line.category) < poweredCategories)
            m_unpowered[static_cast<std::size_t>(line.category)] += line.quantity * times;
        if (line.spares.value_or(0) > 0 || line.section == "Spares") m_hasSpares = true;
        if (partNumberOf(line).number.empty()) ++m_withoutNumber;
    }
    void writeWithoutPrices(Table& table) const {
        table.sumsLabel = m_hasSpares ? "Total with spares" : "Total";
        if (const std::string dark = itemsText(m_unpowered); !dark.empty())
            table.sumsLabel += "; power excludes " + dark + " without a published power";
    }
    // On a sheet prices can be typed in, so what the total leaves out is counted by formulas of the summary.
    void writeOn(Table& table, BomFor use) const {
        const std::string missing = m_unpriced.text(), dark = itemsText(m_unpowered);
        const bool isSheet = use == BomFor::Sheet;
        table.sumsLabel = m_hasSpares ? "Total with spares (low and high without them)" : "Total";
        if (isSheet) table.sumsLabel += ", lines with a price";
        if (!missing.empty() && !isSheet) table.sumsLabel += ", priced items only; excludes " + missing + " without a price";
        if (!dark.empty()) table.sumsLabel += "; power excludes " + dark + " without a published power";
        if (!missing.empty() && !isSheet)
            table.notes.push_back(fmt::format("{} of {} lines {} no price; the total is a lower bound.", m_unpriced.lines(),
                                              table.rows.size(), m_unpriced.lines() == 1 ? "has" : "have"));
        if (m_withoutNumber > 0)
            table.notes.push_back(fmt::format("{} of {} lines {} no part number (not published, or labour).", m_withoutNumber,
                                              table.rows.size(), m_withoutNumber == 1 ? "has" : "have"));
        table.notes.push_back(std::string(m_hasDiscounts ? "Net prices are after the discount, without tax or freight."
                                                         : "Prices without discount, tax or freight.") +
                              " The column Price kind says whether a price is a list price, one of a "
                              "reseller, of a compatible part, a quote, or an estimate. Prices of the user's price book are quotes unless "
                              "it says otherwise.");
    }

private:
    UnpricedItems m_unpriced;
    std::array<std::int64_t, billCategoryNames.size()> m_unpowered{};
    bool m_hasSpares = false, m_hasDiscounts = false;
    int m_withoutNumber = 0;
};

// A CSV has no heading and no notes, so it ends with the total, the title and the rate of its currency.
void addFooter(Table& table, const BomHeading& heading, const Currency& currency) {
    const auto add = [&](const std::string& name, const std::string& value) -> std::vector<Cell>& {
        std::vector<Cell>& row = table.footer.emplace_back(table.columns.size());
        row[table.columnOf("Section")] = name;
        row[table.columnOf("Description")] = value;
        return row;
    };
    std::vector<Cell>& total = add("Total", table.sumsLabel);
    for (const std::string& summed : table.sums) {
        double sum = 0;
        const std::size_t column = table.columnOf(summed);
        for (const auto& row : table.rows) sum += numberIn(row[column]).value_or(0);
        total[column] = roundedToCents(sum);
    }
    total[table.columnOf("Currency")] = currency.code;
    if (!heading.design.empty()) {
        add("Design", heading.design);
        table.title = "Bill of materials: " + heading.design;
    }
    if (const std::string rate = rateText(currency); !rate.empty()) {
        add("Exchange rate", rate);
        table.notes.push_back("Exchange rate: " + rate + ".");
    }
}

// The columns of a copy for the customer.
void dropPrices(Table& table) {
    static constexpr std::string_view ofPrices[] = {
        "Unit price", "Price kind", "Discount %",   "Net price",    "Extended net", "Currency", "Price source and date",
        "Low price",  "High price", "Extended low", "Extended high"};
    static constexpr std::string_view noPrice = "no price in the catalogue";
    const std::size_t notes = table.columnOf("Notes");
    for (auto& row : table.rows) {
        auto& text = std::get<std::string>(row[notes]);
        if (const std::size_t at = text.find(noPrice); at != std::string::npos) {
            const std::size_t next = at + noPrice.size();
            text.erase(at, text.compare(next, 2, "; ") == 0 ? noPrice.size() + 2 : noPrice.size());
        }
    }
    for (const std::string_view name : ofPrices) {
        const auto column = static_cast<std::ptrdiff_t>(table.columnOf(name));
        table.columns.erase(table.columns.begin() + column);
        for (auto* rows : {&table.rows, &table.footer})
            for (auto& row : *rows) row.erase(row.begin() + column);
        std::erase(table.sums, name);
    }
}

void finish(Table& table, const SumsLabel& label, const BomHeading& heading, const Currency& currency) {
    heading.showsPrices ? label.writeOn(table, heading.use) : label.writeWithoutPrices(table);
    addFooter(table, heading, heading.showsPrices ? currency : Currency());
    if (!heading.showsPrices) dropPrices(table);
}

// "required: 800G module" becomes required-800g-module.
std::string slugOf(const std::string& words) {
    std::string slug;
    for (const char c : words) {
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
        const bool isCapital = c >= 'A' && c <= 'Z';
        if (isLetter || isCapital)
            slug += isCapital ? static_cast<char>(c + 32) : c;
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    while (slug.ends_with('-')) slug.pop_back();
    return slug;
}

} // namespace

std::vector<std::string> lineKeys(const Bill& bill) {
    std::vector<std::string> keys;
    for (const BillLine& line : bill.lines) keys.push_back(line.part ? line.part->id : slugOf(line.description));
    // Where several lines have a key, each round says more of them.
    const std::function<std::string(const BillLine&)> more[] = {
        [](const BillLine& line) { return line.length.value() > 0 ? fmt::format("@{:g}m", line.length.value()) : std::string(); },
        [](const BillLine& line) { return "@" + slugOf(line.section); }};
    const auto counts = [&] {
        std::map<std::string, int> found;
        for (const std::string& key : keys) ++found[key];
        return found;
    };
    for (const auto& detail : more) {
        const auto found = counts();
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (found.at(keys[i]) > 1) keys[i] += detail(bill.lines[i]);
    }
    const auto found = counts();
    std::map<std::string, int> seen;
    for (std::string& key : keys)
        if (found.at(key) > 1) key += fmt::format("#{}", ++seen[key]);
    return keys;
}

std::string priceKind(const BillLine& line) {
    if (!line.part || !line.base || !line.part->price) return {};
    const Price& price = *line.part->price;
    const auto says = [&](std::string_view word) {
        return price.source.find(word) != std::string::npos || price.basis.find(word) != std::string::npos;
    };
    if (!price.kind.empty()) return price.kind;
    if (price.confidence == "street-estimate") return "estimate";
    if (says("compatible") || says("-coded") || says(" coded")) return "compatible";
    if (says("(reseller)") || says("(distributor)") || says("used")) return "reseller";
    return price.confidence == "derived" && !says("list price") ? "estimate" : "list";
}

bool isMaximumPower(const BillLine& line) {
    return line.part && !line.part->typical && line.maximum && line.typical == line.maximum && line.maximum->value() > 0;
}

Table bomTable(const Bill& bill, const Currency& currency, const BomHeading& heading) {
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
    finish(table, label, heading, currency);
    return table;
}

Table bomTableByBlock(const std::vector<BillBlock>& blocks, const Currency& currency, const BomHeading& heading) {
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
    finish(table, label, heading, currency);
    return table;
}

} // namespace railyard
