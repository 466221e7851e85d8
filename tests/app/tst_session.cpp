#include "app/gui/main_window.h"
#include "app/session/autosave.h"
#include "core/base/file.h"
#include "core/design/edits/edit.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"
#include "tests/support/followed_file.h"
#include "widgets/canvas/canvas.h"
#include "widgets/panels/banner.h"

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <atomic>
#include <csignal>
#include <thread>

using namespace railyard;

class tst_session : public QObject {
    Q_OBJECT

    static Edit renamed(const Document& document, const std::string& name) {
        Design next = *document.now().design;
        next.name = name;
        return {std::make_shared<const Design>(std::move(next)), "rename"};
    }
    static int numberOf(const QString& path) {
        const auto design = loadDesign(path.toStdString());
        return design ? QString::fromStdString((*design)->name).section(QLatin1Char(' '), -1).toInt() : -1;
    }

    struct Killed {
        int sessions = 0, recovered = 0, wereDue = 0; // wereDue: sessions in which more than the first edit had to be kept
        QStringList wrong;
    };
    static Killed killSessions(int sessions, const QString& mutant) {
        constexpr int atOnce = 2; // more would compete for the processor and measure that
        Killed all;
        test::Random random{200};
        for (int first = 0; first < sessions; first += atOnce) {
            std::vector<std::unique_ptr<Session>> running;
            for (int s = first; s < std::min(sessions, first + atOnce); ++s)
                running.push_back(std::make_unique<Session>(s % 2 == 0 ? 0 : 17, mutant, 50 + random.below(3000)));
            for (;;) { // each has its own moment
                QTest::qWait(5);
                bool isAny = false;
                for (const auto& session : running) isAny |= session->isKeptRunning();
                if (!isAny) break;
            }
            for (const auto& session : running) session->judge(all);
        }
        return all;
    }

    // A process that edits until it is killed.
    class Session {
    public:
        Session(int saveEvery, const QString& mutant, int lifeMilliseconds) : m_life(lifeMilliseconds) {
            Design first = *test::designOf("superpod-h100", {{"servers", "32"}});
            first.name = "edit 0";
            m_isReady = static_cast<bool>(saveDesign(first, file().toStdString()));
            m_process.start(QStringLiteral(KILLED_SESSION), {file(), root(), QString::number(saveEvery), mutant});
        }
        bool isKeptRunning() {
            if (m_killedAt > 0) return false;
            m_said += m_process.readAllStandardOutput();
            if (!m_sinceFirst.isValid() && m_said.contains("edit")) m_sinceFirst.start();
            if (m_process.state() == QProcess::NotRunning && m_process.error() == QProcess::FailedToStart) return m_killedAt = 1, false;
            if (!m_sinceFirst.isValid() || m_sinceFirst.elapsed() < m_life) return true;
            m_process.kill(); // SIGKILL
            m_process.waitForFinished();
            m_killedAt = QDateTime::currentMSecsSinceEpoch();
            m_said += m_process.readAllStandardOutput();
            return false;
        }
        void judge(Killed& all) const {
            ++all.sessions;
            int due = 0, last = 0, saved = 0;
            for (const QByteArray& line : m_said.split('\n')) {
                const auto words = line.split(' ');
                if (words.size() < 3) continue;
                if (words[0] == "saved") saved = words[1].toInt();
                if (words[0] != "edit") continue;
                last = words[1].toInt();
                if (words[2].toLongLong() < m_killedAt - 1000) due = last;
            }
            const int inFile = numberOf(file());
            int kept = inFile;
            for (const Leftover& leftover : Journal::leftovers(root())) {
                const int there = numberOf(leftover.design);
                if (there < 0 || leftover.origin != file()) all.wrong << QStringLiteral("what the journal kept does not open");
                kept = std::max(kept, there);
            }
            all.recovered += kept > inFile;
            all.wereDue += due > saved + 3;
            if (!m_isReady || last == 0 || inFile < saved || kept > last + 1)
                all.wrong << QStringLiteral("the session did not run as planned");
            if (kept < due) all.wrong << QStringLiteral("kept edit %1 of %2 after %3 ms").arg(kept).arg(due).arg(m_life);
        }

