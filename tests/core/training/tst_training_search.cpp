// The search against a plain enumeration that costs every configuration by itself.
#include "tests/support/designs.h"

#include "core/training/search.h"
#include "core/workload/models_json.h"

using namespace railyard;

class tst_training_search : public QObject {
    Q_OBJECT

    static TrainingJob jobOf(const std::string& model, std::int64_t globalBatch) {
        TrainingJob job = usualJob(*modelOf(model));
        job.globalBatch = globalBatch;
        return job;
    }

private slots:
    void findsWhatEnumerationFinds_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("recipe");
        for (const char* model : {"llama3-8b", "llama3-70b", "mixtral-8x7b"})
            for (const char* recipe : {"superpod-h100", "rail-only"})
                QTest::newRow((std::string(model) + " on " + recipe).c_str()) << QString::fromLatin1(model) << QString::fromLatin1(recipe);
    }
    void findsWhatEnumerationFinds() {
        QFETCH(QString, model);
        QFETCH(QString, recipe);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), {{"servers", "4"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const TrainingJob job = jobOf(model.toStdString(), 128);
        SearchSpace space = usualSpace(*fabric, job, gpus);
        space.context = {1};
        space.interleaves = {1, 2};
        space.microBatches = {1, 2, 4};
        const auto found = searchTraining(*fabric, job, gpus, {}, space, 3);
        QVERIFY(found);
        std::int64_t fitting = 0, tooLarge = 0;
        double fastest = 1e300;
        for (std::int64_t t = 1; t <= 8; t *= 2)
            for (std::int64_t p = 1; p <= 32; p *= 2)
                for (std::int64_t e = 1; e <= (job.model.mixture ? 8 : 1); e *= 2)
                    for (const std::int64_t batch : {1, 2, 4})
                        for (const std::int64_t chunks : {1, 2})
                            for (const Recompute recompute : {Recompute::None, Recompute::Selective, Recompute::Full, Recompute::GemmLast})
                                for (int zero = 0; zero <= 3; ++zero) {
                                    if (32 % (t * p * e) != 0) continue;
                                    TrainingJob tried = job;
                                    tried.degrees = {t, 1, e, 32 / (t * p * e), p};
                                    tried.microBatch = batch;
                                    tried.interleave = chunks;
                                    tried.recompute = recompute;
                                    tried.zero = zero;
                                    if ((zero > 0 && tried.by(Parallel::Data) == 1) || !tried.problems().empty()) continue;
                                    const auto estimate = estimateTraining(*fabric, {tried, gpus}, {});
                                    QVERIFY(estimate);
                                    if (!estimate->isFeasible()) {
                                        ++tooLarge;
                                        continue;
                                    }
                                    ++fitting;
                                    fastest = std::min(fastest, estimate->iteration.value());
                                }
        QCOMPARE(found->evaluated, fitting);
        QCOMPARE(found->tooLarge, tooLarge);
        QVERIFY(!found->best.empty());
        QVERIFY2(std::abs(found->best.front().iteration.value() / fastest - 1) < 1e-9,
                 qPrintable(QString::number(found->best.front().iteration.value() / fastest)));
        for (std::size_t i = 1; i < found->best.size(); ++i) QVERIFY(found->best[i - 1].iteration <= found->best[i].iteration);
    }
    void theNearestMissIsSaid() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "1"}});
        const TrainingJob job = jobOf("gpt3-175b", 8);
        const auto found = searchTraining(*fabric, job, gpusInOrder(*fabric, RankOrder::Near), {},
                                          usualSpace(*fabric, job, gpusInOrder(*fabric, RankOrder::Near)), 3);
        QVERIFY(found);
        QVERIFY(found->best.empty() && found->evaluated == 0 && found->tooLarge > 0);
        QVERIFY(found->nearest && !found->nearest->isFeasible());
    }
    void stoppedEarly() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const TrainingJob job = jobOf("llama3-8b", 64);
        std::stop_source stop;
        stop.request_stop();
        const auto found = searchTraining(*fabric, job, gpusInOrder(*fabric, RankOrder::Near), {},
                                          usualSpace(*fabric, job, gpusInOrder(*fabric, RankOrder::Near)), 3, stop.get_token());
        QVERIFY(found && found->evaluated == 0);
    }
};

QTEST_GUILESS_MAIN(tst_training_search)
#include "tst_training_search.moc"
