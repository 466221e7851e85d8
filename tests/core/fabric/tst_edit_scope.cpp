#include "core/design/edits/edit.h"
#include "core/fabric/edit_scope.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_edit_scope : public QObject {
    Q_OBJECT

private slots:
    void takesInWhatItSays() {
        const FabricPointer fabric = test::fabricOf("superpod-h100"); // 4 SU, 8 rails, 16 spines
        const auto count = [&](const char* path, EditScope scope) { return inScope(*fabric, {path}, scope).size(); };
        QCOMPARE(count("su[2]/leaf[4]", EditScope::This), std::size_t{1});
        QCOMPARE(count("su[2]/leaf[4]", EditScope::Position), std::size_t{4});
        QCOMPARE(count("su[2]/leaf[4]", EditScope::All), std::size_t{32});
        QCOMPARE(count("spine[3]", EditScope::Position), std::size_t{1});
        QCOMPARE(count("spine[3]", EditScope::All), std::size_t{16});
        QCOMPARE(count("su[1]/srv[5]", EditScope::Position), std::size_t{4});
        QCOMPARE(count("su[1]/srv[5]", EditScope::All), std::size_t{128});
        QCOMPARE(inScope(*fabric, {"su[1]/leaf[4]", "su[3]/leaf[4]"}, EditScope::Position).size(), std::size_t{4}); // each once
        QCOMPARE(inScope(*fabric, {"no such"}, EditScope::All).front(), std::string("no such"));
    }
    // Three tiers: 128 servers a pod are four SUs.
    void aPodIsAScope() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "512"}});
        QCOMPARE(countsOf(*fabric).tiers, 3);
        const auto pods = [&](const char* path, EditScope scope) { return inScope(*fabric, {path}, scope); };
        QCOMPARE(pods("su[6]/leaf[4]", EditScope::PositionInPod),
                 (std::vector<std::string>{"su[5]/leaf[4]", "su[6]/leaf[4]", "su[7]/leaf[4]", "su[8]/leaf[4]"}));
        QCOMPARE(pods("su[6]/srv[2]", EditScope::PositionInPod).size(), std::size_t{4});
        QCOMPARE(pods("su[6]/leaf[4]", EditScope::Position).size(), std::size_t{16});
        QCOMPARE(inScope(*test::fabricOf("superpod-h100"), {"su[1]/leaf[4]"}, EditScope::PositionInPod).size(), std::size_t{4}); // no pods
    }
    void handDrawnStandsForItself() {
        const auto edit = dropItem(*test::designOf("superpod-h100"), PaletteItem::Leaf, {10, 10});
        const FabricPointer fabric = elaborate(edit->design);
        QCOMPARE(inScope(*fabric, {"leaf-extra[1]"}, EditScope::All).size(), std::size_t{1});
        QCOMPARE(inScope(*fabric, {"su[1]/leaf[1]"}, EditScope::All).size(), std::size_t{32});
    }
    void aChangeIsGivenToAll() {
        const DesignPointer design = test::designOf("superpod-h100");
        const auto one = setPart(*design, {"su[1]/leaf[2]"}, "sw-sn5600");
        const auto all = copyChange(*one->design, "su[1]/leaf[2]", inScope(*elaborate(design), {"su[1]/leaf[2]"}, EditScope::Position));
        QVERIFY(all);
        for (int su = 1; su <= 4; ++su)
            QCOMPARE(all->design->overrides.at("su[" + std::to_string(su) + "]/leaf[2]").part, std::string("sw-sn5600"));
        QVERIFY(!copyChange(*design, "su[1]/leaf[2]", {"su[2]/leaf[2]"})); // nothing to give
    }
};

QTEST_APPLESS_MAIN(tst_edit_scope)
#include "tst_edit_scope.moc"
