#include "core/io/tables/cable_schedule.h"

#include "core/base/file.h"
#include "core/base/natural_order.h"
#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/design/model/element_names.h"
#include "core/io/tables/csv.h"
#include "core/io/tables/workbook.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <set>

namespace railyard {
namespace {

using Format = Column::Format;

std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& fields) {
    for (const auto& [name, value] : fields)
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
            text.replace(at, name.size(), value);
    return text;
}

std::string typeOf(const Fabric& fabric, DeviceId device) {
    const Part* part = fabric.partOf(device);
    return part ? part->name : std::string(toText(fabric.devices.kind[device]));
}

// The links of every cable that is laid; sorted by the lower end, the way a crew works through racks.
std::vector<std::vector<LinkId>> cablesInOrder(const Fabric& fabric, const Cabling& cabling) {
    std::vector<CabledLinkId> order;
    for (const CabledLinkId l : cabling.links.ids()) order.push_back(l);
    const auto key = [&](CabledLinkId l) {
        const LinkId first = cabling.links[cabling.patch[l]];
        return std::tuple(fabric.links.tier[first], fabric.links.a[first], fabric.links.aPort[first], first, l);
    };
    std::stable_sort(order.begin(), order.end(), [&](CabledLinkId x, CabledLinkId y) { return key(x) < key(y); });
    std::vector<std::vector<LinkId>> cables;
    for (const CabledLinkId l : order) {
        if (cabling.patch[l] == l) cables.emplace_back();
        cables.back().push_back(cabling.links[l]);
    }
    return cables;
}

// One end of a cable: where its links end. Several devices or ports stand side by side in link order: "leaf[1] + leaf[9]".
struct CableEnd {
    std::string node, port, type, rack, unit;
};

// Centimetres: what a tape measure shows.
double rounded(Metres length) { return std::round(length.value() * 100) / 100; }

// Units and whole ports are numbers, for sorting; lanes ("2.2") and several of them ("1 + 2") are names.
Cell numberOrName(const std::string& text) {
    int number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = failure == std::errc() && end == text.data() + text.size() && std::to_string(number) == text;
    return isNumber ? Cell(static_cast<double>(number)) : Cell(text);
}

// One network of the schedule: how it and its devices are called.
struct Network {
    const Fabric& fabric;
    const Cabling& cabling;
    std::string name;
    char idPrefix;
    std::function<std::string(DeviceId)> pathOf;
};

CableEnd endOf(const Network& network, const Floor& floor, const PortDialect& dialect, const std::vector<LinkId>& cable, bool lower) {
    const Fabric& fabric = network.fabric;
    CableEnd end;
    std::string lastNode, lastType;
    for (const auto l : cable) {
        const DeviceId device = lower ? fabric.links.a[l] : fabric.links.b[l];
        const auto port = lower ? fabric.links.aPort[l] : fabric.links.bPort[l];
        const std::string node = network.pathOf(device), type = typeOf(fabric, device);
        if (node != lastNode) end.node += (end.node.empty() ? "" : " + ") + node;
        if (type != lastType) end.type += (end.type.empty() ? "" : " + ") + type;
        end.port += (end.port.empty() ? "" : " + ") + portNameIn(dialect, fabric, device, port);
        if (const Rack* rack = floor.rackAt(device); rack && node != lastNode) {
            const std::string unit = std::to_string(floor.chassisAt(device)->unit);
            const bool same = rack->label == end.rack;
            if (!same) end.rack += (end.rack.empty() ? "" : " + ") + rack->label;
            if (!same || unit != end.unit) end.unit += (end.unit.empty() ? "" : " + ") + unit;
        }
        lastNode = node;
        lastType = type;
    }
    return end;
}

// Part numbers of the modules at both ends and of the cable, one for each choice: links are many, choices few.
struct EndNumbers {
    std::string a, b, cable;
};

std::vector<EndNumbers> numbersOf(const Cabling& cabling) {
    std::vector<EndNumbers> numbers;
    for (const OpticChoice& choice : cabling.choices)
        numbers.push_back(
            {partNumberOf(choice.a).number, partNumberOf(choice.b).number, partNumberOf(choice.cable, choice.ordered).number});
    return numbers;
}

void addCables(Table& table, const Network& network, const CableOptions& options) {
    const Fabric& fabric = network.fabric;
    const Cabling& cabling = network.cabling;
    const std::vector<EndNumbers> numbers = numbersOf(cabling);
    for (const std::vector<LinkId>& cable : cablesInOrder(fabric, cabling)) {
        const LinkId l = cable.front();
        const CabledLinkId own = cabling.links.find(l);
        const EndNumbers& number = numbers[cabling.choice[own]];
        const LinkTable& links = fabric.links;
        const OpticChoice& choice = cabling.choiceOf(own);
        const CableEnd a = endOf(network, cabling.floor, options.dialect, cable, true),
                       z = endOf(network, cabling.floor, options.dialect, cable, false);
        const auto rail = fabric.devices.rail[links.a[l]];
        const auto label = [&](const CableEnd& near, const CableEnd& far) {
            return filled(options.labels, {{"{a.node}", near.node},
                                           {"{a.port}", near.port},
                                           {"{z.node}", far.node},
                                           {"{z.port}", far.port},
                                           {"{cable.id}", cableId(l, network.idPrefix)},
                                           {"{a.rack}", near.rack},
                                           {"{z.rack}", far.rack},
                                           {"{a.u}", near.unit},
                                           {"{z.u}", far.unit}});
        };
        const std::string bundle = fmt::format("{} {}", toText(links.tier[l]), rail > 0 ? fmt::format("rail {}", rail) : "all rails");
        table.rows.push_back({cableId(l, network.idPrefix),
                              network.name,
                              rail > 0 ? fmt::format("rail {}", rail) : std::string(),
                              a.rack,
                              numberOrName(a.unit),
                              a.node,
                              a.type,
                              numberOrName(a.port),
                              number.a,
                              z.rack,
                              numberOrName(z.unit),
                              z.node,
                              z.type,
                              numberOrName(z.port),
                              number.b,
                              choice.medium,
                              number.cable,
                              rounded(cabling.routeOf(own)),
                              choice.ordered.value(),
                              std::string(),
                              label(a, z),
                              label(z, a),
                              bundle,
                              std::string("planned")});
    }
}

} // namespace

