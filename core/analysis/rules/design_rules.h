// Design rules: conditions that can be drawn but should not be built. Codes are stable.
#pragma once

#include "core/base/diagnostic.h"
#include "core/bill/bill.h"

#include <vector>

namespace railyard {

// Findings sorted by severity, code and subject; findings that the document approves come last.
std::vector<Diagnostic> checkDesign(const Fabric& fabric, const Cabling& cabling, const Bill& bill, std::string_view asOf = {});

} // namespace railyard
