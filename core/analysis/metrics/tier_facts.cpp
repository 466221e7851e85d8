#include "core/analysis/metrics/tier_facts.h"

#include "core/base/unit_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace railyard {

std::vector<TierFacts> tierFactsOf(const Fabric& fabric) {
    By<DeviceId, int> used(fabric.devices.size());
    std::array<std::set<Bandwidth>, 5> speeds;
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        for (const DeviceId end : {fabric.links.a[l], fabric.links.b[l]}) {
            ++used[end];
            if (fabric.devices.routes(end))
                speeds[static_cast<std::size_t>(fabric.devices.tier[end])].insert(fabric.speeds[fabric.links.speed[l]]);
        }
    }
    std::array<TierFacts, 5> tiers;
    for (const DeviceId d : fabric.devices.ids()) {
        if (!fabric.devices.routes(d)) continue;
        TierFacts& own = tiers[static_cast<std::size_t>(fabric.devices.tier[d])];
        const Part* part = fabric.parts[fabric.devices.part[d]];
        if (std::find(own.parts.begin(), own.parts.end(), part) == own.parts.end()) own.parts.push_back(part);
        own.ports = std::max(own.ports, fabric.portCount(d));
        own.fewestUsed = own.switches == 0 ? used[d] : std::min(own.fewestUsed, used[d]);
        own.mostUsed = std::max(own.mostUsed, used[d]);
        ++own.switches;
    }
    std::vector<TierFacts> found;
    for (std::size_t tier = tiers.size(); tier-- > 0;) {
        if (tiers[tier].switches == 0) continue;
        tiers[tier].tier = static_cast<SwitchTier>(tier);
        tiers[tier].speeds.assign(speeds[tier].begin(), speeds[tier].end());
        found.push_back(std::move(tiers[tier]));
    }
    return found;
}

std::string TierFacts::partText() const {
    if (parts.size() > 1) return fmt::format("{} models", parts.size());
    return parts.empty() || !parts.front() ? std::string("unknown model") : parts.front()->name;
}

std::string TierFacts::portsText() const {
    std::string text;
    if (!speeds.empty())
        text = speeds.size() == 1 ? formatBandwidth(speeds.front())
                                  : fmt::format("{} and {}", formatBandwidth(speeds.front()), formatBandwidth(speeds.back()));
    const std::string inUse = fewestUsed == mostUsed ? fmt::format("{}", mostUsed) : fmt::format("{} to {}", fewestUsed, mostUsed);
    return fmt::format("{}{}{} of {} ports", text, text.empty() ? "" : ", ", inUse, ports);
}

} // namespace railyard
