#include "core/design/recipes/recipe_settings.h"

#include "core/design/recipes/recipe_plan.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace railyard {
namespace {

constexpr int mostGpus = 1'048'576, mostRadix = 4096;
constexpr double rounding = 1e-9;

std::string textOf(const Ratio& ratio) { return fmt::format("{}:{}", ratio.down, ratio.up); }

std::vector<std::string> multiplesAround(int value, int step) {
    if (value < step) return {std::to_string(step)};
    return {std::to_string(value / step * step), std::to_string((value / step + 1) * step)};
}

// Reads parameters in one place, so that every message names the key, what is wrong and what works.
class ParameterReader {
public:
    ParameterReader(const RecipeCall& call, const Catalog& catalog) : m_catalog(catalog) {
        for (const auto& [key, value] : inFull(call).parameters) m_values[key] = value;
    }

    const std::string* find(std::string_view key) const {
        const auto it = m_values.find(key);
        return it == m_values.end() ? nullptr : &it->second;
    }

    // Within the bounds of the row, or up to `most` where that depends on other parameters.
    int integer(std::string_view key, int fallback, std::optional<int> most = {}) {
        const std::string* text = find(key);
        if (!text) return fallback;
        const ParameterInfo& row = *recipeParameter(key);
        const int low = static_cast<int>(row.low), high = most.value_or(static_cast<int>(row.high));
        long long value = 0;
        const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (end != text->data() + text->size() || code == std::errc::invalid_argument) return usage(key, "a whole number"), fallback;
        if (code == std::errc() && value >= low && value <= high) return static_cast<int>(value);
        const int nearest = (code == std::errc() ? value < low : text->front() == '-') ? low : high;
        refuse("range", key, *text, fmt::format("must be from {} to {}", low, high), {std::to_string(nearest)});
        return nearest;
    }

    Bandwidth speed(std::string_view key, Bandwidth fallback) {
        const std::string* text = find(key);
        if (!text) return fallback;
        double value = 0;
        const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (code != std::errc() || end != text->data() + text->size() || !std::isfinite(value))
            return usage(key, "a number in Gb/s, for example 400"), fallback;
        if (value > 0 && value <= 1e6) return gigabitsPerSecond(value);
        refuse("range", key, *text, "must be greater than 0 and at most 1,000,000 Gb/s", {value > 0 ? "1000000" : "1"});
        return fallback;
    }

    Ratio ratio(std::string_view key) {
        const std::string* text = find(key);
        if (!text) return {};
        Ratio r{0, 0};
        const char *at = text->data(), *end = at + text->size();
        const auto down = std::from_chars(at, end, r.down);
        const bool colon = down.ec == std::errc() && down.ptr != end && *down.ptr == ':';
        const auto up = colon ? std::from_chars(down.ptr + 1, end, r.up) : std::from_chars_result{end, std::errc::invalid_argument};
        if (up.ec != std::errc() || up.ptr != end || r.down < 1 || r.up < 1 || r.down > 4096 || r.up > 4096)
            return usage(key, "a ratio of whole numbers from 1 to 4096, for example 2:1"), Ratio{};
        return r;
    }

    double number(std::string_view key, double fallback) {
        const std::string* text = find(key);
        if (!text) return fallback;
        const double low = recipeParameter(key)->low, high = recipeParameter(key)->high;
        double value = 0;
        const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (code != std::errc() || end != text->data() + text->size() || !std::isfinite(value)) return usage(key, "a number"), fallback;
        if (value >= low && value <= high) return value;
        refuse("range", key, *text, fmt::format("must be from {:g} to {:g}", low, high), {fmt::format("{:g}", value < low ? low : high)});
        return fallback;
    }

    std::string choice(std::string_view key) {
        const ParameterInfo& row = *recipeParameter(key);
        const std::string* text = find(key);
        const std::string first(row.choices.front().value);
        if (!text) return first;
        const std::string wrong = row.problemOf(*text);
        if (wrong.empty()) return *text;
        m_errors.push_back(Error::parameter(Error::Kind::Usage, "choice", std::string(key), *text, wrong));
        return first;
    }

