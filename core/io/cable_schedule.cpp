#include "core/base/file.h"
#include "core/base/natural_order.h"
#include "core/io/csv.h"
#include "core/io/deliverables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace railyard {
namespace {

using Format = Column::Format;

std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& fields) {
    for (const auto& [name, value] : fields)
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
            text.replace(at, name.size(), value);
    return text;
}

std::string typeOf(const Fabric& fabric, std::uint32_t device) {
    const Part* part = fabric.partOf(device);
    return part ? part->name : std::string(toText(fabric.devices.kind[device]));
}

// A cable is called after its first link; those of networks beside the compute fabric begin with S, I or O.
std::string cableId(std::size_t link, char network = 'C') { return fmt::format("{}{:06}", network, link + 1); }

// The links of every cable; sorted by the lower end, the way a crew works through racks.
std::vector<std::vector<std::uint32_t>> cablesInOrder(const Fabric& fabric, const Cabling& cabling) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t l = 0; l < fabric.links.size(); ++l)
        if (fabric.isNetworkLink(l)) order.push_back(l);
    const auto key = [&](std::uint32_t l) {
        const std::uint32_t first = cabling.cable[l];
        return std::tuple(fabric.links.tier[first], fabric.links.a[first], fabric.links.aPort[first], first, l);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); });
    std::vector<std::vector<std::uint32_t>> cables;
    for (const std::uint32_t l : order) {
        if (cabling.cable[l] == l) cables.emplace_back();
        cables.back().push_back(l);
    }
    return cables;
}

// One end of a cable: where its links end. Several devices or ports stand side by side in link order: "leaf[1] + leaf[9]".
struct CableEnd {
    std::string node, port, type, rack, unit;
};

// Centimetres: what a tape measure shows.
double rounded(Metres length) { return std::round(length.value() * 100) / 100; }

// One network of the schedule: how it and its devices are called.
struct Network {
    const Fabric& fabric;
    const Cabling& cabling;
    std::string name;
    char idPrefix;
    std::function<std::string(std::uint32_t)> pathOf;
};

