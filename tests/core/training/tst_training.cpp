// Training estimates: closed forms, invariants, and the measured runs of tests/data/published/training.csv.
#include "tests/support/designs.h"

#include "core/base/file.h"
#include "core/design/edits/edit_elements.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/training/memory.h"
#include "core/training/placement.h"
#include "core/training/search.h"
#include "core/training/training.h"
#include "core/workload/models_json.h"

#include <cmath>
#include <map>
#include <set>
#include <sstream>

using namespace railyard;

namespace {

TrainingJob jobOf(const std::string& model, std::array<std::int64_t, 5> degrees, std::int64_t microBatch,
                  std::int64_t globalBatch) { // tp cp ep dp pp
    TrainingJob job = usualJob(*modelOf(model));
    job.zero = 0;
    job.degrees = degrees;
    job.microBatch = microBatch;
    job.globalBatch = globalBatch;
    return job;
}

FabricPointer a100(std::int64_t servers, const std::string& nics = "8") {
    return test::fabricOf(
        "rail-optimized",
        {{"servers", std::to_string(servers)}, {"server", "srv-dgx-a100-640"}, {"nics_per_server", nics}, {"switch", "sw-qm8700"}});
}

TrainingEstimate estimateOf(const Fabric& fabric, const TrainingJob& job, const TrainingPlan& plan = {}) {
    const auto estimate = estimateTraining(fabric, placedJob(job, fabric, RankOrder::Near), plan);
    if (!estimate) throw std::runtime_error(estimate.error().text);
    return *estimate;
}

struct Run {
    std::map<std::string, std::string> cells;
    std::int64_t number(const char* key) const { return std::stoll(cells.at(key)); }
    double seconds() const { return std::stod(cells.at("iteration_s")); }
};

std::vector<Run> measuredRuns() {
    std::istringstream lines(*readFile(RAILYARD_SOURCE_DIR "/tests/data/published/training.csv"));
    std::vector<Run> runs;
    std::vector<std::string> header;
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        if (header.empty()) {
            header = cells;
            continue;
        }
        Run run;
        for (std::size_t i = 0; i + 1 < header.size(); ++i) run.cells[header[i]] = cells[i]; // the source may hold commas
        runs.push_back(std::move(run));
    }
    return runs;
}

TrainingEstimate estimateOf(const Run& run) {
    TrainingJob job;
    const std::int64_t tp = run.number("tp"), hidden = run.number("hidden"), heads = run.number("heads"), step = 128 * tp;
    TransformerModel& model = job.model;
    model.id = model.name = run.cells.at("id");
    model.layers = run.number("layers");
    model.hidden = hidden;
    model.heads = model.kvHeads = heads;
    model.headDim = hidden / heads;
    model.ffnHidden = 4 * hidden;
    model.vocab = (run.number("vocab") + step - 1) / step * step;
    model.sequenceTokens = run.number("sequence_tokens");
    model.hasTiedEmbeddings = true;
    job.degrees = {tp, 1, 1, run.number("dp"), run.number("pp")};
    job.microBatch = run.number("micro_batch");
    job.globalBatch = run.number("global_batch");
    job.interleave = run.number("interleave");
    job.recompute = run.cells.at("recompute") == "full" ? Recompute::Full : Recompute::Selective;
    job.zero = 0;
    job.isAttentionFused = false; // as Megatron-LM then
    job.isSequenceParallel = run.cells.at("sequence_parallel") == "on";
    TrainingPlan plan;
    plan.overlapsData = false;
    return estimateOf(*a100((job.gpus() + 7) / 8, run.cells.at("nics_per_server")), job, plan);
}

} // namespace

