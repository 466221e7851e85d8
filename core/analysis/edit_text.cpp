#include "core/analysis/edit_text.h"

#include "core/analysis/cable_edits.h"
#include "core/analysis/edit_labels.h"
#include "core/analysis/option_sections.h"
#include "core/analysis/targets.h"
#include "core/base/unit_text.h"
#include "core/bill/cabling.h"
#include "core/fabric/connect.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/group.h"
#include "core/fabric/path_finder.h"
#include "core/fabric/rack_systems.h"
#include "core/fabric/similar_path.h"
#include "core/failure/removal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

std::optional<double> numberFrom(std::string_view text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = code == std::errc() && end == text.data() + text.size() && std::isfinite(value);
    return good ? std::optional(value) : std::nullopt;
}

// What follows the word that ends at `at`; empty where nothing does.
std::string afterSpaces(std::string_view text, std::size_t at) {
    const std::size_t from = at == std::string_view::npos ? at : text.find_first_not_of(' ', at);
    return std::string(from == std::string_view::npos ? std::string_view() : text.substr(from));
}

// "B07" -> row 2, position 7.
std::optional<RackSpot> spotFrom(std::string_view text) {
    RackSpot spot;
    std::size_t at = 0;
    for (; at < text.size() && at < 3 && std::isalpha(static_cast<unsigned char>(text[at])); ++at)
        spot.row = spot.row * 26 + (std::toupper(static_cast<unsigned char>(text[at])) - 'A' + 1);
    const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), spot.position);
    const bool good = at > 0 && code == std::errc() && end == text.data() + text.size() && spot.position > 0;
    return good ? std::optional(spot) : std::nullopt;
}

// A rack by its name, or by the tile on which it stands: B07 for su[2]/rack[6].
const Rack* rackCalled(const Floor& floor, const std::string& text) {
    const auto spot = spotFrom(text);
    const auto found =
        std::find_if(floor.racks.begin(), floor.racks.end(), [&](const Rack& rack) { return rack.name == text || rack.spot == spot; });
    return found == floor.racks.end() ? nullptr : &*found;
}

Error noRack(const std::string& rack) {
    return Error::usage(fmt::format("There is no rack \"{}\". The Racks sheet of the bill of materials lists all racks.", rack));
}

Result<Edit> place(const DesignPointer& design, const std::string& rack, RackSpot spot) {
    if (!design->floor) return moveRacks(*design, {{rack, spot}}); // says that there are no racks
    const Floor floor = cablingOf(*elaborate(design)).floor;       // with the racks of all networks
    if (const Rack* known = rackCalled(floor, rack)) return moveRacks(*design, {{known->name, spot}});
    if (design->floor->moved.contains(rack)) return moveRacks(*design, {{rack, spot}});
    return noRack(rack);
}

Result<Edit> feedRack(const DesignPointer& design, const std::string& rack, std::optional<RackFeeds> feeds) {
    if (!design->floor) return setFeedsOfRacks(*design, {rack}, feeds); // says that there are no racks
    const Floor floor = cablingOf(*elaborate(design)).floor;
    const Rack* known = rackCalled(floor, rack);
    return known ? setFeedsOfRacks(*design, {known->name}, feeds) : Result<Edit>(noRack(rack));
}

// Only what is screwed into racks can be mounted: servers, switches, managers. Without a rack or a unit an element keeps its own.
Result<Edit> mount(const DesignPointer& design, const std::vector<std::string>& paths, std::optional<std::string> rack,
                   std::optional<int> unit) {
    if (!design->floor) return mountInRack(*design, paths, rack.value_or(""), unit.value_or(0));
    const FabricPointer fabric = elaborate(design);
    const Floor floor = cablingOf(*fabric).floor;
    std::set<std::string> mounted;
    for (const Chassis& each : floor.chassis) mounted.insert(chassisPath(*fabric, each));
    for (const std::string& path : paths)
        if (!mounted.contains(path) && !design->overrides.contains(path))
            return Error::usage(fmt::format("{} is not mounted in a rack. Name a server, a switch or a fabric manager.", path));
    if (rack) {
        if (const Rack* known = rackCalled(floor, *rack))
            rack = known->name;
        else if (spotFrom(*rack))
            return Error::usage(
                fmt::format("There is no rack at {}. Name an existing rack, or name a new rack and give it a position.", *rack));
    }
    Edit edit{design, {}};
    for (const std::string& path : paths) {
        const auto own = design->overrides.find(path);
        const Override now = own == design->overrides.end() ? Override{} : own->second;
        auto next = mountInRack(*edit.design, {path}, rack.value_or(now.rack), unit.value_or(now.unit));
        if (!next) return next.errors();
        edit = std::move(*next);
    }
    if (paths.size() > 1) edit.label = fmt::format("Mount {} elements", formatCount(static_cast<std::int64_t>(paths.size())));
    return edit;
}

