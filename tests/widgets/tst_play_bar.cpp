// A collective played over the drawing: the figures of the core, step by step, gone with the mode; frames as files.
#include "tests/support/designs.h"

#include "core/collective/steps.h"
#include "core/training/iteration_steps.h"
#include "core/training/measurements.h"
#include "core/workload/models_json.h"
#include "widgets/canvas/canvas.h"
#include "widgets/export/pictures.h"
#include "widgets/export/play_frames.h"
#include "widgets/modes/play_bar.h"

#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QXmlStreamReader>

using namespace railyard;

class tst_play_bar : public QObject {
    Q_OBJECT

    struct Desk {
        Document document;
        Canvas canvas{document};
        PlayBar bar{document};
        PlayBar::Utilisations shown;
        Territories stages;
        explicit Desk(const DesignPointer& design) {
            document.open(design, {});
            canvas.resize(1000, 700);
            QObject::connect(&bar, &PlayBar::loadsChanged, &canvas, &Canvas::showLoads);
            QObject::connect(&bar, &PlayBar::loadsChanged, &bar, [this](const PlayBar::Utilisations& loads) { shown = loads; });
            QObject::connect(&bar, &PlayBar::territoriesChanged, &bar, [this](const Territories& territories) { stages = territories; });
            bar.setTokens(lightTokens());
            bar.setOn(true);
            bar.wait();
        }
        void choose(CollectiveOp op) {
            auto* box = bar.findChild<QComboBox*>(QStringLiteral("play-op"));
            box->setCurrentIndex(static_cast<int>(op));
            emit box->activated(box->currentIndex());
            bar.wait();
        }
        void click(const char* name) {
            bar.findChild<QToolButton*>(QString::fromLatin1(name))->click();
            bar.wait();
        }
        bool isEnabled(const char* name) const { return bar.findChild<QToolButton*>(QString::fromLatin1(name))->isEnabled(); }
        QString text(const char* name) const { return bar.findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    };

private slots:
    void everyStepShowsTheLoadsOfTheCore() {
        Desk desk(test::designOf("rail-only", {{"servers", "8"}}));
        desk.choose(CollectiveOp::AllToAll);
        const Fabric& fabric = *desk.document.now().fabric;
        const auto steps = CollectiveSteps::create(fabric, CollectiveOp::AllToAll, Bytes(std::int64_t{1} << 30));
        QCOMPARE(steps->steps().size(), std::size_t{8}); // forwarding, and seven rounds
        QVERIFY(!desk.isEnabled("play-back"));
        for (std::size_t i = 0; i < steps->steps().size(); ++i) {
            const auto loads = steps->loadsOf(fabric, i);
            QVERIFY(desk.shown);
            for (const LinkId l : fabric.links.ids()) QCOMPARE((*desk.shown)[l], loads->utilisation(fabric, l));
            QVERIFY2(desk.text("play-text").startsWith(QStringLiteral("Step %1 of 8").arg(i + 1)), qPrintable(desk.text("play-text")));
            desk.click("play-forward");
        }
        QVERIFY(!desk.isEnabled("play-forward"));
        desk.click("play-back");
        QCOMPARE(desk.bar.step(), 6);
        desk.bar.setOn(false);
        QVERIFY(!desk.shown);
    }
    // An iteration of a job, with the loads of the core; after it a collective again, and a job that cannot run says why.
    void anIterationIsPlayed() {
        Desk desk(test::designOf("rail-only", {{"servers", "8"}}));
        JobRequest asked = usualRequest();
        asked.planned.job = usualJob(*modelOf("llama3-8b"));
        asked.planned.job.degrees = {8, 1, 1, 0, 2};
        desk.bar.playIteration(asked);
        desk.bar.wait();
        const Fabric& fabric = *desk.document.now().fabric;
        const auto expected = IterationSteps::create(fabric, placedJob(asked.planned.job, fabric, RankOrder::Near), asked.planned.plan);
        QVERIFY(expected);
        QCOMPARE(desk.text("play-title"), QString::fromStdString(expected->title()));
        QVERIFY(desk.text("play-title").contains(QStringLiteral("One iteration of Llama-3 8B on 64 GPUs")));
        QCOMPARE(expected->steps().size(), std::size_t{4});
        // Tensor groups are whole servers, replicas the next ones: the first half of the servers is stage 1.
        QCOMPARE(desk.stages.ofScope.size(), fabric.scopes.size());
        for (std::uint32_t s = 0; s < 8; ++s) {
            const ScopeId server = fabric.servers[ServerId(s)];
            QCOMPARE(desk.stages.ofScope[server], s < 4 ? 0 : 1);
            QCOMPARE(desk.stages.notes[server], QStringLiteral("Stage %1 of 2, replica %2").arg(s < 4 ? 1 : 2).arg(s % 4 + 1));
        }
        for (std::size_t i = 0; i < 4; ++i) {
            const auto loads = expected->loadsOf(fabric, i);
            QVERIFY(loads && desk.shown);
            for (const LinkId l : fabric.links.ids()) QCOMPARE((*desk.shown)[l], loads->utilisation(fabric, l));
            QVERIFY2(desk.text("play-text").contains(QString::fromStdString(expected->steps()[i].name)),
                     qPrintable(desk.text("play-text")));
            if (i < 3) desk.click("play-forward");
        }
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("frames.svg"));
        QVERIFY(drawPlay(desk.bar.playedOn(), *desk.bar.steps(), path, {}));
        QVERIFY(QFile::exists(path));
        // With measurements of the user, the times are theirs.
        auto calibration = std::make_shared<TrainingCalibration>(shippedTrainingCalibration());
        QVERIFY(addCalibrationFile("operation,shape,us\nmatmul,4096x4096x4096,5000\n", "layers.csv", *calibration));
        desk.bar.playIteration(asked, calibration);
        desk.bar.wait();
        const auto measured =
            IterationSteps::create(fabric, placedJob(asked.planned.job, fabric, RankOrder::Near), asked.planned.plan, *calibration);
        QVERIFY(measured && measured->title() != expected->title());
        QCOMPARE(desk.text("play-title"), QString::fromStdString(measured->title()));
        asked.planned.job.degrees = {7, 1, 1, 0, 1};
        desk.bar.playIteration(asked);
        desk.bar.wait();
        QVERIFY2(desk.text("play-text").contains(QStringLiteral("must divide")), qPrintable(desk.text("play-text")));
        desk.choose(CollectiveOp::AllReduce);
        QVERIFY(desk.text("play-title").startsWith(QStringLiteral("All-reduce of ")));
        QVERIFY(desk.stages.isEmpty());
    }
    // In each step, servers have the colour of their group in it; in those between stages, that of their stage.
    void groupsAreTerritories() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "8"}}));
        JobRequest asked = usualRequest();
        asked.planned.job = usualJob(*modelOf("mixtral-8x7b"));
        asked.planned.job.degrees = {4, 1, 8, 0, 1}; // tp, cp, ep: experts of four servers, two such groups
        desk.bar.playIteration(asked);
        desk.bar.wait();
        const Fabric& fabric = *desk.document.now().fabric;
        int steps = 0;
        for (;; ++steps) {
            const auto* iteration = dynamic_cast<const IterationSteps*>(desk.bar.steps().get());
            QVERIFY(iteration);
            const Parallel kind = iteration->kindOf(static_cast<std::size_t>(desk.bar.step()));
            if (kind == Parallel::Expert) {
                std::map<int, int> servers;
                for (std::uint32_t s = 0; s < 8; ++s) ++servers[desk.stages.ofScope[fabric.servers[ServerId(s)]]];
                QCOMPARE(servers, (std::map<int, int>{{0, 4}, {1, 4}}));
                QCOMPARE(desk.stages.notes[fabric.servers[ServerId(0)]], QStringLiteral("Group 1 of 2 in expert parallelism"));
            } else if (kind == Parallel::Tensor) {
                QVERIFY(desk.stages.isEmpty()); // within every server
            }
            if (!desk.isEnabled("play-forward")) break;
            desk.click("play-forward");
        }
        QVERIFY(steps > 1);
    }
    void itRunsByItselfToTheEnd() {
        Desk desk(test::designOf("rail-optimized", {{"servers", "2"}}));
        QVERIFY2(desk.text("play-title").startsWith(QStringLiteral("All-reduce of 1 GiB on 16 GPUs")), qPrintable(desk.text("play-title")));
        auto* run = desk.bar.findChild<QToolButton*>(QStringLiteral("play-run"));
        const int last = desk.bar.findChild<QSlider*>(QStringLiteral("play-step"))->maximum();
        QVERIFY(last > 0);
        run->click();
        QCOMPARE(run->text(), QStringLiteral("Pause"));
        QTRY_COMPARE_WITH_TIMEOUT(run->text(), QStringLiteral("Play"), 20000);
        QCOMPARE(desk.bar.step(), last);
        run->click(); // from the start again
        QVERIFY(desk.bar.step() < last);
    }
    void editsAndFailuresPlayOnWhatIsThereNow() {
        Desk desk(test::designOf("rail-optimized", {{"servers", "4"}}));
        desk.click("play-forward");
        desk.document.setFailures({{"su[1]/srv[1]/gpu[1]"}, 0, 1});
        desk.bar.wait();
        QCOMPARE(desk.bar.step(), 0);
        QVERIFY(desk.text("play-title").contains(QStringLiteral("31 GPUs")));
        QCOMPARE(desk.shown->size(), desk.document.now().fabric->links.size());
    }
    void oneGpuHasNothingToPlay() {
        Desk desk(test::designOf("rail-optimized", {{"servers", "1"}}));
        desk.document.setFailures({{"su[1]/srv[1]/gpu[2-8]"}, 0, 1});
        desk.bar.wait();
        QVERIFY(!desk.isEnabled("play-run") && !desk.isEnabled("play-frames") && !desk.isEnabled("play-forward"));
        QVERIFY(!desk.text("play-text").isEmpty());
    }
    void framesAreFiles() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "4"}});
        const auto steps = CollectiveSteps::create(*fabric, CollectiveOp::AllToAll, Bytes(std::int64_t{1} << 30));
        QCOMPARE(steps->steps().size(), std::size_t{3});
        QTemporaryDir folder;
        PictureOptions options;
        options.size = QSize(600, 400);
        QVERIFY(drawPlay({fabric, fabric, {}}, *steps, folder.filePath(QStringLiteral("a.png")), options));
        for (const char* name : {"a-01.png", "a-02.png", "a-03.png"})
            QCOMPARE(QImage(folder.filePath(QLatin1String(name))).size(), QSize(600, 400));
        QVERIFY(drawPlay({fabric, fabric, {}}, *steps, folder.filePath(QStringLiteral("a.svg")), options));
        QFile file(folder.filePath(QStringLiteral("a.svg")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        int moving = 0;
        std::set<QString> names;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            moving += xml.name() == QStringLiteral("animate");
            const QString id = xml.attributes().value(QStringLiteral("id")).toString();
            QVERIFY(id.isEmpty() || names.insert(id).second); // each name once in the file
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(moving, 3);
        QVERIFY(!drawPlay({fabric, fabric, {}}, *steps, folder.filePath(QStringLiteral("no/such/a.svg")), options));
    }
};

QTEST_MAIN(tst_play_bar)
#include "tst_play_bar.moc"
