// The Training view shows what the core estimates for the job in its fields.
#include "tests/support/designs.h"
#include "widgets/export/pictures.h"
#include "widgets/views/training_view.h"

#include "core/analysis/curves/training_curves.h"
#include "core/analysis/metrics/run_cost.h"
#include "core/base/unit_text.h"
#include "core/bill/cabling.h"
#include "core/training/job_request.h"
#include "core/training/search_placements.h"
#include "core/workload/models_json.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace railyard;

class tst_training_view : public QObject {
    Q_OBJECT

    struct Desk {
        Document document;
        TrainingView view;
        explicit Desk(const DesignPointer& design) : view(document) {
            document.open(design, {});
            view.resize(1200, 700);
            view.show();
            view.wait();
        }
        QString said(const char* name) { return view.findChild<QLabel*>(QLatin1String(name))->text(); }
        QSpinBox& field(const char* name) { return *view.findChild<QSpinBox*>(QLatin1String(name)); }
        void choose(const char* model) {
            auto* box = view.findChild<QComboBox*>(QStringLiteral("training-model"));
            box->setCurrentIndex(box->findData(QLatin1String(model)));
            view.wait();
        }
        void set(const char* name, int value) {
            field(name).setValue(value);
            view.wait();
        }
    };
    static DesignPointer superpod(int servers) { return test::designOf("superpod-h100", {{"servers", std::to_string(servers)}}); }

private slots:
    void showsWhatTheCoreEstimates() {
        Desk desk(superpod(32));
        desk.choose("gpt3-175b");
        desk.set("training-tp", 8);
        desk.set("training-pp", 4);
        TrainingJob job = usualJob(*modelOf("gpt3-175b"));
        job.degrees = {8, 1, 1, 8, 4};
        job.globalBatch = 4 * 4 * 8;
        const FabricPointer fabric = elaborate(superpod(32));
        const auto expected = estimateTraining(*fabric, placedJob(job, *fabric, RankOrder::Near), {});
        QVERIFY(expected);
        QVERIFY2(desk.said("training-headline")
                     .contains(QString::fromStdString(formatSeconds(expected->iteration)) +
                               QStringLiteral(" per iteration; exposed communication: network %1 %, inside HB domains %2 %")
                                   .arg(expected->exposedOnNetwork() / expected->iteration * 100, 0, 'f', 1)
                                   .arg(expected->exposedInDomains() / expected->iteration * 100, 0, 'f', 1)),
                 qPrintable(desk.said("training-headline")));
        QVERIFY(desk.said("training-note").contains(QStringLiteral("PP 4")));
        QCOMPARE(desk.said("training-note").contains(QStringLiteral("Does not fit")), !expected->isFeasible());
        QVERIFY(desk.said("training-facts").contains(QString::number(expected->modelShare() * 100, 'f', 1)));
        const RunCost cost = runCostOf(billOf(*fabric, cablingOf(*fabric)), 256, *expected);
        QVERIFY(desk.said("training-facts").contains(QString::fromStdString(formatMoney(Money::dollars(*cost.totalUsd())))));
    }
    void aJobThatCannotRunSaysWhy() {
        Desk desk(superpod(4));
        desk.set("training-tp", 7);
        QCOMPARE(desk.said("training-headline"), QStringLiteral("This job cannot run like this"));
        QVERIFY2(desk.said("training-note").startsWith(QStringLiteral("TP = 7: must divide the 64 heads")),
                 qPrintable(desk.said("training-note")));
        desk.set("training-tp", 8);
        QVERIFY(desk.said("training-headline").contains(QStringLiteral("per iteration")));
    }
    // The fields are those of the answer, and nothing that fits is faster.
    void findsTheFastest() {
        Desk desk(superpod(8));
        const auto seconds = [&] { return desk.view.findChild<QLabel*>(QStringLiteral("training-headline"))->text(); };
        desk.set("training-global-batch", 256);
        QTest::mouseClick(desk.view.findChild<QPushButton*>(QStringLiteral("training-best")), Qt::LeftButton);
        desk.view.wait();
        const QString best = seconds();
        QVERIFY(best.contains(QStringLiteral("per iteration")));
        QVERIFY(!desk.said("training-note").contains(QStringLiteral("Does not fit")));
        QCOMPARE(desk.field("training-global-batch").value(), 256);
        desk.set("training-micro-batch", desk.field("training-micro-batch").value()); // the same job, asked for by hand
        QCOMPARE(seconds(), best);
    }
    // Experts that share the ranks of the rest do so in the stored job too.
    void findsFoldedExperts() {
        const auto edit = setTraining(*superpod(64), NamedOptions{{{"model", "deepseek-v3"}}, {}});
        Desk desk(edit->design);
        QTest::mouseClick(desk.view.findChild<QPushButton*>(QStringLiteral("training-best")), Qt::LeftButton);
        desk.view.wait();
        const FabricPointer fabric = elaborate(desk.document.now().design);
        const auto asked = readJob({{"model", "deepseek-v3"}});
        const auto placed = placedOn(*fabric, *asked);
        QVERIFY(placed);
        const auto spaceOf = [&](const std::vector<DeviceId>& gpus) { return usualSpace(*fabric, placed->job, gpus); };
        const SearchRequest request{.threads = 2, .memoryShare = 0.95};
        const auto best = searchPlacements(*fabric, placed->job, {{placed->gpus, 0}}, asked->planned.plan, spaceOf, request);
        QVERIFY(best && best->best.front().job.isExpertFolded());
        const TrainingFigures stored = trainingFiguresOf(*fabric);
        QVERIFY(stored.estimate && stored.estimate->isFeasible());
        QCOMPARE(stored.estimate->job.expertRanks(), best->best.front().job.expertRanks());
        QCOMPARE(stored.estimate->iteration.value(), best->best.front().iteration.value());
    }
    // What a chart says is what the job has on this design, and every chart has something to say.
    void chartsSayTheirNumbers() {
        Desk desk(superpod(32));
        desk.set("training-pp", 4);
        QTemporaryDir folder;
        auto& choice = *desk.view.findChild<QComboBox*>(QStringLiteral("training-chart"));
        TrainingJob job = usualJob(*modelOf("llama3-70b"));
        job.degrees = {0, 1, 1, 0, 4};
        job.globalBatch = 0;
        const FabricPointer fabric = elaborate(superpod(32));
        const PlacedJob placed = placedJob(job, *fabric, RankOrder::Near);
        const auto all = estimateTraining(*fabric, placed, {});
        const auto faster = estimateTraining(*atSpeeds(*fabric, 4, 1), placed, {});
        QVERIFY(all && faster);
        const QString expected[] = {
            QStringLiteral("The 4 stages wait %1 %").arg(pipelineTimeline(*fabric, placed, {})->idleShare * 100, 0, 'f', 1),
            QStringLiteral("%1 % on 256").arg(all->modelShare() * 100, 0, 'f', 1),
            QStringLiteral("%1 days on 256").arg(QString::number(all->days(), 'g', 3)),
            QStringLiteral("MFU is "),
            QStringLiteral("network bandwidth: %1 % faster").arg((all->iteration / faster->iteration - 1) * 100, 0, 'f', 1),
            QStringLiteral("takes %1 % of an iteration").arg(all->breakdown.exposed() / all->iteration * 100, 0, 'f', 1),
            QStringLiteral("With HB domains of 8 GPUs")};
        QCOMPARE(choice.count(), static_cast<int>(std::size(expected)));
        for (int chart = 0; chart < choice.count(); ++chart) {
            choice.setCurrentIndex(chart);
            desk.view.wait();
            const QString title = desk.view.chart().plot().title();
            QVERIFY2(title.contains(expected[chart]), qPrintable(title + QStringLiteral(" / ") + expected[chart]));
            PictureOptions options;
            const QString path = folder.filePath(QStringLiteral("chart-%1.png").arg(chart));
            QVERIFY(drawTrainingChart(desk.view.chart().answer(), path, options));
            QVERIFY(!QImage(path).isNull());
        }
    }
    // The options of the plan reach the estimate.
    void overlapAndOffloadCount() {
        Desk desk(superpod(8));
        const QString with = desk.said("training-headline");
        auto& overlap = *desk.view.findChild<QCheckBox*>(QStringLiteral("training-overlap-dp"));
        overlap.setChecked(false);
        desk.view.wait();
        QVERIFY(desk.said("training-headline") != with);
        desk.view.findChild<QComboBox*>(QStringLiteral("training-precision"))->setCurrentIndex(1);
        desk.view.wait();
        TrainingJob job = usualJob(*modelOf("llama3-70b"));
        job.degrees = {0, 1, 1, 0, 1};
        job.globalBatch = 0;
        TrainingPlan plan;
        plan.overlapsData = false;
        job.precision = Precision::Fp8;
        const FabricPointer fabric = elaborate(superpod(8));
        const auto expected = estimateTraining(*fabric, placedJob(job, *fabric, RankOrder::Near), plan);
        QVERIFY(expected);
        QVERIFY(desk.said("training-headline").contains(QString::fromStdString(formatSeconds(expected->iteration))));
    }
    // Measurements replace the built-in curves in every number, the view says so and how far those were off; a bad file changes nothing.
    void measurementsReplaceTheCurves() {
        Desk desk(superpod(4));
        const QString before = desk.said("training-headline");
        QTemporaryDir folder;
        const auto write = [&](const QString& name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("no file");
            return file.fileName();
        };
        desk.view.addMeasurements(write(QStringLiteral("bad.csv"), "operation,shape,us\nmatmul,,9\n"));
        desk.view.wait();
        QCOMPARE(desk.said("training-headline"), before);
        QVERIFY2(desk.said("training-measured").contains(QStringLiteral("matmul has no shape")),
                 qPrintable(desk.said("training-measured")));
        const QByteArray rows = "operation,shape,us\nmatmul,4096x4096x4096,1000\n";
        desk.view.addMeasurements(write(QStringLiteral("layers.csv"), rows));
        desk.view.wait();
        TrainingCalibration calibration = shippedTrainingCalibration();
        QVERIFY(addCalibrationFile(rows.toStdString(), "layers.csv", calibration));
        TrainingJob job = usualJob(*modelOf("llama3-70b"));
        job.degrees = {0, 1, 1, 0, 1};
        job.globalBatch = 0;
        const FabricPointer fabric = elaborate(superpod(4));
        const auto expected = estimateTraining(*fabric, placedJob(job, *fabric, RankOrder::Near), {}, calibration);
        QVERIFY(expected);
        QVERIFY(desk.said("training-headline").contains(QString::fromStdString(formatSeconds(expected->iteration))));
        QVERIFY(desk.said("training-note").contains(QStringLiteral("with measured operations (training.json + layers.csv)")));
        QVERIFY(desk.said("training-measured").contains(QStringLiteral("(matmul 4096x4096x4096)")));
        QTest::mouseClick(desk.view.findChild<QPushButton*>(QStringLiteral("training-forget-measurements")), Qt::LeftButton);
        desk.view.wait();
        QCOMPARE(desk.said("training-headline"), before);
        QVERIFY(desk.said("training-measured").isEmpty());
    }
    // The fields edit the job of the design: it is saved, undone, and among the figures.
    void editsTheJobOfTheDesign() {
        Desk desk(superpod(8));
        QVERIFY(!desk.document.now().design->training && !desk.document.isModified());
        desk.choose("gpt3-175b");
        desk.set("training-pp", 8);
        QCOMPARE(desk.document.now().design->training->options, (std::map<std::string, std::string>{{"model", "gpt3-175b"}, {"pp", "8"}}));
        QVERIFY(desk.document.isModified());
        desk.document.waitForBackground();
        const auto& figures = desk.document.background()->training;
        QVERIFY(figures && figures->estimate);
        QVERIFY(desk.said("training-headline").contains(QString::fromStdString(formatSeconds(figures->estimate->iteration))));
        desk.document.undoStack().undo();
        desk.view.wait();
        QCOMPARE(desk.field("training-pp").value(), 1);
        desk.document.undoStack().undo();
        desk.view.wait();
        QVERIFY(!desk.document.now().design->training && !desk.document.isModified());
        QVERIFY(desk.said("training-headline").contains(QStringLiteral("Llama-3 70B")));
        // What the fields do not show stays.
        desk.document.apply(setTraining(*desk.document.now().design, NamedOptions{{{"straggler", "1.5"}, {"tp", "4"}}, {}}));
        desk.view.wait();
        QCOMPARE(desk.field("training-tp").value(), 4);
        desk.set("training-pp", 2);
        QCOMPARE(desk.document.now().design->training->options.at("straggler"), std::string("1.5"));
    }
    // A search that ends after the view was left and another design was opened does not change that design.
    void aSearchDoesNotEditAnotherDesign() {
        Desk desk(superpod(16));
        QTest::mouseClick(desk.view.findChild<QPushButton*>(QStringLiteral("training-best")), Qt::LeftButton);
        desk.view.hide();
        desk.document.open(superpod(4), {});
        desk.view.wait();
        QVERIFY(!desk.document.now().design->training && !desk.document.isModified());
    }
    // The button that begins a search stops it; what it had found by then is taken, and the view says that it was stopped.
    void aSearchCanBeStopped() {
        Desk desk(superpod(64));
        auto& button = *desk.view.findChild<QPushButton*>(QStringLiteral("training-best"));
        const QString before = button.text();
        QTest::mouseClick(&button, Qt::LeftButton);
        QCOMPARE(button.text(), QStringLiteral("Stop"));
        QVERIFY(button.isEnabled());
        QTest::mouseClick(&button, Qt::LeftButton);
        QVERIFY(!button.isEnabled());
        desk.view.wait();
        QCOMPARE(button.text(), before);
        QVERIFY(button.isEnabled());
        QVERIFY2(desk.said("training-note").contains(QStringLiteral("The search was stopped")), qPrintable(desk.said("training-note")));
        desk.set("training-pp", 2);
        QVERIFY(!desk.said("training-note").contains(QStringLiteral("stopped")));
    }
    // More than a field can show stays as it is while other fields are edited.
    void whatAFieldCannotShowStays() {
        Desk desk(superpod(4));
        QVERIFY(
            desk.document.apply(setTraining(*desk.document.now().design, NamedOptions{{{"global_batch", "33554432"}, {"tp", "8"}}, {}})));
        desk.view.wait();
        desk.set("training-micro-batch", 2);
        QCOMPARE(desk.document.now().design->training->options.at("global_batch"), std::string("33554432"));
        QCOMPARE(desk.document.now().design->training->options.at("micro_batch"), std::string("2"));
    }
    // With failures the job runs on what is left of the fabric, beside the same job on all of it.
    void failuresCount() {
        Desk desk(superpod(8));
        const QString before = desk.said("training-headline");
        Failures failures;
        failures.selectors = {"su[1]/srv[1]/nic[3]"};
        desk.document.setFailures(failures);
        desk.view.wait();
        const Fabric& degraded = *desk.document.degraded();
        const auto placed = placedOn(degraded, usualRequest());
        const auto expected = placed ? estimateTraining(degraded, *placed, {}) : Result<TrainingEstimate>(placed.errors());
        QVERIFY(expected);
        QVERIFY2(desk.said("training-headline").contains(QString::fromStdString(formatSeconds(expected->iteration))),
                 qPrintable(desk.said("training-headline")));
        desk.document.setFailures({});
        desk.view.wait();
        QCOMPARE(desk.said("training-headline"), before);
    }
    void followsTheDesign() {
        Desk desk(superpod(4));
        QVERIFY(desk.said("training-headline").contains(QStringLiteral("32 GPUs")));
        desk.document.open(superpod(8), {});
        desk.view.wait();
        QVERIFY(desk.said("training-headline").contains(QStringLiteral("64 GPUs")));
        desk.document.open(emptyDesign(shippedCatalog()), {});
        desk.view.wait();
        QVERIFY2(desk.said("training-note").contains(QStringLiteral("no GPUs")), qPrintable(desk.said("training-note")));
    }
};

QTEST_MAIN(tst_training_view)
#include "tst_training_view.moc"
