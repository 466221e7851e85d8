#include "core/io/tables/bom_workbook.h"

#include "core/analysis/figures/shown_figures.h"
#include "core/base/counted.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/bill/spares.h"
#include "core/bill/unpriced.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "core/design/model/element_names.h"
#include "core/io/document/carried_design.h"
#include "core/io/document/design_text.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/bom_json.h"
#include "core/io/tables/cable_schedule.h"
#include "core/io/tables/workbook.h"
#include "core/json/json_text.h"
#include "core/reliability/reliability_parameters.h"
#include "core/reliability/spare_rates.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace railyard {
namespace {

using Format = Column::Format;

// Spares are one stock for the whole design; they draw no power.
BillBlock sparesBlock(const Bill& bill) {
    BillBlock block{"spares", 1, {}};
    for (BillLine line : bill.lines) {
        if (line.spares.value_or(0) == 0) continue;
        line.section = "Spares";
        line.quantity = *std::exchange(line.spares, std::nullopt);
        line.typical = line.maximum = Watts(0);
        block.lines.push_back(line);
    }
    return block;
}

// What collective times include depends on the library of the GPUs, as in core/collective/communicator/communicator_links.cpp.
std::string collectiveBasis(const Fabric& fabric) {
    std::set<std::uint32_t> parts;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d)) parts.insert(fabric.devices.part[d]);
    std::shared_ptr<const CollectiveLibrary> common;
    for (const auto index : parts) {
        const Part* part = fabric.parts[index];
        const auto library = shippedCalibration().libraryOf(part ? part->vendor : std::string());
        if (!library) return "Link bandwidth only: the vendor publishes no latency constants";
        if (common && common != library) return "Link bandwidth only: the GPUs use different collective libraries";
        common = library;
    }
    return common ? "Calibrated (" + common->name + "): latency and protocol efficiency included" : "No GPUs";
}

// What quotes list beside the parts that the catalogue has.
std::string notIncluded(bool isCustomer) {
    return std::string("Fabric managers and their servers, software licences, support contracts, power supplies, rail kits and PDUs that "
                       "are sold apart, patch panels, cable trays") +
           (isCustomer ? "" : "; taxes and freight");
}

} // namespace

// "=SUMIF(category, "switch", power)+...": what the sheet BOM holds of these categories.
static std::string powerOf(std::initializer_list<BillCategory> categories) {
    std::string formula;
    for (const BillCategory category : categories)
        formula += fmt::format(R"({}SUMIF({{BOM!Category}},"{}",{{BOM!Ext power (W)}}))", formula.empty() ? "=" : "+",
                               billCategoryNames[static_cast<std::size_t>(category)]);
    return formula;
}

Table powerTable(const Bill& bill, const Currency& currency, bool showsPrices) {
    Table table{
        "Power", {{"Category", 16, Format::General}, {"Power (W)", 14, Format::Decimal}, {"Basis", 60, Format::General}}, {}, {}, {}};
    static constexpr std::string_view basis[] = {"typical power, without transceivers",
                                                 "passive fibre: none; copper and AOC: both ends",
                                                 "typical power of every module, or maximum where no typical value is published",
                                                 "typical power, or maximum where no typical value is published",
                                                 "typical power, or maximum where no typical value is published",
                                                 "switches and modules",
                                                 "switches and modules",
                                                 "switches and modules"};
    const auto sum = [](const std::optional<Watts>& watts, std::string formula) {
        return watts ? Cell(Formula{std::move(formula), watts->value()}) : Cell();
    };
    for (std::size_t c = 0; c < poweredCategories; ++c)
        if (bill.linesByCategory[c] > 0)
            table.rows.push_back({std::string(billCategoryNames[c]), sum(bill.watts[c], powerOf({static_cast<BillCategory>(c)})),
                                  std::string(bill.watts[c] ? basis[c] : "not published for at least one part")});
    table.rows.push_back({std::string("network"),
                          sum(bill.networkPower, powerOf({BillCategory::Switch, BillCategory::Cable, BillCategory::Pluggable})),
                          std::string("switches + cables + pluggables")});
    table.rows.push_back({std::string("total"), sum(bill.totalPower, "=SUM({BOM!Ext power (W)})"),
                          std::string("network + NICs + servers + storage and management networks")});
    if (bill.totalPower) {
        table.rows.push_back({std::string("facility"),
                              Formula{fmt::format("={{Power!Power (W)@total}}*{}", bill.site.pue), bill.facilityPower()->value()},
                              fmt::format("total × PUE {}", bill.site.pue)});
        if (!showsPrices) return table;
        table.notes.push_back(fmt::format(
            "Energy: {0:.0f} {4} per year at {1:.6g} {4}/kWh. Colocation: {2:.0f} {4} per year at {3:.6g} {4} per kW and month, excluding "
            "energy.",
            *bill.energyPerYear() * currency.perDollar, bill.site.usdPerKwh * currency.perDollar, *bill.spacePerYear() * currency.perDollar,
            bill.site.usdPerKwMonth * currency.perDollar, currency.code));
    }
    return table;
}