    private:
        QString file() const { return m_folder.filePath(QStringLiteral("work.railyard")); }
        QString root() const { return m_folder.filePath(QStringLiteral("recovery")); }
        QTemporaryDir m_folder;
        QProcess m_process;
        QByteArray m_said;
        QElapsedTimer m_sinceFirst;
        qint64 m_killedAt = 0;
        int m_life;
        bool m_isReady = false;
    };

private slots:
    void anOrderlySessionLeavesNothing() {
        QTemporaryDir folder;
        const QString root = folder.filePath(QStringLiteral("recovery"));
        {
            Document document;
            Journal journal(document, root);
            QVERIFY(!QDir(root).exists()); // nothing before the first edit
            document.apply(renamed(document, "a"));
            journal.writeNow();
            QCOMPARE(QDir(root).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
            QVERIFY(Journal::leftovers(root).empty()); // this session is alive
            QVERIFY(document.save(folder.filePath(QStringLiteral("a.railyard"))));
            QCOMPARE(QDir(root).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 0);
            document.apply(renamed(document, "b"));
        }
        QCOMPARE(QDir(root).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 0);
    }

    // Sessions of up to three seconds, killed at random: the file opens, and no edit that is older than a second is lost. Half of
    // them never save. RAILYARD_KILLED_SESSIONS=N runs N sessions.
    void killedAtAnyMoment() {
        const int given = qEnvironmentVariableIntValue("RAILYARD_KILLED_SESSIONS");
        const Killed all = killSessions(given > 0 ? given : 16, {});
        QVERIFY2(all.wrong.isEmpty(), qPrintable(all.wrong.join(QLatin1Char('\n'))));
        QVERIFY2(all.wereDue > all.sessions / 3, qPrintable(QString::number(all.wereDue))); // edits after the first had to be kept
        QVERIFY2(all.recovered > all.sessions / 3, qPrintable(QString::number(all.recovered)));
    }
    // The same finds a journal that keeps only the first edit, and one that stops after a second.
    void killedSessionsFindAJournalThatLosesEdits() {
        for (const char* mutant : {"only-first", "stops"}) {
            const Killed all = killSessions(6, QString::fromLatin1(mutant));
            QVERIFY2(!all.wrong.isEmpty(), mutant);
        }
    }

    void aJournalThatCannotBeWrittenSaysSoOnce() {
        QTemporaryDir folder;
        QVERIFY(writeFile(folder.filePath(QStringLiteral("in-the-way")).toStdString(), "x"));
        Document document;
        Journal journal(document, folder.filePath(QStringLiteral("in-the-way")));
        QSignalSpy failed(&journal, &Journal::failed);
        document.apply(renamed(document, "a"));
        QTRY_COMPARE(failed.size(), 1);
        document.apply(renamed(document, "b"));
        QTest::qWait(600);
        QCOMPARE(failed.size(), 1);
        QCOMPARE(document.now().design->name, std::string("b"));
    }

    void theSecondWindowIsReadOnly() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.railyard"));
        QVERIFY(saveDesign(*test::designOf("superpod-h100", {{"servers", "32"}}), path.toStdString()));
        auto one = std::make_unique<DocumentFile>();
        test::follow(*one, path);
        QVERIFY(one->whyReadOnly().isEmpty());
        DocumentFile two;
        test::follow(two, path);
        QVERIFY(two.whyReadOnly().contains(QStringLiteral("another window")));
        const QString link = folder.filePath(QStringLiteral("link.railyard"));
        QVERIFY(QFile::link(path, link));
        DocumentFile three;
        test::follow(three, link); // the same file by another name
        QVERIFY(three.whyReadOnly().contains(QStringLiteral("another window")));
        QVERIFY(three.whyHeld(path).contains(QStringLiteral("another window"))); // nor may it be saved onto
        QVERIFY(one->whyHeld(link).isEmpty());
        one.reset(); // the first goes
        test::follow(two, path);
        QVERIFY(two.whyReadOnly().isEmpty());
    }

