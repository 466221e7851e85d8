// Groups and taken-apart blocks: the same fabric under other names.
#include "core/analysis/metrics/metrics.h"
#include "core/bisection/bisection.h"
#include "core/design/model/own_blocks.h"
#include "core/fabric/connect.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/group.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"

#include <set>

using namespace railyard;

class tst_group : public QObject {
    Q_OBJECT

    static DesignPointer edited(const Result<Edit>& edit) {
        if (!edit) qFatal("%s", edit.error().text.c_str());
        return edit->design;
    }
    // What no name enters: counts, links by tier and speed, degrees of switches, rails.
    static void isSame(const DesignPointer& before, const DesignPointer& after) {
        const FabricPointer a = elaborate(before), b = elaborate(after);
        const FabricCounts x = countsOf(*a), y = countsOf(*b);
        QCOMPARE(y.gpus, x.gpus);
        QCOMPARE(y.servers, x.servers);
        QCOMPARE(y.hbDomains, x.hbDomains);
        QVERIFY(y.switchesByTier == x.switchesByTier);
        QVERIFY(y.linksByTier == x.linksByTier);
        QCOMPARE(y.rails, x.rails);
        QCOMPARE(y.planes, x.planes);
        QCOMPARE(y.tiers, x.tiers);
        QCOMPARE(y.switchPortsUsed, x.switchPortsUsed);
        QVERIFY(railsOf(*b) == railsOf(*a));
        for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
            const Bisection was = bisection(*a, key), is = bisection(*b, key);
            QCOMPARE(is.lowerGbps, was.lowerGbps);
            QCOMPARE(is.upperGbps, was.upperGbps);
        }
        QVERIFY(instantMetrics(*b).bill.total == instantMetrics(*a).bill.total);
    }
    static std::multiset<std::pair<int, std::uint32_t>> railsOf(const Fabric& fabric) {
        std::multiset<std::pair<int, std::uint32_t>> rails;
        for (const DeviceId d : fabric.devices.ids()) rails.emplace(static_cast<int>(fabric.devices.kind[d]), fabric.devices.rail[d]);
        return rails;
    }

