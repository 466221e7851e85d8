#include "core/analysis/rules/rule_check.h"
#include "core/base/unit_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

// Counts racks that break a rule and keeps the first as the example.
struct BadRacks {
    int count = 0;
    const Rack* example = nullptr;
    void note(const Rack& rack) {
        if (count++ == 0) example = &rack;
    }
    std::string where() const {
        return (count == 1 ? named() : fmt::format("{} racks, for example {}", formatCount(count), named())) + ",";
    }
    std::string named() const { return fmt::format("{} ({})", example->label, example->name); }
};

const RackPart* partOf(const Rack& rack) { return rack.part ? rack.part->as<RackPart>() : nullptr; }

void rackLimits(RuleCheck& c) {
    BadRacks power, weight, unknown;
    for (const Rack& rack : c.cabling.floor.racks) {
        const RackPart* part = partOf(rack);
        if (part && rack.power > part->power * (1 + 1e-9)) power.note(rack);
        if (part && part->loadKg && rack.kg > *part->loadKg) weight.note(rack);
        if (rack.unknownPower || rack.unknownHeight) unknown.note(rack);
    }
    if (power.count > 0)
        c.add("RY-F002", Severity::Error,
              fmt::format(
                  "{}: {} draws {}, the limit is {}.",
                  counted(power.count, "{} rack exceeds its power and cooling limit", "{} racks exceed their power and cooling limit"),
                  power.named(), formatWatts(power.example->power), formatWatts(partOf(*power.example)->power)),
              power.example->name, "Move a device to another rack, or choose a rack with a higher power rating.", power.count);
    if (weight.count > 0)
        c.add("RY-F004", Severity::Error,
              fmt::format("{}: {} holds {:g} kg, the limit is {:g} kg.",
                          counted(weight.count, "{} rack exceeds its load limit", "{} racks exceed their load limit"), weight.named(),
                          weight.example->kg, *partOf(*weight.example)->loadKg),
              weight.example->name, "Move a device to another rack.", weight.count);
    if (unknown.count > 0)
        c.add("RY-F009", Severity::Note,
              fmt::format("In {} the power or height of a device is not published; it is counted as 0 W and 1 U.", unknown.where()),
              unknown.example->name, "Look it up in the datasheet before planning power.", unknown.count);
}

// Two devices in one unit, or one that stands out at the top.
void unitOverlaps(RuleCheck& c) {
    const Floor& floor = c.cabling.floor;
    std::vector<std::vector<std::uint32_t>> members(floor.racks.size());
    for (std::uint32_t i = 0; i < floor.chassis.size(); ++i)
        if (floor.chassis[i].rack != none) members[floor.chassis[i].rack].push_back(i);
    BadRacks overlap, outside;
    for (std::size_t r = 0; r < members.size(); ++r) {
        auto& inside = members[r];
        std::sort(inside.begin(), inside.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return floor.chassis[a].unit < floor.chassis[b].unit; });
        bool twice = false, out = false;
        for (std::size_t i = 0; i < inside.size(); ++i) {
            const Chassis& chassis = floor.chassis[inside[i]];
            out |= chassis.unit + chassis.height - 1 > floor.racks[r].height();
            twice |= i > 0 && floor.chassis[inside[i - 1]].unit + floor.chassis[inside[i - 1]].height > chassis.unit;
        }
        if (twice) overlap.note(floor.racks[r]);
        if (out) outside.note(floor.racks[r]);
    }
    if (overlap.count > 0)
        c.add("RY-F003", Severity::Error, fmt::format("In {} two devices share a rack unit.", overlap.where()), overlap.example->name,
              "Move one of them to another rack unit or another rack.", overlap.count);
    if (outside.count > 0)
        c.add("RY-F010", Severity::Error, fmt::format("In {} a device extends above the rack.", outside.where()), outside.example->name,
              "Move it to a lower rack unit or to another rack.", outside.count);
}

void tooDeep(RuleCheck& c) {
    std::set<std::string> named;
    for (const Chassis& chassis : c.cabling.floor.chassis) {
        if (chassis.rack == none || !chassis.part || !chassis.part->depth) continue;
        const RackPart* rack = partOf(c.cabling.floor.racks[chassis.rack]);
        if (rack && chassis.part->depth->value() > rack->depth && named.insert(chassis.part->id).second)
            c.add("RY-F005", Severity::Error,
                  fmt::format("{} is {:g} mm deep, but its rack is only {:g} mm deep.", chassis.part->id,
                              chassis.part->depth->value() * 1000, rack->depth * 1000),
                  chassisPath(c.fabric, chassis), "Choose a deeper rack.");
    }
}

void spotsTakenTwice(RuleCheck& c) {
    std::map<RackSpot, const Rack*> taken;
    for (const Rack& rack : c.cabling.floor.racks) {
        const auto [it, fresh] = taken.emplace(rack.spot, &rack);
        if (!fresh)
            c.add("RY-F006", Severity::Error,
                  fmt::format("{} and {} are at the same position, {}.", it->second->name, rack.name, rack.label), rack.name,
                  "Move one of them to a free position.");
    }
}

