#include "core/base/file.h"
#include "core/sweep/spec.h"
#include "tests/support/designs.h"
#include "tests/support/sweeps.h"

#include <QTemporaryDir>

using namespace railyard;
using test::errorsOf;
using test::json;

class tst_spec : public QObject {
    Q_OBJECT

private slots:
    void positionsAreThoseOfTheWrongItem() {
        const std::string errors = errorsOf(json("{'base': 'rail-optimized',\n'axes': {'servers': [\n16,\nnull,\n16]},\n'evaluate': [\n"
                                                 "'counts.gpus',\n'counts.gpsu',\n'train --tpp 4']}"));
        for (const char* said : {"spec.json:4:", "spec.json:5:", "spec.json:8:", "spec.json:9:"})
            QVERIFY2(errors.find(said) != std::string::npos, errors.c_str());
    }
    // The position of what is wrong with a base is in the base.
    void basesThatCannotBeRead() {
        QTemporaryDir folder;
        QVERIFY(writeFile(folder.filePath("broken.railyard").toStdString(), "{\n hello"));
        const auto spec = readSweepSpec(json("{'base': 'broken.railyard', 'axes': {'servers': [16]}, 'evaluate': ['counts']}"),
                                        folder.filePath("s.json").toStdString());
        QVERIFY(!spec);
        QVERIFY2(toText(spec.error()).find("broken.railyard:2:2") != std::string::npos, toText(spec.error()).c_str());
        QVERIFY(
            errorsOf(json("{'base': 'rail-optimised', 'axes': {'gpsu': [16]}, 'evaluate': ['counts']}")).find("similar: rail-optimized") !=
            std::string::npos);
    }
    void sizesOfSettingsAndAxes() {
        const auto errors = [](const char* axis, const char* setting) {
            return errorsOf(json(std::string("{'base': 'rail-optimized', 'axes': {'") + axis + "': [128, 256]}, 'settings': {'" + setting +
                                 "': 16}, 'evaluate': ['counts']}"));
        };
        for (const auto& [axis, setting] : {std::pair("gpus", "servers"), {"servers", "gpus"}}) {
            const std::string said = errors(axis, setting);
            QVERIFY2(said.find("sets the size too") != std::string::npos, said.c_str());
        }
        QCOMPARE(errors("gpus", "gpus"), std::string());
        QVERIFY(errorsOf(json("{'base': 'rail-only', 'axes': {'radx': [16]}, 'evaluate': ['counts']}")).find("similar: radix") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(tst_spec)
#include "tst_spec.moc"
