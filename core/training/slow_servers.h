// Servers that are known to compute more slowly than others of their part, by name.
#pragma once

#include "core/fabric/fabric.h"
#include "core/training/training_plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// "su[1]/srv[3]=1.2; rack=C07=1.1": a selector and the time of these servers / that of others, separated by semicolons. Errors: an entry
// without a ratio, a selector that cannot be read, a ratio below 1 or above 100.
Result<std::vector<SlowServers>> slowServersFrom(std::string_view text);
std::string toText(const std::vector<SlowServers>& slow);

// By device: the ratio of its GPUs, the largest where several selectors match; 1 of all others. Empty if no server is slow. Errors: the
// first selector that matches no GPU.
Result<std::vector<double>> slowdownsOf(const Fabric& fabric, const std::vector<SlowServers>& slow);

} // namespace railyard
