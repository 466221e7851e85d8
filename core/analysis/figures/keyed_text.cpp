#include "core/analysis/figures/keyed_text.h"

#include "core/analysis/figures/figure_table.h"
#include "core/base/unit_text.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace railyard {
namespace {

constexpr double mostExact = 9007199254740992; // from which doubles leave out whole numbers

struct KeyUnit {
    std::string_view end, unit;
};
constexpr std::array<KeyUnit, 16> keyUnits{{{"_usd_year", "USD/year"}, // longer ends first
                                            {"_gbytes_s", "GB/s"},
                                            {"_per_s", "/s"},
                                            {"bytes_per_gpu", "B"},
                                            {"bytes", "B"},
                                            {"days", "d"},
                                            {"_gbps", "Gb/s"},
                                            {"_usd", "USD"},
                                            {"_kwh", "kWh"},
                                            {"_gib", "GiB"},
                                            {"_us", "µs"},
                                            {"_kg", "kg"},
                                            {"_w", "W"},
                                            {"_s", "s"},
                                            {"_h", "h"},
                                            {"_m", "m"}}};

// Figures state their unit in their row; how a rate, a yearly cost or a size reads follows from the key all the same.
const FigureInfo* rowOf(std::string_view key) {
    const FigureInfo* row = figureNamed(key);
    const bool isByKey = key.ends_with("_per_s") || key.ends_with("_usd_year") || key.ends_with("bytes");
    return row && !row->isFamily() && !isByKey ? row : nullptr;
}

std::string_view unitOf(std::string_view key) {
    if (const FigureInfo* row = rowOf(key); row && !row->storedUnit.empty()) return row->storedUnit;
    const std::size_t dot = key.rfind('.');
    const std::string_view last = key.substr(dot == std::string_view::npos ? 0 : dot + 1),
                           family = key.substr(0, dot == std::string_view::npos ? 0 : dot); // by_category_usd.optics
    for (const std::string_view part : {last, family})
        for (const KeyUnit& each : keyUnits)
            if (part.ends_with(each.end)) return each.unit;
    return {};
}

std::string withUnit(const std::string& number, std::string_view unit) {
    return unit.empty() || unit.starts_with('/') ? number + std::string(unit) : fmt::format("{} {}", number, unit);
}

std::string plainNumber(double value) {
    if (value == std::floor(value) && std::abs(value) < mostExact) return formatCount(static_cast<std::int64_t>(value));
    constexpr double grouped = 1000, scientific = 1e15;
    return std::abs(value) >= grouped && std::abs(value) < scientific ? formatCount(std::llround(value)) : fmt::format("{:.3g}", value);
}

struct Scale {
    double from, factor; // for axes up to `from` and more
    std::string_view unit;
};
constexpr std::array<Scale, 4> dollars{{{999.5e6, 1e9, "B"}, {999.5e3, 1e6, "M"}, {9995, 1e3, "k"}, {0, 1, ""}}};
constexpr std::array<Scale, 3> watts{{{999.5e3, 1e6, "MW"}, {999.5, 1e3, "kW"}, {0, 1, "W"}}};
constexpr std::array<Scale, 3> seconds{{{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {0, 1e-6, "µs"}}};
constexpr std::array<Scale, 3> bandwidths{{{1e6, 1e6, "Pb/s"}, {1e4, 1e3, "Tb/s"}, {0, 1, "Gb/s"}}};

std::span<const Scale> scalesOf(std::string_view unit) {
    if (unit.starts_with("USD")) return dollars;
    if (unit == "W") return watts;
    if (unit == "s") return seconds;
    if (unit == "Gb/s") return bandwidths;
    return {};
}

std::string withDecimals(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
    const std::size_t point = std::min(text.find('.'), text.size());
    for (std::size_t at = point; at > 3; at -= 3) text.insert(at - 3, ",");
    const bool isZero = text.find_first_of("123456789") == std::string::npos;
    return value < 0 && !isZero ? std::string(minusSign) + text : text;
}

} // namespace

std::string keyedText(std::string_view key, double value) {
    if (!std::isfinite(value)) return fmt::format("{}", value);
    const std::string_view unit = unitOf(key);
    if (std::abs(value) >= mostExact && unit != "B") return withUnit(fmt::format("{:.3g}", value), unit);
    if (const FigureInfo* row = rowOf(key)) return figureText(*row, value);
    if (unit == "USD") return formatMoney(Money::dollars(value));
    if (unit == "USD/year") return formatMoney(Money::dollars(value)) + " a year";
    if (unit == "W") return formatWatts(Watts(value));
    if (unit == "s" && value >= 0) return formatSeconds(Seconds(value));
    if (unit == "Gb/s") return formatBandwidth(gigabitsPerSecond(value));
    if (unit == "B" && value >= 0 && value < mostExact) return formatBytes(Bytes(static_cast<std::int64_t>(value)));
    return withUnit(plainNumber(value), unit);
}

std::string tickText(std::string_view key, const AxisTick& tick) {
    if (!std::isfinite(tick.value) || tick.largest >= mostExact) return keyedText(key, tick.value);
    const std::string_view unit = unitOf(key);
    Scale scale{0, 1, unit};
    for (const Scale& each : scalesOf(unit)) {
        scale = each;
        if (tick.largest >= each.from) break;
    }
    constexpr int mostDecimals = 9;
    constexpr double equal = 1e-6;
    const double step = tick.step / scale.factor;
    int decimals = 0;
    for (double power = 1; decimals < mostDecimals && std::abs(std::round(step * power) / power - step) > equal * std::abs(step);
         power *= 10)
        ++decimals;
    const std::string number = withDecimals(tick.value / scale.factor, decimals);
    if (!unit.starts_with("USD")) return withUnit(number, scale.unit);
    const bool isLess = number.starts_with(minusSign);
    return fmt::format("{}${}{}{}{}", isLess ? minusSign : "", isLess ? number.substr(minusSign.size()) : number,
                       scale.unit.empty() ? "" : " ", scale.unit, unit == "USD/year" ? " a year" : "");
}

} // namespace railyard
