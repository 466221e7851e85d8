#include "core/analysis/maps/decision.h"
#include "core/analysis/metrics/metrics.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_decision : public QObject {
    Q_OBJECT

private slots:
    // Switches of full fabrics of n endpoints and radix k are 1, 3, 5, 7 times n/k in one to four tiers. Rail-optimized joins all
    // GPUs, rail-only GPUs / K of them for each of at most K rails; one switch may carry several rails.
    void staircase_data() {
        QTest::addColumn<int>("domain");
        QTest::addColumn<int>("gpus");
        for (int domain = 8; domain <= 256; domain *= 2)
            for (int gpus = std::max(256, 2 * domain); gpus <= 262'144; gpus *= 2)
                QTest::addRow("K %d, %d GPUs", domain, gpus) << domain << gpus;
    }
    void staircase() {
        QFETCH(int, domain);
        QFETCH(int, gpus);
        const auto perPort = [](int endpoints) { // times n / k
            int factor = 1;
            for (int most = 64; endpoints > most; most *= 32) factor += 2;
            return factor;
        };
        const double expected = 1 - static_cast<double>(perPort(gpus / domain)) / perPort(gpus);
        const DecisionCell cell = decide({"superpod-h100", {}}, *shippedCatalog(), gpus, domain);
        QVERIFY2(cell.switchSaving, cell.why.c_str());
        QVERIFY(std::abs(*cell.switchSaving - expected) < 1e-9);
    }
    void costsEqualTheFullBill() { // modules by whole cages and modules by links agree where cages are full
        const DecisionCell cell = decide({"superpod-h100", {}}, *shippedCatalog(), 4096, 8);
        QCOMPARE(cell.railOptimized->cost.network.inCents(),
                 instantMetrics(*test::fabricOf("superpod-h100", {{"servers", "512"}})).bill.network.inCents());
        QCOMPARE(cell.railOnly->cost.network.inCents(),
                 instantMetrics(*test::fabricOf("rail-only", {{"servers", "512"}})).bill.network.inCents());
        QVERIFY(std::abs(*cell.allToAllSlowdown - 0.0974) < 1e-4);
    }
    void cellsAreTheSameOnAnyNumberOfThreads() {
        const RecipeCall call{"rail-optimized", {{"planes", "2"}, {"servers", "64"}, {"oversubscription", "2:1"}}};
        const std::vector<std::int64_t> gpus{512, 1744, 680}, domains{8, 16};
        std::vector<std::int64_t> told;
        const auto tell = [&](std::int64_t done, std::int64_t all) {
            QCOMPARE(all, 6);
            told.push_back(done);
        };
        const DecisionMap one = decisionMap(call, *shippedCatalog(), gpus, domains, {1, tell, {}});
        QCOMPARE(told, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
        const DecisionMap three = decisionMap(call, *shippedCatalog(), gpus, domains, {3, {}, {}});
        for (std::size_t y = 0; y < domains.size(); ++y)
            for (std::size_t x = 0; x < gpus.size(); ++x) {
                const DecisionCell alone = decide(call, *shippedCatalog(), gpus[x], domains[y]);
                for (const DecisionMap* map : {&one, &three}) {
                    QCOMPARE(map->at(x, y).gpus, gpus[x]);
                    QCOMPARE(map->at(x, y).switchSaving, alone.switchSaving);
                    QCOMPARE(map->at(x, y).costSaving, alone.costSaving);
                }
            }
    }
    void aStoppedMapHasNoCells() {
        std::stop_source stop;
        stop.request_stop();
        const DecisionMap map = decisionMap({"superpod-h100", {}}, *shippedCatalog(), {512, 1024}, {8}, {1, {}, stop.get_token()});
        QVERIFY(!map.at(0, 0).switchSaving && !map.at(1, 0).switchSaving);
    }
    void impossibleCellsSayWhy() {
        const DecisionCell cell = decide({"superpod-h100", {}}, *shippedCatalog(), 256, 256);
        QVERIFY(!cell.switchSaving && !cell.why.empty());
        QVERIFY(!decide({"superpod-h100", {}}, *shippedCatalog(), 1000, 64).switchSaving);
    }
    void twinKeepsTheGpus() {
        const auto twin = twinOf({"superpod-h100", {{"servers", "512"}}}, *shippedCatalog());
        QVERIFY(twin);
        QCOMPARE(twin->name, std::string("rail-only"));
        QCOMPARE(resolve(*twin, *shippedCatalog())->servers, 512);
        QCOMPARE(twinOf(*twin, *shippedCatalog())->name, std::string("rail-optimized"));
    }
    // Forwarding bound by the NIC in one corner, by the HB fabric in the other: slowdown y(x-1)C_S / (x(y-1)C_F).
    void bandwidthGridFollowsTheClosedForm() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "16"}, {"rails", "8"}, {"hb_gbps", "3600"}});
        const BandwidthAxes own = ownBandwidths(*fabric);
        QCOMPARE(own.nicGbps[0], 400.0);
        QCOMPARE(own.hbGbps[0], 3600.0);
        const auto grid = hbNicGrid(*fabric, CollectiveOp::AllToAll, Bytes(1 << 28), {{200, 400, 800}, {1800, 3600}}, notCalibrated());
        QVERIFY(grid);
        for (std::size_t row = 0; row < 2; ++row)
            for (std::size_t column = 0; column < 3; ++column) {
                const double nic = grid->x[column] * 1e9, hb = grid->y[row] * 1e9, pair = 8.0 * (1 << 28) / 128;
                const double across = 8 * 15 * pair / nic, inside = 16 * 7 * pair / hb;
                QVERIFY(std::abs(*grid->values[grid->at(column, row)] / (across + inside) - 1) < 1e-9);
            }
        QVERIFY(!hbNicGrid(*test::fabricOf("fat-tree", {{"servers", "4"}}), CollectiveOp::AllToAll, Bytes(1 << 28), {{400}, {}})
                     ->values.empty());
    }
    void differenceGridComparesWithTheTwin() {
        for (const char* recipe : {"rail-optimized", "rail-only"}) { // rail-only against rail-optimized whichever is open
            const auto grid =
                twinDifferenceGrid(*test::fabricOf(recipe, {{"servers", "16"}}), CollectiveOp::AllToAll, {Bytes(1 << 30)}, {1, 16, 128});
            QVERIFY(*grid->values[0] == 0 && !grid->undecided[0]); // one domain: the same
            // y(x - x/rails)C_S / (x(y-1)C_F): 16 servers fit two switches, so two rails; 128 servers take eight.
            QVERIFY(std::abs(*grid->values[1] - 16 * 4 * 50.0 / (8 * 15 * 450)) < 5e-4 && !grid->undecided[1]);
            QVERIFY(std::abs(*grid->values[2] - 128 * 7 * 50.0 / (8 * 127 * 450)) < 5e-4);
        }
    }
    void timeGridComputesTheDesignAsDrawn() {
        const FabricPointer intact = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const FabricPointer failed = without(intact, select(*intact, "spine[1-4]")->devices, {});
        const std::vector<Bytes> sizes{Bytes(1 << 28)};
        const auto a = collectiveTimeGrid(*intact, CollectiveOp::AllToAll, sizes, {32, 64}),
                   b = collectiveTimeGrid(*failed, CollectiveOp::AllToAll, sizes, {32, 64});
        QCOMPARE(*a->values[0], *b->values[0]); // another size is the recipe built anew
        QVERIFY(*b->values[1] > *a->values[1]);
    }
};

QTEST_GUILESS_MAIN(tst_decision)
#include "tst_decision.moc"
