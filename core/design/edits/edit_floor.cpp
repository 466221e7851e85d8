// Edits of the floor: racks on or off, where one stands, what is mounted in it.
#include "core/design/edits/edit_floor.h"

#include "core/design/edits/edit_elements.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr int mostRows = 10'000; // and positions of a row

Error needsRacks() { return Error::unbuildable("No racks are placed. Place racks first."); }

} // namespace

Result<Edit> placeRacks(const Design& design, bool on) {
    if (design.floor.has_value() == on) return Error::unbuildable(on ? "Racks are already placed." : "No racks are placed.");
    if (design.recipe) {
        std::map<std::string, std::string> changes{{"racks", on ? "auto" : ""}};
        if (!on)
            for (const char* key : {"medium", "rack", "servers_per_rack", "row_racks", "leaf_racks", "aisle_m", "tray_height_m", "slack_m",
                                    "slack_fraction", "power_feeds"})
                changes[key] = "";
        auto edit = setParameters(design, changes);
        if (edit) edit->label = on ? "Place racks" : "Remove racks";
        return edit;
    }
    Design next = design;
    next.floor = on ? std::optional<FloorPlan>(FloorPlan()) : std::nullopt;
    return Edit{std::make_shared<const Design>(std::move(next)), on ? "Place racks" : "Remove racks"};
}

Result<Edit> setMedium(const Design& design, CableMedium medium) {
    if (!design.floor) return needsRacks();
    const bool byLength = medium == CableMedium::ByLength;
    const std::string label = byLength ? "Use copper where it is long enough" : "Use fibre only";
    if (design.recipe) {
        auto edit = setParameters(design, {{"racks", "auto"}, {"medium", byLength ? "by-length" : ""}});
        if (edit) edit->label = label;
        return edit;
    }
    Design next = design;
    next.floor->medium = medium;
    return Edit{std::make_shared<const Design>(std::move(next)), label};
}

Result<Edit> setPowerFeeds(const Design& design, PowerFeeds feeds) {
    if (!design.floor) return needsRacks();
    const std::string label = "Change the power feeds";
    if (design.recipe) {
        const bool isUsual = feeds == PowerFeeds::Redundant;
        auto edit = setParameters(
            design, {{"racks", "auto"}, {"power_feeds", isUsual ? "" : std::string(powerFeedsNames[static_cast<std::size_t>(feeds)])}});
        if (edit) edit->label = label;
        return edit;
    }
    Design next = design;
    next.floor->feeds = feeds;
    return Edit{std::make_shared<const Design>(std::move(next)), label};
}

Result<Edit> moveRacks(const Design& design, const std::map<std::string, RackSpot>& spots) {
    if (!design.floor) return needsRacks();
    if (spots.empty()) return Error::unbuildable("No rack is selected.");
    Design next = design;
    for (const auto& [name, spot] : spots) {
        if (spot.row < 1 || spot.position < 1 || spot.row > mostRows || spot.position > mostRows)
            return Error::unbuildable(fmt::format("Row {}, position {}: both must be from 1 to {}.", spot.row, spot.position, mostRows));
        next.floor->moved[name] = spot;
    }
    return Edit{std::make_shared<const Design>(std::move(next)),
                spots.size() == 1 ? fmt::format("Move {}", spots.begin()->first) : fmt::format("Move {} racks", spots.size())};
}

Result<Edit> moveRacksBack(const Design& design) {
    if (!design.floor) return needsRacks();
    if (design.floor->moved.empty()) return Error::unbuildable("No rack has been moved by hand.");
    Design next = design;
    next.floor->moved.clear();
    return Edit{std::make_shared<const Design>(std::move(next)), "Reset rack positions"};
}

Result<Edit> setFeedsOfRacks(const Design& design, const std::vector<std::string>& racks, std::optional<RackFeeds> feeds) {
    if (!design.floor) return needsRacks();
    if (racks.empty()) return Error::unbuildable("No rack is selected.");
    Design next = design;
    for (const std::string& rack : racks) {
        if (feeds)
            next.floor->feedsOf[rack] = *feeds;
        else
            next.floor->feedsOf.erase(rack);
    }
    return Edit{std::make_shared<const Design>(std::move(next)),
                fmt::format("Change the power feeds of {}", racks.size() == 1 ? racks.front() : fmt::format("{} racks", racks.size()))};
}

Result<Edit> mountInRack(const Design& design, const std::vector<std::string>& paths, const std::string& rack, int unit) {
    if (!design.floor) return needsRacks();
    if (paths.empty()) return Error::unbuildable("Nothing is selected.");
    if (unit < 0 || unit > 100) return Error::unbuildable(fmt::format("Rack unit {}: must be from 1 to 100.", unit));
    Design next = design;
    for (const std::string& path : paths) {
        Override& change = next.overrides[path];
        change.rack = rack;
        change.unit = unit;
        if (change.isEmpty()) next.overrides.erase(path);
    }
    return Edit{std::make_shared<const Design>(std::move(next)),
                fmt::format("Mount {} in {}{}", paths.size() == 1 ? paths.front() : fmt::format("{} devices", paths.size()),
                            rack.empty() ? "its own rack" : rack, unit > 0 ? fmt::format(" at U{}", unit) : "")};
}

} // namespace railyard
