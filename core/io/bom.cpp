#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/io/deliverables.h"
#include "core/io/results_json.h"
#include "core/json/json_text.h"

#include <fmt/format.h>

namespace railyard {
namespace {

using Format = Column::Format;

Cell dollars(const std::optional<Money>& money) { return money ? Cell(money->inDollars()) : Cell(); }
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

} // namespace

Table bomTable(const Bill& bill) {
    Table table;
    table.name = "BOM";
    table.columns = {{"Line", 6, Format::Integer},
                     {"Section", 12, Format::General},
                     {"Part number", 24, Format::General},
                     {"Manufacturer", 16, Format::General},
                     {"Description", 38, Format::General},
                     {"Qty", 9, Format::Integer},
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
    double line = 0;
    for (const BillLine& item : bill.lines) {
        const auto quantity = static_cast<double>(item.quantity);
        const std::optional<double> net = item.base ? std::optional(item.base->inDollars()) : std::nullopt;
        std::vector<Cell> row;
        row.emplace_back(++line);
        row.emplace_back(item.section);
        row.emplace_back(item.part ? item.part->id : std::string());
        row.emplace_back(item.part ? item.part->vendor : std::string());
        row.emplace_back(item.description);
        row.emplace_back(quantity);
        row.emplace_back(0.0);
        row.emplace_back(Formula{"={Qty}+{Spare qty}", quantity});
        row.emplace_back(item.unit);
        row.push_back(dollars(item.base));
        row.emplace_back(0.0);
        row.emplace_back(Formula{"={List price}*(1-{Discount %}/100)", net});
        row.emplace_back(Formula{"={Total qty}*{Net price}", net ? std::optional(*net * quantity) : std::nullopt});
        row.emplace_back(std::string("USD"));
        row.emplace_back();
        row.push_back(watts(item.typical));
        row.push_back(watts(item.maximum));
        row.emplace_back(Formula{"={Qty}*{Power typ (W)}", item.typical ? std::optional(item.typical->value() * quantity) : std::nullopt});
        row.push_back(number(item.part ? item.part->rackUnits : std::nullopt));
        row.push_back(number(item.part ? item.part->weightKg : std::nullopt));
        row.emplace_back(priceSource(item));
        row.emplace_back(notesOf(item));
        table.rows.push_back(std::move(row));
    }
    table.sums = {"Extended net", "Ext power (W)"};
    if (bill.unpricedLines > 0) table.notes.push_back(fmt::format("{} lines have no price: the total is at least.", bill.unpricedLines));
    return table;
}

Table powerTable(const Bill& bill) {
    Table table{
        "Power", {{"Category", 16, Format::General}, {"Power (W)", 14, Format::Decimal}, {"Basis", 60, Format::General}}, {}, {}, {}};
    static constexpr std::string_view basis[] = {"typical without optics", "passive", "typical, else maximum, of every module",
                                                 "typical, else maximum", "typical, else maximum"};
    for (std::size_t c = 0; c < billCategoryNames.size(); ++c)
        if (bill.linesByCategory[c] > 0)
            table.rows.push_back({std::string(billCategoryNames[c]), watts(bill.watts[c]),
                                  std::string(bill.watts[c] ? basis[c] : "not published for a part in it")});
    table.rows.push_back({std::string("network"), watts(bill.networkPower), std::string("switch + cable + pluggable")});
    table.rows.push_back({std::string("total"), watts(bill.totalPower), std::string("network + NICs + servers")});
    if (bill.totalPower)
        table.rows.push_back({std::string("facility"), bill.totalPower->value() * powerUsageEffectiveness,
                              fmt::format("total × PUE {}", powerUsageEffectiveness)});
    return table;
}

Table assumptionsTable(const Fabric& fabric, const Bill& bill) {
    Table table{"Assumptions", {{"Assumption", 34, Format::General}, {"Value", 90, Format::General}}, {}, {}, {}};
    const auto add = [&](std::string what, std::string value) { table.rows.push_back({std::move(what), std::move(value)}); };
    if (fabric.design->recipe) {
        add("Recipe", fabric.design->recipe->name);
        for (const auto& [key, value] : fabric.design->recipe->parameters) add("  " + key, value);
    }
    add("Catalogue of", fabric.design->catalog->asOf());
    add("Cable length", fmt::format("{:g} m each: no racks are placed", Cabling::defaultLengthMetres));
    add("Currency", "USD, list prices without discount, tax or freight");
    add("Energy", fmt::format("{:g} h a year, {} USD/kWh, PUE {}", hoursPerYear, dollarsPerKilowattHour, powerUsageEffectiveness));
    add("Collectives", "bandwidth terms: efficiency 1, latency not counted");
    add("Bandwidth", "one direction everywhere");
    if (bill.unpricedLines > 0) add("Unpriced lines", fmt::format("{}: totals are at least", bill.unpricedLines));
    return table;
}

Table summaryTable(const Metrics& m) {
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
    add(i.bill.unpricedLines > 0 ? "Network cost, at least" : "Network cost", Cell(i.bill.network.inDollars()), "USD");
    add(i.bill.unpricedLines > 0 ? "Total cost, at least" : "Total cost", Cell(i.bill.total.inDollars()), "USD");
    add("Network power", watts(i.bill.networkPower), "W");
    add("Total power", watts(i.bill.totalPower), "W");
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        const Bisection& b = m.background.bisection[static_cast<std::size_t>(key)];
        add(fmt::format("Bisection {}{}", toText(key), b.certified ? ", certified" : ", upper bound"), Cell(b.upperGbps), "Gb/s");
    }
    for (const NamedCollective& c : m.background.collectives)
        add(fmt::format("{} of {}{}", toText(c.op), formatBytes(c.size), c.result ? ", " + c.result->best.algorithm : ""),
            c.result ? Cell(c.result->best.time.value() * 1e3) : Cell(), "ms");
    add("Interrupt probability, 30 days", m.background.interrupts.probability ? Cell(*m.background.interrupts.probability) : Cell());
    return table;
}

Json bomJson(const Bill& bill) {
    Json lines = Json::array();
    for (const BillLine& line : bill.lines) {
        const auto money = [](const std::optional<Money>& m) { return m ? Json(m->inDollars()) : Json(); };
        lines.push_back({{"section", line.section},
                         {"category", billCategoryNames[static_cast<std::size_t>(line.category)]},
                         {"part", line.part ? Json(line.part->id) : Json()},
                         {"description", line.description},
                         {"quantity", line.quantity},
                         {"unit_low_usd", money(line.low)},
                         {"unit_usd", money(line.base)},
                         {"unit_high_usd", money(line.high)},
                         {"extended_usd", line.base ? Json((*line.base * line.quantity).inDollars()) : Json()},
                         {"typical_w", line.typical ? Json(line.typical->value()) : Json()},
                         {"max_w", line.maximum ? Json(line.maximum->value()) : Json()},
                         {"price_date", line.part && line.part->price ? Json(line.part->price->date) : Json()},
                         {"price_source", line.part && line.part->price ? Json(line.part->price->source) : Json()}});
    }
    return {{"schema", "railyard.bom/1"},
            {"lines", lines},
            {"network_usd", bill.network.inDollars()},
            {"total_usd", bill.total.inDollars()},
            {"low_usd", bill.low.inDollars()},
            {"high_usd", bill.high.inDollars()},
            {"unpriced_lines", bill.unpricedLines}};
}

Status writeBom(const Fabric& fabric, const Metrics& metrics, const std::string& path) {
    const Bill& bill = metrics.instant.bill;
    if (path.ends_with(".json")) return writeFile(path, bomJson(bill).dump(2) + "\n");
    if (path.ends_with(".csv") || path == "-") return writeFile(path, csvOf(bomTable(bill)));
    if (!path.ends_with(".xlsx")) return Error::usage(fmt::format("-o {}: a bill is written as .xlsx, .csv or .json", path));
    return writeWorkbook({summaryTable(metrics), bomTable(bill), cableTable(fabric, cablingOf(fabric), labelDefault()), powerTable(bill),
                          assumptionsTable(fabric, bill)},
                         path);
}

} // namespace railyard
