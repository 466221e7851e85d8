// Generation, scoring and training in turn.
#include "tests/support/designs.h" // first, because moc cannot parse <concepts>

#include "core/analysis/curves/training_curves.h"
#include "core/inference/reinforcement.h"
#include "core/workload/models_json.h"

#include <cmath>

using namespace railyard;

class tst_reinforcement : public QObject {
    Q_OBJECT

    static ReinforcementRequest request(const Fabric& fabric, const char* model, std::int64_t tp, std::int64_t pp, std::int64_t answers) {
        TrainingJob job = usualJob(*modelOf(model));
        job.degrees = {tp, 1, 1, 0, pp};
        job.globalBatch = answers;
        ReinforcementRequest request;
        request.training = placedJob(job, fabric, RankOrder::Near);
        return request;
    }
    static ReinforcementEstimate estimate(const Fabric& fabric, const ReinforcementRequest& request) {
        const auto found = estimateReinforcement(fabric, request);
        if (!found) qFatal("%s", found.error().text.c_str());
        return *found;
    }

private slots:
    void anIterationIsItsParts() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        ReinforcementRequest asked = request(*fabric, "llama3-8b", 2, 2, 512);
        asked.generationBatch = 3;
        const ReinforcementEstimate e = estimate(*fabric, asked);
        QCOMPARE(e.iteration(), e.resharding + e.generating + e.scoring + e.updating);
        QVERIFY(e.onNetwork() > Seconds() && e.onNetwork() < e.iteration());
        // The update is that of training on prompts with their answers.
        TrainingJob job = asked.training.job;
        job.model.sequenceTokens = 1536;
        QCOMPARE(e.updating, estimateTraining(*fabric, {job, asked.training.gpus}, {})->iteration);
        // 64 replicas have 8 answers each, at most 3 at once.
        QCOMPARE(e.generation.replicas, std::int64_t{64});
        QCOMPARE(e.waves, std::int64_t{3});
        // All wait for the slowest replica, whose messages take no longer.
        const auto slowest = [&](double seconds, double network) {
            return seconds * (network + (1 - network) * shippedTrainingCalibration().stragglers.expectedSlowdown(16));
        };
        const double generating = 8 * slowest(e.generation.prefill.longestStage.value(), e.generation.prefill.networkShare()) +
                                  3 * 1024 * slowest(e.generation.step.value(), e.generation.decode.networkShare());
        QVERIFY(std::abs(e.generating.value() / generating - 1) < 1e-12);
    }
    void scoringIsAForwardPassOfEachModel() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        ReinforcementRequest asked = request(*fabric, "llama3-8b", 2, 1, 256);
        asked.scoringModels = 1;
        const double one = estimate(*fabric, asked).scoring.value();
        asked.scoringModels = 4;
        const ReinforcementEstimate four = estimate(*fabric, asked);
        QVERIFY(std::abs(four.scoring.value() / (4 * one) - 1) < 1e-12);
        QVERIFY(one > four.training.breakdown.forward.value()); // its messages are not hidden
        QVERIFY(one < four.training.iteration.value());
        QVERIFY(four.scoringMessages > Seconds() && four.scoringMessages < four.scoring);
        asked.scoringModels = 0;
        QCOMPARE(estimate(*fabric, asked).scoring, Seconds());
    }
    void weightsAreGatheredWhereTheLayoutsDiffer() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        QCOMPARE(estimate(*fabric, request(*fabric, "llama3-8b", 4, 1, 256)).resharding, Seconds());
        ReinforcementRequest asked = request(*fabric, "llama3-8b", 4, 2, 256);
        const Seconds fast = estimate(*fabric, asked).resharding;
        QVERIFY(fast > Seconds());
        asked.generationTensor = 8; // as many parts as training has, but of other layers
        QVERIFY(estimate(*fabric, asked).resharding > Seconds());
        asked.generationTensor = 0;
        ReinforcementRequest divided = request(*fabric, "llama3-8b", 4, 1, 256);
        divided.training.job.zero = 3; // a GPU has a part of every weight
        QVERIFY(estimate(*fabric, divided).resharding > Seconds());
        divided.training.job.zero = 1;
        divided.generationTensor = 8; // less of what it has
        QCOMPARE(estimate(*fabric, divided).resharding, Seconds());
        const Fabric slow = *atSpeeds(*fabric, 0.25, 1);
        asked.training.gpus = gpusInOrder(slow, RankOrder::Near);
        QVERIFY(estimate(slow, asked).resharding > fast); // the stages are in different servers
    }
    // What training holds is not there for keys and values.
    void memoryIsShared() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const ReinforcementEstimate e = estimate(*fabric, request(*fabric, "llama3-8b", 2, 1, 4096));
        InferenceRequest alone;
        alone.model = *modelOf("llama3-8b");
        alone.tensor = 2;
        alone.promptTokens = 512;
        alone.outputTokens = 1024;
        const auto free = estimateInference(*fabric, alone);
        QVERIFY(free);
        const double held = e.training.memory.gradients + e.training.memory.optimizer; // the weights serve both
        QVERIFY(std::abs(e.generation.memory.workspace - free->memory.workspace - held) < 1e-9);
        QVERIFY(e.generation.mostSequences < free->mostSequences);
        const ReinforcementEstimate large = estimate(*fabric, request(*fabric, "llama3-70b", 4, 1, 64));
        QVERIFY(!large.reasons.empty());
    }
    void badJobsSayWhy() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const auto none = estimateReinforcement(*fabric, request(*fabric, "llama3-8b", 3, 1, 64));
        QVERIFY(!none && none.error().text.find("tp = 3") != std::string::npos);
        ReinforcementRequest asked = request(*fabric, "llama3-8b", 2, 1, 64);
        asked.generationTensor = 3;
        const auto other = estimateReinforcement(*fabric, asked);
        QVERIFY(!other && other.error().text.find("tp = 3") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_reinforcement)
#include "tst_reinforcement.moc"
