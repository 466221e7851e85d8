// Groups and taken-apart blocks: the same fabric under other names.
#include "core/fabric/group.h"

#include "core/analysis/metrics.h"
#include "core/cut/bisection.h"
#include "core/design/own_blocks.h"
#include "core/fabric/connect.h"
#include "core/fabric/elaborate.h"
#include "core/io/design_json.h"
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
            const Bisection was = bisection(*a, *a, key), is = bisection(*b, *b, key);
            QCOMPARE(is.lowerGbps, was.lowerGbps);
            QCOMPARE(is.upperGbps, was.upperGbps);
        }
        QVERIFY(instantMetrics(*b).bill.total == instantMetrics(*a).bill.total);
    }
    static std::multiset<std::pair<int, std::uint32_t>> railsOf(const Fabric& fabric) {
        std::multiset<std::pair<int, std::uint32_t>> rails;
        for (std::size_t d = 0; d < fabric.devices.size(); ++d)
            rails.emplace(static_cast<int>(fabric.devices.kind[d]), fabric.devices.rail[d]);
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
                if (fabric->scopes[s].role == Instance::Role::ScalableUnit) element = fabric->scopePath(static_cast<std::uint32_t>(s));
        const DesignPointer after = edited(dissolve(*fabric, element, Point{0, 0}));
        isSame(before, after);
        for (const Diagnostic& diagnostic : elaborate(after)->diagnostics) QVERIFY2(false, diagnostic.text.c_str());
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
        QCOMPARE(templatesOf(*empty).size(), std::size_t{8});
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

    void refusals() {
        const DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        const auto why = [](const Result<Edit>& edit) { return edit ? std::string() : edit.error().text; };
        QVERIFY(why(groupElements(*design, {"su[1]/leaf[1]", "su[1]/leaf[2]"})).find("not drawn by hand") != std::string::npos);
        QVERIFY(why(groupElements(*design, {})).find("two or more") != std::string::npos);
        QVERIFY(why(dissolve(*elaborate(design), "su[1]/srv[1]", {})).find("one device") != std::string::npos);
        QVERIFY(why(dissolve(*elaborate(design), "spine[1]", {})).find("no block") != std::string::npos);
        QVERIFY(why(dissolve(*elaborate(design), "su[9]", {})).find("no block") != std::string::npos);
        QVERIFY(why(dissolve(*elaborate(design), "", {})).find("no block") != std::string::npos);
        QVERIFY(why(dropNamed(*design, "group-7", {})).find("No template") != std::string::npos);
        const DesignPointer large = test::designOf(
            "rail-optimized", {{"servers", "4096"}, {"radix", "256"}, {"spine_radix", "256"}, {"tiers", "3"}, {"su_servers", "128"}});
        QVERIFY(why(dissolve(*elaborate(large), "pod[1]", {})).find("cables") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_group)
#include "tst_group.moc"