CableEnd endOf(const Network& network, const Floor& floor, const PortDialect& dialect, const std::vector<std::uint32_t>& cable,
               bool lower) {
    const Fabric& fabric = network.fabric;
    CableEnd end;
    std::string lastNode, lastType;
    for (const std::uint32_t l : cable) {
        const std::uint32_t device = lower ? fabric.links.a[l] : fabric.links.b[l];
        const std::uint32_t port = lower ? fabric.links.aPort[l] : fabric.links.bPort[l];
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

void addCables(Table& table, const Network& network, const CableOptions& options) {
    const Fabric& fabric = network.fabric;
    const Cabling& cabling = network.cabling;
    for (const std::vector<std::uint32_t>& cable : cablesInOrder(fabric, cabling)) {
        const std::uint32_t l = cable.front();
        const LinkTable& links = fabric.links;
        const OpticChoice& choice = cabling.of(l);
        const CableEnd a = endOf(network, cabling.floor, options.dialect, cable, true),
                       z = endOf(network, cabling.floor, options.dialect, cable, false);
        const std::uint32_t rail = fabric.devices.rail[links.a[l]];
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
                              a.unit,
                              a.node,
                              a.type,
                              a.port,
                              choice.a ? choice.a->name : std::string(),
                              z.rack,
                              z.unit,
                              z.node,
                              z.type,
                              z.port,
                              choice.b ? choice.b->name : std::string(),
                              choice.medium,
                              choice.cable ? choice.cable->id : std::string(),
                              rounded(cabling.routeOf(l)),
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
        "--labels: the field {} is unknown; there are {{a.node}} {{a.port}} {{a.rack}} {{a.u}}, the same with z., and {{cable.id}}",
        rest.substr(open, rest.find('}', open) - open + 1)));
}

Table cableTable(const Fabric& fabric, const Cabling& cabling, const CableOptions& options) {
    Table table;
    table.name = "Cables";
    for (const char* name : {"Cable ID", "Fabric", "Rail/Plane", "A-Rack", "A-U", "A-Node", "A-Type", "A-Port", "A-Module PN", "Z-Rack",
                             "Z-U", "Z-Node", "Z-Type", "Z-Port", "Z-Module PN", "Medium", "Cable PN"})
        table.columns.push_back({name, 14, Format::General});
    for (const char* name : {"Length calc (m)", "Length ordered (m)"}) table.columns.push_back({name, 10, Format::Decimal});
    for (const char* name : {"Colour", "Label A", "Label Z", "Bundle", "Status"}) table.columns.push_back({name, 18, Format::General});
    addCables(table, {fabric, cabling, "compute", 'C', [&](std::uint32_t device) { return fabric.devicePath(device); }}, options);
    const std::vector<SideFabric> sides = sideFabricsOf(fabric);
    for (std::size_t s = 0; s < sides.size(); ++s) {
        const SideFabric& side = sides[s];
        const std::vector<std::string> hosts = sideHosts(sides, s, fabric);
        const auto prefix = static_cast<char>(std::toupper(static_cast<unsigned char>(side.name.front())));
        const auto pathOf = [&](std::uint32_t device) { return sidePath(side, hosts, device); };
        addCables(table, {*side.fabric, side.cabling, side.name, prefix, pathOf}, options);
    }
    return table;
}

Status writeCables(const Fabric& fabric, const std::string& path, const CableOptions& options) {
    if (Status good = checkLabelTemplate(options.labels); !good) return good.errors();
    if (!path.ends_with(".csv") && !path.ends_with(".xlsx") && path != "-")
        return Error::usage(fmt::format("-o {}: a cable schedule is written as .xlsx or .csv", path));
    Table table = cableTable(fabric, cablingOf(fabric), options);
    if (!path.ends_with(".xlsx")) return writeFile(path, csvOf(table));
    constexpr std::size_t mostRows = 1'000'000; // a sheet holds 1,048,576
    std::vector<Table> sheets;
    for (std::size_t from = 0; from == 0 || from < table.rows.size(); from += mostRows) {
        Table sheet{table.rows.size() > mostRows ? fmt::format("Cables {}", from / mostRows + 1) : "Cables", table.columns, {}, {}, {}};
        const std::size_t to = std::min(table.rows.size(), from + mostRows);
        sheet.rows.assign(table.rows.begin() + static_cast<std::ptrdiff_t>(from), table.rows.begin() + static_cast<std::ptrdiff_t>(to));
        sheets.push_back(std::move(sheet));
    }
    return writeWorkbook(sheets, path);
}

std::string devicesCsv(const Fabric& fabric, const Floor& floor) {
    CsvWriter csv;
    for (const char* name : {"path", "kind", "tier", "rail", "plane", "su", "hb_domain", "server", "part", "rack", "u", "x_m", "y_m"})
        csv.text(name);
    csv.endRow();
    const DeviceTable& devices = fabric.devices;
    const auto count = [&](std::uint32_t value) { value > 0 ? csv.number(static_cast<std::int64_t>(value)) : csv.empty(); };
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const DeviceKind kind = devices.kind[d];
        const bool inDomain =
            (kind == DeviceKind::Gpu || kind == DeviceKind::Nic || kind == DeviceKind::HbSwitch) && devices.hbDomain[d] != none;
        csv.text(fabric.devicePath(d)).text(toText(kind)).text(toText(devices.tier[d]));
        count(devices.rail[d]);
        count(devices.plane[d]);
        count(devices.su[d]);
        csv.text(inDomain ? fabric.scopePath(fabric.hbDomains[devices.hbDomain[d]]) : "");
        csv.text(devices.server[d] != none ? fabric.scopePath(fabric.servers[devices.server[d]]) : "");
        csv.text(fabric.partIds[devices.part[d]]);
        if (const Rack* rack = floor.rackAt(d))
            csv.text(rack->label).number(std::int64_t{floor.chassisAt(d)->unit}).number(rack->x).number(rack->y);
        else
            csv.empty().empty().empty().empty();
        csv.endRow();
    }
    return csv.bytes();
}

std::string linksCsv(const Fabric& fabric, const Cabling& cabling) {
    CsvWriter csv;
    for (const char* name : {"a_device", "a_port", "b_device", "b_port", "tier", "speed_gbps", "cable", "medium", "length_m"})
        csv.text(name);
    csv.endRow();
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        const LinkTable& links = fabric.links;
        const bool network = fabric.isNetworkLink(l);
        csv.text(fabric.devicePath(links.a[l])).text(fabric.portName(links.a[l], links.aPort[l], links.tier[l]));
        csv.text(fabric.devicePath(links.b[l])).text(fabric.portName(links.b[l], links.bPort[l], links.tier[l]));
        csv.text(toText(links.tier[l])).number(inGbps(fabric.speedOf(l)));
        const std::string medium = network && cabling.of(l).medium != "copper" ? cabling.of(l).medium : ""; // RJ45 has no name here
        csv.text(network ? cableId(cabling.cable[l]) : "").text(medium);
        network ? csv.number(cabling.of(l).ordered.value()) : csv.empty();
        csv.endRow();
    }
    return csv.bytes();
}

} // namespace railyard
