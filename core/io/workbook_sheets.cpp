#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/bill/spares.h"
#include "core/io/deliverables.h"
#include "core/io/results_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace railyard {
namespace {

using Format = Column::Format;

Cell watts(const std::optional<Watts>& power) { return power ? Cell(power->value()) : Cell(); }

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

} // namespace

Table powerTable(const Bill& bill) {
    Table table{
        "Power", {{"Category", 16, Format::General}, {"Power (W)", 14, Format::Decimal}, {"Basis", 60, Format::General}}, {}, {}, {}};
    static constexpr std::string_view basis[] = {"typical without optics",
                                                 "passive",
                                                 "typical, else maximum, of every module",
                                                 "typical, else maximum",
                                                 "typical, else maximum",
                                                 "switches and modules",
                                                 "switches and modules",
                                                 "switches and modules"};
    for (std::size_t c = 0; c < poweredCategories; ++c)
        if (bill.linesByCategory[c] > 0)
            table.rows.push_back({std::string(billCategoryNames[c]), watts(bill.watts[c]),
                                  std::string(bill.watts[c] ? basis[c] : "not published for a part in it")});
    table.rows.push_back({std::string("network"), watts(bill.networkPower), std::string("switch + cable + pluggable")});
    table.rows.push_back({std::string("total"), watts(bill.totalPower), std::string("network + NICs + servers + networks beside it")});
    if (bill.totalPower) {
        table.rows.push_back(
            {std::string("facility"), bill.facilityPower()->value(), fmt::format("total × PUE {}", powerUsageEffectiveness)});
        table.notes.push_back(
            fmt::format("Energy {:.0f} USD a year at {} USD/kWh; colocation {:.0f} USD a year at {} USD/kW and month, without energy.",
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
                 {"Part", 16, Format::General},
                 {"U", 6, Format::Integer},
                 {"Height (U)", 8, Format::Integer},
                 {"Device", 26, Format::General},
                 {"Device part", 26, Format::General},
                 {"Power max (W)", 12, Format::Decimal},
                 {"Weight (kg)", 10, Format::Decimal}},
                {},
                {},
                {}};
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < floor.chassis.size(); ++i)
        if (floor.chassis[i].rack != none) order.push_back(i);
    const auto key = [&](std::uint32_t i) {
        return std::tuple(floor.racks[floor.chassis[i].rack].spot, floor.chassis[i].rack, -floor.chassis[i].unit);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (const std::uint32_t i : order) {
        const Chassis& chassis = floor.chassis[i];
        const Rack& rack = floor.racks[chassis.rack];
        table.rows.push_back({rack.label, rack.name, static_cast<double>(rack.spot.row), static_cast<double>(rack.spot.position),
                              rack.part ? rack.part->id : std::string(), static_cast<double>(chassis.unit),
                              static_cast<double>(chassis.height), chassisPath(fabric, chassis),
                              chassis.part ? chassis.part->id : std::string(),
                              watts(chassis.part ? (chassis.part->maximum ? chassis.part->maximum : chassis.part->typical) : std::nullopt),
                              chassis.part && chassis.part->weightKg ? Cell(*chassis.part->weightKg) : Cell()});
    }
    return table;
}

Table assumptionsTable(const Fabric& fabric, const Bill& bill, const BomOptions& options) {
    const Currency& currency = options.currency;
    Table table{"Assumptions", {{"Assumption", 34, Format::General}, {"Value", 90, Format::General}}, {}, {}, {}};
    const auto add = [&](std::string what, std::string value) { table.rows.push_back({std::move(what), std::move(value)}); };
    if (fabric.design->recipe) {
        add("Recipe", fabric.design->recipe->name);
        for (const auto& [key, value] : fabric.design->recipe->parameters) add("  " + key, value);
    }
    add("Catalogue of", fabric.design->catalog->asOf());
    if (!fabric.design->floor)
        add("Cable length", fmt::format("{:g} m each: no racks are placed", Cabling::defaultLengthMetres));
    else
        add("Cable length",
            fmt::format("trays {:g} m high, aisles {:g} m, slack {:g} m at each end and {:g} % of the route, next stock length",
                        fabric.design->floor->trayHeight.value(), fabric.design->floor->aisle.value(), fabric.design->floor->slack.value(),
                        fabric.design->floor->slackFraction * 100));
    add("Currency", currency.code + ", list prices without discount, tax or freight");
    if (currency.code != "USD")
        add("Exchange rate", fmt::format("{} {} to the US dollar, as given by the user", currency.perDollar, currency.code));
    add("Energy", fmt::format("{:g} h a year, {} USD/kWh, PUE {}", hoursPerYear, dollarsPerKilowattHour, powerUsageEffectiveness));
    add("Collectives", "bandwidth terms: efficiency 1, latency not counted");
    add("Bandwidth", "one direction everywhere");
    const auto own =
        std::count_if(bill.lines.begin(), bill.lines.end(), [](const BillLine& line) { return line.part && line.part->shippedPrice; });
    if (own > 0) add("Own prices", fmt::format("{} lines are priced by the user's price book, in place of the shipped prices", own));
    if (options.sparesConfidence)
        add("Spares",
            fmt::format("Poisson: the stock lasts {:g} h, until the replacement comes, with {:g} % certainty; default failure rates, "
                        "none for passive fibre",
                        spareLeadTimeHours, *options.sparesConfidence * 100));
    if (bill.unpricedLines > 0) add("Unpriced lines", fmt::format("{}: totals are at least", bill.unpricedLines));
    return table;
}

Table summaryTable(const Metrics& m, const Currency& currency) {
    Table table{"Summary", {{"Figure", 38, Format::General}, {"Value", 26, Format::Decimal}, {"Unit", 12, Format::General}}, {}, {}, {}};
    const auto add = [&](std::string name, Cell value, std::string unit = {}) {
        table.rows.push_back({std::move(name), std::move(value), std::move(unit)});
    };
    const InstantMetrics& i = m.instant;
    const auto count = [](std::int64_t value) { return Cell(static_cast<double>(value)); };
    add("Design", Cell(m.name));
    add("GPUs", count(i.counts.gpus));
    add("Servers", count(i.counts.servers));
    add("Switch tiers", count(i.counts.tiers));
    add("Switches", count(i.counts.switches));
    for (std::size_t t = 1; t < i.counts.switchesByTier.size(); ++t)
        if (i.counts.switchesByTier[t] > 0) add("  " + std::string(toText(static_cast<SwitchTier>(t))), count(i.counts.switchesByTier[t]));
    add("Links", count(i.counts.links));
    add("Cables", count(i.cables.cables));
    add("Pluggable modules", i.cables.pluggables ? count(*i.cables.pluggables) : Cell());
    add(i.bill.unpricedLines > 0 ? "Network cost, without latency" : "Network cost", Cell(i.bill.network.inDollars() * currency.perDollar),
        currency.code);
    add(i.bill.unpricedLines > 0 ? "Total cost, without latency" : "Total cost", Cell(i.bill.total.inDollars() * currency.perDollar),
        currency.code);
    add("Network power", watts(i.bill.networkPower), "W");
    add("Total power", watts(i.bill.totalPower), "W");
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        const Bisection& b = m.background.bisection[static_cast<std::size_t>(key)];
        add(fmt::format("Bisection {}{}", toText(key), b.certified ? ", certified" : ", upper bound"), Cell(b.upperGbps), "Gb/s");
    }
    for (const NamedCollective& c : m.background.collectives)
        add(fmt::format("{} of {}{}", toText(c.op), formatBytes(c.size),
                        c.result ? ", " + wayText(*c.result) + (c.result->library ? "" : ", without latency") : ""),
            c.result ? Cell(c.result->best.time.value() * 1e3) : Cell(), "ms");
    add("Interrupt probability, 30 days", m.background.interrupts.probability ? Cell(*m.background.interrupts.probability) : Cell());
    return table;
}

