#include "core/base/file.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace railyard;

namespace {

mode_t modeOf(const std::string& path) {
    struct stat about = {};
    return ::stat(path.c_str(), &about) == 0 ? about.st_mode & 07777U : 0;
}

} // namespace

class tst_file : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }
    // Whatever pieces the system gives, lines are those of the text; of files of any size the mark is that of their bytes.
    void filesAreReadByLine() {
        std::string text = "first\n\n";
        for (int i = 0; i < 3000; ++i) text += std::string(static_cast<std::size_t>(i % 97), 'x') + "\n";
        text += std::string(200'000, 'y') + "\n" + "no end";
        QVERIFY(writeFile(at("lines"), text));
        std::string again;
        std::vector<bool> ended;
        QVERIFY(eachLine(at("lines"), [&](std::string_view line, bool isEnded) {
            again += std::string(line) + (isEnded ? "\n" : "");
            ended.push_back(isEnded);
        }));
        QVERIFY(again == text);
        QCOMPARE(ended.size(), std::size_t{3004});
        QCOMPARE(std::count(ended.begin(), ended.end(), false), std::ptrdiff_t{1});
        QVERIFY(!ended.back());
        QCOMPARE(*markOfFile(at("lines")), contentMark(text));
        QVERIFY(writeFile(at("empty"), ""));
        QVERIFY(eachLine(at("empty"), [&](std::string_view, bool) { again.clear(); }));
        QVERIFY(!again.empty());
        for (const char* refused : {".", "missing"}) QVERIFY(!eachLine(at(refused), [](std::string_view, bool) {}));
    }
    void onlyFilesAreRead() {
        QVERIFY(!readFile("/dev/zero"));
        QVERIFY(!readFile(at("."))); // a folder
        QCOMPARE(::mkfifo(at("pipe").c_str(), 0600), 0);
        const auto pipe = readFile(at("pipe")); // nobody writes: it must not wait
        QVERIFY(!pipe);
        QCOMPARE(pipe.error().code, std::string("read"));
        QVERIFY(writeFile(at("a"), "12345"));
        QVERIFY(readFile(at("a"), 5));
        const auto large = readFile(at("a"), 4);
        QVERIFY(!large);
        QCOMPARE(large.error().code, std::string("limit"));
    }
    void aSparseFileOfTerabytesIsRefusedAtOnce() {
        QVERIFY(writeFile(at("huge"), ""));
        QCOMPARE(::truncate(at("huge").c_str(), off_t{1} << 40), 0);
        QVERIFY(!readFile(at("huge")));
    }
    void whatWasPassedOnIsRead() {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        QCOMPARE(::write(ends[1], "abc", 3), 3);
        ::close(ends[1]);
        const auto text = readFile("/dev/fd/" + std::to_string(ends[0]));
        ::close(ends[0]);
        QVERIFY(text);
        QCOMPARE(*text, std::string("abc"));
    }
    // A writer that says what it replaces replaces nothing else.
    void onlyTheKnownContentIsReplaced() {
        QVERIFY(writeFile(at("a"), "mine"));
        const std::string mine = *markOfFile(at("a"));
        QCOMPARE(mine, contentMark("mine"));
        QCOMPARE(*markOfFile(at("missing")), std::string(noFileMark));
        QVERIFY(writeFile(at("a"), "theirs")); // another program
        const Status refused = writeFile(at("a"), "mine again", {.knownMark = mine});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("changed"));
        QCOMPARE(*readFile(at("a")), std::string("theirs"));
        QVERIFY(writeFile(at("a"), "mine again", {.knownMark = contentMark("theirs")}));
        QVERIFY(!writeFile(at("a"), "new", {.knownMark = noFileMark})); // it exists
        QVERIFY(writeFile(at("new"), "new", {.knownMark = noFileMark}));
        auto pending = PendingFile::nextTo(at("a"), {.knownMark = contentMark("mine again")});
        QVERIFY(pending && pending->append("late") && pending->finish());
        QVERIFY(writeFile(at("a"), "theirs")); // while ours was being written
        QCOMPARE(pending->moveIntoPlace().error().code, std::string("changed"));
        QCOMPARE(*readFile(at("a")), std::string("theirs"));
    }
    void aWaitForALockCanBeGivenUp() {
        const auto held = FileLock::acquire(at("a"));
        QVERIFY(held);
        int asked = 0;
        QVERIFY(!FileLock::acquire(at("b"), [&] { return ++asked < 3; })); // of the same folder
        QCOMPARE(asked, 3);
    }
    void aFileKeepsWhatItHad() {
        QVERIFY(writeFile(at("a"), "old"));
        QCOMPARE(::chmod(at("a").c_str(), 0640), 0);
        const bool hasAttributes = ::setxattr(at("a").c_str(), "user.note", "mine", 4, 0) == 0;
        if (::geteuid() == 0) QCOMPARE(::chown(at("a").c_str(), 1234, 2345), 0);
        QVERIFY(writeFile(at("a"), "new"));
        QCOMPARE(modeOf(at("a")), mode_t{0640});
        if (::geteuid() == 0) {
            struct stat about = {};
            QCOMPARE(::stat(at("a").c_str(), &about), 0);
            QCOMPARE(about.st_uid, uid_t{1234});
            QCOMPARE(about.st_gid, gid_t{2345});
        }
        char note[8] = {};
        if (hasAttributes) QCOMPARE(::getxattr(at("a").c_str(), "user.note", note, sizeof note), 4);
        QCOMPARE(*readFile(at("a")), std::string("new"));
    }
    void aPrivateFileIsPrivateAtEveryMoment() {
        QVERIFY(writeFile(at("a"), "old"));
        QCOMPARE(::chmod(at("a").c_str(), 0600), 0);
        auto pending = PendingFile::nextTo(at("a"));
        QVERIFY(pending);
        QCOMPARE(names(), QStringList{QStringLiteral("a")}); // without a name nobody else can open it
        QVERIFY(pending->append("new"));
        QVERIFY(pending->finish());
        QCOMPARE(names(), QStringList{QStringLiteral("a")});
        QVERIFY(pending->moveIntoPlace());
        QCOMPARE(modeOf(at("a")), mode_t{0600});
    }
    void newFilesFollowTheMask() {
        const mode_t before = ::umask(027);
        QVERIFY(writeFile(at("usual"), ""));
        QVERIFY(writeFile(at("journal"), "", {Visibility::OwnerOnly}));
        ::umask(before);
        QCOMPARE(modeOf(at("usual")), mode_t{0640});
        QCOMPARE(modeOf(at("journal")), mode_t{0600});
    }
    void writeProtectedFilesAreLeftAlone() { // for the superuser too
        QVERIFY(writeFile(at("a"), "old"));
        QCOMPARE(::chmod(at("a").c_str(), 0444), 0);
        const Status refused = writeFile(at("a"), "new");
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("write"));
        QCOMPARE(*readFile(at("a")), std::string("old"));
        QCOMPARE(names().size(), 1);
    }
    void plantedLinksAreNotFollowed() {
        QVERIFY(writeFile(at("victim"), "mine"));
        for (int process = -2000; process <= 2000; ++process) // the names that a save used to have
            (void)!::symlink(at("victim").c_str(), (at("a.") + std::to_string(::getpid() + process) + ".part").c_str());
        QVERIFY(writeFile(at("a"), "new"));
        QCOMPARE(*readFile(at("victim")), std::string("mine"));
        QVERIFY(!QFileInfo(QString::fromStdString(at("a"))).isSymLink());
    }
    void linksOfTheUserAreFollowed() {
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("deep")));
        QCOMPARE(::symlink("deep/real", at("link").c_str()), 0);
        QVERIFY(writeFile(at("link"), "1"));
        QVERIFY(writeFile(at("link"), "2"));
        QCOMPARE(*readFile(at("deep/real")), std::string("2"));
        QVERIFY(QFileInfo(QString::fromStdString(at("link"))).isSymLink());
    }
    void whatAKilledProcessLeftIsRemovedByTheNextSave() {
        const pid_t child = ::fork();
        if (child == 0) {
            auto pending = PendingFile::nextTo(at("a"));
            (void)pending->append("half");
            ::_exit(9);
        }
        int state = 0;
        ::waitpid(child, &state, 0);
        QVERIFY(names().isEmpty()); // a file without a name is gone with its process
        // Where the file system requires names, they stay.
        for (const char* name : {"a.abcdef.part", "a.ghijkl.part", "b.abcdef.part", "a.short.part"}) QVERIFY(writeFile(at(name), "half"));
        const int living = ::open(at("a.ghijkl.part").c_str(), O_RDONLY);
        QCOMPARE(::flock(living, LOCK_EX), 0); // as a process does that still writes it
        QVERIFY(writeFile(at("a"), "whole"));
        QCOMPARE(names(), (QStringList{QStringLiteral("a"), QStringLiteral("a.ghijkl.part"), QStringLiteral("a.short.part"),
                                       QStringLiteral("b.abcdef.part")}));
        ::close(living);
        QVERIFY(writeFile(at("a"), "whole"));
        QVERIFY(!names().contains(QStringLiteral("a.ghijkl.part")));
    }
    void filesThatBelongTogetherAreReplacedTogether() {
        QVERIFY(writeFiles({{at("devices"), "1"}, {at("links"), "1"}}));
        QVERIFY(!writeFiles({{at("devices"), "2"}, {at("absent/links"), "2"}}));
        QCOMPARE(*readFile(at("devices")), std::string("1"));
        QCOMPARE(names().size(), 2);
    }
    void aLockKeepsOthersOut() {
        QVERIFY(writeFile(at("count"), "0"));
        std::vector<pid_t> children;
        for (int process = 0; process < 8; ++process) {
            const pid_t child = ::fork();
            if (child == 0) {
                for (int i = 0; i < 25; ++i) {
                    const auto lock = FileLock::acquire(at("count"));
                    if (!lock || !writeFile(at("count"), std::to_string(std::stoi(*readFile(at("count"))) + 1))) ::_exit(1);
                }
                ::_exit(0);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) {
            int state = 1;
            ::waitpid(child, &state, 0);
            QCOMPARE(state, 0);
        }
        QCOMPARE(*readFile(at("count")), std::string("200"));
    }

private:
    std::string at(const char* name) const { return m_folder->filePath(QString::fromLatin1(name)).toStdString(); }
    QStringList names() const { return QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden | QDir::System); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(tst_file)
#include "tst_file.moc"
