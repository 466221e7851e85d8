#include "core/io/document/document_changes.h"

#include "core/fabric/elaborate.h"
#include "core/io/document/design_text.h"
#include "core/io/document/named_values.h"
#include "core/io/document/own_blocks.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_set>

namespace railyard {
namespace {

using Kind = DocumentChange::Kind;

// Where an element stands: on the drawing, in a rack, on the floor.
bool isPlace(std::string_view key) { return key == "at" || key == "rack" || key == "u" || key == "x" || key == "y"; }

class Comparer {
public:
    explicit Comparer(std::vector<DocumentChange>& changes) : m_changes(changes) {}

    void compare(const std::string& path, std::string_view key, const Json* before, const Json* after) {
        if (before && after && *before == *after) return;
        const auto a = NamedValues::read(key, before), b = NamedValues::read(key, after);
        const bool isTree = a && b && (!a->all().empty() || !b->all().empty());
        if (!isTree || !before || !after) {
            // What is new as a whole is one change, but for the lists and sections themselves: their items are what people know.
            if (isTree && isSection(path)) return compareMembers(path, *a, *b);
            const Kind kind = !before ? Kind::Added : !after ? Kind::Removed : isPlace(key) ? Kind::Moved : Kind::Changed;
            const bool isMember = kind != Kind::Changed && isPlace(key); // a place that an element did not have, or has no more
            m_changes.push_back({isMember ? Kind::Moved : kind, path, before ? *before : Json(), after ? *after : Json()});
            return;
        }
        compareMembers(path, *a, *b);
    }

private:
    // free, free.devices, overrides, recipe.parameters: what stands there all of the time.
    static bool isSection(const std::string& path) {
        static constexpr std::array<std::string_view, 9> sections{"free",     "overrides", "blocks",  "parts",   "approvals",
                                                                  "callouts", "views",     "targets", "networks"};
        return std::find(sections.begin(), sections.end(), path) != sections.end() || path.ends_with(".devices") ||
               path.ends_with(".instances") || path.ends_with(".wiring") || path.ends_with(".links") || path.ends_with(".parameters") ||
               path.ends_with(".options") || path.ends_with(".moved") || path == "training" || path == "reliability" || path == "bill" ||
               path == "ocs";
    }
    void compareMembers(const std::string& path, const NamedValues& a, const NamedValues& b) {
        const auto at = [&](const std::string& name) { return path.empty() ? name : fmt::format("{}.{}", path, name); };
        for (const auto& [name, value] : a.all()) compare(at(name), keyOf(a, name), value, b.find(name));
        for (const auto& [name, value] : b.all())
            if (!a.find(name)) compare(at(name), keyOf(b, name), nullptr, value);
    }
    static std::string_view keyOf(const NamedValues& of, const std::string& name) { return of.isList() ? std::string_view() : name; }

    std::vector<DocumentChange>& m_changes;
};

// Links by their ends, devices by their paths.
void countOnly(const Fabric& fabric, const Fabric& other, std::map<std::string, std::int64_t>& devices,
               std::map<std::string, std::int64_t>& links) {
    std::unordered_set<std::string> known;
    const auto deviceKey = [](const Fabric& of, DeviceId d) { return fmt::format("{} {}", of.devicePath(d), toText(of.devices.kind[d])); };
    const auto linkKey = [](const Fabric& of, LinkId l) {
        return fmt::format("{}:{} {}:{} {}", of.devicePath(of.links.a[l]), of.portName(of.links.a[l], of.links.aPort[l], of.links.tier[l]),
                           of.devicePath(of.links.b[l]), of.portName(of.links.b[l], of.links.bPort[l], of.links.tier[l]),
                           of.speedOf(l).value());
    };
    for (const DeviceId d : other.devices.ids()) known.insert(deviceKey(other, d));
    for (const DeviceId d : fabric.devices.ids())
        if (!known.contains(deviceKey(fabric, d))) ++devices[std::string(toText(fabric.devices.kind[d]))];
    known.clear();
    for (const LinkId l : other.links.ids()) known.insert(linkKey(other, l));
    for (const LinkId l : fabric.links.ids())
        if (!known.contains(linkKey(fabric, l))) ++links[std::string(toText(fabric.links.tier[l]))];
}

// A part that only one document has came or went with what uses it.
void keepCommonParts(Json& a, Json& b) {
    Json inBoth[2] = {Json::object(), Json::object()};
    for (const auto& [id, part] : a["parts"].items())
        if (const auto other = b["parts"].find(id); other != b["parts"].end())
            addMember(inBoth[0], id, part), addMember(inBoth[1], id, *other);
    a["parts"] = std::move(inBoth[0]);
    b["parts"] = std::move(inBoth[1]);
}

} // namespace

std::string_view toText(Kind kind) {
    static constexpr std::array<std::string_view, 4> names{"added", "removed", "moved", "changed"};
    return names[static_cast<std::size_t>(kind)];
}

std::int64_t DesignChanges::count(Kind kind) const {
    return std::count_if(changes.begin(), changes.end(), [&](const DocumentChange& change) { return change.kind == kind; });
}

DesignChanges changesBetween(const DesignPointer& before, const DesignPointer& after) {
    DesignChanges found;
    Json a = Json::parse(designText(*before)), b = Json::parse(designText(*after));
    if (a.value("recipe", Json()) != b.value("recipe", Json())) keepOwnBlocks(a, *before), keepOwnBlocks(b, *after);
    keepCommonParts(a, b);
    Comparer(found.changes).compare({}, {}, &a, &b);
    const FabricPointer first = elaborate(before), second = elaborate(after);
    countOnly(*second, *first, found.addedDevices, found.addedLinks);
    countOnly(*first, *second, found.removedDevices, found.removedLinks);
    return found;
}

} // namespace railyard
