#include "app/keeping/keeper.h"
#include "app/main_window.h"
#include "core/base/file.h"
#include "core/io/design_json.h"
#include "tests/support/designs.h"
#include "widgets/canvas/canvas.h"
#include "widgets/panels/banner.h"

#include <QDateTime>
#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace railyard;

class tst_keeping : public QObject {
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

    // 200 sessions, each killed at a random moment: the file opens, and at most the last second of edits is missing.
    void killedAtAnyMoment() {
        test::Random random{200};
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("work.railyard")), root = folder.filePath(QStringLiteral("recovery"));
        Design first = *test::designOf("superpod-h100", {{"servers", "32"}});
        first.name = "edit 0";
        QVERIFY(saveDesign(first, file.toStdString()));
        int recovered = 0;
        for (int round = 0; round < 200; ++round) {
            QProcess session;
            session.start(QStringLiteral(KILLED_SESSION), {file, root});
            QVERIFY(session.waitForStarted());
            session.waitForReadyRead(5000); // the first edit
            QTest::qWait(random.below(250));
            session.kill(); // SIGKILL
            session.waitForFinished();
            const qint64 killedAt = QDateTime::currentMSecsSinceEpoch();
            int due = 0, last = 0;
            for (const QByteArray& line : session.readAllStandardOutput().split('\n')) {
                const auto words = line.split(' ');
                if (words[0] != "edit" || words.size() < 3) continue;
                last = words[1].toInt();
                if (words[2].toLongLong() < killedAt - 1000) due = last;
            }
            int kept = numberOf(file);
            QVERIFY2(kept >= 0, "the document does not open");
            for (const Leftover& leftover : Journal::leftovers(root)) {
                const int there = numberOf(leftover.design);
                QVERIFY2(there >= 0, "what the journal kept does not open");
                QCOMPARE(leftover.origin, file);
                recovered += there > kept ? 1 : 0;
                kept = std::max(kept, there);
                Journal::discard(leftover);
            }
            QVERIFY2(kept >= due, qPrintable(QStringLiteral("round %1: %2 of %3").arg(round).arg(kept).arg(due)));
            QVERIFY(kept <= last + 1);
        }
        QVERIFY2(recovered > 100, qPrintable(QString::number(recovered)));
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
        one->follow(path);
        QVERIFY(one->whyReadOnly().isEmpty());
        DocumentFile two;
        two.follow(path);
        QVERIFY(two.whyReadOnly().contains(QStringLiteral("another window")));
        const QString link = folder.filePath(QStringLiteral("link.railyard"));
        QVERIFY(QFile::link(path, link));
        DocumentFile three;
        three.follow(link); // the same file by another name
        QVERIFY(three.whyReadOnly().contains(QStringLiteral("another window")));
        QVERIFY(three.whyHeld(path).contains(QStringLiteral("another window"))); // nor may it be saved onto
        QVERIFY(one->whyHeld(link).isEmpty());
        one.reset(); // the first goes
        two.follow(path);
        QVERIFY(two.whyReadOnly().isEmpty());
    }

    void changesFromOutsideAreNoticed() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.railyard"));
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100", {{"servers", "32"}}), {});
        QVERIFY(window.document().save(path));
        QVERIFY(window.openFile(path));
        auto* banner = window.findChild<Banner*>();
        QVERIFY(banner->text().isEmpty());
        Design other = *window.document().now().design;
        other.name = "by someone else";
        QVERIFY(saveDesign(other, path.toStdString()));
        QTRY_VERIFY(banner->text().contains(QStringLiteral("changed by another program")));
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY(banner->text().contains(QStringLiteral("gone from the disk")));
        QCOMPARE(window.document().now().instant.counts.servers, 32);
    }

    void recoveredWorkDoesNotReplaceWhatOthersWroteSince() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.railyard")), root = folder.filePath(QStringLiteral("recovery"));
        QVERIFY(writeFile(path.toStdString(), "as the session knew it"));
        DocumentFile file;
        file.follow(path);
        Document document;
        document.openRecovered(test::designOf("superpod-h100"), path);
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
        file.follow({});
        after.follow(leftovers[0].origin, leftovers[0].originMark);
        QVERIFY(!after.isChangedOutside());
        QVERIFY(writeFile(path.toStdString(), "by someone else"));
        after.follow(leftovers[0].origin, leftovers[0].originMark);
        QVERIFY(after.isChangedOutside());
    }

    void whatCannotBeKeptIsNotSaidToBeKept() {
        QTemporaryDir folder;
        QVERIFY(writeFile(folder.filePath(QStringLiteral("in-the-way")).toStdString(), "x"));
        Document document;
        Journal journal(document, folder.filePath(QStringLiteral("in-the-way")));
        QVERIFY(journal.writeNow()); // there is nothing to keep
        document.openRecovered(test::designOf("superpod-h100"), {});
        QVERIFY(!journal.writeNow()); // so the leftover it came from stays
    }

    void recoveredWorkCountsAsNotSaved() {
        Document document;
        document.openRecovered(test::designOf("superpod-h100"), QStringLiteral("/somewhere/a.railyard"));
        QVERIFY(document.isModified());
        QCOMPARE(document.path(), QStringLiteral("/somewhere/a.railyard"));
        document.undoStack().undo(); // there is nothing to undo, and it stays not saved
        QVERIFY(document.isModified());
    }
};

QTEST_MAIN(tst_keeping)
#include "tst_keeping.moc"
