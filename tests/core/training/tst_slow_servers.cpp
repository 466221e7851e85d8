// Servers that are known to be slow: what they cost, against the factor for all servers, and the percentiles of expected stragglers.
#include "core/training/job_request.h"
#include "core/training/search.h"
#include "core/training/slow_servers.h"
#include "core/workload/models_json.h"
#include "tests/support/designs.h"

#include <cmath>

using namespace railyard;

class tst_slow_servers : public QObject {
    Q_OBJECT

    // 16 servers of 8 GPUs in two SUs; no stragglers but those that are named.
    const FabricPointer m_fabric = test::fabricOf("superpod-h100", {{"servers", "16"}, {"su_servers", "8"}});
    static TrainingCalibration calm() {
        TrainingCalibration calibration = shippedTrainingCalibration();
        calibration.stragglers = {};
        return calibration;
    }
    TrainingEstimate estimate(const ParameterTexts& options, const TrainingCalibration& calibration = calm()) const {
        ParameterTexts all{{"model", "llama3-8b"}, {"global_batch", "256"}, {"overlap_dp", "off"}};
        for (const auto& [key, value] : options) all[key] = value;
        const auto job = readJob(all);
        if (!job) qFatal("%s", job.error().text.c_str());
        const auto placed = placedOn(*m_fabric, *job);
        if (!placed) qFatal("%s", placed.error().text.c_str());
        const auto found = estimateTraining(*m_fabric, *placed, job->planned.plan, calibration);
        if (!found) qFatal("%s", found.error().text.c_str());
        return *found;
    }
    static void compareTimes(Seconds a, Seconds b) { QVERIFY2(std::abs(a / b - 1) < 1e-9, qPrintable(QString::number(a / b, 'g', 15))); }

private slots:
    // Without stages all wait for the slowest server, whoever it is.
    void oneServerSlowsAll() {
        const ParameterTexts all{{"straggler", "1.2"}};
        const Seconds expected = estimate(all).iteration;
        QVERIFY(expected > estimate({}).iteration * 1.1);
        for (const char* one : {"su[1]/srv[3]=1.2", "su[2]/srv[8]=1.2", "su[*]/srv[*]=1.2", "su[2]/srv[1]/gpu[3]=1.2", "su[1]=1.2",
                                "su[1]/srv[1]=1.2; su[2]/srv[2]=1.1", "su[1]/srv[1]=1.1;su[1]/**=1.2"})
            compareTimes(estimate({{"slow", one}}).iteration, expected);
    }
    // A slow stage of a pipeline: its micro-batches take longer, filling and draining go through it once.
    void oneStageIsSlow() {
        const ParameterTexts pipeline{{"tp", "8"}, {"pp", "4"}, {"micro_batch", "1"}, {"global_batch", "64"}};
        const auto with = [&](const char* key, const char* value) {
            ParameterTexts options = pipeline;
            options[key] = value;
            return estimate(options);
        };
        const TrainingEstimate normal = estimate(pipeline), one = with("slow", "su[1]/srv[5]=1.5"), all = with("straggler", "1.5");
        QVERIFY(one.iteration > normal.iteration);
        QVERIFY(one.iteration < all.iteration);
        // Middle stages have only layers: their passes and the optimizer grow by half, what their micro-batches wait for does not.
        const auto computing = [](const TrainingEstimate& e) { return e.breakdown.forward + e.breakdown.backward; };
        const TrainingEstimate middle = with("slow", "su[1]/srv[5]/gpu[1]=1.5");
        compareTimes(middle.iteration, one.iteration);
        QVERIFY(computing(one) > computing(normal));
        QVERIFY(one.breakdown.bubble < all.breakdown.bubble);
    }
    void adversesAreNoFaster() {
        Seconds before = estimate({}).iteration;
        for (const char* ratio : {"1", "1.01", "1.1", "2", "50"}) {
            const Seconds now = estimate({{"slow", std::string("su[1]/srv[2]=") + ratio}}).iteration;
            QVERIFY(now >= before);
            before = now;
        }
    }
    void serversOutsideOfTheJobDoNotCount() {
        compareTimes(estimate({{"gpus", "64"}, {"slow", "su[2]/srv[3]=3"}}).iteration, estimate({{"gpus", "64"}}).iteration);
    }
    // One server at the median of a job of 16 is normal; over many there is a slow one in every placement. A named server that is slower
    // hides them.
    void percentilesOfStragglers() {
        TrainingCalibration calibration = calm();
        calibration.stragglers = {0.005, 1.1};
        const TrainingEstimate small = estimate({}, calibration);
        compareTimes(small.median, estimate({}).iteration);
        compareTimes(small.percentile99, estimate({{"straggler", "1.1"}}).iteration);
        QVERIFY(small.median < small.iteration && small.iteration < small.percentile99);
        const TrainingEstimate single = estimate({{"gpus", "8"}}, calibration); // P(straggler) = 0.5 %
        compareTimes(single.percentile99, single.median);
        calibration.stragglers.share = 0.5;
        const TrainingEstimate many = estimate({}, calibration);
        compareTimes(many.median, many.percentile99);
        const TrainingEstimate hidden = estimate({{"slow", "su[1]/srv[1]=1.3"}}, calibration);
        compareTimes(hidden.median, estimate({{"straggler", "1.3"}}).iteration);
        compareTimes(hidden.percentile99, hidden.median);
    }
    void searchWaitsForThem() {
        const auto job = readJob({{"model", "llama3-8b"}, {"global_batch", "256"}, {"slow", "su[1]/srv[3]=2"}});
        QVERIFY(job);
        const auto gpus = gpusOf(*m_fabric, Placement::Packed, 1);
        const auto best = [&](const TrainingPlan& plan) {
            const SearchSpace space = usualSpace(*m_fabric, job->planned.job, gpus);
            const auto found = searchTraining(*m_fabric, job->planned.job, gpus, plan, space, {}, {}, calm());
            if (!found || found->best.empty()) qFatal("nothing found");
            return found->best.front();
        };
        TrainingPlan normal = job->planned.plan;
        normal.slow.clear();
        const TrainingEstimate slow = best(job->planned.plan);
        QVERIFY(slow.iteration > best(normal).iteration * 1.2);
        const auto again = estimateTraining(*m_fabric, {slow.job, gpus}, slow.plan, calm());
        QVERIFY(again);
        compareTimes(again->iteration, slow.iteration);
    }
    void textsAreKept_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("kept");
        QTest::newRow("one") << "su[1]/srv[3]=1.2"
                             << "su[1]/srv[3]=1.2";
        QTest::newRow("two") << " su[1]/srv[3]=1.20 ;rack=C07=1.1;"
                             << "su[1]/srv[3]=1.2; rack=C07=1.1";
        QTest::newRow("none") << " ; "
                              << "";
    }
    void textsAreKept() {
        QFETCH(QString, text);
        QFETCH(QString, kept);
        const auto slow = slowServersFrom(text.toStdString());
        QVERIFY(slow);
        QCOMPARE(QString::fromStdString(toText(*slow)), kept);
    }
    void badTexts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("no ratio") << "su[1]/srv[3]"
                                  << "must be a selector and a ratio";
        QTest::newRow("not a number") << "su[1]/srv[3]=slow"
                                      << "must be a selector and a ratio";
        QTest::newRow("faster") << "su[1]/srv[3]=0.9"
                                << "from 1 to 100";
        QTest::newRow("too slow") << "su[1]/srv[3]=101"
                                  << "from 1 to 100";
        QTest::newRow("infinite") << "su[1]/srv[3]=inf"
                                  << "must be a selector and a ratio";
        QTest::newRow("no selector") << "=1.2"
                                     << "slow";
        QTest::newRow("bad selector") << "su[=1.2"
                                      << "slow";
        QTest::newRow("bad second") << "su[1]=1.2;x"
                                    << "must be a selector and a ratio";
    }
    void badTexts() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto slow = slowServersFrom(text.toStdString());
        QVERIFY(!slow);
        QVERIFY2(QString::fromStdString(slow.error().text).contains(says), slow.error().text.c_str());
    }
    void selectorsMatchGpus() {
        for (const char* each : {"su[9]/srv[1]", "su[1]/leaf[1]", "tier=leaf", "part=nothing"}) {
            const auto found = slowdownsOf(*m_fabric, {{each, 1.2}});
            QVERIFY2(!found, each);
            QVERIFY2(found.error().text.find(each) != std::string::npos, found.error().text.c_str());
        }
        const auto ratios = slowdownsOf(*m_fabric, {{"su[1]/srv[1]", 1.2}, {"su[1]/srv[1]/gpu[1]", 1.1}});
        QVERIFY(ratios);
        std::map<double, int> counts;
        for (const DeviceId d : m_fabric->devices.ids()) ++counts[(*ratios)[d]];
        QCOMPARE(counts[1.2], 8);
        QCOMPARE(counts[1.1], 0);
        QVERIFY(slowdownsOf(*m_fabric, {})->empty());
    }
};

QTEST_APPLESS_MAIN(tst_slow_servers)
#include "tst_slow_servers.moc"
