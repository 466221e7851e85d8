#include "core/io/document/document_merge.h"

#include "core/design/edits/edit.h"
#include "core/io/document/design_json.h"
#include "core/io/document/named_values.h"
#include "core/io/document/own_blocks.h"
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
        const auto a = NamedValues::read(key, ours), b = NamedValues::read(key, theirs);
        const auto common = NamedValues::read(key, base);
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

// What one side removed while the other changed it, or something in it, stays.
void keepWhatOthersChanged(const Json& base, Json& removing, const Json& changing, bool isOurs, std::vector<MergeConflict>& conflicts) {
    const auto overridesOf = [](const Json& document) {
        std::map<std::string, const Json*> all;
        if (const auto found = document.find("overrides"); found != document.end())
            for (const auto& [path, value] : found->items()) all[path] = &value;
        return all;
    };
    const auto before = overridesOf(base), there = overridesOf(changing);
    const auto find = [](const std::map<std::string, const Json*>& in, const std::string& path) {
        const auto found = in.find(path);
        return found == in.end() ? nullptr : found->second;
    };
    const auto isRemoval = [](Value value) { return value && value->contains("remove"); };
    std::vector<std::string> kept;
    for (const auto& [path, value] : overridesOf(removing)) {
        if (!isRemoval(value) || isRemoval(find(before, path))) continue;
        for (auto other = there.lower_bound(path); other != there.end() && other->first.starts_with(path); ++other) {
            const bool isInside = other->first.size() == path.size() || other->first[path.size()] == '/';
            if (!isInside || isRemoval(other->second) || areEqual(find(before, other->first), other->second)) continue;
            const std::string gone = textOf(value), changed = textOf(other->second);
            conflicts.push_back(
                {"overrides." + other->first, textOf(find(before, other->first)), isOurs ? gone : changed, isOurs ? changed : gone});
            kept.push_back(path);
        }
    }
    for (const std::string& path : kept) {
        Json& overrides = removing["overrides"];
        overrides.erase(path);
        if (Value was = find(before, path)) overrides[path] = *was;
    }
}

// The elements at the top of the drawing, and those that are removed anywhere.
struct Elements {
    std::set<std::string> top, removed;

    explicit Elements(const Json& document) {
        for (const Json* block : {memberOf(document, "free"), memberOf(memberOf(document, "blocks"), "root")})
            for (const char* list : {"devices", "instances"})
                if (const Json* rows = memberOf(block, list)) add(*rows);
        if (const Json* overrides = memberOf(document, "overrides"))
            for (const auto& [path, value] : overrides->items())
                if (value.contains("remove")) removed.insert(path);
    }
    bool hasEnd(const std::string& end) const { // leaf[3]:17
        const std::string path = end.substr(0, end.rfind(':'));
        for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
            if (removed.contains(path.substr(0, at))) return false;
        return top.contains(path.substr(0, path.find('/'))) && !removed.contains(path);
    }
    static const Json* memberOf(const Json* of, const char* name) {
        if (!of || !of->is_object()) return nullptr;
        const auto found = of->find(name);
        return found == of->end() ? nullptr : &*found;
    }
    static const Json* memberOf(const Json& of, const char* name) { return memberOf(&of, name); }

private:
    void add(const Json& rows) {
        for (const Json& row : rows) {
            const std::int64_t first = row.value("first", std::int64_t{1}), count = row.value("count", std::int64_t{1});
            for (std::int64_t i = 0; i < count; ++i) top.insert(fmt::format("{}[{}]", row.value("slug", std::string()), first + i));
        }
    }
};

// Cables that fit each side, but not what the two made together: to an element that the other removed, or to a port that both took.
void findLooseCables(const Json& merged, const Side& side, std::vector<MergeConflict>& conflicts) {
    const auto cablesOf = [](const Json& document) {
        const Json* links = Elements::memberOf(Elements::memberOf(document, "free"), "links");
        return links ? *links : Json::array();
    };
    const Elements elements(merged);
    std::set<std::string> common, ofOurs, ports;
    for (const Json& link : cablesOf(side.base)) common.insert(link.dump());
    for (const Json& link : cablesOf(side.ours)) ofOurs.insert(link.dump());
    for (const Json& link : cablesOf(merged)) {
        const std::string a = link.value("a", std::string()), b = link.value("b", std::string()), text = link.dump();
        const bool isFree = ports.insert(a).second, areFree = ports.insert(b).second && isFree;
        if (common.contains(text) || (areFree && elements.hasEnd(a) && elements.hasEnd(b))) continue;
        const bool isOurs = ofOurs.contains(text);
        conflicts.push_back({fmt::format("free.links.{} – {}", a, b), {}, isOurs ? text : std::string(), isOurs ? std::string() : text});
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
    const std::string baseText = designText(base), oursText = designText(ours), theirsText = designText(theirs);
    if (theirsText == baseText || theirsText == oursText || oursText == baseText) {
        result.design = std::make_shared<const Design>(oursText == baseText ? theirs : ours);
        return result;
    }
    Side side{Json::parse(baseText), Json::parse(oursText), Json::parse(theirsText)};
    const auto recipeOf = [](const Json& of) { return of.value("recipe", Json()); };
    const bool isSameRecipe = recipeOf(side.ours) == recipeOf(side.base) && recipeOf(side.theirs) == recipeOf(side.base);
    if (!isSameRecipe) { // what a recipe creates follows from it; blocks that people made are merged below
        keepOwnBlocks(side.base, base);
        keepOwnBlocks(side.ours, ours);
        keepOwnBlocks(side.theirs, theirs);
    }
    renameOwnBlocks(side.base, side.ours, side.theirs);
    keepWhatOthersChanged(side.base, side.ours, side.theirs, true, result.conflicts);
    keepWhatOthersChanged(side.base, side.theirs, side.ours, false, result.conflicts);
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
    findLooseCables(json, side, result.conflicts);
    auto design = readDesign(canonicalText(json), "the merged design");
    if (!design && result.conflicts.empty()) return design.errors();
    result.design = design ? *design : std::make_shared<const Design>(ours);
    return result;
}

} // namespace railyard
