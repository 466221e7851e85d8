#include "core/io/tables/compare_words.h"

#include "core/analysis/figures/figure_table.h"
#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/catalog/catalog.h"

#include <array>
#include <cctype>
#include <fmt/format.h>
#include <limits>

namespace railyard {
namespace {

constexpr CellFormat decimal = CellFormat::Decimal, percent = CellFormat::Percent;

CellFormat formatOf(FigureFormat format) {
    return format == FigureFormat::Count ? CellFormat::Integer : format == FigureFormat::Percent ? percent : decimal;
}

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

// "all-to-all@256MiB.time_s" is "all-to-all of 256 MiB, time".
std::optional<KeyWords> collectiveWords(const std::string& rest, KeyWords words) {
    const std::size_t at = rest.find('@'), dot = rest.find('.');
    if (at == std::string::npos || dot == std::string::npos || at > dot) return {};
    const auto bytes = parseBytes(std::string_view(rest).substr(at + 1, dot - at - 1));
    if (!bytes) return {};
    std::string figure = rest.substr(dot + 1);
    if (figure == "size_bytes") return {};
    takeUnit(figure, words);
    const std::string name = figure == "time"        ? "time"
                             : figure == "time_low"  ? "time, best case"
                             : figure == "time_high" ? "time, worst case"
                             : figure == "busbw"     ? "bus bandwidth"
                             : figure == "algbw"     ? "algorithm bandwidth"
                                                     : spelled(figure);
    words.title = fmt::format("{} of {}, {}", capital(rest.substr(0, at)), formatBytes(*bytes), name);
    return words;
}

// Short names of members that people do not read.
std::string_view inWords(std::string_view member) {
    static constexpr std::pair<std::string_view, std::string_view> words[] = {{"tp_exposed", "exposed tensor parallelism"},
                                                                              {"pp_exposed", "exposed pipeline parallelism"},
                                                                              {"dp_exposed", "exposed data parallelism"},
                                                                              {"cp_exposed", "exposed context parallelism"},
                                                                              {"ep_exposed", "exposed expert parallelism"},
                                                                              {"offload_exposed", "exposed offload"},
                                                                              {"forward", "forward pass"},
                                                                              {"backward", "backward pass"},
                                                                              {"recompute", "recomputation"},
                                                                              {"tp", "tensor parallelism"},
                                                                              {"pp", "pipeline parallelism"},
                                                                              {"dp", "data parallelism"},
                                                                              {"cp", "context parallelism"},
                                                                              {"ep", "expert parallelism"},
                                                                              {"hb", "HB links"},
                                                                              {"nic", "NICs"}};
    for (const auto& [name, text] : words)
        if (name == member) return text;
    return {};
}

KeyWords unknownKey(const std::string& key) {
    KeyWords words;
    words.section = "Other";
    words.order = std::numeric_limits<int>::max();
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
    // The figures of one collective stand together, those with a row of their own among them.
    const FigureInfo* figure = figureNamed(key.starts_with("collectives.") ? "collectives." : key);
    if (!figure) return unknownKey(key);
    if (figure->title.empty()) return {};
    KeyWords words{std::string(figure->section), std::string(figure->title),
                   std::string(figure->unit),    figure->scale,
                   formatOf(figure->format),     static_cast<int>(figure - figureTable().data())};
    if (!figure->isFamily()) return words;
    const std::string rest = key.substr(figure->key.size());
    if (figure->section == "Collectives") return collectiveWords(rest, words);
    const Part* part = shippedCatalog()->find(rest);
    const std::size_t dot = rest.find('.');
    const std::string number = partNumberOf(part).number;
    const std::string name = part                       ? part->vendor + " " + (number.empty() ? part->name : number)
                             : !inWords(rest).empty()   ? std::string(inWords(rest))
                             : dot == std::string::npos ? spelled(rest)
                                                        : spelled(rest.substr(0, dot)) + ", " + spelled(rest.substr(dot + 1));
    words.title.replace(words.title.find("{}"), 2, name);
    words.title = capital(words.title);
    return words;
}

} // namespace railyard
