#include "core/analysis/edit_text.h"
#include "core/analysis/metrics/metrics.h"
#include "core/analysis/rules/design_rules.h"
#include "core/bisection/bisection.h"
#include "core/design/edits/edit.h"
#include "tests/support/designs.h"

using namespace railyard;

static std::vector<Diagnostic> findings(const DesignPointer& design) {
    const FabricPointer fabric = elaborate(design);
    const Cabling cabling = cablingOf(*fabric);
    return checkDesign(*fabric, cabling, billOf(*fabric, cabling));
}
static int count(const std::vector<Diagnostic>& found, const char* code) {
    return static_cast<int>(std::count_if(found.begin(), found.end(), [&](const Diagnostic& d) { return d.code == code; }));
}

// Each defect is planted alone and must be found.
class tst_rules : public QObject {
    Q_OBJECT

private slots:
    void recipesAreClean() {
        for (const RecipeInfo& recipe : recipes())
            for (const Diagnostic& d : findings(test::designOf(std::string(recipe.name))))
                QVERIFY2(d.severity != Severity::Error, d.text.c_str());
    }
    void portUsedTwice() {
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        design = dropItem(*design, PaletteItem::Leaf, {})->design;
        design = addLink(*design, {"leaf-extra[1]:1", "spine[1]:1"}).design;
        QCOMPARE(count(findings(design), "RY-P001"), 1);
    }
    void unwiredSwitch() {
        QCOMPARE(count(findings(dropItem(*test::designOf("superpod-h100"), PaletteItem::Leaf, {})->design), "RY-P004"), 1);
    }
    void freePorts() {
        QCOMPARE(count(findings(test::designOf("superpod-h100")), "RY-P003"), 0);
        QCOMPARE(count(findings(test::designOf("superpod-h100", {{"servers", "127"}})), "RY-P003"), 1);
    }
    void speedMismatch() {
        Design design = *test::designOf("superpod-h100", {{"servers", "63"}});
        Block free = *design.free;
        DeviceRow slow{.slug = "slow",
                       .kind = DeviceKind::Switch,
                       .tier = SwitchTier::Spine,
                       .part = {},
                       .ports = {{4, gigabitsPerSecond(200), 1}},
                       .at = {}};
        free.devices.push_back(slow);
        free.links.push_back({"su[2]/leaf[1]:32", "slow[1]:1"});
        design.free = std::make_shared<const Block>(free);
        QCOMPARE(count(findings(std::make_shared<const Design>(design)), "RY-L001"), 1);
    }
    void linkOfAnotherSpeedThanItsPorts() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        Block root = *design.blocks["root"];
        for (WiringRule& rule : root.wiring) rule.speed = gigabitsPerSecond(800);
        design.blocks["root"] = std::make_shared<const Block>(root);
        const auto found = findings(std::make_shared<const Design>(design));
        QCOMPARE(count(found, "RY-L002"), 1);
        QCOMPARE(found.front().severity, Severity::Error);
    }
    void exceededPorts() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        Block root = *design.blocks["root"];
        for (DeviceRow& row : root.devices) row.ports = {{32, gigabitsPerSecond(400), 1}};
        design.blocks["root"] = std::make_shared<const Block>(root);
        QVERIFY(count(findings(std::make_shared<const Design>(design)), "RY-P002") > 0);
    }
    void unreachableGpus() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        for (int leaf = 1; leaf <= 8; ++leaf) design.overrides["su[2]/leaf[" + std::to_string(leaf) + "]"].remove = true;
        const auto found = findings(std::make_shared<const Design>(design));
        QCOMPARE(count(found, "RY-R001"), 1);
        QCOMPARE(found.front().count, 256);
        Design one = *test::designOf("superpod-h100", {{"servers", "64"}});
        one.overrides["su[2]/leaf[1]"].remove = true;
        QCOMPARE(count(findings(std::make_shared<const Design>(one)), "RY-R002"), 1);
    }
    void disconnected() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        for (int spine = 1; spine <= 8; ++spine) design.overrides["spine[" + std::to_string(spine) + "]"].remove = true;
        QCOMPARE(count(findings(std::make_shared<const Design>(design)), "RY-R003"), 1);
    }
    void unevenEcmp() {
        QCOMPARE(count(findings(test::designOf("superpod-h100", {{"servers", "96"}, {"spine_rule", "exact"}})), "RY-E001"), 1);
        QCOMPARE(count(findings(test::designOf("superpod-h100", {{"servers", "96"}})), "RY-E001"), 0);
    }
    void singlePointAboveTheLeaves() {
        QCOMPARE(count(findings(test::designOf("rail-optimized", {{"servers", "2"}, {"tiers", "2"}, {"radix", "64"}})), "RY-S002"), 0);
        DesignPointer design = dropItem(*emptyDesign(shippedCatalog()), PaletteItem::Leaf, {})->design;
        design = dropItem(*design, PaletteItem::Leaf, {})->design;
        design = dropItem(*design, PaletteItem::Spine, {})->design;
        design = addLink(*design, {"leaf[1]:1", "spine[1]:1"}).design;
        design = addLink(*design, {"leaf[2]:1", "spine[1]:2"}).design;
        QCOMPARE(count(findings(design), "RY-S002"), 1);
    }
    void pricesAndModules() {
        const auto found = findings(test::designOf("hpn-pod", {{"servers", "4"}})); // the cage of its leaf is not published
        QVERIFY(count(found, "RY-O001") > 0);
        const auto old = findings(test::designOf("rail-optimized", {{"servers", "4"}, {"server", "srv-dgx2"}, {"switch", "sw-sn4600c"}}));
        QVERIFY(count(old, "RY-C002") > 0); // a launch price of 2018
    }
    // 128 servers at 2:1: 53 switches by the defaults, 48 without oversubscription, 40 with 32 ports down and 16 up.
    void cheaperSettings() {
        const DesignPointer design = test::designOf("superpod-h100", {{"servers", "128"}, {"oversubscription", "2:1"}});
        std::vector<std::int64_t> switches;
        for (const Diagnostic& d : findings(design)) {
            if (d.code != "RY-C006") continue;
            const auto edit = applyEdit(design, d.fix);
            QVERIFY2(edit, d.fix.c_str());
            const FabricPointer fabric = elaborate(edit->design);
            switches.push_back(countsOf(*fabric).switches);
            const double before = bisection(*elaborate(design), BisectionKey::Server).upperGbps,
                         after = bisection(*fabric, BisectionKey::Server).upperGbps;
            QCOMPARE(d.hint.find("falls") != std::string::npos, after < before); // says what it gives up, and only then
        }
        QCOMPARE(switches, (std::vector<std::int64_t>{40, 48}));
        for (const char* full : {"128", "64", "512"})
            QCOMPARE(count(findings(test::designOf("superpod-h100", {{"servers", full}})), "RY-C006"), 0);
    }
    // Storage at 4:3: 8 leaves of 36 + 27 ports need 9 spines, because 27 divides by nothing from 4 to 8; 32 + 24 ports need 3.
    void cheaperSettingsOfANetworkBeside() {
        const DesignPointer design = test::designOf("superpod-h100", {{"servers", "128"}, {"storage", "on"}, {"in_band", "on"}});
        int found = 0;
        for (const Diagnostic& d : findings(design)) {
            if (d.code != "RY-C006") continue;
            ++found;
            QCOMPARE(d.subject, std::string("storage"));
            const auto edit = applyEdit(design, d.fix);
            QVERIFY2(edit, d.fix.c_str());
            const InstantMetrics before = instantMetrics(*elaborate(design)), after = instantMetrics(*elaborate(edit->design));
            QCOMPARE(before.networks[0].switches, std::int64_t{8 + 9});
            QCOMPARE(after.networks[0].switches, std::int64_t{8 + 3});
            QCOMPARE(after.counts.switches, before.counts.switches);
        }
        QCOMPARE(found, 1);
    }
};

QTEST_GUILESS_MAIN(tst_rules)
#include "tst_rules.moc"
