// CPU time of the current thread, or of the process, which does not depend on the load of the machine. Used by benchmarks.
#pragma once

namespace railyard {

double threadCpuMilliseconds();
double processCpuMilliseconds(); // of all threads

// The time of a fixed piece of work relative to the machine on which the time budgets were set. Caches and clock rates differ
// by up to a half; the factor is limited to 1 ... 2, so that it cannot hide a real regression.
double machineSlowness();

} // namespace railyard
