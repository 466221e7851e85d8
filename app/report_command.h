// `railyard report` writes the offer of a design as a PDF, without a display.
#pragma once

#include "core/base/result.h"

namespace railyard {

int runReport(int argc, char** argv, const Status& prices); // argv[1] is "report"; `prices` as in render_command.h

} // namespace railyard