Result<Edit> usePart(const DesignPointer& design, const std::vector<std::string>& paths, const std::string& id) {
    const FabricPointer fabric = elaborate(design);
    const PathFinder finder(*fabric);
    const Part* part = design->catalog->find(id);
    if (!part) return setPart(*design, paths, id); // says so
    for (const std::string& path : paths) {
        const auto device = finder.device(path);
        if (!device)
            return Error::usage(fmt::format("{}.part = {}: only GPUs, NICs and switches have a part of their own that can be "
                                            "changed; servers change with the recipe",
                                            path, id));
        const std::string_view kind = toText(fabric->devices.kind[*device]);
        if (part->kind() != kind)
            return Error::usage(fmt::format("{}.part = {}: {} is a {}, not a {}; choose a part of the same kind from the catalogue", path,
                                            id, id, part->kind(), kind));
    }
    return setPart(*design, paths, id);
}

// Every segment has an index: su[1]/leaf[2].
bool isPlainPath(std::string_view text) {
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t slash = std::min(text.find('/', from), text.size());
        if (!parseSegment(text.substr(from, slash - from))) return false;
        from = slash + 1;
    }
    return true;
}

std::string noElement(const Fabric& fabric, const std::string& path) {
    const std::string similar = similarPath(fabric, path);
    return fmt::format("The design has no element \"{}\". {}", path,
                       similar.empty() ? "A CSV export lists all paths." : fmt::format("The nearest path is {}.", similar));
}

// The elements that a path or a selector names. A path need not be in the fabric where the design has an override of it, or a callout.
Result<std::vector<std::string>> elementsNamed(const DesignPointer& design, const std::string& text) {
    if (text.empty()) return Error::usage("The path is empty. Name an element, for example su[1]/leaf[2].");
    const FabricPointer fabric = elaborate(design);
    const PathFinder finder(*fabric);
    if (finder.device(text) || finder.scope(text) || design->overrides.contains(text)) return std::vector<std::string>{text};
    if (isPlainPath(text)) return Error::usage(noElement(*fabric, text));
    return elementsAt(*fabric, text);
}

// A tray is bought with its rack, so that nothing is saved without it.
Status mustNotBeTray(const DesignPointer& design, const std::string& path) {
    const FabricPointer fabric = elaborate(design);
    const auto scope = PathFinder(*fabric).scope(path);
    const auto found = scope ? std::lower_bound(fabric->servers.begin(), fabric->servers.end(), *scope) : fabric->servers.end();
    if (found == fabric->servers.end() || *found != *scope) return Done{};
    const Part* rack = rackSystemOf(*fabric, ServerId(static_cast<std::uint32_t>(found - fabric->servers.begin())));
    if (!rack) return Done{};
    return Error::unbuildable(
        fmt::format("{} is a tray of the rack {}: it can fail (--fail '{}'), not be removed. Remove the whole rack, or "
                    "change the number of servers.",
                    path, rack->id, path));
}

Status mustExist(const DesignPointer& design, const std::string& path) {
    if (path.empty()) return Error::usage("The path is empty. Name an element, for example su[1]/leaf[2].");
    const FabricPointer fabric = elaborate(design);
    const PathFinder finder(*fabric);
    if (finder.device(path) || finder.scope(path) || design->overrides.contains(path)) return Done{};
    return Error::usage(noElement(*elaborate(design), path));
}

Result<Edit> setOfDesign(const Design& design, const std::string& key, const std::string& value) {
    if (key == "name") {
        Design next = design;
        next.name = value;
        return Edit{std::make_shared<const Design>(std::move(next)), fmt::format("Rename design to {}", value)};
    }
    // The size is said in servers or in GPUs, not in both.
    const std::string other = key == "servers" ? "gpus" : key == "gpus" ? "servers" : "";
    if (!other.empty() && design.recipe && design.recipe->parameters.contains(other))
        return setParameters(design, {{key, value}, {other, ""}});
    return setParameters(design, {{key, value}});
}

