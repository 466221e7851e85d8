// Bisections where parts of the network stand apart (planes) and where HB domains span several SUs.
#include "core/analysis/metrics/metrics.h"
#include "core/bisection/bounds/hose_bound.h"
#include "core/bisection/witness/balanced_cut.h"
#include "core/fabric/group.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/routing/patterns.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

using namespace railyard;
using test::Parameters;

namespace {

constexpr BisectionKey keys[] = {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb};

std::string wordsOf(const Parameters& settings) {
    std::string words;
    for (const auto& [key, value] : settings) words += " " + key + "=" + value;
    return words;
}

bool hasAllLoads(const Fabric& fabric) {
    const auto loads = linkLoads(fabric, trafficOf(fabric, Pattern::AllToAll, 1), {});
    return loads && loads->unreachablePairs == 0;
}

// Of the links of this tier in the first pod, in a random order.
std::vector<bool> linksOfPod(const Fabric& fabric, LinkTier tier, int count, int seed) {
    std::vector<LinkId> links;
    const SwitchGraph graph = switchGraphOf(fabric);
    const auto nodes = nodesOfDevices(fabric, graph);
    std::uint32_t pod = none;
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] != tier) continue;
        const NodeId lower = nodes[fabric.links.a[l]];
        const auto own = tier == LinkTier::LeafSpine ? graph.groupAbove[lower] : graph.groupBelow[lower];
        if (pod == none) pod = own;
        if (own == pod) links.push_back(l);
    }
    test::Random random{static_cast<std::uint64_t>(seed) + 1};
    std::vector<bool> chosen(fabric.links.size());
    for (; count > 0 && !links.empty(); --count)
        chosen[links[static_cast<std::size_t>(random.below(static_cast<int>(links.size())))]] = true;
    return chosen;
}

} // namespace

class tst_bisection_parts : public QObject {
    Q_OBJECT

private slots:
    void planesAreExact() {
        int tried = 0;
        for (const char* recipe : {"rail-optimized", "fat-tree", "rail-only"})
            for (const char* tiers : {"1", "2", "3", "4"})
                for (const char* planes : {"2", "3", "4"})
                    for (const char* gpus : {"1", "2", "3", "4"})
                        for (const char* ports : {"1", "2", "3"})
                            for (const char* ratio : {"1:1", "2:1"}) {
                                const Parameters settings{{"gpus", gpus[0] == '4'   ? "12"
                                                                   : gpus[0] == '3' ? "9"
                                                                                    : "10"},
                                                          {"gpus_per_server", gpus},
                                                          {"nics_per_server", gpus},
                                                          {"radix", "6"},
                                                          {"nic_ports", ports},
                                                          {"planes", planes},
                                                          {"tiers", tiers},
                                                          {"oversubscription", ratio}};
                                auto design = build({recipe, settings}, "test", shippedCatalog());
                                if (!design) continue;
                                const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
                                ++tried;
                                for (const BisectionKey key : keys) {
                                    const Bisection found = bisection(*fabric, key);
                                    const double exact = key == BisectionKey::GpuWithHb ? found.upperGbps : test::bruteForce(*fabric, key);
                                    const std::string what = std::string(recipe) + wordsOf(settings) + " " + std::string(toText(key));
                                    QVERIFY2(
                                        std::abs(found.upperGbps - exact) < 1e-6 && found.certified,
                                        fmt::format("{}: {} to {}, exactly {}", what, found.lowerGbps, found.upperGbps, exact).c_str());
                                }
                            }
        QVERIFY2(tried > 50, std::to_string(tried).c_str());
    }

