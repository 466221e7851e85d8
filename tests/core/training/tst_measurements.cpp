// Measured operations and collectives in place of the built-in curves.
#include "tests/support/designs.h"

#include "core/collective/collective.h"
#include "core/training/group_times.h"
#include "core/training/layer_times.h"
#include "core/training/measurements.h"
#include "core/training/training.h"
#include "core/workload/models_json.h"

using namespace railyard;

class tst_measurements : public QObject {
    Q_OBJECT

    static bool isClose(double a, double b) { return std::abs(a / b - 1) < 1e-9; }
    static TrainingCalibration with(const std::string& text, const std::string& file = "layers.csv") {
        TrainingCalibration calibration = shippedTrainingCalibration();
        if (const Status added = addCalibrationFile(text, file, calibration); !added) qFatal("%s", toText(added.error()).c_str());
        return calibration;
    }
    static std::string refusalOf(const std::string& text, const std::string& file = "layers.csv") {
        TrainingCalibration calibration = shippedTrainingCalibration();
        const Status added = addCalibrationFile(text, file, calibration);
        if (added) return {};
        std::string all;
        for (const Error& each : added.errors()) all += toText(each) + "\n";
        return all;
    }
    // As all_reduce_perf writes it: the times of the engine, multiplied.
    static std::string output(const Fabric& fabric, CollectiveOp op, std::int64_t ranks, double factor) {
        std::string text = "# nThread 1 nGpus 1 minBytes 1024 maxBytes 17179869184\n# Using devices\n";
        for (std::int64_t r = 0; r < ranks; ++r) text += "#  Rank " + std::to_string(r) + " Group 0 Pid 1 on n1 device 0 [0x1b] GPU\n";
        text += "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"
                "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";
        const auto group = Communicator::create(fabric, ranks, RankOrder::Near);
        for (std::int64_t bytes = 1024; bytes <= std::int64_t{1} << 34; bytes *= 4) {
            const double time = group->time(op, Bytes(bytes))->best.time.value() * 1e6 * factor;
            text += QStringLiteral("%1 1 float sum -1 %2 1.0 1.0 0 99 1.0 1.0 0\n").arg(bytes).arg(time, 0, 'f', 9).toStdString();
        }
        return text + "# Out of bounds values : 0 OK\n";
    }

private slots:
    void shapesHaveTheirTimes() {
        const auto measured =
            MeasuredTimes::read("operation,shape,us\nmatmul,100x200x300,10\nmatmul,100x200x300,30\nmatmul,1000x2000x3000,2000\n"
                                "move,1000,1\nattention,10x20×2x8,5\n",
                                "layers.csv");
        QVERIFY(measured);
        QVERIFY(isClose(*measured->product(100, 200, 300), 20e-6)); // the mean
        QVERIFY(isClose(*measured->product(1000, 2000, 3000), 2e-3));
        const double slow = 2 * 100 * 200 * 300 / 20e-6, fast = 2e3 * 2000 * 3000 / 2e-3;
        QVERIFY(isClose(*measured->product(10, 20, 30), 2 * 10 * 20 * 30 / slow)); // beyond the smallest and the largest
        QVERIFY(isClose(*measured->product(1e4, 2e4, 3e4), 2 * 1e4 * 2e4 * 3e4 / fast));
        const double middle = 2 * 100 * 200 * 300 * std::sqrt(1000.0); // half way between both, by logarithm
        QVERIFY(isClose(*measured->product(middle / 2, 1, 1), middle / ((slow + fast) / 2)));
        QVERIFY(isClose(*measured->attention(4 * 10 * 20 * 2 * 8), 5e-6));
        QVERIFY(isClose(*measured->move(3000), 3e-6));
        QVERIFY(!MeasuredTimes::read("operation,shape,us\nmove,1000,1\n", "f")->product(1, 1, 1));
    }
    // With one rate for all products, a layer takes its FLOPs / rate; what was not measured stays.
    void layersTakeMeasuredTimes() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "1"}, {"server", "srv-dgx-h200"}});
        TrainingJob job = usualJob(*modelOf("gpt3-175b"));
        job.degrees = {8, 1, 1, 1, 1};
        job.globalBatch = 1;
        job.isAttentionFused = false;
        const DeviceId gpu = gpusInOrder(*fabric, RankOrder::Near).front();
        const auto builtIn = speedOf(*fabric, gpu, Precision::Bf16, shippedTrainingCalibration());
        const auto measured = speedOf(*fabric, gpu, Precision::Bf16, with("operation,shape,us\nmatmul,1000x1000x1000,10\n"));
        QVERIFY(builtIn && measured && measured->constants.isCalibrated && !builtIn->constants.isCalibrated);
        const double flops = 24.0 * 2048 * 12288 * 12288 / 8, rate = 2e9 / 10e-6;
        const ModelTimes before = modelTimes(job, {}, *builtIn), after = modelTimes(job, {}, *measured);
        QVERIFY(isClose(after.dense.matrices.value(), flops / rate));
        QVERIFY(isClose((after.dense.forward - after.dense.matrices).value(), (before.dense.forward - before.dense.matrices).value()));
        const auto flash = speedOf(*fabric, gpu, Precision::Bf16, with("operation,shape,us\nattention,2048x2048x12x128,777\n"));
        QVERIFY(flash && !flash->constants.isCalibrated);     // its products are still those of the built-in curve
        const ModelTimes tiled = modelTimes(job, {}, *flash); // softmax and its dropout are part of what was measured
        QVERIFY(isClose(tiled.dense.attention.value(), 777e-6));
        QCOMPARE(tiled.dense.matrices, before.dense.matrices);
    }
    // Twice the time at every size is twice the time of every group that stays in its domain like the test, and of no other.
    void collectivesTakeMeasuredTimes() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        TrainingJob job = usualJob(*modelOf("gpt3-175b"));
        job.degrees = {4, 1, 1, 8, 1};
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const TrainingCalibration inside = with(output(*fabric, CollectiveOp::AllGather, 8, 2), "all_gather_h100.txt"),
                                  outside = with(output(*fabric, CollectiveOp::AllGather, 16, 3), "all_gather_16.log");
        QCOMPARE(inside.collectives.front().ranks, 8);
        for (const double bytes : {5000.0, 1e6, 3e8}) {
            PlacedGroups plain(*fabric, gpus), twice(*fabric, gpus, inside.collectives), thrice(*fabric, gpus, outside.collectives);
            const auto time = [&](PlacedGroups& groups, RankGroup group, CollectiveOp op) {
                return GroupTimes(job, groups).time(group, op, bytes)->value();
            };
            const double tensor = time(plain, RankGroup::Tensor, CollectiveOp::AllGather),
                         data = time(plain, RankGroup::Dense, CollectiveOp::AllGather);
            QVERIFY(isClose(time(twice, RankGroup::Tensor, CollectiveOp::AllGather), 2 * tensor));
            QVERIFY(isClose(time(twice, RankGroup::Dense, CollectiveOp::AllGather), data));
            QVERIFY(isClose(time(thrice, RankGroup::Tensor, CollectiveOp::AllGather), tensor));
            QVERIFY(isClose(time(thrice, RankGroup::Dense, CollectiveOp::AllGather), 3 * data));
            QVERIFY(isClose(time(twice, RankGroup::Tensor, CollectiveOp::ReduceScatter),
                            time(plain, RankGroup::Tensor, CollectiveOp::ReduceScatter)));
        }
    }
    void saysHowFarTheBuiltInOneWasOff() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const auto speed = speedOf(*fabric, gpus.front(), Precision::Bf16, shippedTrainingCalibration());
        const auto own = MeasuredTimes::read("operation,shape,us\nmatmul,2048x2048x2048,1\nmove,1000000,1\n", "f");
        std::string rows = "operation,shape,us\n"; // the built-in times, the product 25 % longer, the kernel a fifth shorter
        rows += QStringLiteral("matmul,2048x2048x2048,%1\n")
                    .arg(timeOf(own->operations()[0], *speed).value() * 1.25e6, 0, 'g', 15)
                    .toStdString();
        rows += QStringLiteral("move,1000000,%1\n").arg(timeOf(own->operations()[1], *speed).value() * 0.8e6, 0, 'g', 15).toStdString();
        TrainingCalibration calibration = with(rows);
        QVERIFY(addCalibrationFile(output(*fabric, CollectiveOp::AllReduce, 32, 0.5), "all_reduce.txt", calibration));
        QCOMPARE(calibration.name, std::string("training.json + layers.csv + all_reduce.txt"));
        const auto checks = checksOf(*fabric, gpus, calibration);
        QVERIFY(checks && checks->size() == 2);
        QCOMPARE(checks->front().count, std::size_t{2});
        QVERIFY(isClose(checks->front().meanError, (0.2 + 0.25) / 2));
        QVERIFY(isClose(checks->front().worstError, 0.25) && checks->front().worst == "move 1000000");
        QVERIFY(std::abs(checks->back().meanError - 1) < 1e-6 && checks->back().what == "all-reduce of 32 ranks");
    }
    void badFilesSayWhatWouldBeRight_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        const char* head = "operation,shape,us\n";
        for (const auto& [row, said] : {std::pair("matmul,,9", ":2:2: matmul has no shape; write MxNxK, for example 4096x12288x1536"),
                                        {"matmul,12x13,9", ":2:2: shape \"12x13\" of matmul: must be MxNxK"},
                                        {"matmul,12x13x0,9", ":2:2: shape"},
                                        {"matmul,12x13x1e400,9", ":2:2: shape"},
                                        {"attention,1x2x3,9", "must be TxSxHxD"},
                                        {"gemm,1x2x3,9", ":2:1: operation \"gemm\": must be matmul, attention or move"},
                                        {"move,100,0", ":2:3: us = \"0\": must be a number from 0.001"},
                                        {"move,100,fast", ":2:3: us = \"fast\""},
                                        {"", "has no measured operation"}})
            QTest::newRow(row) << (QByteArray(head) + row + "\n") << QByteArray(said);
        QTest::newRow("columns") << QByteArray("operation,us\nmove,1\n") << QByteArray(":1:1: there is no column \"shape\"");
        QTest::newRow("no ranks") << QByteArray("# size count time busbw\n 1024 1 3 4\n") << QByteArray("lists no ranks");
        QTest::newRow("no operation") << QByteArray("# Rank 0\n# Rank 1\n# size count time busbw\n 1024 1 3 4\n")
                                      << QByteArray("does not say which operation was measured");
        QTest::newRow("no columns") << QByteArray(
                                           "# nThread 1\n# Collective test starting: all_reduce_perf\n# Rank 0\n# Rank 1\n 1024 1 3\n")
                                    << QByteArray(":5:1: a size stands before");
        QTest::newRow("no time")
            << QByteArray("# Collective test starting: all_reduce_perf\n# Rank 0\n# Rank 1\n# size count time busbw\n 1024 1 N/A\n")
            << QByteArray("microseconds from 0.001");
    }
    // Several programs in one log are several tests; their ranks do not add up.
    void aLogOfTwoProgramsHoldsTwoTests() {
        const auto fabric = test::fabricOf("rail-optimized", {{"servers", "4"}});
        const auto run = [&](const char* program, CollectiveOp op, std::int64_t ranks, double factor) {
            return std::string("# Collective test starting: ") + program + "\n" + output(*fabric, op, ranks, factor);
        };
        const auto tests = readNcclTests(
            run("all_reduce_perf", CollectiveOp::AllReduce, 32, 2) + run("all_gather_perf", CollectiveOp::AllGather, 16, 3), "log");
        QVERIFY(tests);
        QCOMPARE(tests->size(), std::size_t{2});
        QCOMPARE((*tests)[0].op, CollectiveOp::AllReduce);
        QCOMPARE((*tests)[0].ranks, std::int64_t{32});
        QCOMPARE((*tests)[1].op, CollectiveOp::AllGather);
        QCOMPARE((*tests)[1].ranks, std::int64_t{16});
        // Older versions do not say that they start: the second list of ranks says it, and the name of the file the operation.
        const auto old = readNcclTests(output(*fabric, CollectiveOp::AllReduce, 32, 2) + output(*fabric, CollectiveOp::AllReduce, 8, 2),
                                       "all_reduce.txt");
        QVERIFY(old && old->size() == 2 && (*old)[0].ranks == 32 && (*old)[1].ranks == 8);
        const auto twice = readNcclTests(output(*fabric, CollectiveOp::AllReduce, 8, 2) + output(*fabric, CollectiveOp::AllReduce, 8, 3),
                                         "all_reduce.txt");
        QVERIFY(!twice && twice.error().text.find("measured twice") != std::string::npos && twice.error().where.line > 8);
    }
    void runsWithWrongResultsAreRefused() {
        const auto fabric = test::fabricOf("rail-optimized", {{"servers", "4"}});
        const std::string good = output(*fabric, CollectiveOp::AllReduce, 8, 2);
        QVERIFY(readNcclTests(good, "all_reduce.txt"));
        std::string failed = good, wrong = good, inPlace = good, unchecked = good;
        failed.replace(failed.find("0 OK"), 4, "3 FAILED");
        wrong.replace(wrong.find("1.0 1.0 0 99"), 12, "1.0 1.0 4 99");
        inPlace.replace(inPlace.find("99 1.0 1.0 0\n"), 13, "99 1.0 1.0 4\n");
        unchecked.replace(unchecked.find("1.0 1.0 0 99"), 12, "1.0 1.0 N/A 99");
        for (const std::string& text : {failed, wrong, inPlace}) {
            const auto refused = readNcclTests(text, "all_reduce.txt");
            QVERIFY(!refused);
            QVERIFY2(refused.error().text.find("wrong") != std::string::npos && refused.error().where.line > 0,
                     refused.error().text.c_str());
        }
        QVERIFY(readNcclTests(unchecked, "all_reduce.txt")); // -c 0: results were not checked
    }
    void badFilesSayWhatWouldBeRight() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        const std::string refusal = refusalOf(text.toStdString());
        QVERIFY2(refusal.find(said.toStdString()) != std::string::npos, refusal.c_str());
    }
    void filesThatSayTheSameTwiceAreRefused() {
        TrainingCalibration calibration = with("operation,shape,us\nmove,1,1\n");
        QVERIFY(!addCalibrationFile("operation,shape,us\nmove,1,1\n", "again.csv", calibration));
        const std::string test = "# Rank 0\n# Rank 1\n# size count time busbw\n 1024 1 3 4\n";
        QVERIFY(addCalibrationFile(test, "all_reduce.txt", calibration));
        QVERIFY(addCalibrationFile(test, "reduce.txt", calibration)); // another operation
        QVERIFY(!addCalibrationFile(test, "all_reduce_again.txt", calibration));
        QCOMPARE(calibration.collectives.size(), std::size_t{2});
        QVERIFY(calibration.collectives[1].op == CollectiveOp::Reduce);
    }
};

QTEST_GUILESS_MAIN(tst_measurements)
#include "tst_measurements.moc"
