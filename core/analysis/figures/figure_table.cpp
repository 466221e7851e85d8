#include "core/analysis/figures/figure_table.h"

#include "core/analysis/figures/figure_sections.h"
#include "core/base/unit_text.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

std::vector<FigureInfo> allRows() {
    std::vector<FigureInfo> all;
    for (const auto section : {countFigures, bandwidthFigures, collectiveFigures, latencyFigures, costFigures, powerFigures, bufferFigures,
                               floorFigures, networkFigures, failureFigures, trainingFigures})
        for (const FigureInfo& row : section()) all.push_back(row);
    return all;
}

} // namespace

std::span<const FigureInfo> figureTable() {
    static const std::vector<FigureInfo> rows = allRows();
    return rows;
}

const FigureInfo* figureNamed(std::string_view key) {
    const FigureInfo* family = nullptr;
    for (const FigureInfo& row : figureTable()) {
        if (key == row.key) return &row;
        if (row.isFamily() && key.starts_with(row.key)) family = &row;
    }
    return family;
}

std::vector<FigureValue> figuresOf(const FigureSource& source) {
    std::vector<FigureValue> figures;
    for (const FigureInfo& row : figureTable()) {
        if (row.isFamily())
            for (FigureMember& member : row.members(source)) {
                if (member.storedUnit.empty()) member.storedUnit = row.storedUnit;
                figures.push_back({&row, std::move(member)});
            }
        else if (row.origin) // the rest repeat a member of a family, for targets and titles
            figures.push_back({&row, {"", row.read(source), row.storedUnit}});
    }
    return figures;
}

std::string FigureValue::key() const {
    return fmt::format("{}{}{}{}", row->key, member.group, member.group.empty() ? "" : ".", member.name);
}

std::string stableKey(std::string_view key) {
    constexpr std::string_view family = "collectives.";
    constexpr std::array<std::string_view, 2> byPosition{"all-reduce@1GiB", "all-to-all@256MiB"};
    const std::size_t dot = key.find('.', family.size());
    if (!key.starts_with(family) || dot == std::string_view::npos) return std::string(key);
    const std::string_view name = key.substr(family.size(), dot - family.size()), figure = key.substr(dot);
    for (std::size_t i = 0; i < byPosition.size(); ++i)
        if (name == std::to_string(i)) return fmt::format("{}{}{}", family, byPosition[i], figure);
    const std::size_t at = name.find('@');
    if (at == std::string_view::npos) return std::string(key);
    std::string bytes(name.substr(at + 1));
    if (bytes.find_first_not_of("0123456789") == std::string::npos) bytes += 'B';
    const auto size = parseBytes(bytes);
    return size ? fmt::format("{}{}{}", family, collectiveKey(name.substr(0, at), *size), figure) : std::string(key);
}

std::string figureText(const FigureInfo& figure, double number) {
    if (figure.storedUnit == "USD") return formatMoney(Money::dollars(number));
    if (figure.storedUnit == "W") return formatWatts(Watts(number));
    if (figure.storedUnit == "s") return formatSeconds(Seconds(number));
    if (figure.storedUnit == "Gb/s") return formatBandwidth(gigabitsPerSecond(number));
    if (figure.format == FigureFormat::Count && figure.storedUnit.empty()) return formatCount(static_cast<std::int64_t>(number));
    constexpr double exactFrom = 1000; // from which three digits would be an exponent
    const std::string digits =
        std::abs(number) >= exactFrom && std::abs(number) < 1e15 ? formatCount(std::llround(number)) : fmt::format("{:.3g}", number);
    return fmt::format("{}{}{}", digits, figure.storedUnit.empty() ? "" : " ", figure.storedUnit);
}

} // namespace railyard
