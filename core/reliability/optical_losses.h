// What each optical circuit switch takes from a job when it fails.
#pragma once

#include "core/fabric/optical_switches.h"
#include "core/reliability/joint_loss.h"

namespace railyard {

class OpticalLosses {
public:
    OpticalLosses(const Fabric& fabric, const JobParts& parts, FailurePolicy policy); // which must outlive this

    const OpticalSwitches& switches() const { return m_switches; }
    bool isUsed(std::size_t number) const; // by the job
    // Exact, and quick where each leaf keeps most of its uplinks.
    JointLoss of(std::size_t number) const;

private:
    const Fabric& m_fabric;
    const JobParts& m_parts;
    const FailurePolicy m_policy;
    const OpticalSwitches m_switches;
    By<DeviceId, std::uint32_t> m_uplinks; // of switches: links in the tier
};

} // namespace railyard
