#include "core/reliability/optical_losses.h"

#include <algorithm>
#include <map>

namespace railyard {

OpticalLosses::OpticalLosses(const Fabric& fabric, const JobParts& parts, FailurePolicy policy)
    : m_fabric(fabric),
      m_parts(parts),
      m_policy(policy),
      m_switches(opticalSwitchesOf(fabric)),
      m_uplinks(fabric.devices.size()) {
    for (const auto& links : m_switches.links)
        for (const LinkId l : links) ++m_uplinks[fabric.links.a[l]];
}

bool OpticalLosses::isUsed(std::size_t number) const {
    const auto& links = m_switches.links[number];
    return std::any_of(links.begin(), links.end(), [&](LinkId l) { return m_parts.links[l] != PartUse::None; });
}

JointLoss OpticalLosses::of(std::size_t number) const {
    const auto& links = m_switches.links[number];
    if (m_switches.tier != LinkTier::HostLeaf) {
        std::map<DeviceId, std::uint32_t> taken;
        for (const LinkId l : links) ++taken[m_fabric.links.a[l]];
        // Any two leaves below the same spines then still share one.
        const bool keepMost =
            std::all_of(taken.begin(), taken.end(), [&](const auto& own) { return 2 * own.second < m_uplinks[own.first]; });
        const bool isIntact = m_parts.failed.devices.empty() && m_parts.failed.links.empty();
        if (m_parts.graph.regular && isIntact && keepMost) return {};
    }
    return lossOf({{}, links}, m_fabric, m_parts, m_policy);
}

} // namespace railyard
