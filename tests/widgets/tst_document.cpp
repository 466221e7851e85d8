#include "core/analysis/edit_text.h"
#include "core/io/results/results_json.h"
#include "core/json/json_text.h"
#include "tests/support/designs.h"

#include "core/design/model/size.h"
#include "core/io/document/design_json.h"
#include "widgets/document/document.h"
#include "widgets/models/device_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace railyard;

class tst_document : public QObject {
    Q_OBJECT

private slots:
    void backgroundFiguresCanBeStopped() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        document.waitForBackground();
        QVERIFY(document.apply(setServers(*document.now().design, 64)));
        QVERIFY(!document.background());
        document.stopBackground();
        QTest::qWait(300);
        QVERIFY(!document.background() && document.isBackgroundStopped());
        QVERIFY(document.lastBackground()); // of before, shown grey
        document.resumeBackground();
        QVERIFY(!document.isBackgroundStopped());
        QTRY_VERIFY(document.background());
        QCOMPARE(document.background()->bisection[0].upperGbps, 64 * 3200 / 2.0);
        QVERIFY(document.apply(setServers(*document.now().design, 96)));
        document.stopBackground();
        bool stoppedAtEdit = true;
        connect(&document, &Document::changed, this, [&] { stoppedAtEdit = document.isBackgroundStopped(); });
        QVERIFY(document.apply(setServers(*document.now().design, 128))); // the next edit computes again, and says so at once
        QVERIFY(!stoppedAtEdit);
        QTRY_VERIFY(document.background());
        QCOMPARE(document.background()->bisection[0].upperGbps, 128 * 3200 / 2.0);
    }
    void undoReturnsTheVerySameSnapshot() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "16"}}), {});
        test::Random random{1};
        std::vector<SnapshotPointer> seen{document.snapshot()};
        for (int step = 0; step < 200; ++step) {
            const auto edit = random.below(2) ? setServers(*document.now().design, 1 + random.below(60))
                                              : dropItem(*document.now().design, static_cast<PaletteItem>(random.below(5)), {1, 2});
            if (document.apply(edit)) seen.push_back(document.snapshot());
        }
        QCOMPARE(document.undoStack().count(), static_cast<int>(seen.size()) - 1);
        for (std::size_t i = seen.size(); i-- > 1;) {
            QCOMPARE(document.snapshot(), seen[i]);
            document.undoStack().undo();
        }
        QCOMPARE(document.snapshot(), seen.front());
        while (document.undoStack().canRedo()) document.undoStack().redo();
        QCOMPARE(document.snapshot(), seen.back());
    }
    void refusalsChangeNothing() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        const SnapshotPointer before = document.snapshot();
        QString reason;
        QVERIFY(!document.apply(dropItem(*document.now().design, PaletteItem::Rail, {}), &reason));
        QVERIFY(reason.contains(QStringLiteral("8 rails is the maximum")));
        QCOMPARE(document.snapshot(), before);
        QCOMPARE(document.undoStack().count(), 0);
    }
    void aSlipOfTheKeyIsAskedAbout() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        QString reason;
        QVERIFY(!document.apply(setServers(*document.now().design, 100'000), &reason)); // about two million devices
        QVERIFY2(reason.contains(QStringLiteral("devices")), qPrintable(reason));
        QCOMPARE(document.undoStack().count(), 0);
        std::int64_t asked = 0;
        document.setAskLarge([&](std::int64_t devices) { return asked = devices, false; });
        QVERIFY(!document.apply(setServers(*document.now().design, 100'000)));
        QVERIFY(asked > 1'600'000 && asked < 4'000'000);
    }
    void sizeIsKnownBeforeElaborating() {
        for (const auto& [recipe, servers] :
             {std::pair("superpod-h100", "100"), std::pair("rail-only", "64"), std::pair("aipod", "256"), std::pair("hpn-pod", "640")}) {
            const DesignPointer design = test::designOf(recipe, {{"servers", servers}});
            QCOMPARE(deviceCount(*design), static_cast<std::int64_t>(elaborate(design)->devices.size()));
        }
    }
    // The window shows what the command line prints.
    void figuresEqualTheEngine() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "100"}}), {});
        document.waitForBackground();
        const Metrics metrics = metricsOf(*document.now().fabric);
        QCOMPARE(document.now().instant.bill.network.inCents(), metrics.instant.bill.network.inCents());
        for (std::size_t k = 0; k < 3; ++k)
            QCOMPARE(document.background()->bisection[k].upperGbps, metrics.background.bisection[k].upperGbps);
        QCOMPARE(document.background()->collectives[1].result->best.time.value(),
                 metrics.background.collectives[1].result->best.time.value());
    }
    void backgroundArrivesForTheLastEditOnly() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        QSignalSpy arrived(&document, &Document::backgroundChanged);
        for (int servers = 65; servers < 75; ++servers) QVERIFY(document.apply(setServers(*document.now().design, servers)));
        QVERIFY(!document.background()); // stale is never shown as fresh
        QTRY_VERIFY_WITH_TIMEOUT(document.background(), 20000);
        QCOMPARE(document.background()->interrupts.components[0].count, std::int64_t{74 * 8});
        QVERIFY(arrived.count() >= 1);
    }
    // What was computed for a design, and for its failures, stands there at once when it comes back.
    void knownAnswersComeBack() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        document.waitForBackground();
        const Failures leaf{{"su[1]/leaf[1]"}};
        const auto figures = [&] {
            const Metrics shown{"", "", "", document.now().instant, *document.background()};
            return jsonText(toJson(shown));
        };
        const std::string small = figures();
        QVERIFY(document.apply(setServers(*document.now().design, 72)));
        QVERIFY(!document.background());
        document.waitForBackground();
        const std::string large = figures();
        document.setFailures(leaf);
        QVERIFY(!document.background());
        document.waitForBackground();
        const std::string failed = figures();
        QVERIFY(failed != large && small != large);
        document.setFailures({});
        QVERIFY(document.background());
        QCOMPARE(figures(), large);
        document.undoStack().undo();
        QVERIFY(document.background());
        QCOMPARE(figures(), small);
        document.setFailures(leaf); // of this design nobody has asked yet
        QVERIFY(!document.background());
        document.setFailures({});
        QVERIFY(document.background());
        QCOMPARE(figures(), small);
        document.undoStack().redo();
        document.setFailures(leaf);
        QVERIFY(document.background());
        QCOMPARE(figures(), failed);
        QTest::qWait(300); // what was being computed is not taken for the answer
        QCOMPARE(figures(), failed);
        QCOMPARE(document.background()->bisection[0].upperGbps, backgroundMetrics(*document.degraded()).bisection[0].upperGbps);
        document.open(document.now().design, {});
        QVERIFY(!document.background());
    }
    // A moved rack or a name needs no new bisection; whatever changes the network does.
    void whatTookLongHoldsWhereTheNetworkDoes() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        const auto keeps = [&](const Result<Edit>& edit) {
            document.waitForBackground();
            if (!document.apply(edit)) qFatal("refused");
            if (!document.background()) return false;
            const BackgroundMetrics fresh = backgroundMetrics(*document.now().fabric);
            for (std::size_t k = 0; k < 3; ++k)
                if (document.background()->bisection[k].upperGbps != fresh.bisection[k].upperGbps ||
                    document.background()->bisection[k].sideA != fresh.bisection[k].sideA)
                    qFatal("an old answer was kept");
            if (document.background()->interrupts.probability != fresh.interrupts.probability) return false;
            document.waitForBackground(); // for what depends on cables and on the training job
            const auto mean = [](const BackgroundMetrics& of) { return of.latency.mean ? of.latency.mean->total().value() : -1; };
            const auto iteration = [](const BackgroundMetrics& of) { return of.training->estimate->iteration.value(); };
            if (mean(*document.background()) != mean(fresh) || iteration(*document.background()) != iteration(fresh))
                qFatal("an old latency or training estimate was kept");
            return true;
        };
        const auto now = [&]() -> const Design& { return *document.now().design; };
        QVERIFY(keeps(placeRacks(now(), true)));
        QVERIFY(keeps(moveRacks(now(), {{"su[1]/rack[1]", {7, 7}}})));
        QVERIFY(keeps(moveElements(now(), {{"su[1]/leaf[1]", {10, 10}}})));
        QVERIFY(keeps(approve(now(), {"RY-S001", "", "known"})));
        QVERIFY(keeps(setTraining(now(), NamedOptions{{{"pp", "2"}}, {}})));
        QVERIFY(!keeps(removeElements(now(), {"su[1]/leaf[1]"})));
        QVERIFY(!keeps(setServers(now(), 70)));
        QVERIFY(!keeps(setPart(now(), {"su[1]/leaf[2]"}, "sw-qm9790")));
    }
    void savesAndKnowsIt() {
        QTemporaryDir folder;
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "16"}}), {});
        QVERIFY(document.apply(setServers(*document.now().design, 20)));
        QVERIFY(document.isModified());
        const QString path = folder.filePath(QStringLiteral("x.railyard"));
        QVERIFY(document.save(path));
        QVERIFY(!document.isModified());
        const auto again = loadDesign(path.toStdString());
        QCOMPARE(designText(**again), designText(*document.now().design));
        QVERIFY(document.apply(setServers(*document.now().design, 21)));
        QVERIFY(!document.save(folder.filePath(QStringLiteral("no/where.railyard"))));
        QVERIFY(document.isModified());
    }
    void modelsFollowEdits() {
        Document document;
        DeviceModel devices(document);
        BillModel bill(document);
        QAbstractItemModelTester deviceTester(&devices, QAbstractItemModelTester::FailureReportingMode::QtTest),
            billTester(&bill, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(devices.rowCount(), 0);
        document.open(test::designOf("superpod-h100"), {});
        QCOMPARE(devices.rowCount(), 176);
        QCOMPARE(bill.rowCount(), 6);
        const int row = devices.rowOf("su[1]/leaf[4]");
        QVERIFY(row >= 0);
        QCOMPARE(devices.data(devices.index(row, 4), Qt::DisplayRole).toString(), QStringLiteral("64 of 64"));
    }
    // A change of the job, the site or a name builds no fabric, and shows what a fresh one would.
    void whatNobodyBuildsFromBuildsNothing() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "40"}, {"racks", "auto"}}), {});
        document.waitForBackground();
        for (const char* edit : {"set training.pp=2", "set bill.pue=1.1", "set name=other", "target cost.network_usd at_most 1"}) {
            const SnapshotPointer before = document.snapshot();
            QVERIFY(document.apply(applyEdit(document.now().design, edit)));
            document.waitForBackground();
            QCOMPARE(document.now().cabling, before->cabling);
            QVERIFY(document.now().fabric->design == document.now().design && before->fabric->design == before->design);
            const FabricPointer fresh = elaborate(document.now().design);
            const Metrics shown{"", "", "", document.now().instant, *document.background()}, wanted = metricsOf(*fresh);
            QVERIFY2(jsonText(toJson({"", "", "", wanted.instant, wanted.background})) == jsonText(toJson(shown)), edit);
            QCOMPARE(document.now().findings().size(), takeSnapshot(document.now().design)->findings().size());
        }
        const SnapshotPointer before = document.snapshot();
        QVERIFY(document.apply(applyEdit(document.now().design, "set su[1]/leaf[1].label=x")));
        QVERIFY(document.now().cabling != before->cabling);
    }
};

QTEST_MAIN(tst_document)
#include "tst_document.moc"
