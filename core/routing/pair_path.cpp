#include "core/routing/pair_path.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace railyard {
namespace {

std::string kindOf(const Fabric& fabric, DeviceId device, bool areSeveral) {
    const DeviceKind kind = fabric.devices.kind[device];
    if (kind == DeviceKind::HbSwitch) return areSeveral ? "HB switches" : "HB switch";
    if (!infoOf(kind).routes) return std::string(toText(kind)) + (areSeveral ? "s" : "");
    const std::string tier(toText(fabric.devices.tier[device]));
    return !areSeveral ? tier : tier + (tier == "leaf" ? " switches" : "s");
}

// What one step of the way leads to: a path, or how many of each kind.
std::string stepText(const Fabric& fabric, const std::set<DeviceId>& devices) {
    if (devices.size() == 1) return fabric.devicePath(*devices.begin());
    using Kind = std::pair<DeviceKind, SwitchTier>;
    std::map<Kind, std::vector<DeviceId>> kinds;
    for (const DeviceId device : devices) {
        const DeviceKind kind = fabric.devices.kind[device];
        kinds[{kind, infoOf(kind).routes ? fabric.devices.tier[device] : SwitchTier::Leaf}].push_back(device);
    }
    std::string words;
    for (const auto& [kind, ofKind] : kinds)
        words += fmt::format("{}{} {}", words.empty() ? "" : " and ", ofKind.size(), kindOf(fabric, ofKind.front(), ofKind.size() > 1));
    return words;
}

// Along the links that carry something, step by step.
std::string wordsOf(const Fabric& fabric, const LinkLoads& loads, DeviceId from, DeviceId to) {
    std::set<DeviceId> at{from}, seen{from};
    std::string words = fabric.devicePath(from);
    while (!at.empty() && !at.count(to)) {
        std::set<DeviceId> next;
        for (const LinkId l : fabric.links.ids()) {
            const auto a = fabric.links.a[l], b = fabric.links.b[l];
            if (loads.aToB[l] > 0 && at.count(a) && !seen.count(b)) next.insert(b);
            if (loads.bToA[l] > 0 && at.count(b) && !seen.count(a)) next.insert(a);
        }
        seen.insert(next.begin(), next.end());
        at = std::move(next);
        if (!at.empty()) words += " → " + stepText(fabric, at.count(to) ? std::set<DeviceId>{to} : at);
    }
    return words;
}

} // namespace

Result<PairPath> pathBetween(const Fabric& fabric, DeviceId from, DeviceId to) {
    PairPath path;
    for (const bool isForwarded : {false, true}) {
        const auto loads = linkLoads(fabric, {false, {{from, to, 1}}}, {.isForwarded = isForwarded});
        if (!loads) return loads.errors();
        if (loads->unreachablePairs > 0) {
            if (isForwarded) return Error::unbuildable(loads->unreachableExample);
            continue;
        }
        path.isForwarded = isForwarded;
        path.ofLinks.resize(fabric.links.size(), -1);
        for (const LinkId l : fabric.links.ids())
            if (const double part = std::max(loads->aToB[l], loads->bToA[l]); part > 0) path.ofLinks[l] = part;
        path.words = wordsOf(fabric, *loads, from, to);
        return path;
    }
    return path;
}

} // namespace railyard
