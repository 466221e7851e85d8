#include "core/fabric/path_finder.h"
#include "core/fabric/similar_path.h"
#include "core/failure/removal.h"
#include "tests/support/designs.h"

#include <QTest>

using namespace railyard;

class tst_similar_path : public QObject {
    Q_OBJECT

private slots:
    void namesThatAreNearlyRight() {
        const auto fabric = test::fabricOf("superpod-h100");
        for (const auto& [said, meant] : {std::pair("su[9]/leaf[3]", "su[4]/leaf[3]"),
                                          {"su[1]/leef[3]", "su[1]/leaf[3]"},
                                          {"leaf[2]", "su[1]/leaf[2]"},
                                          {"spine[99]:3", "spine[16]"},
                                          {"su[2]/srv[40]/gpu[1]", "su[2]/srv[32]/gpu[1]"},
                                          {"su[*]/leeaf[*]", "su[1]/leaf[1]"},
                                          {"su[2-9]/leave[1]", "su[2]/leaf[1]"},
                                          {"pod[1]/spine[2]", "spine[2]"}})
            QCOMPARE(similarPath(*fabric, said), std::string(meant));
        for (const char* other : {"", "foo", "**", "rack-of-something[1]"}) QCOMPARE(similarPath(*fabric, other), std::string());
        QCOMPARE(similarWord("sw-qm970", {"sw-sn5600", "sw-qm9700"}), std::string("sw-qm9700"));
        QCOMPARE(similarWord("leaf", {"gpu"}), std::string());
    }
    // Whatever the text is, an answer is an element of the fabric, and that of a path with one wrong letter is of its kind.
    void answersAreElements() {
        for (const char* recipe : {"superpod-b300", "aipod", "rail-only-gh200"}) {
            const auto fabric = test::fabricOf(recipe, {{"servers", "64"}});
            const PathFinder finder(*fabric);
            test::Random random{3};
            for (int i = 0; i < 60; ++i) {
                const DeviceId device(static_cast<std::uint32_t>(random.below(static_cast<int>(fabric->devices.size()))));
                std::string text = fabric->devicePath(device);
                const std::size_t last = text.rfind('/') == std::string::npos ? 0 : text.rfind('/') + 1;
                text[last + static_cast<std::size_t>(random.below(2))] = 'x';
                const std::string found = similarPath(*fabric, text);
                const auto there = finder.device(found);
                QVERIFY2(there, (text + " -> " + found).c_str());
                QCOMPARE(fabric->slugs[fabric->devices.slug[*there]], fabric->slugs[fabric->devices.slug[device]]);
            }
        }
    }
    void selectorsSayWhatThereIs() {
        const auto fabric = test::fabricOf("superpod-h100");
        for (const auto& [selector, says] : {std::pair("su[9]/leaf[1]", "the nearest path is su[4]/leaf[1]"),
                                             {"tier=leef", "its tiers are leaf, spine"},
                                             {"rail=9", "its rails are 1 to 8"},
                                             {"part=sw-qm970", "the nearest part is sw-qm9700"},
                                             {"part=srv-dgx-h10", "the nearest part is srv-dgx-h100"}}) {
            const auto removal = select(*fabric, selector);
            QVERIFY(!removal);
            QVERIFY2(removal.error().text.find(says) != std::string::npos, removal.error().text.c_str());
            QCOMPARE(removal.error().code, std::string("selector.match"));
        }
    }
};

QTEST_APPLESS_MAIN(tst_similar_path)
#include "tst_similar_path.moc"