    // Planes that share no GPU: whole planes make up the halves, whatever the tiers.
    void nothingJoinsPlanes_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<Parameters>("settings");
        for (const char* recipe : {"rail-optimized", "fat-tree"})
            for (const char* servers : {"140", "520", "601"})
                for (const char* planes : {"2", "4"})
                    for (const char* tiers : {"3", "4"})
                        QTest::newRow(qPrintable(QString("%1 %2 %3 %4").arg(recipe, servers, planes, tiers)))
                            << recipe << Parameters{{"servers", servers}, {"planes", planes}, {"tiers", tiers}, {"radix", "32"}};
    }
    void nothingJoinsPlanes() {
        QFETCH(QString, recipe);
        QFETCH(Parameters, settings);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), settings);
        const Bisection found = bisection(*fabric, BisectionKey::GpuNetworkOnly);
        QCOMPARE(found.upperGbps, 0.0);
        QVERIFY(found.certified);
        QCOMPARE(std::count(found.sideA.begin(), found.sideA.end(), true), static_cast<std::ptrdiff_t>(found.sideA.size() / 2));
    }

    // Three planes: one of them is divided, which trees of its own pods say exactly.
    void oddNumbersOfPlanes() {
        for (const Parameters& settings :
             {Parameters{{"servers", "64"}, {"planes", "3"}, {"tiers", "3"}, {"radix", "16"}, {"oversubscription", "2:1"}},
              Parameters{{"servers", "96"}, {"planes", "3"}, {"radix", "32"}, {"oversubscription", "3:1"}}}) {
            const FabricPointer fabric = test::fabricOf("rail-optimized", settings);
            const Bisection found = bisection(*fabric, BisectionKey::GpuNetworkOnly);
            QVERIFY2(found.certified && found.upperGbps > 0, found.method.c_str());
        }
    }

    // 20 uplinks spread over 13 superspines: pods that lead to the same ones belong on one side. The halves by path cost 2 Pb/s.
    void podsAreSearchedWhereSuperspinesAreUneven() {
        const FabricPointer fabric = test::fabricOf(
            "fat-tree", {{"gpus", "10000"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}, {"spine_rule", "exact"}, {"radix", "40"}});
        const Bisection found = bisection(*fabric, BisectionKey::GpuNetworkOnly);
        QVERIFY2(found.upperGbps <= 1'736'000 && found.lowerGbps <= found.upperGbps, std::to_string(found.upperGbps).c_str());
        QCOMPARE(std::count(found.sideA.begin(), found.sideA.end(), true), static_cast<std::ptrdiff_t>(5000));
    }

    // HB domains larger than an SU.
    void domainsOfSeveralUnitsAreExact() {
        int tried = 0;
        for (const char* radix : {"4", "8"})
            for (const char* domain : {"4", "8", "16"})
                for (const char* gpus : {"1", "2"})
                    for (const char* size : {"32", "48", "80"})
                        for (const char* ratio : {"1:1", "3:1"}) {
                            const Parameters settings{
                                {"gpus", size},   {"hb_domain_gpus", domain}, {"gpus_per_server", gpus}, {"nics_per_server", gpus},
                                {"radix", radix}, {"oversubscription", ratio}};
                            auto design = build({"rail-optimized", settings}, "test", shippedCatalog());
                            if (!design) continue;
                            const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
                            const Bisection found = bisection(*fabric, BisectionKey::Server);
                            const double exact =
                                found.sideA.size() <= 12 ? test::bruteForce(*fabric, BisectionKey::Server) : found.upperGbps;
                            ++tried;
                            QVERIFY2(std::abs(found.upperGbps - exact) < 1e-6 && found.certified,
                                     fmt::format("{}: {} to {}, exactly {}, {}", wordsOf(settings), found.lowerGbps, found.upperGbps, exact,
                                                 found.method)
                                         .c_str());
                            QVERIFY2(hasAllLoads(*fabric), wordsOf(settings).c_str());
                        }
        QVERIFY2(tried > 20, std::to_string(tried).c_str());
    }

    void domainsOfSeveralUnitsTakePart() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"gpus", "2048"}, {"hb_domain_gpus", "256"}, {"radix", "32"}, {"oversubscription", "3:1"}});
        QCOMPARE(countsOf(*fabric).hbDomains, 8);
        const auto group = Communicator::create(*fabric, 0, RankOrder::Near);
        QVERIFY2(group, group ? "" : group.error().text.c_str());
        QCOMPARE(group->domains(), 8);
        for (const auto op : {CollectiveOp::AllReduce, CollectiveOp::AllToAll}) {
            const auto timed = group->time(op, Bytes(1 << 28));
            QVERIFY2(timed, timed ? "" : timed.error().text.c_str());
        }
        for (const Bisection& each : bisections(*fabric)) QVERIFY2(each.certified, each.method.c_str());
        // A domain fails with all that is in it.
        const auto failed = select(*fabric, "hb[2]");
        QVERIFY(failed);
        QCOMPARE(countsOf(*without(fabric, failed->devices, failed->links)).gpus, 2048 - 256);
        // An SU cannot be taken apart without the domain that reaches into others.
        const auto apart = dissolve(*fabric, "su[1]", {});
        if (apart) QVERIFY(isSameNetwork(*fabric, *elaborate(apart->design)));
    }
    // Leaves with more uplinks than they fill: what fails in a pod is replaced by links to spare.
    void spareUplinksReplaceFailedOnes() {
        const FabricPointer whole = test::fabricOf("rail-optimized", {{"server", "srv-gb200-tray"}, {"gpus", "4608"}});
        for (const int count : {1, 5, 20, 60, -1, -5, -20, -60}) {
            const LinkTier tier = count > 0 ? LinkTier::SpineSuperspine : LinkTier::LeafSpine;
            const FabricPointer fabric = without(whole, {}, linksOfPod(*whole, tier, std::abs(count), 0));
            for (const BisectionKey key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
                const Bisection found = bisection(*fabric, key);
                QVERIFY2(found.certified, found.method.c_str());
                QCOMPARE(found.upperGbps, 921'600.0);
            }
        }
    }
    // In small fabrics of three tiers, with links to spare or without: never above the cheapest of all partitions.
    void failedLinksBelowTheTopAreBounded() {
        test::Random random{17};
        int tried = 0, equal = 0;
        for (int round = 0; round < 300; ++round) {
            const std::string up = std::to_string(1 + random.below(3));
            const FabricPointer whole = test::fabricOf("rail-optimized", {{"servers", std::to_string(4 + random.below(6))},
                                                                          {"gpus_per_server", "1"},
                                                                          {"nics_per_server", "1"},
                                                                          {"radix", "6"},
                                                                          {"leaf_down", std::to_string(1 + random.below(2))},
                                                                          {"leaf_up", up},
                                                                          {"pod_servers", "2"},
                                                                          {"tiers", "3"}});
            const LinkTier tier = random.below(2) == 0 ? LinkTier::SpineSuperspine : LinkTier::LeafSpine;
            const FabricPointer fabric = without(whole, {}, linksOfPod(*whole, tier, 1 + random.below(4), random.below(1000)));
            const BisectionProblem q = problemOf(*fabric, BisectionKey::Server);
            const LowerBound bound = hoseBound(*fabric, q.graph, q.ends, q.key);
            if (q.graph.regular || bound.value <= Bandwidth()) continue; // a switch may have lost all its links
            const double exact = test::bruteForce(*fabric, q.key), lower = inGbps(bound.value);
            QVERIFY2(lower <= exact + 1e-6, qPrintable(QStringLiteral("round %1: %2, exactly %3").arg(round).arg(lower).arg(exact)));
            ++tried;
            equal += std::abs(lower - exact) < 1e-6 ? 1 : 0;
        }
        QVERIFY2(tried > 100 && equal > 30, qPrintable(QStringLiteral("%1 tried, %2 equal").arg(tried).arg(equal)));
    }
};