class tst_training : public QObject {
    Q_OBJECT

private slots:
    // Fitted: mean at most 3 %. Apart from the fit: mean at most 5 %, those of 530B and 1T within 8 %; all within 15 %.
    void measuredRunsAreMet() {
        std::map<std::string, std::vector<double>> errors;
        std::map<std::string, double> seconds, shares;
        for (const Run& run : measuredRuns()) {
            const std::string& id = run.cells.at("id");
            const TrainingEstimate estimate = estimateOf(run);
            const double error = std::abs(estimate.iteration.value() / run.seconds() - 1);
            QVERIFY2(error <= 0.15, (id + ": " + std::to_string(error)).c_str());
            QVERIFY2(estimate.low.value() <= run.seconds() && run.seconds() <= estimate.high.value(), id.c_str());
            QVERIFY(estimate.isCalibrated);
            errors[run.cells.at("used")].push_back(error);
            if (id.starts_with("530B") || id.starts_with("1T")) errors["large"].push_back(error);
            if (id.starts_with("A21")) errors["A21"].push_back(error);
            seconds[id] = estimate.iteration.value();
            shares[id] = estimate.modelShare();
        }
        const auto mean = [&](const char* of) {
            return std::accumulate(errors[of].begin(), errors[of].end(), 0.0) / static_cast<double>(errors[of].size());
        };
        QCOMPARE(errors["fit"].size(), std::size_t{8});
        QVERIFY(mean("fit") <= 0.03 && mean("A21") <= 0.03);
        QCOMPARE(errors["large"].size(), std::size_t{4});
        QVERIFY(mean("large") <= 0.05 && *std::max_element(errors["large"].begin(), errors["large"].end()) <= 0.08);
        QVERIFY(mean("apart") <= 0.05);
        const double order[] = {seconds["A26-tp1"], seconds["A26-tp2"], seconds["A26-tp4"], seconds["A26-tp8"], seconds["A26-tp16"]};
        QVERIFY(std::is_sorted(std::begin(order), std::end(order)));
        QVERIFY(order[4] / order[3] >= 1.6 && order[4] / order[3] <= 2.6);
        // The MFU falls as a job grows, whether its batch grows too (530B) or not.
        for (const auto& growing : {std::vector{"A23a", "MegaScale-512", "MegaScale-768", "A23b"},
                                    {"MegaScale-3072", "MegaScale-6144", "MegaScale-8192", "MegaScale-12288"},
                                    {"MegaScale-530B-2240", "MegaScale-530B-4480", "MegaScale-530B-11200"}})
            for (std::size_t i = 1; i < growing.size(); ++i) QVERIFY2(shares[growing[i]] < shares[growing[i - 1]], growing[i]);
    }
    void partsAddUp_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("zero");
        for (const char* model : {"gpt3-175b", "llama3-70b", "mixtral-8x7b", "deepseek-v3"})
            for (int zero = 0; zero <= 3; ++zero)
                QTest::newRow((std::string(model) + ", ZeRO " + std::to_string(zero)).c_str()) << QString::fromLatin1(model) << zero;
    }
    void partsAddUp() {
        QFETCH(QString, model);
        QFETCH(int, zero);
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const bool hasExperts = model.startsWith(QStringLiteral("mix")) || model.startsWith(QStringLiteral("deep"));
        TrainingJob job = jobOf(model.toStdString(), {4, 2, hasExperts ? 4 : 1, hasExperts ? 4 : 16, 4}, 1, 64);
        job.zero = zero;
        const TrainingEstimate e = estimateOf(*fabric, job);
        QVERIFY(std::abs(e.breakdown.total() / e.iteration - 1) < 1e-12);
        for (const Seconds part : {e.breakdown.forward, e.breakdown.backward, e.breakdown.bubble, e.breakdown.data, e.breakdown.optimizer})
            QVERIFY(part > Seconds());
        for (const Seconds part : {e.breakdown.recompute, e.breakdown.context, e.breakdown.expert, e.breakdown.offload})
            QVERIFY(part >= Seconds());
        QVERIFY(e.low <= e.iteration && e.iteration <= e.high);
        QVERIFY(e.isCalibrated);
        QVERIFY(e.modelShare() > 0.02 && e.modelShare() < 0.9 && e.hardwareShare() >= e.modelShare());
    }
    // Equal stages: (p - 1) / (m v) of the ideal time.
    void bubbleOfEqualStages() {
        const FabricPointer fabric = a100(8);
        TrainingJob job = jobOf("gpt3-175b", {8, 1, 1, 1, 8}, 1, 64);
        job.model.vocab = 8; // no head to speak of, so that all stages are alike
        for (const std::int64_t interleave : {1, 3}) {
            job.interleave = interleave;
            const TrainingBreakdown b = estimateOf(*fabric, job).breakdown;
            const Seconds ideal = b.forward + b.backward + b.recompute + b.tensor + b.pipeline;
            QVERIFY2(std::abs(b.bubble / ideal * 64 * static_cast<double>(interleave) / 7 - 1) < 0.02,
                     qPrintable(QString::number(b.bubble / ideal)));
        }
    }
    void stagesOfUnequalSize() {
        TrainingJob job = jobOf("gpt3-175b", {8, 1, 1, 1, 7}, 1, 64); // 96 layers over 7 stages
        std::vector<std::int64_t> layers;
        for (const StageContent& stage : contentOfStages(job)) layers.push_back(stage.layers);
        QCOMPARE(std::accumulate(layers.begin(), layers.end(), std::int64_t{0}), std::int64_t{96});
        QVERIFY(*std::max_element(layers.begin(), layers.end()) - *std::min_element(layers.begin(), layers.end()) == 1);
        QVERIFY(layers.front() == 13 && layers.back() == 13);
        const double seven = estimateOf(*a100(8), job).iteration.value();
        job.degrees = {8, 1, 1, 1, 8};
        QVERIFY(estimateOf(*a100(8), job).iteration.value() < seven);
    }
    // The stages hold the model once, whatever divides it.
    void stagesHoldTheModel() {
        for (const char* name : {"gpt3-175b", "llama3-70b", "mixtral-8x7b", "deepseek-v3"})
            for (const std::int64_t stages : {1, 2, 3, 7, 16}) {
                const std::int64_t ep = modelOf(name)->mixture ? 4 : 1;
                const TrainingJob job = jobOf(name, {2, 1, ep, 1, stages}, 1, 64);
                double dense = 0, ofExperts = 0;
                std::int64_t layers = 0, mixtures = 0;
                for (const StageContent& stage : contentOfStages(job)) {
                    dense += 2 * stage.dense;
                    ofExperts += 2 * static_cast<double>(ep) * stage.ofExperts;
                    layers += stage.layers;
                    mixtures += stage.mixtures;
                }
                const double tables = stages == 1 && job.model.hasTiedEmbeddings ? 1 : 2;
                QCOMPARE(layers, job.model.layers);
                QCOMPARE(mixtures, job.model.mixtureLayers());
                QVERIFY(std::abs(dense / (job.model.denseParametersOfLayers() + tables * job.model.embeddingParameters()) - 1) < 1e-12);
                QVERIFY(std::abs(ofExperts - job.model.expertParametersOfLayers()) <= 1e-12 * ofExperts);
            }
    }
    // Llama 3 405B ran its 126 layers on 16 stages of 8 chunks: the embedding and the head each take the place of a layer.
    void embeddingAndHeadFillTheStages() {
        TrainingJob job = jobOf("llama3-405b", {8, 1, 1, 16, 16}, 1, 512);
        job.interleave = 8;
        QVERIFY(job.canRun());
        const std::vector<StageContent> stages = contentOfStages(job);
        for (std::size_t s = 0; s < stages.size(); ++s) QCOMPARE(stages[s].layers, std::int64_t{s == 0 || s == 15 ? 7 : 8});
        job.interleave = 9;
        QVERIFY(!job.canRun());
        QCOMPARE(job.problems().front().nearest, std::vector<std::string>{"8"});
    }
    // The first stage keeps the activations of as many micro-batches as there are stages, the last one of one; it has the logits instead.
    void theFullestStageCounts() {
        const TrainingJob job = jobOf("gpt3-175b", {8, 1, 1, 1, 8}, 1, 64);
        std::vector<StageContent> stages = contentOfStages(job);
        const TrainingMemory all = memoryOf(job, {}, stages, {}, shippedTrainingCalibration());
        TrainingJob few = job;
        few.globalBatch = 2; // two micro-batches in eight stages
        const TrainingMemory two = memoryOf(few, {}, stages, {}, shippedTrainingCalibration());
        QVERIFY(std::abs(two.activations / all.activations - 2.0 / 8) < 1e-12);
        stages.front().dense = 0; // without what it holds, the second one is the fullest: seven micro-batches
        const TrainingMemory second = memoryOf(job, {}, stages, {}, shippedTrainingCalibration());
        QVERIFY(std::abs(second.activations / all.activations - 7.0 / 8) < 1e-12);
    }
    // GPUs of two generations: the slower one sets the pace, utilisation is of all peaks, and the smaller memory has to be enough.
    void mixedGenerations() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        Fabric mixed = *fabric;
        const Part* slow = mixed.design->catalog->find("a100-sxm4-40");
        mixed.partIds.emplace_back(slow->id);
        mixed.parts.push_back(slow);
        for (const DeviceId d : mixed.devices.ids())
            if (mixed.devices.kind[d] == DeviceKind::Gpu && mixed.devices.server[d] == 1)
                mixed.devices.part[d] = static_cast<std::uint16_t>(mixed.parts.size() - 1);
        const TrainingJob job = jobOf("llama3-8b", {8, 1, 1, 4, 1}, 1, 16);
        const TrainingEstimate alike = estimateOf(*fabric, job), both = estimateOf(mixed, job);
        QVERIFY(both.breakdown.forward > alike.breakdown.forward);
        QCOMPARE(both.memory.capacity, 40.0);
        QVERIFY(std::abs(both.peakFlops - (3 * 989e12 + 312e12) / 4) < 1e6);
        QVERIFY(both.isCalibrated); // the slower one sets the interval too
        const double slowest = shippedTrainingCalibration().constantsOf("a100-sxm4-40").high;
        QVERIFY(std::abs(both.high / both.iteration - slowest) < 1e-9);
        const auto found = searchTraining(mixed, job, gpusInOrder(mixed, RankOrder::Near), {},
                                          usualSpace(mixed, job, gpusInOrder(mixed, RankOrder::Near)), {.most = 5});
        QVERIFY(found && !found->best.empty());
        for (const TrainingEstimate& each : found->best) QVERIFY(each.isFeasible());
    }
    // Rails of a recipe are taken as alike; a label, which changes nothing, makes every rail be looked at.
    void railsOfARecipeAreAlike_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("rails");
        for (const char* recipe : {"superpod-h100", "rail-only", "fat-tree", "hpn-pod", "rail-optimized"})
            QTest::newRow(recipe) << QString::fromLatin1(recipe) << QString();
        QTest::newRow("four rails") << QStringLiteral("rail-optimized") << QStringLiteral("4");
        QTest::newRow("three rails") << QStringLiteral("rail-only") << QStringLiteral("3");
    }
    void railsOfARecipeAreAlike() {
        QFETCH(QString, recipe);
        QFETCH(QString, rails);
        test::Parameters parameters{{"servers", "21"}};
        if (!rails.isEmpty()) parameters["rails"] = rails.toStdString();
        const DesignPointer design = test::designOf(recipe.toStdString(), parameters);
        const FabricPointer fabric = elaborate(design);
        std::string server;
        for (const ScopeId scope : fabric->servers) server = fabric->scopePath(scope);
        const auto labelled = labelElements(*design, {{server, "looked at"}});
        QVERIFY(labelled);
        for (const std::array<std::int64_t, 5>& degrees : {std::array<std::int64_t, 5>{8, 1, 1, 21, 1}, {8, 1, 1, 7, 3}, {4, 1, 1, 6, 7}}) {
            const TrainingJob job = jobOf("llama3-70b", degrees, 1, degrees[3] * 8);
            const TrainingEstimate assumed = estimateOf(*fabric, job), examined = estimateOf(*elaborate(labelled->design), job);
            QVERIFY2(std::abs(assumed.iteration / examined.iteration - 1) < 1e-9,
                     qPrintable(QString::number(assumed.iteration / examined.iteration)));
        }
    }
    // 175B on TP 8, PP 8: parameters 2 bytes, gradients 4, optimizer 12 or divided; activations as published.
    void memoryByHand() {
        TrainingJob job = jobOf("gpt3-175b", {8, 1, 1, 8, 8}, 1, 512);
        job.recompute = Recompute::Selective;
        job.isAttentionFused = false;
        const auto memoryWith = [&](int zero) {
            job.zero = zero;
            return estimateOf(*a100(64), job).memory;
        };
        const double own = (96.0 / 8 * 12 * 12288 * 12288 + 51200.0 * 12288) / 8 / (1 << 30);
        const TrainingMemory none = memoryWith(0), three = memoryWith(3);
        QVERIFY(std::abs(none.parameters / (2 * own) - 1) < 1e-3);
        QVERIFY(std::abs(none.gradients / (4 * own) - 1) < 1e-3);
        QVERIFY(std::abs(none.optimizer / (12 * own) - 1) < 1e-3);
        QVERIFY(std::abs(memoryWith(1).optimizer / (12 * own / 8) - 1) < 1e-3);
        QVERIFY(std::abs(memoryWith(2).gradients / (4 * own / 8) - 1) < 1e-3);
        QVERIFY(three.parameters < none.parameters);
        // Korthikanti, Table 2, and the scores of the layer that is computed again.
        QVERIFY(std::abs(none.activations - (34.0 * 96 * 2048 * 12288 + 5.0 * 96 * 2048 * 2048) / 8 / (1 << 30)) < 0.01);
        QCOMPARE(none.capacity, 80.0);
    }
    void whatDoesNotFitIsSaid() {
        const TrainingJob job = jobOf("gpt3-175b", {8, 1, 1, 8, 1}, 4, 64);
        const TrainingEstimate e = estimateOf(*a100(8), job);
        QVERIFY(!e.isFeasible());
        QVERIFY(e.memory.total() > e.memory.capacity);
        QVERIFY2(e.reasons.front().find("GiB") != std::string::npos, e.reasons.front().c_str());
        QVERIFY(e.iteration > Seconds());
        // The change that is named makes it fit.
        TrainingJob large = jobOf("gpt3-175b", {8, 1, 1, 8, 8}, 4, 512);
        const TrainingEstimate named = estimateOf(*a100(64), large);
        QVERIFY(!named.isFeasible());
        const std::string words = named.reasons.front();
        const std::size_t with = words.find("it would fit with ");
        QVERIFY2(with != std::string::npos, words.c_str());
        std::istringstream options(words.substr(with + 18));
        for (std::string option, equals, value; options >> option >> equals >> value && equals == "=";) {
            if (option == "zero") large.zero = std::stoi(value);
            if (option == "micro_batch") large.microBatch = std::stoll(value);
            if (option == "recompute") large.recompute = value == "full" ? Recompute::Full : Recompute::Selective;
            if (option == "tp") large.degrees[0] = std::stoll(value);
            if (option == "dp") large.degrees[3] = std::stoll(value);
            if (option == "pp") large.degrees[4] = std::stoll(value);
        }
        QVERIFY(estimateOf(*a100(64), large).isFeasible());
    }
    void longestContextFits() {
        TrainingJob job = jobOf("llama3-8b", {8, 1, 1, 2, 1}, 1, 8);
        const TrainingEstimate e = estimateOf(*test::fabricOf("superpod-h100", {{"servers", "2"}}), job);
        QVERIFY(e.longestSequence >= 8192);
        job.model.sequenceTokens = e.longestSequence;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "2"}});
        QVERIFY(estimateOf(*fabric, job).isFeasible());
        job.model.sequenceTokens += 1024;
        QVERIFY(!estimateOf(*fabric, job).isFeasible());
    }
    // The fabric changes the answer: slower NICs, oversubscription, failures and scattered placement never help; nothing does nothing.
    void theFabricCounts() {
        const TrainingJob job = jobOf("gpt3-175b", {8, 1, 1, 16, 1}, 1, 64);
        TrainingPlan plan;
        plan.overlapsData = false;
        const auto on = [&](const Fabric& fabric, Placement placement) {
            return estimateTraining(fabric, placedJob(job, fabric, gpusOf(fabric, placement, 1)), plan)->iteration;
        };
        const auto iteration = [&](const test::Parameters& more, Placement placement = Placement::Packed) {
            test::Parameters all{{"servers", "16"}, {"su_servers", "4"}};
            for (const auto& [key, value] : more) all[key] = value;
            return on(*test::fabricOf("rail-optimized", all), placement);
        };
        const Seconds full = iteration({});
        QVERIFY(iteration({{"nic_gbps", "200"}}) > full);
        // A ring leaves each SU once where the servers are packed, and with every step where they are spread: only then a taper counts.
        const Seconds packed = iteration({{"leaf_down", "4"}, {"leaf_up", "1"}}),
                      spread = iteration({{"leaf_down", "4"}, {"leaf_up", "1"}}, Placement::Spread);
        QCOMPARE(packed.value(), full.value());
        QVERIFY2(spread > packed, qPrintable(QString::number(spread.value()) + QLatin1Char(' ') + QString::number(packed.value())));
        QCOMPARE(iteration({}, Placement::Spread).value(), full.value());
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "16"}, {"su_servers", "4"}});
        const auto leaf = select(*intact, "su[1]/leaf[1]");
        QVERIFY(leaf);
        const FabricPointer degraded = without(intact, leaf->devices, {});
        QVERIFY(on(*degraded, Placement::Packed) >= full);
    }
    void optionsMoveWhatTheyShould() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        const TrainingJob job = jobOf("gpt3-175b", {8, 1, 1, 4, 4}, 1, 64);
        const TrainingEstimate usual = estimateOf(*fabric, job);
        const auto with = [&](auto change) {
            TrainingPlan plan;
            change(plan);
            return estimateOf(*fabric, job, plan);
        };
        QVERIFY(with([](TrainingPlan& p) { p.overlapsData = false; }).breakdown.data > usual.breakdown.data);
        QVERIFY(with([](TrainingPlan& p) { p.overlapTensor = TensorOverlap::Pipeline; }).breakdown.tensor < usual.breakdown.tensor);
        QVERIFY(with([](TrainingPlan& p) { p.overlapTensor = TensorOverlap::Bulk; }).breakdown.tensor < usual.breakdown.tensor);
        TrainingJob narrow = job;
        narrow.precision = Precision::Fp8;
        QVERIFY(estimateOf(*fabric, narrow).iteration < usual.iteration);
        QVERIFY(with([](TrainingPlan& p) { p.offload = Offload::Optimizer; }).memory.optimizer == 0);
        QVERIFY(with([](TrainingPlan& p) { p.offload = Offload::Activations; }).memory.activations < usual.memory.activations);
        const TrainingEstimate late = with([](TrainingPlan& p) { p.straggler = 1.25; });
        QVERIFY(std::abs(late.breakdown.forward / usual.breakdown.forward - 1.25) < 1e-9);
        TrainingJob whole = job;
        whole.recompute = Recompute::Full;
        const TrainingEstimate again = estimateOf(*fabric, whole);
        QVERIFY(again.breakdown.recompute > Seconds() && again.memory.activations < usual.memory.activations);
        QVERIFY(again.hardwareShare() > again.modelShare());
    }
    // What all GPUs of a server send takes at least as long as the NICs of the server need for it.
    void gpusShareTheirNics_data() {
        QTest::addColumn<QString>("nics");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QList<int>>("degrees"); // tp cp ep dp pp
        for (const char* nics : {"1", "2", "4", "8"}) {
            QTest::addRow("%s, replicas", nics) << QString::fromLatin1(nics) << QStringLiteral("llama3-70b") << QList<int>{8, 1, 1, 16, 1};
            QTest::addRow("%s, two replicas a server", nics)
                << QString::fromLatin1(nics) << QStringLiteral("llama3-8b") << QList<int>{4, 1, 1, 32, 1};
            QTest::addRow("%s, experts", nics) << QString::fromLatin1(nics) << QStringLiteral("mixtral-8x7b") << QList<int>{8, 1, 8, 2, 1};
            QTest::addRow("%s, stages", nics) << QString::fromLatin1(nics) << QStringLiteral("llama3-70b") << QList<int>{8, 1, 1, 4, 4};
        }
    }
    void gpusShareTheirNics() {
        QFETCH(QString, nics);
        QFETCH(QString, model);
        QFETCH(QList<int>, degrees);
        TrainingPlan serial;
        serial.overlapsData = serial.overlapsExperts = false;
        TrainingJob job =
            jobOf(model.toStdString(), {degrees[0], degrees[1], degrees[2], degrees[3], degrees[4]}, 1, std::int64_t{32} * degrees[3]);
        job.dispatch = ExpertDispatch::Expert; // what the bytes of a GPU count
        const auto on = [&](const QString& count) {
            return estimateOf(*test::fabricOf("rail-optimized", {{"servers", "16"}, {"nics_per_server", count.toStdString()}}), job,
                              serial);
        };
        const TrainingEstimate own = on(nics), most = on(QStringLiteral("8"));
        const double perNic = 50e9, needed = own.nicBytesPerGpu * 8 / (nics.toDouble() * perNic);
        const TrainingBreakdown& b = own.breakdown;
        QVERIFY2((b.data + b.pipeline + b.expert).value() > needed * 0.999,
                 qPrintable(QStringLiteral("%1 %2").arg((b.data + b.pipeline + b.expert).value()).arg(needed)));
        QVERIFY(own.iteration >= most.iteration * (1 - 1e-9));
    }
    // The GPUs behind a lost NIC use those of their server. On separate rails so do their partners, as they meet on no other.
    void aLostNicCostsItsShare_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QList<int>>("degrees"); // tp cp ep dp pp
        for (const char* recipe : {"rail-only", "rail-optimized", "superpod-h100"}) {
            QTest::addRow("%s", recipe) << QString::fromLatin1(recipe) << QList<int>{8, 1, 1, 0, 1};
            QTest::addRow("%s, stages", recipe) << QString::fromLatin1(recipe) << QList<int>{8, 1, 1, 0, 4};
        }
    }
    void aLostNicCostsItsShare() {
        QFETCH(QString, recipe);
        QFETCH(QList<int>, degrees);
        const FabricPointer intact = test::fabricOf(recipe.toStdString(), {{"servers", "32"}});
        TrainingPlan serial;
        serial.overlapsData = false;
        const TrainingJob job = jobOf("llama3-70b", {degrees[0], degrees[1], degrees[2], degrees[3], degrees[4]}, 1, 128);
        const auto exposed = [&](const char* failed) {
            const auto parts = select(*intact, failed);
            if (!parts) throw std::runtime_error(parts.error().text);
            const FabricPointer fabric = *failed ? without(intact, parts->devices, {}) : intact;
            const TrainingBreakdown b = estimateOf(*fabric, job, serial).breakdown;
            return (b.data + b.pipeline).value();
        };
        const auto all = estimateOf(*intact, job, serial).breakdown;
        const double whole = (all.data + all.pipeline).value(), one = exposed("su[1]/srv[1]/nic[1]"), rail = exposed("su[*]/srv[*]/nic[1]");
        QVERIFY2(one >= whole && one < whole * 8 / 7 * 1.03, qPrintable(QString::number(one / whole)));
        QVERIFY2(rail >= one * 0.99 && rail < whole * 8 / 7 * 1.03, qPrintable(QString::number(rail / whole)));
    }
    // Every rail of the fabric has lost a NIC, each in another server: any two servers still share rails.
    void everyRailMayLoseANic() {
        const FabricPointer intact = test::fabricOf("rail-only", {{"servers", "32"}});
        std::vector<bool> lost(intact->devices.size());
        const TrainingJob job = jobOf("llama3-70b", {8, 1, 1, 0, 1}, 1, 128);
        TrainingPlan serial;
        serial.overlapsData = false;
        Seconds before = estimateOf(*intact, job, serial).breakdown.data;
        const Seconds whole = before;
        for (int rail = 1; rail <= 8; ++rail) {
            const std::string n = std::to_string(rail);
            const auto nic = select(*intact, "su[1]/srv[" + n + "]/nic[" + n + "]");
            QVERIFY(nic);
            for (const DeviceId d : intact->devices.ids())
                if (nic->devices[d]) lost[d] = true;
            const Seconds now = estimateOf(*without(intact, lost, {}), job, serial).breakdown.data;
            QVERIFY2(now >= before * 0.99, qPrintable(QString::number(rail)));
            before = now;
        }
        // Neighbours in the ring lack a rail each, and so share six of eight.
        QVERIFY2(before < whole * 8 / 6 * 1.03, qPrintable(QString::number(before / whole)));
    }
    // GPUs that do not make up a tensor-parallel group of their domain stay idle; blocks of several domains leave out damaged ones only.
    void groupsStayInTheirDomains() {
        const FabricPointer intact = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const auto gpu = select(*intact, "su[1]/srv[3]/gpu[5]");
        QVERIFY(gpu);
        const FabricPointer damaged = without(intact, gpu->devices, {});
        const auto kept = [&](const Fabric& fabric, std::int64_t tensor, std::int64_t expert, const char* model) {
            TrainingJob job = usualJob(*modelOf(model));
            job.degrees = {tensor, 1, expert, 0, 1};
            const std::vector<DeviceId> gpus = placedJob(job, fabric, RankOrder::Near).gpus;
            for (std::size_t i = 0; tensor <= 8 && i < gpus.size(); ++i)
                if (fabric.devices.hbDomain[gpus[i]] != fabric.devices.hbDomain[gpus[i - i % static_cast<std::size_t>(tensor)]]) return -1;
            return static_cast<int>(gpus.size());
        };
        QCOMPARE(kept(*intact, 3, 1, "gpt3-175b"), 8 * 6);
        QCOMPARE(kept(*damaged, 3, 1, "gpt3-175b"), 7 * 6 + 3);
        QCOMPARE(kept(*intact, 2, 8, "mixtral-8x7b"), 64);
        QCOMPARE(kept(*damaged, 2, 8, "mixtral-8x7b"), 56);
        QCOMPARE(kept(*damaged, 2, 1, "mixtral-8x7b"), 62);
        QCOMPARE(kept(*damaged, 16, 1, "gpt3-175b"), 56);
    }
    // Pipeline stages on rails of their own meet through the NICs of other GPUs of their servers.
    void stagesOnOtherRailsMeet() {
        const FabricPointer separate = test::fabricOf("rail-only", {{"servers", "16"}, {"radix", "32"}}),
                            joined = test::fabricOf("rail-optimized", {{"servers", "16"}, {"radix", "32"}});
        const TrainingJob job = jobOf("llama3-8b", {4, 1, 1, 3, 2}, 1, 24); // the next stage is 12 GPUs on
        const Seconds own = estimateOf(*separate, job).breakdown.pipeline, other = estimateOf(*joined, job).breakdown.pipeline;
        QVERIFY2(own >= other * 0.99 && own < other * 1.3, qPrintable(QString::number(own / other)));
    }
    // One NIC less makes no job faster, wherever the links between switches are the bottleneck.
    void withoutANicNothingIsFaster() {
        const FabricPointer intact = test::fabricOf("fat-tree", {{"servers", "32"}, {"oversubscription", "7:1"}});
        const auto nic = select(*intact, "su[1]/srv[3]/nic[3]");
        QVERIFY(nic);
        const FabricPointer without = railyard::without(intact, nic->devices, {});
        const TrainingJob job = jobOf("mixtral-8x7b", {2, 1, 8, 0, 1}, 1, 256);
        const auto on = [&](const Fabric& fabric) {
            return estimateTraining(fabric, placedJob(job, fabric, gpusOf(fabric, Placement::Random, 3)), {})->iteration;
        };
        QVERIFY2(on(*without) >= on(*intact) * (1 - 1e-9), qPrintable(QString::number(on(*without) / on(*intact))));
    }
    // Over all ways in which servers can be slow, one by one; sending takes no longer.
    void stragglersAreExpected() {
        const Stragglers slow{0.03, 1.2};
        for (const int servers : {1, 2, 5, 12}) {
            double mean = 0;
            for (unsigned which = 0; which < 1U << servers; ++which) {
                double chance = 1;
                for (int server = 0; server < servers; ++server) chance *= which >> server & 1U ? 0.03 : 0.97;
                mean += chance * (which > 0 ? 1.2 : 1);
            }
            QVERIFY(std::abs(slow.expectedSlowdown(servers) - mean) < 1e-12);
        }
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        TrainingCalibration without = shippedTrainingCalibration();
        QVERIFY(without.stragglers.share > 0);
        without.stragglers = {};
        for (const std::int64_t replicas : {1, 4, 15}) { // of 8 GPUs, and so of a server
            const PlacedJob placed = placedJob(jobOf("llama3-8b", {8, 1, 1, replicas, 1}, 1, 60), *fabric, RankOrder::Near);
            const auto usual = estimateTraining(*fabric, placed, {}), alike = estimateTraining(*fabric, placed, {}, without);
            QVERIFY(usual && alike);
            QCOMPARE(usual->expectedSlowdown, shippedTrainingCalibration().stragglers.expectedSlowdown(replicas));
            QCOMPARE(alike->expectedSlowdown, 1.0);
            for (const auto part : {&TrainingBreakdown::forward, &TrainingBreakdown::backward, &TrainingBreakdown::optimizer})
                QVERIFY(std::abs(usual->breakdown.*part / alike->breakdown.*part / usual->expectedSlowdown - 1) < 1e-12);
            QCOMPARE(usual->breakdown.tensor.value(), alike->breakdown.tensor.value());
        }
    }
    void serversOfAJob() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        const std::vector<DeviceId> gpus = gpusOf(*fabric, Placement::Packed, 1);
        QCOMPARE(serversOf(*fabric, gpus, 0), std::int64_t{0});
        QCOMPARE(serversOf(*fabric, gpus, 9), std::int64_t{2});
        QCOMPARE(serversOf(*fabric, gpus, 1000), std::int64_t{16});
        std::vector<DeviceId> oneOfEach;
        for (std::size_t i = 0; i < gpus.size(); i += 8) oneOfEach.push_back(gpus[i]);
        QCOMPARE(serversOf(*fabric, oneOfEach, 16), std::int64_t{16});
    }
    void placementsTakeEveryGpuOnce() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "70"}});
        const auto packed = gpusOf(*fabric, Placement::Packed, 1);
        for (const Placement placement : {Placement::Packed, Placement::Spread, Placement::Random}) {
            const auto gpus = gpusOf(*fabric, placement, 7);
            QCOMPARE(std::set<DeviceId>(gpus.begin(), gpus.end()).size(), packed.size());
            for (std::size_t i = 0; i < gpus.size(); ++i)
                QCOMPARE(fabric->devices.hbDomain[gpus[i]], fabric->devices.hbDomain[gpus[i / 8 * 8]]);
            QCOMPARE(gpusOf(*fabric, placement, 7), gpus);
        }
        const auto spread = gpusOf(*fabric, Placement::Spread, 1);
        QVERIFY(fabric->devices.su[spread[0]] != fabric->devices.su[spread[8]]);
        QVERIFY(gpusOf(*fabric, Placement::Random, 1) != gpusOf(*fabric, Placement::Random, 2));
    }
    void unknownSpeedsAreSaid() {
        const FabricPointer fabric = a100(1);
        TrainingJob job = jobOf("llama3-8b", {8, 1, 1, 1, 1}, 1, 4);
        job.precision = Precision::Fp8; // an A100 has none
        const auto estimate = estimateTraining(*fabric, placedJob(job, *fabric, RankOrder::Near), {});
        QVERIFY(!estimate);
        QVERIFY2(estimate.error().text.find("fp8") != std::string::npos, estimate.error().text.c_str());
        QVERIFY(!estimateTraining(*fabric, placedJob(jobOf("llama3-8b", {8, 1, 1, 3, 1}, 1, 3), *fabric, RankOrder::Near), {}));
    }
    void calibrationsAreChecked() {
        const std::string good = *readFile(RAILYARD_SOURCE_DIR "/resources/calibration/training.json");
        QVERIFY(readTrainingCalibration(good, "x.json"));
        for (const auto& [from, to] : {std::pair<std::string, std::string>("\"matrix_share\": 0.82", "\"matrix_share\": 1.2"),
                                       {"\"training\"", "\"collectives\""},
                                       {"\"attention_share\"", "\"attention\""},
                                       {"\"share\": 0.005", "\"share\": 2"},
                                       {"\"time_ratio\": 1.1", "\"time_ratio\": 0.9"},
                                       {"{\"share\": 0.005, \"time_ratio\": 1.1}", "0.005"}}) {
            std::string bad = good;
            for (std::size_t at = bad.find(from); at != std::string::npos; at = bad.find(from, at + to.size()))
                bad.replace(at, from.size(), to);
            QVERIFY(bad != good);
            QVERIFY2(!readTrainingCalibration(bad, "x.json"), to.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(tst_training)
#include "tst_training.moc"
