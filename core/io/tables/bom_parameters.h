// The options of a bill of materials, a row each: the command line and the dialog of the window read them here.
#pragma once

#include "core/base/parameter.h"
#include "core/io/tables/bom.h"

namespace railyard {

std::span<const Parameter<BomOptions>> bomParameters();
// Errors: every option that is unknown or has a value that it cannot have.
Result<BomOptions> readBomOptions(const ParameterTexts& texts);

} // namespace railyard
