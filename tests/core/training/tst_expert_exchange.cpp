// Time of the tokens of a layer to their experts and back.
#include "core/training/layer_times.h"
#include "core/training/training.h"
#include "core/workload/expert_layout.h"
#include "core/workload/job_traffic.h"
#include "core/workload/models_json.h"
#include "tests/support/designs.h"

#include <cmath>

using namespace railyard;

namespace {

PlacedJob placedWith(const Fabric& fabric, const std::string& model, std::array<std::int64_t, 5> degrees) {
    TrainingJob job = usualJob(*modelOf(model));
    job.degrees = degrees;
    job.globalBatch = job.by(Parallel::Data) * job.by(Parallel::Expert);
    return {job, gpusInOrder(fabric, RankOrder::Near)};
}

Seconds exchangeOf(const Fabric& fabric, PlacedJob placed, ExpertDispatch dispatch) {
    placed.job.dispatch = dispatch;
    PlacedGroups groups(fabric, placed.gpus);
    return *GroupTimes(placed.job, groups).expertExchange(placed.job.tokensOfMicroBatch());
}

} // namespace

class tst_expert_exchange : public QObject {
    Q_OBJECT

private slots:
    // DeepEP on H800, dispatch and combine: 4,096 tokens, hidden 7,168, 8 of 256 experts in 4 of 8 groups, fp8 there, bf16 back
    // (github.com/deepseek-ai/DeepEP, docs).
    void asMeasuredOnH800_data() {
        QTest::addColumn<int>("servers");
        QTest::addColumn<double>("measured");
        QTest::newRow("EP 16") << 2 << 4.1e-3;
        QTest::newRow("EP 32") << 4 << 6.0e-3;
        QTest::newRow("EP 64") << 8 << 6.9e-3;
    }
    void asMeasuredOnH800() {
        QFETCH(int, servers);
        QFETCH(double, measured);
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", std::to_string(servers)}, {"gpu", "h800-sxm5-80"}});
        PlacedJob placed = placedWith(*fabric, "deepseek-v3", {1, 1, 8 * servers, 1, 1});
        placed.job.precision = Precision::Fp8;
        const double time = exchangeOf(*fabric, placed, ExpertDispatch::Domain).value();
        QVERIFY2(std::abs(time / measured - 1) < 0.3, qPrintable(QString::number(time * 1e3)));
    }
    // A copy for each expert takes longer between domains. In one domain nothing is saved.
    void copiesForDomainsAreFewer() {
        for (const int servers : {1, 2, 8}) {
            const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", std::to_string(servers)}});
            const PlacedJob placed = placedWith(*fabric, "deepseek-v3", {1, 1, 8 * servers, 1, 1});
            const Seconds byDomain = exchangeOf(*fabric, placed, ExpertDispatch::Domain),
                          byExpert = exchangeOf(*fabric, placed, ExpertDispatch::Expert);
            if (servers == 1)
                QCOMPARE(byDomain.value(), byExpert.value());
            else
                QVERIFY(byDomain < byExpert);
        }
    }
    // Dispatched by domain, tokens keep to their rail, so that rail-only is as fast as rail-optimized; one for each expert crosses rails.
    void tokensForDomainsStayOnTheirRail() {
        std::array<Seconds, 2> byDomain, byExpert;
        for (const bool isOnly : {false, true}) {
            const FabricPointer fabric = test::fabricOf(isOnly ? "rail-only" : "rail-optimized", {{"servers", "16"}, {"rails", "8"}});
            for (const auto& [degrees, fold] : {std::pair(std::array<std::int64_t, 5>{1, 1, 64, 2, 1}, 1),
                                                {{2, 1, 32, 2, 1}, 1},
                                                {{1, 1, 1, 128, 1}, 32},
                                                {{4, 1, 1, 32, 1}, 64}}) {
                PlacedJob placed = placedWith(*fabric, "deepseek-v3", degrees);
                placed.job.expertFold = fold;
                const auto traffic = jobTrafficOf(*fabric, placed.job, placed.gpus);
                QVERIFY(traffic);
                double sum = 0;
                for (const JobFlow& flow : traffic->flows) {
                    if (flow.kind != Parallel::Expert) continue;
                    sum += flow.bytes;
                    const auto& devices = fabric->devices;
                    QVERIFY(devices.hbDomain[flow.from] == devices.hbDomain[flow.to] || devices.rail[flow.from] == devices.rail[flow.to]);
                }
                const double each = volumesOf(placed.job).expertCopy * tokenCopies(*fabric, placed.job, placed.gpus);
                QVERIFY(std::abs(sum / (each * 128) - 1) < 1e-9);
            }
            const PlacedJob placed = placedWith(*fabric, "deepseek-v3", {1, 1, 64, 2, 1});
            byDomain[isOnly] = exchangeOf(*fabric, placed, ExpertDispatch::Domain);
            byExpert[isOnly] = exchangeOf(*fabric, placed, ExpertDispatch::Expert);
        }
        QVERIFY2(std::abs(byDomain[1] / byDomain[0] - 1) < 1e-9, qPrintable(QString::number(byDomain[1] / byDomain[0])));
        QVERIFY(byExpert[1] > byExpert[0] && byExpert[0] > byDomain[0]);
    }
    // Ranks of a group in 8 + 8 GPUs, 8 + 4 + 4, or in every second place.
    void unevenGroupsSendToAll() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "3"}, {"rails", "8"}});
        const std::vector<DeviceId> all = gpusInOrder(*fabric, RankOrder::Near);
        TrainingJob job = placedWith(*fabric, "deepseek-v3", {1, 1, 16, 1, 1}).job;
        const auto ranks = [&](auto isTaken) {
            std::vector<DeviceId> taken;
            for (std::size_t g = 0; g < all.size(); ++g)
                if (isTaken(g)) taken.push_back(all[g]);
            return taken;
        };
        QCOMPARE(expertsPerDomain(*fabric, job, ranks([](std::size_t g) { return g < 16; })), std::int64_t{8});
        QCOMPARE(expertsPerDomain(*fabric, job, ranks([](std::size_t g) { return g < 12 || g >= 20; })), std::int64_t{0});
        std::vector<DeviceId> mixed;
        for (std::size_t g = 0; g < 8; ++g) mixed.insert(mixed.end(), {all[g], all[g + 8]});
        QCOMPARE(expertsPerDomain(*fabric, job, mixed), std::int64_t{0}); // every domain comes eight times
        const auto traffic = jobTrafficOf(*fabric, job, mixed);
        QVERIFY(traffic && std::abs(traffic->bytes[2] / 16 / volumesOf(job).expert - 1) < 1e-9);
    }
    // What a pass computes hides the exchanges of its other half, and nothing else.
    void overlapHidesNoMoreThanIsComputed() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        for (const auto& [model, degrees] : {std::pair("deepseek-v3", std::array<std::int64_t, 5>{1, 1, 64, 1, 1}),
                                             {"mixtral-8x7b", {1, 1, 8, 8, 1}},
                                             {"mixtral-8x7b", {8, 1, 8, 1, 1}}}) {
            const PlacedJob placed = placedWith(*fabric, model, degrees);
            TrainingPlan plan;
            const auto hidden = estimateTraining(*fabric, placed, plan);
            plan.overlapsExperts = false;
            const auto exposed = estimateTraining(*fabric, placed, plan);
            QVERIFY(hidden && exposed);
            const TrainingBreakdown &with = hidden->breakdown, &without = exposed->breakdown;
            QVERIFY(without.expert > Seconds());
            QVERIFY(with.expert < without.expert);
            QVERIFY(without.expert - with.expert <= (with.forward + with.backward + with.recompute) * (1 + 1e-9));
            QCOMPARE(with.forward.value(), without.forward.value());
            QCOMPARE(with.tensor.value(), without.tensor.value());
            const auto serial = estimateTraining(*fabric, placed, withoutOverlap({}));
            QVERIFY(serial && serial->breakdown.expert == without.expert && serial->breakdown.data >= without.data);
        }
    }
    // All experts of a rank are one product: a kernel, not one for each expert.
    void productsOfExpertsAreGrouped() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "1"}});
        auto speed = speedOf(*fabric, gpusInOrder(*fabric, RankOrder::Near).front(), Precision::Bf16, shippedTrainingCalibration());
        QVERIFY(speed);
        TrainingJob job = usualJob(*modelOf("deepseek-v3"));
        job.degrees = {1, 1, 8, 1, 1}; // 32 experts on each
        speed->constants.matrixOverhead = 0;
        const double without = modelTimes(job, {}, *speed).mixture.matrices.value();
        speed->constants.matrixOverhead = 1e-3;
        const double kernels = (modelTimes(job, {}, *speed).mixture.matrices.value() - without) / 1e-3;
        // Attention: two for queries, two for keys and values, one for the output. The gate, and two each for routed and shared experts.
        QVERIFY2(std::abs(kernels - 10) < 1e-6, qPrintable(QString::number(kernels)));
    }
};

QTEST_GUILESS_MAIN(tst_expert_exchange)
#include "tst_expert_exchange.moc"
