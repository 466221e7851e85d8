#include "core/json/json_view.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

namespace railyard {
// Walks valid JSON text; nlohmann keeps no positions, and they are needed only once something is wrong. The members of a container are
// found once, so that a hundred errors in one long list cost hardly more than one.
class JsonPositions {
public:
    explicit JsonPositions(const std::string& text) : m_text(text) {
        for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) m_lineEnds.push_back(at);
    }

    SourcePosition locate(const std::string& file, const std::vector<std::string>& path) {
        std::size_t at = 0;
        for (const std::string& step : path) {
            const auto next = memberOf(at, step);
            if (!next) break;
            at = *next;
        }
        const auto line = std::lower_bound(m_lineEnds.begin(), m_lineEnds.end(), at);
        const std::size_t start = line == m_lineEnds.begin() ? 0 : *std::prev(line) + 1;
        return {file, 1 + static_cast<int>(line - m_lineEnds.begin()), 1 + static_cast<int>(at - start)};
    }

private:
    struct Members {
        std::vector<std::size_t> items;                     // of an array
        std::unordered_map<std::string, std::size_t> named; // of an object
    };

    std::optional<std::size_t> memberOf(std::size_t container, const std::string& step) {
        const auto [known, isNew] = m_members.try_emplace(container);
        if (isNew) known->second = membersAt(container);
        const Members& members = known->second;
        if (const auto named = members.named.find(step); named != members.named.end()) return named->second;
        std::size_t index = 0;
        const auto [end, problem] = std::from_chars(step.data(), step.data() + step.size(), index);
        const bool isIndex = problem == std::errc() && end == step.data() + step.size();
        return isIndex && index < members.items.size() ? std::optional(members.items[index]) : std::nullopt;
    }
    Members membersAt(std::size_t container) {
        Members members;
        m_at = container;
        blanks();
        const bool isObject = peek() == '{';
        if (!isObject && peek() != '[') return members;
        ++m_at;
        for (;;) {
            blanks();
            if (peek() == '}' || peek() == ']' || peek() == '\0') return members;
            if (isObject) {
                std::string name = keyName();
                blanks();
                members.named.emplace(std::move(name), m_at);
            } else {
                members.items.push_back(m_at);
            }
            skipValue();
            blanks();
            if (peek() != ',') return members;
            ++m_at;
        }
    }

    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void blanks() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at]))) ++m_at;
    }
    void skipString() {
        ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"') m_at += m_text[m_at] == '\\' ? 2 : 1;
        ++m_at;
    }
    std::string keyName() {
        const std::size_t start = m_at;
        skipString();
        const std::string_view quoted = std::string_view(m_text).substr(start, m_at - start);
        blanks();
        ++m_at; // the colon
        if (quoted.find('\\') == std::string_view::npos) return std::string(quoted.substr(1, quoted.size() < 2 ? 0 : quoted.size() - 2));
        const Json parsed = Json::parse(quoted, nullptr, false);
        return parsed.is_string() ? parsed.get<std::string>() : std::string();
    }
    void skipValue() {
        int depth = 0;
        do {
            blanks();
            const char c = peek();
            if (c == '\0') return;
            if (c == '"')
                skipString();
            else if (c == '{' || c == '[')
                ++depth, ++m_at;
            else if (c == '}' || c == ']')
                --depth, ++m_at;
            else if (c == ',' || c == ':')
                ++m_at;
            else
                while (m_at < m_text.size() && std::string_view(",]}:\n\r\t ").find(m_text[m_at]) == std::string_view::npos) ++m_at;
        } while (depth > 0);
    }

    const std::string& m_text;
    std::vector<std::size_t> m_lineEnds;
    std::unordered_map<std::size_t, Members> m_members; // by where the container starts
    std::size_t m_at = 0;
};

SourcePosition locateInJson(const std::string& text, const std::string& file, const std::vector<std::string>& path) {
    return JsonPositions(text).locate(file, path);
}

bool JsonView::has(std::string_view key) const { return find(key) != nullptr; }

const Json* JsonView::find(std::string_view key) const {
    if (!m_json->is_object()) return nullptr;
    if (std::find(m_asked.begin(), m_asked.end(), key) == m_asked.end()) m_asked.emplace_back(key);
    const auto it = m_json->find(std::string(key));
    return it == m_json->end() ? nullptr : &*it;
}

JsonView JsonView::child(std::string step, const Json& json) const {
    std::vector<std::string> path = m_path;
    path.push_back(std::move(step));
    return JsonView(*m_source, json, std::move(path));
}