Result<Edit> setOfElement(const DesignPointer& design, const std::string& path, const std::string& key, const std::string& value) {
    const auto wrong = [&](std::string_view right) { return Error::usage(fmt::format("{}.{} = {}: must be {}", path, key, value, right)); };
    if (key == "place") {
        const auto spot = spotFrom(value);
        return spot ? place(design, path, *spot) : Result<Edit>(wrong("a position such as B07 (row B, position 7)"));
    }
    if (key == "feeds") {
        const auto feeds = std::find(rackFeedsNames.begin(), rackFeedsNames.end(), value);
        if (feeds == rackFeedsNames.end() && !value.empty()) return wrong("a, b or a+b, or nothing for those of the floor plan");
        return feedRack(design, path, value.empty() ? std::nullopt : std::optional(static_cast<RackFeeds>(feeds - rackFeedsNames.begin())));
    }
    const auto found = elementsNamed(design, path);
    if (!found) return found.errors();
    const std::vector<std::string>& elements = *found;
    if (key == "part") return usePart(design, elements, value);
    if (key == "label")
        return value.find('{') == std::string::npos && elements.size() == 1 ? labelElements(*design, {{elements.front(), value}})
                                                                            : labelByTemplate(design, elements, value);
    if (key == "rack") return mount(design, elements, value, {});
    if (key == "u") {
        const auto unit = numberFrom(value);
        if (!unit || *unit < 0 || *unit > 100 || *unit != static_cast<int>(*unit))
            return wrong("a rack unit from 1 to 100, or 0 for any unit");
        return mount(design, elements, {}, static_cast<int>(*unit));
    }
    if (key == "at") {
        const std::size_t comma = value.find(',');
        const auto x = numberFrom(std::string_view(value).substr(0, comma));
        const auto y = comma == std::string::npos ? std::nullopt : numberFrom(std::string_view(value).substr(comma + 1));
        if (!x || !y) return wrong("a position on the drawing, such as 120,40");
        std::map<std::string, Point> places;
        for (const std::string& element : elements) places[element] = {*x, *y};
        return moveElements(*design, places);
    }
    return Error::usage(fmt::format(
        "{}.{}: unknown property \"{}\"; an element has part, label, at, rack and u, a rack has place and feeds", path, key, key));
}

// Where the property of "tier=leaf.label=DC1-{su}" begins: at the last ".label=", or other property, with a path or a selector before it.
std::optional<std::pair<std::size_t, std::string_view>> propertyIn(std::string_view text) {
    static constexpr std::array<std::string_view, 7> properties{"label", "part", "rack", "u", "at", "place", "feeds"};
    for (std::size_t dot = text.rfind('.'); dot != std::string_view::npos && dot > 0; dot = text.rfind('.', dot - 1)) {
        const std::string_view rest = text.substr(dot + 1);
        for (const std::string_view property : properties)
            if (rest.starts_with(property) && rest.substr(property.size()).starts_with('=') && parseSelector(text.substr(0, dot)))
                return std::pair(dot, property);
    }
    return {};
}

Result<Edit> set(const DesignPointer& design, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return Error::usage(fmt::format("set {}: expected PATH.key=value", text));
    const std::string left(text.substr(0, equals)), value(text.substr(equals + 1));
    if (const OptionSection* section = optionSectionNamed(left.substr(0, left.find('.')))) // before ocs.part looks like a property
        return setOption(*design, *section, left == section->key ? std::string() : left.substr(section->key.size() + 1), value);
    if (const auto property = propertyIn(text)) {
        const auto& [dot, key] = *property;
        return setOfElement(design, std::string(text.substr(0, dot)), std::string(key), std::string(text.substr(dot + key.size() + 2)));
    }
    const std::size_t dot = left.rfind('.');
    if (dot == std::string::npos) return setOfDesign(*design, left, value);
    if (left.substr(0, dot) == "recipe") return setOfDesign(*design, left.substr(dot + 1), value);
    return setOfElement(design, left.substr(0, dot), left.substr(dot + 1), value);
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        if (space > 0) words.emplace_back(text.substr(0, space));
        text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
    }
    return words;
}

// Several settings of the recipe in one step: "leaf_down=32 leaf_up=16 su_servers="; an empty value is the default.
Result<Edit> changeRecipe(const Design& design, const std::string& text) {
    std::map<std::string, std::string> changes;
    for (const std::string& word : wordsOf(text)) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error::usage(
                fmt::format("recipe {}: \"{}\" is not KEY=VALUE; expected for example recipe leaf_down=32 leaf_up=16", text, word));
        changes[word.substr(0, equals)] = word.substr(equals + 1);
    }
    if (changes.empty()) return Error::usage("recipe: no parameters; expected for example recipe leaf_down=32 leaf_up=16");
    return setParameters(design, changes);
}

