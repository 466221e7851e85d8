// A design as canonical text: fixed key order, only what differs from the usual.
#include "core/io/document/design_text.h"

#include "core/analysis/option_sections.h"
#include "core/fabric/optical_switches.h"
#include "core/io/document/design_json.h"
#include "core/io/document/document_rows.h"
#include "core/json/json_text.h"

#include <set>

namespace railyard {
namespace {

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
    if (design.ocs) ids.insert(opticalSwitchingOf(design).part);
    for (const AuxiliaryNetwork& side : design.networks)
        for (const auto& [key, value] : side.call.parameters)
            if (key == "switch" || key == "spine_switch" || key == "nic") ids.insert(value);
    return ids;
}

template <class Item>
void putList(Json& json, std::string_view key, const std::vector<Item>& items) {
    for (const Item& item : items) json[key].push_back(rowJson(item));
}

} // namespace

Json designJson(const Design& design) {
    Json json{{"format", documentFormat}, {"name", design.name}};
    if (design.recipe) json["recipe"] = rowJson(*design.recipe);
    trunkField().write(json, design);
    if (design.floor) json["floor"] = rowJson(*design.floor);
    putList(json, "networks", design.networks);
    json["blocks"] = Json::object();
    for (const auto& [name, block] : design.blocks) addMember(json["blocks"], name, rowJson(*block));
    json["free"] = rowJson(*design.free);
    json["overrides"] = Json::object();
    for (const auto& [path, change] : design.overrides) addMember(json["overrides"], path, rowJson(change));
    putList(json, "approvals", design.approvals);
    putList(json, "views", design.views);
    putList(json, "targets", design.targets);
    putList(json, "callouts", design.callouts);
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

std::string designText(const Design& design) { return canonicalText(designJson(design)); }
std::string fingerprintText(const Design& design) { return designText(design); }

} // namespace railyard