void movedRacksGone(RuleCheck& c) {
    std::set<std::string_view> names;
    for (const Rack& rack : c.cabling.floor.racks) names.insert(rack.name);
    for (const auto& [name, spot] : c.cabling.floor.plan.moved)
        if (!names.contains(name))
            c.add("RY-F011", Severity::Note, fmt::format("{} has a saved position, but that rack no longer exists.", name), name,
                  "Enlarge the design again, or discard the saved position.");
}

double reachOf(const OpticChoice& choice) {
    double reach = std::numeric_limits<double>::infinity();
    for (const Part* module : {choice.a, choice.b})
        if (module && module->as<OpticPart>()->reach) reach = std::min(reach, module->as<OpticPart>()->reach->value());
    const CablePart* cable = choice.cable ? choice.cable->as<CablePart>() : nullptr;
    return cable && cable->reach ? std::min(reach, cable->reach->value()) : reach;
}

using CagePair = std::pair<std::uint32_t, std::uint32_t>;

CagePair cagesOf(const RuleCheck& c, CabledLinkId link) {
    const Cabling::Choice& choice = c.cabling.choiceOf(link);
    return {choice.kindA, choice.kindB};
}

// Cages that nothing joins, however short the cable; other links without a module are too long.
std::set<CagePair> cagesNothingJoins(const RuleCheck& c) {
    OpticChooser chooser(*c.fabric.design->catalog);
    std::set<CagePair> seen, hopeless;
    for (const CabledLinkId l : c.cabling.links.ids()) {
        if (!c.cabling.choiceOf(l).medium.empty()) continue;
        const CagePair ends = cagesOf(c, l);
        if (seen.insert(ends).second &&
            chooser.choose(c.cabling.cageKinds[ends.first], c.cabling.cageKinds[ends.second], Metres(1)).medium.empty())
            hopeless.insert(ends);
    }
    return hopeless;
}

void modulesMissing(RuleCheck& c) {
    std::set<std::string> needs;
    for (const auto& [a, b] : cagesNothingJoins(c)) needs.insert({moduleNeed(c.cabling.cageKinds[a]), moduleNeed(c.cabling.cageKinds[b])});
    for (const BillLine& line : c.bill.lines) {
        const bool side = line.category >= BillCategory::Storage && line.category <= BillCategory::OutOfBand;
        const bool module = (line.category == BillCategory::Pluggable || side) && !line.part && line.description.starts_with("module for ");
        if (module && (side || needs.contains(line.description)))
            c.add("RY-O001", Severity::Warning,
                  fmt::format("The catalogue has no {}{}.", line.description, side ? " (" + line.section + ")" : ""), "",
                  "Choose another switch or server, or add the part.", static_cast<int>(line.quantity));
    }
}

void reach(RuleCheck& c) {
    const std::set<CagePair> hopeless = cagesNothingJoins(c);
    int beyond = 0, close = 0;
    CabledLinkId farthest, closeExample;
    for (const CabledLinkId l : c.cabling.links.ids()) {
        const OpticChoice& choice = c.cabling.choiceOf(l);
        if (choice.medium.empty()) {
            if (hopeless.contains(cagesOf(c, l))) continue;
            if (beyond++ == 0 || c.cabling.route[l] > c.cabling.route[farthest]) farthest = l;
        } else if (c.cabling.routeOf(l).value() > 0.9 * reachOf(choice) && close++ == 0) {
            closeExample = l;
        }
    }
    const auto port = [&](CabledLinkId own) {
        const LinkTable& links = c.fabric.links;
        const LinkId l = c.cabling.links[own];
        return c.fabric.devicePath(links.a[l]) + ":" + c.fabric.portName(links.a[l], links.aPort[l], links.tier[l]);
    };
    if (beyond > 0)
        c.add("RY-F007", Severity::Error,
              fmt::format("{}: up to {:.1f} m.",
                          counted(beyond, "{} link exceeds the reach of every medium that fits its cages",
                                  "{} links exceed the reach of every medium that fits their cages"),
                          c.cabling.routeOf(farthest).value()),
              port(farthest), "Move the racks closer together, or add a module with a longer reach.", beyond);
    if (close > 0)
        c.add("RY-F008", Severity::Warning,
              counted(close, "{} link uses more than 90 % of the reach of its medium.",
                      "{} links use more than 90 % of the reach of their medium."),
              port(closeExample),
              "A small detour would exceed the reach. Move the racks closer together, or choose a medium with a longer reach.", close);
}

} // namespace

void checkFloor(RuleCheck& check) {
    if (check.cabling.auxiliary)
        for (const Diagnostic& problem : check.cabling.auxiliary->problems) check.found.push_back(problem);
    modulesMissing(check);
    if (!check.cabling.floor.isPlaced()) {
        if (check.fabric.links.size() > 0)
            check.add("RY-F001", Severity::Note,
                      fmt::format("No racks are placed; every cable is assumed to be {:g} m long.", Cabling::defaultLengthMetres), "",
                      "Cable reach is checked for this length only.");
        return;
    }
    for (const auto rule : {rackLimits, unitOverlaps, tooDeep, spotsTakenTwice, movedRacksGone, reach}) rule(check);
}

} // namespace railyard
