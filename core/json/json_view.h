// Reading JSON that people may have edited: every wrong key becomes an error with file:line:column, the key,
// what is wrong and what would be right, and reading goes on so that all errors are reported (at most 100).
#pragma once

#include "core/base/result.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

using Json = nlohmann::ordered_json;

struct JsonSource {
    std::string file;
    std::string text;
    Json root;
    mutable std::vector<Error> errors;
};

Result<Json> parseJson(const std::string& text, const std::string& file);

class JsonView {
public:
    static JsonView root(const JsonSource& source) { return JsonView(source, source.root, {}); }

    bool has(std::string_view key) const;
    bool isObject() const { return m_json->is_object(); }
    const Json& json() const { return *m_json; }
    JsonView at(std::string_view key) const; // the key must be there

    // Each reports an error and returns the fallback where the key is missing or of the wrong kind.
    std::string text(std::string_view key, std::optional<std::string> fallback = {}) const;
    double number(std::string_view key, std::optional<double> fallback = {}) const;
    std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high, std::optional<std::int64_t> fallback = {}) const;
    bool flag(std::string_view key, bool fallback) const;
    std::optional<double> maybeNumber(std::string_view key) const; // missing or null: nothing
    std::optional<std::string> maybeText(std::string_view key) const;

    void eachItem(std::string_view key, const std::function<void(JsonView)>& use) const;                       // array
    void eachText(std::string_view key, const std::function<void(const std::string&)>& use) const;             // array of texts
    void eachMember(std::string_view key, const std::function<void(const std::string&, JsonView)>& use) const; // object
    // Kept apart so that a newer program's keys survive a round trip of an older one.
    Json unknownKeys(std::initializer_list<std::string_view> known) const;

    void fail(std::string_view key, const std::string& text) const;

private:
    JsonView(const JsonSource& source, const Json& json, std::vector<std::string> path)
        : m_source(&source),
          m_json(&json),
          m_path(std::move(path)) {}
    const Json* find(std::string_view key) const;
    JsonView child(std::string step, const Json& json) const;

    const JsonSource* m_source;
    const Json* m_json;
    std::vector<std::string> m_path; // keys, and array positions as digits
};

// Line and column of the value that the path leads to.
SourcePosition locateInJson(const std::string& text, const std::string& file, const std::vector<std::string>& path);

} // namespace railyard
