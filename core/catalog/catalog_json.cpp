#include "core/catalog/catalog_json.h"

#include "core/json/json_view.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::int64_t many = 1'000'000;

// A quantity that cannot be negative, up to far beyond what exists.
double amount(const JsonView& view, std::string_view key, double most, std::string_view unit, std::optional<double> fallback = {}) {
    const double value = view.number(key, fallback);
    if (value >= 0 && value <= most) return value;
    view.fail(key, fmt::format("is {}; must be from 0 to {} {}", value, most, unit));
    return fallback.value_or(0);
}
std::optional<double> maybeAmount(const JsonView& view, std::string_view key, double most, std::string_view unit) {
    if (!view.maybeNumber(key)) return {};
    return amount(view, key, most, unit, 0.0);
}
Bandwidth speed(const JsonView& view, std::string_view key, std::optional<double> fallback = {}) {
    return gigabitsPerSecond(amount(view, key, 1e6, "Gb/s", fallback));
}

std::optional<Money> maybeMoney(const JsonView& view, std::string_view key) {
    const auto dollars = view.maybeNumber(key);
    if (dollars && (*dollars < 0 || *dollars > 1e12)) view.fail(key, "must be a price in US dollars from 0 to 1,000,000,000,000");
    return dollars ? std::optional(Money::dollars(*dollars)) : std::nullopt;
}

std::optional<Watts> maybeWatts(const JsonView& view, std::string_view key) {
    const auto watts = view.maybeNumber(key);
    if (watts && (*watts < 0 || *watts > 1e9)) view.fail(key, "must be a power in watts from 0 to 1,000,000,000");
    return watts ? std::optional(Watts(*watts)) : std::nullopt;
}

Price readPrice(const JsonView& view) {
    Price price;
    price.low = maybeMoney(view, "low_usd");
    price.base = maybeMoney(view, "base_usd");
    price.high = maybeMoney(view, "high_usd");
    view.eachItem("by_length", [&](const JsonView& row) {
        price.byLength.emplace_back(Metres(amount(row, "m", 1e6, "m")), Money::dollars(amount(row, "usd", 1e12, "US dollars")));
    });
    for (const auto& [lower, upper] :
         {std::pair(price.low, price.base), std::pair(price.base, price.high), std::pair(price.low, price.high)})
        if (lower && upper && *lower > *upper) {
            view.fail("", "must satisfy low_usd <= base_usd <= high_usd");
            break;
        }
    price.basis = view.text("basis", "");
    price.date = view.text("date", "");
    price.source = view.text("source", "");
    price.confidence = view.text("confidence", "");
    return price;
}

HbKind readHbKind(const JsonView& view) {
    const std::string name = view.text("hb", "none");
    if (name == "switch") return HbKind::Switch;
    if (name == "mesh") return HbKind::Mesh;
    if (name == "cube-mesh") return HbKind::CubeMesh;
    if (name == "ideal") return HbKind::Ideal;
    if (name != "none") view.fail("hb", "must be one of switch, mesh, cube-mesh, ideal, none", "choice");
    return HbKind::None;
}

ServerPart readServer(const JsonView& view) {
    ServerPart server;
    server.gpu = view.text("gpu", "");
    server.nic = view.text("nic", "");
    server.gpus = static_cast<int>(view.integer("gpus", 0, many));
    server.hbDomainGpus = static_cast<int>(view.integer("hb_domain_gpus", 0, many, server.gpus));
    server.hb = readHbKind(view);
    server.hbSwitches = static_cast<int>(view.integer("hb_switches", 0, many, 0));
    server.pcieSwitches = static_cast<int>(view.integer("pcie_switches", 0, many, 0));
    server.hbLinks = static_cast<int>(view.integer("hb_links", 0, many, 0));
    server.hbOutLinks = static_cast<int>(view.integer("hb_out_links", 0, many, 0));
    if (server.hb == HbKind::CubeMesh && (server.gpus != 8 || (server.hbLinks != 4 && server.hbLinks != 6)))
        view.fail("hb", "is cube-mesh, which connects 8 GPUs with 4 or 6 links each; change gpus and hb_links, or choose another kind");
    server.hbBandwidth = speed(view, "hb_gbps", 0.0);
    server.nics = static_cast<int>(view.integer("nics", 0, many));
    server.nicBandwidth = speed(view, "nic_gbps", 0.0);
    server.cages = static_cast<int>(view.integer("cages", 0, many, 0));
    server.cage = view.text("cage", "");
    server.rackSystem = view.text("rack_system", "");
    server.hostMemoryGb = maybeAmount(view, "host_memory_gb", 1e6, "GB").value_or(0);
    server.hostMemoryBandwidth = maybeAmount(view, "host_memory_gbytes_s", 1e6, "GB/s").value_or(0) * 1e9;
    server.hostLink = maybeAmount(view, "host_gbytes_s", 1e5, "GB/s").value_or(0) * 1e9;
    return server;
}

