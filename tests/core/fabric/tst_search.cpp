#include "core/base/thread_cpu.h"
#include "core/fabric/path_finder.h"
#include "core/fabric/search.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_search : public QObject {
    Q_OBJECT

private slots:
    void findsWhatPeopleType_data() {
        QTest::addColumn<std::string>("typed");
        QTest::addColumn<std::string>("first");
        QTest::newRow("a path") << std::string("su[2]/leaf[4]") << std::string("su[2]/leaf[4]");
        QTest::newRow("words") << std::string("su 2 leaf 4") << std::string("su[2]/leaf[4]");
        QTest::newRow("capitals") << std::string("SU2 Leaf4") << std::string("su[2]/leaf[4]");
        QTest::newRow("one word") << std::string("spine12") << std::string("spine[12]");
        QTest::newRow("a whole number before a longer one") << std::string("leaf 1") << std::string("su[1]/leaf[1]");
        QTest::newRow("a port") << std::string("su[2]/leaf[4]:17") << std::string("su[2]/leaf[4]:17");
        QTest::newRow("a GPU") << std::string("su 3 srv 5 gpu 8") << std::string("su[3]/srv[5]/gpu[8]");
        QTest::newRow("a server") << std::string("su3 srv5") << std::string("su[3]/srv[5]");
        QTest::newRow("a label") << std::string("the odd one") << std::string("su[1]/leaf[3]");
    }
    void findsWhatPeopleType() {
        QFETCH(std::string, typed);
        QFETCH(std::string, first);
        Design design = *test::designOf("superpod-h100");
        design.overrides["su[1]/leaf[3]"].label = "The odd one";
        const auto found = searchElements(*elaborate(std::make_shared<const Design>(std::move(design))), typed);
        QVERIFY2(!found.empty(), typed.c_str());
        QCOMPARE(found.front(), first);
    }
    void nothingForNonsense() {
        const FabricPointer fabric = test::fabricOf("superpod-h100");
        for (const char* typed : {"", " ", "[]", ":::", "zebra", "leaf 9999999999999999999999", "su[1]/leaf[1]:999", "\xff\xfe"})
            QVERIFY2(searchElements(*fabric, typed).empty(), typed);
    }
    void neverMoreThanAskedAndAllAreThere() {
        const FabricPointer fabric = test::fabricOf("superpod-h100");
        const auto found = searchElements(*fabric, "leaf", 10);
        QCOMPARE(found.size(), std::size_t{10});
        const PathFinder finder(*fabric);
        for (const std::string& path : found) QVERIFY2(finder.device(path) || finder.scope(path), path.c_str());
    }
    void aPortOf65536GpusInATenthOfASecond() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8192"}});
        const double start = threadCpuMilliseconds();
        const auto found = searchElements(*fabric, "su 250 leaf 7:31");
        const double took = threadCpuMilliseconds() - start;
        QCOMPARE(found.front(), std::string("su[250]/leaf[7]:31"));
        QVERIFY2(took < 100 * machineSlowness(), std::to_string(took).c_str());
    }
};

QTEST_APPLESS_MAIN(tst_search)
#include "tst_search.moc"
