#include "core/analysis/edit_text.h"
#include "core/design/model/element_names.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/path_finder.h"
#include "core/failure/removal.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"

#include <fmt/format.h>

using namespace railyard;

static DesignPointer edited(const DesignPointer& design, const std::string& command) {
    const auto edit = applyEdit(design, command);
    return edit ? edit->design : nullptr;
}

class tst_edit_text : public QObject {
    Q_OBJECT

private slots:
    // One template labels every leaf by its SU and its place in it.
    void templatesLabelEveryMatch() {
        const DesignPointer start = test::designOf("superpod-h100", {{"servers", "64"}});
        const auto edit = applyEdit(start, "set tier=leaf.label=DC1-{su}-L{position}");
        QVERIFY(edit && edit->warnings.empty());
        QCOMPARE(edit->design->overrides.size(), std::size_t{16});
        const ElementNames names(*edit->design);
        for (int su = 1; su <= 2; ++su)
            for (int leaf = 1; leaf <= 8; ++leaf)
                QCOMPARE(names.nameOf(fmt::format("su[{}]/leaf[{}]", su, leaf)), fmt::format("DC1-{}-L{}", su, leaf));
        QCOMPARE(names.nameOf("spine[1]"), std::string("spine[1]"));
        // A server keeps its devices by their own names.
        const DesignPointer servers = edited(start, "set su[*]/srv[*].label=dgx-{su}-{position}");
        QVERIFY(servers);
        QCOMPARE(servers->overrides.size(), std::size_t{64});
        QCOMPARE(ElementNames(*servers).nameOf("su[2]/srv[5]/nic[3]"), std::string("dgx-2-5/nic[3]"));
        QCOMPARE(edited(start, "set part=srv-dgx-h100.label=s{su}.{position}")->overrides.size(), std::size_t{64});
        // The label may hold what looks like another property, and the selector a range.
        QCOMPARE(ElementNames(*edited(start, "set su[1]/leaf[2].label=x.u=3")).nameOf("su[1]/leaf[2]"), std::string("x.u=3"));
        QCOMPARE(edited(start, "set su[1]/leaf[2-4].label=L{position}")->overrides.size(), std::size_t{3});
    }
    void templatesThatSayTooLittleWarn() {
        const DesignPointer start = test::designOf("superpod-h100", {{"servers", "64"}});
        const auto edit = applyEdit(start, "set tier=leaf.label=L{position}");
        QVERIFY(edit && edit->warnings.size() == 1);
        QVERIFY2(edit->warnings[0].find("only 8 of 16 labels differ") != std::string::npos, edit->warnings[0].c_str());
        for (const auto& [command, why] :
             {std::pair("set tier=leaf.label={rack}-{u}", "no racks are placed"),
              std::pair("set tier=spine.label={su}", "no scalable unit"), std::pair("set tier=leaf.label={pod}", "no pod"),
              std::pair("set tier=leaf.label={colour}", "unknown field {colour}"), std::pair("set tier=core.label=x", "matches nothing"),
              std::pair("set su[9]/leaf[1].label=x", "no element \"su[9]/leaf[1]\"")}) {
            const auto refused = applyEdit(start, command);
            QVERIFY2(!refused && refused.error().text.find(why) != std::string::npos, command);
        }
    }
    void racksAndPodsInTemplates() {
        const DesignPointer racked = test::designOf("superpod-h100", {{"servers", "64"}, {"racks", "auto"}});
        const auto edit = applyEdit(racked, "set tier=leaf.label={rack}-U{u}");
        QVERIFY(edit && edit->warnings.empty()); // no two devices share a place
        const DesignPointer tall = test::designOf("superpod-h100", {{"servers", "1024"}});
        const auto pods = applyEdit(tall, "set tier=leaf.label=P{pod}-{su}-{rail}");
        QVERIFY2(pods && pods->warnings.empty(), pods ? "" : pods.error().text.c_str());
    }
    // The cable goes and its ports are free; reset brings it back, and the document keeps it.
    void oneCableOfARecipe() {
        const DesignPointer start = test::designOf("superpod-h100", {{"servers", "64"}});
        const auto linksOf = [](const DesignPointer& design) { return countsOf(*elaborate(design)).links; };
        const DesignPointer without = edited(start, "disconnect su[1]/leaf[1]:3");
        QVERIFY(without);
        QCOMPARE(linksOf(without), linksOf(start) - 1);
        QVERIFY(elaborate(without)->diagnostics.empty());
        const auto again = readDesign(designText(*without), "cut");
        QVERIFY(again);
        QCOMPARE(linksOf(*again), linksOf(without));
        QVERIFY(!applyEdit(without, "disconnect su[1]/leaf[1]:3")); // has no cable
        QVERIFY(!applyEdit(start, "disconnect su[1]/leaf[1]:999") && !applyEdit(start, "disconnect su[9]/leaf[1]:1"));
        QCOMPARE(without->overrides.size(), std::size_t{1});
        QCOMPARE(linksOf(edited(without, "reset " + without->overrides.begin()->first)), linksOf(start));
        // A cable drawn by hand to the free ports stays, and goes by the same command.
        const std::string nic = without->overrides.begin()->first;
        const DesignPointer drawn = edited(without, "connect " + nic + " su[1]/leaf[1]:3");
        QVERIFY(drawn);
        QCOMPARE(linksOf(drawn), linksOf(start));
        const DesignPointer erased = edited(drawn, "disconnect su[1]/leaf[1]:3");
        QVERIFY(erased && erased->free->links.empty());
        QCOMPARE(linksOf(erased), linksOf(start) - 1);
        // By its two ends: every cable between a leaf and a spine, one after another.
        DesignPointer between = start;
        int taken = 0;
        for (auto next = applyEdit(between, "disconnect su[1]/leaf[1] spine[1]"); next;
             next = applyEdit(between, "disconnect su[1]/leaf[1] spine[1]"), ++taken)
            between = next->design;
        QVERIFY(taken > 0);
        QCOMPARE(linksOf(between), linksOf(start) - taken);
        // A smaller design has no such port: the override waits and says so.
        const DesignPointer gone = edited(edited(start, "disconnect su[2]/leaf[1]:3"), "recipe servers=32");
        QVERIFY(gone);
        const auto notes = elaborate(gone)->diagnostics;
        QVERIFY(notes.size() == 1 && notes[0].code == "RY-D014");
    }
    // A twin cable carries two links: both go with it.
    void aTwinCableGoesWhole() {
        const DesignPointer start = test::designOf("superpod-b300", {{"servers", "64"}});
        const DesignPointer without = edited(start, "disconnect su[1]/srv[1]/nic[1]:1");
        QVERIFY(without);
        QCOMPARE(countsOf(*elaborate(without)).links, countsOf(*elaborate(start)).links - 2);
    }
    // Elements by selector: brute force over all paths.
    void elementsOfSelectors() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        std::size_t leaves = 0;
        for (const DeviceId d : fabric->devices.ids()) leaves += fabric->devicePath(d).find("/leaf[") != std::string::npos ? 1 : 0;
        QCOMPARE(elementsAt(*fabric, "tier=leaf")->size(), leaves);
        QCOMPARE(elementsAt(*fabric, "**/leaf[*]")->size(), leaves);
        QCOMPARE(*elementsAt(*fabric, "su[2]"), (std::vector<std::string>{"su[2]"}));
        QVERIFY(!elementsAt(*fabric, "su[1]/leaf[1]:3") && !elementsAt(*fabric, "no[1]"));
    }
};

QTEST_GUILESS_MAIN(tst_edit_text)
#include "tst_edit_text.moc"
