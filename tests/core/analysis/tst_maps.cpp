// Maps as rows of points: the same on any number of threads, told apart where a stop left some out.
#include "core/analysis/maps/curve_grids.h"
#include "core/analysis/maps/decision.h"
#include "core/analysis/maps/map_kinds.h"
#include "core/io/results/results_json.h"
#include "core/json/json_text.h"
#include "core/training/job_request.h"
#include "tests/support/designs.h"

#include <QTest>
#include <set>

using namespace railyard;

class tst_maps : public QObject {
    Q_OBJECT

private slots:
    void everyKindHasAName() {
        std::set<std::string_view> names;
        for (const MapKind& kind : mapKinds()) {
            QVERIFY(names.insert(kind.name).second);
            QVERIFY(!kind.title.empty() && mapKindNamed(kind.name) == &kind);
        }
        QVERIFY(!mapKindNamed("heat") && mapKindNames().starts_with("collective-time, "));
    }
    void anyNumberOfThreadsGivesTheSame() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "16"}, {"oversubscription", "2:1"}});
        const auto job = jobOf(*fabric->design);
        const auto placed = placedOn(*fabric, *job);
        const auto all = [&](int threads) {
            const TaskContext context{.threads = threads};
            std::string text;
            for (const auto& grid :
                 {collectiveTimeGrid(*fabric, CollectiveOp::AllReduce, usualSizes(), {1, 4, 16, 64}, shippedCalibration(), context),
                  twinDifferenceGrid(*fabric, CollectiveOp::AllToAll, usualSizes(), {8, 16, 32}, context),
                  tcpDifferenceGrid(*fabric, CollectiveOp::AllReduce, usualSizes(), {2, 16}, context),
                  hbNicGrid(*fabric, CollectiveOp::AllReduce, Bytes(1 << 28), {}, shippedCalibration(), context),
                  collisionGrid(*fabric, context), concurrentJobsGrid(*fabric, CollectiveOp::AllToAll, Bytes(1 << 28), context),
                  Result<HeatGrid>(trainingGrid(*fabric, *placed, job->planned.plan, context))})
                text += jsonText(toJson(*grid));
            return text;
        };
        const std::string one = all(1);
        for (const int threads : {2, 5}) QVERIFY(all(threads) == one);
    }
    // The point of the design itself is what `train` says; faster links never make an iteration longer.
    void trainingGoesByTheLinks() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "16"}});
        const auto job = jobOf(*fabric->design);
        const auto placed = placedOn(*fabric, *job);
        const HeatGrid grid = trainingGrid(*fabric, *placed, job->planned.plan);
        const auto own = estimateTraining(*fabric, *placed, job->planned.plan);
        QCOMPARE(grid.values[grid.at(2, 2)].value(), own->iteration.value());
        for (std::size_t y = 0; y < grid.y.size(); ++y)
            for (std::size_t x = 1; x < grid.x.size(); ++x) {
                QVERIFY(*grid.values[grid.at(x, y)] <= *grid.values[grid.at(x - 1, y)] * (1 + 1e-12));
                QVERIFY(*grid.values[grid.at(y, x)] <= *grid.values[grid.at(y, x - 1)] * (1 + 1e-12));
            }
    }
    void aStoppedMapSaysWhatIsMissing() {
        std::stop_source stop;
        stop.request_stop();
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "4"}});
        const auto grid = collectiveTimeGrid(*fabric, CollectiveOp::AllReduce, usualSizes(), {1, 2, 4}, shippedCalibration(),
                                             {.threads = 2, .stop = stop.get_token()});
        QCOMPARE(grid->values.size(), usualSizes().size() * 3);
        for (std::size_t i = 0; i < grid->values.size(); ++i)
            QVERIFY(!grid->values[i] && grid->notes[i].find("stopped") != std::string::npos);
    }
    void aFabricWithoutGpusHasNoJobs() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1"}});
        const auto grid = concurrentJobsGrid(*fabric, CollectiveOp::AllReduce, Bytes(1 << 20));
        QVERIFY(grid && *grid->values[0] == 1 && !grid->values[1]); // a single HB domain holds one job
    }
};

QTEST_GUILESS_MAIN(tst_maps)
#include "tst_maps.moc"
