// Every way that leaves the open design, with every answer to the question: what exists nowhere on disk is never lost unasked.
#include "app/gui/application.h"
#include "app/gui/document_files.h"
#include "app/gui/files.h"
#include "app/gui/main_window.h"
#include "app/gui/progress.h"
#include "app/session/autosave.h"
#include "core/base/file.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"
#include "tests/support/followed_file.h"
#include "widgets/canvas/canvas.h"
#include "widgets/document/failure.h"
#include "widgets/document/latest_task.h"
#include "widgets/panels/banner.h"

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <atomic>
#include <thread>

using namespace railyard;

namespace {

QAction* actionOf(const QWidget& window, const QString& words) {
    for (QAction* action : window.findChildren<QAction*>())
        if (action->text().remove(QLatin1Char('&')) == words) return action;
    return nullptr;
}

// With RAILYARD_PICTURES=FOLDER, what people see is kept for a look.
void keepPicture(QWidget& shown, const char* name) {
    const QString folder = qEnvironmentVariable("RAILYARD_PICTURES");
    if (!folder.isEmpty()) shown.grab().save(QStringLiteral("%1/%2.png").arg(folder, QLatin1String(name)));
}

// Answers every dialog while it lives: the question with the given button, "New fabric" by accepting it, file dialogs with a file.
class Answers : public QObject {
public:
    Answers(QMessageBox::StandardButton answer, QString toSave, QString toOpen = {})
        : m_answer(answer),
          m_toSave(std::move(toSave)),
          m_toOpen(std::move(toOpen)) {
        m_timer.start(20);
        connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
    }
    int questions = 0;
    QString said;

private:
    void look() {
        QWidget* top = QApplication::activeModalWidget();
        if (auto* box = qobject_cast<QMessageBox*>(top)) {
            ++questions;
            said = box->text();
            keepPicture(*box, "question");
            box->button(m_answer)->click();
        } else if (auto* files = qobject_cast<QFileDialog*>(top)) {
            const QString file = files->acceptMode() == QFileDialog::AcceptSave ? m_toSave : m_toOpen;
            if (file.isEmpty()) return files->reject();
            files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file);
            QMetaObject::invokeMethod(files, "accept");
        } else if (auto* dialog = qobject_cast<QDialog*>(top); dialog && dialog->objectName() != QStringLiteral("progress")) {
            for (const QPushButton* button : dialog->findChildren<QPushButton*>()) // the fabrics to choose from come from a worker
                if (button->isDefault() && button->isEnabled()) return dialog->accept();
        }
    }
    QMessageBox::StandardButton m_answer;
    QString m_toSave, m_toOpen;
    QTimer m_timer;
};

} // namespace

class tst_ways_out : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_other; // a file to open

    void leave(MainWindow& window, const QByteArray& way) {
        if (way == "quit") return actionOf(window, QStringLiteral("Quit"))->trigger();
        if (way == "close") return void(window.close());
        if (way == "close all") return QApplication::closeAllWindows();
        if (way == "empty") return actionOf(window, QStringLiteral("New empty drawing"))->trigger();
        if (way == "new") return actionOf(window, QStringLiteral("New fabric…"))->trigger();
        if (way == "open") return actionOf(window, QStringLiteral("Open…"))->trigger();
        if (way == "session end") return void(m_ended = window.endSession(true));
        if (way == "sample") return actionOf(window, QFileInfo(sampleFiles().front()).completeBaseName())->trigger();
        if (way == "recent") {
            QSettings().setValue(QStringLiteral("recent"), QStringList{m_other});
            QMenu* menu = nullptr;
            for (QMenu* each : window.findChildren<QMenu*>())
                if (each->title().remove(QLatin1Char('&')) == QStringLiteral("Open recent")) menu = each;
            emit menu->aboutToShow();
            return menu->actions().front()->trigger();
        }
        if (way == "drop") {
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(m_other)});
            QDropEvent event(QPointF(9, 9), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            static_cast<QObject&>(window).event(&event); // an application would drop only what was dragged in before
            return QApplication::processEvents();
        }
        qFatal("unknown way");
    }
    bool m_ended = false;
    // The window has left the design: it shows another one, or it is closed.
    static bool hasLeft(const MainWindow& window, const DesignPointer& design, bool ended) {
        return ended || !window.isVisible() || const_cast<MainWindow&>(window).document().now().design != design;
    }

