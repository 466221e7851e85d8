#include "core/base/unit_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

struct Unit {
    std::string_view suffix;
    double factor;
};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

template <std::size_t N>
Result<double> parseWithUnit(std::string_view text, const std::array<Unit, N>& units, std::string_view example) {
    const std::string_view body = trimmed(text);
    double number = 0;
    const auto [end, code] = std::from_chars(body.data(), body.data() + body.size(), number);
    if (code != std::errc() || !std::isfinite(number) || number < 0)
        return Error::usage(fmt::format("\"{}\" is not a number with a unit; expected for example {}", text, example));
    const std::string_view suffix = trimmed({end, static_cast<std::size_t>(body.data() + body.size() - end)});
    for (const Unit& unit : units) {
        if (unit.suffix != suffix) continue;
        const double value = number * unit.factor;
        return std::isfinite(value) ? Result<double>(value) : Error::usage(fmt::format("\"{}\" is too large", text));
    }
    if (suffix.empty()) return Error::usage(fmt::format("\"{}\" has no unit; expected for example {}", text, example));
    return Error::usage(fmt::format("\"{}\" has the unknown unit \"{}\"; expected for example {}", text, suffix, example));
}

std::string threeDigits(double value) {
    const double magnitude = std::abs(value);
    if (magnitude >= 99.95) return fmt::format("{:.0f}", value);
    return magnitude >= 9.995 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

} // namespace

Money Money::dollars(double amount) { return cents(std::llround(amount * 100)); }

Result<Bytes> parseBytes(std::string_view text) {
    static constexpr std::array<Unit, 14> units{{{"B", 1},
                                                 {"kB", 1e3},
                                                 {"KB", 1e3},
                                                 {"MB", 1e6},
                                                 {"GB", 1e9},
                                                 {"TB", 1e12},
                                                 {"PB", 1e15},
                                                 {"KiB", 1024.0},
                                                 {"MiB", 1048576.0},
                                                 {"GiB", 1073741824.0},
                                                 {"TiB", 1099511627776.0},
                                                 {"PiB", 1125899906842624.0},
                                                 {"EiB", 1152921504606846976.0},
                                                 {"EB", 1e18}}};
    auto parsed = parseWithUnit(text, units, "1GiB or 256MB");
    if (!parsed) return parsed.error();
    if (*parsed >= 9.2e18) return Error::usage(fmt::format("\"{}\" is too large; the maximum is just below 8 EiB (9.2e18 bytes)", text));
    return Bytes(std::llround(*parsed));
}

Result<Bandwidth> parseBandwidth(std::string_view text) {
    static constexpr std::array<Unit, 12> units{{{"G", 1e9},
                                                 {"Gb/s", 1e9},
                                                 {"Gbps", 1e9},
                                                 {"Gbit/s", 1e9},
                                                 {"T", 1e12},
                                                 {"Tb/s", 1e12},
                                                 {"M", 1e6},
                                                 {"Mb/s", 1e6},
                                                 {"GB/s", 8e9},
                                                 {"TB/s", 8e12},
                                                 {"MB/s", 8e6},
                                                 {"Tbps", 1e12}}};
    auto parsed = parseWithUnit(text, units, "400G or 50GB/s");
    if (!parsed) return parsed.error();
    return Bandwidth(*parsed);
}

Result<Seconds> parseDuration(std::string_view text) {
    static constexpr std::array<Unit, 7> units{{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}}};
    auto parsed = parseWithUnit(text, units, "30d or 15m");
    if (!parsed) return parsed.error();
    return Seconds(*parsed);
}

Result<double> parseFraction(std::string_view text) {
    static constexpr std::array<Unit, 1> units{{{"%", 1}}};
    auto parsed = parseWithUnit(text, units, "1%");
    if (!parsed) return parsed.error();
    if (*parsed > 100) return Error::usage(fmt::format("\"{}\" is more than 100%", text));
    return *parsed / 100; // exactly the number that is meant: 95 × 0.01 is not 0.95
}

