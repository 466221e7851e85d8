#include "core/io/document/document_merge.h"

#include "core/design/edits/edit.h"
#include "core/design/recipes/recipe.h"
#include "core/io/document/design_json.h"
#include "core/io/document/named_values.h"
#include "core/json/json_text.h"

#include <array>
#include <fmt/format.h>
#include <map>
#include <set>

namespace railyard {
namespace {

// Absent values are null pointers; an empty optional is an absent result.
using Value = const Json*;

bool areEqual(Value a, Value b) { return a == b || (a && b && *a == *b); }
std::string textOf(Value value) { return value ? jsonText(*value, -1) : std::string(); }

class Merger {
public:
    explicit Merger(std::vector<MergeConflict>& conflicts) : m_conflicts(conflicts) {}

    std::optional<Json> merge(const std::string& path, std::string_view key, Value base, Value ours, Value theirs) {
        const auto copied = [](Value value) { return value ? std::optional(*value) : std::nullopt; };
        if (areEqual(ours, theirs) || areEqual(base, theirs)) return copied(ours);
        if (areEqual(base, ours)) return copied(theirs);
        const auto a = NamedValues::of(key, ours), b = NamedValues::of(key, theirs);
        const auto common = NamedValues::of(key, base);
        if (ours && theirs && a && b && common) return mergeMembers(path, *common, *a, *b);
        m_conflicts.push_back({path, textOf(base), textOf(ours), textOf(theirs)});
        return copied(ours ? ours : theirs); // nothing is lost: what one removed and the other changed stays
    }

private:
    // In the order of ours; what only theirs has added follows.
    std::optional<Json> mergeMembers(const std::string& path, const NamedValues& base, const NamedValues& ours, const NamedValues& theirs) {
        Json merged = ours.isList() ? Json::array() : Json::object();
        const auto add = [&](const std::string& name, Value own, Value other) {
            const std::string at = path.empty() ? name : fmt::format("{}.{}", path, name);
            auto value = merge(at, ours.isList() ? std::string_view() : std::string_view(name), base.find(name), own, other);
            if (!value) return;
            if (ours.isList())
                merged.push_back(std::move(*value));
            else
                addMember(merged, name, std::move(*value));
        };
        for (const auto& [name, value] : ours.all()) add(name, value, theirs.find(name));
        for (const auto& [name, value] : theirs.all())
            if (!ours.find(name)) add(name, nullptr, value);
        return merged;
    }

