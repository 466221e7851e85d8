// Budgets of the engine in thread-CPU time, which a busy machine does not stretch the way it stretches the clock.
// Each line: what, GPUs, median, budget. Exit 1 when a median is over its budget.
#include "core/analysis/metrics.h"
#include "core/design/recipe.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

using namespace railyard;

namespace {

double threadCpuMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// A fixed piece of work beside every measurement: how slow this machine is just now against the one the budgets were
// set on. Shared caches and clocks differ by half; the factor is capped so that it cannot excuse everything.
double slowness() {
    constexpr double referenceMilliseconds = 14.0;
    std::vector<std::uint32_t> work(4'000'000);
    const double start = threadCpuMilliseconds();
    for (std::size_t i = 0; i < work.size(); ++i) work[i] = static_cast<std::uint32_t>(i * 2654435761U);
    volatile std::uint32_t sum = 0;
    for (std::size_t i = 0; i < work.size(); i += 16) sum = sum + work[i];
    return std::clamp((threadCpuMilliseconds() - start) / referenceMilliseconds, 1.0, 2.0);
}

bool measure(const char* what, int gpus, int runs, double budgetMilliseconds, const std::function<void()>& work) {
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
        const double start = threadCpuMilliseconds();
        work();
        times.push_back(threadCpuMilliseconds() - start);
    }
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2], allowed = budgetMilliseconds * slowness();
    std::printf("%-28s%10d GPUs  median %9.2f ms  budget %8.1f ms%s\n", what, gpus, median, budgetMilliseconds,
                median > allowed ? "  OVER" : "");
    return median <= allowed;
}

} // namespace

int main() {
    int failed = 0, passed = 0;
    const auto note = [&](bool good) { ++(good ? passed : failed); };
    for (const auto& [servers, elaborateBudget, instantBudget, backgroundBudget] :
         {std::tuple(128, 1.0, 6.0, 40.0), std::tuple(2048, 6.0, 40.0, 300.0), std::tuple(8192, 20.0, 160.0, 1000.0)}) {
        const auto built = build({"superpod-h100", {{"servers", std::to_string(servers)}}}, "bench", shippedCatalog());
        const DesignPointer design = std::make_shared<const Design>(*built);
        const FabricPointer fabric = elaborate(design);
        note(measure("elaborate", servers * 8, 9, elaborateBudget, [&] { elaborate(design); }));
        note(measure("figures of an edit", servers * 8, 5, instantBudget, [&] { instantMetrics(*fabric); }));
        note(measure("bisection and collectives", servers * 8, 3, backgroundBudget, [&] { backgroundMetrics(*fabric, *fabric); }));
    }
    std::printf("Totals: %d passed, %d failed, 0 skipped\n", passed, failed);
    return failed > 0;
}
