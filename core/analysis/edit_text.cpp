#include "core/analysis/edit_text.h"

#include "core/fabric/connect.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/path_finder.h"
#include "core/floor/floor.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace railyard {
namespace {

std::optional<double> numberFrom(std::string_view text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
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

// A rack may be called by what stands on its tile: B07 for su[2]/rack[6]. Other names stay as they are.
std::string rackNamed(const DesignPointer& design, const std::string& text) {
    if (!spotFrom(text)) return text;
    const Floor floor = floorOf(*elaborate(design));
    const auto rack = std::find_if(floor.racks.begin(), floor.racks.end(), [&](const Rack& each) { return each.label == text; });
    return rack == floor.racks.end() ? text : rack->name;
}

Status mustExist(const DesignPointer& design, const std::string& path) {
    const FabricPointer fabric = elaborate(design);
    const PathFinder finder(*fabric);
    if (finder.device(path) || finder.scope(path) || design->overrides.contains(path)) return Done{};
    return Error::usage(fmt::format("the design has no \"{}\"; `export --format csv` lists all paths", path));
}

Result<Edit> labelled(const Design& design, const std::string& path, const std::string& label) {
    Design next = design;
    Override& change = next.overrides[path];
    change.label = label;
    if (change.isEmpty()) next.overrides.erase(path);
    return Edit{std::make_shared<const Design>(std::move(next)), fmt::format("Call {} {}", path, label)};
}

Result<Edit> setOfDesign(const Design& design, const std::string& key, const std::string& value) {
    if (key == "name") {
        Design next = design;
        next.name = value;
        return Edit{std::make_shared<const Design>(std::move(next)), fmt::format("Call the design {}", value)};
    }
    // The size is said in servers or in GPUs, not in both.
    const std::string other = key == "servers" ? "gpus" : key == "gpus" ? "servers" : "";
    if (!other.empty() && design.recipe && design.recipe->parameters.contains(other))
        return setParameters(design, {{key, value}, {other, ""}});
    return setParameters(design, {{key, value}});
}

Result<Edit> setOfElement(const DesignPointer& design, const std::string& path, const std::string& key, const std::string& value) {
    const auto wrong = [&](std::string_view right) { return Error::usage(fmt::format("{}.{}={}: is not {}", path, key, value, right)); };
    if (key == "place") {
        const auto spot = spotFrom(value);
        return spot ? moveRacks(*design, {{rackNamed(design, path), *spot}})
                    : Result<Edit>(wrong("a place like B07, row B and position 7"));
    }
    if (Status there = mustExist(design, path); !there) return there.errors();
    if (key == "part") return setPart(*design, {path}, value);
    if (key == "label") return labelled(*design, path, value);
    const auto override = design->overrides.find(path);
    const Override now = override == design->overrides.end() ? Override{} : override->second;
    if (key == "rack") return mountInRack(*design, {path}, rackNamed(design, value), now.unit);
    if (key == "u") {
        const auto unit = numberFrom(value);
        if (!unit || *unit < 0 || *unit > 100 || *unit != static_cast<int>(*unit)) return wrong("a rack unit from 1 to 100, or 0 for any");
        return mountInRack(*design, {path}, now.rack, static_cast<int>(*unit));
    }
    if (key == "at") {
        const std::size_t comma = value.find(',');
        const auto x = numberFrom(std::string_view(value).substr(0, comma));
        const auto y = comma == std::string::npos ? std::nullopt : numberFrom(std::string_view(value).substr(comma + 1));
        return x && y ? moveElements(*design, {{path, {*x, *y}}}) : Result<Edit>(wrong("a place on the drawing like 120,40"));
    }
    return Error::usage(
        fmt::format("{}.{}: an element has no \"{}\"; there are part, label, at, rack, u, and place of a rack", path, key, key));
}

Result<Edit> set(const DesignPointer& design, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return Error::usage(fmt::format("set {}: write it as PATH.key=value", text));
    const std::string left(text.substr(0, equals)), value(text.substr(equals + 1));
    const std::size_t dot = left.rfind('.');
    if (dot == std::string::npos) return setOfDesign(*design, left, value);
    if (left.substr(0, dot) == "recipe") return setOfDesign(*design, left.substr(dot + 1), value);
    return setOfElement(design, left.substr(0, dot), left.substr(dot + 1), value);
}

} // namespace

Result<Edit> applyEdit(const DesignPointer& design, std::string_view command) {
    const std::size_t space = command.find(' ');
    const std::string_view verb = command.substr(0, space);
    const std::string rest(space == std::string_view::npos ? "" : command.substr(command.find_first_not_of(' ', space)));
    if (verb == "set") return set(design, rest);
    if (verb == "remove") {
        if (Status there = mustExist(design, rest); !there) return there.errors();
        return removeElements(*design, {rest});
    }
    if (verb == "reset") return backToRecipe(*design, {rest});
    const std::size_t gap = rest.find(' ');
    const std::string first = rest.substr(0, gap), second = gap == std::string::npos ? "" : rest.substr(rest.find_first_not_of(' ', gap));
    if (verb == "connect" || verb == "disconnect") {
        if (second.empty()) return Error::usage(fmt::format("{} {}: a cable has two ends; write {} A B", verb, rest, verb));
        return verb == "connect" ? connect(*elaborate(design), first, second) : removeLink(*design, first, second);
    }
    if (verb == "approve") {
        const std::size_t end = second.find(' ');
        if (end == std::string::npos)
            return Error::usage(fmt::format("approve {}: write approve CODE SUBJECT REASON; SUBJECT may be *", rest));
        const std::string subject = second.substr(0, end);
        return approve(*design, {first, subject == "*" ? "" : subject, second.substr(second.find_first_not_of(' ', end))});
    }
    return Error::usage(fmt::format("\"{}\" is no edit; there are set PATH.key=value, remove, reset PATH, connect, disconnect A B, "
                                    "approve CODE SUBJECT REASON",
                                    verb));
}

} // namespace railyard
