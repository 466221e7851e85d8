// What a training run costs on a design, and the energy it takes: the share of its GPUs in the whole design, for as long as it runs.
#pragma once

#include "core/bill/bill.h"
#include "core/training/training_plan.h"

#include <optional>

namespace railyard {

struct RunCost {
    std::optional<double> energyKwh;           // of the facility; empty if the power of a part is not known
    std::optional<double> energyUsd, spaceUsd; // as in the bill
    double hardwareUsd = 0;                    // of all lines with a price
    int unpricedLines = 0;                     // above 0: it costs at least as much
    std::optional<double> totalUsd() const;
};

// The share of the job's GPUs in all of the design pays, whether the others work or not.
RunCost runCostOf(const Bill& bill, std::int64_t gpusOfDesign, const TrainingEstimate& estimate);

} // namespace railyard