    std::vector<MergeConflict>& m_conflicts;
};

// A row of several devices that the two sides changed differently is merged device by device.
Json withSingleRows(const Json& rows, const std::set<std::string>& slugs) {
    Json single = Json::array();
    for (const Json& row : rows) {
        const std::int64_t count = row.value("count", std::int64_t{1}), first = row.value("first", std::int64_t{1});
        if (!slugs.contains(row.value("slug", std::string()))) {
            single.push_back(row);
            continue;
        }
        for (std::int64_t i = 0; i < count; ++i) {
            Json one = row;
            one["count"] = 1;
            one["first"] = first + i;
            single.push_back(std::move(one));
        }
    }
    return single;
}

// Names whose rows differ in all three, if they are few enough to be told one by one.
std::set<std::string> slugsToSplit(const Json& base, const Json& ours, const Json& theirs) {
    constexpr std::int64_t most = 100'000;
    struct Rows {
        std::array<std::string, 3> text;
        std::int64_t elements = 0;
    };
    std::map<std::string, Rows> bySlug;
    const std::array<const Json*, 3> sides{&base, &ours, &theirs};
    for (std::size_t side = 0; side < sides.size(); ++side)
        for (const Json& row : *sides[side]) {
            Rows& rows = bySlug[row.value("slug", std::string())];
            rows.text[side] += row.dump() + "\n";
            rows.elements += row.value("count", std::int64_t{1});
        }
    std::set<std::string> split;
    std::int64_t elements = 0;
    for (const auto& [slug, rows] : bySlug) {
        const auto& [common, own, other] = rows.text;
        if (own == common || other == common || own == other) continue;
        split.insert(slug);
        elements += rows.elements;
    }
    return elements <= most ? split : std::set<std::string>();
}

// Elements that count on and are the same are one row again, as an edit would leave them.
Json joinedRows(const Json& rows, const std::set<std::string>& slugs) {
    Json joined = Json::array();
    for (const Json& row : rows) {
        if (!joined.empty() && slugs.contains(row.value("slug", std::string()))) {
            Json last = joined.back(), next = row;
            const std::int64_t first = last.value("first", std::int64_t{1}), count = last.value("count", std::int64_t{1});
            const bool follows = next.value("first", std::int64_t{1}) == first + count;
            for (Json* each : {&last, &next}) each->erase("first"), each->erase("count");
            if (follows && last == next && !next.contains("at")) {
                joined.back()["count"] = count + row.value("count", std::int64_t{1});
                continue;
            }
        }
        joined.push_back(row);
    }
    return joined;
}

struct Side {
    Json base, ours, theirs;
};

void splitRows(Side& side, std::string_view list, std::set<std::string>& slugs) {
    Json* rows[] = {&side.base["free"], &side.ours["free"], &side.theirs["free"]};
    for (Json* block : rows)
        if (!block->contains(list)) (*block)[list] = Json::array();
    slugs = slugsToSplit((*rows[0])[list], (*rows[1])[list], (*rows[2])[list]);
    for (Json* block : rows) (*block)[list] = withSingleRows((*block)[list], slugs);
}

void removeCreatedBlocks(Side& side, const std::array<const Design*, 3>& designs) {
    std::set<std::string> created;
    for (const Design* design : designs)
        if (const auto again = design->recipe ? build(*design->recipe, "", design->catalog) : Result<Design>(Error::usage("none")))
            for (const auto& [name, block] : again->blocks) created.insert(name);
    for (Json* each : {&side.base, &side.ours, &side.theirs}) {
        Json blocks = Json::object();
        for (const auto& [name, block] : (*each)["blocks"].items())
            if (!created.contains(name)) addMember(blocks, name, block);
        (*each)["blocks"] = std::move(blocks);
    }
}

// Where both sides changed the recipe, its blocks are those of the merged parameters; where one did, they are that side's.
Result<std::optional<Json>> blocksOfMergedRecipe(const Json& merged, const Design& ours, const Design& theirs) {
    if (!merged.contains("recipe")) return std::optional<Json>();
    RecipeCall call{merged["recipe"].value("name", std::string()), {}, {}};
    const Json parameters = merged["recipe"].value("parameters", Json::object());
    for (const auto& [key, value] : parameters.items())
        if (value.is_string()) call.parameters[key] = value.get<std::string>();
    for (const Design* side : {&ours, &theirs})
        if (side->recipe && side->recipe->name == call.name && side->recipe->parameters == call.parameters)
            return std::optional(Json::parse(designText(*side))["blocks"]);
    const auto again = replaceRecipe(ours, call);
    if (!again) return again.errors();
    return std::optional(Json::parse(designText(*again->design))["blocks"]);
}

} // namespace

Result<MergedDesign> merged(const Design& base, const Design& ours, const Design& theirs) {
    MergedDesign result;
    Side side{Json::parse(designText(base)), Json::parse(designText(ours)), Json::parse(designText(theirs))};
    const auto recipeOf = [](const Json& of) { return of.value("recipe", Json()); };
    const bool isSameRecipe = recipeOf(side.ours) == recipeOf(side.base) && recipeOf(side.theirs) == recipeOf(side.base);
    if (!isSameRecipe) // what it creates follows from it; blocks that people made are merged below
        removeCreatedBlocks(side, {&base, &ours, &theirs});
    std::set<std::string> devices, instances;
    splitRows(side, "devices", devices);
    splitRows(side, "instances", instances);
    auto json = *Merger(result.conflicts).merge({}, {}, &side.base, &side.ours, &side.theirs);
    for (const auto& [list, slugs] : {std::pair<std::string_view, std::set<std::string>&>("devices", devices), {"instances", instances}}) {
        if (!json["free"].contains(list)) continue;
        json["free"][list] = joinedRows(json["free"][list], slugs);
        if (json["free"][list].empty()) json["free"].erase(std::string(list));
    }
    if (!isSameRecipe) {
        const auto blocks = blocksOfMergedRecipe(json, ours, theirs);
        if (!blocks) return blocks.errors();
        if (*blocks) {
            Json all = **blocks;
            for (const auto& [name, block] : json["blocks"].items()) all[name] = block;
            json["blocks"] = std::move(all);
        }
    }
    auto design = readDesign(canonicalText(json), "the merged design");
    if (!design) return design.errors();
    result.design = *design;
    return result;
}

} // namespace railyard
