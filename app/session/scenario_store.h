// Failure scenarios are kept for each file in the settings of the user, not in the design.
#pragma once

#include "widgets/modes/failure_bar.h"

namespace railyard {

void storeScenarios(const QString& path, const FailureBar::Scenarios& scenarios); // without a path: not yet saved, nothing is stored
FailureBar::Scenarios storedScenarios(const QString& path);

} // namespace railyard