JsonView JsonView::at(std::string_view key) const { return child(std::string(key), *find(key)); }

void JsonView::fail(std::string_view key, const std::string& text, std::string_view code) const {
    if (m_source->errors.size() >= mostErrors) return;
    std::vector<std::string> path = m_path;
    if (!key.empty()) path.emplace_back(key);
    const std::string name = fmt::format("{}", fmt::join(path, "."));
    if (!m_source->positions) m_source->positions = std::make_shared<JsonPositions>(m_source->text);
    Error error{Error::Kind::File, (name.empty() ? "" : "\"" + name + "\" ") + text, m_source->positions->locate(m_source->file, path)};
    m_source->errors.push_back(std::move(error).with(std::string(code), name));
}

std::string JsonView::text(std::string_view key, std::optional<std::string> fallback) const {
    const Json* found = find(key);
    if (found && found->is_string()) return found->get<std::string>();
    if (found || !fallback)
        fail(key, found ? "is not a string; write it in quotes" : "is missing; must be a string", found ? "type" : "missing");
    return fallback.value_or("");
}

double JsonView::number(std::string_view key, std::optional<double> fallback) const {
    const Json* found = find(key);
    if (found && found->is_number() && std::isfinite(found->get<double>())) return found->get<double>();
    if (found || !fallback)
        fail(key, found ? "is not a number; write it without quotes and without a unit" : "is missing; must be a number",
             found ? "type" : "missing");
    return fallback.value_or(0);
}

double JsonView::between(std::string_view key, double low, double high, std::optional<double> fallback) const {
    const double value = number(key, fallback);
    if (has(key) && !(value >= low && value <= high)) fail(key, fmt::format("must be between {:g} and {:g}", low, high));
    return value;
}

std::int64_t JsonView::integer(std::string_view key, std::int64_t low, std::int64_t high, std::optional<std::int64_t> fallback) const {
    const Json* found = find(key);
    if (!found && fallback) return *fallback;
    if (found && found->is_number() && found->get<double>() == std::floor(found->get<double>())) {
        const double value = found->get<double>();
        if (value >= static_cast<double>(low) && value <= static_cast<double>(high)) return found->get<std::int64_t>();
    }
    fail(key,
         found ? fmt::format("is {}; must be a whole number from {} to {}", found->dump().substr(0, 40), low, high)
               : fmt::format("is missing; must be a whole number from {} to {}", low, high),
         !found               ? "missing"
         : found->is_number() ? "range"
                              : "type");
    return fallback.value_or(low);
}

bool JsonView::flag(std::string_view key, bool fallback) const {
    const Json* found = find(key);
    if (found && !found->is_boolean()) fail(key, "must be true or false", "type");
    return found && found->is_boolean() ? found->get<bool>() : fallback;
}

std::optional<double> JsonView::maybeNumber(std::string_view key) const {
    const Json* found = find(key);
    if (!found || found->is_null()) return {};
    return number(key, 0.0);
}

void JsonView::eachItem(std::string_view key, const std::function<void(JsonView)>& use) const {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_array()) return fail(key, "is not a list; write it in square brackets", "type");
    const JsonView list = child(std::string(key), *found);
    for (std::size_t i = 0; i < found->size(); ++i) use(list.child(std::to_string(i), (*found)[i]));
}

void JsonView::eachText(std::string_view key, const std::function<void(const std::string&)>& use) const {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_array()) return fail(key, "is not a list; write it in square brackets", "type");
    const JsonView list = child(std::string(key), *found);
    for (std::size_t i = 0; i < found->size(); ++i)
        (*found)[i].is_string() ? use((*found)[i].get<std::string>())
                                : list.fail(std::to_string(i), "is not a string; write it in quotes", "type");
}

void JsonView::eachMember(std::string_view key, const std::function<void(const std::string&, JsonView)>& use) const {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_object()) return fail(key, "is not an object; write it in curly braces", "type");
    const JsonView object = child(std::string(key), *found);
    for (const auto& [name, value] : found->items()) use(name, object.child(name, value));
}

Json JsonView::unknownKeys(std::initializer_list<std::string_view> known) const {
    Json rest = Json::object();
    if (!m_json->is_object()) return rest;
    for (const auto& [name, value] : m_json->items())
        if (std::find(known.begin(), known.end(), name) == known.end() && std::find(m_asked.begin(), m_asked.end(), name) == m_asked.end())
            addMember(rest, name, value);
    return rest;
}

} // namespace railyard
