#include "core/design/recipes/recipe_remedies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>

namespace railyard {
namespace {

// "KEY = VALUE: what is wrong; nearest value that works: A[ and B][, or something else]", taken apart.
struct Remedy {
    std::string key, wrong;
    std::vector<std::string> values;
    std::string instead; // "a larger radix", or empty
};

std::optional<Remedy> remedyOf(const Error& error) {
    static constexpr std::string_view marker = "; nearest value";
    const std::size_t from = error.text.find(marker), equals = error.text.find(" = ");
    if (error.kind != Error::Kind::Unbuildable || from == std::string::npos || equals == std::string::npos) return {};
    const std::size_t colon = error.text.find(": ", from);
    if (colon == std::string::npos) return {};
    Remedy remedy{error.text.substr(0, equals), error.text.substr(0, from), {}, {}};
    std::string list = error.text.substr(colon + 2);
    if (const std::size_t other = list.find(", or "); other != std::string::npos) {
        remedy.instead = list.substr(other + 5);
        list.resize(other);
    }
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(' ', at), list.size());
        const std::string word = list.substr(at, end - at);
        if (word != "and" && word != "or") remedy.values.push_back(word);
        at = end + 1;
    }
    return remedy;
}

using Changes = std::map<std::string, std::string>;

bool builds(RecipeCall call, const Catalog& catalog, const Changes& changes) {
    for (const auto& [key, value] : changes) call.parameters[key] = value;
    const auto settings = resolve(call, catalog);
    return settings && plan(*settings);
}

// Outwards from a value, or from the number before the colon of a ratio: every one at first, then in doubling steps.
std::optional<std::string> nearestThatBuilds(const RecipeCall& call, const Catalog& catalog, const std::string& key,
                                             const std::string& from) {
    constexpr int everyOne = 64, farthest = 1 << 20;
    int start = 0;
    const auto [end, code] = std::from_chars(from.data(), from.data() + from.size(), start);
    const std::string rest(end, from.data() + from.size());
    if (code != std::errc() || !(rest.empty() || rest.front() == ':')) return {};
    for (int step = 1; step <= farthest; step += step < everyOne ? 1 : step)
        for (const int value : {start - step, start + step}) {
            const std::string tried = std::to_string(value) + rest;
            if (value > 0 && value <= farthest && builds(call, catalog, {{key, tried}})) return tried;
        }
    if (!key.ends_with("_gbps")) return {};
    std::array speeds{10, 25, 40, 50, 100, 200, 400, 800, 1600}; // that ports have
    std::stable_sort(speeds.begin(), speeds.end(), [&](int a, int b) { return std::abs(a - start) < std::abs(b - start); });
    for (const int speed : speeds)
        if (builds(call, catalog, {{key, std::to_string(speed)}})) return std::to_string(speed);
    return {};
}

bool buildsWithout(RecipeCall call, const Catalog& catalog, const std::string& key) {
    call.parameters.erase(key);
    return builds(call, catalog, {});
}

std::string withValues(const Remedy& remedy, const std::vector<std::string>& values, bool canBeLeftOut) {
    const std::string instead = remedy.instead.empty() ? "" : ", or " + remedy.instead;
    if (!values.empty())
        return fmt::format("{}; nearest value{}: {}{}", remedy.wrong, values.size() > 1 ? "s that work" : " that works",
                           fmt::join(values, " and "), instead);
    if (!remedy.instead.empty()) return fmt::format("{}; use {}", remedy.wrong, remedy.instead);
    if (canBeLeftOut) return fmt::format("{}; leave {} out for its default", remedy.wrong, remedy.key);
    return fmt::format("{}; no value of {} works with the other settings", remedy.wrong, remedy.key);
}

} // namespace

std::vector<Error> withRemediesThatWork(const RecipeCall& call, const Catalog& catalog, std::vector<Error> errors) {
    if (errors.size() == 1) {
        const auto remedy = remedyOf(errors.front());
        if (!remedy || remedy->values.empty()) return errors;
        std::vector<std::string> working;
        for (const std::string& value : remedy->values)
            if (builds(call, catalog, {{remedy->key, value}})) working.push_back(value);
        if (working == remedy->values) return errors;
        if (working.empty())
            if (auto found = nearestThatBuilds(call, catalog, remedy->key, remedy->values.front())) working.push_back(std::move(*found));
        errors.front().text = withValues(*remedy, working, working.empty() && buildsWithout(call, catalog, remedy->key));
        return errors;
    }
    Changes all;
    for (const Error& error : errors)
        if (const auto remedy = remedyOf(error); remedy && !remedy->values.empty()) all[remedy->key] = remedy->values.front();
    if (all.empty() || builds(call, catalog, all)) return errors;
    for (Error& error : errors) // each says what is wrong; together they have no remedy that can be promised
        if (const auto remedy = remedyOf(error)) error.text = remedy->wrong;
    return errors;
}

} // namespace railyard
