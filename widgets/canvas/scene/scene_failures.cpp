#include "widgets/canvas/scene/scene_failures.h"

#include "widgets/canvas/scene/bundle_keys.h"

#include <map>

namespace railyard {

namespace {

// The counters of the bundles: a number for every key, found by tier and by the end, SU or rail that the key names.
class Counters {
public:
    Counters(const Scene& scene, const Fabric& fabric) {
        for (const SceneBundle& bundle : scene.bundles) {
            if (!bundle.tier) continue;
            const BundleKey key = keyOf(bundle);
            const auto number = m_numbers.try_emplace(key, static_cast<std::uint32_t>(m_numbers.size()));
            if (number.second) file(key, number.first->second, fabric);
        }
    }
    std::size_t size() const { return m_numbers.size(); }
    std::uint32_t of(const SceneBundle& bundle) const { return m_numbers.at(keyOf(bundle)); }

    template <class Use>
    void each(const Fabric& fabric, LinkId link, const Use& use) const {
        const OfTier& own = m_tiers.at(static_cast<std::size_t>(fabric.links.tier[link]));
        if (!own.isUsed) return;
        const DeviceId low = fabric.links.a[link], high = fabric.links.b[link];
        const auto take = [&](const auto& list, auto at) {
            if (const std::size_t index = at; index < list.size() && list[index] != none) use(std::uint32_t{list[index]});
        };
        take(own.lower, low);
        take(own.upper, high);
        take(own.unit, fabric.devices.scope[fabric.links.tier[link] == LinkTier::HostLeaf ? high : low]);
        const std::uint32_t railLow = fabric.devices.rail[low], rail = railLow > 0 ? railLow : fabric.devices.rail[high];
        if (rail > 0) take(own.rail, rail);
        take(own.rail, std::uint32_t{0});
        if (!own.pairs.empty() && !own.pairOfLower.empty() && own.pairOfLower[low])
            if (const auto pair = own.pairs.find({low, high}); pair != own.pairs.end()) use(pair->second);
    }

private:
    struct OfTier {
        bool isUsed = false;
        std::vector<std::uint32_t> lower, upper, unit, rail; // by device, scope or rail (0: all); none. Empty if no bundle names one
        std::vector<bool> pairOfLower;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pairs;
    };
    static void put(std::vector<std::uint32_t>& list, std::size_t size, std::size_t at, std::uint32_t number) {
        if (list.size() < size) list.resize(size, NoIndex::number);
        list[at] = number;
    }
    void file(const BundleKey& key, std::uint32_t number, const Fabric& fabric) {
        const auto& [tier, lower, upper, unit, rail] = key;
        OfTier& own = m_tiers.at(static_cast<std::size_t>(tier));
        const std::size_t devices = fabric.devices.size();
        own.isUsed = true;
        if (lower != none && upper != none) {
            own.pairOfLower.resize(devices);
            own.pairOfLower[lower] = true;
            own.pairs.emplace(std::pair(lower, upper), number);
        } else if (lower != none) {
            if (unit == none) put(own.lower, devices, lower, number);
        } else if (upper != none) {
            put(own.upper, devices, upper, number);
        } else if (unit != none) {
            put(own.unit, fabric.scopes.size(), unit, number);
        } else {
            const auto at = static_cast<std::size_t>(rail);
            put(own.rail, std::max(own.rail.size(), at + 1), at, number);
        }
    }

    std::map<BundleKey, std::uint32_t> m_numbers;
    std::array<OfTier, static_cast<std::size_t>(LinkTier::Hb)> m_tiers; // of the network links
};

} // namespace

std::vector<FailedShare> failedOfBundles(const Scene& scene, const Fabric& fabric, const Removal& removal) {
    const Counters counters(scene, fabric);
    std::vector<FailedShare> ofCounter(counters.size());
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const int failed = removal.hasFailed(fabric, l) ? 1 : 0;
        counters.each(fabric, l, [&](std::uint32_t counter) {
            ofCounter[counter].failed += failed;
            ++ofCounter[counter].all;
        });
    }
    std::vector<FailedShare> result;
    for (const SceneBundle& bundle : scene.bundles) result.push_back(bundle.tier ? ofCounter[counters.of(bundle)] : FailedShare());
    return result;
}

} // namespace railyard