Table racksTable(const Fabric& fabric, const Floor& floor) {
    Table table{"Racks",
                {{"Rack", 8, Format::General},
                 {"Name", 20, Format::General},
                 {"Row", 6, Format::Integer},
                 {"Position", 8, Format::Integer},
                 {"Rack model", 26, Format::General},
                 {"U", 6, Format::Integer},
                 {"Height (U)", 8, Format::Integer},
                 {"Device", 26, Format::General},
                 {"Device model", 28, Format::General},
                 {"Power max (W)", 12, Format::Decimal},
                 {"Weight (kg)", 10, Format::Decimal}},
                {},
                {},
                {}};
    const ElementNames names(*fabric.design);
    std::vector<Guest> devices = floor.guests; // of all networks alike
    for (const Chassis& chassis : floor.chassis)
        if (chassis.rack != none)
            devices.push_back({chassisPath(fabric, chassis), chassis.part, chassis.rack, chassis.unit, chassis.height});
    const auto key = [&](const Guest& device) { return std::tuple(floor.racks[device.rack].spot, device.rack, -device.unit); };
    std::stable_sort(devices.begin(), devices.end(), [&](const Guest& a, const Guest& b) { return key(a) < key(b); });
    for (const Guest& device : devices) {
        const Rack& rack = floor.racks[device.rack];
        const Part* part = device.part;
        table.rows.push_back({rack.label, rack.name, static_cast<double>(rack.spot.row), static_cast<double>(rack.spot.position),
                              rack.part ? rack.part->name : std::string(), static_cast<double>(device.unit),
                              static_cast<double>(device.height), names.nameOf(device.path), part ? part->name : std::string(),
                              wattsCell(part ? (part->maximum ? part->maximum : part->typical) : std::nullopt),
                              part && part->weightKg ? Cell(*part->weightKg) : Cell()});
    }
    return table;
}

