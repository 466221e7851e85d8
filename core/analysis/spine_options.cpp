#include "core/analysis/spine_options.h"

#include "core/analysis/metrics/metrics.h"
#include "core/design/edits/edit.h"
#include "core/design/edits/edit_palette.h"
#include "core/fabric/elaborate.h"

#include <algorithm>

namespace railyard {
namespace {

int freePortsOfLeaves(const Fabric& fabric) {
    By<DeviceId, int> used(fabric.devices.size(), 0);
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        ++used[fabric.links.a[l]];
        ++used[fabric.links.b[l]];
    }
    int least = -1;
    for (const DeviceId d : fabric.devices.ids()) {
        if (!fabric.devices.routes(d) || fabric.devices.tier[d] != SwitchTier::Leaf) continue;
        const int free = fabric.portCount(d) - used[d];
        least = least < 0 ? free : std::min(least, free);
    }
    return std::max(0, least);
}

} // namespace

std::optional<Money> SpineOption::costAbove(const SpineOption& other) const {
    return leftOut == other.leftOut ? std::optional(networkCost - other.networkCost) : std::nullopt;
}

std::optional<LoneSpine> loneSpine(const DesignPointer& design) {
    const auto edit = dropOne(*design, PaletteItem::Spine, {});
    if (!edit) return {};
    const Bill before = instantMetrics(*elaborate(design)).bill, after = instantMetrics(*elaborate(edit->design)).bill;
    return LoneSpine{differenceOf(before, after, &Bill::network), after.unpricedLines == before.unpricedLines};
}

std::vector<SpineOption> spineOptions(const DesignPointer& design, std::size_t most) {
    std::vector<SpineRung> counts = spineCounts(*design);
    const std::vector<SpineRung> above = spineLadder(*design);
    if (counts.size() <= above.size()) return {};
    const std::size_t now = counts.size() - above.size() - 1; // the place of the present count
    const std::size_t spare = counts.size() > most ? counts.size() - most : 0;
    const std::size_t first = std::min(spare, now > most / 3 ? now - most / 3 : 0);
    const int present = counts[now].spines;
    std::vector<SpineOption> options;
    for (std::size_t c = first; c < std::min(counts.size(), first + most); ++c) {
        DesignPointer tried = design;
        if (counts[c].spines != present) {
            const auto edit = setParameters(*design, keepingRails(*design, {{"spines", std::to_string(counts[c].spines)}}));
            if (!edit) continue; // the count itself is even, but its upper tiers cannot be built
            tried = edit->design;
        }
        const FabricPointer fabric = elaborate(tried);
        const InstantMetrics metrics = instantMetrics(*fabric);
        options.push_back({counts[c].spines, counts[c].linksPerPair, metrics.oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)],
                           freePortsOfLeaves(*fabric), metrics.bill.network, !isLowerBound(metrics.bill, &Bill::network),
                           counts[c].spines == present, metrics.counts.switches, unpricedKinds(metrics.bill, &Bill::network)});
    }
    return options;
}

} // namespace railyard
