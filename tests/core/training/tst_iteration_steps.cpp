// One iteration step by step: volumes, times and loads against those of the job and of each group.
#include "tests/support/designs.h"

#include "core/collective/collective.h"
#include "core/routing/load_summary.h"
#include "core/training/iteration_steps.h"
#include "core/workload/job_traffic.h"
#include "core/workload/models_json.h"

using namespace railyard;

class tst_iteration_steps : public QObject {
    Q_OBJECT

    static bool isClose(double a, double b) { return std::abs(a / b - 1) < 1e-9; }
    static PlacedJob placedOn(const Fabric& fabric, const char* model, const std::array<std::int64_t, 5>& degrees) {
        TrainingJob job = usualJob(*modelOf(model));
        job.degrees = degrees;
        job.globalBatch = 256;
        return placedJob(job, fabric, RankOrder::Near);
    }

private slots:
    // All steps together carry what the job sends.
    void stepsCarryTheTraffic_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QList<int>>("degrees");
        QTest::addColumn<int>("zero");
        QTest::addColumn<int>("steps");
        QTest::newRow("dense") << QStringLiteral("llama3-70b") << QList<int>{8, 1, 1, 8, 4} << 1 << 4;
        QTest::newRow("one kind") << QStringLiteral("llama3-8b") << QList<int>{1, 1, 1, 256, 1} << 0 << 1;
        QTest::newRow("all kinds") << QStringLiteral("mixtral-8x7b") << QList<int>{2, 2, 4, 8, 2} << 2 << 6;
    }
    void stepsCarryTheTraffic() {
        QFETCH(QString, model);
        QFETCH(QList<int>, degrees);
        QFETCH(int, zero);
        QFETCH(int, steps);
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        PlacedJob placed = placedOn(*fabric, model.toLatin1().constData(), {degrees[0], degrees[1], degrees[2], degrees[3], degrees[4]});
        placed.job.zero = zero;
        const auto played = IterationSteps::create(*fabric, placed, {});
        QVERIFY(played);
        QCOMPARE(static_cast<int>(played->steps().size()), steps);
        const auto traffic = jobTrafficOf(*fabric, placed.job, placed.gpus);
        std::map<std::pair<std::uint32_t, std::uint32_t>, double> sent, carried;
        for (const JobFlow& flow : traffic->flows) sent[{flow.from, flow.to}] += flow.bytes;
        Seconds end;
        for (std::size_t i = 0; i < played->steps().size(); ++i) {
            QVERIFY(played->steps()[i].start == end && played->steps()[i].duration > Seconds());
            end = played->steps()[i].start + played->steps()[i].duration;
            for (const GpuFlow& flow : played->flowsOf(i)) carried[{flow.from, flow.to}] += flow.volume;
        }
        QCOMPARE(carried.size(), sent.size());
        for (const auto& [pair, bytes] : carried) QVERIFY(isClose(bytes, sent[pair]));
        QVERIFY(played->title().find(fmt(placed.job)) != std::string::npos);
    }
    // The step of tensor parallelism takes as long as its messages, one after the other, on the group itself.
    void stepsTakeTheTimeOfTheirMessages() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        const PlacedJob placed = placedOn(*fabric, "llama3-8b", {8, 1, 1, 4, 1});
        const auto played = IterationSteps::create(*fabric, placed, {});
        QVERIFY(played);
        QCOMPARE(played->steps()[1].name, std::string("tensor parallelism"));
        const TransformerModel& model = placed.job.model;
        const double bytes = static_cast<double>(model.sequenceTokens * model.hidden * 2);
        const auto group = Communicator::create(*fabric, {placed.gpus.begin(), placed.gpus.begin() + 8});
        const auto time = [&](CollectiveOp op) { return group->time(op, Bytes(std::llround(bytes)))->best.time.value(); };
        const double blocks = 2.0 * static_cast<double>(model.layers) * 64; // micro-batches of a replica
        const double expected = blocks * (3 * time(CollectiveOp::AllGather) + 2 * time(CollectiveOp::ReduceScatter));
        QVERIFY(isClose(played->steps()[1].duration.value(), expected));
        // Inside of servers only; gradients are sent on the rails.
        const auto inside = played->loadsOf(*fabric, 1), outside = played->loadsOf(*fabric, 2);
        QVERIFY(inside && outside);
        QVERIFY(summaryOf(*fabric, *inside).utilisation < 1e-12 && played->hopsOf(1).empty());
        QVERIFY(summaryOf(*fabric, *outside).utilisation > 0.2 && summaryOf(*fabric, *outside).utilisation < 1.01);
        QCOMPARE(played->hopsOf(2).size(), std::size_t{4}); // a ring of four servers
    }
    // Without overlap, gradients and parameters are sent as in the estimate, where all of it is exposed.
    void withoutOverlapDataIsSentWhole_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QList<int>>("degrees");
        QTest::addColumn<int>("zero");
        QTest::newRow("tied table") << QStringLiteral("megatron-7.5b") << QList<int>{8, 1, 1, 8, 1} << 1;
        QTest::newRow("two tables") << QStringLiteral("llama3-8b") << QList<int>{8, 1, 1, 8, 1} << 1;
        QTest::newRow("experts") << QStringLiteral("mixtral-8x7b") << QList<int>{2, 1, 4, 8, 1} << 1;
        QTest::newRow("tied table, two stages") << QStringLiteral("megatron-7.5b") << QList<int>{8, 1, 1, 4, 2} << 1;
        QTest::newRow("tied table, two stages, summed whole") << QStringLiteral("megatron-1.7b") << QList<int>{8, 1, 1, 4, 2} << 0;
    }
    void withoutOverlapDataIsSentWhole() {
        QFETCH(QString, model);
        QFETCH(QList<int>, degrees);
        QFETCH(int, zero);
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        PlacedJob placed = placedOn(*fabric, model.toLatin1().constData(), {degrees[0], degrees[1], degrees[2], degrees[3], degrees[4]});
        placed.job.zero = zero;
        TrainingPlan plan;
        plan.overlapsData = false;
        const auto estimate = estimateTraining(*fabric, placed, plan);
        const auto played = IterationSteps::create(*fabric, placed, plan);
        QVERIFY(estimate && played);
        Seconds sent;
        for (const CollectiveStep& step : played->steps())
            if (QString::fromStdString(step.name).contains(QLatin1String("data"))) sent += step.duration;
        QVERIFY2(isClose(sent.value(), estimate->breakdown.data.value()),
                 qPrintable(QStringLiteral("%1 %2").arg(sent.value()).arg(estimate->breakdown.data.value())));
    }

private:
    static std::string fmt(const TrainingJob& job) { return job.model.name + " on 256 GPUs"; }
};

QTEST_GUILESS_MAIN(tst_iteration_steps)
#include "tst_iteration_steps.moc"
