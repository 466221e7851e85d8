#include "core/io/document/own_blocks.h"

#include "core/design/recipes/recipe.h"

#include <fmt/format.h>
#include <map>
#include <set>

namespace railyard {
namespace {

const Json& blocksOf(const Json& document) {
    static const Json nothing = Json::object();
    const auto found = document.find("blocks");
    return found == document.end() ? nothing : *found;
}

// In instances and overrides: {"block": NAME}.
void renameReferences(Json& value, const std::map<std::string, std::string>& names) {
    if (value.is_object())
        if (const auto block = value.find("block"); block != value.end() && block->is_string())
            if (const auto renamed = names.find(block->get<std::string>()); renamed != names.end()) *block = renamed->second;
    if (value.is_structured())
        for (Json& each : value) renameReferences(each, names);
}

} // namespace

void keepOwnBlocks(Json& document, const Design& design) {
    if (!design.recipe) return;
    const auto again = build(*design.recipe, "", design.catalog);
    if (!again) return;
    Json own = Json::object();
    for (const auto& [name, block] : blocksOf(document).items())
        if (!again->blocks.contains(name)) addMember(own, name, block);
    document["blocks"] = std::move(own);
}

void renameOwnBlocks(const Json& base, const Json& ours, Json& theirs) {
    std::map<std::string, std::string> content; // of ours
    std::set<std::string> known;                // of the base
    std::set<std::string> taken;
    for (const auto& [name, block] : blocksOf(base).items()) known.insert(name);
    for (const auto& [name, block] : blocksOf(ours).items()) content[name] = block.dump();
    for (const Json* each : {&base, &ours, static_cast<const Json*>(&theirs)})
        for (const auto& [name, block] : blocksOf(*each).items()) taken.insert(name);
    std::map<std::string, std::string> names;
    for (const auto& [name, block] : blocksOf(theirs).items()) {
        const auto own = content.find(name);
        if (known.contains(name) || own == content.end() || own->second == block.dump()) continue;
        const std::string stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
        for (int number = 2; names[name].empty(); ++number)
            if (std::string next = fmt::format("{}{}{}", stem, stem.ends_with('-') ? "" : "-", number); taken.insert(next).second)
                names[name] = std::move(next);
    }
    if (names.empty()) return;
    renameReferences(theirs, names);
    Json blocks = Json::object();
    for (const auto& [name, block] : blocksOf(theirs).items()) addMember(blocks, names.contains(name) ? names.at(name) : name, block);
    theirs["blocks"] = std::move(blocks);
}

} // namespace railyard