    template <class Detail>
    const Part* part(std::string_view key, std::string_view kind, std::string_view fallback) {
        const std::string* text = find(key);
        const std::string id = text ? *text : std::string(fallback);
        if (id.empty()) return nullptr;
        if (const Part* found = m_catalog.find<Detail>(id)) return found;
        m_errors.push_back(Error::parameter(
            Error::Kind::Usage, "unknown", std::string(key), id,
            fmt::format("the catalogue has no {} with this ID; similar: {}", kind, fmt::join(m_catalog.nearest(id, kind), ", "))));
        return nullptr;
    }

    void usage(std::string_view key, std::string_view right) {
        m_errors.push_back(Error::parameter(Error::Kind::Usage, "choice", std::string(key), *find(key), fmt::format("must be {}", right)));
    }
    // It cannot be built; `nearest`: what its own rule allows.
    template <class Value>
    void refuse(const char* code, std::string_view key, const Value& value, std::string wrong, std::vector<std::string> nearest = {}) {
        m_errors.push_back(Error::parameter(Error::Kind::Unbuildable, code, std::string(key), fmt::format("{}", value), std::move(wrong),
                                            std::move(nearest)));
    }
    bool failed() const { return !m_errors.empty(); }
    // Usage errors first: they decide the exit code.
    std::vector<Error> errors() const {
        std::vector<Error> sorted;
        for (const auto kind : {Error::Kind::Usage, Error::Kind::Unbuildable})
            for (const Error& error : m_errors)
                if (error.kind == kind) sorted.push_back(error);
        return sorted;
    }
    void unknownKeys(const RecipeCall& call) {
        for (const auto& [key, value] : call.parameters) {
            if (!recipeParameter(key))
                m_errors.push_back(Error::parameter(Error::Kind::Usage, "unknown", key, value,
                                                    "unknown parameter; see the parameters of recipe " + call.name));
        }
        if (call.parameters.contains("servers") && call.parameters.contains("gpus"))
            m_errors.push_back(Error::usage("servers and gpus are both set; set only one of them"));
    }

private:
    const Catalog& m_catalog;
    std::map<std::string, std::string, std::less<>> m_values;
    std::vector<Error> m_errors;
};

// HB switches outside the servers, which connect those inside.
void resolveSecondLevel(ParameterReader& read, const ServerPart& part, RecipeSettings& s) {
    const std::string *out = read.find("hb_out_gbps"), *spines = read.find("hb_spines");
    s.hbOut = read.speed("hb_out_gbps", Bandwidth());
    const int inside = s.hbSwitchesOfServer();
    s.hbSpines = read.integer("hb_spines", part.hbOutLinks % inside == 0 ? std::max(1, part.hbOutLinks / inside) : 1);
    if (!out && spines) read.refuse("requires", "hb_spines", *spines, "requires a second level of HB switches; set hb_out_gbps");
    if (!out) return;
    if (s.hbDomainGpus <= s.gpusPerServer)
        read.refuse("requires", "hb_out_gbps", *out,
                    fmt::format("requires HB domains of several servers; set hb_domain_gpus to a multiple of {}, for example {}",
                                s.gpusPerServer, 32 * s.gpusPerServer));
    else if (s.gpusPerServer < 2)
        read.refuse("requires", "hb_out_gbps", *out, "requires servers with several GPUs");
    else if (!part.rackSystem.empty())
        read.refuse("requires", "hb_out_gbps", *out,
                    fmt::format("requires HB switches inside the server; those of {} are in its rack", s.server->id));
    if (s.hbOut > s.hbBandwidth)
        read.refuse("range", "hb_out_gbps", *out, fmt::format("must be at most hb_gbps = {:g}", inGbps(s.hbBandwidth)),
                    {fmt::format("{:g}", inGbps(s.hbBandwidth))});
}

void resolveServer(ParameterReader& read, RecipeSettings& s) {
    s.server = read.part<ServerPart>("server", "server", "srv-dgx-h100");
    s.nic = read.part<NicPart>("nic", "nic", "");
    if (!s.server) return;
    const ServerPart& part = *s.server->as<ServerPart>();
    s.gpu = read.find("gpu") ? *read.find("gpu") : part.gpu;
    const Part* gpu = read.find("gpu") ? read.part<GpuPart>("gpu", "gpu", "") : nullptr;
    s.gpusPerServer = read.integer("gpus_per_server", part.gpus);
    s.nicsPerServer = read.integer("nics_per_server", part.nics);
    if (s.nicsPerServer < 1) { // a baseboard
        read.refuse("requires", "nics_per_server", "",
                    fmt::format("{} has no NICs; set their number, for example nics_per_server=8", s.server->id));
        s.nicsPerServer = 1; // what else is wrong is found too
    }
    const NicPart* nic = s.nic ? s.nic->as<NicPart>() : nullptr;
    s.nicPorts = read.integer("nic_ports", nic ? nic->ports : 1);
    const Bandwidth nicSpeed = read.speed("nic_gbps", nic ? nic->bandwidth : part.nicBandwidth);
    s.linkSpeed = nicSpeed / s.nicPorts;
    s.uplinkSpeed = read.speed("uplink_gbps", s.linkSpeed);
    s.hbDomainGpus =
        read.integer("hb_domain_gpus", s.gpusPerServer == part.gpus && !read.find("hb_domain_gpus") ? part.hbDomainGpus : s.gpusPerServer);
    // Another GPU brings its scale-up speed along.
    const bool hasOwnHb = gpu && gpu->id != part.gpu && gpu->as<GpuPart>()->hbBandwidth > Bandwidth();
    s.hbBandwidth = read.speed("hb_gbps", hasOwnHb ? gpu->as<GpuPart>()->hbBandwidth : part.hbBandwidth);
    s.idealHb = s.hbDomainGpus != part.hbDomainGpus || s.gpusPerServer != part.gpus || part.hb == HbKind::Ideal;
    resolveSecondLevel(read, part, s);
    if (nicSpeed.value() <= 0)
        read.refuse("requires", "nic_gbps", "",
                    fmt::format("the NIC speed of {} is not published; set it, for example nic_gbps=400", s.server->id));
    if (s.hbDomainGpus % s.gpusPerServer != 0)
        read.refuse("multiple", "hb_domain_gpus", s.hbDomainGpus,
                    fmt::format("must be a multiple of gpus_per_server = {}", s.gpusPerServer),
                    multiplesAround(s.hbDomainGpus, s.gpusPerServer));
}

void resolveSize(ParameterReader& read, RecipeSettings& s) {
    if (read.find("gpus")) {
        const int gpus = read.integer("gpus", 0);
        const int step = std::max(s.gpusPerServer, s.hbDomainGpus);
        if (gpus % step != 0)
            read.refuse(
                "multiple", "gpus", gpus,
                fmt::format("must be a multiple of {} = {}", s.hbDomainGpus > s.gpusPerServer ? "hb_domain_gpus" : "gpus_per_server", step),
                multiplesAround(gpus, step));
        s.servers = std::max(1, gpus / s.gpusPerServer);
        return;
    }
    const int step = s.serversPerDomain();
    constexpr int usual = 16;
    s.servers = read.integer("servers", (usual + step - 1) / step * step, mostGpus / s.gpusPerServer); // whole domains
    if (s.servers % step != 0)
        read.refuse("multiple", "servers", s.servers,
                    fmt::format("HB domains of {} GPUs need a multiple of {} servers", s.hbDomainGpus, step),
                    multiplesAround(s.servers, step));
}

std::string offeredPorts(const Part& part) {
    std::vector<std::string> offered;
    for (const PortOption& option : part.as<SwitchPart>()->ports)
        offered.push_back(fmt::format("{} × {:g} Gb/s", option.count, inGbps(option.speed)));
    return fmt::format("{}", fmt::join(offered, ", "));
}

int radixOf(ParameterReader& read, std::string_view key, std::string_view switchKey, const Part& part, Bandwidth speed) {
    const int native = part.as<SwitchPart>()->portsAt(speed);
    const int radix = read.integer(key, native);
    if (native == 0 && !read.find(key))
        read.refuse(
            "ports", switchKey, part.id,
            fmt::format("has no {:g} Gb/s ports, only {}; choose another switch or set {}", inGbps(speed), offeredPorts(part), key));
    return radix;
}

// The sum of port speeds that a leaf carries; a radix set by hand stands for a switch of that many ports.
Bandwidth leafCapacity(const ParameterReader& read, const RecipeSettings& s) {
    const Bandwidth byRadix = s.linkSpeed * s.radix;
    return read.find("radix") ? byRadix : std::max(byRadix, s.leafSwitch->as<SwitchPart>()->capacity);
}

// As fast as the links down, uplinks take the same ports. Others take ports of their speed, where the part says how many it has: a
// radix set by hand stands for a switch that has them.
int leafPortsUp(ParameterReader& read, const RecipeSettings& s) {
    if (s.uplinkSpeed == s.linkSpeed) return s.radix;
    if (read.find("radix")) return mostRadix;
    const int ports = s.leafSwitch->as<SwitchPart>()->portsAt(s.uplinkSpeed);
    if (ports == 0)
        read.refuse("ports", "uplink_gbps", inGbps(s.uplinkSpeed),
                    fmt::format("{} has no {:g} Gb/s ports, only {}", s.leafSwitch->id, inGbps(s.uplinkSpeed), offeredPorts(*s.leafSwitch)),
                    {fmt::format("{:g}", inGbps(s.linkSpeed))});
    return ports;
}

// The ratio d:u of bandwidth as one of ports; {0, 0} where the speeds have no common measure.
Ratio ratioOfPorts(const RecipeSettings& s, const Ratio& asked) {
    const double speeds = s.linkSpeed / s.uplinkSpeed;
    for (int whole = 1; whole <= 1000; ++whole) {
        const double share = std::round(speeds * whole);
        if (share >= 1 && share <= mostRadix && std::abs(share - speeds * whole) <= rounding * share)
            return {asked.down * whole, asked.up * static_cast<int>(share)};
    }
    return {0, 0};
}

// Ports down and up of a leaf with this ratio of bandwidth; {0, 0} where it has too few.
Ratio leafSplit(const RecipeSettings& s, const Ratio& asked) {
    if (s.uplinkSpeed == s.linkSpeed) {
        const int share = s.radix / (asked.down + asked.up);
        return {asked.down * share, asked.up * share};
    }
    for (int down = s.radix; down > 0; --down) {
        const double up = s.linkSpeed * down * asked.up / (s.uplinkSpeed * asked.down);
        const int whole = static_cast<int>(std::ceil(up * (1 - rounding)));
        if (s.linkSpeed * down <= s.leafCapacity && whole <= s.mostUplinks(down)) return {down, whole};
    }
    return {0, 0};
}

// A leaf has a port for each of its links and carries the sum of their speeds.
void checkLeafPorts(ParameterReader& read, const RecipeSettings& s) {
    const int fits = s.mostUplinks(s.leafDown);
    if (s.leafUp <= fits && s.leafDown <= s.radix) return;
    const Bandwidth wanted = s.linkSpeed * s.leafDown + s.uplinkSpeed * s.leafUp;
    const std::string need =
        wanted > s.leafCapacity ? fmt::format("{} downlinks and {} uplinks need {:g} Gb/s, but a leaf has {:g} Gb/s", s.leafDown, s.leafUp,
                                              inGbps(wanted), inGbps(s.leafCapacity))
        : s.uplinkSpeed == s.linkSpeed || s.leafDown > s.radix
            ? fmt::format("{} downlinks and {} uplinks need more than the {} ports of a leaf", s.leafDown, s.leafUp, s.radix)
            : fmt::format("a leaf has only {} ports at {:g} Gb/s", s.leafPortsUp, inGbps(s.uplinkSpeed));
    if (fits < 1 && read.find("leaf_down")) { // no uplinks would be left: the downlinks are too many
        int down = std::min(s.radix, s.leafDown);
        while (down > 1 && s.mostUplinks(down) < s.leafUp) --down;
        return read.refuse("ports", "leaf_down", s.leafDown, need, {std::to_string(down)});
    }
    read.refuse("ports", "leaf_up", s.leafUp, need, {std::to_string(std::max(0, fits))});
}

void resolvePorts(ParameterReader& read, RecipeSettings& s) {
    s.leafSwitch = read.part<SwitchPart>("switch", "switch", "sw-qm9700");
    s.spineSwitch = read.find("spine_switch") ? read.part<SwitchPart>("spine_switch", "switch", "") : s.leafSwitch;
    if (!s.leafSwitch || !s.spineSwitch || read.failed()) return;
    s.radix = radixOf(read, "radix", "switch", *s.leafSwitch, s.linkSpeed);
    const bool inherit = read.find("radix") && !read.find("spine_radix") && s.uplinkSpeed == s.linkSpeed && s.spineSwitch == s.leafSwitch;
    s.spineRadix = inherit
                       ? s.radix
                       : radixOf(read, "spine_radix", read.find("spine_switch") ? "spine_switch" : "switch", *s.spineSwitch, s.uplinkSpeed);
    const Ratio leaf = read.ratio("oversubscription");
    s.core = read.ratio("core_oversubscription");
    if (read.failed()) return; // what follows from the ports would only repeat it
    s.leafCapacity = leafCapacity(read, s);
    s.leafPortsUp = leafPortsUp(read, s);
    if (read.failed()) return;
    const Ratio split = leafSplit(s, leaf);
    const bool isStated = read.find("leaf_down") || read.find("leaf_up");
    if (split.down == 0 && !(read.find("leaf_down") && read.find("leaf_up")))
        read.refuse("ports", "oversubscription", textOf(leaf), fmt::format("not possible with the {} ports of a leaf", s.radix),
                    {textOf({std::max(1, s.radix - 1), 1})});
    s.leafDown = read.integer("leaf_down", std::max(1, split.down));
    s.leafUp = read.integer("leaf_up", split.up);
    s.leafRatio = isStated ? Ratio{0, 0} : ratioOfPorts(s, leaf);
    if (s.spineRadix / (s.core.down + s.core.up) == 0)
        read.refuse("ports", "core_oversubscription", textOf(s.core),
                    fmt::format("not possible with the {} ports of a spine", s.spineRadix), {textOf({s.spineRadix - 1, 1})});
    if (!read.failed()) checkLeafPorts(read, s);
}

void resolveFloor(ParameterReader& read, const Catalog& catalog, RecipeSettings& s) {
    const bool byLength = read.choice("medium") == "by-length";
    const bool asked = read.find("racks") && read.choice("racks") == "auto";
    if (byLength && read.find("racks") && !asked) return read.refuse("requires", "medium", "by-length", "requires racks; set racks=auto");
    if (!byLength && !asked) {
        for (const char* key : {"rack", "servers_per_rack", "row_racks", "leaf_racks", "aisle_m", "tray_height_m", "slack_m",
                                "slack_fraction", "power_feeds"})
            if (read.find(key)) read.refuse("requires", key, *read.find(key), "requires racks; set racks=auto");
        return;
    }
    FloorPlan floor;
    if (read.find("rack")) {
        if (const Part* own = read.part<RackPart>("rack", "rack", "")) floor.rack = own->id;
    }
    const Part* rack = rackFor(floor, s.server, catalog);
    const std::string& system = s.server->as<ServerPart>()->rackSystem;
    if (!system.empty() && rack && rack->id != system)
        return read.refuse("requires", "rack", rack->id, fmt::format("{} is bought with its rack {}", s.server->id, system), {system});
    const int most = rack ? serversInRack(*s.server, *rack->as<RackPart>()) : 0;
    if (most > 0)
        floor.serversPerRack = read.integer("servers_per_rack", 0, most);
    else
        read.refuse("range", "rack", rack ? rack->id : "none",
                    fmt::format("{} needs {:g} U and {:g} W; choose another rack", s.server->id, s.server->rackUnits.value_or(0),
                                s.server->typicalElseMaximum().value_or(Watts(0)).value()));
    floor.rowRacks = read.integer("row_racks", 0);
    floor.leafRacks = read.choice("leaf_racks") == "end" ? LeafRacks::End : LeafRacks::Middle;
    floor.aisle = Metres(read.number("aisle_m", floor.aisle.value()));
    floor.trayHeight = Metres(read.number("tray_height_m", floor.trayHeight.value()));
    floor.slack = Metres(read.number("slack_m", floor.slack.value()));
    floor.slackFraction = read.number("slack_fraction", floor.slackFraction);
    const std::string feeds = read.choice("power_feeds");
    floor.feeds = static_cast<PowerFeeds>(std::find(powerFeedsNames.begin(), powerFeedsNames.end(), feeds) - powerFeedsNames.begin());
    floor.medium = byLength ? CableMedium::ByLength : CableMedium::Optical;
    s.floor = floor;
}

void resolveSides(ParameterReader& read, RecipeSettings& s) {
    const auto isOn = [&](const char* key) { return read.choice(key) == "on"; };
    s.storage.on = isOn("storage");
    s.inBand.on = isOn("in_band");
    s.outOfBand.on = isOn("out_of_band");
    for (const auto& [key, network, on] :
         {std::tuple("storage_ports", "storage", s.storage.on), std::tuple("storage_gbps", "storage", s.storage.on),
          std::tuple("storage_switch", "storage", s.storage.on), std::tuple("storage_oversubscription", "storage", s.storage.on),
          std::tuple("storage_nodes", "storage", s.storage.on), std::tuple("in_band_switch", "in_band", s.inBand.on),
          std::tuple("in_band_oversubscription", "in_band", s.inBand.on), std::tuple("out_of_band_switch", "out_of_band", s.outOfBand.on)})
        if (!on && read.find(key)) read.refuse("requires", key, *read.find(key), fmt::format("requires {}=on", network));
    s.storage.ports = read.integer("storage_ports", 2);
    s.storage.speed = read.speed("storage_gbps", std::min(s.linkSpeed * s.nicPorts, gigabitsPerSecond(400)));
    s.storage.ratio = read.find("storage_oversubscription") ? read.ratio("storage_oversubscription") : Ratio{4, 3};
    s.storage.others = read.integer("storage_nodes", 0);
    s.storage.leafSwitch = read.find("storage_switch") ? read.part<SwitchPart>("storage_switch", "switch", "") : s.leafSwitch;
    if (s.inBand.on) s.inBand.ratio = read.ratio("in_band_oversubscription");
    s.inBand.ports = 2;
    s.inBand.speed = gigabitsPerSecond(100);
    if (s.inBand.on) s.inBand.leafSwitch = read.part<SwitchPart>("in_band_switch", "switch", "sw-sn4600c");
    s.outOfBand.ports = 1;
    s.outOfBand.speed = gigabitsPerSecond(1);
    if (s.outOfBand.on) s.outOfBand.leafSwitch = read.part<SwitchPart>("out_of_band_switch", "switch", "sw-sn2201");
    for (const auto& [key, side] :
         {std::pair("storage", &s.storage), std::pair("in_band", &s.inBand), std::pair("out_of_band", &s.outOfBand)}) {
        if (!side->on || !side->leafSwitch) continue;
        const int ports = side->leafSwitch->as<SwitchPart>()->portsAt(side->speed);
        const bool tooFew = ports == 0 || (side != &s.storage && ports < 2);
        if (tooFew)
            read.refuse("ports", std::string(key) + (side == &s.storage ? "_gbps" : "_switch"), "",
                        fmt::format("{} has {} ports at {:g} Gb/s, which is too few; choose another {}_switch", side->leafSwitch->id, ports,
                                    inGbps(side->speed), key));
        else if (ports / (side->ratio.down + side->ratio.up) == 0)
            read.refuse("ports", std::string(key) + "_oversubscription", textOf(side->ratio),
                        fmt::format("not possible with the {} ports of a leaf", ports), {textOf({ports - 1, 1})});
    }
}

void resolveStructure(ParameterReader& read, const Catalog& catalog, RecipeSettings& s) {
    const int nics = s.nicsPerRailUnit();
    const bool statedRails = read.find("rails") && *read.find("rails") != "auto";
    s.autoRails = s.family == RecipeFamily::RailOnly && !statedRails;
    s.rails = statedRails ? read.integer("rails", nics, nics) : nics;
    s.suServers = read.integer("su_servers", 0);
    s.podServers = read.integer("pod_servers", 0);
    s.managerPorts = read.integer("manager_ports", 0);
    s.spines = read.integer("spines", 0);
    if (read.find("tiers") && *read.find("tiers") != "auto") s.tiers = read.integer("tiers", 0);
    s.exactSpines = read.choice("spine_rule") == "exact";
    s.usedUplinks = read.choice("uplinks") == "used";
    s.railPods = read.choice("rail_scope") == "per-rail";
    s.planes = read.integer("planes", 1, std::min(64, nics * s.nicPorts));
    s.cablePerCage = read.choice("trunk") == "per-cage";
    resolveFloor(read, catalog, s);
    resolveSides(read, s);
    if (s.railPods && s.family != RecipeFamily::RailOptimized)
        read.refuse("requires", "rail_scope", "per-rail", "only available for rail-optimized", {"shared"});
    if (s.railPods && s.tiers != 0 && s.tiers != 3)
        read.refuse("requires", "tiers", s.tiers, "rail_scope = per-rail requires three tiers", {"3"});
    if (s.railPods) s.tiers = 3;
}

} // namespace

