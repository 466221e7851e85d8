// How often the parts of a cluster fail. A rate is the number of failures of one part in a year of 8,760 h with a constant hazard;
// AFR = 1 - exp(-rate). Rates of the catalogue stand in resources/catalog/rates.json with their sources.
#pragma once

#include "core/base/result.h"
#include "core/catalog/catalog.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace railyard {

// Host link and link: with their optics, fibre and ports, so totals exclude optics that are listed alone. Server and tray: without GPUs and
// NICs.
enum class PartKind {
    Gpu,
    Nic,
    HostLink,
    Leaf,
    Spine,
    Superspine,
    Core,
    Link,
    Server,
    Tray,
    NvlinkSwitchTray,
    Optic,
    PowerFeed,
    Ocs,
    Software
};
inline constexpr std::array<std::string_view, 15> partKindNames{
    "gpu",    "nic",  "host-link",          "leaf",  "spine",      "superspine", "core",    "link",
    "server", "tray", "nvlink-switch-tray", "optic", "power-feed", "ocs",        "software"};
constexpr std::string_view toText(PartKind kind) { return partKindNames[static_cast<std::size_t>(kind)]; }
std::optional<PartKind> partKindFrom(std::string_view text);
std::string_view labelOf(PartKind kind);      // for people: "Host link with its optics"
std::string_view shortLabelOf(PartKind kind); // "Host link"
std::string partKindList();                   // gpu, nic and so on

struct YearlyRate {
    std::optional<double> low, base, high; // empty: not published
    std::string source;

    double lowElseBase() const { return base ? low.value_or(*base) : 0; } // without a base it may never fail
    double highElseBase() const { return high ? *high : base.value_or(0); }
    YearlyRate times(double factor) const;
};
inline constexpr double mostFailuresPerYear = 8760; // one an hour; more would be a rate of something else

// "0.11", or low, base and high: "0.05/0.11/0.2". Errors: no numbers, negative, too large, or not in this order.
Result<YearlyRate> rateFrom(std::string_view text);
std::string rateText(const YearlyRate& rate); // as rateFrom reads it; empty without a base

class Rates {
public:
    static Rates shipped(const Catalog& catalog); // those of the catalogue that are defaults
    // Of all parts of a kind, or of one part of the catalogue.
    void set(PartKind kind, YearlyRate rate) { m_kinds[kind] = std::move(rate); }
    void set(PartKind kind, const std::string& part, YearlyRate rate) { m_parts[{kind, part}] = std::move(rate); }
    const YearlyRate& of(PartKind kind, std::string_view part = {}) const; // without numbers where none is known
    bool knows(PartKind kind) const;                                       // a rate of the kind or of a part of it

private:
    std::map<PartKind, YearlyRate> m_kinds;
    std::map<std::pair<PartKind, std::string>, YearlyRate> m_parts;
};

} // namespace railyard
