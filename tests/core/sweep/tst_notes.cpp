#include "core/base/file.h"
#include "core/design/edits/edit_elements.h"
#include "core/io/document/design_json.h"
#include "core/sweep/merge.h"
#include "core/sweep/notes.h"
#include "tests/support/designs.h"
#include "tests/support/sweeps.h"

#include <QTemporaryDir>

using namespace railyard;
using test::json;

class tst_notes : public QObject {
    Q_OBJECT

private slots:
    void whatIsReplacedIsSaid() {
        const auto notes = [](const char* base, const Json& settings, const Json& axes) {
            const Json spec{{"base", base}, {"settings", settings}, {"axes", axes}, {"evaluate", {"counts"}}};
            return notesOf(*readSweepSpec(spec.dump(), "s.json")).size();
        };
        const Json none = Json::object(), recipes{{"recipe", {"rail-only"}}}, sizes{{"gpus", {512}}};
        QCOMPARE(notes("superpod-b300", none, recipes), std::size_t{1});
        QCOMPARE(notes("rail-only", none, recipes), std::size_t{0});
        QCOMPARE(notes("rail-only", {{"gpus", 256}}, sizes), std::size_t{1});
        QCOMPARE(notes("rail-only", {{"radix", 64}}, sizes), std::size_t{0});
        QCOMPARE(notes("rail-only", {{"radix", "abc"}}, sizes), std::size_t{1}); // of which no design can be built
        QCOMPARE(notes("rail-only", {{"recipe", "nosuch"}}, sizes), std::size_t{1});
        QCOMPARE(notes("rail-only", none, {{"servers", {0, 16}}}), std::size_t{0}); // of which one can
    }
    void axesThatAreNotReadAreNoted() {
        const auto notes = [](const std::string& axes, const std::string& evaluate) {
            const auto spec =
                readSweepSpec(json("{'base': 'rail-only', 'axes': {" + axes + "}, 'evaluate': ['" + evaluate + "']}"), "spec.json");
            return spec ? notesOnResults(*spec).size() : std::size_t{99};
        };
        const std::string tp = "'training.tp': [1, 2]", policy = "'reliability.policy': ['strict', 'tolerant']";
        QCOMPARE(notes(tp, "train --model llama3-8b"), std::size_t{1}); // the options of another model are as usual
        QCOMPARE(notes(tp, "search --tp 8"), std::size_t{1});
        QCOMPARE(notes(tp, "train --pp 2"), std::size_t{0});
        QCOMPARE(notes(tp, "train"), std::size_t{0});
        QCOMPARE(notes(policy, "reliability --policy strict"), std::size_t{1});
        QCOMPARE(notes(policy, "reliability --horizon 30d"), std::size_t{0});
        QCOMPARE(notes(policy, "train --model llama3-8b"), std::size_t{1}); // nothing depends on it
        QCOMPARE(notes(policy, "failure"), std::size_t{0});
        QCOMPARE(notes("'reliability.horizon': ['24h', '48h']", "failure"), std::size_t{1}); // always a month
        QCOMPARE(notes(tp, "counts.gpus"), std::size_t{1});
        QCOMPARE(notes(tp, "metrics"), std::size_t{0});
        QCOMPARE(notes(tp, "search"), std::size_t{1}); // which chooses it
        QCOMPARE(notes("'training.global_batch': [256, 512]", "search"), std::size_t{0});
    }
    // What makes no difference is said, and what is said makes none.
    void whatIsNotedMakesNoDifference() {
        for (const std::string evaluate : {"search --model llama3-8b", "failure", "counts", "reliability", "train --pp 2", "collectives"}) {
            for (const std::string axis : {"'training.tp': [2, 8]", "'training.pp': [1, 2]", "'reliability.horizon': ['24h', '720h']"}) {
                const auto spec =
                    readSweepSpec(json("{'base': 'rail-only', 'axes': {" + axis + "}, 'evaluate': ['" + evaluate + "']}"), "spec.json");
                QVERIFY(spec);
                const bool isNoted = !notesOnResults(*spec).empty();
                const Json first = computePoint(*spec, 0).values, second = computePoint(*spec, 1).values;
                QVERIFY2(!isNoted || first == second, (axis + " " + evaluate).c_str());
                if (!isNoted && evaluate != "reliability") // which reads the GPUs of the job
                    QVERIFY2(first != second, (axis + " " + evaluate).c_str());
            }
        }
    }
    // Edits by hand of elements that a point does not have.
    void editsThatAPointDoesNotHave() {
        const auto base = build({"rail-optimized", {{"servers", "128"}}}, "base", shippedCatalog());
        QVERIFY(base);
        const auto edit = removeElements(*base, std::vector<std::string>{"su[4]/leaf[3]"});
        QVERIFY2(edit, edit ? "" : edit.error().text.c_str());
        QTemporaryDir folder;
        const std::string file = folder.filePath("base.railyard").toStdString();
        QVERIFY(writeFile(file, designText(*edit->design)));
        const auto spec = readSweepSpec(json("{'base': 'base.railyard', 'axes': {'servers': [32, 128]}, 'evaluate': ['counts.switches']}"),
                                        folder.filePath("s.json").toStdString());
        QVERIFY2(spec, spec ? "" : toText(spec.error()).c_str());
        QVERIFY(computePoint(*spec, 0).note.find("1 edit of the base does not apply") != std::string::npos);
        QCOMPARE(computePoint(*spec, 1).note, std::string());
    }
};

QTEST_APPLESS_MAIN(tst_notes)
#include "tst_notes.moc"