Table assumptionsTable(const Fabric& fabric, const Bill& bill, const BomOptions& options) {
    const Currency& currency = options.currency;
    Table table{"Assumptions", {{"Assumption", 34, Format::General}, {"Value", 90, Format::General, true}}, {}, {}, {}};
    const auto add = [&](std::string what, std::string value) { table.rows.push_back({std::move(what), std::move(value)}); };
    if (fabric.design->recipe) {
        add("Recipe", fabric.design->recipe->name);
        for (const auto& [key, value] : fabric.design->recipe->parameters) add("  " + key, value);
    }
    add("Catalogue date", fabric.design->catalog->asOf());
    if (!fabric.design->floor)
        add("Cable length", fmt::format("{:g} m for every cable: no racks are placed", Cabling::defaultLengthMetres));
    else
        add("Cable length", fmt::format("route over trays {:g} m high and aisles {:g} m wide, plus {:g} m of slack at each end and {:g} % "
                                        "of the route, rounded up to the next stock length",
                                        fabric.design->floor->trayHeight.value(), fabric.design->floor->aisle.value(),
                                        fabric.design->floor->slack.value(), fabric.design->floor->slackFraction * 100));
    if (!options.isCustomer) add("Currency", currency.code + ", prices excluding taxes and freight");
    if (!options.isCustomer)
        add("Discounts", options.discounts.empty() ? "none" : discountsText(options.discounts) + "; off the unit price");
    if (!options.isCustomer && options.margin > 0) add("Margin", fmt::format("{:g} % of the sales price", options.margin * 100));
    add("Not included", notIncluded(options.isCustomer));
    if (!options.isCustomer && currency.code != "USD") add("Exchange rate", rateText(currency));
    if (options.isCustomer)
        add("Energy", fmt::format("{:g} h per year, PUE {}", hoursPerYear, bill.site.pue));
    else
        add("Energy", fmt::format("{:g} h per year, {:.6g} {}/kWh, PUE {}", hoursPerYear, bill.site.usdPerKwh * currency.perDollar,
                                  currency.code, bill.site.pue));
    add("Collectives", collectiveBasis(fabric));
    add("Bandwidth", "per direction");
    const auto own =
        std::count_if(bill.lines.begin(), bill.lines.end(), [](const BillLine& line) { return line.part && line.part->shippedPrice; });
    if (own > 0 && !options.isCustomer)
        add("Price book", counted(own, "{} line uses a price from the user's price book instead of the shipped price",
                                  "{} lines use prices from the user's price book instead of the shipped prices"));
    if (options.sparesConfidence)
        add("Spares",
            fmt::format(
                "Poisson model: {:g} % probability that the spares cover the {} h ({:g} weeks) lead time. Failure rates of the design; no "
                "spares for passive fibre: no failure rate is known.",
                *options.sparesConfidence * 100, formatCount(std::llround(spareLeadTimeHours)), spareLeadTimeHours / (24 * 7)));
    if (options.sparesConfidence) add("Lead time", fmt::format("{:g} weeks for every part, assumed", spareLeadTimeHours / (24 * 7)));
    if (options.sparesShare)
        add("Spares",
            fmt::format("{:g} % of the quantity of every part, rounded up; none for racks and labour", *options.sparesShare * 100));
    if (bill.unpricedLines > 0 && !options.isCustomer)
        add("Unpriced lines", fmt::format("{} had no price when this was written ({}); the totals are then lower bounds",
                                          counted(bill.unpricedLines, "{} line", "{} lines"), unpricedItems(bill.lines).text()));
    return table;
}

namespace {

// The sums of the sheet BOM, counted from its rows as its formulas count them.
class BomSums {
public:
    BomSums() = default; // of a copy for the customer, whose sheet has no prices
    explicit BomSums(const Table& bom) {
        const std::size_t section = bom.columnOf("Section"), category = bom.columnOf("Category"), net = bom.columnOf("Net price"),
                          quantity = bom.columnOf("Qty"), spare = bom.columnOf("Spare qty"), number = bom.columnOf("Part number");
        for (const auto& row : bom.rows) {
            const auto in = [&](std::size_t column) { return numberIn(row[column]).value_or(0); };
            const bool isSpare = std::get<std::string>(row[section]) == "Spares";
            const std::string& kind = std::get<std::string>(row[category]);
            const double count = in(quantity), cost = in(net)*count;
            spareItems += in(spare) + (isSpare ? count : 0);
            spares += in(net)*in(spare) + (isSpare ? cost : 0);
            if (std::get<std::string>(row[number]).empty()) ++withoutNumber;
            if (!numberIn(row[net])) {
                ++unpricedLines;
                if (!isSpare) unpriced[kind] += count;
            }
            if (isSpare) continue;
            total += cost;
            if (kind == "switch" || kind == "cable" || kind == "pluggable") network += cost;
            low += in(bom.columnOf("Extended low"));
            high += in(bom.columnOf("Extended high"));
        }
    }
    double network = 0, total = 0, low = 0, high = 0, spares = 0, spareItems = 0;
    int unpricedLines = 0, withoutNumber = 0;
    std::map<std::string, double> unpriced; // items, by category
};

constexpr std::string_view withPrice = ", lines with a price";

// What a figure of the sheet is computed from by its formula, so that a price or a discount typed into the sheet BOM arrives here.
struct SheetFormula {
    std::string_view key; // of the figure
    const char* text;
    double (*value)(const BomSums& sums) = nullptr; // null: the figure's own
};
constexpr SheetFormula sheetFormulas[] = {
    {"cost.network_usd",
     R"(=SUMPRODUCT((({BOM!Category}="switch")+({BOM!Category}="cable")+({BOM!Category}="pluggable"))*({BOM!Section}<>"Spares"),)"
     R"({BOM!Qty},{BOM!Net price}))",
     [](const BomSums& sums) { return sums.network; }},
    {"cost.total_usd", R"(=SUMPRODUCT(({BOM!Section}<>"Spares")*1,{BOM!Qty},{BOM!Net price}))",
     [](const BomSums& sums) { return sums.total; }},
    {"cost.low_usd", R"(=SUMIF({BOM!Section},"<>Spares",{BOM!Extended low}))", [](const BomSums& sums) { return sums.low; }},
    {"cost.high_usd", R"(=SUMIF({BOM!Section},"<>Spares",{BOM!Extended high}))", [](const BomSums& sums) { return sums.high; }},
    {"cost.unpriced_lines", "=COUNTBLANK({BOM!Unit price})", [](const BomSums& sums) { return static_cast<double>(sums.unpricedLines); }},
    {"power.network_w", "={Power!Power (W)@network}/1000"},
    {"power.total_w", "={Power!Power (W)@total}/1000"},
};

// Rows of the summary: a name, a number in a format of its own, a unit, and the key of the figure where it is one.
class SummarySheet {
public:
    SummarySheet(const Table& bom, const BomOptions& options)
        : m_sums(options.isCustomer ? BomSums() : BomSums(bom)),
          m_lines(bom.rows.size()),
          m_options(options) {}

