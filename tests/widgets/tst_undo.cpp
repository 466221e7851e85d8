#include "core/design/edits/design_change.h"
#include "core/io/document/design_json.h"
#include "tests/support/random_edits.h"
#include "widgets/document/document.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <fstream>
#include <malloc.h>
#include <set>

using namespace railyard;

static double residentMebibytes() {
    std::ifstream status("/proc/self/statm");
    double all = 0, resident = 0;
    status >> all >> resident;
    return resident * 4096 / (1 << 20);
}

class tst_undo : public QObject {
    Q_OBJECT

    // Allocated by malloc, so without what the system gives back late.
    static double allocatedMebibytes() {
        const struct mallinfo2 info = mallinfo2();
        return static_cast<double>(info.uordblks + info.hblkhd) / (1 << 20);
    }
    // A design of 4,096 GPUs whose SUs are all dissolved.
    static DesignPointer dissolved(int units) {
        DesignPointer design = test::designOf("superpod-h100", {{"gpus", "4096"}});
        for (int su = 1; su <= units; ++su) {
            const auto edit = dissolve(*elaborate(design), "su[" + std::to_string(su) + "]", {});
            if (!edit) qFatal("%s", edit.error().text.c_str());
            design = edit->design;
        }
        return design;
    }

private slots:
    // The walk knows every function of the core's headers that makes an edit.
    void noEditFunctionIsMissing() {
        std::set<std::string> declared, known;
        static const QRegularExpression function(QStringLiteral("^(?:Result<Edit>|Edit) (\\w+)\\("), QRegularExpression::MultilineOption);
        for (QDirIterator at(QStringLiteral(RAILYARD_SOURCE_DIR "/core"), {QStringLiteral("*.h")}, QDir::Files,
                             QDirIterator::Subdirectories);
             at.hasNext();) {
            QFile header(at.next());
            QVERIFY(header.open(QIODevice::ReadOnly));
            for (auto found = function.globalMatch(QString::fromUtf8(header.readAll())); found.hasNext();)
                declared.insert(found.next().captured(1).toStdString());
        }
        QVERIFY2(declared.size() >= 36, qPrintable(QString::number(declared.size())));
        const test::RandomEdits edits(1);
        for (const auto& [name, make] : edits.functions()) known.insert(name);
        QStringList missing;
        for (const std::string& name : declared)
            if (!known.contains(name)) missing << QString::fromStdString(name);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char(' '))));
        QVERIFY(declared == known);
    }
    // Every function on a design of 4,096 GPUs, half of it drawn by hand; undo and redo lead through the same designs.
    void everyEditOfALargeDesign() {
        Document document;
        document.open(dissolved(2), {});
        test::RandomEdits edits(11);
        std::vector<std::string> seen{designText(*document.now().design)};
        std::set<std::string> never, done; // `order` has some twice
        std::vector<std::string> order{"placeRacks", "setFeedsOfRacks", "setPowerFeeds", "setMedium",
                                       "saveView"}; // some need racks, others a view
        for (const auto& [name, function] : edits.functions())
            if (name != "setServers" && name != "replaceRecipe") order.push_back(name); // last, because they leave a small design
        for (const std::string& name : order) {
            bool isDone = false;
            for (int tries = 0; tries < 12 && !isDone; ++tries) {
                QString reason;
                isDone = document.apply(edits.make(name, document.now().fabric), &reason);
                QVERIFY(isDone || !reason.isEmpty());
            }
            if (isDone) seen.push_back(designText(*document.now().design));
            if (isDone)
                done.insert(name);
            else if (!done.contains(name))
                never.insert(name);
        }
        QVERIFY(document.now().instant.counts.gpus > 2048);
        for (const char* name : {"setServers", "replaceRecipe"})
            if (document.apply(edits.make(name, document.now().fabric))) seen.push_back(designText(*document.now().design));
        // Cables need free ports, which random switches of a complete fabric rarely have; the others depend on what exists by chance.
        for (const char* name : {"connect", "connectGroups", "addLink"}) never.erase(name);
        std::string names;
        for (const std::string& name : never) names += name + " ";
        QVERIFY2(never.size() <= 4, names.c_str());
        QCOMPARE(document.undoStack().count() + 1, static_cast<int>(seen.size()));
        for (int step = document.undoStack().count(); step >= 0; --step) {
            document.undoStack().setIndex(step);
            QVERIFY2(designText(*document.now().design) == seen[static_cast<std::size_t>(step)], qPrintable(QString::number(step)));
        }
        const auto again = readDesign(seen.back(), "walk");
        QVERIFY2(again, again ? "" : again.error().text.c_str());
    }
    // A drawing of 4,096 GPUs takes 1.2 MB, but a move changes one row of it, and a step keeps only that.
    void historyOfALargeHandDrawingIsSmall() {
        Document document;
        QVERIFY(Document::usualHistoryBytes == std::size_t{256} << 20); // as docs/status.md says
        document.open(dissolved(16), {});
        const DesignPointer first = document.now().design;
        const Instance& row = first->free->instances.front();
        const std::string name = row.slug + "[" + std::to_string(row.first) + "]";
        const auto move = [&](int moves) {
            for (int i = 0; i < moves; ++i) {
                QString reason;
                QVERIFY2(document.apply(moveElements(*document.now().design, {{name, {10.0 * i, 5}}}), &reason), qPrintable(reason));
            }
            document.waitForBackground();
            (void)document.now().findings();
        };
        move(66); // by now the document also keeps as many fabrics as it ever does
        const double before = allocatedMebibytes();
        move(100);
        const double grown = allocatedMebibytes() - before;
        qInfo("100 moves: %.2f MiB", grown);
        QVERIFY2(grown < 1, qPrintable(QString::number(grown)));
        QCOMPARE(document.undoStack().count(), 166);
        const DesignPointer last = document.now().design;
        document.undoStack().setIndex(0);
        QVERIFY(!document.isModified());
        QVERIFY(designText(*document.now().design) == designText(*first));
        document.undoStack().setIndex(166);
        QVERIFY(designText(*document.now().design) == designText(*last));
    }
    // Edits that change much are kept up to the limit; then the oldest are forgotten, and the design as opened with them.
    void historyOfLargeEditsIsBounded() {
        constexpr std::size_t limit = std::size_t{16} << 20;
        Document document;
        document.setMostHistoryBytes(limit);
        document.open(dissolved(16), {});
        const DesignPointer large = document.now().design;
        Design small = *large;
        small.free = shared({"free", {}, {}, {}, {}});
        const auto smallPointer = std::make_shared<const Design>(std::move(small));
        for (int i = 0; i < 30; ++i) QVERIFY(document.apply(Edit{i % 2 == 0 ? smallPointer : large, "all or nothing"}));
        const int kept = document.undoStack().count();
        QVERIFY2(kept >= 8 && kept < 25, qPrintable(QString::number(kept)));
        document.undoStack().setIndex(0);
        QVERIFY(document.isModified()); // the design as opened cannot be reached any more
        document.undoStack().setIndex(kept);
        QVERIFY(designText(*document.now().design) == designText(*large));
    }
    // The step that was saved stays the saved one while older steps are forgotten.
    void theSavedStepIsRemembered() {
        Document document;
        const QTemporaryDir folder;
        document.open(test::designOf("superpod-h100"), {});
        const auto rename = [&](int number) {
            Design next = *document.now().design;
            next.name = "name " + std::to_string(number);
            document.apply(Edit{std::make_shared<const Design>(std::move(next)), "rename"});
        };
        for (int i = 0; i < 40; ++i) rename(i);
        QVERIFY(document.save(folder.filePath(QStringLiteral("a.railyard"))));
        for (int i = 40; i < 50; ++i) rename(i);
        Design next = *document.now().design;
        next.name = "name 49 and more";
        const DesignChange one(*document.now().design, next), another(next, *document.now().design, &one);
        document.setMostHistoryBytes(another.bytes() * 30);
        rename(50);
        const int kept = document.undoStack().count();
        QVERIFY2(kept < 31 && kept > 15, qPrintable(QString::number(kept)));
        QVERIFY(document.isModified());
        document.undoStack().setIndex(kept - 11);
        QCOMPARE(document.now().design->name, std::string("name 39"));
        QVERIFY(!document.isModified());
        document.undoStack().undo();
        QVERIFY(document.isModified());
        rename(51);
        document.setMostHistoryBytes(1); // not even one step fits: the newest is kept
        rename(52);
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QCOMPARE(document.now().design->name, std::string("name 51"));
        QVERIFY(document.isModified());
    }
    // Undo all gives the first design, redo all the last, every thousandth on the way; memory stays bounded.
    void longWalk() {
        constexpr int steps = 100'000;
        Document document;
        document.open(
            test::designOf("rail-optimized", {{"servers", "4"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "8"}}), {});
        document.setMostHistoryBytes(std::size_t{4} << 30); // all steps are looked at
        test::RandomEdits walk(7);
        std::map<std::string, int> accepted;
        std::vector<std::string> seen{designText(*document.now().design)};
        int made = 0, refused = 0;
        while (made < steps) {
            QString reason;
            const Snapshot& now = document.now();
            const bool isLarge = now.instant.counts.servers > 12 || now.fabric->devices.size() > 600 || now.design->overrides.size() > 40 ||
                                 now.design->callouts.size() > 12;
            const std::string name = isLarge ? std::string() : walk.anyName();
            if (!document.apply(isLarge ? walk.smallAgain(*now.design) : walk.make(name, now.fabric), &reason)) {
                QVERIFY(!reason.isEmpty());
                QVERIFY2(++refused < 20 * steps, "the walk is stuck");
                continue;
            }
            ++accepted[name];
            if (++made % 1000 != 0) continue;
            seen.push_back(designText(*document.now().design));
            const auto again = readDesign(seen.back(), "walk"); // what was made by edits can be opened
            QVERIFY2(again, again ? "" : again.error().text.c_str());
        }
        QCOMPARE(document.undoStack().count(), steps);
        for (const auto& [name, function] : walk.functions()) QVERIFY2(accepted[name] > 0, name.c_str());
        QVERIFY2(residentMebibytes() < 1000, qPrintable(QString::number(residentMebibytes())));
        for (int step = steps; step >= 0; step -= 1000) {
            document.undoStack().setIndex(step);
            QVERIFY2(designText(*document.now().design) == seen[static_cast<std::size_t>(step / 1000)], qPrintable(QString::number(step)));
        }
        document.undoStack().setIndex(steps);
        QVERIFY(designText(*document.now().design) == seen.back());
        qInfo("%d edits, %d refusals, %.0f MiB", made, refused, residentMebibytes());
    }
};

QTEST_GUILESS_MAIN(tst_undo)
#include "tst_undo.moc"
