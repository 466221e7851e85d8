#include "core/analysis/rules/rule_check.h"
#include "core/base/unit_text.h"
#include "core/fabric/optical_switches.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

// One cage holds one module, so all links of a cage must want the same.
void cagesWithTwoModules(RuleCheck& c) {
    std::vector<const Part*> moduleIn(c.cabling.cageNumbers);
    Offenders cages;
    const auto look = [&](DeviceId device, std::uint32_t cage, const Part* module) {
        const Part*& there = moduleIn[cage];
        if (module && there && there != module) cages.note(c.fabric, device);
        if (!there) there = module;
    };
    for (const CabledLinkId l : c.cabling.links.ids()) {
        const OpticChoice& choice = c.cabling.choiceOf(l);
        look(c.fabric.links.a[c.cabling.links[l]], c.cabling.cageA[l], choice.a);
        look(c.fabric.links.b[c.cabling.links[l]], c.cabling.cageB[l], choice.b);
    }
    if (cages.count > 0)
        c.add("RY-O003", Severity::Error,
              counted(cages.count, "{} cage would need two different modules, because its links use different media or rates.",
                      "{} cages would need two different modules, because their links use different media or rates."),
              cages.example, "Move one of the links to another cage.", cages.count);
}

// MPO-12/APC takes MPO-12/APC only; a name without a polish takes any.
bool isSamePlug(std::string_view plug, std::string_view socket) {
    const auto kind = [](std::string_view name) { return name.substr(0, name.find('/')); };
    const bool isOpen = plug.find('/') == std::string_view::npos || socket.find('/') == std::string_view::npos;
    return isOpen ? kind(plug) == kind(socket) : plug == socket;
}

// The plug of a fibre cable at one end: "MPO-12/APC - 2x MPO-12/APC (4 fibres each)", or one name for both ends.
std::string_view plugOf(const CablePart& cable, bool isHub) {
    std::string_view text = cable.connector;
    text = text.substr(0, text.find(" ("));
    const std::size_t dash = text.find(" - ");
    if (dash == std::string_view::npos) return text;
    if (isHub) return text.substr(0, dash);
    text.remove_prefix(dash + 3);
    const std::size_t times = text.find("x ");
    return times != std::string_view::npos && text.find_first_not_of("0123456789") == times ? text.substr(times + 2) : text;
}

// A cable made to order fits; one of the catalogue has the plugs that it has.
void plugsThatDoNotFit(RuleCheck& c) {
    Offenders cables;
    std::string example;
    for (const CabledLinkId l : c.cabling.links.ids()) {
        if (c.cabling.patch[l] != l) continue;
        const OpticChoice& choice = c.cabling.choiceOf(l);
        if (!choice.pluggable() || !choice.cable || choice.cable->as<CablePart>()->connector.empty()) continue;
        for (const bool lower : {true, false}) {
            const Part* module = lower ? choice.a : choice.b;
            const bool isHub = lower == (choice.shape != FibreShape::SplitsAtB);
            const std::string_view plug = plugOf(*choice.cable->as<CablePart>(), isHub);
            if (!module || !module->as<OpticPart>() || isSamePlug(plug, module->as<OpticPart>()->connector)) continue;
            if (cables.count == 0)
                example = fmt::format("{} has the plug {}, {} has the socket {}", choice.cable->name, plug, module->name,
                                      module->as<OpticPart>()->connector);
            cables.note(c.fabric, (lower ? c.fabric.links.a : c.fabric.links.b)[c.cabling.links[l]]);
            break;
        }
    }
    if (cables.count > 0)
        c.add("RY-O007", Severity::Error,
              counted(cables.count, "{} cable has a plug that does not fit the socket of its module",
                      "{} cables have plugs that do not fit the sockets of their modules") +
                  ": " + example + ".",
              cables.example, "Choose a cable with the connectors and the polish (APC or UPC) of both modules.", cables.count);
}

// A socket takes one plug. A splitter serves several links of it only where their other ends have sockets to themselves.
void socketsForSeveralPlugs(RuleCheck& c) {
    Offenders links;
    for (const CabledLinkId l : c.cabling.links.ids())
        if (c.cabling.choiceOf(l).shape == FibreShape::Crossed) links.note(c.fabric, c.fabric.links.a[c.cabling.links[l]]);
    if (links.count > 0)
        c.add("RY-O008", Severity::Warning,
              counted(links.count,
                      "{} link shares the sockets of its modules with links that lead elsewhere; a socket takes only one plug.",
                      "{} links share the sockets of their modules with links that lead elsewhere; a socket takes only one plug."),
              links.example, "Connect all lanes of a port to the lanes of one other port, or plan a fibre shuffle between them.",
              links.count);
}

void cablesToBeMade(RuleCheck& c) {
    for (const BillLine& line : c.bill.lines)
        if (line.category == BillCategory::Cable && !line.part && !line.description.starts_with("cable (medium"))
            c.add("RY-O004", Severity::Note, fmt::format("The catalogue has no fibre cable with these connectors: {}.", line.description),
                  line.description, "Order a custom cable, or add the part.", static_cast<int>(line.quantity));
}

void doubtfulParts(RuleCheck& c) {
    std::set<std::string> named;
    for (const BillLine& line : c.bill.lines)
        if (line.part && line.part->needsCheck && named.insert(line.part->id).second)
            c.add("RY-O006", Severity::Note, fmt::format("Some data of {} could not be verified.", line.part->id), line.part->id,
                  "Check the datasheet before ordering.", static_cast<int>(line.quantity));
}