int RecipeSettings::hbSwitchesOfServer() const {
    const ServerPart* part = server ? server->as<ServerPart>() : nullptr;
    return part && part->gpus == gpusPerServer ? std::max(1, part->hbSwitches) : 1;
}

int RecipeSettings::hbSwitchesOfDomain() const {
    const ServerPart* part = server ? server->as<ServerPart>() : nullptr;
    return part && !idealHb && part->hb == HbKind::Switch && !part->rackSystem.empty() ? std::max(1, part->hbSwitches) : 1;
}

int RecipeSettings::mostUplinks(int down) const {
    const int ports = uplinkSpeed == linkSpeed ? radix - down : leafPortsUp;
    const double carried = (leafCapacity - linkSpeed * down) / uplinkSpeed * (1 + rounding);
    return std::max(0, std::min(ports, static_cast<int>(std::min(carried, 1.0 * mostRadix))));
}

Ratio RecipeSettings::usedRatio(int builtDown, int builtUp) const {
    // Where the ports keep the ratio without rounding, they say it as well.
    const bool isRounded = std::int64_t{leafRatio.down} * builtUp != std::int64_t{leafRatio.up} * builtDown;
    const bool isAsAsked = leafRatio.down > 0 && builtDown == leafDown && builtUp == leafUp;
    return isAsAsked && isRounded ? leafRatio : Ratio{builtDown, builtUp};
}

