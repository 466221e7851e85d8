#include "core/analysis/rules/fixes.h"

#include "core/design/edits/edit.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

const FreeLink* freeLinkAt(const Design& design, const std::string& port) {
    const auto& links = design.free->links;
    const auto found = std::find_if(links.rbegin(), links.rend(), [&](const FreeLink& link) { return link.a == port || link.b == port; });
    return found == links.rend() ? nullptr : &*found;
}

std::string disconnecting(const Design& design, const std::string& port) {
    const FreeLink* link = freeLinkAt(design, port);
    return link ? fmt::format("disconnect {} {}", link->a, link->b) : std::string();
}

// Taking back what was put into the rack by hand: its unit, or its place there.
std::string freeingRack(const RuleCheck& c, const std::string& rack, bool unit) {
    for (const auto& [path, change] : c.fabric.design->overrides) {
        if (unit ? change.unit == 0 : change.rack.empty()) continue;
        for (const Chassis& chassis : c.cabling.floor.chassis)
            if (chassis.rack != none && c.cabling.floor.racks[chassis.rack].name == rack && chassisPath(c.fabric, chassis) == path)
                return fmt::format("set {}.{}", path, unit ? "u=0" : "rack=");
    }
    return {};
}

std::string movingBack(const RuleCheck& c, const std::string& rack) {
    const auto& racks = c.cabling.floor.racks;
    const auto own = std::find_if(racks.begin(), racks.end(), [&](const Rack& each) { return each.name == rack; });
    for (const Rack& each : racks)
        if (own != racks.end() && each.spot == own->spot && each.moved) return "reset " + each.name;
    return {};
}

// What was taken out of a server by hand comes back.
std::string puttingBack(const Design& design, const std::string& server) {
    for (const auto& [path, change] : design.overrides)
        if (change.remove && path.starts_with(server + "/")) return "reset " + path;
    return {};
}

std::string evenSpines(const Design& design) {
    if (!design.recipe) return {};
    for (const char* key : {"spines", "spine_rule"})
        if (design.recipe->parameters.contains(key)) return fmt::format("set recipe.{}=", key);
    return {};
}

std::string fixOf(const RuleCheck& c, const Diagnostic& d) {
    const Design& design = *c.fabric.design;
    if (d.code == "RY-D014" || d.code == "RY-F011") return "reset " + d.subject;
    if (d.code == "RY-D015" || d.code == "RY-L001" || d.code == "RY-P001") return disconnecting(design, d.subject);
    if (d.code == "RY-A001" || d.code == "RY-A002") return fmt::format("set {}.label=", d.subject);
    if (d.code == "RY-P004") return isHandDrawn(design, d.subject) ? "remove " + d.subject : "";
    if (d.code == "RY-F003" || d.code == "RY-F010") return freeingRack(c, d.subject, true);
    if (d.code == "RY-F002" || d.code == "RY-F004") return freeingRack(c, d.subject, false);
    if (d.code == "RY-F006") return movingBack(c, d.subject);
    if (d.code == "RY-G001" || d.code == "RY-G002") return puttingBack(design, d.subject);
    return d.code == "RY-E001" ? evenSpines(design) : "";
}

} // namespace

void addFixes(RuleCheck& check) {
    for (Diagnostic& d : check.found)
        if (d.fix.empty()) d.fix = fixOf(check, d);
}

} // namespace railyard
