#include "core/reliability/optical_losses.h"

#include <algorithm>

namespace railyard {

OpticalLosses::OpticalLosses(const Fabric& fabric, const JobParts& parts, FailurePolicy policy) : m_switches(opticalSwitchesOf(fabric)) {
    for (const auto& links : m_switches.links)
        m_isUsed.push_back(std::any_of(links.begin(), links.end(), [&](LinkId l) { return parts.links[l] != PartUse::None; }));
    m_losses.resize(m_switches.links.size());
    if (std::find(m_isUsed.begin(), m_isUsed.end(), true) == m_isUsed.end()) return;
    JointLosses losses(fabric, parts, policy);
    if (m_switches.tier == LinkTier::HostLeaf) {
        for (std::size_t s = 0; s < m_losses.size(); ++s)
            if (m_isUsed[s]) m_losses[s] = losses.of({{}, m_switches.links[s]});
        return;
    }
    const std::vector<bool> divides = losses.dividing(m_switches.links);
    for (std::size_t s = 0; s < m_losses.size(); ++s) m_losses[s].dividesJob = m_isUsed[s] && divides[s];
}

} // namespace railyard