    void changesFromOutsideAreNoticed() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.railyard"));
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100", {{"servers", "32"}}));
        QVERIFY(window.document().save(path));
        QVERIFY(window.openFile(path));
        auto* banner = window.findChild<Banner*>();
        QVERIFY(banner->text().isEmpty());
        Design other = *window.document().now().design;
        other.name = "by someone else";
        QVERIFY(saveDesign(other, path.toStdString()));
        QTRY_VERIFY(banner->text().contains(QStringLiteral("changed by another program")));
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY(banner->text().contains(QStringLiteral("no longer exists on disk")));
        QCOMPARE(window.document().now().instant.counts.servers, 32);
    }

    void recoveredWorkDoesNotReplaceWhatOthersWroteSince() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.railyard")), root = folder.filePath(QStringLiteral("recovery"));
        QVERIFY(writeFile(path.toStdString(), "as the session knew it"));
        DocumentFile file;
        test::follow(file, path);
        Document document;
        document.openUnsaved(test::designOf("superpod-h100"), path);
        Journal journal(document, root);
        journal.setOriginMark(file.mark());
        QVERIFY(journal.writeNow());
        QVERIFY(QDir().rename(root, root + QStringLiteral("-crashed"))); // its lock is of a process that is gone
        for (const QString& left : QDir(root + QStringLiteral("-crashed")).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QVERIFY(QFile::remove(root + QStringLiteral("-crashed/") + left + QStringLiteral("/lock")));
        const auto leftovers = Journal::leftovers(root + QStringLiteral("-crashed"));
        QCOMPARE(leftovers.size(), std::size_t{1});
        QCOMPARE(leftovers[0].origin, path);
        DocumentFile after;
        file.follow({}, {});
        after.follow(leftovers[0].origin, leftovers[0].originMark);
        QVERIFY(!after.isChangedOutside());
        QVERIFY(writeFile(path.toStdString(), "by someone else"));
        after.follow(leftovers[0].origin, leftovers[0].originMark);
        QVERIFY(after.isChangedOutside());
    }

    // A relative path means another file in another folder, perhaps that of another customer.
    void theOriginOfRecoveredWorkIsAbsolute() {
        QTemporaryDir here, there;
        QVERIFY(writeFile(here.filePath(QStringLiteral("a.railyard")).toStdString(), "of one customer"));
        QVERIFY(writeFile(there.filePath(QStringLiteral("a.railyard")).toStdString(), "of another customer"));
        const QString before = QDir::currentPath(), root = here.filePath(QStringLiteral("recovery"));
        QVERIFY(QDir::setCurrent(here.path()));
        Document document;
        document.openUnsaved(test::designOf("superpod-h100"), QStringLiteral("a.railyard"));
        Journal journal(document, root);
        QVERIFY(journal.writeNow());
        QVERIFY(QDir::setCurrent(there.path()));
        journal.keepForRecovery(); // as if the session had ended
        const auto leftovers = Journal::leftovers(root);
        QVERIFY(QDir::setCurrent(before));
        QCOMPARE(leftovers.size(), std::size_t{1});
        QCOMPARE(QFileInfo(leftovers[0].origin).canonicalFilePath(),
                 QFileInfo(here.filePath(QStringLiteral("a.railyard"))).canonicalFilePath());
        // What an earlier version left with a relative path belongs to no file.
        QVERIFY(writeFile((leftovers[0].folder + QStringLiteral("/origin.txt")).toStdString(), "0123\na.railyard"));
        leftovers[0].lock->unlock();
        const auto old = Journal::leftovers(root);
        QCOMPARE(old.size(), std::size_t{1});
        QVERIFY(old[0].origin.isEmpty() && old[0].originMark.empty());
    }

    // What is written between reading and watching a file is a change from outside: the known content is what was read.
    void aChangeWhileAFileIsOpenedIsNoticed() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.railyard"));
        QVERIFY(saveDesign(*test::designOf("superpod-h100", {{"servers", "32"}}), path.toStdString()));
        const auto read = loadDesignFile(path.toStdString());
        QVERIFY(saveDesign(*test::designOf("rail-only"), path.toStdString())); // by someone else, before the window watches the file
        DocumentFile file;
        file.follow(path, read->mark);
        QVERIFY(file.isChangedOutside());
        Document document;
        document.open(read->design, path);
        const auto refused = document.save(path, read->mark);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("changed"));
        QVERIFY(!document.isModified() || document.path() == path);
        const auto mark = document.save(path);
        QVERIFY(mark && *mark == *markOfFile(path.toStdString()));
    }

    // The window and `edit` change one file at the same time, each many times. Whoever says that it saved has its change in the file.
    void twoWritersLoseNothing() {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("a.railyard")).toStdString();
        QVERIFY(saveDesign(*emptyDesign(shippedCatalog()), path));
        constexpr int rounds = 40;
        std::atomic<int> saved = 0;
        const auto addApproval = [](const Design& design, const std::string& code) {
            Design next = design;
            next.approvals.push_back({code, "", "seen", {}});
            return next;
        };
        const auto write = [&](const std::string& writer, bool isLocking) {
            for (int i = 0; i < rounds; ++i) {
                const auto lock = isLocking ? FileLock::acquire(path) : Result<FileLock>(FileLock());
                const auto read = loadDesignFile(path);
                if (!lock || !read) return;
                const Design next = addApproval(*read->design, writer + std::to_string(i));
                // The lock of a window is only held while it writes: its file was read long before.
                const auto late = isLocking ? Result<FileLock>(FileLock()) : FileLock::acquire(path);
                if (late && saveDesign(next, path, read->mark)) ++saved;
            }
        };
        std::jthread window(write, "W", false);
        write("E", true);
        window.join();
        QVERIFY(saved >= rounds); // those of `edit`, which reads and writes under the lock, always
        QCOMPARE(static_cast<int>((*loadDesign(path))->approvals.size()), saved.load());
    }

    // Saves and autosaves of a session in which one call to the file system fails, or at which it dies: the file is always whole, and has
    // at least the edits that the session saved.
    void savesSurviveFaults() {
        int reached = 0, savedAfterwards = 0;
        for (const bool dies : {false, true})
            for (int call = 1; call <= 14; ++call) {
                QTemporaryDir folder;
                const QString file = folder.filePath(QStringLiteral("work.railyard")), mark = folder.filePath(QStringLiteral("mark"));
                Design first = *test::designOf("superpod-h100", {{"servers", "32"}});
                first.name = "edit 0";
                QVERIFY(saveDesign(first, file.toStdString()));
                QProcess session;
                QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
                environment.insert(QStringLiteral("LD_PRELOAD"), QStringLiteral(FAILING_CALLS));
                environment.insert(QStringLiteral("FAIL_AT"), QString::number(call));
                environment.insert(QStringLiteral("FAIL_MARK"), mark);
                if (dies) environment.insert(QStringLiteral("FAIL_KILL"), QStringLiteral("1"));
                session.setProcessEnvironment(environment);
                session.start(QStringLiteral(KILLED_SESSION), {file, folder.filePath(QStringLiteral("recovery")), QStringLiteral("2")});
                QByteArray said;
                QElapsedTimer since;
                since.start();
                while (!said.contains("edit 12 ") && since.elapsed() < 20'000) { // by then it has saved six times
                    if (!session.waitForReadyRead(100) && session.state() == QProcess::NotRunning) break;
                    said += session.readAllStandardOutput();
                }
                session.kill();
                session.waitForFinished();
                said += session.readAllStandardOutput();
                int saved = 0;
                for (const QByteArray& line : said.split('\n'))
                    if (line.startsWith("saved ")) saved = line.split(' ').value(1).toInt();
                const int inFile = numberOf(file);
                QVERIFY2(inFile >= saved,
                         qPrintable(QStringLiteral("call %1: edit %2 in the file, %3 were saved").arg(call).arg(inFile).arg(saved)));
                reached += QFileInfo::exists(mark);
                savedAfterwards += saved > 0;
            }
        QVERIFY2(reached >= 20, qPrintable(QString::number(reached)));
        QVERIFY2(savedAfterwards >= 10, qPrintable(QString::number(savedAfterwards)));
    }

    // Ended from outside: unsaved edits are offered at the next start, and no lock stays. `timeout` sends its signal twice.
    void signalsKeepEditsAndLeaveNoLock_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("times");
        QTest::newRow("SIGTERM") << SIGTERM << 1;
        QTest::newRow("SIGTERM until it ends") << SIGTERM << 100000;
        QTest::newRow("SIGINT twice") << SIGINT << 2;
    }
    void signalsKeepEditsAndLeaveNoLock() {
        QFETCH(int, signal);
        QFETCH(int, times);
        QTemporaryDir home;
        const QString path = home.filePath(QStringLiteral("a.railyard"));
        QVERIFY(saveDesign(*test::designOf("superpod-h100", {{"servers", "4"}}), path.toStdString()));
        QProcess window;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"}) environment.insert(QString::fromLatin1(name), home.path());
        window.setProcessEnvironment(environment);
        window.start(QStringLiteral(RAILYARD_PROGRAM), {path});
        const QString lock = home.filePath(QStringLiteral(".a.railyard.lock"));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(lock), 30000);
        QTest::qWait(300);
        for (int each = 0; each < times && window.state() == QProcess::Running; ++each) {
            ::kill(static_cast<pid_t>(window.processId()), signal);
            window.waitForFinished(1);
        }
        QVERIFY(window.state() == QProcess::NotRunning || window.waitForFinished(30000));
        QCOMPARE(window.exitStatus(), QProcess::NormalExit);
        QCOMPARE(window.exitCode(), 128 + signal);
        QVERIFY(!QFile::exists(lock));
    }

    void whatCannotBeKeptIsNotSaidToBeKept() {
        QTemporaryDir folder;
        QVERIFY(writeFile(folder.filePath(QStringLiteral("in-the-way")).toStdString(), "x"));
        Document document;
        Journal journal(document, folder.filePath(QStringLiteral("in-the-way")));
        QVERIFY(journal.writeNow()); // there is nothing to keep
        document.openUnsaved(test::designOf("superpod-h100"), {});
        QVERIFY(!journal.writeNow()); // so the leftover it came from stays
    }

    void recoveredWorkCountsAsNotSaved() {
        Document document;
        document.openUnsaved(test::designOf("superpod-h100"), QStringLiteral("/somewhere/a.railyard"));
        QVERIFY(document.isModified());
        QCOMPARE(document.path(), QStringLiteral("/somewhere/a.railyard"));
        document.undoStack().undo(); // there is nothing to undo, and it stays not saved
        QVERIFY(document.isModified());
    }
};

QTEST_MAIN(tst_session)
#include "tst_session.moc"
