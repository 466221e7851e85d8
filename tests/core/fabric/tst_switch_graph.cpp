#include "core/fabric/switch_graph.h"

#include "core/fabric/without.h"
#include "tests/support/designs.h"

#include <algorithm>
#include <map>
#include <set>

using namespace railyard;

class tst_switch_graph : public QObject {
    Q_OBJECT

private slots:
    void edgesAndGroups_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("servers");
        QTest::newRow("two tiers") << "rail-optimized"
                                   << "100";
        QTest::newRow("three tiers") << "rail-optimized"
                                     << "700";
        QTest::newRow("rails apart") << "rail-only"
                                     << "300";
        QTest::newRow("fat tree") << "fat-tree"
                                  << "90";
        QTest::newRow("planes") << "hpn-pod"
                                << "";
        QTest::newRow("pods") << "aipod"
                              << "300";
    }
    // Against a map of all links and sets that are joined until none changes, intact and with ever more links taken out.
    void edgesAndGroups() {
        QFETCH(QString, recipe);
        QFETCH(QString, servers);
        const FabricPointer intact = test::fabricOf(
            recipe.toStdString(), servers.isEmpty() ? test::Parameters{} : test::Parameters{{"servers", servers.toStdString()}});
        test::Random random{7};
        for (const int perMille : {0, 1, 30, 300, 900}) {
            std::vector<bool> removed(intact->links.size());
            for (const LinkId l : intact->links.ids()) removed[l] = intact->isNetworkLink(l) && random.below(1000) < perMille;
            const FabricPointer fabric = without(intact, std::vector<bool>(intact->devices.size()), removed);
            check(*fabric, switchGraphOf(*fabric));
        }
    }

    // Links of few switches in any order: the same uplinks twice, of one switch in several places, of other speeds.
    void anyOrderOfLinks() {
        const FabricPointer whole = test::fabricOf("rail-optimized", {{"servers", "100"}});
        const std::vector<DeviceId> switches = switchesOf(whole->devices);
        int repeated = 0;
        for (int seed = 1; seed <= 400; ++seed) {
            test::Random random{static_cast<std::uint64_t>(seed)};
            Fabric fabric = *whole;
            fabric.links = {};
            fabric.speeds = {Bandwidth(1e11), Bandwidth(4e11)};
            std::vector<std::pair<DeviceId, std::uint8_t>> last; // uppers and speeds
            for (int stretch = 0; stretch < 8; ++stretch) {
                const DeviceId lower = switches[static_cast<std::size_t>(random.below(5))];
                if (last.empty() || random.below(3) == 0) {
                    last.clear();
                    for (int links = 1 + random.below(5); links > 0; --links)
                        last.emplace_back(switches[static_cast<std::size_t>(5 + random.below(4))], random.below(4) == 0);
                } else if (random.below(3) == 0) {
                    last.back().second ^= 1U;
                } else {
                    ++repeated;
                }
                for (const auto& [upper, speed] : last) fabric.links.append(lower, PortId(1), upper, PortId(1), LinkTier::LeafSpine, speed);
                if (random.below(8) == 0) fabric.links.append(lower, PortId(1), lower, PortId(1), LinkTier::Pcie, 0);
            }
            check(fabric, switchGraphOf(fabric));
            if (QTest::currentTestFailed()) QFAIL(qPrintable(QString::number(seed)));
        }
        QVERIFY(repeated > 1000);
    }

private:
    static void check(const Fabric& fabric, const SwitchGraph& graph) {
        const By<DeviceId, NodeId> nodeOf = nodesOfDevices(fabric, graph);
        struct Parallel {
            int links = 0;
            Bandwidth capacity;
        };
        std::map<std::pair<std::uint32_t, std::uint32_t>, Parallel> expected;
        for (const LinkId l : fabric.links.ids()) {
            const NodeId lower = nodeOf[fabric.links.a[l]], upper = nodeOf[fabric.links.b[l]];
            if (lower == none || upper == none || !fabric.isNetworkLink(l)) continue;
            Parallel& own = expected[{lower, upper}];
            ++own.links;
            own.capacity += fabric.speedOf(l);
        }
        QCOMPARE(graph.edges.size(), expected.size());
        auto at = expected.begin();
        std::vector<Bandwidth> uplink(graph.device.size());
        for (const SwitchGraph::Edge& edge : graph.edges) {
            QVERIFY(at->first == std::pair(std::uint32_t{edge.lower}, std::uint32_t{edge.upper}));
            QVERIFY(at->second.links == edge.links && at->second.capacity == edge.capacity);
            uplink[edge.lower] += edge.capacity;
            ++at;
        }
        std::size_t edges = 0;
        for (const NodeId v : graph.nodes()) {
            QCOMPARE(inGbps(graph.uplink[v]), inGbps(uplink[v]));
            for (const SwitchGraph::Edge& edge : graph.edgesAbove(v)) QCOMPARE(edge.lower, v);
            edges += graph.edgesAbove(v).size();
        }
        QCOMPARE(edges, expected.size());
        checkGroups(graph);
    }
    // Switches whose uplinks meet are in one group, and no others.
    static void checkGroups(const SwitchGraph& graph) {
        std::vector<std::uint32_t> ofLower(graph.device.size(), none), ofUpper(graph.device.size(), none);
        for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
            std::uint32_t& lower = ofLower[graph.edges[e].lower];
            lower = std::min(lower, e);
        }
        for (bool isChanged = true; isChanged;) {
            isChanged = false;
            for (const SwitchGraph::Edge& edge : graph.edges) {
                std::uint32_t &lower = ofLower[edge.lower], &upper = ofUpper[edge.upper];
                if (lower == upper) continue;
                lower = upper = std::min(lower, upper);
                isChanged = true;
            }
        }
        std::set<std::uint32_t> names(ofLower.begin(), ofLower.end());
        names.erase(none);
        QCOMPARE(graph.groups.size(), names.size());
        bool areAllRegular = true;
        for (std::size_t g = 0; g < graph.groups.size(); ++g) {
            const SwitchGraph::Group& group = graph.groups[g];
            const std::uint32_t name = ofLower[group.lowers.front()];
            std::vector<NodeId> lowers, uppers; // in the order of the edges
            std::set<double> capacities;
            std::size_t edges = 0;
            for (const SwitchGraph::Edge& edge : graph.edges) {
                if (ofLower[edge.lower] != name) continue;
                ++edges;
                capacities.insert(edge.capacity.value());
                if (lowers.empty() || lowers.back() != edge.lower) lowers.push_back(edge.lower);
                if (std::find(uppers.begin(), uppers.end(), edge.upper) == uppers.end()) uppers.push_back(edge.upper);
            }
            QCOMPARE(group.lowers, lowers);
            QCOMPARE(group.uppers, uppers);
            const bool isRegular = capacities.size() == 1 && edges == lowers.size() * uppers.size();
            QCOMPARE(group.regular, isRegular);
            areAllRegular = areAllRegular && isRegular;
            for (const NodeId v : lowers) QCOMPARE(graph.groupAbove[v], static_cast<std::uint32_t>(g));
            for (const NodeId v : uppers) QCOMPARE(graph.groupBelow[v], static_cast<std::uint32_t>(g));
        }
        for (const NodeId v : graph.nodes()) {
            QCOMPARE(graph.groupAbove[v] == none, ofLower[v] == none);
            QCOMPARE(graph.groupBelow[v] == none, ofUpper[v] == none);
        }
        QCOMPARE(graph.regular, areAllRegular);
    }
};

QTEST_GUILESS_MAIN(tst_switch_graph)
#include "tst_switch_graph.moc"
