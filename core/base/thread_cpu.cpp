#include "core/base/thread_cpu.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <unordered_map>
#include <vector>

namespace railyard {

namespace {

double milliseconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

} // namespace

double threadCpuMilliseconds() { return milliseconds(CLOCK_THREAD_CPUTIME_ID); }
double processCpuMilliseconds() { return milliseconds(CLOCK_PROCESS_CPUTIME_ID); }

namespace {

// Streams through memory.
double streamingMilliseconds() {
    std::vector<std::uint32_t> work(4'000'000);
    const double start = threadCpuMilliseconds();
    for (std::size_t i = 0; i < work.size(); ++i) work[i] = static_cast<std::uint32_t>(i * 2654435761U);
    volatile std::uint32_t sum = 0;
    for (std::size_t i = 0; i < work.size(); i += 16) sum = sum + work[i];
    return threadCpuMilliseconds() - start;
}

// Compares, allocates and follows pointers, as the engine does: a busy neighbour on the core slows this more than streaming.
double branchingMilliseconds() {
    const double start = threadCpuMilliseconds();
    std::vector<std::uint32_t> keys(100'000);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(i * 2654435761U);
    std::sort(keys.begin(), keys.end());
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> lists;
    for (const auto key : keys) lists[key % 20'011].push_back(key);
    volatile std::size_t sum = 0;
    for (const auto& [key, list] : lists) sum = sum + list.size();
    return threadCpuMilliseconds() - start;
}

// Adds up at scattered places of columns as long as a fabric's: a neighbour that takes the shared cache slows this most.
double scatteringMilliseconds() {
    const double start = threadCpuMilliseconds();
    volatile double sum = 0;
    for (int round = 0; round < 6; ++round) {
        std::vector<double> column(300'000), sums(300'000);
        for (std::size_t i = 0; i < column.size(); ++i) {
            column[i] = static_cast<double>(i);
            sums[i * 7919 % sums.size()] += column[i];
        }
        sum = sum + sums[5];
    }
    return threadCpuMilliseconds() - start;
}

} // namespace

double machineSlowness() {
    constexpr double streaming = 14.0, branching = 6.4,
                     scattering = 3.9; // ms, on a machine that keeps the budgets when nobody else uses it
    const double slowest =
        std::max({streamingMilliseconds() / streaming, branchingMilliseconds() / branching, scatteringMilliseconds() / scattering});
    return std::clamp(slowest, 1.0, 2.0);
}

} // namespace railyard
