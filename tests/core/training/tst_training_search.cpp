// The search against a plain enumeration that costs every configuration by itself.
#include "tests/support/designs.h"

#include "core/io/results/training_json.h"
#include "core/training/search.h"
#include "core/workload/models_json.h"

#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <thread>

using namespace railyard;

class tst_training_search : public QObject {
    Q_OBJECT

    static TrainingJob jobOf(const std::string& model, std::int64_t globalBatch) {
        TrainingJob job = usualJob(*modelOf(model));
        job.globalBatch = globalBatch;
        return job;
    }

    // Of two generations: the last server has older GPUs, with as much memory.
    static FabricPointer mixedFabric(const char* servers) {
        auto mixed = std::make_shared<Fabric>(*test::fabricOf("superpod-h100", {{"servers", servers}}));
        const Part* slow = mixed->design->catalog->find("a100-sxm4-80");
        mixed->partIds.emplace_back(slow->id);
        mixed->parts.push_back(slow);
        for (const DeviceId gpu : gpusInOrder(*mixed, RankOrder::Near))
            if (mixed->devices.server[gpu] + 1 == mixed->servers.size())
                mixed->devices.part[gpu] = static_cast<std::uint16_t>(mixed->parts.size() - 1);
        return mixed;
    }
    static TrainingPlan planOf(const IterationSchedule& schedule) {
        TrainingPlan plan;
        plan.overlapsData = schedule.overlapsData;
        plan.overlapTensor = schedule.overlapTensor;
        plan.offload = schedule.offload;
        return plan;
    }