QTEST_APPLESS_MAIN(tst_bisection_parts)
#include "tst_bisection_parts.moc" // Shares of GPUs whose NIC was never cabled: what a domain sends is what its cables carry, whatever fails.
void sharesAddUpToTheCables() {
    test::Random random{41};
    int shared = 0;
    for (int round = 0; round < 200; ++round) {
        const std::string gpus = std::to_string(3 + random.below(2));
        FabricPointer fabric =
            test::fabricOf("fat-tree", {{"servers", "3"}, {"gpus_per_server", gpus}, {"nics_per_server", gpus}, {"radix", "32"}});
        std::vector<bool> uncabled(fabric->links.size());
        for (const LinkId l : fabric->links.ids()) uncabled[l] = fabric->links.tier[l] == LinkTier::HostLeaf && random.below(3) == 0;
        fabric = test::asDrawn(*without(fabric, {}, uncabled));
        std::vector<bool> gone(fabric->devices.size()), cut(fabric->links.size());
        for (int failing = 1 + random.below(3); failing > 0; --failing) {
            const DeviceId d(static_cast<std::uint32_t>(random.below(static_cast<int>(gone.size()))));
            gone[d] = fabric->devices.isGpu(d) || fabric->devices.isNic(d) || fabric->devices.isHbSwitch(d);
        }
        const FabricPointer failed = without(fabric, gone, cut);
        const BisectionProblem q = problemOf(*failed, BisectionKey::GpuWithHb);
        std::map<DomainId, Bandwidth> shares, cables;
        for (std::size_t e = 0; e < q.ends.size(); ++e) shares[q.ends.hbDomain[e]] += q.ends.speed[e];
        for (const auto& a : q.ends.attachments) cables[q.ends.hbDomain[a.endpoint]] += a.capacity;
        for (const auto& [domain, sum] : shares) QVERIFY(abs(sum - cables[domain]) <= 1e-9 * sum + Bandwidth(1));
        shared += q.ends.isShared ? 1 : 0;
    }
    QVERIFY2(shared > 50, qPrintable(QString::number(shared)));
}
