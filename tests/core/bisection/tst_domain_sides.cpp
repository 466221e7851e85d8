#include "core/bisection/bounds/domain_sides.h"

#include "core/bisection/bisection.h"
#include "core/bisection/witness/balanced_cut.h"
#include "core/fabric/without.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

using namespace railyard;

namespace {

FabricPointer withoutHostLinks(const FabricPointer& whole, int count, test::Random& random) {
    std::vector<LinkId> hosts;
    for (const LinkId l : whole->links.ids())
        if (whole->links.tier[l] == LinkTier::HostLeaf) hosts.push_back(l);
    std::vector<bool> failed(whole->links.size());
    for (; count > 0; --count) failed[hosts[static_cast<std::size_t>(random.below(static_cast<int>(hosts.size())))]] = true;
    return without(whole, {}, failed);
}

} // namespace

class tst_domain_sides : public QObject {
    Q_OBJECT

private slots:
    // Never above the cheapest of all partitions, and mostly equal to it.
    void boundsEveryPartition() {
        test::Random random{5};
        int tried = 0, equal = 0, separate = 0;
        for (int round = 0; round < 500; ++round) {
            const int gpus = 2 + random.below(2), servers = 2 + random.below(gpus == 2 ? 5 : 3), ports = 1 + random.below(2);
            const FabricPointer whole = test::fabricOf(random.below(4) == 0 ? "rail-optimized" : "rail-only",
                                                       {{"servers", std::to_string(servers)},
                                                        {"gpus_per_server", std::to_string(gpus)},
                                                        {"nics_per_server", std::to_string(gpus)},
                                                        {"rails", std::to_string(gpus)},
                                                        {"nic_ports", std::to_string(ports)},
                                                        {"planes", std::to_string(1 + random.below(ports))},
                                                        {"radix", std::to_string(4 * ports + 2 * random.below(3))}});
            const FabricPointer fabric = withoutHostLinks(whole, random.below(2 * gpus), random);
            const BisectionProblem q = problemOf(*fabric, BisectionKey::GpuWithHb);
            const auto found = domainSidesBound(q);
            if (!found) continue;
            ++tried;
            separate += q.graph.networks > 1 ? 1 : 0;
            const double exact = test::bruteForce(*fabric, BisectionKey::GpuWithHb);
            QVERIFY2(inGbps(found->lower.value) <= exact + 1e-6,
                     qPrintable(QStringLiteral("round %1: %2, exactly %3").arg(round).arg(inGbps(found->lower.value)).arg(exact)));
            QCOMPARE(std::count(found->sideA.begin(), found->sideA.end(), true), static_cast<std::ptrdiff_t>(q.ends.size() / 2));
            QVERIFY(inGbps(cutOf(q, found->sideA).value) >= exact - 1e-6);
            equal += std::abs(inGbps(found->lower.value) - exact) < 1e-6 ? 1 : 0;
        }
        QVERIFY2(tried > 300 && separate > 200 && equal > tried * 3 / 4,
                 qPrintable(QStringLiteral("%1 tried, %2 with several networks, %3 equal").arg(tried).arg(separate).arg(equal)));
    }
    // 16,384 GPUs in rail-only: up to 60 NICs of an SU fail. GPUs without a NIC count for the side that lacks GPUs, so that domains can
    // stand unevenly and every rail is cut on its cheaper side: the bisection loses more than what failed.
    void failedNicsOfAnSuAreExact() {
        test::Random random{3};
        const FabricPointer whole = test::fabricOf("rail-only", {{"servers", "2048"}});
        for (const int count : {1, 5, 20, 60}) {
            const FabricPointer fabric = withoutHostLinks(whole, count, random);
            const Bisection found = bisection(*fabric, BisectionKey::GpuWithHb);
            QVERIFY2(found.certified, qPrintable(QStringLiteral("%1 NICs: %2 to %3").arg(count).arg(found.lowerGbps).arg(found.upperGbps)));
        }
        std::vector<bool> failed(whole->links.size()); // all on one rail
        int left = 16;
        for (const LinkId l : whole->links.ids())
            if (left > 0 && whole->links.tier[l] == LinkTier::HostLeaf && whole->devices.rail[whole->links.a[l]] == 3)
                failed[l] = left-- > 0;
        const Bisection found = bisection(*without(whole, {}, failed), BisectionKey::GpuWithHb);
        QVERIFY(found.certified);
        QCOMPARE(found.upperGbps, (8192 - 28) * 400.0); // two domains fewer on B: 14 NICs there, and 16 - 2 on the failed rail of A
    }
    // One more failed link makes no bisection larger: where a failed uplink leaves no exact answer, a cut that good is still found.
    void oneMoreFailedLinkIsNoGain() {
        test::Random random{11};
        const FabricPointer whole = test::fabricOf("rail-optimized", {{"servers", "2048"}});
        std::vector<bool> failed(whole->links.size());
        LinkId uplink(none);
        for (const LinkId l : whole->links.ids()) {
            if (whole->links.tier[l] == LinkTier::HostLeaf) failed[l] = random.below(20) == 0;
            if (whole->links.tier[l] == LinkTier::LeafSpine && uplink == none) uplink = l;
        }
        const Bisection nics = bisection(*without(whole, {}, failed), BisectionKey::GpuWithHb);
        QVERIFY(nics.certified);
        failed[uplink] = true;
        const Bisection more = bisection(*without(whole, {}, failed), BisectionKey::GpuWithHb);
        QVERIFY2(more.upperGbps <= nics.upperGbps * 1.01, qPrintable(QStringLiteral("%1, %2").arg(more.upperGbps).arg(nics.upperGbps)));
    }
};

QTEST_GUILESS_MAIN(tst_domain_sides)
#include "tst_domain_sides.moc"
