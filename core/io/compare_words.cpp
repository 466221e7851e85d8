#include "core/io/compare_words.h"

#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/catalog/catalog.h"

#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace railyard {
namespace {

// A key, or its beginning where it ends in a dot: the rest of the key then stands for {} in the title.
struct Rule {
    std::string_view key, section, title, unit;
    double scale = 1;
    CellFormat format = CellFormat::Integer;
};

constexpr CellFormat decimal = CellFormat::Decimal, percent = CellFormat::Percent;

// In the order in which they are read. An empty title: left out.
constexpr std::array rules{
    Rule{"counts.gpus", "Size", "GPUs", ""},
    Rule{"counts.servers", "Size", "Servers", ""},
    Rule{"counts.hb_domains", "Size", "HB domains", ""},
    Rule{"counts.rails", "Size", "Rails", ""},
    Rule{"counts.planes", "Size", "Planes", ""},
    Rule{"counts.tiers", "Switches", "Switch tiers", ""},
    Rule{"counts.switches", "Switches", "Switches", ""},
    Rule{"counts.switches_by_tier.", "Switches", "Switches, {}", ""},
    Rule{"counts.switch_ports", "Switches", "Switch ports", ""},
    Rule{"counts.switch_ports_used", "Switches", "Switch ports in use", ""},
    Rule{"counts.links", "Cabling", "Links", ""},
    Rule{"counts.links_by_tier.", "Cabling", "Links, {}", ""},
    Rule{"counts.cables", "Cabling", "Cables", ""},
    Rule{"counts.cables_by_tier.", "Cabling", "Cables, {}", ""},
    Rule{"counts.cables_by_medium.", "Cabling", "Cables, {}", ""},
    Rule{"counts.transceivers_logical", "Cabling", "Optical link ends", ""},
    Rule{"counts.pluggables", "Cabling", "Pluggable modules", ""},
    Rule{"counts.pluggables_by_part.", "Cabling", "Modules, {}", ""},
    Rule{"ratios.oversubscription_by_tier.", "Bandwidth", "Oversubscription, {}", ": 1", 1, decimal},
    Rule{"ratios.injection_gbps", "Bandwidth", "Injection bandwidth", "Tb/s", 1e-3, decimal},
    Rule{"bisection.server.upper_gbps", "Bandwidth", "Bisection bandwidth, servers", "Tb/s", 1e-3, decimal},
    Rule{"bisection.server.fraction_of_injection", "Bandwidth", "Bisection bandwidth, servers, of half the injection", "", 1, percent},
    Rule{"bisection.gpu_network_only.upper_gbps", "Bandwidth", "Bisection bandwidth, GPUs over the network only", "Tb/s", 1e-3, decimal},
    Rule{"bisection.gpu_network_only.fraction_of_injection", "Bandwidth",
         "Bisection bandwidth, GPUs over the network only, of half the injection", "", 1, percent},
    Rule{"bisection.gpu_with_hb.upper_gbps", "Bandwidth", "Bisection bandwidth, GPUs with HB domains", "Tb/s", 1e-3, decimal},
    Rule{"bisection.gpu_with_hb.fraction_of_injection", "Bandwidth", "Bisection bandwidth, GPUs with HB domains, of half the injection", "",
         1, percent},
    Rule{"bisection.", "Bandwidth", "", ""},
    Rule{"collectives.", "Collectives", "{}", ""},
    Rule{"latency.mean_s", "Latency", "Network latency without load, mean", "µs", 1e6, decimal},
    Rule{"latency.longest_s", "Latency", "Network latency without load, longest path", "µs", 1e6, decimal},
    Rule{"cost.network_usd", "Cost", "Network cost (switches, cables and modules)", "USD"},
    Rule{"cost.total_usd", "Cost", "Total cost (priced lines)", "USD"},
    Rule{"cost.low_usd", "Cost", "Total cost, low estimate", "USD"},
    Rule{"cost.high_usd", "Cost", "Total cost, high estimate", "USD"},
    Rule{"cost.by_category_usd.", "Cost", "Cost, {}", "USD"},
    Rule{"cost.unpriced_lines", "Cost", "Lines without a price (in no total)", ""},
    Rule{"power.network_w", "Power", "Network power", "kW", 1e-3, decimal},
    Rule{"power.total_w", "Power", "Total power", "kW", 1e-3, decimal},
    Rule{"power.facility_w", "Power", "Facility power (with cooling)", "kW", 1e-3, decimal},
    Rule{"power.by_category_w.", "Power", "Power, {}", "kW", 1e-3, decimal},
    Rule{"power.energy_usd_year", "Power", "Energy, a year", "USD"},
    Rule{"power.space_usd_year", "Power", "Colocation space, a year", "USD"},
    Rule{"floor.racks", "Floor", "Racks", ""},
    Rule{"floor.rows", "Floor", "Rows of racks", ""},
    Rule{"floor.width_m", "Floor", "Floor width", "m", 1, decimal},
    Rule{"floor.depth_m", "Floor", "Floor depth", "m", 1, decimal},
    Rule{"floor.cable_m", "Floor", "Length of all cables", "m"},
    Rule{"floor.cable_saved_m", "Floor", "Cable saved by placement", "m"},
    Rule{"floor.most_rack_power_w", "Floor", "Power of the fullest rack", "kW", 1e-3, decimal},
    Rule{"networks.", "Other networks", "{}", ""},
    Rule{"failure.mttf_h", "Reliability", "Mean time between interrupts", "h", 1, decimal},
    Rule{"failure.interrupt_probability", "Reliability", "Probability of an interrupt within the horizon", "", 1, percent},
    Rule{"failure.horizon_h", "Reliability", "Horizon of that probability", "h"},
};

// Names in keys that say less than they could.
std::string spelled(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 20> names{{{"host-leaf", "host to leaf"},
                                                                                          {"manager-leaf", "manager to leaf"},
                                                                                          {"leaf-spine", "leaf to spine"},
                                                                                          {"spine-superspine", "spine to superspine"},
                                                                                          {"superspine-core", "superspine to core"},
                                                                                          {"mmf", "multimode fibre"},
                                                                                          {"smf", "single-mode fibre"},
                                                                                          {"dac", "passive copper (DAC)"},
                                                                                          {"acc", "active copper (ACC)"},
                                                                                          {"aec", "active copper (AEC)"},
                                                                                          {"aoc", "active optical (AOC)"},
                                                                                          {"switch", "switches"},
                                                                                          {"cable", "cables"},
                                                                                          {"pluggable", "modules"},
                                                                                          {"nic", "NICs"},
                                                                                          {"server", "servers"},
                                                                                          {"rack", "racks"},
                                                                                          {"storage", "storage network"},
                                                                                          {"in_band", "in-band network"},
                                                                                          {"out_of_band", "out-of-band network"}}};
    for (const auto& [key, words] : names)
        if (key == name) return std::string(words);
    std::string text(name);
    for (char& c : text)
        if (c == '_') c = ' ';
    return text;
}

std::string capital(std::string text) {
    if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

// The unit at the end of a key, which is then taken off.
struct Suffix {
    std::string_view end, unit;
    double scale;
    CellFormat format;
};
constexpr std::array suffixes{Suffix{"_gbytes_s", "GB/s", 1, decimal},
                              Suffix{"_gbps", "Gb/s", 1, decimal},
                              Suffix{"_usd", "USD", 1, CellFormat::Integer},
                              Suffix{"_fraction", "", 1, percent},
                              Suffix{"_bytes", "bytes", 1, CellFormat::Integer},
                              Suffix{"_gib", "GiB", 1, decimal},
                              Suffix{"_us", "µs", 1, decimal},
                              Suffix{"_s", "ms", 1e3, decimal},
                              Suffix{"_h", "h", 1, decimal},
                              Suffix{"_m", "m", 1, decimal},
                              Suffix{"_w", "W", 1, decimal}};

void takeUnit(std::string& key, KeyWords& words) {
    for (const Suffix& suffix : suffixes)
        if (key.ends_with(suffix.end)) {
            key.resize(key.size() - suffix.end.size());
            words.unit = suffix.unit;
            words.scale = suffix.scale;
            words.format = suffix.format;
            return;
        }
    words.format = decimal;
}

// "all-to-all@268435456.time_s" is "all-to-all of 256 MiB, time".
std::optional<KeyWords> collectiveWords(const std::string& rest, KeyWords words) {
    const std::size_t at = rest.find('@'), dot = rest.find('.');
    std::int64_t bytes = 0;
    if (at == std::string::npos || dot == std::string::npos || at > dot ||
        std::from_chars(rest.data() + at + 1, rest.data() + dot, bytes).ec != std::errc())
        return {};
    std::string figure = rest.substr(dot + 1);
    if (figure == "size_bytes") return {};
    takeUnit(figure, words);
    const std::string name = figure == "time"        ? "time"
                             : figure == "time_low"  ? "time, best case"
                             : figure == "time_high" ? "time, worst case"
                             : figure == "busbw"     ? "bus bandwidth"
                             : figure == "algbw"     ? "algorithm bandwidth"
                                                     : spelled(figure);
    words.title = fmt::format("{} of {}, {}", capital(rest.substr(0, at)), formatBytes(Bytes(bytes)), name);
    return words;
}

KeyWords unknownKey(const std::string& key) {
    KeyWords words;
    words.section = "Other";
    words.order = static_cast<int>(rules.size());
    std::string rest = key;
    takeUnit(rest, words);
    for (std::size_t from = 0; from <= rest.size();) {
        const std::size_t dot = std::min(rest.find('.', from), rest.size());
        words.title += (words.title.empty() ? "" : ", ") + spelled(std::string_view(rest).substr(from, dot - from));
        from = dot + 1;
    }
    words.title = capital(words.title);
    return words;
}

} // namespace

std::optional<KeyWords> wordsOf(const std::string& key) {
    for (std::size_t r = 0; r < rules.size(); ++r) {
        const Rule& rule = rules[r];
        const bool isGroup = rule.key.ends_with('.');
        if (isGroup ? !key.starts_with(rule.key) : key != rule.key) continue;
        if (rule.title.empty()) return {};
        KeyWords words{std::string(rule.section), std::string(rule.title), std::string(rule.unit), rule.scale, rule.format,
                       static_cast<int>(r)};
        if (!isGroup) return words;
        const std::string rest = key.substr(rule.key.size());
        if (rule.section == "Collectives") return collectiveWords(rest, words);
        const Part* part = shippedCatalog()->find(rest);
        const std::size_t dot = rest.find('.');
        const std::string number = partNumberOf(part).number;
        const std::string name = part                       ? part->vendor + " " + (number.empty() ? part->name : number)
                                 : dot == std::string::npos ? spelled(rest)
                                                            : spelled(rest.substr(0, dot)) + ", " + spelled(rest.substr(dot + 1));
        words.title.replace(words.title.find("{}"), 2, name);
        words.title = capital(words.title);
        return words;
    }
    return unknownKey(key);
}

} // namespace railyard
