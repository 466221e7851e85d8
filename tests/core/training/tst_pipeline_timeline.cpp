// Schedules that are carried out pass by pass: rules that every schedule keeps, checked on their own, and lengths in closed form.
#include "tests/support/designs.h" // first, because moc cannot parse <concepts>

#include "core/training/pipeline_timeline.h"
#include "core/workload/models_json.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace railyard;

namespace {

using Key = std::tuple<bool, int, int, std::int64_t>; // forward, stage, chunk, micro-batch

std::string faultOf(const std::vector<PipelinePass>& passes, std::int64_t stages, std::int64_t chunks, std::int64_t microBatches) {
    std::map<Key, PipelinePass> by;
    for (const PipelinePass& pass : passes)
        if (!by.emplace(Key(pass.isForward, pass.stage, pass.chunk, pass.microBatch), pass).second) return "a pass twice";
    if (static_cast<std::int64_t>(by.size()) != 2 * stages * chunks * microBatches) return "passes are missing";
    std::map<int, std::vector<std::pair<double, double>>> busy;
    for (const auto& [key, pass] : by) busy[pass.stage].emplace_back(pass.begin.value(), pass.end.value());
    for (auto& [stage, times] : busy) {
        std::sort(times.begin(), times.end());
        for (std::size_t i = 1; i < times.size(); ++i)
            if (times[i].first < times[i - 1].second - 1e-12) return "a stage works on two passes at once";
    }
    // A micro-batch goes through the chunks in the order of the layers, and back: layer block k is chunk k / stages on stage k % stages.
    for (std::int64_t batch = 0; batch < microBatches; ++batch) {
        double last = 0;
        const std::int64_t blocks = stages * chunks;
        for (std::int64_t step = 0; step < 2 * blocks; ++step) {
            const bool isForward = step < blocks;
            const std::int64_t block = isForward ? step : 2 * blocks - 1 - step;
            const PipelinePass& pass = by.at({isForward, static_cast<int>(block % stages), static_cast<int>(block / stages), batch});
            if (pass.begin.value() < last - 1e-12) return "a pass begins before its input is there";
            last = pass.end.value();
        }
    }
    return {};
}

double lastEnd(const std::vector<PipelinePass>& passes) {
    double last = 0;
    for (const PipelinePass& pass : passes) last = std::max(last, pass.end.value());
    return last;
}

// Most chunks of micro-batches whose activations a stage keeps at once.
std::int64_t mostUnderWay(std::vector<PipelinePass> passes, int stage) {
    std::erase_if(passes, [&](const PipelinePass& pass) { return pass.stage != stage; });
    std::sort(passes.begin(), passes.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::int64_t now = 0, most = 0;
    for (const PipelinePass& pass : passes) most = std::max(most, now += pass.isForward ? 1 : -1);
    return most;
}

} // namespace

class tst_pipeline_timeline : public QObject {
    Q_OBJECT

private slots:
    // (m + (p - 1) / v) passes of a micro-batch, sending included (Narayanan et al., SC'21, section 2.2).
    void equalStagesTakeTheTimeOfTheClosedForm() {
        for (const std::int64_t p : {1, 2, 3, 4, 8})
            for (const std::int64_t v : {1, 2, 3})
                for (const std::int64_t rounds : {1, 2, 5}) {
                    if (p == 1 && v > 1) continue;
                    const std::int64_t m = p * rounds;
                    const double f = 1.25, b = 2.5, sent = p > 1 ? 0.125 : 0;
                    const auto passes = carryOut(std::vector<Iteration::Passes>(static_cast<std::size_t>(p), {Seconds(f), Seconds(b)}),
                                                 Seconds(0.125), m, v);
                    const std::string fault = faultOf(passes, p, v, m);
                    QVERIFY2(fault.empty(), fault.c_str());
                    const double of = (f + b) / static_cast<double>(v) + 2 * sent;
                    QCOMPARE(lastEnd(passes), static_cast<double>(m * v + p - 1) * of);
                    for (int s = 0; v == 1 && s < p; ++s) QCOMPARE(mostUnderWay(passes, s), std::min(m, p - s));
                }
    }
    // Fewer micro-batches than stages, and numbers that no rule prefers.
    void unequalStagesKeepTheRules() {
        test::Random random{7};
        for (int i = 0; i < 300; ++i) {
            const std::int64_t p = 1 + random.below(7), v = p > 1 ? 1 + random.below(3) : 1;
            const std::int64_t m = v > 1 ? p * (1 + random.below(4)) : 1 + random.below(20);
            std::vector<Iteration::Passes> stages;
            double most = 0, sum = 0;
            for (std::int64_t s = 0; s < p; ++s) {
                stages.push_back({Seconds(1 + random.below(100) / 50.0), Seconds(1 + random.below(100) / 25.0)});
                const double both = (stages.back().forward + stages.back().backward).value();
                most = std::max(most, both);
                sum += both;
            }
            const auto passes = carryOut(stages, Seconds(), m, v);
            const std::string fault = faultOf(passes, p, v, m);
            QVERIFY2(fault.empty(), fault.c_str());
            // No stage can do more, and one micro-batch alone takes its way through all of them.
            QVERIFY(lastEnd(passes) >= most * static_cast<double>(m) - 1e-9 && lastEnd(passes) >= sum - 1e-9);
        }
    }
    // Carried out, the schedule takes as long as the estimate says where all stages are alike, and nearly so where they are not.
    void theEstimateHasItsLength_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("pp");
        QTest::addColumn<int>("interleave");
        QTest::addColumn<double>("within");
        QTest::newRow("one stage") << "llama3-8b" << 1 << 1 << 1e-9;
        QTest::newRow("eight") << "gpt3-175b" << 8 << 1 << 0.03;
        QTest::newRow("eight, interleaved") << "gpt3-175b" << 8 << 3 << 0.03;
        QTest::newRow("uneven layers") << "llama3-70b" << 3 << 1 << 0.03;
    }
    void theEstimateHasItsLength() {
        QFETCH(QString, model);
        QFETCH(int, pp);
        QFETCH(int, interleave);
        QFETCH(double, within);
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "24"}});
        TrainingJob job = usualJob(*modelOf(model.toStdString()));
        job.degrees = {8, 1, 1, 0, pp};
        job.interleave = interleave;
        const PlacedJob placed = placedJob(job, *fabric, RankOrder::Near);
        const auto estimate = estimateTraining(*fabric, placed, {});
        const auto timeline = pipelineTimeline(*fabric, placed, {});
        QVERIFY(estimate && timeline);
        const std::string fault = faultOf(timeline->passes, timeline->stages, timeline->chunks, timeline->microBatches);
        QVERIFY2(fault.empty(), fault.c_str());
        const double off = timeline->length() / estimate->iteration - 1;
        QVERIFY2(std::abs(off) <= within, std::to_string(off).c_str());
        QCOMPARE(timeline->exposedData, estimate->breakdown.data + estimate->breakdown.tied);
        QVERIFY(timeline->hiddenData > Seconds());
        TrainingPlan serial;
        serial.overlapsData = false;
        QCOMPARE(pipelineTimeline(*fabric, placed, serial)->hiddenData, Seconds());
        const double idle = timeline->idleShare;
        QVERIFY(pp == 1 ? idle == 0 : idle > 0 && idle < 0.5);
    }
    void whatIsTooLongSaysSo() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "2"}});
        TrainingJob job = usualJob(*modelOf("llama3-8b"));
        job.globalBatch = 4'000'000;
        const auto none = pipelineTimeline(*fabric, placedJob(job, *fabric, RankOrder::Near), {});
        QVERIFY(!none && none.error().text.find("too many for a timeline") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_pipeline_timeline)
#include "tst_pipeline_timeline.moc"
