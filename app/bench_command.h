// `railyard bench canvas`: measures frames, edits and opening in thread-CPU time, without a display.
#pragma once

namespace railyard {

int runBench(int argc, char** argv); // argv[1] is "bench"

} // namespace railyard