Status writeBom(const Fabric& fabric, const Metrics& metrics, const std::string& path, const BomOptions& options) {
    Bill bill = metrics.instant.bill;
    if (options.sparesConfidence) addSpares(bill, *fabric.design->catalog, *options.sparesConfidence);
    const Cabling cabling = cablingOf(fabric);
    std::vector<BillBlock> blocks = options.byBlock ? billByBlock(fabric, cabling) : std::vector<BillBlock>();
    if (options.byBlock && options.sparesConfidence) blocks.push_back(sparesBlock(bill));
    if (path.ends_with(".json")) return writeFile(path, bomJson(bill, blocks, options.currency).dump(2) + "\n");
    const Table bom = options.byBlock ? bomTableByBlock(blocks, options.currency) : bomTable(bill, options.currency);
    if (path.ends_with(".csv") || path == "-") return writeFile(path, csvOf(bom));
    if (!path.ends_with(".xlsx")) return Error::usage(fmt::format("-o {}: a bill is written as .xlsx, .csv or .json", path));
    std::vector<Table> sheets{summaryTable(metrics, options.currency), bom, cableTable(fabric, cabling), powerTable(bill)};
    if (cabling.floor.isPlaced()) sheets.push_back(racksTable(fabric, cabling.floor));
    sheets.push_back(assumptionsTable(fabric, bill, options));
    return writeWorkbook(sheets, path);
}

} // namespace railyard
