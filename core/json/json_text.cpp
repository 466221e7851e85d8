#include "core/json/json_text.h"

#include "core/base/whole_number.h"

namespace railyard {

std::string jsonText(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace); }

namespace {

constexpr std::size_t widest = 160;

std::string oneLine(const Json& json) {
    if (json.is_number_float())
        if (const auto whole = wholeNumber(json.get<double>())) return std::to_string(*whole);
    if (!json.is_structured()) return jsonText(json, -1);
    std::string text = json.is_object() ? "{" : "[";
    bool first = true;
    for (const auto& [key, value] : json.items()) {
        text += first ? "" : ", ";
        if (json.is_object()) text += jsonText(key, -1) + ": ";
        text += oneLine(value);
        first = false;
    }
    return text + (json.is_object() ? "}" : "]");
}

void write(const Json& json, std::size_t indent, bool mayFold, std::string& out) {
    const std::string line = mayFold || !json.is_structured() || json.empty() ? oneLine(json) : std::string();
    if (!line.empty() && (!json.is_structured() || indent + line.size() <= widest)) {
        out += line;
        return;
    }
    out += json.is_object() ? "{\n" : "[\n";
    std::size_t left = json.size();
    for (const auto& [key, value] : json.items()) {
        out.append(indent + 2, ' ');
        if (json.is_object()) out += jsonText(key, -1) + ": ";
        write(value, indent + 2, true, out);
        out += --left > 0 ? ",\n" : "\n";
    }
    out.append(indent, ' ');
    out += json.is_object() ? '}' : ']';
}

} // namespace

std::string canonicalText(const Json& json) {
    std::string out;
    write(json, 0, false, out);
    return out + '\n';
}

} // namespace railyard