Result<Edit> changeBlock(const Design& design, const std::string& text) {
    const std::vector<std::string> words = wordsOf(text);
    const auto count = words.size() == 3 ? numberFrom(words[2]) : std::nullopt;
    if (!count || *count < 0 || *count > 1e6 || *count != static_cast<int>(*count))
        return Error::usage(fmt::format("block {}: expected PATH ROW COUNT, for example block su[3] srv 20", text));
    return changeBlocks(design, {canonicalPath(words[0])}, {words[1], static_cast<int>(*count)});
}

// "cost.network_usd at_most 4000000", "cost.network_usd none"
Result<Edit> changeTarget(const Design& design, const std::string& text) {
    std::vector<std::string> words = wordsOf(text);
    if (!words.empty()) words[0] = stableKey(words[0]);
    const FigureInfo* figure = words.empty() ? nullptr : figureNamed(words[0]);
    if (!words.empty() && !(figure && figure->mayHaveTarget)) {
        std::string all;
        for (const FigureInfo& each : figureTable())
            if (each.mayHaveTarget) all += fmt::format("{}{}", all.empty() ? "" : ", ", each.key);
        return Error::usage(fmt::format("target {}: this metric cannot have a target; choose one of {}", words[0], all));
    }
    const auto value = words.size() == 3 ? numberFrom(words[2]) : std::nullopt;
    if (words.size() == 2 && words[1] == "none") return setTarget(design, words[0], true, {});
    if (!value || (words[1] != "at_most" && words[1] != "at_least"))
        return Error::usage(fmt::format("target {}: expected METRIC at_most NUMBER, METRIC at_least NUMBER, or METRIC none", text));
    return setTarget(design, words[0], words[1] == "at_most", value);
}

} // namespace

Result<Edit> applyEdit(const DesignPointer& design, std::string_view command) {
    const std::size_t space = command.find(' ');
    const std::string_view verb = command.substr(0, space);
    const std::string rest = afterSpaces(command, space);
    if (verb == "set") return set(design, rest);
    if (verb == "remove") {
        if (Status there = mustExist(design, rest); !there) return there.errors();
        if (Status alone = mustNotBeTray(design, rest); !alone) return alone.errors();
        return removeElements(*design, {rest});
    }
    if (verb == "reset") return backToRecipe(*design, {rest});
    if (verb == "group") return groupElements(*design, wordsOf(rest));
    if (verb == "dissolve") return dissolve(*elaborate(design), rest, {});
    if (verb == "unique") return makeUnique(*design, {canonicalPath(rest)});
    if (verb == "target") return changeTarget(*design, rest);
    if (verb == "block") return changeBlock(*design, rest);
    if (verb == "recipe") return changeRecipe(*design, rest);
    const std::size_t gap = rest.find(' ');
    const std::string first = rest.substr(0, gap), second = afterSpaces(rest, gap);
    if (verb == "connect" || verb == "disconnect") {
        if (verb == "disconnect") {
            if (first.empty()) return Error::usage("disconnect: expected disconnect PORT or disconnect A B");
            return second.empty() ? disconnect(design, first) : disconnect(design, first, second);
        }
        if (second.empty()) return Error::usage(fmt::format("{} {}: a cable needs two ends; expected {} A B", verb, rest, verb));
        return connect(*elaborate(design), first, second);
    }
    if (verb == "approve") {
        const std::size_t end = second.find(' ');
        if (end == std::string::npos) return Error::usage(fmt::format("approve {}: expected CODE SUBJECT REASON; SUBJECT may be *", rest));
        const std::string subject = second.substr(0, end);
        return approve(*design, {first, subject == "*" ? "" : subject, afterSpaces(second, end)});
    }
    return Error::usage(
        fmt::format("\"{}\" is not an edit; available edits are set PATH.key=value, set training.OPTION=value, set bill.OPTION=value, set "
                    "ocs.OPTION=value, recipe KEY=VALUE "
                    "KEY=VALUE..., remove PATH, reset "
                    "PATH, connect A B, disconnect PORT, disconnect A B, "
                    "group A B..., dissolve PATH, unique PATH, block PATH ROW COUNT, target METRIC at_most|at_least NUMBER, approve CODE "
                    "SUBJECT REASON",
                    verb));
}

} // namespace railyard
