// Reads JSON that may have been edited by people: every error has file:line:column, the key, what is wrong and how to correct
// it. Reading continues after an error, so that all errors are reported (at most 100).
#pragma once

#include "core/json/json_parse.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

class JsonPositions; // where the values of a text are; made at the first error

struct JsonSource {
    std::string file;
    std::string text;
    Json root;
    mutable std::vector<Error> errors;
    mutable std::shared_ptr<JsonPositions> positions = {};
};

class JsonView {
public:
    static JsonView root(const JsonSource& source) { return JsonView(source, source.root, {}); }

    bool has(std::string_view key) const;
    bool isObject() const { return m_json->is_object(); }
    const Json& json() const { return *m_json; }
    JsonView at(std::string_view key) const; // requires that the key exists

    // Each of these reports an error and returns the fallback if the key is missing or has the wrong type.
    std::string text(std::string_view key, std::optional<std::string> fallback = {}) const;
    double number(std::string_view key, std::optional<double> fallback = {}) const;
    double between(std::string_view key, double low, double high, std::optional<double> fallback = {}) const; // both included
    std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high, std::optional<std::int64_t> fallback = {}) const;
    bool flag(std::string_view key, bool fallback) const;
    std::optional<double> maybeNumber(std::string_view key) const; // empty if missing or null

    void eachItem(std::string_view key, const std::function<void(JsonView)>& use) const;                       // array
    void eachText(std::string_view key, const std::function<void(const std::string&)>& use) const;             // array of strings
    void eachMember(std::string_view key, const std::function<void(const std::string&, JsonView)>& use) const; // object
    // What this view was never asked for and is not in `known`: the keys of a newer version, to be kept.
    Json unknownKeys(std::initializer_list<std::string_view> known = {}) const;

    void fail(std::string_view key, const std::string& text, std::string_view code = "value") const; // code: core/base/error.h

private:
    JsonView(const JsonSource& source, const Json& json, std::vector<std::string> path)
        : m_source(&source),
          m_json(&json),
          m_path(std::move(path)) {}
    const Json* find(std::string_view key) const;
    JsonView child(std::string step, const Json& json) const;

    const JsonSource* m_source;
    const Json* m_json;
    std::vector<std::string> m_path; // keys, and array indices as digits
    mutable std::vector<std::string> m_asked;
};

// The line and column of the value at this path.
SourcePosition locateInJson(const std::string& text, const std::string& file, const std::vector<std::string>& path);

} // namespace railyard
