// The edits that fix findings.
#pragma once

#include "core/analysis/rules/rule_check.h"

namespace railyard {

void addFixes(RuleCheck& check); // to every finding that a safe edit fixes

} // namespace railyard
