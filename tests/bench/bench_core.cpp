// Budgets of the engine in CPU time of all its threads, which a busy machine does not stretch the way it stretches the clock.
// Each line: what, GPUs, best run on a machine as fast as when the budgets were set, budget. Exit 1 when one is over twice its budget:
// only that is no noise. docs/measurements.md has what a quiet machine measures.
#include "app/allocator.h"
#include "core/analysis/maps/decision.h"
#include "core/analysis/metrics/metrics.h"
#include "core/analysis/rules/design_rules.h"
#include "core/base/thread_cpu.h"
#include "core/design/edits/edit.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/inference/inference.h"
#include "core/reliability/monte_carlo.h"
#include "core/reliability/single_failures.h"
#include "core/routing/patterns.h"
#include "core/training/search.h"
#include "core/training/shared_cluster.h"
#include "core/workload/models_json.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

using namespace railyard;

namespace {

// Every run is held against how slow the machine is just before and after it, and the best one counts: a neighbour on the machine slows
// runs, and some more than its reference, but what is really too slow is so every time.
bool measure(const std::string& what, int gpus, int runs, double budgetMilliseconds, const std::function<void()>& work) {
    constexpr int mostRuns = 40;  // of those that are over the budget
    constexpr double failing = 2; // times the budget
    double best = 1e300, slowness = machineSlowness();
    for (int run = 0; run < runs || (best > budgetMilliseconds && run < mostRuns); ++run) {
        const double start = processCpuMilliseconds();
        work();
        const double took = processCpuMilliseconds() - start, after = machineSlowness();
        best = std::min(best, took / std::max(slowness, after));
        slowness = after;
    }
    std::printf("%-38s%10d GPUs  best %9.2f ms  budget %8.1f ms  %7.1f ns a GPU%s\n", what.c_str(), gpus, best, budgetMilliseconds,
                best * 1e6 / gpus,
                best > failing * budgetMilliseconds ? "  FAIL : over twice its budget"
                : best > budgetMilliseconds         ? "  over budget"
                                                    : "");
    return best <= failing * budgetMilliseconds;
}

// A fourth tier makes 5.3 times as many links of 4 times the GPUs; nothing may take more than 6 times as long. Both sizes are
// measured in turn, and of each the fastest run counts. A busy machine still slows the large one more, whose data is in no cache.
bool measureGrowth(const std::string& what, const FabricPointer& small, const FabricPointer& large,
                   const std::function<void(const FabricPointer&)>& work) {
    double least[2] = {1e300, 1e300};
    for (int run = 0; run < 5 || (least[1] > 6 * least[0] && run < 20); ++run)
        for (const std::size_t side : {0U, 1U}) {
            const double start = processCpuMilliseconds();
            work(side == 0 ? small : large);
            least[side] = std::min(least[side], processCpuMilliseconds() - start);
        }
    constexpr double limit = 6, failing = 2 * limit;
    const double growth = least[1] / least[0];
    std::printf("%-38s 65,536 to 262,144 GPUs: %.2f ms to %.2f ms, %.1f times, at most %g%s\n", what.c_str(), least[0], least[1], growth,
                limit,
                growth > failing ? "  FAIL : grows too much"
                : growth > limit ? "  over on this machine"
                                 : "");
    return growth <= failing;
}

// What a fabric holds, without what its vectors set aside: bytes of its device and link columns.
double bytesOf(const Fabric& fabric) {
    const auto& d = fabric.devices;
    const auto& l = fabric.links;
    const auto size = [](const auto& column) { return static_cast<double>(column.size() * sizeof(column[0])); };
    return size(d.kind) + size(d.tier) + size(d.scope) + size(d.slug) + size(d.part) + size(d.ports) + size(d.index) + size(d.rail) +
           size(d.su) + size(d.plane) + size(d.server) + size(d.hbDomain) + size(l.a) + size(l.b) + size(l.aPort) + size(l.bPort) +
           size(l.tier) + size(l.speed) + size(fabric.scopes);
}

struct Budgets {
    int servers;
    double elaborate, edit, bisection, bisectionFailed, background; // ms
};

// What a rack moved by hand costs before it is seen: the fabric, lengths, bill and findings anew.
bool measureRackMove() {
    const auto built = build({"superpod-h100", {{"servers", "2048"}, {"medium", "by-length"}}}, "bench", shippedCatalog());
    int row = 50;
    return measure("move a rack", 16384, 5, 100, [&] {
        const auto edit = moveRacks(*built, {{"su[3]/rack[2]", {++row, 1}}});
        const FabricPointer fabric = elaborate(edit->design);
        const Cabling cabling = cablingOf(*fabric);
        checkDesign(*fabric, cabling, instantMetrics(*fabric, cabling).bill);
    });
}

FabricPointer withoutFirst(const FabricPointer& fabric, LinkTier tier) {
    std::vector<bool> gone(fabric->links.size());
    gone[static_cast<std::size_t>(std::find(fabric->links.tier.begin(), fabric->links.tier.end(), tier) - fabric->links.tier.begin())] =
        true;
    return without(fabric, {}, gone);
}

TrainingJob largeJob(const Fabric& fabric) {
    TrainingJob job = usualJob(*modelOf("gpt3-175b"));
    job.globalBatch = countsOf(fabric).gpus;
    return job;
}
SearchResult searched(const Fabric& fabric) {
    const TrainingJob job = largeJob(fabric);
    const std::vector<DeviceId> gpus = gpusInOrder(fabric, RankOrder::Near);
    return *searchTraining(fabric, job, gpus, {}, usualSpace(fabric, job, gpus), {});
}
// Goal: a million configurations a second on one core, which includes timing all groups and the estimate of the best.
bool measureSearch() {
    const auto built = build({"superpod-h100", {{"servers", "512"}}}, "bench", shippedCatalog());
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(*built));
    const auto evaluated = static_cast<double>(searched(*fabric).evaluated);
    std::printf("search of GPT-3 175B: %.0f configurations\n", evaluated);
    return measure("search, 1,000,000 a second", 4096, 5, evaluated / 1e6 * 1e3, [&] { searched(*fabric); });
}

