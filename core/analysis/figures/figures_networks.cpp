#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"

namespace railyard {
namespace {

std::vector<FigureMember> networks(const FigureSource& s) {
    std::vector<FigureMember> members;
    for (const NetworkFigures& side : s.instant.networks) {
        members.push_back({"switches", static_cast<double>(side.switches), "", side.key()});
        members.push_back({"links", static_cast<double>(side.links), "", side.key()});
        members.push_back({"cables", static_cast<double>(side.cables), "", side.key()});
        members.push_back({"patch_cables", static_cast<double>(side.patchCables), "", side.key()});
        members.push_back({"pluggables", number(side.pluggables), "", side.key()});
    }
    return members;
}

Origin originOf(const FigureQuery& asked) {
    for (const NetworkFigures& side : asked.source.instant.networks) {
        if (!asked.member.starts_with(side.key() + ".")) continue;
        const std::string file = "exported " + side.name + "-links.csv";
        if (asked.member.ends_with(".switches")) return countedFrom(asked, "exported " + side.name + "-devices.csv: rows with kind switch");
        if (asked.member.ends_with(".links")) return countedFrom(asked, file + ": rows, without tiers hb and pcie");
        if (asked.member.ends_with(".patch_cables")) return countedFrom(asked, file + ": distinct values of patch_cable");
        if (asked.member.ends_with(".cables")) return countedFrom(asked, file + ": distinct cable IDs");
    }
    if (!asked.value) return unknownBecause("the catalogue has no module for some of the cages");
    return countedFrom(asked, "cages with at least one cable of this network");
}

constexpr FigureInfo rows[] = {{"networks.", "Other networks", "{}", "", 1, count, "", nullptr, originOf, networks}};

} // namespace

std::span<const FigureInfo> networkFigures() { return rows; }

} // namespace railyard
