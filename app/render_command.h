// `railyard render` writes pictures and `railyard main-job` writes all outputs of the sample, both without a display.
#pragma once

namespace railyard {

int runRender(int argc, char** argv);  // argv[1] is "render"
int runMainJob(int argc, char** argv); // argv[1] is "main-job", argv[2] the output folder

} // namespace railyard
