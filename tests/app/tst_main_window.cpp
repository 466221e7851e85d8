#include "app/gui/files.h"
#include "app/gui/main_window.h"
#include "core/base/file.h"
#include "core/base/parameter.h"
#include "core/io/document/carried_design.h"
#include "core/io/document/design_json.h"
#include "core/io/tables/fabric_csv.h"
#include "tests/support/designs.h"
#include "tests/support/painted.h"
#include "widgets/canvas/canvas.h"
#include "widgets/modes/failure_bar.h"
#include "widgets/panels/toast.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolBar>

using namespace railyard;

// Answers the next message box, whenever it comes, and keeps what it said: on a busy machine that takes a while.
static void answerNext(QString& said) {
    QTimer::singleShot(50, [&said] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (!box) return answerNext(said);
        said = box->text();
        box->reject();
    });
}

class tst_main_window : public QObject {
    Q_OBJECT

private slots:
    void opensEverySampleAndEveryView() {
        MainWindow window;
        window.show();
        QVERIFY(sampleFiles().size() >= 7);
        for (const QString& path : sampleFiles()) {
            QVERIFY2(window.openFile(path), qPrintable(path));
            if (window.document().now().instant.counts.gpus > 5000) continue; // the large ones are timed in the bench
            for (const ViewInfo& info : viewTable()) {
                window.showView(info.view);
                QVERIFY(test::isPainted(window.grab()));
            }
            window.showView(View::Draw);
        }
    }
    void figuresFollowEdits() {
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100"));
        const auto shown = [&](const char* name) { return window.findChild<QLabel*>(QLatin1String(name))->text(); };
        QCOMPARE(shown("metric-counts.switches"), QStringLiteral("48"));
        QCOMPARE(shown("metric-cost.network_usd"), QStringLiteral("≥ $3.57 M"));
        window.canvas().addFromPalette("spine");
        QCOMPARE(shown("metric-counts.switches"), QStringLiteral("64"));
        window.document().waitForBackground();
        QCOMPARE(shown("metric-collectives.all-reduce@1GiB.time_s"), QStringLiteral("6.47 ms"));
        window.document().undoStack().undo();
        QCOMPARE(shown("metric-counts.switches"), QStringLiteral("48"));
    }
    // Undo belongs to the design while a field has the focus, but for text that is not committed; Esc leaves every mode.
    void keysReachTheDesign() {
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100"));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.canvas().addFromPalette("spine");
        QCOMPARE(window.document().undoStack().count(), 1);
        auto* field = window.findChild<QLineEdit*>(QStringLiteral("device-filter"));
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("leaf"));
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(window.document().undoStack().index(), 1);
        QVERIFY(field->text() != QStringLiteral("leaf"));
        field->setText({}); // its own history ends
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(window.document().undoStack().index(), 0);
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window.document().undoStack().index(), 1);
        for (const auto& [bar, words] : {std::pair("failing-bar", "Failure mod&e"),
                                         {"load-bar", "Lin&k loads"},
                                         {"job-bar", "Concurrent &jobs"},
                                         {"play-bar", "&Play collective"}}) {
            const auto* shown = window.findChild<ModeBar*>(QLatin1String(bar));
            QAction* mode = nullptr;
            for (QAction* action : window.findChildren<QAction*>())
                if (action->text() == QLatin1String(words)) mode = action;
            QVERIFY2(shown && mode, bar);
            mode->setChecked(true);
            QVERIFY2(shown->isVisible(), bar);
            window.canvas().setFocus();
            window.canvas().selectPaths({"spine[1]"});
            QTest::keyClick(&window.canvas(), Qt::Key_Escape); // first the selection
            QVERIFY2(shown->isVisible() && window.canvas().selectedPaths().empty(), bar);
            QTest::keyClick(&window.canvas(), Qt::Key_Escape);
            QVERIFY2(!shown->isVisible() && !mode->isChecked(), bar);
        }
    }
    // An edit that the recipe cannot say is named at once and can be taken back there; opening a design that has some says nothing.
    void editsApartFromTheRecipe() {
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100"));
        auto* toast = window.findChild<Toast*>();
        QVERIFY(window.document().apply(setPart(*window.document().now().design, {"su[1]/leaf[1]"}, "sw-sn5600")));
        QTRY_VERIFY(toast->isVisible());
        const DesignPointer apart = window.document().now().design;
        toast->findChild<QPushButton*>()->click();
        QVERIFY(window.document().now().design->overrides.empty());
        QTRY_VERIFY(!toast->isVisible());
        window.openDesign(apart);
        QApplication::processEvents();
        QVERIFY(!toast->isVisible());
        QVERIFY(window.document().apply(setServers(*window.document().now().design, 64)));
        QApplication::processEvents();
        QVERIFY(!toast->isVisible()); // a parameter says it
    }
    // X, a click and Escape by X again: the mode is entered and left, and other views leave it.
    void failingIsAMode() {
        MainWindow window;
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openDesign(test::designOf("superpod-h100"));
        auto* bar = window.findChild<FailureBar*>();
        QTest::keyClick(&window, Qt::Key_X);
        QVERIFY(bar->isVisible() && window.canvas().isFailing());
        window.canvas().selectPaths({"spine[1]", "spine[2]"});
        QTest::keyClick(&window, Qt::Key_Delete);
        QCOMPARE(window.document().failures().selectors.size(), std::size_t{2});
        QCOMPARE(window.document().undoStack().count(), 0);
        window.showView(View::Compare);
        QVERIFY(!bar->isVisible() && window.document().failures().isEmpty());
        window.showView(View::Draw);
        QTest::keyClick(&window, Qt::Key_X);
        QCOMPARE(window.document().failures().selectors.size(), std::size_t{2});
        window.openDesign(test::designOf("superpod-h100", {{"servers", "64"}}));
        QVERIFY(!window.canvas().isFailing() && window.document().failures().isEmpty());
    }
    void everyModeAndViewFitsASmallScreen() {
        MainWindow window;
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openDesign(test::designOf("superpod-h100"));
        for (const auto& [key, modifiers] : {std::pair(Qt::Key_L, Qt::NoModifier), std::pair(Qt::Key_L, Qt::ShiftModifier),
                                             std::pair(Qt::Key_J, Qt::NoModifier), std::pair(Qt::Key_X, Qt::NoModifier)}) {
            QTest::keyClick(&window, key, modifiers);
            for (auto* box : window.findChildren<QComboBox*>(QStringLiteral("load-routing"))) box->setCurrentIndex(2); // has a field more
            QVERIFY2(window.minimumSizeHint().width() <= 1366, qPrintable(QString::number(window.minimumSizeHint().width())));
        }
        for (const ViewInfo& info : viewTable()) {
            window.showView(info.view);
            for (auto* box : window.findChildren<QComboBox*>(QStringLiteral("traffic-map")))
                for (int map = 0; map < box->count(); ++map) {
                    box->setCurrentIndex(map);
                    QVERIFY2(window.minimumSizeHint().width() <= 1366, qPrintable(box->currentText()));
                }
        }
    }
    void severalJobsLeaveTheDrawingAsItWas() {
        MainWindow window;
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openDesign(test::designOf("superpod-h100"));
        window.canvas().setDetail(Detail::Elided);
        QTest::keyClick(&window, Qt::Key_J);
        QVERIFY(window.canvas().isUnfolded());
        QTest::keyClick(&window, Qt::Key_J);
        QVERIFY(window.canvas().detail() == Detail::Elided);
        QTest::keyClick(&window, Qt::Key_J);
        window.openDesign(test::designOf("superpod-h100", {{"servers", "64"}}));
        QVERIFY(window.canvas().detail() == Detail::Folded);
    }
    void aDoubleClickOpensTheBlock() {
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100"));
        Canvas& canvas = window.canvas();
        canvas.setUnfolded(true);
        const SceneCard& card = canvas.scene().cards[2];
        QTest::mouseDClick(&canvas, Qt::LeftButton, {}, canvas.view().toScreen(card.rect.topLeft() + QPointF(30, 12)).toPoint());
        auto* servers = window.findChild<QLineEdit*>(QStringLiteral("block-srv"));
        QVERIFY(servers);
        servers->setText(QStringLiteral("24"));
        emit servers->editingFinished();
        QTRY_COMPARE(window.document().now().instant.counts.servers, 120);
        QVERIFY(canvas.scene().cards[2].overridden && !canvas.scene().cards[1].overridden);
        canvas.selectPaths({"su[4]/srv[7]"});
        QTest::keyClick(&canvas, Qt::Key_Return);
        QCOMPARE(window.findChild<QLineEdit*>(QStringLiteral("block-srv"))->text(), QStringLiteral("32"));
    }
    void badFilesLeaveTheOpenDesign() {
        QTemporaryDir folder;
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100"));
        const SnapshotPointer before = window.document().snapshot();
        for (const char* text : {"", "{\"format\": 1,", "{\"name\": \"x\"}", "{\"format\": 12}", "not json at all"}) {
            const QString path = folder.filePath(QStringLiteral("bad.railyard"));
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
            file.close();
            QString said;
            answerNext(said);
            QVERIFY(!window.openFile(path));
            QVERIFY2(said.contains(QStringLiteral("bad.railyard")) && said.contains(QStringLiteral("unchanged")), qPrintable(said));
            QCOMPARE(window.document().snapshot(), before);
        }
    }
    // Also under a name without the suffix: it stays the file that is saved.
    void aDesignOfAnyNameOpens() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("fabric.json"));
        QVERIFY(saveDesign(*test::designOf("superpod-h100"), path.toStdString()));
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(path));
        QCOMPARE(window.document().path(), path);
        QVERIFY(!window.document().isModified());
        QCOMPARE(window.document().now().instant.counts.servers, std::int64_t{128});
    }
    // Saving must not replace a picture, whatever it is called.
    void aDesignInAPictureIsUnsaved() {
        QTemporaryDir folder;
        const QString drawn = folder.filePath(QStringLiteral("picture.svg"));
        const auto draw = [](const std::string& path) -> Result<CarriedTexts> {
            if (Status done = writeFile(path, "<svg></svg>"); !done) return done.errors();
            return CarriedTexts{{CarriedText::Design, designText(*test::designOf("superpod-h100"))}};
        };
        QVERIFY(writeCarrying(drawn.toStdString(), draw));
        for (const char* name : {"other.svg", "picture.railyard"}) {
            const QString path = folder.filePath(QString::fromUtf8(name));
            QVERIFY(QFile::copy(drawn, path));
            MainWindow window;
            window.show();
            QVERIFY(window.openFile(path));
            QVERIFY2(window.document().path().isEmpty() && window.document().isModified(), name);
            QCOMPARE(window.document().now().instant.counts.servers, std::int64_t{128});
            window.document().undoStack().setClean();
        }
    }
    // A flat fabric is a new design, which no file holds.
    void aFlatFabricOpens() {
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "12"}});
        std::vector<std::string> files;
        QVERIFY(writeFabricCsv(*fabric, folder.path().toStdString(), files));
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(folder.filePath(QStringLiteral("devices.csv"))));
        QVERIFY(window.document().path().isEmpty() && window.document().isModified());
        QCOMPARE(window.document().now().instant.counts.gpus, std::int64_t{96});
        QCOMPARE(window.document().now().fabric->links.size(), fabric->links.size());
        window.document().undoStack().setClean();
        QFile bad(folder.filePath(QStringLiteral("other.csv")));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("a,b\n1,2\n");
        bad.close();
        QString said;
        answerNext(said);
        QVERIFY(!window.openFile(bad.fileName()));
        QVERIFY2(said.contains(QStringLiteral("none of the formats")) && !said.contains(QStringLiteral("--")), qPrintable(said));
    }
    // A shortcut takes no focus from the field: what stands in it is saved too.
    void whatIsTypedIsSaved() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("typed.railyard"));
        QVERIFY(saveDesign(*test::designOf("superpod-h100"), path.toStdString()));
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(path));
        window.showView(View::Training);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* tokens = window.findChild<QLineEdit*>(QStringLiteral("training-tokens"));
        tokens->setFocus();
        tokens->setText(QStringLiteral("1e12"));
        QTest::keySequence(&window, QKeySequence(QKeySequence::Save));
        QTRY_VERIFY(!window.document().isModified());
        const auto saved = loadDesign(path.toStdString());
        QVERIFY(saved && (*saved)->training);
        QCOMPARE(parameterNumber((*saved)->training->options.at("tokens")), 1e12);
    }
    void everyControlHasAName() {
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100"));
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible() || widget->objectName().startsWith(QStringLiteral("qt_")))
                continue;
            const QVariant text = widget->property("text");
            const bool named = !widget->accessibleName().isEmpty() || !text.toString().isEmpty() ||
                               !widget->property("placeholderText").toString().isEmpty() || widget->inherits("QTabBar") ||
                               widget->inherits("QTabWidget") || widget->inherits("QAbstractButton") ||
                               widget->inherits("QAbstractScrollArea");
            QVERIFY2(named, widget->metaObject()->className());
        }
    }
    void selectionIsLinked() {
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100"));
        window.canvas().selectPaths({"su[2]/leaf[5]"});
        bool shown = false;
        for (const QLabel* label : window.findChildren<QLabel*>()) shown = shown || label->text() == QStringLiteral("su[2] › leaf[5]");
        QVERIFY(shown);
    }
    void shortcutsUndoAndRedo() {
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100"));
        window.canvas().addFromPalette("server");
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keySequence(&window, QKeySequence(QKeySequence::Undo));
        QCOMPARE(window.document().now().instant.counts.servers, std::int64_t{128});
        QTest::keySequence(&window, QKeySequence(Qt::CTRL | Qt::Key_Y));
        QCOMPARE(window.document().now().instant.counts.servers, std::int64_t{129});
        window.document().undoStack().setClean();
    }
};

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("RailyardTest"));
    QApplication::setApplicationName(QStringLiteral("RailyardTest"));
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    tst_main_window test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_main_window.moc"
