#include "core/base/file.h"
#include "core/design/edit.h"
#include "core/io/design_json.h"
#include "tests/support/designs.h"

#include <QDir>
#include <QTemporaryDir>

using namespace railyard;

class tst_design_json : public QObject {
    Q_OBJECT

private slots:
    void saveLoadSaveIsIdentical() {
        for (const RecipeInfo& recipe : recipes()) {
            const std::string text = designText(*test::designOf(std::string(recipe.name)));
            const auto again = readDesign(text, "x");
            QVERIFY(again);
            QCOMPARE(designText(**again), text);
        }
    }
    void theFloorSurvives() {
        const DesignPointer placed = test::designOf("superpod-h100", {{"medium", "by-length"}, {"slack_m", "2.5"}, {"leaf_racks", "end"}});
        const DesignPointer moved = moveRacks(*placed, {{"su[1]/rack[1]", {4, 7}}})->design;
        const DesignPointer design = mountInRack(*moved, {"su[1]/leaf[1]"}, "su[1]/rack[1]", 47)->design;
        const std::string text = designText(*design);
        const auto again = readDesign(text, "x");
        QVERIFY(again);
        QCOMPARE(designText(**again), text);
        QCOMPARE((*again)->floor->moved.at("su[1]/rack[1]"), (RackSpot{4, 7}));
        QCOMPARE((*again)->floor->slack, Metres(2.5));
        QVERIFY((*again)->floor->medium == CableMedium::ByLength && (*again)->floor->leafRacks == LeafRacks::End);
        QCOMPARE((*again)->overrides.at("su[1]/leaf[1]").unit, 47);
    }
    void brokenFloors() {
        const std::string text = designText(*test::designOf("superpod-h100", {{"racks", "auto"}}));
        for (const auto& [floor, names] :
             std::vector<std::pair<std::string, std::string>>{{"{\"rack\": \"rack-9\"}", "rack-9"},
                                                              {"{\"slack_m\": -1}", "slack_m"},
                                                              {"{\"row_racks\": 0}", "row_racks"},
                                                              {"{\"medium\": \"wet\"}", "by-length"},
                                                              {"{\"moved\": {\"x\": {\"row\": 0, \"position\": 1}}}", "row"}}) {
            std::string broken = text;
            const std::size_t at = broken.find("\"floor\": {}");
            QVERIFY(at != std::string::npos);
            broken.replace(at, 11, "\"floor\": " + floor);
            const auto design = readDesign(broken, "bad.railyard");
            QVERIFY(!design);
            QVERIFY2(toText(design.error()).find(names) != std::string::npos, toText(design.error()).c_str());
        }
    }
    void samplesOpenAndAreCanonical() {
        const QDir folder(QStringLiteral(RAILYARD_SOURCE_DIR "/samples"));
        const QStringList names = folder.entryList({QStringLiteral("*.railyard")});
        QVERIFY(names.size() >= 7);
        for (const QString& name : names) {
            const std::string path = folder.filePath(name).toStdString();
            const auto design = loadDesign(path);
            QVERIFY2(design, design ? "" : toText(design.error()).c_str());
            QCOMPARE(designText(**design), *readFile(path));
        }
    }
    void aDocumentComputesTheSameWithoutTheCatalogue() { // parts travel along
        std::string text = designText(*test::designOf("superpod-h100", {{"servers", "4"}}));
        for (std::size_t at = text.find("sw-qm9700"); at != std::string::npos; at = text.find("sw-qm9700", at + 1))
            text.replace(at, 9, "sw-myown1");
        const auto design = readDesign(text, "x");
        QVERIFY2(design, design ? "" : toText(design.error()).c_str());
        QVERIFY((*design)->catalog->find("sw-myown1"));
    }
    void unknownKeysSurvive() {
        std::string text = designText(*test::designOf("superpod-h100", {{"servers", "4"}}));
        text.replace(text.rfind('}'), 1, ", \"later\": {\"a\": [1, 2]}}");
        const auto design = readDesign(text, "x");
        QVERIFY(design);
        QVERIFY(designText(**design).find("\"later\": {\"a\": [1, 2]}") != std::string::npos);
    }
    void refusals_data() {
        QTest::addColumn<QString>("find");
        QTest::addColumn<QString>("replace");
        QTest::addColumn<QString>("names");
        QTest::newRow("newer") << "\"format\": 1"
                               << "\"format\": 7"
                               << "newer";
        QTest::newRow("format as text") << "\"format\": 1"
                                        << "\"format\": \"1\""
                                        << "format";
        QTest::newRow("unknown part") << "\"part\": \"sw-qm9700\""
                                      << "\"part\": \"sw-qm970x\""
                                      << "sw-qm9700";
        QTest::newRow("unknown kind") << "\"kind\": \"gpu\", \"part\""
                                      << "\"kind\": \"cpu\", \"part\""
                                      << "none of gpu";
        QTest::newRow("negative count") << "\"count\": 8"
                                        << "\"count\": -8"
                                        << "whole number";
        QTest::newRow("fractional count") << "\"count\": 8"
                                          << "\"count\": 8.5"
                                          << "whole number";
        QTest::newRow("monstrous count") << "\"count\": 8"
                                         << "\"count\": 88888888888888888888"
                                         << "whole number";
        QTest::newRow("missing block") << "\"block\": \"server\""
                                       << "\"block\": \"sever\""
                                       << "sever";
        QTest::newRow("block in itself") << "\"block\": \"server\""
                                         << "\"block\": \"su\""
                                         << "itself";
        QTest::newRow("unknown pattern") << "\"pattern\": \"rail\""
                                         << "\"pattern\": \"tram\""
                                         << "hb-star";
        QTest::newRow("slug with a slash") << "\"slug\": \"leaf\""
                                           << "\"slug\": \"le/af\""
                                           << "letters";
        QTest::newRow("zero rails") << "\"rails\": 8"
                                    << "\"rails\": 0"
                                    << "whole number";
    }
    void refusals() {
        QFETCH(QString, find);
        QFETCH(QString, replace);
        QFETCH(QString, names);
        std::string text = designText(*test::designOf("superpod-h100", {{"servers", "64"}}));
        const std::size_t at = text.find(find.toStdString());
        QVERIFY(at != std::string::npos);
        text.replace(at, find.size(), replace.toStdString());
        const auto design = readDesign(text, "bad.railyard");
        QVERIFY(!design);
        QCOMPARE(design.error().kind, Error::Kind::File);
        const QString message = QString::fromStdString(toText(design.error()));
        QVERIFY2(message.startsWith(QStringLiteral("bad.railyard:")), qPrintable(message));
        QVERIFY2(message.contains(names), qPrintable(message));
    }
    void multipliedCountsAreRefusedBeforeMemoryIs() {
        std::string text = designText(*test::designOf("superpod-h100", {{"servers", "64"}}));
        const std::size_t at = text.find("\"count\": 32}");
        QVERIFY(at != std::string::npos);
        text.replace(at, 12, "\"count\": 3999999}");
        const auto design = readDesign(text, "huge");
        QVERIFY(!design);
        QVERIFY(toText(design.error()).find("30,000,000") != std::string::npos);
    }
    // Cut, flipped and spliced documents: an error or a design that can be drawn, never a crash.
    void mutatedDocuments() {
        test::Random random{3};
        const std::string good = designText(*test::designOf("superpod-h100", {{"servers", "9"}}));
        int opened = 0;
        for (int round = 0; round < 2000; ++round) {
            std::string text = good;
            for (int change = 1 + random.below(3); change > 0; --change) {
                const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
                switch (random.below(4)) {
                case 0: text.resize(at + 1); break;
                case 1: text[at] = static_cast<char>(random.below(256)); break;
                case 2: text.insert(at, text.substr(static_cast<std::size_t>(random.below(static_cast<int>(text.size()))), 40)); break;
                default: text.erase(at, static_cast<std::size_t>(random.below(30)));
                }
            }
            const auto design = readDesign(text, "mutant");
            if (!design) continue;
            ++opened;
            const FabricPointer fabric = elaborate(*design);
            QVERIFY(fabric->links.a.size() == fabric->links.bPort.size());
        }
        QVERIFY(opened > 0);
    }
    void savingReplacesWholeOrNotAtAll() {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("a.railyard")).toStdString();
        const DesignPointer design = test::designOf("superpod-h100", {{"servers", "4"}});
        QVERIFY(saveDesign(*design, path));
        const std::string before = *readFile(path);
        QVERIFY(!saveDesign(*design, folder.filePath(QStringLiteral("no/such/folder.railyard")).toStdString()));
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("full")));
        QVERIFY(!saveDesign(*design, folder.filePath(QStringLiteral("full")).toStdString())); // a folder is in the way
        QCOMPARE(*readFile(path), before);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1); // nothing half-written left
    }
    void missingFilesAndFolders() {
        QVERIFY(toText(loadDesign("/nonexistent/x.railyard").error()).find("cannot be read") != std::string::npos);
        QVERIFY(toText(loadDesign("/").error()).find("folder") != std::string::npos);
        QVERIFY(!readDesign("", "empty"));
        QVERIFY(!readDesign("[]", "list"));
        QVERIFY(!readDesign("{}", "foreign"));
    }
};

QTEST_GUILESS_MAIN(tst_design_json)
#include "tst_design_json.moc"
