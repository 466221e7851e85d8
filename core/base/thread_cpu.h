// CPU time of this thread, which a busy machine does not stretch the way it stretches the clock. For benches.
#pragma once

namespace railyard {

double threadCpuMilliseconds();

// A fixed piece of work: how slow this machine is just now against the one the budgets were set on. Shared caches and
// clocks differ by half; the factor, from 1 to 2, is capped so that it cannot excuse everything.
double machineSlowness();

} // namespace railyard