private slots:
    void dissolvedBlocksKeepTheFabric_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<test::Parameters>("parameters");
        QTest::addColumn<QString>("path");
        QTest::newRow("an SU") << "superpod-h100" << test::Parameters{{"servers", "64"}} << "su[2]";
        QTest::newRow("a partial SU") << "superpod-h100" << test::Parameters{{"servers", "50"}} << "su[2]";
        QTest::newRow("two planes") << "superpod-b300" << test::Parameters{{"servers", "128"}} << "su[1]";
        QTest::newRow("fat tree") << "fat-tree" << test::Parameters{{"servers", "40"}, {"radix", "32"}} << "su[3]";
        QTest::newRow("a pod") << "superpod-h100" << test::Parameters{{"servers", "320"}, {"tiers", "3"}} << "pod[2]";
        QTest::newRow("HB domains of two servers")
            << "fat-tree" << test::Parameters{{"servers", "16"}, {"hb_domain_gpus", "16"}, {"su_servers", "8"}} << "su[1]";
        QTest::newRow("four rails in a fat tree")
            << "fat-tree" << test::Parameters{{"servers", "40"}, {"radix", "32"}, {"rails", "4"}} << "su[1]";
        QTest::newRow("rails counted through HB domains")
            << "rail-only" << test::Parameters{{"servers", "40"}, {"hb_domain_gpus", "16"}, {"su_servers", "8"}} << "su[1]";
        QTest::newRow("planes of single ports") << "rail-optimized" << test::Parameters{{"servers", "64"}, {"planes", "2"}} << "su[1]";
        QTest::newRow("a plane of pods")
            << "fat-tree" << test::Parameters{{"servers", "16"}, {"planes", "2"}, {"tiers", "3"}, {"oversubscription", "2:1"}}
            << "plane[1]";
        QTest::newRow("a rail of pods") << "aipod" << test::Parameters{{"servers", "64"}} << "rail[1]";
        QTest::newRow("three tiers, an SU in a pod")
            << "rail-optimized" << test::Parameters{{"servers", "64"}, {"radix", "16"}, {"tiers", "3"}} << "SU";
    }
    void dissolvedBlocksKeepTheFabric() {
        QFETCH(QString, recipe);
        QFETCH(test::Parameters, parameters);
        QFETCH(QString, path);
        const DesignPointer before = test::designOf(recipe.toStdString(), parameters);
        const FabricPointer fabric = elaborate(before);
        std::string element = path.toStdString();
        if (element == "SU")
            for (std::size_t s = 0; s < fabric->scopes.size(); ++s)
                if (fabric->scopes[s].role == Instance::Role::ScalableUnit) element = fabric->scopePath(ScopeId(s));
        const DesignPointer after = edited(dissolve(*fabric, element, Point{0, 0}));
        isSame(before, after);
        const FabricPointer apart = elaborate(after);
        for (const Diagnostic& diagnostic : apart->diagnostics) QVERIFY2(false, diagnostic.text.c_str());
        const auto read = readDesign(designText(*after), "copy"); // and what is written is what is read
        QVERIFY(read);
        QCOMPARE(designText(**read), designText(*after));
    }

    // Dissolve, group, dissolve: nothing is lost on the way, and cables to the outside stay.
    void groupedAndTakenApart() {
        const DesignPointer before = test::designOf("superpod-h100", {{"servers", "64"}});
        const DesignPointer apart = edited(dissolve(*elaborate(before), "su[2]", Point{500, 400}));
        std::vector<std::string> all;
        for (const DeviceRow& row : apart->free->devices) all.push_back(row.slug + "[" + std::to_string(row.first) + "]");
        for (const Instance& row : apart->free->instances) all.push_back(row.slug + "[" + std::to_string(row.first) + "]");
        QCOMPARE(all.size(), std::size_t{8 + 32});
        const DesignPointer group = edited(groupElements(*apart, all));
        QCOMPARE(group->free->instances.size(), std::size_t{1});
        QVERIFY(group->free->devices.empty());
        QCOMPARE(group->blocks.at("group-1")->links.size(), std::size_t{256}); // from servers to leaves: inside
        QCOMPARE(group->free->links.size(), std::size_t{256});                 // from leaves to spines
        isSame(before, group);
        isSame(before, edited(dissolve(*elaborate(group), "group[1]", Point{0, 0})));
        // Once more from the palette: its servers and the cables inside, none to the spines.
        const DesignPointer twice = edited(dropNamed(*group, templatesOf(*group).front().name, {900, 400}));
        QCOMPARE(countsOf(*elaborate(twice)).servers, std::int64_t{96});
        QCOMPARE(countsOf(*elaborate(twice)).links, countsOf(*elaborate(before)).links + 256);
        // The recipe run again leaves both where they are.
        const DesignPointer grown = edited(setServers(*twice, 96));
        QCOMPARE(countsOf(*elaborate(grown)).servers, std::int64_t{96 - 32 + 64}); // su[2] stays taken away
    }

    // One of two alike is changed; the other is not.
    void oneGroupIsMadeUnique() {
        const DesignPointer before = test::designOf("superpod-h100", {{"servers", "64"}});
        const DesignPointer apart = edited(dissolve(*elaborate(before), "su[2]", {}));
        const DesignPointer group = edited(groupElements(*apart, {"leaf-extra[1]", "leaf-extra[2]", "srv-extra[1]"}));
        const DesignPointer two = edited(dropNamed(*group, "group-1", {}));
        const DesignPointer changed = edited(changeBlocks(*two, {"group[2]"}, {"srv", 0}));
        QCOMPARE(countsOf(*elaborate(two)).servers, std::int64_t{65});
        QCOMPARE(countsOf(*elaborate(changed)).servers, std::int64_t{64});
        QCOMPARE(blockNameAt(*changed, "group[1]"), std::string("group-1"));
        QVERIFY(blockNameAt(*changed, "group[2]") != "group-1");
    }

    // An SU of every published system, on an empty drawing and beside a fabric: alike inside.
    void unitsOfPublishedSystems() {
        const DesignPointer empty = emptyDesign(shippedCatalog()), other = test::designOf("superpod-h100", {{"servers", "32"}});
        const FabricCounts before = countsOf(*elaborate(other));
        for (const Template& unit : templatesOf(*empty)) {
            const DesignPointer alone = edited(dropNamed(*empty, unit.name, {}));
            const DesignPointer beside = edited(dropNamed(*edited(dropNamed(*other, unit.name, {})), unit.name, {}));
            const FabricCounts one = countsOf(*elaborate(alone)), two = countsOf(*elaborate(beside));
            QVERIFY2(alone->recipe.has_value(), unit.name.c_str());
            QCOMPARE(two.gpus - before.gpus, 2 * one.gpus);
            QCOMPARE(two.servers - before.servers, 2 * one.servers);
            QCOMPARE(two.switchesByTier[1] - before.switchesByTier[1], 2 * one.switchesByTier[1]);
            QCOMPARE(two.linksByTier[0] - before.linksByTier[0], 2 * one.linksByTier[0]); // from servers to leaves
            QVERIFY(readDesign(designText(*beside), "copy"));
            QVERIFY(edited(setServers(*beside, 64))); // and the recipe can still be run again
        }
        QCOMPARE(templatesOf(*empty).size(), std::size_t{11});
    }

    void changesFollowTheirElements() {
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        design = edited(labelElements(*design, {{"su[2]/leaf[3]", "the third"}, {"su[2]/srv[4]", "login"}}));
        design = edited(removeElements(*design, {"su[2]/srv[9]"}));
        const DesignPointer apart = edited(dissolve(*elaborate(design), "su[2]", {}));
        isSame(design, apart);
        QCOMPARE(apart->overrides.at("leaf-extra[3]").label, std::string("the third"));
        QCOMPARE(apart->overrides.at("srv-extra[4]").label, std::string("login"));
        const DesignPointer group = edited(groupElements(*apart, {"leaf-extra[3]", "leaf-extra[4]"}));
        QCOMPARE(group->overrides.at("group[1]/leaf[1]").label, std::string("the third"));
    }

    // What is drawn by hand can be opened though only its groups are left.
    void groupsWithoutADrawing() {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (int i = 0; i < 2; ++i) design = edited(dropItem(*design, PaletteItem::Leaf, {}));
        design = edited(groupElements(*design, {"leaf[1]", "leaf[2]"}));
        const DesignPointer apart = edited(dissolve(*elaborate(design), "group[1]", {}));
        const DesignPointer none = edited(removeElements(*design, {"group[1]"}));
        for (const DesignPointer& each : {design, apart, none}) {
            const auto read = readDesign(designText(*each), "copy");
            QVERIFY2(read, read ? "" : read.error().text.c_str());
        }
        const DesignPointer started = edited(dropNamed(*none, "su:superpod-h100", {}));
        QCOMPARE(templatesOf(*started).front().name, std::string("group-1")); // it stays, to be drawn again
    }

    void whatWasTakenAwayStaysAway() {
        const DesignPointer whole = test::designOf("superpod-h100", {{"servers", "64"}});
        const DesignPointer less = edited(removeElements(*whole, {"su[2]"}));
        QVERIFY(!dissolve(*elaborate(less), "su[2]", {}));
        const DesignPointer apart = edited(dissolve(*elaborate(whole), "su[2]", {}));
        QVERIFY(!dissolve(*elaborate(apart), "su[2]", {}));
    }

    // Blocks of their own inside, directly and deeper: the rest keeps its cables.
    void ownBlocksInside() {
        DesignPointer pods = test::designOf("aipod", {{"servers", "64"}});
        pods = edited(changeBlocks(*pods, {"rail[3]/pod[1]"}, {"spine", 3}));
        isSame(pods, edited(dissolve(*elaborate(pods), "rail[3]", {})));
        DesignPointer planes = test::designOf("rail-only", {{"servers", "40"}, {"tiers", "3"}, {"planes", "2"}, {"nic_ports", "2"}});
        planes = edited(changeBlocks(*planes, {"plane[1]/rail[2]/pod[1]"}, {"spine", 1}));
        isSame(planes, edited(dissolve(*elaborate(planes), "plane[1]", {})));
        DesignPointer domains = test::designOf("rail-optimized", {{"servers", "64"}, {"hb_domain_gpus", "16"}});
        domains = edited(changeBlocks(*domains, {"su[1]/hb[1]/srv[2]"}, {"nic", 4}));
        isSame(domains, edited(dissolve(*elaborate(domains), "su[1]", {})));
    }

    // A number that is used again brings nothing of the one that had it before.
    void numbersUsedAgain() {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (int i = 0; i < 4; ++i) design = edited(dropItem(*design, PaletteItem::Leaf, {}));
        design = edited(groupElements(*design, {"leaf[1]", "leaf[2]"}));
        design = edited(removeElements(*design, {"group[1]/leaf[2]"}));
        for (const bool deleted : {false, true}) {
            DesignPointer next =
                deleted ? edited(removeElements(*design, {"group[1]"})) : edited(dissolve(*elaborate(design), "group[1]", {}));
            const auto before = countsOf(*elaborate(next)).switches;
            next = edited(groupElements(*next, {"leaf[3]", "leaf[4]"}));
            QCOMPARE(countsOf(*elaborate(next)).switches, before);
        }
    }

    // Neither the copy of an SU nor what was taken apart follows the recipe.
    void copiesStayAsTheyWere() {
        const DesignPointer before = test::designOf("superpod-h100", {{"servers", "64"}});
        const auto nicsOf = [](const DesignPointer& design) { return countsOf(*elaborate(design)).nics; };
        const DesignPointer copied = edited(copyBlock(*before, "su[1]", {}));
        QCOMPARE(nicsOf(copied), std::int64_t{96 * 8});
        QCOMPARE(nicsOf(edited(setParameters(*copied, {{"nics_per_server", "4"}}))), std::int64_t{64 * 4 + 32 * 8});
        const DesignPointer domains = test::designOf("rail-optimized", {{"servers", "64"}, {"hb_domain_gpus", "16"}});
        const DesignPointer apart = edited(dissolve(*elaborate(domains), "su[1]", {}));
        const DesignPointer after = edited(setParameters(*apart, {{"nics_per_server", "4"}}));
        QCOMPARE(nicsOf(after), nicsOf(apart) / 2 + nicsOf(apart) / 2 / 2);
    }

    // One NIC missing in one server: the others keep their rails.
    void railsWhereANicIsGone() {
        DesignPointer design = test::designOf("fat-tree", {{"servers", "40"}, {"radix", "32"}});
        design = edited(removeElements(*design, {"su[1]/srv[1]/nic[2]"}));
        isSame(design, edited(dissolve(*elaborate(design), "su[1]", {})));
    }

    void pathsAsTheyAreTyped() {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (int i = 0; i < 2; ++i) design = edited(dropItem(*design, PaletteItem::Leaf, {}));
        design = edited(dropItem(*design, PaletteItem::Spine, {}));
        design = edited(railyard::connect(*elaborate(design), "leaf[1]", "spine[1]"));
        QCOMPARE(countsOf(*elaborate(edited(groupElements(*design, {"leaf[01]", "leaf[2]"})))).links, std::int64_t{1});
        QVERIFY(!groupElements(*design, {"leaf[1]", "leaf[01]"})); // the same twice
        const DesignPointer pods = test::designOf("aipod", {{"servers", "64"}});
        isSame(pods, edited(dissolve(*elaborate(pods), "rail[01]", {})));
    }

    // A cable on a port that its switch does not have cannot be named: nothing is lost without a word.
    void cablesThatCannotBeNamed() {
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        design = edited(changeBlocks(*design, {"su[1]"}, {"leaf", 9}));
        const auto edit = dissolve(*elaborate(design), "su[2]", {});
        QVERIFY(!edit && edit.error().text.find("ports that their switches do not have") != std::string::npos);
    }

    void refusals() {
        const DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        const auto why = [](const Result<Edit>& edit) { return edit ? std::string() : edit.error().text; };
        QVERIFY(why(groupElements(*design, {"su[1]/leaf[1]", "su[1]/leaf[2]"})).find("not hand-drawn") != std::string::npos);
        QVERIFY(why(groupElements(*design, {})).find("at least two") != std::string::npos);
        QVERIFY(why(dissolve(*elaborate(design), "su[1]/srv[1]", {})).find("one unit") != std::string::npos);
        QVERIFY(why(dissolve(*elaborate(design), "spine[1]", {})).find("not a block") != std::string::npos);
        QVERIFY(why(dissolve(*elaborate(design), "su[9]", {})).find("not a block") != std::string::npos);
        const DesignPointer apart = edited(dissolve(*elaborate(design), "su[1]", {}));
        const DesignPointer group = edited(groupElements(*apart, {"srv-extra[1]", "srv-extra[2]"}));
        QVERIFY(why(changeBlocks(*group, {"group[1]/srv[1]"}, {"nic", 4})).find("inside a group") != std::string::npos);
        QVERIFY(why(dissolve(*elaborate(design), "", {})).find("not a block") != std::string::npos);
        QVERIFY(why(dropNamed(*design, "group-7", {})).find("no template") != std::string::npos);
        const DesignPointer large = test::designOf(
            "rail-optimized", {{"servers", "4096"}, {"radix", "256"}, {"spine_radix", "256"}, {"tiers", "3"}, {"su_servers", "128"}});
        QVERIFY(why(dissolve(*elaborate(large), "pod[1]", {})).find("cables") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_group)
#include "tst_group.moc"