// How often a job on all GPUs is interrupted, and what every single failure takes.
void examined(const FabricPointer& fabric) {
    const ReliabilityRequest request;
    const JobParts parts = jobPartsOf(*fabric, *jobPlaceOf(*fabric, request), request.policy);
    reliabilityOf(*fabric, parts, request);
    singleFailures(fabric, parts, request, {.threads = 1});
}
// A month of 4,096 servers with standbys: 0.5 ms a trial.
bool measureOperation() {
    constexpr std::int64_t trials = 200;
    const auto built = build({"superpod-h100", {{"servers", "4096"}}}, "bench", shippedCatalog());
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(*built));
    ReliabilityRequest request;
    request.standbys = 64;
    const Operation operation = operationOf(*fabric, *jobPlaceOf(*fabric, request), request);
    return measure("200 months of operation", 32768, 5, 0.5 * trials, [&] {
        simulate(operation, request, Seconds(1000), {trials, 1}, {.threads = 1});
    });
}

void trained(const Fabric& fabric) {
    static_cast<void>(estimateTraining(fabric, placedJob(largeJob(fabric), fabric, RankOrder::Near), {}));
}

// Each pair of five million has ways over all 72 rails.
bool measureExpertsOverDomains() {
    const auto built =
        build({"rail-only", {{"gpus", "20736"}, {"gpus_per_server", "72"}, {"nics_per_server", "72"}}}, "bench", shippedCatalog());
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(*built));
    TrainingJob job = usualJob(*modelOf("deepseek-v3"));
    job.degrees = {1, 1, 256, 0, 1};
    const PlacedJob placed = placedJob(job, *fabric, RankOrder::Near);
    return measure("EP 256 over HB domains of 72, rail-only", 20736, 3, 1500,
                   [&] { static_cast<void>(estimateTraining(*fabric, placed, {})); });
}

