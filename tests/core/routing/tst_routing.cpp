#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/routing/switches/ecmp.h"
#include "core/routing/switches/traffic.h"
#include "tests/support/designs.h"

#include <random>

using namespace railyard;

namespace {

// All NICs of the fabric: one unit each, talking to all others or along their rail.
Traffic allPairs(const Fabric& fabric, const SwitchGraph& graph, bool alongRails) {
    Traffic traffic;
    for (const auto& host : graph.hosts)
        traffic.units.push_back({host.node, fabric.devices.hbDomain[host.nic], alongRails ? fabric.devices.index[host.nic] : 0, 1.0});
    return traffic;
}

Traffic ring(const Fabric& fabric, const SwitchGraph& graph, std::uint32_t stride) {
    Traffic traffic = allPairs(fabric, graph, true);
    traffic.kind = Traffic::Kind::Ring;
    const auto count = static_cast<std::uint32_t>(traffic.units.size()), rails = 8U, domains = count / rails;
    for (std::uint32_t u = 0; u < count; ++u) traffic.next.push_back(((u / rails + stride) % domains) * rails + u % rails);
    return traffic;
}

} // namespace

class tst_routing : public QObject {
    Q_OBJECT

private slots:
    // The closed form by groups and the flat computation must agree wherever both apply.
    void evenEqualsFlat_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("servers");
        QTest::addColumn<int>("radix");
        QTest::newRow("two tiers") << "rail-optimized" << 24 << 16;
        QTest::newRow("two tiers, partial") << "rail-optimized" << 21 << 16;
        QTest::newRow("three tiers") << "rail-optimized" << 48 << 8;
        QTest::newRow("three tiers, partial") << "rail-optimized" << 37 << 8;
        QTest::newRow("four tiers") << "rail-optimized" << 60 << 8;
        QTest::newRow("rail-only, three tiers") << "rail-only" << 120 << 8;
        QTest::newRow("fat tree") << "fat-tree" << 30 << 16;
    }
    void evenEqualsFlat() {
        QFETCH(QString, recipe);
        QFETCH(int, servers);
        QFETCH(int, radix);
        const FabricPointer fabric =
            test::fabricOf(recipe.toStdString(), {{"servers", std::to_string(servers)}, {"radix", std::to_string(radix)}});
        const SwitchGraph graph = switchGraphOf(*fabric);
        QVERIFY(leadsUpEvenly(graph));
        for (const Traffic& traffic :
             {allPairs(*fabric, graph, false), allPairs(*fabric, graph, true), ring(*fabric, graph, 1), ring(*fabric, graph, 5)}) {
            const RoutedLoad even = routeEven(graph, traffic), flat = routeFlat(graph, traffic);
            QCOMPARE(even.connected, flat.connected);
            QVERIFY2(std::abs(even.worst - flat.worst) <= 1e-9 * flat.worst,
                     qPrintable(QStringLiteral("%1 %2").arg(even.worst).arg(flat.worst)));
            if (traffic.kind != Traffic::Kind::Ring) continue;
            for (std::size_t v = 0; v < flat.worstOfTarget.size(); ++v) // of the ways to it, not of others that leave there
                QVERIFY(std::abs(even.worstOfTarget[v] - flat.worstOfTarget[v]) <= 1e-9);
        }
    }
    // As fast together, but twice as many: flows are divided by links.
    void linksOfOtherSpeedsAreUneven() {
        SwitchGraph graph = switchGraphOf(*test::fabricOf("rail-optimized", {{"servers", "16"}, {"radix", "16"}}));
        for (auto& edge : graph.edges)
            if (edge.upper == graph.edges.front().upper) edge.links *= 2;
        QVERIFY(graph.regular && !leadsUpEvenly(graph));
    }
    // Whole switches lost: every group stays even, but pods no longer lead up alike; whatever way is taken has to be the flat one.
    void lostSwitchesAreNotEven() {
        int uneven = 0;
        for (const auto& [recipe, servers, radix] : {std::tuple("rail-optimized", "37", "8"), std::tuple("rail-optimized", "60", "8"),
                                                     std::tuple("fat-tree", "60", "16"), std::tuple("rail-only", "120", "8")})
            for (std::uint32_t seed = 1; seed <= 12; ++seed) {
                const FabricPointer intact = test::fabricOf(recipe, {{"servers", servers}, {"radix", radix}});
                std::vector<std::uint32_t> upper;
                for (const DeviceId d : intact->devices.ids())
                    if (intact->devices.kind[d] == DeviceKind::Switch && intact->devices.tier[d] != SwitchTier::Leaf) upper.push_back(d);
                std::mt19937 random(seed);
                std::vector<bool> lost(intact->devices.size());
                for (std::uint32_t i = 0; i < 1 + seed % 3; ++i) lost[upper[random() % upper.size()]] = true;
                const FabricPointer left = without(intact, lost, {});
                const SwitchGraph graph = switchGraphOf(*left);
                uneven += graph.regular && !leadsUpEvenly(graph);
                for (const Traffic& traffic :
                     {allPairs(*left, graph, false), allPairs(*left, graph, true), ring(*left, graph, 1), ring(*left, graph, 5)}) {
                    const RoutedLoad taken = routeTraffic(graph, traffic), flat = routeFlat(graph, traffic);
                    QCOMPARE(taken.connected, flat.connected);
                    QVERIFY2(
                        std::abs(taken.worst - flat.worst) <= 1e-9 * flat.worst,
                        qPrintable(QStringLiteral("%1 %2 %3: %4 %5").arg(recipe).arg(servers).arg(seed).arg(taken.worst).arg(flat.worst)));
                }
            }
        QVERIFY(uneven > 0);
    }
    // After failures: tier by tier as one destination after the other.
    void tiersEqualFlat() {
        for (const auto& [recipe, servers, radix] :
             {std::tuple("rail-optimized", "21", "16"), std::tuple("rail-optimized", "37", "8"), std::tuple("rail-optimized", "60", "8"),
              std::tuple("rail-only", "120", "8"), std::tuple("fat-tree", "30", "16"), std::tuple("rail-optimized", "5", "8")})
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                const FabricPointer intact = test::fabricOf(recipe, {{"servers", servers}, {"radix", radix}});
                Removal removal;
                drawLinks(*intact, 0.05, seed, removal);
                const FabricPointer worse = without(intact, {}, removal.links); // NICs without a leaf too
                const SwitchGraph fewer = switchGraphOf(*worse);
                for (const bool alongRails : {false, true}) {
                    const Traffic traffic = allPairs(*worse, fewer, alongRails);
                    const RoutedLoad tiers = routeByTiers(fewer, traffic), flat = routeFlat(fewer, traffic);
                    QCOMPARE(tiers.connected, flat.connected);
                    QVERIFY(std::abs(tiers.worst - flat.worst) <= 1e-9 * flat.worst);
                }
                for (const LinkId l : indices<LinkId>(removal.links.size())) // whole rings
                    if (intact->links.tier[l] == LinkTier::HostLeaf) removal.links[l] = false;
                const FabricPointer fabric = without(intact, {}, removal.links);
                const SwitchGraph graph = switchGraphOf(*fabric);
                for (const Traffic& traffic :
                     {allPairs(*fabric, graph, false), allPairs(*fabric, graph, true), ring(*fabric, graph, 1), ring(*fabric, graph, 5)}) {
                    const RoutedLoad tiers = routeByTiers(graph, traffic), flat = routeFlat(graph, traffic);
                    QCOMPARE(tiers.connected, flat.connected);
                    QVERIFY2(std::abs(tiers.worst - flat.worst) <= 1e-9 * flat.worst,
                             qPrintable(QStringLiteral("%1 %2").arg(tiers.worst).arg(flat.worst)));
                    const RoutedLoad withoutTargets = TrafficRouter(graph).route(traffic, false);
                    QCOMPARE(withoutTargets.worst, routeTraffic(graph, traffic).worst);
                    QCOMPARE(withoutTargets.connected, tiers.connected);
                    if (traffic.kind != Traffic::Kind::Ring) continue;
                    for (const NodeId v : graph.nodes())
                        QVERIFY(std::abs(tiers.worstOfTarget[v] - flat.worstOfTarget[v]) <= 1e-9 * flat.worst);
                }
            }
    }
    void failuresRaiseLoads() {
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "16"}, {"radix", "16"}});
        const SwitchGraph before = switchGraphOf(*intact);
        const auto removal = select(*intact, "spine[1]");
        QVERIFY(removal);
        const FabricPointer fabric = without(intact, removal->devices, {});
        const SwitchGraph after = switchGraphOf(*fabric);
        QVERIFY(routeFlat(after, allPairs(*fabric, after, false)).worst > routeFlat(before, allPairs(*intact, before, false)).worst * 1.05);
    }
    void separateRailsAreNotConnected() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "80"}});
        const SwitchGraph graph = switchGraphOf(*fabric);
        QVERIFY(!routeTraffic(graph, allPairs(*fabric, graph, false)).connected);
        QVERIFY(routeTraffic(graph, allPairs(*fabric, graph, true)).connected);
    }
};

QTEST_GUILESS_MAIN(tst_routing)
#include "tst_routing.moc"
