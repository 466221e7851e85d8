#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"
#include "core/analysis/metrics/networks_total.h"
#include "core/base/unit_text.h"

#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

using Asked = const FigureQuery&;
using Source = const FigureSource&;

template <std::int64_t FabricCounts::*Count>
Value counted(Source s) {
    return static_cast<double>(s.instant.counts.*Count);
}

template <class Counts, class NameOf>
std::vector<FigureMember> tiersInUse(const Counts& counts, std::size_t from, std::size_t to, NameOf nameOf) {
    std::vector<FigureMember> members;
    for (std::size_t tier = from; tier < to; ++tier)
        if (counts[tier] > 0) members.push_back({std::string(nameOf(tier)), static_cast<double>(counts[tier])});
    return members;
}

std::vector<FigureMember> switchTiers(Source s) {
    const auto& counts = s.instant.counts.switchesByTier;
    return tiersInUse(counts, 1, counts.size(), [](std::size_t tier) { return toText(static_cast<SwitchTier>(tier)); });
}

std::vector<FigureMember> linkTiers(Source s) {
    return tiersInUse(s.instant.counts.linksByTier, 0, static_cast<std::size_t>(LinkTier::Hb),
                      [](std::size_t tier) { return toText(static_cast<LinkTier>(tier)); });
}

template <std::map<std::string, std::int64_t> CableCounts::*Counts>
std::vector<FigureMember> each(Source s) {
    std::vector<FigureMember> members;
    for (const auto& [name, count] : s.instant.cables.*Counts) members.push_back({name, static_cast<double>(count)});
    return members;
}

// Where a member is counted in the exported tables.
const std::string devices = "exported devices.csv: rows with ", switchRows = devices + "kind switch, tier ",
                  linkRows = "exported links.csv: rows with tier ", cablesOfTier = "exported links.csv: distinct cables with tier ",
                  cablesOfMedium = "exported links.csv: distinct cables with medium ",
                  cagesOfPart = "cages with at least one cable that hold ";

template <const std::string& Rows>
Origin countedMember(Asked asked) {
    return countedFrom(asked, Rows + std::string(asked.member));
}

template <std::vector<FigureMember> (*Members)(Source), const std::string& Rows>
Origin sumOfMembers(Asked asked) {
    std::vector<ExplainedInput> inputs;
    for (const FigureMember& member : Members(asked.source))
        inputs.push_back({member.name, member.value, "", Rows + member.name, "counted"});
    return sumOf(std::move(inputs));
}

Origin originOfTransceivers(Asked asked) {
    if (!asked.value) return unknownBecause("the catalogue has no module for some of the links, so their medium is unknown");
    return {"2 * optical_links",
            {{"optical_links", *asked.value / 2, "", "links that use fibre and modules", "counted"}},
            "Each optical link has a transceiver at both ends."};
}

Origin originOfPluggables(Asked asked) {
    if (!asked.value) return unknownBecause("the catalogue has no module for some of the cages");
    return sumOfMembers<each<&CableCounts::pluggablesByPart>, cagesOfPart>(asked);
}

Origin originOfSwitchPorts(Asked asked) {
    const Fabric& fabric = asked.fabric;
    std::map<std::pair<std::string, int>, double> switches; // by part and number of ports
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.routes(d)) switches[{fabric.partIds[fabric.devices.part[d]], fabric.portCount(d)}] += 1;
    OriginTerms terms;
    for (const auto& [key, count] : switches) {
        const std::string name = fmt::format("{}_{}", key.first.empty() ? "switch" : key.first, key.second);
        terms.push_back({{"count_" + name, count, "", devices + "kind switch, part " + key.first, "counted"},
                         {"ports_" + name, static_cast<double>(key.second), "", "ports of each of these switches", "counted"}});
    }
    return sumOfProducts(terms);
}

using Display = FigureDisplay;

std::string whyNoModules(Source s) {
    return s.instant.cables.pluggables ? std::string() : "The catalogue has no module for some of the cages.";
}

Origin originOfAllSwitches(Asked a) {
    std::vector<ExplainedInput> inputs{
        {"switches", static_cast<double>(a.source.instant.counts.switches), "", "counts.switches", "counted"}};
    for (const NetworkFigures& side : a.source.instant.networks)
        inputs.push_back({side.key(), static_cast<double>(side.switches), "", "networks." + side.key() + ".switches", "counted"});
    return sumOf(std::move(inputs));
}