std::string labelDefault() { return "{a.node}:{a.port} | {z.node}:{z.port} | {cable.id}"; }

Status checkLabelTemplate(const std::string& text) {
    const std::string rest = filled(text, {{"{a.node}", ""},
                                           {"{a.port}", ""},
                                           {"{z.node}", ""},
                                           {"{z.port}", ""},
                                           {"{cable.id}", ""},
                                           {"{a.rack}", ""},
                                           {"{z.rack}", ""},
                                           {"{a.u}", ""},
                                           {"{z.u}", ""}});
    const std::size_t open = rest.find('{');
    if (open == std::string::npos) return Done{};
    return Error::usage(fmt::format(
        "labels: unknown field {}; available fields are {{a.node}} {{a.port}} {{a.rack}} {{a.u}}, the same with z., and {{cable.id}}",
        rest.substr(open, rest.find('}', open) - open + 1)));
}

Table cableTable(const Fabric& fabric, const Cabling& cabling, const CableOptions& options) {
    Table table;
    table.name = "Cables";
    const auto text = [&](const char* name, double width) { table.columns.push_back({name, width, Format::General}); };
    const auto number = [&](const char* name, double width) { table.columns.push_back({name, width, Format::Decimal}); };
    text("Cable ID", 9), text("Fabric", 9), text("Rail/Plane", 8);
    for (const std::string end : {"A", "Z"}) {
        text((end + "-Rack").c_str(), 7), number((end + "-U").c_str(), 5), text((end + "-Node").c_str(), 22);
        text((end + "-Type").c_str(), 26), number((end + "-Port").c_str(), 7), text((end + "-Module PN").c_str(), 18);
    }
    text("Medium", 8), text("Cable PN", 15), number("Length calc (m)", 8), number("Length ordered (m)", 8);
    const ElementNames names(*fabric.design);
    text("Colour", 7), text("Label A", 46), text("Label Z", 46), text("Bundle", 17), text("Status", 9);
    addCables(table, {fabric, cabling, "compute", 'C', [&](DeviceId device) { return names.nameOf(fabric.devicePath(device)); }}, options);
    const std::vector<AuxiliaryFabric>& sides = auxiliaryFabricsOf(cabling);
    for (std::size_t s = 0; s < sides.size(); ++s) {
        const AuxiliaryFabric& side = sides[s];
        const std::vector<std::string> hosts = networkHosts(sides, s, fabric);
        const auto pathOf = [&](DeviceId device) { return names.nameOf(networkPath(side, hosts, device)); };
        addCables(table, {*side.fabric, side.cabling, side.name, cablePrefix(side.name), pathOf}, options);
    }
    return table;
}

