// The cost of a run from the bill, written out by hand.
#include "tests/support/designs.h"

#include "core/analysis/metrics/run_cost.h"
#include "core/bill/cabling.h"

using namespace railyard;

class tst_run_cost : public QObject {
    Q_OBJECT

    static TrainingEstimate run(std::int64_t gpus, double days) {
        TrainingEstimate estimate;
        estimate.job.degrees = {1, 1, 1, gpus, 1};
        estimate.job.globalBatch = 1000;
        estimate.job.model.sequenceTokens = 1000;
        estimate.iteration = Seconds(10);
        estimate.plan.tokens = days * 86400 / 10 * 1e6; // 1,000,000 tokens every 10 s
        return estimate;
    }
    static bool isClose(double a, double b) { return std::abs(a / b - 1) < 1e-12; }

private slots:
    void isTheShareOfTheDesign() {
        Bill bill;
        bill.total = Money::dollars(5e6);
        bill.totalPower = Watts(100e3);
        const RunCost cost = runCostOf(bill, 256, run(64, 36.5)); // a quarter of the GPUs, a tenth of a year
        QVERIFY(isClose(cost.hardwareUsd, 5e6 / 5 / 10 / 4));
        QVERIFY(isClose(*cost.energyKwh, 100 * 1.3 * 36.5 * 24 / 4));
        QVERIFY(isClose(*cost.energyUsd, 100 * 1.3 * 876 * 0.12 / 4));
        QVERIFY(isClose(*cost.spaceUsd, 100 * 12 * 184.06 / 10 / 4));
        QVERIFY(isClose(*cost.totalUsd(), cost.hardwareUsd + *cost.energyUsd + *cost.spaceUsd));
        bill.totalPower.reset();
        bill.unpricedLines = 3;
        const RunCost unknown = runCostOf(bill, 256, run(64, 36.5));
        QVERIFY(!unknown.energyKwh && !unknown.totalUsd() && unknown.unpricedLines == 3);
        QVERIFY(isClose(unknown.hardwareUsd, cost.hardwareUsd));
    }
    // Half the time on all GPUs of a real bill costs what the whole time on half of them costs.
    void timeAndGpusAreOne() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        const Bill bill = billOf(*fabric, cablingOf(*fabric));
        const RunCost all = runCostOf(bill, 256, run(256, 5)), half = runCostOf(bill, 256, run(128, 10));
        QVERIFY(all.totalUsd() && *all.totalUsd() > 0);
        QVERIFY(isClose(*all.totalUsd(), *half.totalUsd()) && isClose(*all.energyKwh, *half.energyKwh));
    }
};

QTEST_GUILESS_MAIN(tst_run_cost)
#include "tst_run_cost.moc"
