// A design as canonical text: fixed key order, only what differs from the usual.
#include "core/io/document/design_text.h"

#include "core/analysis/option_sections.h"
#include "core/base/whole_number.h"
#include "core/design/edits/edit.h"
#include "core/io/document/design_json.h"
#include "core/io/document/design_names.h"
#include "core/json/json_text.h"

#include <set>

namespace railyard {
namespace {

Json number(double value) {
    const auto whole = wholeNumber(value);
    return whole ? Json(*whole) : Json(value);
}
Json gbps(Bandwidth speed) { return number(inGbps(speed)); }

// Known keys first: one that this version has learnt to write is not overwritten.
Json withUnknown(Json json, const UnknownKeys& unknown) {
    if (unknown.empty()) return json;
    const Json others = Json::parse(unknown.text());
    std::set<std::string> known;
    for (const auto& [key, value] : json.items()) known.insert(key);
    for (const auto& [key, value] : others.items())
        if (!known.contains(key)) addMember(json, key, value);
    return json;
}

Json toJson(const DeviceRow& row) {
    Json json{{"slug", row.slug}, {"kind", toText(row.kind)}};
    if (row.tier != SwitchTier::None) json["tier"] = toText(row.tier);
    if (!row.part.empty()) json["part"] = row.part;
    if (row.first != 1) json["first"] = row.first;
    json["count"] = row.count;
    for (const PortGroup& group : row.ports) {
        Json port{{"count", group.count}, {"gbps", gbps(group.speed)}};
        if (group.lanes != 1) port["lanes"] = group.lanes;
        json["ports"].push_back(withUnknown(std::move(port), group.unknown));
    }
    if (row.plane != 0) json["plane"] = row.plane;
    if (row.railNumber > 0) json["rail_number"] = row.railNumber;
    if (row.rail != DeviceRow::Rail::None) json["rail"] = railNames[static_cast<std::size_t>(row.rail)];
    if (row.at) json["at"] = {number(row.at->x), number(row.at->y)};
    return withUnknown(std::move(json), row.unknown);
}

Json toJson(const Instance& instance) {
    Json json{{"slug", instance.slug}, {"block", instance.block}};
    if (instance.role != Instance::Role::Plain) json["role"] = roleNames[static_cast<std::size_t>(instance.role)];
    if (!instance.part.empty()) json["part"] = instance.part;
    if (instance.first != 1) json["first"] = instance.first;
    json["count"] = instance.count;
    if (instance.at) json["at"] = {number(instance.at->x), number(instance.at->y)};
    return withUnknown(std::move(json), instance.unknown);
}

Json toJson(const WiringRule& rule) {
    Json json{{"id", rule.id}, {"pattern", toText(rule.pattern)}, {"lower", rule.lower}, {"upper", rule.upper}, {"gbps", gbps(rule.speed)}};
    const auto put = [&](const char* key, int value, int usual) {
        if (value != usual) json[key] = value;
    };
    put("rails", rule.rails, 1);
    if (rule.railsByDomain) json["rails_by_domain"] = true;
    put("planes", rule.planes, 1);
    put("servers_per_leaf", rule.serversPerLeaf, 0);
    if (rule.groupByPlane) json["group_by_plane"] = true;
    if (rule.groupByRail) json["group_by_rail"] = true;
    if (rule.groupByIndex) json["group_by_index"] = true;
    put("run", rule.run, 0);
    put("uppers_per_group", rule.uppersPerGroup, 0);
    put("uplinks", rule.uplinks, 0);
    put("down_ratio", rule.downRatio, 1);
    put("up_ratio", rule.upRatio, 1);
    put("down_ports", rule.downPorts, 0);
    put("manager_ports", rule.ports, 0);
    return withUnknown(std::move(json), rule.unknown);
}

Json toJson(const Block& block) {
    Json json = Json::object();
    for (const DeviceRow& row : block.devices) json["devices"].push_back(toJson(row));
    for (const Instance& instance : block.instances) json["instances"].push_back(toJson(instance));
    for (const WiringRule& rule : block.wiring) json["wiring"].push_back(toJson(rule));
    for (const FreeLink& link : block.links) json["links"].push_back(withUnknown({{"a", link.a}, {"b", link.b}}, link.unknown));
    return withUnknown(std::move(json), block.unknown);
}

Json toJson(const Override& change) {
    Json json = Json::object();
    if (change.remove) json["remove"] = true;
    if (!change.part.empty()) json["part"] = change.part;
    if (!change.label.empty()) json["label"] = change.label;
    if (change.at) json["at"] = {number(change.at->x), number(change.at->y)};
    if (!change.rack.empty()) json["rack"] = change.rack;
    if (change.unit > 0) json["u"] = change.unit;
    if (!change.block.empty()) json["block"] = change.block;
    return withUnknown(std::move(json), change.unknown);
}

// Only what differs from the usual.
Json toJson(const FloorPlan& floor) {
    static const FloorPlan usual;
    Json json = Json::object();
    if (!floor.rack.empty()) json["rack"] = floor.rack;
    if (floor.serversPerRack > 0) json["servers_per_rack"] = floor.serversPerRack;
    if (floor.rowRacks > 0) json["row_racks"] = floor.rowRacks;
    if (floor.aisle != usual.aisle) json["aisle_m"] = number(floor.aisle.value());
    if (floor.trayHeight != usual.trayHeight) json["tray_height_m"] = number(floor.trayHeight.value());
    if (floor.slack != usual.slack) json["slack_m"] = number(floor.slack.value());
    if (floor.slackFraction != usual.slackFraction) json["slack_fraction"] = number(floor.slackFraction);
    if (floor.leafRacks != usual.leafRacks) json["leaf_racks"] = leafRackNames[1];
    if (floor.medium != usual.medium) json["medium"] = mediumNames[1];
    if (!floor.moved.empty()) json["moved"] = Json::object();
    for (const auto& [name, spot] : floor.moved) addMember(json["moved"], name, {{"row", spot.row}, {"position", spot.position}});
    return withUnknown(std::move(json), floor.unknown);
}

Json toJson(const RecipeCall& call) {
    Json json{{"name", call.name}, {"parameters", Json::object()}};
    for (const auto& [key, value] : call.parameters) json["parameters"][key] = value;
    return withUnknown(std::move(json), call.unknown);
}

std::set<std::string> usedParts(const Design& design) {
    std::set<std::string> ids = design.ownParts;
    const auto collect = [&](const Block& block) {
        for (const DeviceRow& row : block.devices) ids.insert(row.part);
        for (const Instance& instance : block.instances) ids.insert(instance.part);
    };
    for (const auto& [name, block] : design.blocks) collect(*block);
    collect(*design.free);
    for (const auto& [path, change] : design.overrides) ids.insert(change.part);
    if (design.floor) ids.insert(design.floor->rack);
    for (const AuxiliaryNetwork& side : design.networks)
        for (const auto& [key, value] : side.call.parameters)
            if (key == "switch" || key == "spine_switch" || key == "nic") ids.insert(value);
    return ids;
}

Json toJson(const Design& design) {
    Json json{{"format", documentFormat}, {"name", design.name}};
    if (design.recipe) {
        json["recipe"] = toJson(*design.recipe);
    }
    if (design.trunk == Trunk::PerCage) json["trunk"] = trunkNames[1];
    if (design.floor) json["floor"] = toJson(*design.floor);
    for (const AuxiliaryNetwork& side : design.networks) {
        Json entry{{"name", side.name}, {"recipe", toJson(side.call)}};
        if (side.others > 0) entry["others"] = side.others;
        json["networks"].push_back(withUnknown(std::move(entry), side.unknown));
    }
    json["blocks"] = Json::object();
    for (const auto& [name, block] : design.blocks) addMember(json["blocks"], name, toJson(*block));
    json["free"] = toJson(*design.free);
    json["overrides"] = Json::object();
    for (const auto& [path, change] : design.overrides) addMember(json["overrides"], path, toJson(change));
    for (const Approval& approval : design.approvals) {
        Json entry{{"code", approval.code}};
        if (!approval.subject.empty()) entry["subject"] = approval.subject;
        entry["reason"] = approval.reason;
        json["approvals"].push_back(withUnknown(std::move(entry), approval.unknown));
    }
    for (const SavedView& view : design.views) {
        Json entry{{"name", view.name}, {"x", view.x}, {"y", view.y}, {"width", view.width}, {"height", view.height}};
        if (view.unfolded) entry["unfolded"] = true;
        if (view.elided) entry["elided"] = true;
        json["views"].push_back(withUnknown(std::move(entry), view.unknown));
    }
    for (const Target& target : design.targets)
        json["targets"].push_back(
            withUnknown({{"figure", target.figure}, {target.atMost ? "at_most" : "at_least", number(target.value)}}, target.unknown));
    for (const Callout& callout : design.callouts) {
        Json entry{{"kind", toText(callout.kind)}};
        if (!callout.text.empty()) entry["text"] = callout.text;
        for (const std::string& path : callout.of) entry["of"].push_back(path);
        entry["x"] = number(callout.at.x);
        entry["y"] = number(callout.at.y);
        if (callout.width > 0) entry["width"] = number(callout.width);
        if (!callout.picture.empty()) entry["picture"] = callout.picture.text();
        json["callouts"].push_back(withUnknown(std::move(entry), callout.unknown));
    }
    for (const OptionSection& section : optionSections()) {
        const auto& own = design.*section.options;
        if (!own) continue;
        Json options = Json::object();
        for (const auto& [key, value] : own->options)
            options[key] = value.starts_with('{') ? Json::parse(value) : Json(value); // a model that is not known by name
        json[section.key] = withUnknown({{"options", std::move(options)}}, own->unknown);
    }
    json["parts"] = Json::object();
    for (const std::string& id : usedParts(design))
        if (const Part* part = design.catalog->find(id)) addMember(json["parts"], id, Json::parse(part->original));
    return withUnknown(std::move(json), design.unknown);
}

} // namespace

std::string designText(const Design& design) { return canonicalText(toJson(design)); }
std::string fingerprintText(const Design& design) { return designText(design); }

} // namespace railyard
