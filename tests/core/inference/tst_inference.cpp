// Serving a model: memory and rates in closed form, and what the network does to them.
#include "tests/support/designs.h" // first, because moc cannot parse <concepts>

#include "core/analysis/curves/training_curves.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/inference/inference.h"
#include "core/training/layer_times.h"
#include "core/workload/models_json.h"

#include <cmath>
#include <set>

using namespace railyard;

class tst_inference : public QObject {
    Q_OBJECT

    static InferenceRequest of(const char* model) {
        InferenceRequest request;
        request.model = *modelOf(model);
        return request;
    }
    static InferenceEstimate estimate(const Fabric& fabric, const InferenceRequest& request) {
        const auto found = estimateInference(fabric, request);
        if (!found) qFatal("%s", found.error().text.c_str());
        return *found;
    }

private slots:
    // Published: 70 KB a token for DeepSeek-V3 and 516 KB for Llama-3.1 405B (DeepSeek-AI, ISCA 2025, Table 1).
    void cachesHaveThePublishedSizes() {
        QCOMPARE(cacheBytes(*modelOf("deepseek-v3"), 1) * 61, 70'272.0);
        QCOMPARE(cacheBytes(*modelOf("llama3-405b"), 1) * 126, 516'096.0);
        QCOMPARE(cacheBytes(*modelOf("llama3-70b"), 4), cacheBytes(*modelOf("llama3-70b"), 1) / 4);
        QCOMPARE(cacheBytes(*modelOf("llama3-70b"), 16), cacheBytes(*modelOf("llama3-70b"), 8)); // 8 heads of keys
        QCOMPARE(cacheBytes(*modelOf("deepseek-v3"), 8), cacheBytes(*modelOf("deepseek-v3"), 1));
    }
    void memoryIsWeightsAndCache() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        InferenceRequest request = of("llama3-70b");
        request.batch = 100;
        const InferenceEstimate e = estimate(*fabric, request);
        const double parameters = request.model.denseParametersOfLayers() + 2 * request.model.embeddingParameters();
        QCOMPARE(e.memory.weights, parameters * 2 / 8 / (1 << 30));
        QCOMPARE(e.memory.cache, 100.0 * 2560 * 80 * 4096 / 8 / (1 << 30));
        request.precision = Precision::Fp8;
        QCOMPARE(estimate(*fabric, request).memory.weights, e.memory.weights / 2);
        request.precision = Precision::Bf16;
        request.batch = e.mostSequences;
        QVERIFY(estimate(*fabric, request).isFeasible());
        ++request.batch;
        const InferenceEstimate more = estimate(*fabric, request);
        QVERIFY(!more.isFeasible());
        QVERIFY2(more.reasons.front().find("it would fit with a batch of " + std::to_string(e.mostSequences)) != std::string::npos,
                 more.reasons.front().c_str());
    }
    // One sequence: every weight is read once for a token, so no step is shorter; and a prompt takes its FLOPs.
    void passesAreNotFasterThanTheGpu() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        InferenceRequest request = of("llama3-70b");
        request.batch = 1;
        const InferenceEstimate e = estimate(*fabric, request);
        const double bytes = request.model.denseParametersOfLayers() * 2 / 8;
        QVERIFY(e.decode.compute.value() > bytes / 3.35e12 && e.decode.compute.value() < 2.5 * bytes / 3.35e12);
        const double flops = 2 * request.model.denseParametersOfLayers() * 2048 / 8;
        QVERIFY(e.prefill.compute.value() > flops / 989e12 && e.prefill.compute.value() < 2.5 * flops / 989e12);
        QCOMPARE(e.decode.networkShare(), e.decode.tensor / e.decode.total());
    }
    // Little's law: as many answers are under way as the batches of all replicas hold.
    void ratesFollowFromTheTimes() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        InferenceRequest request = of("llama3-70b");
        for (const std::int64_t batch : {1, 8, 64}) {
            request.batch = batch;
            request.prefillShare = 0;
            const InferenceEstimate e = estimate(*fabric, request);
            QCOMPARE(e.replicas, std::int64_t{8});
            const double underWay = e.requestsPerSecond * 512 * e.timePerOutputToken.value();
            QVERIFY(std::abs(underWay / (8.0 * static_cast<double>(batch)) - 1) < 1e-9);
            // A replica is busy all the time.
            const double busy =
                e.requestsPerSecond / 8 * (e.prefill.longestStage.value() + 512 * e.step.value() / static_cast<double>(batch));
            QVERIFY(std::abs(busy - 1) < 1e-9);
        }
    }
    // Of all shares, the balanced one serves most requests.
    void theBalancedShareIsTheBest() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        InferenceRequest request = of("llama3-70b");
        request.batch = 64;
        double most = 0, best = 0, balanced = 0;
        for (int prefill = 1; prefill < 32; ++prefill) {
            request.prefillShare = prefill / 32.0;
            const InferenceEstimate e = estimate(*fabric, request);
            QCOMPARE(e.prefillReplicas, std::int64_t{prefill});
            QVERIFY(e.cacheTransfer > Seconds() && e.cacheBytesPerSecond > 0);
            if (e.requestsPerSecond > most) most = e.requestsPerSecond, best = request.prefillShare;
            balanced = e.balancedPrefillShare;
        }
        QVERIFY2(std::abs(best - balanced) <= 1 / 32.0, qPrintable(QStringLiteral("%1 %2").arg(best).arg(balanced)));
    }
    void largerBatchesServeMoreAndSlower() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const auto curve = inferenceCurve(*fabric, of("llama3-70b"));
        QVERIFY(curve && curve->size() > 5);
        for (std::size_t i = 1; i < curve->size(); ++i) {
            QCOMPARE((*curve)[i].batch, 2 * (*curve)[i - 1].batch);
            QVERIFY((*curve)[i].tokensPerSecondPerGpu() > (*curve)[i - 1].tokensPerSecondPerGpu());
            QVERIFY((*curve)[i].timePerOutputToken > (*curve)[i - 1].timePerOutputToken);
            QVERIFY((*curve)[i].isFeasible());
        }
    }
    // Groups that leave the HB domain wait for the network: half its speed makes them slower, and the HB domain does not care.
    void theNetworkCounts() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const Fabric slow = *atSpeeds(*fabric, 0.5, 1);
        InferenceRequest inside = of("llama3-70b"), across = inside;
        inside.batch = across.batch = 64;
        across.tensor = 16;
        QCOMPARE(estimate(slow, inside).timePerOutputToken, estimate(*fabric, inside).timePerOutputToken);
        QVERIFY(estimate(slow, across).timeToFirstToken > estimate(*fabric, across).timeToFirstToken);
        InferenceRequest experts = of("mixtral-8x7b");
        experts.tensor = 2;
        experts.expert = 8;
        experts.batch = 32;
        QVERIFY(estimate(*fabric, experts).decode.expert > Seconds());
        QVERIFY(estimate(slow, experts).prefill.expert > estimate(*fabric, experts).prefill.expert);
    }
    // The flows add up to what the estimate says a GPU sends, of every kind.
    void flowsAreWhatIsSent() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        InferenceRequest request = of("mixtral-8x7b");
        request.tensor = 2;
        request.expert = 4;
        request.pipeline = 2;
        request.prefillShare = 0.25;
        const InferenceEstimate e = estimate(*fabric, request);
        const auto flows = inferenceFlows(*fabric, request);
        QVERIFY(flows);
        double sum = 0;
        for (const GpuFlow& flow : *flows) {
            QVERIFY(flow.from != flow.to && flow.volume > 0);
            sum += flow.volume;
        }
        const double perGpu = e.tensorBytesPerSecond + e.expertBytesPerSecond + e.pipelineBytesPerSecond + e.cacheBytesPerSecond;
        for (const double each : {e.tensorBytesPerSecond, e.expertBytesPerSecond, e.pipelineBytesPerSecond, e.cacheBytesPerSecond})
            QVERIFY(each > 0);
        QVERIFY(std::abs(sum / (perGpu * 128) - 1) < 1e-9);
    }
    // Replicas that share experts are of one kind, and every decode replica gets caches: the slowest transfer counts, and a failed path is
    // an error wherever it is.
    void replicasApartAreWholeGroups() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        InferenceRequest request = of("mixtral-8x7b");
        request.tensor = 1;
        request.expert = 8;
        for (const double share : {0.01, 0.3, 0.4, 0.99}) {
            request.prefillShare = share;
            const InferenceEstimate e = estimate(*fabric, request);
            QCOMPARE(e.prefillReplicas % 8, std::int64_t{0});
            QVERIFY(e.prefillReplicas >= 8 && e.decodeReplicas >= 8);
        }
        InferenceRequest dense = of("llama3-8b");
        dense.tensor = 1;
        dense.batch = 16;
        dense.prefillShare = 7 / 128.0; // one of the seven has a partner in its server
        const Seconds seven = estimate(*fabric, dense).cacheTransfer;
        dense.prefillShare = 8 / 128.0;
        QCOMPARE(estimate(*fabric, dense).cacheTransfer, seven);
        const auto flows = inferenceFlows(*fabric, dense);
        QVERIFY(flows);
        std::set<std::uint32_t> reached;
        for (const GpuFlow& flow : *flows) reached.insert(flow.to);
        QCOMPARE(reached.size(), std::size_t{120}); // all that decode
        for (const char* server : {"su[1]/srv[9]/nic[*]", "su[1]/srv[16]/nic[*]"}) {
            Removal removal = *removalOf(*fabric, {{server}, 0, 1});
            const FabricPointer damaged = without(fabric, removal.devices, removal.links);
            InferenceRequest large = of("llama3-70b");
            large.prefillShare = 0.5;
            QVERIFY2(!estimateInference(*damaged, large), server);
        }
    }
    // Long prompts and short answers: those that work on prompts send nearly all of the traffic.
    void trafficFollowsTheWork() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        InferenceRequest request = of("llama3-8b");
        request.promptTokens = 8192;
        request.outputTokens = 4;
        request.prefillShare = 0.125;
        const auto flows = inferenceFlows(*fabric, request);
        QVERIFY(flows);
        double ofPrefill = 0, all = 0;
        for (const GpuFlow& flow : *flows) {
            all += flow.volume;
            if (fabric->devices.server[flow.from] < 2) ofPrefill += flow.volume;
        }
        QVERIFY(ofPrefill > 0.999 * all);
    }
    // The longest stage of a pipeline works on every part of the batch.
    void theLongestStageLimitsDecoding() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        InferenceRequest request = of("llama3-8b");
        request.tensor = 1;
        request.pipeline = 16;
        request.batch = 256;
        const InferenceEstimate e = estimate(*fabric, request);
        QVERIFY(e.step >= 16 * e.decode.longestStage && e.step > e.decode.total());
    }
    // Of few tokens not all experts are used.
    void fewTokensReadFewExperts() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "2"}});
        InferenceRequest request = of("mixtral-8x7b");
        request.batch = 1;
        const double one = estimate(*fabric, request).decode.compute.value();
        request.batch = 64;
        const double many = estimate(*fabric, request).decode.compute.value();
        QVERIFY(one < 0.5 * many);
    }
    void badRequestsSayWhy_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("pp");
        QTest::addColumn<int>("ep");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<double>("share");
        QTest::newRow("heads") << "tp = 7: must divide the 64 heads" << 7 << 1 << 1 << 0 << 0.0;
        QTest::newRow("layers") << "pp = 81" << 8 << 81 << 1 << 0 << 0.0;
        QTest::newRow("experts") << "has no experts" << 8 << 1 << 2 << 0 << 0.0;
        QTest::newRow("too large") << "a replica needs" << 64 << 2 << 1 << 0 << 0.0;
        QTest::newRow("GPUs") << "gpus = 99" << 8 << 1 << 1 << 99 << 0.0;
        QTest::newRow("one replica") << "need two groups of 8 GPUs" << 8 << 1 << 1 << 8 << 0.5;
        QTest::newRow("share") << "less than 1" << 8 << 1 << 1 << 0 << 1.0;
    }
    void badRequestsSayWhy() {
        QFETCH(QString, said);
        QFETCH(int, tp);
        QFETCH(int, pp);
        QFETCH(int, ep);
        QFETCH(int, gpus);
        QFETCH(double, share);
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        InferenceRequest request = of("llama3-70b");
        request.tensor = tp;
        request.pipeline = pp;
        request.expert = ep;
        request.gpus = gpus;
        request.prefillShare = share;
        const auto found = estimateInference(*fabric, request);
        QVERIFY(!found);
        QVERIFY2(QString::fromStdString(found.error().text).contains(said), found.error().text.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_inference)
#include "tst_inference.moc"
