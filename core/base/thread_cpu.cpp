#include "core/base/thread_cpu.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <vector>

namespace railyard {

double threadCpuMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double machineSlowness() {
    constexpr double referenceMilliseconds = 14.0;
    std::vector<std::uint32_t> work(4'000'000);
    const double start = threadCpuMilliseconds();
    for (std::size_t i = 0; i < work.size(); ++i) work[i] = static_cast<std::uint32_t>(i * 2654435761U);
    volatile std::uint32_t sum = 0;
    for (std::size_t i = 0; i < work.size(); i += 16) sum = sum + work[i];
    return std::clamp((threadCpuMilliseconds() - start) / referenceMilliseconds, 1.0, 2.0);
}

} // namespace railyard
