#include "core/bisection/bisection.h"
#include "core/bisection/bounds/spine_sides.h"
#include "core/bisection/witness/balanced_cut.h"
#include "core/fabric/without.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

using namespace railyard;
using test::bruteForce;

class tst_spine_sides : public QObject {
    Q_OBJECT

private slots:
    // Uneven fabrics of two tiers, links between leaves and spines taken out or not: the value is the exact one, and its partition has it.
    void isExact_data() {
        QTest::addColumn<QString>("recipe");
        for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree"}) QTest::newRow(recipe) << QString(recipe);
    }
    void isExact() {
        QFETCH(QString, recipe);
        test::Random random{31};
        int spoke = 0, uneven = 0;
        for (int round = 0; round < 400; ++round) {
            const int rails = recipe == u"fat-tree" ? 1 : 1 + random.below(3);
            auto design = build({recipe.toStdString(),
                                 {{"servers", std::to_string(3 + random.below(9))},
                                  {"gpus_per_server", std::to_string(rails)},
                                  {"nics_per_server", std::to_string(rails)},
                                  {"radix", "16"},
                                  {"spine_radix", std::to_string(4 + random.below(13))},
                                  {"tiers", "2"},
                                  {"leaf_down", std::to_string(1 + random.below(5))},
                                  {"leaf_up", std::to_string(1 + random.below(8))},
                                  {"spine_rule", random.below(2) == 0 ? "exact" : "even-split"},
                                  {"uplinks", random.below(2) == 0 ? "used" : "full-su"}}},
                                "tried", shippedCatalog());
            if (!design) continue; // more leaves than a spine has ports
            const FabricPointer whole = elaborate(std::make_shared<const Design>(std::move(*design)));
            std::vector<bool> gone(whole->links.size());
            for (const LinkId l : whole->links.ids())
                gone[l] = round % 2 == 0 && whole->links.tier[l] == LinkTier::LeafSpine && random.below(12) == 0;
            const FabricPointer fabric = without(whole, {}, gone);
            for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly}) {
                const BisectionProblem q = problemOf(*fabric, key);
                if (q.ends.size() > 12 || q.ends.size() < 2) continue;
                const auto bound = spineSidesBound(q.graph, q.ends);
                if (!bound) continue;
                const double exact = bruteForce(*fabric, key);
                const QByteArray what =
                    QStringLiteral("round %1: %2, exact %3").arg(round).arg(inGbps(bound->lower.value)).arg(exact).toUtf8();
                QVERIFY2(std::abs(inGbps(bound->lower.value) - exact) < 1e-6, what);
                QCOMPARE(std::count(bound->sideA.begin(), bound->sideA.end(), true), static_cast<std::ptrdiff_t>(q.ends.size() / 2));
                QVERIFY2(std::abs(inGbps(cutOf(q, bound->sideA).value) - exact) < 1e-6, what);
                ++spoke;
                uneven += q.graph.regular ? 0 : 1;
            }
        }
        QVERIFY2(spoke > 100 && uneven > 60, qPrintable(QStringLiteral("%1, %2 uneven").arg(spoke).arg(uneven)));
    }
    // What the last SU has fewer uplinks no other bound knew: these were 4 % and 2 % wide.
    void certifiesPartialSus_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<test::Parameters>("parameters");
        QTest::newRow("218 servers") << "rail-optimized" << test::Parameters{{"servers", "218"}};
        QTest::newRow("rails of 288 servers") << "rail-only"
                                              << test::Parameters{{"servers", "288"}, {"leaf_down", "31"}, {"leaf_up", "31"}};
        QTest::newRow("planes") << "rail-optimized"
                                << test::Parameters{{"servers", "70"}, {"nic_ports", "2"}, {"planes", "2"}, {"nic_gbps", "800"}};
    }
    void certifiesPartialSus() {
        QFETCH(QString, recipe);
        QFETCH(test::Parameters, parameters);
        parameters["uplinks"] = "used";
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), parameters);
        const Bisection found = bisection(*fabric, BisectionKey::Server);
        QVERIFY2(found.certified, found.method.c_str());
        QVERIFY2(found.lowerGbps >= found.halfInjectionGbps * (1 - 1e-9), qPrintable(QString::number(found.lowerGbps)));
    }
    // An endpoint on leaves of two SUs, three tiers, a cable between NICs: what is said of SUs does not hold.
    void saysNothingElsewhere() {
        for (const test::Parameters& parameters :
             {test::Parameters{{"servers", "64"}, {"hb_domain_gpus", "32"}, {"su_servers", "2"}, {"radix", "64"}}, // spans SUs
              test::Parameters{{"servers", "16"}, {"radix", "4"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}}}) {
            const BisectionProblem q = problemOf(*test::fabricOf("rail-optimized", parameters), BisectionKey::Server);
            QVERIFY(!spineSidesBound(q.graph, q.ends));
        }
    }
};

QTEST_GUILESS_MAIN(tst_spine_sides)
#include "tst_spine_sides.moc"