    void add(std::string name, Cell value, std::string unit = {}, std::string key = {}) {
        m_table.rows.push_back({std::move(name), std::move(value), std::move(unit), std::move(key)});
    }
    void addFigure(const ShownFigure& figure) {
        const bool isAmount = figure.row->storedUnit == "USD";
        std::string unit(isAmount ? std::string_view(m_options.currency.code) : figure.row->unit);
        if (figure.key == "cost.unpriced_lines") unit = ofLines();
        std::string name = figure.title;
        if (!figure.tag.empty()) name += " (" + figure.tag + ")";
        if (isAmount) name += withPrice;
        Cell cell = cellOf(figure);
        // With discounts, in another currency or by block, the cell may hold another number than the figure.
        const auto number = numberIn(cell);
        const bool isFigure = (!isAmount || m_options.currency.code == "USD") && (!number || *number == *figure.value * figure.row->scale);
        add(std::move(name), std::move(cell), std::move(unit), isFigure ? figure.key : std::string());
    }
    // What the bill alone has, below its last figure of costs.
    void addRestOfBill() {
        for (const auto& [category, items] : m_sums.unpriced)
            add(fmt::format("  Items without a price, category {}", category),
                Formula{fmt::format(R"(=SUMIF({{BOM!Category}},"{0}",{{BOM!Qty}})-SUMPRODUCT(({{BOM!Category}}="{0}")*)"
                                    R"(({{BOM!Unit price}}<>""),{{BOM!Qty}}))",
                                    category),
                        items, Format::Integer});
        add("Lines without a part number",
            Formula{"=COUNTBLANK({BOM!Part number})", static_cast<double>(m_sums.withoutNumber), Format::Integer}, ofLines());
        const auto money = [&](const char* name, const std::string& formula, double value) {
            add(name, Formula{formula, roundedToCents(value), Format::Money}, m_options.currency.code);
        };
        const std::string total = fmt::format("{{Summary!Value@Total cost{}}}", withPrice);
        if (m_options.margin > 0) {
            add("Margin, of the sales price", Figure{m_options.margin, Format::Percent});
            money("Sales price, lines with a price", fmt::format("={}/(1-{{Summary!Value@Margin, of the sales price}})", total),
                  m_sums.total / (1 - m_options.margin));
        }
        if (m_sums.spareItems == 0) return;
        add("Spare items", Formula{R"(=SUM({BOM!Spare qty})+SUMIF({BOM!Section},"Spares",{BOM!Qty}))", m_sums.spareItems, Format::Integer});
        money("Spares, not in the total above", fmt::format("=SUM({{BOM!Extended net}})-{}", total), m_sums.spares);
        money("Total cost with spares", "=SUM({BOM!Extended net})", m_sums.total + m_sums.spares);
    }
    Table take() && { return std::move(m_table); }

private:
    std::string ofLines() const { return fmt::format("of {} lines", m_lines); }
    Cell cellOf(const ShownFigure& figure) const {
        const FigureInfo& row = *figure.row;
        if (!figure.value) return "not known: " + (figure.note.empty() ? std::string("see the sheet Assumptions") : figure.note);
        const Format format = row.storedUnit == "USD"               ? Format::Money
                              : row.format == FigureFormat::Count   ? Format::Integer
                              : row.format == FigureFormat::Percent ? Format::Percent
                                                                    : Format::Decimal;
        const auto* formula = std::find_if(std::begin(sheetFormulas), std::end(sheetFormulas),
                                           [&](const SheetFormula& each) { return each.key == figure.key; });
        const double value = *figure.value * row.scale;
        if (formula == std::end(sheetFormulas)) return Figure{value, format};
        const double shown = formula->value ? formula->value(m_sums) : value;
        return Formula{formula->text, format == Format::Money ? roundedToCents(shown) : shown, format};
    }

