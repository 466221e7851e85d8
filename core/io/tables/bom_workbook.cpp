#include "core/io/tables/bom_workbook.h"

#include "core/base/counted.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/bill/spares.h"
#include "core/bill/unpriced.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/bom_json.h"
#include "core/io/tables/cable_schedule.h"
#include "core/io/tables/workbook.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
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
        if (fabric.devices.kind[d] == DeviceKind::Gpu) parts.insert(fabric.devices.part[d]);
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

} // namespace

Table powerTable(const Bill& bill) {
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
    for (std::size_t c = 0; c < poweredCategories; ++c)
        if (bill.linesByCategory[c] > 0)
            table.rows.push_back({std::string(billCategoryNames[c]), wattsCell(bill.watts[c]),
                                  std::string(bill.watts[c] ? basis[c] : "not published for at least one part")});
    table.rows.push_back({std::string("network"), wattsCell(bill.networkPower), std::string("switches + cables + pluggables")});
    table.rows.push_back(
        {std::string("total"), wattsCell(bill.totalPower), std::string("network + NICs + servers + storage and management networks")});
    if (bill.totalPower) {
        table.rows.push_back(
            {std::string("facility"), bill.facilityPower()->value(), fmt::format("total × PUE {}", powerUsageEffectiveness)});
        table.notes.push_back(fmt::format(
            "Energy: {:.0f} USD per year at {} USD/kWh. Colocation: {:.0f} USD per year at {} USD per kW and month, excluding energy.",
            *bill.energyPerYear(), dollarsPerKilowattHour, *bill.spacePerYear(), dollarsPerKilowattMonth));
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
                              static_cast<double>(device.height), device.path, part ? part->name : std::string(),
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
    add("Currency", currency.code + ", list prices excluding discounts, taxes and freight");
    if (currency.code != "USD")
        add("Exchange rate", fmt::format("{} {} per US dollar, entered by the user", currency.perDollar, currency.code));
    add("Energy", fmt::format("{:g} h per year, {} USD/kWh, PUE {}", hoursPerYear, dollarsPerKilowattHour, powerUsageEffectiveness));
    add("Collectives", collectiveBasis(fabric));
    add("Bandwidth", "per direction");
    const auto own =
        std::count_if(bill.lines.begin(), bill.lines.end(), [](const BillLine& line) { return line.part && line.part->shippedPrice; });
    if (own > 0)
        add("Price book", counted(own, "{} line uses a price from the user's price book instead of the shipped price",
                                  "{} lines use prices from the user's price book instead of the shipped prices"));
    if (options.sparesConfidence)
        add("Spares",
            fmt::format("Poisson: the stock lasts {:g} h, until the replacement comes, with {:g} % certainty; default failure rates, "
                        "none for passive fibre",
                        spareLeadTimeHours, *options.sparesConfidence * 100));
    if (bill.unpricedLines > 0)
        add("Unpriced lines",
            fmt::format("{} lines have no price ({}); totals are lower bounds", bill.unpricedLines, unpricedItems(bill.lines).text()));
    return table;
}

namespace {

// Rows of the summary: a name, a number in a format of its own, a unit.
class SummaryRows {
public:
    explicit SummaryRows(Table& table) : m_table(table) {}
    void add(std::string name, Cell value, std::string unit = {}) {
        m_table.rows.push_back({std::move(name), std::move(value), std::move(unit)});
    }
    void count(std::string name, std::int64_t value, std::string unit = {}) {
        add(std::move(name), Figure{static_cast<double>(value), Format::Integer}, std::move(unit));
    }
    void money(std::string name, Money amount, const Currency& currency) {
        add(std::move(name), Figure{amount.inDollars() * currency.perDollar, Format::Money}, currency.code);
    }

private:
    Table& m_table;
};

void summariseCounts(SummaryRows& rows, const InstantMetrics& m) {
    rows.count("GPUs", m.counts.gpus);
    rows.count("Servers", m.counts.servers);
    rows.count("Switch tiers", m.counts.tiers);
    rows.count("Switches", m.counts.switches);
    for (std::size_t t = 1; t < m.counts.switchesByTier.size(); ++t)
        if (m.counts.switchesByTier[t] > 0)
            rows.count(fmt::format("  {} switches", toText(static_cast<SwitchTier>(t))), m.counts.switchesByTier[t]);
    rows.count("Links", m.counts.links);
    rows.count("Cables", m.cables.cables);
    if (m.cables.pluggables)
        rows.count("Pluggable modules", *m.cables.pluggables);
    else
        rows.add("Pluggable modules", std::string("not known: no module in the catalogue fits some cage"));
}

// A total says in its own row what it holds and what it leaves out.
void summariseCost(SummaryRows& rows, const Bill& bill, const Currency& currency) {
    const UnpricedItems unpriced = unpricedItems(bill.lines);
    const auto excludes = [](const std::string& items) { return items.empty() ? "" : "; excludes " + items + " without a price"; };
    rows.money("Network cost: switches, cables and modules" + excludes(unpriced.networkText()), bill.network, currency);
    rows.money("Total cost" + excludes(unpriced.text()), bill.total, currency);
    Money spares;
    std::int64_t count = 0;
    for (const BillLine& line : bill.lines) {
        count += line.spares.value_or(0);
        if (line.base) spares += *line.base * line.spares.value_or(0);
    }
    if (count > 0) {
        rows.money(fmt::format("Spares: {} items, not in the total above", formatCount(count)), spares, currency);
        rows.money("Total cost with spares" + excludes(unpriced.text()), bill.total + spares, currency);
    }
    const auto withoutNumber =
        std::count_if(bill.lines.begin(), bill.lines.end(), [](const BillLine& line) { return partNumberOf(line).number.empty(); });
    const std::string ofLines = fmt::format("of {} lines", bill.lines.size());
    rows.count("Lines without a price", bill.unpricedLines, ofLines);
    rows.count("Lines without a part number", withoutNumber, ofLines);
}

void summarisePower(SummaryRows& rows, const Bill& bill) {
    for (const auto& [name, power] : {std::pair("Network power", bill.networkPower), std::pair("Total power", bill.totalPower)})
        if (power)
            rows.add(name, Figure{power->value(), Format::Integer}, "W");
        else
            rows.add(name, std::string("not known: a part in it has no published power, see the sheet Power"));
}

} // namespace

Table summaryTable(const Metrics& m, const Bill& bill, const Currency& currency) {
    Table table{
        "Summary", {{"Metric", 64, Format::General, true}, {"Value", 30, Format::Decimal}, {"Unit", 14, Format::General}}, {}, {}, {}};
    SummaryRows rows(table);
    rows.add("Design", m.name);
    summariseCounts(rows, m.instant);
    summariseCost(rows, bill, currency);
    summarisePower(rows, bill);
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        const Bisection& b = m.background.bisection[static_cast<std::size_t>(key)];
        rows.add(fmt::format("{} ({})", labelOf(key), b.certified ? "certified" : "upper bound"), Figure{b.upperGbps, Format::Decimal},
                 "Gb/s");
    }
    for (const NamedCollective& c : m.background.collectives)
        rows.add(fmt::format("{}, {}{}", toText(c.op), formatBytes(c.size),
                             c.result ? ", " + algorithmText(*c.result) + (c.result->library ? "" : ", link bandwidth only") : ""),
                 c.result ? Cell(Figure{c.result->best.time.value() * 1e3, Format::Decimal}) : Cell(), "ms");
    const auto& interrupt = m.background.interrupts;
    rows.add(fmt::format("Interrupt probability, {:g} days", interrupt.horizonHours / 24),
             interrupt.probability ? Cell(Figure{*interrupt.probability, Format::Percent}) : Cell());
    return table;
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

    Table table() const { return options.byBlock ? bomTableByBlock(blocks, options.currency) : bomTable(bill, options.currency); }
};