// The cells of a decision map with switches of so many ports that most leaf ports which could be stated build the same fabric.
bool measureManyPorts() {
    const RecipeCall base{"rail-optimized", {{"server", "srv-gaudi3-8"}, {"switch", "sw-sn6800-ld"}, {"servers", "256"}}};
    return measure("24 cells of a map, 2,048 ports", 8192, 3, 72, [&] {
        static_cast<void>(decisionMap(base, *shippedCatalog(), {512, 2048, 8192, 32768, 65536, 131072}, {8, 16, 64, 256}, {.threads = 1}));
    });
}

FabricPointer damagedOf(const FabricPointer& fabric) { // 1 % of the links failed
    Removal removal;
    drawLinks(*fabric, 0.01, 1, removal);
    return without(fabric, {}, removal.links);
}

// As if it had been drawn like this: after an edit, not after a failure.
FabricPointer asDrawn(const FabricPointer& fabric) {
    auto drawn = std::make_shared<Fabric>(*fabric);
    drawn->intact.reset();
    drawn->intactDevice.clear();
    return drawn;
}

} // namespace

int main() {
    keepFreedMemory();
    int failed = 0, passed = 0;
    const auto note = [&](bool good) { ++(good ? passed : failed); };
    for (const Budgets& b : {Budgets{128, 1, 6, 1, 10, 40}, Budgets{2048, 6, 40, 15, 60, 300}, Budgets{8192, 20, 160, 50, 100, 1000},
                             Budgets{32768, 120, 800, 400, 600, 5000}}) {
        const auto built = build({"superpod-h100", {{"servers", std::to_string(b.servers)}}}, "bench", shippedCatalog());
        const DesignPointer design = std::make_shared<const Design>(*built);
        const FabricPointer fabric = elaborate(design);
        const FabricPointer damaged = damagedOf(fabric);
        const int gpus = b.servers * 8, runs = b.servers > 10000 ? 3 : 7;
        note(measure("elaborate", gpus, runs, b.elaborate, [&] { elaborate(design); }));
        note(measure("figures of an edit", gpus, runs, b.edit, [&] { instantMetrics(*fabric); }));
        note(measure("bisection", gpus, runs, b.bisection, [&] { bisection(*fabric, BisectionKey::Server); }));
        note(measure("bisection, 1 % failed", gpus, 3, b.bisectionFailed, [&] { bisection(*damaged, BisectionKey::Server); }));
        if (b.servers == 2048) { // goals: one collective 10 ms, 25 sizes 100 ms, from the fabric on
            const auto sweep = [&](std::int64_t largest) {
                const auto group = Communicator::create(*fabric, 0, RankOrder::Near);
                for (std::int64_t size = 1024; size <= largest; size *= 2)
                    static_cast<void>(group->time(CollectiveOp::AllReduce, Bytes(size)));
            };
            note(measure("one collective", gpus, runs, 10, [&] { sweep(1024); }));
            note(measure("a collective of 25 sizes", gpus, runs, 100, [&] { sweep(std::int64_t{1024} << 24); }));
        }
        if (b.servers == 8192) {
            const GpuTraffic all = trafficOf(*fabric, Pattern::AllToAll, 1); // goals: 5 ms intact (4.8 measured), 150 ms damaged
            note(measure("loads, all-to-all", gpus, runs, 8, [&] { static_cast<void>(linkLoads(*fabric, all, {})); }));
            note(measure("loads, all-to-all, 1 % failed", gpus, 3, 150, [&] { static_cast<void>(linkLoads(*damaged, all, {})); }));
            note(measure("loads, forwarded, 1 % failed", gpus, 3, 200,
                         [&] { static_cast<void>(linkLoads(*damaged, all, {.isForwarded = true})); }));
            // Goal: 5 ms. Measured: 3 to 4.6; more is noise.
            const FabricPointer link = asDrawn(withoutFirst(fabric, LinkTier::LeafSpine));
            note(measure("bisection, one link less", gpus, runs, 8, [&] { bisection(*link, BisectionKey::Server); }));
            for (const std::string path : {"superspine[1]", "pod[1]/spine[1]", "su[1]/leaf[1]", "su[1]/srv[1]"}) {
                const auto taken = select(*fabric, path);
                const FabricPointer rest = asDrawn(without(fabric, taken->devices, taken->links));
                note(measure("bisection, less " + path, gpus, runs, 8, [&] { bisection(*rest, BisectionKey::Server); }));
            }
        }
        note(measure("bisections and collectives", gpus, 3, b.background, [&] { backgroundMetrics(*fabric); }));
        if (b.servers == 8192) { // goals: 10 times as long as intact, metrics within 3 s on two cores
            note(measure("all background figures, 1 % failed", gpus, 3, 3500, [&] { backgroundMetrics(*damaged); }));
            note(measure("training, 1 % failed", gpus, 3, 1000, [&] { trained(*damaged); }));
        }
        const double perLink = bytesOf(*fabric) / static_cast<double>(countsOf(*fabric).links);
        std::printf("%-38s%10d GPUs  %16.1f bytes a link, budget 250%s\n", "memory of the fabric", gpus, perLink,
                    perLink > 250 ? "  FAIL : over budget" : "");
        note(perLink <= 250);
    }
    const auto fabricOf = [](const char* servers) {
        const auto built = build({"superpod-h100", {{"servers", servers}}}, "bench", shippedCatalog());
        return elaborate(std::make_shared<const Design>(*built));
    };
    const FabricPointer three = fabricOf("8192"), four = fabricOf("32768");
    note(measureManyPorts());
    note(measureGrowth("background figures", three, four, [](const FabricPointer& f) { backgroundMetrics(*f); }));
    note(measureGrowth("bisections", three, four, [](const FabricPointer& f) { bisections(*f); }));
    note(measureGrowth("figures of an edit", three, four, [](const FabricPointer& f) { instantMetrics(*f); }));
    note(measureGrowth("elaborate", three, four, [](const FabricPointer& f) { elaborate(f->design); }));
    note(measureGrowth("training", three, four, [](const FabricPointer& f) { trained(*f); }));
    note(measureGrowth("inference", three, four, [](const FabricPointer& f) {
        InferenceRequest request;
        request.model = *modelOf("llama3-70b");
        static_cast<void>(estimateInference(*f, request));
    }));
    note(measureGrowth("two training jobs", three, four, [](const FabricPointer& f) {
        NamedJob small{"a", usualRequest()}, rest{"b", usualRequest()};
        small.request.gpus = 512;
        static_cast<void>(trainTogether(*f, {small, rest}));
    }));
    note(measureGrowth("two training jobs, random", three, four, [](const FabricPointer& f) {
        NamedJob half{"a", usualRequest()}, rest{"b", usualRequest()};
        half.request.gpus = countsOf(*f).gpus / 2;
        half.request.placement = rest.request.placement = Placement::Random;
        static_cast<void>(trainTogether(*f, {half, rest}));
    }));
    note(measureGrowth("search of training", three, four, [](const FabricPointer& f) { searched(*f); }));
    const FabricPointer threeDamaged = damagedOf(three), fourDamaged = damagedOf(four);
    note(measureGrowth("background figures, 1 % failed", threeDamaged, fourDamaged, [](const FabricPointer& f) { backgroundMetrics(*f); }));
    note(measureExpertsOverDomains());
    note(measure("single failures", 65536, 5, 1000, [&] { examined(three); }));
    note(measureOperation());
    note(measureSearch());
    note(measureRackMove());
    std::printf("Totals: %d passed, %d failed, 0 skipped\n", passed, failed);
    return failed > 0;
}
