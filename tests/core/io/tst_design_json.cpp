#include "core/base/file.h"
#include "core/design/edits/edit.h"
#include "core/io/document/design_json.h"
#include "core/json/json_view.h"
#include "tests/support/designs.h"

#include <QDir>
#include <QTemporaryDir>
#include <fmt/format.h>
#include <functional>

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
    // One key of a newer version in every object that the format has.
    void unknownKeysSurviveEverywhere() {
        const auto base = test::designOf("rail-optimized", {{"servers", "40"}, {"storage", "on"}});
        QVERIFY(base);
        Design design = *base;
        design.overrides["su[1]/leaf[1]"].label = "north";
        design.approvals.push_back({"RY-C001", "", "known"});
        design.views.push_back({"all", 0, 0, 10, 10});
        design.targets.push_back({"cost.network_usd", true, 5e6});
        design.callouts.push_back({.kind = Callout::Kind::Text, .text = "here", .at = {}});
        Block free = *design.free;
        free.devices.push_back({.slug = "leaf-extra",
                                .kind = DeviceKind::Switch,
                                .tier = SwitchTier::Leaf,
                                .part = "sw-qm9700",
                                .ports = {{64, gigabitsPerSecond(400), 1}},
                                .at = {}});
        free.links.push_back({"leaf-extra[1]:1", "spine[1]:64"});
        design.free = shared(std::move(free));
        design.floor.emplace();
        design.training = NamedOptions{{{"pp", "8"}}, {}};
        Json json = Json::parse(designText(design));
        int count = 0;
        const std::function<void(Json&, bool)> mark = [&](Json& value, bool mayHold) {
            if (value.is_object() && mayHold) value["later_" + std::to_string(++count)] = {{"a", {1, 2}}};
            for (auto& [key, inner] : value.items())
                if (inner.is_structured() && !key.starts_with("later_"))
                    mark(inner, key != "parameters" && key != "blocks" && key != "overrides" && key != "parts" && key != "moved" &&
                                    key != "networks" && key != "options");
        };
        mark(json, true);
        QVERIFY(count > 40);
        const auto read = readDesign(json.dump(), "x");
        QVERIFY2(read, read ? "" : toText(read.error()).c_str());
        const std::string text = designText(**read);
        for (int i = 1; i <= count; ++i)
            QVERIFY2(text.find("\"later_" + std::to_string(i) + "\": {\"a\": [1, 2]}") != std::string::npos, std::to_string(i).c_str());
        QCOMPARE(designText(**readDesign(text, "x")), text);
    }
    void unknownKeysOutliveTheRecipe() {
        Json json = Json::parse(designText(*test::designOf("superpod-h100", {{"servers", "32"}})));
        json["recipe"]["later"] = 1;
        json["blocks"]["su"]["later"] = 2;
        json["blocks"]["root"]["wiring"][0]["later"] = 3;
        const auto read = readDesign(json.dump(), "x");
        QVERIFY(read);
        const auto edit = setServers(**read, 64);
        QVERIFY(edit);
        const std::string text = designText(*edit->design);
        for (const char* kept : {"\"later\": 1", "\"later\": 2", "\"later\": 3"}) QVERIFY2(text.find(kept) != std::string::npos, kept);
    }
    void partsThatNobodyUsesAreKept() {
        Json json = Json::parse(designText(*test::designOf("superpod-h100", {{"servers", "4"}})));
        Json own = Json::parse(shippedCatalog()->find("sw-qm9700")->original);
        own["id"] = "sw-not-yet-used";
        json["parts"]["sw-not-yet-used"] = own;
        const auto read = readDesign(json.dump(), "x");
        QVERIFY(read);
        QVERIFY(designText(**read).find("sw-not-yet-used") != std::string::npos);
    }
    void twiceTheSameKeyIsRefused() { // a second "free" used to drop everything drawn by hand
        std::string text = designText(*test::designOf("superpod-h100", {{"servers", "4"}}));
        text.replace(text.rfind('}'), 1, ", \"free\": {}}");
        const auto read = readDesign(text, "x");
        QVERIFY(!read);
        QCOMPARE(read.error().code, std::string("duplicate"));
    }
    void refusals_data() {
        QTest::addColumn<QString>("find");
        QTest::addColumn<QString>("replace");
        QTest::addColumn<QString>("names");
        QTest::addColumn<QString>("code");  // of the error; empty where there is none
        QTest::addColumn<QString>("field"); // how it ends
        QTest::newRow("newer") << "\"format\": 2"
                               << "\"format\": 7"
                               << "newer"
                               << ""
                               << "";
        QTest::newRow("format as text") << "\"format\": 2"
                                        << "\"format\": \"2\""
                                        << "format"
                                        << "type"
                                        << "format";
        QTest::newRow("unknown part") << "\"part\": \"sw-qm9700\""
                                      << "\"part\": \"sw-qm970x\""
                                      << "sw-qm9700"
                                      << ""
                                      << "";
        QTest::newRow("unknown kind") << "\"kind\": \"gpu\", \"part\""
                                      << "\"kind\": \"cpu\", \"part\""
                                      << "one of gpu"
                                      << ""
                                      << "";
        QTest::newRow("negative count") << "\"count\": 8"
                                        << "\"count\": -8"
                                        << "whole number"
                                        << "range"
                                        << ".count";
        QTest::newRow("fractional count") << "\"count\": 8"
                                          << "\"count\": 8.5"
                                          << "whole number"
                                          << "range"
                                          << ".count";
        QTest::newRow("monstrous count") << "\"count\": 8"
                                         << "\"count\": 88888888888888888888"
                                         << "whole number"
                                         << "range"
                                         << ".count";
        QTest::newRow("missing block") << "\"block\": \"server\""
                                       << "\"block\": \"sever\""
                                       << "sever"
                                       << ""
                                       << "";
        QTest::newRow("block in itself") << "\"block\": \"server\""
                                         << "\"block\": \"su\""
                                         << "itself"
                                         << ""
                                         << "";
        QTest::newRow("unknown pattern") << "\"pattern\": \"rail\""
                                         << "\"pattern\": \"tram\""
                                         << "hb-star"
                                         << "choice"
                                         << ".pattern";
        QTest::newRow("slug with a slash") << "\"slug\": \"leaf\""
                                           << "\"slug\": \"le/af\""
                                           << "letters"
                                           << ""
                                           << "";
        QTest::newRow("zero rails") << "\"rails\": 8"
                                    << "\"rails\": 0"
                                    << "whole number"
                                    << "range"
                                    << ".rails";
    }
    void refusals() {
        QFETCH(QString, find);
        QFETCH(QString, replace);
        QFETCH(QString, names);
        QFETCH(QString, code);
        QFETCH(QString, field);
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
        if (!code.isEmpty()) QCOMPARE(QString::fromStdString(design.error().code), code);
        QVERIFY2(QString::fromStdString(design.error().field).endsWith(field), design.error().field.c_str());
    }
    void multipliedCountsAreRefusedBeforeMemoryIs() {
        std::string text = designText(*test::designOf("superpod-h100", {{"servers", "64"}}));
        const std::size_t at = text.find("\"count\": 32}");
        QVERIFY(at != std::string::npos);
        text.replace(at, 12, "\"count\": 3999999}");
        const auto design = readDesign(text, "huge");
        QVERIFY(!design);
        QVERIFY(toText(design.error()).find("5,000,000") != std::string::npos);
    }
    // A chain of blocks up to the limit is a document; a longer one and a circle are each one error, with the right reason.
    void chainsOfBlocks() {
        const auto errorsOf = [](int blocks, const char* last) {
            std::string text = R"({"format": 2, "name": "chain", "free": {}, "blocks": {)";
            for (int b = 0; b < blocks; ++b)
                text += fmt::format(R"("b{0}": {{"instances": [{{"slug": "s", "block": "b{1}", "count": 1}}]}}, )", b, b + 1);
            text += fmt::format(R"("b{}": {}, "root": {{"instances": [{{"slug": "s", "block": "b0", "count": 1}}]}}}}}})", blocks, last);
            const auto design = readDesign(text, "chain");
            std::vector<std::string> errors;
            if (!design)
                for (const Error& error : design.errors()) errors.push_back(error.text);
            return errors;
        };
        QVERIFY(errorsOf(31, "{}").empty());
        for (const int blocks : {32, 33, 34, 59, 70, 200}) {
            const auto errors = errorsOf(blocks, "{}");
            QCOMPARE(errors.size(), std::size_t{1});
            QVERIFY2(errors[0].find("nested more than 32 blocks deep") != std::string::npos, errors[0].c_str());
        }
        for (const int blocks : {1, 2, 20}) {
            const auto errors = errorsOf(blocks, R"({"instances": [{"slug": "s", "block": "b1", "count": 1}]})");
            QCOMPARE(errors.size(), std::size_t{1});
            QVERIFY2(errors[0].find("\"blocks.b1\" contains itself") != std::string::npos, errors[0].c_str());
        }
    }
    // Cut, flipped and spliced documents: an error or a design that can be drawn, never a crash.
    void mutatedDocuments() {
        test::Random random{3};
        const std::string good = designText(*test::designOf("superpod-h100", {{"servers", "9"}}));
        int opened = 0;
        for (int round = 0; round < 2000; ++round) {
            std::string text = good;
            for (int change = 1 + random.below(3); change > 0 && !text.empty(); --change) {
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
    // Format 1 had no `rails = auto`: what it saved keeps one rail per NIC of an HB domain, and says so.
    void format1KeepsItsRails() {
        std::string text = designText(*test::designOf("rail-only", {{"gpus", "256"}}));
        const std::size_t at = text.find("\"format\": 2");
        QVERIFY(at != std::string::npos);
        text.replace(at, 11, "\"format\": 1");
        const auto old = readDesign(text, "old.railyard");
        QVERIFY(old);
        QCOMPARE((*old)->recipe->parameters.at("rails"), std::string("8"));
        QCOMPARE((*old)->migrations.size(), std::size_t{1});
        QVERIFY(designText(**old).find("\"format\": 2") != std::string::npos);
        const auto stated = readDesign(designText(**old), "new.railyard");
        QVERIFY((*stated)->migrations.empty());
        QCOMPARE((*stated)->recipe->parameters.at("rails"), std::string("8"));
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
        QCOMPARE(loadDesign("/nonexistent/x.railyard").error().code, std::string("read"));
        QCOMPARE(loadDesign("/").error().code, std::string("read"));
        QVERIFY(!readDesign("", "empty"));
        QVERIFY(!readDesign("[]", "list"));
        QVERIFY(!readDesign("{}", "foreign"));
    }
};

QTEST_GUILESS_MAIN(tst_design_json)
#include "tst_design_json.moc"
