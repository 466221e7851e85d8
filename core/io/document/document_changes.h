// What differs between two designs: in their documents, and in the fabrics that they build.
#pragma once

#include "core/design/model/design.h"
#include "core/json/json_parse.h"

#include <map>
#include <string>
#include <vector>

namespace railyard {

struct DocumentChange {
    enum class Kind { Added, Removed, Moved, Changed };
    Kind kind = Kind::Changed;
    std::string path;   // recipe.parameters.servers, overrides.su[1]/leaf[2].part, free.devices.leaf-extra[1]
    Json before, after; // null: absent
};
std::string_view toText(DocumentChange::Kind kind); // added, removed, moved, changed

struct DesignChanges {
    std::vector<DocumentChange> changes; // of blocks that a recipe creates only where the recipe is the same in both
    // Devices by kind and links by tier that only the second design has, and only the first.
    std::map<std::string, std::int64_t> addedDevices, removedDevices, addedLinks, removedLinks;

    std::int64_t count(DocumentChange::Kind kind) const;
    bool isEmpty() const { return changes.empty(); }
};
DesignChanges changesBetween(const DesignPointer& before, const DesignPointer& after);

} // namespace railyard