SwitchPart readSwitch(const JsonView& view) {
    SwitchPart part;
    part.protocol = view.text("protocol", "eth");
    view.eachItem("ports", [&](const JsonView& row) {
        part.ports.push_back(
            {static_cast<int>(row.integer("count", 1, many)), speed(row, "gbps"), row.text("role", ""), row.text("cage", "")});
    });
    part.nativeSpeed = speed(view, "native_gbps");
    part.capacity = speed(view, "capacity_gbps");
    part.cages = static_cast<int>(view.integer("cages", 0, many, 0));
    part.cage = view.text("cage", "custom");
    part.latencyNs = maybeAmount(view, "latency_ns", 1e9, "ns");
    part.bufferMb = maybeAmount(view, "buffer_mb", 1e6, "MB");
    part.maxIncludesOptics = view.flag("max_includes_optics", false);
    return part;
}

std::vector<std::string> readNames(const JsonView& view, std::string_view key) {
    std::vector<std::string> names;
    if (view.has(key))
        for (const Json& name : view.at(key).json())
            if (name.is_string()) names.push_back(name.get<std::string>());
    return names;
}

OpticPart readOptic(const JsonView& view) {
    OpticPart optic;
    optic.form = view.text("form");
    optic.ports = static_cast<int>(view.integer("ports", 1, 64));
    optic.portSpeed = speed(view, "port_gbps");
    optic.laneSpeed = speed(view, "lane_gbps", 0.0);
    optic.medium = view.text("medium");
    optic.fibrePairs = static_cast<int>(view.integer("fibre_pairs", 1, 64, 1));
    if (const auto reach = maybeAmount(view, "reach_m", 1e6, "m")) optic.reach = Metres(*reach);
    optic.connector = view.text("connector", "");
    optic.standard = view.text("standard", "");
    optic.linear = view.flag("linear", false);
    optic.protocols = readNames(view, "protocols");
    return optic;
}

CablePart readCable(const JsonView& view) {
    CablePart cable;
    cable.medium = view.text("medium");
    cable.connector = view.text("connector", "");
    if (const auto reach = maybeAmount(view, "reach_m", 1e6, "m")) cable.reach = Metres(*reach);
    for (const Json& length : view.has("lengths_m") ? view.at("lengths_m").json() : Json::array()) {
        if (length.is_number() && length.get<double>() > 0 && length.get<double>() < 1e6)
            cable.stockLengths.emplace_back(length.get<double>());
        else
            view.fail("lengths_m", "must be a list of lengths in metres, greater than 0");
    }
    std::sort(cable.stockLengths.begin(), cable.stockLengths.end());
    cable.speed = speed(view, "gbps", 0.0);
    cable.nearForm = view.text("near_form", "");
    cable.farForm = view.text("far_form", "");
    cable.breakout = static_cast<int>(view.integer("ways", 1, 16, 1));
    cable.protocols = readNames(view, "protocols");
    if (view.has("planning_usd")) {
        cable.planningBaseUsd = maybeAmount(view.at("planning_usd"), "base", 1e12, "US dollars");
        cable.planningPerMetreUsd = maybeAmount(view.at("planning_usd"), "per_m", 1e12, "US dollars");
    }
    return cable;
}

std::vector<int> readUnits(const JsonView& view, std::string_view key, int units) {
    std::vector<int> list;
    for (const Json& unit : view.has(key) ? view.at(key).json() : Json::array()) {
        if (unit.is_number_integer() && unit.get<int>() >= 1 && unit.get<int>() <= units)
            list.push_back(unit.get<int>());
        else
            view.fail(key, fmt::format("must be a list of rack units from 1 to {}", units));
    }
    return list;
}

RackSystem readRackSystem(const JsonView& view, int units) {
    RackSystem system{view.text("tray"), readUnits(view, "tray_units", units), readUnits(view, "switch_tray_units", units),
                      static_cast<int>(view.integer("switches_per_tray", 1, 1000, 1))};
    if (system.trayUnits.empty()) view.fail("tray_units", "is missing; must list the rack unit of every compute tray");
    return system;
}

RackPart readRack(const JsonView& view) {
    RackPart rack;
    rack.units = static_cast<int>(view.integer("rack_units", 1, 100));
    rack.power = maybeWatts(view, "max_w").value_or(Watts(0));
    if (rack.power.value() <= 0) view.fail("max_w", "is missing; must be the power in watts that the rack can supply and cool");
    rack.width = view.number("width_mm", 600.0) / 1000;
    rack.depth = view.number("depth_mm", 1200.0) / 1000;
    for (const auto& [key, metres] : {std::pair("width_mm", rack.width), std::pair("depth_mm", rack.depth)})
        if (!(metres >= 0.1 && metres <= 10)) view.fail(key, "must be a rack size from 100 to 10000 mm");
    rack.loadKg = maybeAmount(view, "load_kg", 1e5, "kg");
    rack.madeFor = readNames(view, "made_for");
    if (view.has("rack_system")) rack.system = readRackSystem(view.at("rack_system"), rack.units);
    return rack;
}