private slots:
    void initTestCase() {
        m_other = m_folder.filePath(QStringLiteral("other.railyard"));
        QVERIFY(saveDesign(*test::designOf("rail-only"), m_other.toStdString()));
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QApplication::setQuitOnLastWindowClosed(false);
    }
    void everyWayAsks_data() {
        QTest::addColumn<QByteArray>("way");
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<int>("answer");
        for (const char* way : {"quit", "close", "close all", "empty", "new", "open", "recent", "sample", "drop", "session end"})
            for (const char* state : {"never saved", "edited", "undone to the start"})
                for (const auto& [name, answer] : {std::pair("save", QMessageBox::Save), std::pair("discard", QMessageBox::Discard),
                                                   std::pair("cancel", QMessageBox::Cancel)})
                    if (state != QByteArray("undone to the start") || way == QByteArray("quit"))
                        QTest::addRow("%s, %s, %s", way, state, name) << QByteArray(way) << QByteArray(state) << static_cast<int>(answer);
    }
    void everyWayAsks() {
        QFETCH(QByteArray, way);
        QFETCH(QByteArray, state);
        QFETCH(int, answer);
        m_ended = false;
        const QString target = m_folder.filePath(QStringLiteral("saved.railyard"));
        QFile::remove(target);
        MainWindow window;
        window.show();
        const QString own = m_folder.filePath(QStringLiteral("own.railyard"));
        if (state == "edited") {
            QVERIFY(saveDesign(*test::designOf("superpod-h100", {{"servers", "4"}}), own.toStdString()));
            QVERIFY(window.openFile(own));
            window.canvas().addFromPalette("spine");
        } else {
            window.openNew(test::designOf("superpod-h100", {{"servers", "4"}}));
            if (state != "never saved") {
                window.canvas().addFromPalette("spine");
                window.document().undoStack().undo();
            }
        }
        QVERIFY(window.isWindowModified());
        const DesignPointer mine = window.document().now().design;
        const QString file = state == "edited" ? own : target;
        {
            Answers answers(static_cast<QMessageBox::StandardButton>(answer), target, m_other);
            leave(window, way);
            QTRY_VERIFY(answers.questions > 0);
            QTest::qWait(60);
            QCOMPARE(answers.questions, 1);
            QVERIFY2(answers.said.contains(state == "edited" ? QStringLiteral("has unsaved changes")
                                                             : QStringLiteral("not been saved to a file")),
                     qPrintable(answers.said));
        }
        QTRY_COMPARE(hasLeft(window, mine, m_ended), answer != QMessageBox::Cancel);
        const auto saved = loadDesign(file.toStdString());
        const bool isSaved = saved && designText(**saved) == designText(*mine);
        QCOMPARE(isSaved, answer == QMessageBox::Save);
        if (answer == QMessageBox::Cancel) {
            QVERIFY(window.isWindowModified());
            window.document().open(mine, {}); // so that the end of the test asks nothing
        }
        const auto kept = Journal::leftovers(Journal::standardRoot());
        if (way == "session end" && answer != QMessageBox::Cancel) QVERIFY(kept.empty());
    }
    // Saving was asked for, but no file was chosen: nothing is left.
    void givingUpToSaveStays() {
        for (const char* way : {"quit", "empty", "sample", "session end"}) {
            m_ended = false;
            MainWindow window;
            window.show();
            window.openNew(test::designOf("superpod-h100", {{"servers", "4"}}));
            const DesignPointer mine = window.document().now().design;
            Answers answers(QMessageBox::Save, {});
            leave(window, way);
            QTRY_COMPARE(answers.questions, 1);
            QVERIFY2(!hasLeft(window, mine, m_ended), way);
            window.document().open(mine, {});
        }
    }
    void whatIsOnDiskIsLeftUnasked() {
        for (const char* state : {"empty", "sample", "file", "saved"})
            for (const char* way : {"empty", "recent", "sample", "session end", "close"}) {
                MainWindow window;
                window.show();
                if (state == QByteArray("sample")) leave(window, "sample");
                if (state == QByteArray("file")) QVERIFY(window.openFile(m_other));
                if (state == QByteArray("saved")) {
                    window.openNew(test::designOf("superpod-h100", {{"servers", "4"}}));
                    QVERIFY(window.document().save(m_folder.filePath(QStringLiteral("kept.railyard"))));
                }
                Answers answers(QMessageBox::Cancel, {});
                QVERIFY2(!window.document().isModified(), state);
                leave(window, way);
                QTest::qWait(50);
                QVERIFY2(answers.questions == 0, qPrintable(QString::fromLatin1(state) + QLatin1Char(' ') + QString::fromLatin1(way)));
            }
    }
    // A crash right after "New fabric" loses nothing.
    void aNewFabricIsKeptForRecovery() {
        MainWindow window;
        window.show();
        {
            Answers answers(QMessageBox::Discard, {});
            leave(window, "new");
        }
        QVERIFY(window.document().isModified());
        QVERIFY(window.endSession(false)); // nothing may be asked
        bool isKept = false;
        const QDir root(Journal::standardRoot());
        for (const QString& folder : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const auto kept = loadDesign(root.filePath(folder + QStringLiteral("/design.railyard")).toStdString());
            isKept |= kept && designText(**kept) == designText(*window.document().now().design);
        }
        QVERIFY(isKept);
        window.document().open(window.document().now().design, {});
    }
    // Opening a large file: the window lives meanwhile, and Cancel leaves the former design as it was.
    void openingCanBeCancelled() {
        MainWindow window;
        window.show();
        window.openNew(test::designOf("superpod-h100", {{"servers", "4"}}));
        const DesignPointer mine = window.document().now().design;
        Design large = *test::designOf("superpod-h100", {{"gpus", "262144"}});
        for (int i = 0; i < 60'000; ++i)
            large.overrides["su[" + std::to_string(1 + i % 1024) + "]/leaf[" + std::to_string(1 + i / 1024) + "]"].label = "l";
        const QString path = m_folder.filePath(QStringLiteral("large.railyard"));
        QVERIFY(saveDesign(large, path.toStdString()));
        int seen = 0;
        QTimer clock; // its events arrive while the file is read
        connect(&clock, &QTimer::timeout, &window, [&] {
            QWidget* top = QApplication::activeModalWidget();
            if (!top || top->objectName() != QStringLiteral("progress") || !top->isVisible()) return;
            if (++seen == 1) keepPicture(*top, "progress");
            QVERIFY(!window.openFile(m_other)); // one at a time
            top->findChild<QPushButton*>()->click();
        });
        clock.start(20);
        QVERIFY(!window.openFile(path));
        QVERIFY(seen >= 1);
        QCOMPARE(window.document().now().design, mine);
        QVERIFY(window.document().isModified() && window.document().path().isEmpty());
        clock.stop();
        QVERIFY(window.openFile(path)); // and without Cancel it opens
        QCOMPARE(window.document().path(), path);
    }
    void failuresOfWorkPassOn() {
        QVERIFY(runWithProgress(nullptr, QStringLiteral("Working"), [](const std::atomic<bool>&) {}));
        QVERIFY_THROWS_EXCEPTION(
            std::bad_alloc, runWithProgress(nullptr, QStringLiteral("Working"), [](const std::atomic<bool>&) { throw std::bad_alloc(); }));
    }
    // An exception ends as a message, wherever it was thrown; the window and its work live on.
    void exceptionsEndAsMessages() {
        MainWindow window;
        window.show();
        window.openNew(test::designOf("superpod-h100", {{"servers", "4"}}));
        QTimer::singleShot(0, &window, [] { throw std::bad_alloc(); }); // in a slot
        {
            Answers answers(QMessageBox::Ok, {});
            QTRY_COMPARE(answers.questions, 1);
            QVERIFY2(answers.said.contains(QStringLiteral("not enough memory")), qPrintable(answers.said));
        }
        int taken = 0;
        bool fails = true;
        LatestTask<int> beside(
            [&] {
                return [fails] {
                    if (fails) throw std::runtime_error("a <b>bad</b> day");
                    return 7;
                };
            },
            [&](int answer) { taken = answer; });
        beside.ask(); // in a worker
        {
            Answers answers(QMessageBox::Ok, {});
            QTRY_COMPARE(answers.questions, 1);
            QVERIFY2(answers.said.contains(QStringLiteral("a <b>bad</b> day")), qPrintable(answers.said));
        }
        fails = false;
        beside.ask();
        QTRY_COMPARE(taken, 7);
        QVERIFY(window.isVisible() && window.document().isModified());
        window.document().open(window.document().now().design, {});
    }
    // `edit` holds the lock and writes while the window wants to save: the window waits, sees what was written, and asks. With Cancel the
    // other version stays, and the window keeps its edits.
    void savingWaitsForOtherProgramsAndAsks() {
        const QString path = m_folder.filePath(QStringLiteral("two-writers.railyard"));
        QVERIFY(saveDesign(*test::designOf("superpod-h100", {{"servers", "4"}}), path.toStdString()));
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(path));
        window.canvas().addFromPalette("spine");
        QVERIFY(window.document().isModified());
        auto* files = window.findChild<DocumentFiles*>();
        QVERIFY(files);
        std::atomic<bool> isHeld = false;
        std::jthread other([&] {
            const auto lock = FileLock::acquire(path.toStdString());
            isHeld = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(700));
            (void)saveDesign(*test::designOf("rail-only"), path.toStdString());
        });
        QTRY_VERIFY(isHeld);
        {
            Answers answers(QMessageBox::Cancel, {});
            QVERIFY(!files->save());
            QCOMPARE(answers.questions, 1);
            QVERIFY2(answers.said.contains(QStringLiteral("changed by another program")), qPrintable(answers.said));
        }
        other.join();
        QCOMPARE((*loadDesign(path.toStdString()))->recipe->name, std::string("rail-only"));
        QVERIFY(window.document().isModified());
        window.document().open(window.document().now().design, {});
    }
    // A computer that crashed leaves its lock behind. The banner says whose it is and offers to take it.
    void theLockOfAnotherComputerCanBeTaken() {
        const QString path = m_folder.filePath(QStringLiteral("locked.railyard")),
                      lock = m_folder.filePath(QStringLiteral(".locked.railyard.lock"));
        QVERIFY(saveDesign(*test::designOf("superpod-h100", {{"servers", "4"}}), path.toStdString()));
        QVERIFY(writeFile(lock.toStdString(), "4711\nrailyard\ncrashed-host\n\n\n"));
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(path));
        auto* banner = window.findChild<Banner*>();
        const QString user = QFileInfo(lock).owner(), since = QFileInfo(lock).lastModified().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
        for (const QString& word : {QStringLiteral("Read-only"), QStringLiteral("crashed-host"), QStringLiteral("4711"), user, since})
            QVERIFY2(banner->text().contains(word), qPrintable(banner->text() + QStringLiteral(" / ") + word));
        keepPicture(window, "lock");
        QPushButton* take = nullptr;
        for (QPushButton* button : banner->findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("take the lock"))) take = button;
        QVERIFY(take);
        take->click();
        QVERIFY2(banner->text().isEmpty(), qPrintable(banner->text()));
        QVERIFY(window.autosave().maySave() == Autosave::Answer::Save);
        window.canvas().addFromPalette("spine");
        QVERIFY(window.document().save(path));
        DocumentFile second;
        test::follow(second, path); // the lock is ours now
        QVERIFY(!second.whyReadOnly().isEmpty() && !second.isHeldElsewhere());
    }
    // What the other computer wrote before it went is not overwritten unasked.
    void takingALockKeepsWhatWasWrittenMeanwhile() {
        const QString path = m_folder.filePath(QStringLiteral("both.railyard"));
        QVERIFY(saveDesign(*test::designOf("superpod-h100", {{"servers", "4"}}), path.toStdString()));
        QVERIFY(writeFile(m_folder.filePath(QStringLiteral(".both.railyard.lock")).toStdString(), "4711\nrailyard\ncrashed-host\n\n\n"));
        DocumentFile file;
        test::follow(file, path);
        QVERIFY(file.isHeldElsewhere());
        QVERIFY(saveDesign(*test::designOf("rail-only"), path.toStdString()));
        file.takeLock();
        QVERIFY(file.whyReadOnly().isEmpty());
        QVERIFY(file.isChangedOutside());
    }
};

int main(int argc, char** argv) {
    Application application(argc, argv);
    QTemporaryDir home; // settings and journals of this test only
    qputenv("XDG_CONFIG_HOME", home.filePath(QStringLiteral("config")).toLocal8Bit());
    qputenv("XDG_DATA_HOME", home.filePath(QStringLiteral("data")).toLocal8Bit());
    tst_ways_out test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_ways_out.moc"