    struct Tried {
        double seconds = 0, gib = 0;
    };
    static bool isClose(double a, double b) { return std::abs(a / b - 1) < 1e-9; }
    // Each by itself, with an estimate of its own.
    static void tryAll(const Fabric& fabric, TrainingJob job, const std::vector<DeviceId>& gpus, const std::array<std::int64_t, 5>& degrees,
                       const SearchSpace& space, std::vector<Tried>& fitting, std::int64_t& tooLarge, std::int64_t expertFold = 1) {
        job.degrees = degrees;
        job.expertFold = expertFold;
        for (const std::int64_t batch : space.microBatches)
            for (const std::int64_t chunks : space.interleaves)
                for (const Recompute recompute : space.recompute)
                    for (const int zero : space.zero)
                        for (const bool overlaps : space.overlapsData)
                            for (const TensorOverlap overlap : space.overlapTensor)
                                for (const Offload offload : space.offload) {
                                    job.microBatch = batch;
                                    job.interleave = chunks;
                                    job.recompute = recompute;
                                    job.zero = zero;
                                    TrainingPlan plan;
                                    plan.overlapsData = overlaps;
                                    plan.overlapTensor = overlap;
                                    plan.offload = offload;
                                    const bool isAlone = degrees[1] * degrees[2] * degrees[3] == 1; // of its parameters
                                    if ((zero > 0 && isAlone) || !job.problems().empty()) continue;
                                    if (degrees[0] == 1 && overlap != TensorOverlap::None) continue; // changes nothing
                                    if (isAlone && !overlaps) continue;
                                    const auto estimate = estimateTraining(fabric, {job, gpus}, plan);
                                    QVERIFY(estimate);
                                    if (estimate->isFeasible())
                                        fitting.push_back({estimate->iteration.value(), estimate->memory.total()});
                                    else
                                        ++tooLarge;
                                }
    }

private slots:
    void findsWhatEnumerationFinds_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("batch"); // a small one makes long bubbles, and divisions that are pruned
        for (const char* model : {"llama3-8b", "llama3-70b", "mixtral-8x7b"})
            for (const char* recipe : {"superpod-h100", "rail-only", "two generations"})
                for (const int batch : {128, 32})
                    QTest::addRow("%s on %s, %d", model, recipe, batch)
                        << QString::fromLatin1(model) << QString::fromLatin1(recipe) << batch;
    }
    // Nothing that is pruned is among the best or on the front of time and memory.
    void findsWhatEnumerationFinds() {
        QFETCH(QString, model);
        QFETCH(QString, recipe);
        QFETCH(int, batch);
        const FabricPointer fabric =
            recipe == QStringLiteral("two generations") ? mixedFabric("4") : test::fabricOf(recipe.toStdString(), {{"servers", "4"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const TrainingJob job = jobOf(model.toStdString(), batch);
        SearchSpace space = usualSpace(*fabric, job, gpus);
        space.context = {1};
        space.interleaves = {1, 2};
        space.microBatches = {1, 4};
        space.recompute = {Recompute::None, Recompute::Selective};
        space.zero = {0, 1, 3};
        space.overlapTensor = {TensorOverlap::None, TensorOverlap::Bulk};
        space.offload = {Offload::None, Offload::Optimizer};
        const auto found = searchTraining(*fabric, job, gpus, {}, space, {.most = 3});
        QVERIFY(found && found->isComplete);
        std::vector<Tried> all;
        std::int64_t tooLarge = 0;
        for (std::int64_t t = 1; t <= 8; t *= 2)
            for (std::int64_t p = 1; p <= 32; p *= 2)
                for (std::int64_t e = 1; e <= (job.model.mixture ? 8 : 1); e *= 2)
                    if (32 % (t * p * e) == 0) tryAll(*fabric, job, gpus, {t, 1, e, 32 / (t * p * e), p}, space, all, tooLarge);
        for (std::int64_t t = 2; t <= 8 && job.model.mixture; t *= 2) // experts folded over tensor and data parallelism
            for (std::int64_t p = 1; p <= 32 / t; p *= 2)
                for (std::int64_t e = 2; e <= 8; e *= 2) tryAll(*fabric, job, gpus, {t, 1, 1, 32 / (t * p), p}, space, all, tooLarge, e);
        const auto fitting = static_cast<std::int64_t>(all.size());
        // A pruned division may hold nothing that fits. Of the smallest model all fit in most, so there something is pruned that does.
        QVERIFY(found->pruned > 0 ? found->evaluated <= fitting : found->evaluated == fitting);
        // With two generations the bound, of the mean stage, is too far below the slowest stage.
        if (model == QStringLiteral("llama3-8b") && recipe != QStringLiteral("two generations"))
            QVERIFY(found->pruned > 0 && found->evaluated < fitting);
        if (found->pruned == 0) QCOMPARE(found->tooLarge, tooLarge);
        std::sort(all.begin(), all.end(), [](const Tried& a, const Tried& b) { return a.seconds < b.seconds; });
        QCOMPARE(found->best.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) QVERIFY(isClose(found->best[i].iteration.value(), all[i].seconds));
        std::vector<Tried> front;
        for (const Tried& each : all)
            if (front.empty() || each.gib < front.back().gib * (1 - 1e-12)) front.push_back(each);
        QVERIFY(found->front.size() >= 2);
        for (const SearchPoint& point : found->front) // its times differ from those of the estimates by rounding
            QVERIFY(std::any_of(front.begin(), front.end(), [&](const Tried& each) {
                return isClose(each.seconds, point.iteration.value()) && isClose(each.gib, point.memoryGib);
            }));
        for (const Tried& each : front)
            QVERIFY(std::any_of(found->front.begin(), found->front.end(), [&](const SearchPoint& point) {
                return point.iteration.value() <= each.seconds * (1 + 1e-9) && point.memoryGib <= each.gib * (1 + 1e-9);
            }));
    }
    // Same input, same answer.
    void threadsChangeNothing() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        for (const char* model : {"gpt3-175b", "mixtral-8x7b"}) {
            const TrainingJob job = jobOf(model, 512);
            const SearchSpace space = usualSpace(*fabric, job, gpus);
            const auto one = searchTraining(*fabric, job, gpus, {}, space, {.most = 20, .threads = 1});
            QVERIFY(one && one->best.size() == 20);
            for (const int threads : {2, 3, 8}) {
                const auto other = searchTraining(*fabric, job, gpus, {}, space, {.most = 20, .threads = threads});
                QVERIFY(other);
                QCOMPARE(other->evaluated, one->evaluated);
                QCOMPARE(other->tooLarge, one->tooLarge);
                QCOMPARE(other->pruned, one->pruned);
                QCOMPARE(other->best.size(), one->best.size());
                for (std::size_t i = 0; i < one->best.size(); ++i) QCOMPARE(toJson(other->best[i]).dump(), toJson(one->best[i]).dump());
                QCOMPARE(other->front.size(), one->front.size());
                for (std::size_t i = 0; i < one->front.size(); ++i) QCOMPARE(toJson(other->front[i]).dump(), toJson(one->front[i]).dump());
            }
        }
    }
    // With fewer GPUs less of the time is lost to communication and bubbles, so the cheapest run is a slower one.
    void costTriesFewerGpus() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const TrainingJob job = jobOf("llama3-8b", 256);
        const auto fast = searchTraining(*fabric, job, gpus, {}, usualSpace(*fabric, job, gpus), {});
        const auto cheap = searchTraining(*fabric, job, gpus, {}, usualSpace(*fabric, job, gpus, Objective::Cost), {Objective::Cost});
        QVERIFY(fast && cheap && !fast->best.empty() && !cheap->best.empty());
        const auto gpuSeconds = [](const TrainingEstimate& e) { return e.iteration.value() * static_cast<double>(e.job.gpus()); };
        QCOMPARE(fast->best.front().job.gpus(), 256);
        QVERIFY(cheap->best.front().job.gpus() < 256);
        QVERIFY(gpuSeconds(cheap->best.front()) < gpuSeconds(fast->best.front()));
        QVERIFY(cheap->best.front().iteration > fast->best.front().iteration);
    }
    void pointsAreEstimates_data() {
        QTest::addColumn<bool>("isMixed");
        QTest::newRow("one generation") << false;
        QTest::newRow("two generations") << true;
    }
    // A job on fewer GPUs meets fewer stragglers, and may not meet the slow GPUs: every point takes as long as an estimate of its own on
    // the first GPUs.
    void pointsAreEstimates() {
        QFETCH(bool, isMixed);
        const FabricPointer fabric = isMixed ? mixedFabric("16") : test::fabricOf("superpod-h100", {{"servers", "16"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const TrainingJob job = jobOf("llama3-8b", 128);
        TrainingCalibration calibration = shippedTrainingCalibration();
        calibration.stragglers = {0.05, 3};
        const auto found =
            searchTraining(*fabric, job, gpus, {}, usualSpace(*fabric, job, gpus, Objective::Cost), {Objective::Cost}, {}, calibration);
        QVERIFY(found && found->front.size() >= 2);
        std::set<std::int64_t> sizes;
        for (const SearchPoint& point : found->front) {
            const PlacedJob placed{point.job, {gpus.begin(), gpus.begin() + point.job.gpus()}};
            const auto own = estimateTraining(*fabric, placed, planOf(point.schedule), calibration);
            QVERIFY(own && isClose(point.iteration.value(), own->iteration.value()));
            sizes.insert(point.job.gpus());
        }
        QVERIFY(*sizes.begin() < 128);
    }
    void runnerUpIsExplained() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        TrainingJob job = jobOf("llama3-8b", 128);
        job.degrees = {8, 1, 1, 4, 1};
        const auto plain = estimateTraining(*fabric, {job, gpus}, {});
        job.recompute = Recompute::Full;
        const auto again = estimateTraining(*fabric, {job, gpus}, {});
        QVERIFY(plain && again);
        const std::string why = whySlower(*plain, *again);
        QVERIFY2(why.find("recomputation +") != std::string::npos, why.c_str());
        QVERIFY(whySlower(*plain, *plain).empty());
    }
    void theNearestMissIsSaid() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "1"}});
        const TrainingJob job = jobOf("gpt3-175b", 8);
        const auto found = searchTraining(*fabric, job, gpusInOrder(*fabric, RankOrder::Near), {},
                                          usualSpace(*fabric, job, gpusInOrder(*fabric, RankOrder::Near)), {.most = 3});
        QVERIFY(found);
        QVERIFY(found->best.empty() && found->evaluated == 0 && found->tooLarge > 0);
        QVERIFY(found->nearest && !found->nearest->isFeasible());
    }
    // Degrees, micro-batches and batches up to the largest that can be asked for: an answer that divides the GPUs, or why there is none.
    void hugeValuesAreAnswered() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        std::mt19937_64 random(11);
        const auto huge = [&]() -> std::int64_t {
            constexpr std::array<std::int64_t, 10> round{1, 1, 2, 4, 8, 65'536, 1 << 20, 1'000'000, 999'983, 3};
            return round[random() % round.size()];
        };
        int answered = 0, refused = 0;
        for (int i = 0; i < 400; ++i) {
            TrainingJob job = jobOf(i % 2 == 0 ? "llama3-8b" : "mixtral-8x7b", i % 3 == 0 ? std::int64_t{1} << 40 : 64 * huge());
            SearchSpace space = usualSpace(*fabric, job, gpus, i % 5 == 0 ? Objective::Cost : Objective::Time);
            for (auto* each : {&space.tensor, &space.pipeline, &space.context, &space.expert, &space.microBatches, &space.interleaves})
                *each = {i % 4 == 0 ? std::int64_t{1} << random() % 2 : huge()}; // a few that can run
            const auto found = searchTraining(*fabric, job, gpus, {}, space, {.most = 2});
            QVERIFY(found && found->isComplete);
            QVERIFY(!found->best.empty() || found->nearest || !found->problems.empty());
            QCOMPARE(found->problems.empty(), found->evaluated + found->tooLarge > 0);
            for (const TrainingEstimate& each : found->best) {
                QVERIFY(std::isfinite(each.iteration.value()) && each.iteration > Seconds());
                QVERIFY(std::count(space.gpus.begin(), space.gpus.end(), each.job.gpus()) == 1);
            }
            (found->problems.empty() ? answered : refused) += 1;
        }
        QVERIFY(answered > 10 && refused > 10);
    }
    // Sequences of a prime number of tokens and a billion experts: nothing is counted up to them.
    void hugeModelsAreSearched() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        for (const char* model : {"llama3-8b", "mixtral-8x7b"}) {
            TrainingJob job = jobOf(model, 64);
            job.model.sequenceTokens = 999'999'937;
            if (job.model.mixture) job.model.mixture->experts = 1'000'000'000;
            const auto found = searchTraining(*fabric, job, gpus, {}, usualSpace(*fabric, job, gpus), {});
            QVERIFY(found && found->isComplete && found->best.empty());
            QVERIFY(found->nearest && !found->nearest->reasons.empty());
        }
    }
    void withoutGpusThereIsNothingToSearch() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "1"}});
        const TrainingJob job = jobOf("llama3-8b", 64);
        for (const Objective objective : {Objective::Time, Objective::Cost, Objective::Energy}) {
            const SearchSpace space = usualSpace(*fabric, job, {}, objective);
            QVERIFY(space.gpus.size() <= 1);
            const auto found = searchTraining(*fabric, job, {}, {}, space, {objective});
            QVERIFY(!found && found.error().kind == Error::Kind::Unbuildable);
        }
    }
    // What is tried cannot run: what is wrong with the division that comes nearest.
    void theNearestDivisionIsSaid() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const auto problem = [&](std::int64_t batch, const auto& change) {
            const TrainingJob job = jobOf("llama3-8b", batch);
            SearchSpace space = usualSpace(*fabric, job, gpus);
            change(space);
            const auto found = searchTraining(*fabric, job, gpus, {}, space, {});
            return found && found->problems.size() == 1 ? found->problems.front().text : std::string("not one problem");
        };
        const auto isSaid = [](const std::string& text, const char* part) {
            if (text.find(part) != std::string::npos) return true;
            qWarning("%s", text.c_str());
            return false;
        };
        QVERIFY(
            isSaid(problem(64, [](SearchSpace& space) { space.tensor = {16}, space.pipeline = {4}; }), "gpus = 32: must be a multiple"));
        QVERIFY(isSaid(problem(64, [](SearchSpace& space) { space.expert = {2}; }), "has no experts"));
        QVERIFY(isSaid(problem(64, [](SearchSpace& space) { space.microBatches = {3}; }), "global_batch = 64"));
        QVERIFY(isSaid(problem(64, [](SearchSpace& space) { space.interleaves = {33}; }), "interleave = 33"));
    }
    // Within a division too: this one has a million micro-batches to try.
    void stoppedWithinADivision() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const TrainingJob job = jobOf("llama3-8b", 64);
        SearchSpace space = usualSpace(*fabric, job, gpus);
        space.tensor = {8};
        space.pipeline = {1};
        space.microBatches.assign(1'000'000, 1);
        std::stop_source stop;
        const std::jthread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            stop.request_stop();
        });
        const auto found = searchTraining(*fabric, job, gpus, {}, space, {.threads = 2}, stop.get_token());
        QVERIFY(found && !found->isComplete && found->problems.empty());
    }
    void stoppedEarly() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const TrainingJob job = jobOf("llama3-8b", 64);
        std::stop_source stop;
        stop.request_stop();
        const auto found = searchTraining(*fabric, job, gpusInOrder(*fabric, RankOrder::Near), {},
                                          usualSpace(*fabric, job, gpusInOrder(*fabric, RankOrder::Near)), {.most = 3}, stop.get_token());
        QVERIFY(found && found->evaluated == 0 && !found->isComplete);
    }
};

QTEST_GUILESS_MAIN(tst_training_search)
#include "tst_training_search.moc"
