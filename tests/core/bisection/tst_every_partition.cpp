#include "core/bisection/witness/every_partition.h"

#include "core/fabric/without.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

#include <array>
#include <map>

using namespace railyard;

namespace {

FabricPointer sixteenServersALeaf(const char* servers) {
    return test::fabricOf("rail-optimized", {{"servers", servers},
                                             {"gpus_per_server", "1"},
                                             {"nics_per_server", "1"},
                                             {"leaf_down", "16"},
                                             {"leaf_up", "16"},
                                             {"radix", "64"},
                                             {"spines", "4"}});
}

} // namespace

class tst_every_partition : public QObject {
    Q_OBJECT

private slots:
    // SUs of a pod are twins until a link of one fails, and so are rails of rail-only and planes; links and numbers of servers are drawn at
    // random.
    void equalsBruteForce() {
        test::Random random{7};
        int even = 0, odd = 0, tried = 0, severalNetworks = 0;
        for (int round = 0; round < 600; ++round) {
            const int nics = 1 + random.below(2);
            const char* recipe = std::array{"fat-tree", "rail-optimized", "rail-optimized", "rail-only"}[random.below(4)];
            const int portCount = 1 + random.below(2);
            const std::string ports = std::to_string(portCount);
            const FabricPointer whole = test::fabricOf(recipe, {{"servers", std::to_string(5 + random.below(8))},
                                                                {"radix", std::to_string(portCount * (4 + 2 * random.below(2)))},
                                                                {"gpus_per_server", std::to_string(nics)},
                                                                {"nics_per_server", std::to_string(nics)},
                                                                {"nic_ports", ports},
                                                                {"planes", random.below(2) == 0 ? ports : "1"},
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
                severalNetworks += q.graph.networks > 1 ? 1 : 0;
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
        QVERIFY2(tried > 300 && even > 100 && odd > 50 && severalNetworks > 100,
                 qPrintable(QStringLiteral("%1 %2 %3 %4").arg(tried).arg(even).arg(odd).arg(severalNetworks)));
    }
    // Eight SUs of 16 servers in one pod: about 10^8 balanced partitions by SU, of which one remains to be tried.
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
    // Twelve SUs of 16 servers, of four kinds with 16, 12, 8 and 4 uplinks: there are 10^11 balanced partitions even with SUs of a kind
    // interchangeable, but few divide no SU or only one.
    void oneDividedClassIsEnough() {
        const FabricPointer whole = sixteenServersALeaf("192");
        const LinkTable& links = whole->links;
        std::vector<bool> failed(links.size());
        std::map<std::pair<DeviceId, DeviceId>, std::uint32_t> ofPair;
        std::map<DeviceId, std::uint32_t> leaves;
        for (const LinkId l : links.ids()) {
            if (links.tier[l] != LinkTier::LeafSpine) continue;
            const auto leaf = leaves.try_emplace(links.a[l], leaves.size()).first->second;
            failed[l] = ofPair[{links.a[l], links.b[l]}]++ < leaf % 4;
        }
        QCOMPARE(leaves.size(), std::size_t{12});
        const FabricPointer fabric = without(whole, {}, failed);
        const auto found = cheapestOfAllPartitions(problemOf(*fabric, BisectionKey::Server));
        QVERIFY(found);
        QCOMPARE(inGbps(found->value), 3 * (4 + 8) * 400.0);
        // Six SUs and a half: one is divided.
        const FabricPointer odd = sixteenServersALeaf("104");
        const auto half = cheapestOfAllPartitions(problemOf(*odd, BisectionKey::Server));
        QVERIFY(half);
        QCOMPARE(inGbps(half->value), 52 * 400.0);
    }
};

QTEST_GUILESS_MAIN(tst_every_partition)
#include "tst_every_partition.moc"