void priceYears(RuleCheck& c) {
    std::set<std::string> years, ranges;
    for (const BillLine& line : c.bill.lines) {
        if (!line.part || !line.part->price) continue;
        const Price& price = *line.part->price;
        if (line.base && price.date.size() >= 4) years.insert(price.date.substr(0, 4));
        if (!line.base && (price.low || price.high) && ranges.insert(line.part->id).second)
            c.add("RY-C005", Severity::Note, fmt::format("{}: only a price range is known; excluded from totals.", line.part->name),
                  line.part->id, "Request a quote and add it to your price book.");
    }
    if (years.size() > 1)
        c.add("RY-C004", Severity::Note, fmt::format("The bill mixes prices from {} to {}.", *years.begin(), *years.rbegin()), "",
              "Prices from different years are not directly comparable.");
}

// Ports as drawn against what the part offers. A radix set by hand stands for a larger switch.
void portsBeyondThePart(RuleCheck& c) {
    Offenders beyond, lanes;
    for (const auto d : c.graph.device) {
        const Part* part = c.fabric.partOf(d);
        const SwitchPart* details = part ? part->as<SwitchPart>() : nullptr;
        if (!details) continue;
        Bandwidth drawn;
        int most = 1;
        for (const PortGroup& group : c.fabric.portLayouts[c.fabric.devices.ports[d]]) {
            drawn += group.speed * group.count;
            most = std::max(most, group.lanes);
        }
        if (drawn > details->capacity * (1 + 1e-9)) beyond.note(c.fabric, d);
        if (most > 8) lanes.note(c.fabric, d);
    }
    if (beyond.count > 0)
        c.add("RY-P005", Severity::Warning,
              counted(beyond.count, "{} switch has more port bandwidth than its part supports.",
                      "{} switches have more port bandwidth than their part supports."),
              beyond.example, "Price and power are those of the smaller part. Choose a switch with this capacity.", beyond.count);
    if (lanes.count > 0)
        c.add("RY-P006", Severity::Error,
              counted(lanes.count, "{} switch splits a port into more than eight lanes.",
                      "{} switches split a port into more than eight lanes."),
              lanes.example, "A cage has at most eight electrical lanes. Use a smaller breakout.", lanes.count);
}

// Mirrors pass light of one single-mode fibre each way or, with circulators, both ways.
void opticalSwitches(RuleCheck& c) {
    const OpticalSwitching asked = opticalSwitchingOf(*c.fabric.design);
    if (asked.at == OpticalSwitching::At::None) return;
    const OpticalSwitches switches = opticalSwitchesOf(c.fabric);
    if (!switches.part)
        return c.add("RY-O009", Severity::Error,
                     fmt::format("ocs.part is \"{}\", which is no optical circuit switch of the catalogue.", asked.part), "",
                     "Choose one with railyard-cli catalog list --kind ocs.");
    if (!switches.isAny())
        return c.add("RY-O009", Severity::Error, "The optical circuit switches stand in a tier that the design does not have.", "",
                     "Set ocs.tier to a tier with links.");
    int copper = 0, multimode = 0, parallel = 0;
    for (const auto& links : switches.links)
        for (const LinkId l : links) {
            const OpticChoice& choice = c.cabling.choiceOf(l);
            const OpticPart* module = choice.a ? choice.a->as<OpticPart>() : nullptr;
            copper += choice.medium != "smf" && choice.medium != "mmf" ? 1 : 0;
            multimode += choice.medium == "mmf" ? 1 : 0;
            parallel += choice.medium == "smf" && module && module->fibrePairs > 1 ? 1 : 0;
        }
    const auto report = [&](int count, std::string_view what) {
        if (count > 0)
            c.add("RY-O010", Severity::Error,
                  fmt::format("{} {}, which an optical circuit switch cannot pass.", counted(count, "{} link uses", "{} links use"), what),
                  "", "Choose modules for one pair of single-mode fibres, such as FR4.", count);
    };
    report(copper, "copper or no known medium");
    report(multimode, "multimode fibre");
    report(parallel, "several fibre pairs");
}

void labels(RuleCheck& c) {
    constexpr std::size_t longest = 64;
    std::map<std::string, std::vector<std::string>> users;
    for (const auto& [path, change] : c.fabric.design->overrides)
        if (!change.label.empty()) users[change.label].push_back(path);
    for (const auto& [label, paths] : users) {
        if (paths.size() > 1)
            c.add("RY-A001", Severity::Error, fmt::format("{} elements have the same name, \"{}\".", paths.size(), label), paths.front(),
                  "Give each element a unique name.", static_cast<int>(paths.size()));
        if (label.size() > longest)
            c.add("RY-A002", Severity::Warning, fmt::format("The name \"{}…\" is {} characters long.", label.substr(0, 20), label.size()),
                  paths.front(), "Labels and switch configurations allow at most 64 characters.");
    }
}

} // namespace

void checkParts(RuleCheck& check) {
    for (const auto rule : {cagesWithTwoModules, plugsThatDoNotFit, socketsForSeveralPlugs, cablesToBeMade, doubtfulParts, priceYears,
                            portsBeyondThePart, opticalSwitches, labels})
        rule(check);
}

} // namespace railyard
