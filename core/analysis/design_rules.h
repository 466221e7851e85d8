// Design rules: what is legal to draw but wrong to build. Codes are stable.
#pragma once

#include "core/base/diagnostic.h"
#include "core/bill/bill.h"

#include <vector>

namespace railyard {

// Most severe first, then by code and subject; what the document approves comes last.
std::vector<Diagnostic> checkDesign(const Fabric& fabric, const Cabling& cabling, const Bill& bill, std::string_view asOf = {});

} // namespace railyard