// A cable is called after its first link.
char cablePrefix(std::string_view network) { return static_cast<char>(std::toupper(static_cast<unsigned char>(network.front()))); }

std::string cableId(std::size_t link, char network) { return fmt::format("{}{:06}", network, link + 1); }

namespace {

struct CableContent {
    const std::string& design;
    Table table;
};

Status writeCableWorkbook(const CableContent& of, const std::string& path) {
    constexpr std::size_t mostRows = 1'000'000; // a sheet holds 1,048,576
    const std::vector<std::vector<Cell>>& rows = of.table.rows;
    std::vector<Table> sheets;
    for (std::size_t from = 0; from == 0 || from < rows.size(); from += mostRows) {
        Table sheet{rows.size() > mostRows ? fmt::format("Cables {}", from / mostRows + 1) : "Cables", of.table.columns, {}, {}, {}};
        const std::size_t to = std::min(rows.size(), from + mostRows);
        sheet.rows.assign(rows.begin() + static_cast<std::ptrdiff_t>(from), rows.begin() + static_cast<std::ptrdiff_t>(to));
        sheets.push_back(std::move(sheet));
    }
    return writeWorkbook(sheets, path, of.design);
}

const std::vector<FormatRow<CableContent>>& cableRows() {
    static const std::vector<FormatRow<CableContent>> rows{
        {{".xlsx", "Workbook"}, writeCableWorkbook},
        {{".csv", "CSV"}, [](const CableContent& of, const std::string& path) { return writeFile(path, csvOf(of.table)); }}};
    return rows;
}

} // namespace

std::vector<FileFormat> cableFormats() { return formatsOf(cableRows()); }

namespace {

// A label without a place, because there are no racks, would be printed with a gap.
Status needsNoRacks(const Fabric& fabric, const std::string& labels) {
    for (const char* field : {"{a.rack}", "{z.rack}", "{a.u}", "{z.u}"})
        if (labels.find(field) != std::string::npos && !fabric.design->floor)
            return Error::usage(fmt::format(
                "labels: {} has no value, because no racks are placed; set racks=auto, or use {{a.node}} and {{z.node}}", field));
    return Done{};
}

std::vector<std::string> labelWarnings(const Table& cables, const std::string& labels) {
    std::set<std::string> different;
    const std::size_t column = cables.columnOf("Label A");
    for (const auto& row : cables.rows) different.insert(std::get<std::string>(row[column]));
    if (different.size() == cables.rows.size()) return {};
    return {fmt::format("labels {}: only {} of {} cable labels differ; add {{cable.id}} or the ports", labels,
                        formatCount(static_cast<std::int64_t>(different.size())),
                        formatCount(static_cast<std::int64_t>(cables.rows.size())))};
}

} // namespace

Status writeCables(const Fabric& fabric, const std::string& path, const CableOptions& options, std::vector<std::string>* warnings) {
    if (Status good = checkLabelTemplate(options.labels); !good) return good.errors();
    if (Status good = needsNoRacks(fabric, options.labels); !good) return good.errors();
    const auto* format = formatFor(cableRows(), path);
    if (!format) return unknownFormat("a cable schedule", path, cableRows());
    const CableContent content{fabric.design->name, cableTable(fabric, cablingOf(fabric), options)};
    if (warnings) *warnings = labelWarnings(content.table, options.labels);
    return format->write(content, path);
}

} // namespace railyard