    BomSums m_sums;
    std::size_t m_lines;
    const BomOptions& m_options;
    Table m_table{"Summary",
                  {{"Metric", 64, Format::General, true},
                   {"Value", 30, Format::Decimal},
                   {"Unit", 14, Format::General},
                   {"Key", 44, Format::General}},
                  {},
                  {},
                  {}};
};

} // namespace

Table summaryTable(const Metrics& m, const Bill& bill, const Table& bom, const BomOptions& options) {
    SummarySheet sheet(bom, options);
    sheet.add("Design", m.name);
    InstantMetrics instant = m.instant;
    instant.bill = bill;
    for (const ShownFigure& figure : shownFigures(FigureDisplay::Summary, {instant, &m.background})) {
        const bool isOfPrices = figure.row->key.starts_with("cost.");
        if (isOfPrices && options.isCustomer) continue;
        sheet.addFigure(figure);
        if (figure.key == "cost.unpriced_lines") sheet.addRestOfBill();
    }
    return std::move(sheet).take();
}

namespace {

// What the formats of the bill are written from.
struct BillContent {
    const Fabric& fabric;
    const Metrics& metrics;
    const BomOptions& options;
    Bill bill;
    Cabling cabling;
    std::vector<BillBlock> blocks;
    std::map<const Part*, std::shared_ptr<const Part>> withoutPrices = {}; // of a copy for the customer

