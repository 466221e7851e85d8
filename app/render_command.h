// `railyard render` writes pictures and `railyard main-job` writes all outputs of the sample, both without a display.
// `prices`: whether the user's price book could be read. Pictures that show no prices do not need it.
#pragma once

#include "core/base/result.h"

namespace railyard {

int runRender(int argc, char** argv, const Status& prices);  // argv[1] is "render"
int runMainJob(int argc, char** argv, const Status& prices); // argv[1] is "main-job", argv[2] the output folder

} // namespace railyard
