// The probability that a job on all GPUs is interrupted, with constant failure rates and a year of 8,760 h.
// P = 1 - exp(-t * sum of rates) over all components whose failure interrupts the job.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

struct FailureComponent {
    std::string kind, source; // gpu, nic, host-link, leaf, server
    std::int64_t count = 0;
    double ratePerYear = 0;
};

struct Interrupts {
    std::vector<FailureComponent> components;
    double horizonHours = 720;
    std::optional<double> probability, meanTimeHours; // empty for a job without components
};

Interrupts interruptsOf(const Fabric& fabric, double horizonHours = 720);

} // namespace railyard
