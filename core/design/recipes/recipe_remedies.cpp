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

// The same fault with the values that work, or with what else helps.
Error withValues(Error error, std::vector<std::string> values, bool canBeLeftOut) {
    error.nearest = std::move(values);
    if (error.nearest.empty() && !error.instead.empty())
        error.wrong += "; use " + error.instead;
    else if (error.nearest.empty() && canBeLeftOut)
        error.wrong += fmt::format("; leave {} out for its default", error.field);
    else if (error.nearest.empty())
        error.wrong += fmt::format("; no value of {} works with the other settings", error.field);
    error.text = error.parameterText(error.field);
    return error;
}

} // namespace

std::vector<Error> withRemediesThatWork(const RecipeCall& call, const Catalog& catalog, std::vector<Error> errors) {
    if (errors.size() == 1) {
        Error& error = errors.front();
        if (error.nearest.empty()) return errors;
        std::vector<std::string> working;
        for (const std::string& value : error.nearest)
            if (builds(call, catalog, {{error.field, value}})) working.push_back(value);
        if (working == error.nearest) return errors;
        if (working.empty())
            if (auto found = nearestThatBuilds(call, catalog, error.field, error.nearest.front())) working.push_back(std::move(*found));
        const bool canBeLeftOut = working.empty() && buildsWithout(call, catalog, error.field);
        error = withValues(std::move(error), std::move(working), canBeLeftOut);
        return errors;
    }
    Changes all;
    for (const Error& error : errors)
        if (!error.nearest.empty()) all[error.field] = error.nearest.front();
    if (all.empty() || builds(call, catalog, all)) return errors;
    for (Error& error : errors) { // each says what is wrong; together they have no remedy that can be promised
        if (error.nearest.empty()) continue;
        error.nearest.clear();
        error.text = error.parameterText(error.field);
    }
    return errors;
}

} // namespace railyard
