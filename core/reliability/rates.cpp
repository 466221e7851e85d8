#include "core/reliability/rates.h"

#include "core/base/parameter.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace railyard {

std::optional<PartKind> partKindFrom(std::string_view text) {
    const auto found = std::find(partKindNames.begin(), partKindNames.end(), text);
    if (found == partKindNames.end()) return {};
    return static_cast<PartKind>(found - partKindNames.begin());
}

std::string_view labelOf(PartKind kind) {
    static constexpr std::array<std::string_view, partKindNames.size()> labels{"GPU",
                                                                               "NIC",
                                                                               "Host link with its optics",
                                                                               "Leaf",
                                                                               "Spine",
                                                                               "Superspine",
                                                                               "Core switch",
                                                                               "Link between switches",
                                                                               "Server without GPUs and NICs",
                                                                               "Tray without GPUs and NICs",
                                                                               "NVLink switch tray",
                                                                               "Optic alone",
                                                                               "Power feed",
                                                                               "Optical circuit switch",
                                                                               "Software of a server"};
    return labels[static_cast<std::size_t>(kind)];
}

std::string_view shortLabelOf(PartKind kind) {
    switch (kind) {
    case PartKind::HostLink: return "Host link";
    case PartKind::Link: return "Switch link";
    case PartKind::Server: return "Server";
    case PartKind::Tray: return "Tray";
    case PartKind::Optic: return "Optic";
    case PartKind::Software: return "Software";
    default: return labelOf(kind);
    }
}

std::string partKindList() { return fmt::format("{}", fmt::join(partKindNames, ", ")); }

YearlyRate YearlyRate::times(double factor) const {
    const auto scaled = [&](const std::optional<double>& value) { return value ? std::optional(*value * factor) : std::nullopt; };
    return {scaled(low), scaled(base), scaled(high), source};
}

Result<YearlyRate> rateFrom(std::string_view text) {
    const auto wrong = [&](std::string_view what) { return Error::usage(fmt::format("{}: {}", text, what)); };
    constexpr std::string_view form =
        "must be failures of one part per year, for example 0.11, or low, base and high, for example 0.05/0.11/0.2";
    std::vector<double> values;
    for (std::string_view left = text; values.size() < 4;) {
        const std::size_t slash = std::min(left.find('/'), left.size());
        const auto value = decimalFrom(left.substr(0, slash));
        if (!value || !std::isfinite(*value)) return wrong(form);
        if (*value < 0) return wrong("a rate cannot be negative");
        if (*value > mostFailuresPerYear)
            return wrong(fmt::format("a part cannot fail more than {:.0f} times a year, once an hour", mostFailuresPerYear));
        values.push_back(*value);
        if (slash == left.size()) break;
        left.remove_prefix(slash + 1);
    }
    if (values.size() == 1) return YearlyRate{{}, values[0], {}, "given"};
    if (values.size() != 3) return wrong(form);
    if (!std::is_sorted(values.begin(), values.end())) return wrong("low, base and high must stand in this order, none above the next");
    return YearlyRate{values[0], values[1], values[2], "given"};
}

std::string rateText(const YearlyRate& rate) {
    if (!rate.base) return {};
    if (!rate.low && !rate.high) return parameterText(*rate.base);
    return parameterText(rate.lowElseBase()) + "/" + parameterText(*rate.base) + "/" + parameterText(rate.highElseBase());
}

Rates Rates::shipped(const Catalog& catalog) {
    Rates rates;
    for (const FailureRate& row : catalog.rates())
        for (const std::string& name : row.kinds)
            if (const auto kind = partKindFrom(name)) rates.set(*kind, {row.low, row.base, row.high, row.source});
    return rates;
}

const YearlyRate& Rates::of(PartKind kind, std::string_view part) const {
    static const YearlyRate unknown;
    if (!part.empty())
        if (const auto own = m_parts.find({kind, std::string(part)}); own != m_parts.end()) return own->second;
    const auto all = m_kinds.find(kind);
    return all == m_kinds.end() ? unknown : all->second;
}

bool Rates::knows(PartKind kind) const {
    const auto isKnown = [](const YearlyRate& rate) { return rate.low || rate.base || rate.high; };
    return isKnown(of(kind)) ||
           std::any_of(m_parts.begin(), m_parts.end(), [&](const auto& own) { return own.first.first == kind && isKnown(own.second); });
}

} // namespace railyard
