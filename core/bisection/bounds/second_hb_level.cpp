#include "core/bisection/bounds/second_hb_level.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace railyard {
namespace {

constexpr double irregular = std::numeric_limits<double>::infinity();

struct Lower {
    std::set<DeviceId> gpus;
    std::map<DeviceId, Bandwidth> up; // by upper switch: the sum of its links
};

// Lower switches have GPUs, upper ones have none. Empty if a link joins two of the same kind.
std::optional<std::map<DeviceId, Lower>> lowerSwitches(const Fabric& fabric) {
    const auto isSwitch = [&](DeviceId device) { return fabric.devices.isHbSwitch(device); };
    std::map<DeviceId, Lower> lower;
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] != LinkTier::Hb) continue;
        const DeviceId a = fabric.links.a[l], b = fabric.links.b[l];
        if (isSwitch(a) != isSwitch(b)) lower[isSwitch(a) ? a : b].gpus.insert(isSwitch(a) ? b : a);
    }
    for (const LinkId l : fabric.links.ids()) {
        const DeviceId a = fabric.links.a[l], b = fabric.links.b[l];
        if (fabric.links.tier[l] != LinkTier::Hb || !isSwitch(a) || !isSwitch(b)) continue;
        const auto ofA = lower.find(a), ofB = lower.find(b);
        if ((ofA == lower.end()) == (ofB == lower.end())) return {};
        (ofA != lower.end() ? ofA->second.up[b] : ofB->second.up[a]) += fabric.speedOf(l);
    }
    return lower;
}

bool hasSecondLevel(const Fabric& fabric) {
    for (const LinkId l : fabric.links.ids())
        if (fabric.links.tier[l] == LinkTier::Hb && fabric.devices.isHbSwitch(fabric.links.a[l]) &&
            fabric.devices.isHbSwitch(fabric.links.b[l]))
            return true;
    return false;
}

} // namespace

double secondHbLevelCongestion(const Fabric& fabric, const Endpoints& ends) {
    if (!hasSecondLevel(fabric)) return 0;
    const auto lower = lowerSwitches(fabric);
    if (!lower) return irregular;
    struct Group { // the lower switches that the same GPUs share
        std::vector<const Lower*> switches;
    };
    std::map<DomainId, std::map<std::set<DeviceId>, Group>> groups; // by HB domain
    for (const auto& [device, own] : *lower) groups[fabric.devices.hbDomain[device]][own.gpus].switches.push_back(&own);
    std::map<DeviceId, std::size_t> endpointOf;
    std::map<DomainId, double> sizes;
    std::map<DomainId, Bandwidth> speedOf;
    for (std::size_t e = 0; e < ends.size(); ++e) {
        endpointOf[ends.gpu[e]] = e;
        ++sizes[ends.hbDomain[e]];
        speedOf[ends.hbDomain[e]] += ends.speed[e];
    }
    double worst = 0;
    for (const auto& [domain, ofGpus] : groups) {
        if (ofGpus.size() == 1 && ofGpus.begin()->second.switches.front()->up.empty()) continue; // one level
        const auto& uppers = ofGpus.begin()->second.switches.front()->up;
        double grouped = 0; // GPUs
        for (const auto& [gpus, group] : ofGpus) {
            Bandwidth slowest(irregular), speed;
            double links = 0, k = 0;
            for (const Lower* each : group.switches) {
                const bool isEqual = std::equal(each->up.begin(), each->up.end(), uppers.begin(), uppers.end(),
                                                [](const auto& x, const auto& y) { return x.first == y.first; });
                if (!isEqual || each->up.empty()) return irregular; // every lower switch leads to every upper one
                for (const auto& [upper, bandwidth] : each->up) slowest = std::min(slowest, bandwidth), ++links;
            }
            for (const DeviceId gpu : gpus)
                if (const auto found = endpointOf.find(gpu); found != endpointOf.end()) speed += ends.speed[found->second], ++k;
            grouped += k;
            const double x = sizes[domain];
            // Sent by its GPUs and forwarded to NICs elsewhere, and received for GPUs elsewhere by its NICs.
            if (x > 0) worst = std::max(worst, (speed * ((x - k) / x) + (speedOf[domain] - speed) * (k / x)) / (slowest * links));
        }
        if (grouped != sizes[domain]) return irregular; // a GPU behind two groups, or behind none
    }
    return worst;
}

} // namespace railyard
