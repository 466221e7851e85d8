#include "core/io/stated/stated_figures.h"

#include "core/json/json_parse.h"
#include "core/json/json_text.h"
#include "core/json/json_view.h"

namespace railyard {

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
    return jsonText({{"schema", "railyard.figures/1"}, {"fingerprint", stated.fingerprint}, {"figures", figures}}) + "\n";
}

Result<StatedFigures> readStated(const std::string& text, const std::string& file) {
    auto parsed = parseJson(text, file);
    if (!parsed) return parsed.errors();
    const JsonSource source{file, text, std::move(*parsed), {}};
    StatedFigures stated;
    const JsonView view = JsonView::root(source);
    stated.fingerprint = view.text("fingerprint", "");
    view.eachItem("figures", [&](const JsonView& item) {
        stated.figures.push_back({item.text("key"), item.maybeNumber("value"), item.text("text", "")});
    });
    if (!source.errors.empty()) return source.errors;
    return stated;
}

} // namespace railyard
