// Loads between switches: the fast way by tiers against one destination after the other, and closed forms.
#include "core/fabric/without.h"
#include "core/routing/switches/node_loads.h"
#include "core/routing/switches/stages.h"
#include "tests/support/designs.h"

#include <QTest>
#include <random>

using namespace railyard;

namespace {

NodeDemands everyNicToAll(const SwitchGraph& graph) {
    std::map<NodeId, double> nics;
    for (const auto& host : graph.hosts) nics[host.node] += 1;
    ProductDemand product;
    for (const auto& [node, count] : nics) product.from.push_back({node, count});
    product.to = product.from;
    return {{product}, {}};
}

double worstDifference(const NodeLoads& a, const NodeLoads& b) {
    double largest = 0, worst = 0;
    for (std::size_t e = 0; e < a.up.size(); ++e) {
        largest = std::max({largest, b.up[e], b.down[e]});
        worst = std::max({worst, std::abs(a.up[e] - b.up[e]), std::abs(a.down[e] - b.down[e])});
    }
    return worst / std::max(largest, 1e-300);
}

} // namespace

class tst_node_loads : public QObject {
    Q_OBJECT

private slots:
    void stagedEqualsOneByOne_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("set");
        QTest::addColumn<double>("failed");
        const std::pair<const char*, const char*> designs[] = {
            {"rail-optimized", "servers=24 radix=16"},
            {"rail-optimized", "servers=37 radix=8"},
            {"rail-optimized", "servers=60 radix=8"},
            {"rail-optimized", "servers=90 radix=8 oversubscription=3:1"},
            {"rail-only", "servers=120 radix=8"},
            {"fat-tree", "servers=40 radix=16"},
            {"rail-optimized", "servers=40 radix=16 nic_ports=2 planes=2"},
            {"rail-optimized", "servers=21 radix=16 leaf_down=8 leaf_up=4 uplink_gbps=800 spine_radix=8"}};
        for (const auto& [recipe, set] : designs)
            for (const double failed : {0.0, 0.03, 0.3}) QTest::addRow("%s %s %g", recipe, set, failed) << recipe << set << failed;
    }
    void stagedEqualsOneByOne() {
        QFETCH(QString, recipe);
        QFETCH(QString, set);
        QFETCH(double, failed);
        std::map<std::string, std::string> settings;
        for (const QString& each : set.split(QLatin1Char(' ')))
            settings[each.section(QLatin1Char('='), 0, 0).toStdString()] = each.section(QLatin1Char('='), 1).toStdString();
        const FabricPointer intact = test::fabricOf(recipe.toStdString(), settings);
        std::mt19937 random(7);
        for (int draw = 0; draw < (failed > 0 ? 4 : 1); ++draw) {
            std::vector<bool> dead(intact->links.size());
            for (const LinkId l : indices<LinkId>(dead.size()))
                dead[l] = intact->isNetworkLink(l) && std::uniform_real_distribution<>()(random) < failed;
            const FabricPointer fabric = without(intact, std::vector<bool>(intact->devices.size()), dead);
            const SwitchGraph graph = switchGraphOf(*fabric);
            QVERIFY(stagesOf(graph, Division::PerLink));
            NodeDemands demands = everyNicToAll(graph);
            for (int pair = 0; pair < 50; ++pair)
                demands.pairs.push_back({graph.hosts[random() % graph.hosts.size()].node, graph.hosts[random() % graph.hosts.size()].node,
                                         1.0 + static_cast<double>(random() % 100)});
            // What the NICs of a block send to each other is taken back, as for those of an HB domain.
            for (std::size_t begin = 0; begin + 24 <= graph.hosts.size(); begin += 24)
                for (std::size_t a = begin; a < begin + 24; ++a)
                    for (std::size_t b = begin; b < begin + 24; ++b)
                        demands.pairs.push_back({graph.hosts[a].node, graph.hosts[b].node, -1});
            demands.pairs = mergedPairs(std::move(demands.pairs));
            for (const Division division : {Division::PerLink, Division::PerCapacity}) {
                const NodeLoads staged = loadsBetweenNodes(graph, demands, division), plain = loadsOneByOne(graph, demands, division);
                QVERIFY2(worstDifference(staged, plain) < 1e-12, qPrintable(QString::number(worstDifference(staged, plain))));
                QCOMPARE(staged.unreachable, plain.unreachable);
            }
        }
    }
    // Two leaves of 16 NICs, two spines: half of what each sends to the other goes over either spine.
    void closedForm() {
        const FabricPointer fabric = test::fabricOf("fat-tree", {{"servers", "4"}, {"radix", "32"}, {"tiers", "2"}});
        const SwitchGraph graph = switchGraphOf(*fabric);
        const NodeLoads loads = loadsBetweenNodes(graph, everyNicToAll(graph), Division::PerLink);
        double up = 0, down = 0;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            QCOMPARE(loads.up[e], loads.down[e]);
            up += loads.up[e];
            down += loads.down[e];
        }
        QCOMPARE(up, 2.0 * 16 * 16);
        QCOMPARE(down, 2.0 * 16 * 16);
    }
};

QTEST_GUILESS_MAIN(tst_node_loads)
#include "tst_node_loads.moc"
