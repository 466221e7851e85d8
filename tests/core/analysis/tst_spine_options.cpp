#include "core/analysis/metrics/metrics.h"
#include "core/analysis/spine_options.h"
#include "core/design/edits/edit.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_spine_options : public QObject {
    Q_OBJECT

private slots:
    // SuperPOD H100 with 16 uplinks of every leaf: leaves of 64 ports, 32 down. Fewer spines have parallel links to each leaf.
    void countsByHand() {
        const auto options = spineOptions(test::designOf("superpod-h100", {{"servers", "512"}, {"leaf_up", "16"}}));
        std::vector<int> spines, free;
        for (const SpineOption& option : options) {
            spines.push_back(option.spines);
            free.push_back(option.freePorts);
            const int uplinks = std::max(16, option.spines);
            QCOMPARE(option.linksPerPair, uplinks / option.spines);
            QCOMPARE(option.oversubscription, 32.0 / uplinks);
            QCOMPARE(option.isNow, option.spines == 16);
            QVERIFY(!option.isCostComplete); // fibre has no price
        }
        QCOMPARE(spines, (std::vector<int>{1, 2, 4, 8, 16, 32}));
        QCOMPARE(free, (std::vector<int>{16, 16, 16, 16, 16, 0}));
    }
    // One switch of the list price of the spines, and nothing else: it has no cables.
    void aLoneSpineCostsItsSwitch() {
        const DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        const auto lone = loneSpine(design);
        QVERIFY(lone && lone->isCostComplete);
        const Part* part = design->catalog->find("sw-qm9700");
        QVERIFY(part && part->price);
        QCOMPARE(*lone->networkCost, *part->price->base);
    }
    // What a row says is what the edit gives.
    void everyRowIsWhatItsEditGives_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("servers");
        QTest::newRow("two tiers") << "superpod-h100" << 64;
        QTest::newRow("part of an SU") << "superpod-h100" << 125;
        QTest::newRow("three tiers") << "superpod-b200" << 512;
        QTest::newRow("rail-only") << "rail-only" << 256;
        QTest::newRow("fat tree") << "fat-tree" << 100;
    }
    void everyRowIsWhatItsEditGives() {
        QFETCH(QString, recipe);
        QFETCH(int, servers);
        const DesignPointer design = test::designOf(recipe.toStdString(), {{"servers", std::to_string(servers)}});
        const auto options = spineOptions(design);
        const auto settings = resolve(*design->recipe, *design->catalog);
        QVERIFY(settings);
        const auto now = plan(*settings);
        QVERIFY(now);
        QCOMPARE(options.empty(), now->tiers < 2);
        QVERIFY(options.size() <= 6);
        int present = 0, last = 0;
        for (const SpineOption& option : options) {
            QVERIFY(option.spines > last);
            last = option.spines;
            present += option.isNow ? 1 : 0;
            DesignPointer after = design;
            if (!option.isNow) {
                const auto edit = setParameters(*design, keepingRails(*design, {{"spines", std::to_string(option.spines)}}));
                QVERIFY(edit);
                after = edit->design;
            }
            const InstantMetrics metrics = instantMetrics(*elaborate(after));
            QCOMPARE(option.networkCost, metrics.bill.network);
            QCOMPARE(option.switches, metrics.counts.switches);
            QCOMPARE(option.oversubscription, metrics.oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)]);
        }
        if (!options.empty()) QCOMPARE(present, 1);
    }
    void nothingToChoose() {
        QVERIFY(spineOptions(emptyDesign(shippedCatalog())).empty());
        QVERIFY(spineOptions(test::designOf("superpod-h100", {{"servers", "512"}}), 3).size() <= 3);
    }
};

QTEST_GUILESS_MAIN(tst_spine_options)
#include "tst_spine_options.moc"
