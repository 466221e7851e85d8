// What each optical circuit switch takes from a job when it fails.
#pragma once

#include "core/fabric/optical_switches.h"
#include "core/reliability/joint_loss.h"

namespace railyard {

class OpticalLosses {
public:
    OpticalLosses(const Fabric& fabric, const JobParts& parts, FailurePolicy policy);

    const OpticalSwitches& switches() const { return m_switches; }
    bool isUsed(std::size_t number) const { return m_isUsed[number]; } // by the job
    const JointLoss& of(std::size_t number) const { return m_losses[number]; }

private:
    const OpticalSwitches m_switches;
    std::vector<bool> m_isUsed;
    std::vector<JointLoss> m_losses; // nothing where the job does not use the switch
};

} // namespace railyard