RecipeCall inFull(const RecipeCall& call) {
    RecipeCall full{call.name, {}};
    if (const RecipeInfo* info = findRecipe(call.name))
        for (const auto& [key, value] : info->settings) full.parameters.emplace(key, value);
    if (call.parameters.contains("gpus")) full.parameters.erase("servers");
    const auto own = full.parameters.find("switch");
    const auto chosen = call.parameters.find("switch");
    if (own != full.parameters.end() && chosen != call.parameters.end() && chosen->second != own->second)
        full.parameters.erase("su_servers");
    for (const auto& [key, value] : call.parameters) full.parameters[key] = value;
    return full;
}

Result<RecipeSettings> resolve(const RecipeCall& call, const Catalog& catalog) {
    const RecipeInfo* info = findRecipe(call.name);
    if (!info) {
        std::vector<std::string_view> names;
        for (const RecipeInfo& recipe : recipes()) names.push_back(recipe.name);
        return Error::usage(fmt::format("there is no recipe \"{}\"; available: {}", call.name, fmt::join(names, ", ")));
    }
    ParameterReader read(call, catalog);
    read.unknownKeys(call);
    RecipeSettings settings;
    settings.family = info->family;
    resolveServer(read, settings);
    if (settings.server && settings.hbDomainGpus % settings.gpusPerServer == 0) resolveSize(read, settings);
    resolvePorts(read, settings);
    if (!read.failed()) resolveStructure(read, catalog, settings);
    if (read.failed()) return read.errors();
    if (settings.autoRails) settings.rails = fewestSwitchRails(settings);
    return settings;
}

} // namespace railyard