std::string formatBytes(Bytes size) {
    static constexpr std::array<std::string_view, 7> names{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(size.count());
    std::size_t step = 0;
    while (value >= 1024 && step + 1 < names.size()) {
        value /= 1024;
        ++step;
    }
    return value == std::floor(value) ? fmt::format("{:.0f} {}", value, names[step])
                                      : fmt::format("{} {}", threeDigits(value), names[step]);
}

std::string formatBandwidth(Bandwidth speed) {
    const double gbps = inGbps(speed);
    if (gbps >= 1e6) return fmt::format("{:.4g} Pb/s", gbps / 1e6);
    if (gbps >= 10000) return fmt::format("{:.1f} Tb/s", gbps / 1000);
    const auto whole = static_cast<std::int64_t>(gbps);
    return static_cast<double>(whole) == gbps ? formatCount(whole) + " Gb/s" : fmt::format("{:.6g} Gb/s", gbps);
}

std::string formatSeconds(Seconds time) {
    const double seconds = time.value();
    if (seconds == 0) return "0 s";
    if (seconds < 1e-3) return threeDigits(seconds * 1e6) + " µs";
    return seconds < 1 ? threeDigits(seconds * 1e3) + " ms" : threeDigits(seconds) + " s";
}

std::string formatDuration(Seconds time) {
    const double seconds = time.value();
    const auto in = [&](double unit, const char* name) {
        const double value = seconds / unit;
        if (value >= 1000) return formatCount(std::llround(value)) + name;
        return (value == std::round(value) ? fmt::format("{:.0f}", value) : threeDigits(value)) + name;
    };
    if (seconds < 1) return formatSeconds(time);
    if (seconds < 120) return in(1, " s");
    if (seconds < 2 * 3600) return in(60, " min");
    if (seconds < 100 * 3600) return in(3600, " h");
    constexpr double days = 86400, years = 365 * days; // of 8,760 h, as rates are
    return seconds < 3 * years ? in(days, " days") : in(years, " years");
}

std::string formatWatts(Watts power) {
    const double watts = power.value();
    if (std::abs(watts) >= 999500) return fmt::format("{:.2f} MW", watts / 1e6);
    return std::abs(watts) >= 1000 ? fmt::format("{:.1f} kW", watts / 1e3) : fmt::format("{:.0f} W", watts);
}

std::string formatMoney(Money amount) {
    const double dollars = std::abs(amount.inDollars());
    const std::string_view sign = amount.inCents() < 0 ? minusSign : "";
    if (dollars >= 999.5e6) return fmt::format("{}${:.2f} B", sign, dollars / 1e9);
    if (dollars >= 999.5e3) return fmt::format("{}${:.2f} M", sign, dollars / 1e6);
    return dollars >= 9995 ? fmt::format("{}${} k", sign, threeDigits(dollars / 1e3))
                           : fmt::format("{}${}", sign, formatCount(std::llround(dollars)));
}

std::string formatCount(std::int64_t count) {
    std::string digits = fmt::format("{}", count < 0 ? -count : count);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
    return count < 0 ? std::string(minusSign) + digits : digits;
}

std::string formatPercent(double fraction) {
    const double percent = fraction * 100;
    if (std::abs(percent) < 0.05) return "0 %";
    return fmt::format("{}{:.1f} %", percent < 0 ? std::string(minusSign) : std::string("+"), std::abs(percent));
}

int shareDecimals(double fraction) {
    constexpr int least = 1, most = 6; // beyond six it is an error of rounding
    const double percent = std::abs(fraction) * 100;
    const auto isMistaken = [&](int decimals) {
        const double shown = std::round(percent * std::pow(10, decimals)) / std::pow(10, decimals);
        return (shown == 100 && percent != 100) || (shown == 0 && percent != 0);
    };
    for (int decimals = least; decimals <= most; ++decimals)
        if (!isMistaken(decimals)) return decimals;
    return least;
}

std::string formatShare(double fraction) { return fmt::format("{:.{}f} %", fraction * 100, shareDecimals(fraction)); }

std::string formatInterval(const std::string& low, const std::string& high) { return low == high ? low : low + " to " + high; }

std::string formatRatio(double ratio) {
    return std::abs(ratio - std::round(ratio)) < 5e-3 ? fmt::format("{:.0f}:1", ratio) : fmt::format("{:.2f}:1", ratio);
}

} // namespace railyard