    Table table(BomFor use = BomFor::Text) const {
        const BomHeading heading{fabric.design->name, use, !options.isCustomer};
        return options.byBlock ? bomTableByBlock(blocks, options.currency, heading) : bomTable(bill, options.currency, heading);
    }
};

Status writeBillWorkbook(const BillContent& of, const std::string& path) {
    Table bom = of.table(BomFor::Sheet), summary = summaryTable(of.metrics, of.bill, bom, of.options);
    std::vector<Table> sheets{std::move(summary), std::move(bom), cableTable(of.fabric, of.cabling),
                              powerTable(of.bill, of.options.currency, !of.options.isCustomer)};
    if (of.cabling.floor.isPlaced()) sheets.push_back(racksTable(of.fabric, of.cabling.floor));
    sheets.push_back(assumptionsTable(of.fabric, of.bill, of.options));
    const auto write = [&](const std::string& file) { return writeWorkbook(sheets, file, of.fabric.design->name); };
    if (of.options.isCustomer) return write(path); // whose design would tell prices
    return writeCarrying(path, [&](const std::string& file) -> Result<CarriedTexts> {
        if (Status written = write(file); !written) return written.errors();
        return CarriedTexts{{CarriedText::Design, designText(*of.fabric.design)}};
    });
}

// What is asked, paid or estimated for anything.
Json withoutPrices(Json bill) {
    for (const char* key : {"network_usd", "total_usd", "low_usd", "high_usd", "net_usd", "margin_fraction", "sales_usd", "unpriced_lines",
                            "currency", "total_with_spares_usd"})
        bill.erase(key);
    for (Json& line : bill["lines"])
        for (const char* key : {"unit_low_usd", "unit_usd", "unit_high_usd", "extended_usd", "price_date", "price_source",
                                "price_confidence", "price_kind", "discount_fraction", "net_usd"})
            line.erase(key);
    return bill;
}

Json jsonOf(const BillContent& of) {
    Json json = bomJson(of.bill, of.blocks, of.options);
    return of.options.isCustomer ? withoutPrices(std::move(json)) : json;
}

// The parts themselves lose theirs, so that nothing that is written from them can tell it.
void dropPrices(BillContent& content) {
    const auto without = [&](const Part* part) -> const Part* {
        if (!part) return nullptr;
        auto& copy = content.withoutPrices[part];
        if (!copy) {
            Part plain = *part;
            plain.price.reset();
            plain.shippedPrice.reset();
            plain.original.clear();
            copy = std::make_shared<const Part>(std::move(plain));
        }
        return copy.get();
    };
    const auto drop = [&](std::vector<BillLine>& lines) {
        for (BillLine& line : lines) {
            line.low = line.base = line.high = {};
            line.discount = 0;
            line.part = without(line.part);
        }
    };
    drop(content.bill.lines);
    for (BillBlock& block : content.blocks) drop(block.lines);
    content.bill.network = content.bill.total = content.bill.low = content.bill.high = Money();
}

const std::vector<FormatRow<BillContent>>& billRows() {
    static const std::vector<FormatRow<BillContent>> rows{
        {{".xlsx", "Workbook"}, writeBillWorkbook},
        {{".csv", "CSV"}, [](const BillContent& of, const std::string& path) { return writeFile(path, csvOf(of.table())); }},
        {{".md", "Markdown"}, [](const BillContent& of, const std::string& path) { return writeFile(path, markdownOf(of.table())); }},
        {{".json", "JSON"}, [](const BillContent& of, const std::string& path) { return writeFile(path, jsonText(jsonOf(of)) + "\n"); }}};
    return rows;
}

} // namespace

std::vector<FileFormat> billFormats() { return formatsOf(billRows()); }

static BillContent contentOf(const Fabric& fabric, const Metrics& metrics, const BomOptions& options) {
    BillContent content{fabric, metrics, options, metrics.instant.bill, metrics.cabling ? *metrics.cabling : cablingOf(fabric), {}};
    if (options.sparesConfidence)
        addSpares(content.bill, spareRatesOf(*fabric.design, reliabilityOfDesign(*fabric.design)), *options.sparesConfidence);
    if (options.sparesShare) addSparesByQuantity(content.bill, *options.sparesShare);
    if (options.byBlock) content.blocks = billByBlock(fabric, content.cabling);
    const auto discount = [&](std::vector<BillLine>& lines) {
        for (BillLine& line : lines) line.discount = discountOf(line, options.discounts);
    };
    discount(content.bill.lines);
    for (BillBlock& block : content.blocks) discount(block.lines);
    if (options.byBlock && (options.sparesConfidence || options.sparesShare)) content.blocks.push_back(sparesBlock(content.bill));
    if (options.isCustomer) dropPrices(content);
    return content;
}

Result<Json> bomJson(const Fabric& fabric, const Metrics& metrics, const BomOptions& options) {
    if (const Status good = checkVendors(options.discounts, *fabric.design->catalog); !good) return good.errors();
    return jsonOf(contentOf(fabric, metrics, options));
}

Status writeBom(const Fabric& fabric, const Metrics& metrics, const std::string& path, const BomOptions& options) {
    if (!formatFor(billRows(), path)) return unknownFormat("a bill of materials", path, billRows());
    if (Status good = checkVendors(options.discounts, *fabric.design->catalog); !good) return good;
    return formatFor(billRows(), path)->write(contentOf(fabric, metrics, options), path);
}

} // namespace railyard