GpuPart readGpu(const JsonView& view) {
    const auto scaled = [&](std::string_view key, double most, std::string_view unit, double factor) {
        const auto value = maybeAmount(view, key, most, unit);
        return value ? std::optional(*value * factor) : std::nullopt;
    };
    GpuPart gpu{maybeAmount(view, "memory_gb", 1e6, "GB"), speed(view, "hb_gbps", 0.0), {}, {}, {}, {}};
    gpu.halfPrecisionFlops = scaled("bf16_dense_tflops", 1e6, "TFLOP/s", 1e12);
    if (!gpu.halfPrecisionFlops) gpu.halfPrecisionFlops = scaled("fp16_dense_tflops", 1e6, "TFLOP/s", 1e12);
    gpu.fp8Flops = scaled("fp8_dense_tflops", 1e6, "TFLOP/s", 1e12);
    gpu.fp4Flops = scaled("fp4_dense_tflops", 1e6, "TFLOP/s", 1e12);
    gpu.memoryBandwidth = scaled("memory_bandwidth_gbytes_s", 1e6, "GB/s", 1e9);
    return gpu;
}

bool readDetail(const JsonView& view, Part& part) {
    const std::string kind = view.text("kind");
    if (kind == "gpu")
        part.detail = readGpu(view);
    else if (kind == "server")
        part.detail = readServer(view);
    else if (kind == "nic")
        part.detail = NicPart{speed(view, "gbps"), static_cast<int>(view.integer("ports", 1, 64, 1)), view.text("cage", "")};
    else if (kind == "switch")
        part.detail = readSwitch(view);
    else if (kind == "optic")
        part.detail = readOptic(view);
    else if (kind == "cable")
        part.detail = readCable(view);
    else if (kind == "rack")
        part.detail = readRack(view);
    else if (kind == "service")
        part.detail = ServicePart{view.text("unit", "each")};
    else if (kind == "ocs")
        part.detail = OpticalSwitchPart{static_cast<int>(view.integer("ports", 1, many)), maybeAmount(view, "switching_ms", 1e6, "ms")};
    else
        return view.fail("kind", "must be one of gpu, server, nic, switch, optic, cable, rack, service, ocs", "choice"), false;
    return true;
}

FailureRate readRate(const JsonView& view) {
    return {view.text("id"),
            view.text("component"),
            view.text("name", ""),
            view.text("source", ""),
            view.text("confidence", ""),
            maybeAmount(view, "low_per_year", 1e6, "failures a year"),
            maybeAmount(view, "base_per_year", 1e6, "failures a year"),
            maybeAmount(view, "high_per_year", 1e6, "failures a year"),
            view.flag("default", false),
            readNames(view, "kinds")};
}

} // namespace

std::optional<Part> readPart(const JsonView& view) {
    Part part;
    part.id = view.text("id");
    part.vendor = view.text("vendor", "");
    part.name = view.text("name", part.id);
    if (part.id.empty() || !readDetail(view, part)) return {};
    if (view.has("price") && view.at("price").isObject()) part.price = readPrice(view.at("price"));
    part.typical = maybeWatts(view, "typical_w");
    part.maximum = maybeWatts(view, "max_w");
    part.rackUnits = maybeAmount(view, "rack_units", 100, "units");
    part.weightKg = maybeAmount(view, "weight_kg", 1e5, "kg");
    if (const auto depth = maybeAmount(view, "depth_mm", 1e4, "mm")) part.depth = Metres(*depth / 1000);
    part.source = view.text("source", "");
    part.confidence = view.text("confidence", "");
    part.asOf = view.text("as_of", "");
    part.formerIds = readNames(view, "formerly");
    part.needsCheck = view.flag("needs_check", false);
    part.original = view.json().dump();
    return part;
}

Result<Catalog> readCatalog(const std::vector<std::pair<std::string, std::string>>& namesAndTexts) {
    Catalog catalog;
    std::vector<Error> errors;
    for (const auto& [name, text] : namesAndTexts) {
        auto parsed = parseJson(text, name);
        if (!parsed) {
            errors.push_back(parsed.error());
            continue;
        }
        JsonSource source{name, text, std::move(*parsed), {}};
        const JsonView root = JsonView::root(source);
        catalog.setAsOf(root.text("as_of"));
        root.eachItem("parts", [&](const JsonView& view) {
            if (auto part = readPart(view)) catalog.add(std::move(*part));
        });
        root.eachItem("rates", [&](const JsonView& view) { catalog.add(readRate(view)); });
        errors.insert(errors.end(), source.errors.begin(), source.errors.end());
    }
    if (!errors.empty()) return errors;
    return catalog;
}

std::string shownPart(const Part& part) {
    std::string text;
    const Json json = Json::parse(part.original);
    for (const auto& [key, value] : json.items())
        text += fmt::format("{:<22}{}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    return text;
}

} // namespace railyard
