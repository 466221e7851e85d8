#include "core/analysis/decision.h"
#include "core/analysis/metrics.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_decision : public QObject {
    Q_OBJECT

private slots:
    // The staircase at K = 8, radix 64: 512 GPUs save 67 %, 1,024 and 2,048 nothing, 4,096 to 16,384 40 %, 32,768 and
    // 65,536 nothing, 131,072 and 262,144 29 %.
    void staircase_data() {
        QTest::addColumn<int>("gpus");
        QTest::addColumn<double>("percent");
        for (const auto& [gpus, percent] : {std::pair(512, 66.67),
                                            {1024, 0.0},
                                            {2048, 0.0},
                                            {4096, 40.0},
                                            {8192, 40.0},
                                            {16384, 40.0},
                                            {32768, 0.0},
                                            {65536, 0.0},
                                            {131072, 28.57},
                                            {262144, 28.57}})
            QTest::newRow(qPrintable(QString::number(gpus))) << gpus << percent;
    }
    void staircase() {
        QFETCH(int, gpus);
        QFETCH(double, percent);
        const DecisionCell cell = decide({"superpod-h100", {}}, *shippedCatalog(), gpus, 8);
        QVERIFY2(cell.switchSaving, cell.why.c_str());
        QVERIFY(std::abs(*cell.switchSaving * 100 - percent) < 0.01);
    }
    void costsEqualTheFullBill() { // modules by whole cages and modules by links agree where cages are full
        const DecisionCell cell = decide({"superpod-h100", {}}, *shippedCatalog(), 4096, 8);
        QCOMPARE(cell.railOptimized->network.inCents(),
                 instantMetrics(*test::fabricOf("superpod-h100", {{"servers", "512"}})).bill.network.inCents());
        QCOMPARE(cell.railOnly->network.inCents(),
                 instantMetrics(*test::fabricOf("rail-only", {{"servers", "512"}})).bill.network.inCents());
        QVERIFY(std::abs(*cell.allToAllSlowdown - 0.0974) < 1e-4);
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
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "16"}, {"hb_gbps", "3600"}});
        const BandwidthAxes own = ownBandwidths(*fabric);
        QCOMPARE(own.nicGbps[0], 400.0);
        QCOMPARE(own.hbGbps[0], 3600.0);
        const auto grid = hbNicGrid(*fabric, CollectiveOp::AllToAll, Bytes(1 << 28), {{200, 400, 800}, {1800, 3600}});
        QVERIFY(grid);
        for (std::size_t row = 0; row < 2; ++row)
            for (std::size_t column = 0; column < 3; ++column) {
                const double nic = grid->x[column] * 1e9, hb = grid->y[row] * 1e9, pair = 8.0 * (1 << 28) / 128;
                const double across = 8 * 15 * pair / nic, inside = 16 * 7 * pair / hb;
                // NCCL: 8.4 us once, 14 for a step over the network, 3.4 for one inside; the same share of both media.
                const double share = shippedCalibration().libraries.front()->sendReceiveShare.base, latency = (8.4 + 14 + 3.4) * 1e-6;
                QVERIFY(std::abs(*grid->values[grid->at(column, row)] / ((across + inside) / share + latency) - 1) < 1e-9);
            }
        QVERIFY(!hbNicGrid(*test::fabricOf("fat-tree", {{"servers", "4"}}), CollectiveOp::AllToAll, Bytes(1 << 28), {{400}, {}})
                     ->values.empty());
    }
    void differenceGridComparesWithTheTwin() {
        for (const char* recipe : {"rail-optimized", "rail-only"}) { // rail-only against rail-optimized whichever is open
            const auto grid =
                twinDifferenceGrid(*test::fabricOf(recipe, {{"servers", "16"}}), CollectiveOp::AllToAll, {Bytes(1 << 30)}, {1, 16, 128});
            QVERIFY(*grid->values[0] == 0 && !grid->undecided[0]); // one domain: the same
            QVERIFY(std::abs(*grid->values[1] - 0.1037) < 5e-4 && !grid->undecided[1]);
            QVERIFY(std::abs(*grid->values[2] - 0.0980) < 5e-4);
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