Status writeBillWorkbook(const BillContent& of, const std::string& path) {
    std::vector<Table> sheets{summaryTable(of.metrics, of.bill, of.options.currency), of.table(), cableTable(of.fabric, of.cabling),
                              powerTable(of.bill)};
    if (of.cabling.floor.isPlaced()) sheets.push_back(racksTable(of.fabric, of.cabling.floor));
    sheets.push_back(assumptionsTable(of.fabric, of.bill, of.options));
    return writeWorkbook(sheets, path, of.fabric.design->name);
}

const std::vector<FormatRow<BillContent>>& billRows() {
    static const std::vector<FormatRow<BillContent>> rows{
        {{".xlsx", "Workbook"}, writeBillWorkbook},
        {{".csv", "CSV"}, [](const BillContent& of, const std::string& path) { return writeFile(path, csvOf(of.table())); }},
        {{".md", "Markdown"}, [](const BillContent& of, const std::string& path) { return writeFile(path, markdownOf(of.table())); }},
        {{".json", "JSON"}, [](const BillContent& of, const std::string& path) {
             return writeFile(path, jsonText(bomJson(of.bill, of.blocks, of.options.currency)) + "\n");
         }}};
    return rows;
}

} // namespace

std::vector<FileFormat> billFormats() { return formatsOf(billRows()); }

Status writeBom(const Fabric& fabric, const Metrics& metrics, const std::string& path, const BomOptions& options) {
    if (!formatFor(billRows(), path)) return unknownFormat("a bill of materials", path, billRows());
    BillContent content{fabric, metrics, options, metrics.instant.bill, cablingOf(fabric), {}};
    if (options.sparesConfidence) addSpares(content.bill, *fabric.design->catalog, *options.sparesConfidence);
    if (options.byBlock) content.blocks = billByBlock(fabric, content.cabling);
    if (options.byBlock && options.sparesConfidence) content.blocks.push_back(sparesBlock(content.bill));
    return formatFor(billRows(), path)->write(content, path);
}

} // namespace railyard
