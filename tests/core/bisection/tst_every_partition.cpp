#include "core/bisection/witness/every_partition.h"

#include "core/fabric/without.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_every_partition : public QObject {
    Q_OBJECT

private slots:
    // SUs of a pod are twins until a link of one fails; links and numbers of servers are drawn at random.
    void equalsBruteForce() {
        test::Random random{7};
        int even = 0, odd = 0, tried = 0;
        for (int round = 0; round < 400; ++round) {
            const int nics = 1 + random.below(2);
            const char* recipe = random.below(3) == 0 ? "fat-tree" : "rail-optimized";
            const FabricPointer whole = test::fabricOf(recipe, {{"servers", std::to_string(5 + random.below(8))},
                                                                {"radix", std::to_string(4 + 2 * random.below(2))},
                                                                {"gpus_per_server", std::to_string(nics)},
                                                                {"nics_per_server", std::to_string(nics)},
                                                                {"uplinks", random.below(2) == 0 ? "used" : "full-su"}});
            std::vector<bool> cut(whole->links.size());
            for (int failing = random.below(3); failing > 0; --failing) {
                const auto l = static_cast<std::size_t>(random.below(static_cast<int>(cut.size())));
                cut[l] = whole->isNetworkLink(LinkId(l));
            }
            const FabricPointer fabric = without(whole, {}, cut);
            for (const BisectionKey key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly}) {
                const BisectionProblem q = problemOf(*fabric, key);
                if (q.ends.size() > 12) continue;
                const auto found = cheapestOfAllPartitions(q);
                if (!found) continue;
                ++tried;
                (q.ends.size() % 2 == 0 ? even : odd) += 1;
                const double exact = test::bruteForce(*fabric, key);
                QVERIFY2(std::abs(inGbps(found->value) - exact) < 1e-6,
                         qPrintable(QStringLiteral("round %1: %2, exactly %3").arg(round).arg(inGbps(found->value)).arg(exact)));
                QCOMPARE(std::count(found->sideA.begin(), found->sideA.end(), true), static_cast<std::ptrdiff_t>(q.ends.size() / 2));
                QVERIFY(cutOf(q, found->sideA).value == found->value);
                const Bandwidth more = found->value * 1.5; // the first that is cheaper will do
                const auto first = cheapestOfAllPartitions(q, more);
                QVERIFY(first && first->value >= found->value && (first->value < more || found->value == Bandwidth()));
            }
        }
        QVERIFY2(tried > 300 && even > 100 && odd > 50, qPrintable(QStringLiteral("%1 %2 %3").arg(tried).arg(even).arg(odd)));
    }
    // Eight SUs of 16 servers in one pod: about 10^8 balanced partitions by SU, of which some 14,000 remain once SUs are interchangeable.
    void twinsAreCountedOnce() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "128"},
                                                                       {"gpus_per_server", "1"},
                                                                       {"nics_per_server", "1"},
                                                                       {"leaf_down", "16"},
                                                                       {"leaf_up", "4"},
                                                                       {"radix", "20"}});
        const BisectionProblem q = problemOf(*fabric, BisectionKey::Server);
        QCOMPARE(interchangeable(q).size(), std::size_t{8});
        const auto found = cheapestOfAllPartitions(q);
        QVERIFY(found);
        QCOMPARE(inGbps(found->value), 16 * 400.0); // the uplinks of four SUs
    }
};

QTEST_GUILESS_MAIN(tst_every_partition)
#include "tst_every_partition.moc"
