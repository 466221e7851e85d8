// Same input, same bytes on any number of threads: analyses of one fabric that run at the same time, as in the window. `installer/test
// --long` runs this under the thread sanitizer.
#include "tests/support/designs.h"

#include "core/analysis/maps/decision.h"
#include "core/collective/steps.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/io/results/results_json.h"
#include "core/io/results/training_json.h"
#include "core/io/tables/cable_schedule.h"
#include "core/io/tables/fabric_csv.h"
#include "core/io/tables/loads_files.h"
#include "core/json/json_text.h"
#include "core/routing/patterns.h"
#include "core/workload/models_json.h"

#include <thread>

using namespace railyard;

namespace {

using Analysis = std::string (*)(const Fabric&);

std::string loadsOf(const Fabric& fabric) {
    const auto loads = linkLoads(fabric, trafficOf(fabric, Pattern::AllToAll, 1), {});
    return loads ? loadsCsv(fabric, *loads) : toText(loads.error());
}

std::string playOf(const Fabric& fabric) {
    auto steps = CollectiveSteps::create(fabric, CollectiveOp::AllReduce, Bytes(1 << 30));
    if (!steps) return toText(steps.error());
    steps->weighRounds(fabric);
    return std::to_string(steps->steps().size()) + " " + timeText(steps->result());
}

std::string searchOf(const Fabric& fabric) {
    TrainingJob job = usualJob(*modelOf("llama3-8b"));
    job.globalBatch = 256;
    const std::vector<DeviceId> gpus = gpusInOrder(fabric, RankOrder::Near);
    const auto found = searchTraining(fabric, job, gpus, {}, usualSpace(fabric, job, gpus), {.most = 3, .threads = 2});
    if (!found) return toText(found.error());
    std::string text = std::to_string(found->evaluated);
    for (const TrainingEstimate& each : found->best) text += jsonText(toJson(each));
    for (const SearchPoint& each : found->front) text += jsonText(toJson(each));
    return text;
}

// Routes that groups share and bisections in their own thread, as after failures.
std::string degradedOf(const Fabric& fabric) {
    const FabricPointer borrowed(FabricPointer(), &fabric); // owns nothing; the caller keeps the fabric
    const auto removal = removalOf(fabric, {{}, 0.05, 1});
    return removal ? jsonText(toJson(metricsOf(*without(borrowed, removal->devices, removal->links)))) : toText(removal.error());
}

std::string mapOf(const Fabric& fabric) {
    const Design& design = *fabric.design;
    return jsonText(toJson(toGrid(decisionMap(*design.recipe, *design.catalog, {256}, {8, 16}, {.threads = 2}))));
}

const std::vector<Analysis>& analyses() {
    static const std::vector<Analysis> all{
        [](const Fabric& f) { return jsonText(toJson(metricsOf(f))); },
        loadsOf,
        playOf,
        searchOf,
        degradedOf,
        mapOf,
        [](const Fabric& f) { return linksCsv(f, cablingOf(f)); },
        [](const Fabric& f) { return csvOf(cableTable(f, cablingOf(f))); },
    };
    return all;
}

class tst_threads : public QObject {
    Q_OBJECT

private slots:
    void analysesOfOneFabricAtTheSameTime_data() {
        QTest::addColumn<QString>("recipe");
        QTest::newRow("rail-optimized") << QStringLiteral("superpod-h100");
        QTest::newRow("rail-only") << QStringLiteral("rail-only");
    }
    void analysesOfOneFabricAtTheSameTime() {
        QFETCH(QString, recipe);
        const FabricPointer alone = test::fabricOf(recipe.toStdString(), {{"servers", "16"}});
        std::vector<std::string> expected;
        for (const Analysis& analysis : analyses()) expected.push_back(analysis(*alone));
        // A fabric that nothing has looked at yet, so that whatever is computed on first use is computed by several threads.
        const FabricPointer shared = test::fabricOf(recipe.toStdString(), {{"servers", "16"}});
        constexpr std::size_t threads = 4;
        std::vector<std::vector<std::string>> found(threads, std::vector<std::string>(analyses().size()));
        std::vector<std::thread> workers;
        for (std::size_t t = 0; t < threads; ++t)
            workers.emplace_back([&, t] {
                for (std::size_t i = 0; i < analyses().size(); ++i) { // each starts with another one
                    const std::size_t which = (i + t) % analyses().size();
                    found[t][which] = analyses()[which](*shared);
                }
            });
        for (std::thread& worker : workers) worker.join();
        for (const auto& each : found) QCOMPARE(each, expected);
    }
};

} // namespace

QTEST_GUILESS_MAIN(tst_threads)
#include "tst_threads.moc"
