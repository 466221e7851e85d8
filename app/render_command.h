// `railyard render`: pictures without a display. `railyard --main-job DIR`: the whole main job without one.
#pragma once

namespace railyard {

int runRender(int argc, char** argv);  // argv[1] is "render"
int runMainJob(int argc, char** argv); // argv[1] is "main-job", argv[2] the folder

} // namespace railyard
