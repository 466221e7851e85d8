#include "core/io/stated/stated_figures.h"

#include "core/json/json_parse.h"
#include "core/json/json_text.h"
#include "core/json/json_view.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 3> statedBy{"figures", "slide", "offer"};

} // namespace

std::string billKey(std::string_view key, std::string_view what) { return fmt::format("bill.{}.{}", key, what); }

void StatedFigures::add(std::string key, std::optional<double> value, std::string text) {
    const auto isKnown = [&](const StatedFigure& each) { return each.key == key; };
    if (std::none_of(figures.begin(), figures.end(), isKnown)) figures.push_back({std::move(key), value, std::move(text)});
}

std::optional<StatedFigure> statedFigure(const FigureSource& source, const std::string& key) {
    const FigureInfo* row = figureNamed(key);
    if (!row) return {};
    std::optional<double> value;
    if (!row->isFamily()) {
        value = row->read(source);
    } else {
        for (const FigureMember& member : row->members(source))
            if (FigureValue{row, member}.key() == key) value = member.value;
    }
    if (!value) return {};
    return StatedFigure{key, value, figureText(*row, *value)};
}

std::string statedText(const StatedFigures& stated) {
    Json figures = Json::array();
    for (const StatedFigure& figure : stated.figures)
        figures.push_back({{"key", figure.key}, {"value", figure.value ? Json(*figure.value) : Json()}, {"text", figure.text}});
    Json list{{"schema", "railyard.figures/1"}, {"fingerprint", stated.fingerprint}, {"by", statedBy[static_cast<std::size_t>(stated.by)]}};
    if (stated.isCustomer) list["copy"] = "customer";
    if (!stated.other.empty()) list["other"] = stated.other;
    list["figures"] = std::move(figures);
    return jsonText(list) + "\n";
}

Result<StatedFigures> readStated(const std::string& text, const std::string& file) {
    auto parsed = parseJson(text, file);
    if (!parsed) return parsed.errors();
    const JsonSource source{file, text, std::move(*parsed), {}};
    StatedFigures stated;
    const JsonView view = JsonView::root(source);
    stated.fingerprint = view.text("fingerprint", "");
    const auto by = std::find(statedBy.begin(), statedBy.end(), view.text("by", "figures"));
    if (by != statedBy.end()) stated.by = static_cast<StatedFigures::By>(by - statedBy.begin());
    stated.isCustomer = view.text("copy", "") == "customer";
    stated.other = view.text("other", "");
    view.eachItem("figures", [&](const JsonView& item) {
        stated.figures.push_back({item.text("key"), item.maybeNumber("value"), item.text("text", "")});
    });
    if (!source.errors.empty()) return source.errors;
    return stated;
}

} // namespace railyard