constexpr FigureInfo rows[] = {
    ofCandidates(shown({"counts.gpus", "Size", "GPUs", "", 1, count, "", counted<&FabricCounts::gpus>,
                        [](Asked a) { return countedFrom(a, devices + "kind gpu"); }},
                       {Display::Text | Display::Headline | Display::Preview | Display::Pointer | Display::Summary | Display::Comparison,
                        10, "GPUs", false}),
                 10, "GPUs", "most GPUs", false),
    shown({"counts.servers", "Size", "Servers", "", 1, count, "", counted<&FabricCounts::servers>,
           [](Asked a) { return countedFrom(a, "exported devices.csv: distinct values of server"); }},
          {Display::Text | Display::Headline | Display::Summary, 11, "Servers", false}),
    {"counts.hb_domains", "Size", "HB domains", "", 1, count, "", counted<&FabricCounts::hbDomains>,
     [](Asked a) { return countedFrom(a, "exported devices.csv: distinct values of hb_domain of GPUs"); }},
    {"counts.rails", "Size", "Rails", "", 1, count, "", counted<&FabricCounts::rails>,
     [](Asked a) { return countedFrom(a, "exported devices.csv: distinct rails of NICs"); }},
    {"counts.planes", "Size", "Planes", "", 1, count, "", counted<&FabricCounts::planes>,
     [](Asked a) { return countedFrom(a, "exported devices.csv: distinct planes of switches"); }},
    ofCandidates(
        shown({"counts.tiers", "Switches", "Switch tiers", "", 1, count, "", [](Source s) { return Value(s.instant.counts.tiers); },
               [](Asked a) { return countedFrom(a, "highest switch tier in use"); }},
              {Display::Text | Display::Summary, 12, "Switch tiers"}),
        12, "Tiers", ""),
    shown(
        {"counts.switches", "Switches", "Switches", "", 1, count, "", counted<&FabricCounts::switches>,
         sumOfMembers<switchTiers, switchRows>},
        {Display::Text | Display::Headline | Display::Preview | Display::Pointer | Display::Summary | Display::Comparison, 13, "Switches"}),
    ofCandidates({"counts.switches_all_networks", "Switches", "Switches of all networks", "", 1, count, "",
                  [](Source s) { return Value(static_cast<double>(networksTotal(s.instant).switches)); }, originOfAllSwitches},
                 13, "Switches", "fewest switches"),
    shown({"counts.switches_by_tier.", "Switches", "Switches, {}", "", 1, count, "", nullptr, countedMember<switchRows>, switchTiers},
          {Display::Text | Display::Preview | Display::Summary | Display::Comparison, 14, "  {} switches"}),
    {"counts.switch_ports", "Switches", "Switch ports", "", 1, count, "", counted<&FabricCounts::switchPorts>, originOfSwitchPorts},
    {"counts.switch_ports_used", "Switches", "Switch ports in use", "", 1, count, "", counted<&FabricCounts::switchPortsUsed>,
     [](Asked a) { return countedFrom(a, "exported links.csv: link ends on switches, without tiers hb and pcie"); }},
    shown({"counts.links", "Cabling", "Links", "", 1, count, "", counted<&FabricCounts::links>, sumOfMembers<linkTiers, linkRows>},
          {Display::Text | Display::Headline | Display::Preview | Display::Pointer | Display::Summary | Display::Comparison, 15, "Links"}),
    {"counts.links_by_tier.", "Cabling", "Links, {}", "", 1, count, "", nullptr, countedMember<linkRows>, linkTiers},
    shown({"counts.cables", "Cabling", "Cables", "", 1, count, "",
           [](Source s) { return Value(static_cast<double>(s.instant.cables.cables)); },
           sumOfMembers<each<&CableCounts::byTier>, cablesOfTier>, nullptr, true},
          {Display::Summary, 16, "Cables"}),
    shown({"counts.patch_cables", "Cabling", "Patch cables (bought, labelled and laid)", "", 1, count, "",
           [](Source s) { return Value(static_cast<double>(s.instant.cables.patchCables)); },
           [](Asked a) { return countedFrom(a, "exported links.csv: distinct values of patch_cable"); }},
          {Display::Summary, 17, "Patch cables (bought, labelled and laid)"}),
    {"counts.cables_by_tier.", "Cabling", "Cables, {}", "", 1, count, "", nullptr, countedMember<cablesOfTier>, each<&CableCounts::byTier>},
    {"counts.cables_by_medium.", "Cabling", "Cables, {}", "", 1, count, "", nullptr, countedMember<cablesOfMedium>,
     each<&CableCounts::byMedium>},
    {"counts.transceivers_logical", "Cabling", "Optical link ends", "", 1, count, "",
     [](Source s) { return number(s.instant.cables.transceiversLogical); }, originOfTransceivers},
    shown({"counts.pluggables", "Cabling", "Pluggable modules", "", 1, count, "",
           [](Source s) { return number(s.instant.cables.pluggables); }, originOfPluggables},
          {Display::Text | Display::Panel | Display::Preview | Display::Summary | Display::Comparison, 33, "Pluggable modules", true,
           nullptr, nullptr, whyNoModules, "counts.cables", "Pluggable modules · cables"}),
    {"counts.pluggables_by_part.", "Cabling", "Modules, {}", "", 1, count, "", nullptr, countedMember<cagesOfPart>,
     each<&CableCounts::pluggablesByPart>},
};

} // namespace

std::span<const FigureInfo> countFigures() { return rows; }

} // namespace railyard
