#include "core/bisection/bisection.h"
#include "core/bisection/bounds/degraded/hb_bound.h"
#include "core/bisection/bounds/degraded/regular_parts.h"
#include "core/bisection/bounds/degraded/regular_spread.h"
#include "core/bisection/bounds/degraded/reroute_bound.h"
#include "core/bisection/bounds/degraded/spread_bound.h"
#include "core/bisection/bounds/hose_bound.h"
#include "core/bisection/bounds/pod_bound.h"
#include "core/bisection/bounds/tree_bound.h"
#include "core/bisection/problem/lower_bound.h"
#include "core/bisection/witness/balanced_cut.h"
#include "core/bisection/witness/max_flow.h"
#include "core/design/edits/edit.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#pragma GCC diagnostic pop

#include <numeric>

using namespace railyard;
using test::bruteForce;
using test::Parameters;

namespace {

double boostMaxFlow(int nodes, const std::vector<std::tuple<int, int, double>>& edges) {
    using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                        boost::property<boost::edge_capacity_t, double,
                                                        boost::property<boost::edge_residual_capacity_t, double,
                                                                        boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;
    Graph g(static_cast<std::size_t>(nodes));
    const auto arc = [&](int u, int v, double c) { // each direction its own zero-capacity reverse
        const auto e = boost::add_edge(u, v, g).first, r = boost::add_edge(v, u, g).first;
        boost::put(boost::edge_capacity, g, e, c);
        boost::put(boost::edge_capacity, g, r, 0.0);
        boost::put(boost::edge_reverse, g, e, r);
        boost::put(boost::edge_reverse, g, r, e);
    };
    for (const auto& [u, v, c] : edges) arc(u, v, c), arc(v, u, c);
    return boost::push_relabel_max_flow(g, 0, 1);
}

} // namespace

class tst_bisection : public QObject {
    Q_OBJECT

private slots:
    void flowAgreesWithBoost() {
        test::Random random{11};
        for (int round = 0; round < 1000; ++round) {
            const int nodes = 3 + random.below(12);
            std::vector<std::tuple<int, int, double>> edges;
            for (int e = random.below(40); e >= 0; --e) {
                const int u = random.below(nodes), v = random.below(nodes);
                if (u != v) edges.emplace_back(u, v, 1 + random.below(50));
            }
            MaxFlow flow(static_cast<std::uint32_t>(nodes));
            for (const auto& [u, v, c] : edges) flow.addEdge(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v), Bandwidth(c));
            QCOMPARE(flow.run(0, 1).value(), boostMaxFlow(nodes, edges));
        }
    }

    void boundsHoldTheExactValue_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<Parameters>("parameters");
        QTest::addColumn<bool>("mustCertify"); // key server
        const Parameters ends{{"gpus_per_server", "1"}, {"nics_per_server", "1"}, {"radix", "4"}};
        const auto with = [&](Parameters more) {
            more.insert(ends.begin(), ends.end());
            return more;
        };
        QTest::newRow("Clos of 8") << "fat-tree" << with({{"servers", "8"}}) << true;
        QTest::newRow("Clos of 12, three tiers") << "fat-tree" << with({{"servers", "12"}}) << true;
        QTest::newRow("odd count") << "fat-tree" << with({{"servers", "7"}}) << true;
        QTest::newRow("one leaf") << "fat-tree" << with({{"servers", "4"}}) << true;
        QTest::newRow("2:1, leaves (4,4,4)") << "fat-tree" << with({{"servers", "12"}, {"radix", "6"}, {"oversubscription", "2:1"}})
                                             << true;
        QTest::newRow("2:1, partial") << "fat-tree" << with({{"servers", "10"}, {"radix", "6"}, {"oversubscription", "2:1"}}) << true;
        QTest::newRow("rail-optimized") << "rail-optimized"
                                        << Parameters{{"servers", "10"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "8"}}
                                        << true;
        QTest::newRow("two rails, leaves (4,2)")
            << "rail-optimized" << Parameters{{"servers", "6"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"},
                                              {"radix", "6"},   {"leaf_down", "4"},       {"leaf_up", "2"}}
            << true;
        QTest::newRow("rail-only") << "rail-only"
                                   << Parameters{{"servers", "7"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "4"}}
                                   << true;
        QTest::newRow("rail-only, odd rails")
            << "rail-only" << Parameters{{"servers", "4"}, {"gpus_per_server", "3"}, {"nics_per_server", "3"}, {"radix", "4"}} << true;
        // Three tiers, oversubscribed between pods, pods of two leaves; the last pod is partial at some sizes.
        for (const char* servers : {"7", "9", "10", "12", "13"})
            for (const char* core : {"1:1", "2:1", "5:1"})
                QTest::addRow("core %s, %s servers", core, servers) << "fat-tree"
                                                                    << with({{"servers", servers},
                                                                             {"leaf_down", "2"},
                                                                             {"leaf_up", "2"},
                                                                             {"radix", "6"},
                                                                             {"tiers", "3"},
                                                                             {"pod_servers", "4"},
                                                                             {"core_oversubscription", core}})
                                                                    << true;
        for (const char* servers : {"5", "6", "7"}) // SUs of three leaves, pods of four: every other SU spans two pods
            QTest::addRow("SUs over two pods, %s servers", servers)
                << "rail-optimized"
                << Parameters{{"servers", servers}, {"gpus_per_server", "3"}, {"nics_per_server", "3"}, {"leaf_down", "2"},
                              {"leaf_up", "2"},     {"radix", "6"},           {"tiers", "3"},           {"core_oversubscription", "2:1"}}
                << true;
        const Parameters dual{{"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"nic_ports", "2"}, {"planes", "2"}, {"radix", "4"}};
        for (const char* servers : {"4", "6", "7"})
            for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree"}) {
                Parameters sized = dual;
                sized["servers"] = servers;
                QTest::addRow("two planes, %s of %s", recipe, servers) << recipe << sized << true;
            }
        Parameters thin = dual;
        thin["servers"] = "6";
        thin["radix"] = "6";
        thin["oversubscription"] = "2:1";
        QTest::newRow("two planes at 2:1") << "rail-optimized" << thin << true;
        QTest::newRow("fewer NICs than GPUs")
            << "rail-optimized" << Parameters{{"servers", "6"}, {"gpus_per_server", "2"}, {"nics_per_server", "1"}, {"radix", "4"}} << true;
    }
    void boundsHoldTheExactValue() {
        QFETCH(QString, recipe);
        QFETCH(Parameters, parameters);
        QFETCH(bool, mustCertify);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), parameters);
        for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
            const Bisection found = bisection(*fabric, key);
            if (found.sideA.size() > 14) continue;
            const double exact = bruteForce(*fabric, key);
            const std::string at = std::string(toText(key)) + ": " + std::to_string(found.lowerGbps) + " <= " + std::to_string(exact) +
                                   " <= " + std::to_string(found.upperGbps);
            QVERIFY2(found.lowerGbps <= exact * (1 + 1e-9) && exact <= found.upperGbps * (1 + 1e-9), at.c_str());
            if (found.certified) QVERIFY2(std::abs(found.upperGbps - exact) <= 1e-6, at.c_str());
            if (key == BisectionKey::Server && mustCertify) QVERIFY2(found.certified, at.c_str());
            // The certificates by themselves: these designs are small enough to be certified by trying everything.
            const SwitchGraph graph = switchGraphOf(*fabric);
            const Endpoints ends = endpointsOf(*fabric, graph, key);
            const double hose = inGbps(hoseBound(*fabric, graph, ends, key).value);
            const double tree =
                key == BisectionKey::GpuWithHb ? 0 : inGbps(std::max(treeBound(graph, ends).value, podBound(graph, ends).lower.value));
            QVERIFY2(std::max(hose, tree) <= exact * (1 + 1e-9), at.c_str());
            if (key == BisectionKey::Server && mustCertify) QCOMPARE(std::max(hose, tree), exact);
        }
    }
    // Whole and partial, oversubscribed at either tier, pods that divide an SU: what a recipe builds evenly is certified.
    void regularFabricsAreCertified() {
        const auto certified = [](const char* recipe, const Parameters& parameters) {
            const FabricPointer fabric = test::fabricOf(recipe, parameters);
            for (const Bisection& b : bisections(*fabric))
                QVERIFY2(b.certified, (std::string(recipe) + " " + parameters.at("servers") + ": " + std::to_string(b.lowerGbps) + " … " +
                                       std::to_string(b.upperGbps) + " " + b.method)
                                          .c_str());
        };
        for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree"}) {
            for (const char* servers : {"31", "50", "128", "300"})
                for (const char* ratio : {"1:1", "2:1", "3:1"}) certified(recipe, {{"servers", servers}, {"oversubscription", ratio}});
            for (const char* servers : {"300", "600"})
                for (const char* ratio : {"2:1", "3:1", "7:1"})
                    certified(recipe, {{"servers", servers}, {"core_oversubscription", ratio}, {"radix", "32"}});
            for (const char* servers : {"64", "100"})
                certified(recipe, {{"servers", servers}, {"nic_ports", "2"}, {"planes", "2"}, {"oversubscription", "2:1"}});
        }
    }
    // Three and four tiers with oversubscription at the core, partial pods and blocks, two planes: exact by tables.
    void treesOfPodsAndBlocksAreExact() {
        test::Random random{44};
        const std::array radices{"4", "5", "6", "7", "8"}, ratios{"1:1", "2:1", "3:1", "3:2", "1:2"};
        int exact = 0, inFour = 0;
        for (int round = 0; round < 400; ++round) {
            const auto any = [&](const auto& list) {
                return std::string(list[static_cast<std::size_t>(random.below(static_cast<int>(list.size())))]);
            };
            const std::string gpus = random.below(3) == 0 ? "2" : "1";
            Parameters parameters{{"servers", std::to_string(3 + random.below(9))},
                                  {"gpus_per_server", gpus},
                                  {"nics_per_server", gpus},
                                  {"radix", any(radices)},
                                  {"tiers", random.below(4) ? "4" : "3"},
                                  {"core_oversubscription", any(ratios)}};
            if (random.below(2)) parameters["oversubscription"] = any(ratios);
            if (random.below(4) == 0) parameters["planes"] = parameters["nic_ports"] = "2";
            const auto built = build({random.below(2) ? "fat-tree" : "rail-optimized", parameters}, "test", shippedCatalog());
            if (!built) continue;
            FabricPointer fabric = elaborate(std::make_shared<const Design>(*built));
            if (random.below(4) == 0) { // one cable of a server less: some endpoints stand in no star
                Removal removal;
                drawLinks(*fabric, 0.03, random.next(), removal);
                for (const LinkId l : indices<LinkId>(removal.links.size()))
                    removal.links[l] = removal.links[l] && fabric->links.tier[l] == LinkTier::HostLeaf;
                fabric = without(fabric, {}, removal.links);
            }
            for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly}) {
                const BisectionProblem q = problemOf(*fabric, key);
                if (q.ends.size() < 2 || q.ends.size() > 11) continue;
                const double bound = inGbps(podBound(q.graph, q.ends).lower.value), real = bruteForce(*fabric, key);
                QVERIFY2(bound <= real + 1e-6, qPrintable(QStringLiteral("round %1: %2 > %3").arg(round).arg(bound).arg(real)));
                exact += bound > 0 && bound >= real - 1e-6 ? 1 : 0;
                inFour += bound > 0 && std::count(q.graph.tier.begin(), q.graph.tier.end(), SwitchTier::Core) > 0 ? 1 : 0;
            }
        }
        QVERIFY2(exact > 300, qPrintable(QString::number(exact)));
        QVERIFY2(inFour > 150, qPrintable(QString::number(inFour)));
    }

    // An odd number of HB domains: half of the GPUs are half of one domain.
    void oneHbDomainIsHalved() {
        test::Random random{45};
        const std::array radices{"4", "5", "6", "7", "8"}, ratios{"1:1", "2:1", "3:1", "3:2", "1:2"};
        int exact = 0;
        for (int round = 0; round < 300; ++round) {
            const auto any = [&](const auto& list) {
                return std::string(list[static_cast<std::size_t>(random.below(static_cast<int>(list.size())))]);
            };
            Parameters parameters{{"servers", std::to_string(3 + 2 * random.below(3))},
                                  {"gpus_per_server", "2"},
                                  {"nics_per_server", "2"},
                                  {"radix", any(radices)},
                                  {"tiers", random.below(3) ? "3" : "4"},
                                  {"core_oversubscription", any(ratios)},
                                  {"oversubscription", any(ratios)},
                                  {"su_servers", std::to_string(1 + random.below(3))}};
            if (random.below(3) == 0) parameters["planes"] = parameters["nic_ports"] = "2";
            if (random.below(2)) parameters["pod_servers"] = std::to_string(1 + random.below(4));
            const auto built = build({random.below(2) ? "fat-tree" : "rail-optimized", parameters}, "test", shippedCatalog());
            if (!built) continue;
            const FabricPointer fabric = elaborate(std::make_shared<const Design>(*built));
            const BisectionProblem domains = problemOf(*fabric, BisectionKey::Server);
            const PodBound bound = podBound(domains.graph, domains.ends, true);
            if (bound.sideA.empty()) continue;
            QVERIFY(bound.halved < domains.ends.size());
            const double real = bruteForce(*fabric, BisectionKey::GpuWithHb);
            QVERIFY2(std::abs(inGbps(bound.lower.value) - real) < 1e-6,
                     qPrintable(QStringLiteral("round %1: %2, exactly %3").arg(round).arg(inGbps(bound.lower.value)).arg(real)));
            ++exact;
        }
        QVERIFY2(exact > 60, qPrintable(QString::number(exact)));
    }
    // Odd numbers of servers, SUs that span pods, a last SU that leaves no common step: larger than can be tried out.
    void oddFabricsOversubscribedAtTheCoreAreCertified() {
        for (const Parameters& parameters :
             {Parameters{{"servers", "777"}, {"radix", "27"}, {"core_oversubscription", "2:1"}, {"planes", "2"}, {"nic_ports", "2"}},
              Parameters{{"servers", "8192"}, {"core_oversubscription", "3:1"}, {"oversubscription", "2:1"}},
              Parameters{{"servers", "2049"}, {"radix", "32"}, {"core_oversubscription", "3:1"}}}) {
            const FabricPointer fabric = test::fabricOf("rail-optimized", parameters);
            for (const Bisection& b : bisections(*fabric)) QVERIFY2(b.certified, b.method.c_str());
        }
    }

    // About 65,536 GPUs with oversubscription at the core, every key; whole SUs of 42 servers in the second.
    void largeFabricsOversubscribedAtTheCoreAreCertified() {
        for (const Parameters& parameters : {Parameters{{"servers", "8192"}, {"core_oversubscription", "2:1"}},
                                             Parameters{{"servers", "8064"}, {"core_oversubscription", "3:1"}, {"oversubscription", "2:1"}},
                                             Parameters{{"servers", "2000"}, {"radix", "32"}, {"core_oversubscription", "3:1"}}}) {
            const FabricPointer fabric = test::fabricOf("rail-optimized", parameters);
            for (const Bisection& found : bisections(*fabric)) QVERIFY2(found.certified, found.method.c_str());
        }
    }

    void boundsHoldUnderFailures() {
        test::Random random{5};
        for (int round = 0; round < 40; ++round) {
            const bool railOnly = round % 2;
            const FabricPointer intact = test::fabricOf(
                railOnly ? "rail-only" : "rail-optimized",
                {{"servers", std::to_string(4 + random.below(6))}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "4"}});
            Removal removal;
            drawLinks(*intact, 0.05 + 0.2 * random.below(3), random.next(), removal);
            const FabricPointer fabric = without(intact, {}, removal.links);
            const Bisection found = bisection(*fabric, BisectionKey::Server), before = bisection(*intact, BisectionKey::Server);
            const double exact = bruteForce(*fabric, BisectionKey::Server);
            QVERIFY2(found.lowerGbps <= exact + 1e-6, std::to_string(round).c_str());
            QVERIFY(exact <= found.upperGbps + 1e-6);
            QVERIFY(found.upperGbps <= before.upperGbps + 1e-6);
        }
    }

    // The bound of spread flows by itself, against every partition: two and three tiers, several networks, dead switches.
    void spreadFlowsNeverExceedTheExactValue() {
        test::Random random{11};
        std::array<int, 2> spoke{}, tight{};
        for (int round = 0; round < 240; ++round) {
            const char* recipe = round % 3 == 0 ? "rail-only" : round % 3 == 1 ? "rail-optimized" : "fat-tree";
            test::Parameters parameters{
                {"servers", std::to_string(4 + random.below(8))}, {"radix", "4"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}};
            if (round % 3 != 2) parameters["gpus_per_server"] = parameters["nics_per_server"] = "2";
            if (random.below(2) == 0) parameters["radix"] = "8";
            const FabricPointer intact = test::fabricOf(recipe, parameters);
            Removal removal;
            drawLinks(*intact, 0.02 + 0.06 * random.below(5), random.next(), removal);
            if (random.below(3) == 0) {
                removal.devices.resize(intact->devices.size());
                for (const DeviceId d : intact->devices.ids())
                    if (intact->devices.kind[d] == DeviceKind::Switch && random.below(6) == 0) removal.devices[d] = true;
            }
            const FabricPointer fabric = without(intact, removal.devices, removal.links);
            for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly}) {
                const BisectionProblem before = problemOf(*intact, key), now = problemOf(*fabric, key);
                if (now.ends.size() > 12 || now.ends.size() < 2) continue;
                const auto spread = regularSpreadOf(now, before, nodesOfIntact(now, before));
                if (!spread) continue;
                const double exact = bruteForce(*fabric, key);
                const LowerBound bounds[] = {spreadBound(*spread).lower, rerouteBound(*spread)};
                for (int b = 0; b < 2; ++b) {
                    const double bound = inGbps(bounds[b].value);
                    QVERIFY2(
                        bound <= exact + 1e-6,
                        (bounds[b].method + std::to_string(round) + " " + std::to_string(bound) + " " + std::to_string(exact)).c_str());
                    spoke[b] += bound > 0 ? 1 : 0;
                    tight[b] += bound > 0 && bound >= exact * 0.8 ? 1 : 0;
                }
            }
        }
        const std::array<int, 2> mostlySpeaks{200, 110}, oftenTight{60, 30}; // the second knows two and three tiers only
        for (int b = 0; b < 2; ++b)
            QVERIFY2(spoke[b] >= mostlySpeaks[b] && tight[b] >= oftenTight[b],
                     (std::to_string(spoke[b]) + " " + std::to_string(tight[b])).c_str());
    }

    // Fabrics that were drawn uneven, with nothing known of what they were before.
    void theEvenFabricAroundNeverSaysTooMuch() {
        test::Random random{21};
        std::array<int, 3> spoke{}, tight{};
        for (int round = 0; round < 300; ++round) {
            const char* recipe = round % 3 == 0 ? "rail-only" : round % 3 == 1 ? "rail-optimized" : "fat-tree";
            test::Parameters parameters{
                {"servers", std::to_string(4 + random.below(8))}, {"radix", "4"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}};
            if (round % 3 != 2) parameters["gpus_per_server"] = parameters["nics_per_server"] = "2";
            if (random.below(2) == 0) parameters["radix"] = "8";
            if (random.below(4) == 0) parameters["oversubscription"] = "3:1";
            const FabricPointer regular = test::fabricOf(recipe, parameters);
            Removal removal;
            drawLinks(*regular, 0.02 + 0.05 * random.below(4), random.next(), removal);
            removal.devices.resize(regular->devices.size());
            for (const DeviceId d : regular->devices.ids())
                removal.devices[d] = regular->devices.kind[d] == DeviceKind::Switch && random.below(12) == 0;
            const FabricPointer fabric = without(regular, removal.devices, removal.links);
            for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly}) {
                const BisectionProblem q = problemOf(*fabric, key);
                if (q.ends.size() > 12 || q.ends.size() < 2) continue;
                const auto whole = regularHull(q);
                if (!whole) continue;
                const double exact = bruteForce(*fabric, key);
                const Bandwidth hose = hoseBound(*fabric, whole->problem.graph, q.ends, key).value;
                const Bandwidth ofHull = std::max(hose, treeBound(whole->problem.graph, q.ends).value) - whole->missing;
                By<NodeId, NodeId> same(q.graph.device.size());
                std::iota(same.begin(), same.end(), NodeId(0));
                const auto spread = regularSpreadOf(q, whole->problem, same);
                const std::array bounds{ofHull, spread ? spreadBound(*spread).lower.value : Bandwidth(),
                                        spread ? rerouteBound(*spread).value : Bandwidth()};
                for (std::size_t b = 0; b < bounds.size(); ++b) {
                    const double bound = inGbps(bounds[b]);
                    QVERIFY2(bound <= exact + 1e-6,
                             qPrintable(QStringLiteral("%1 in round %2: %3 > %4").arg(b).arg(round).arg(bound).arg(exact)));
                    spoke[b] += bound > 0 ? 1 : 0;
                    tight[b] += bound > 0 && bound >= exact * 0.8 ? 1 : 0;
                }
            }
        }
        for (std::size_t b = 0; b < spoke.size(); ++b)
            QVERIFY2(spoke[b] >= 40 && tight[b] >= 15, qPrintable(QStringLiteral("%1: %2, %3").arg(b).arg(spoke[b]).arg(tight[b])));
    }

    // GPUs that lost NICs, in domains with a fast HB fabric: partitions of whole domains that are not quite halves stand for
    // all partitions of GPUs.
    void wholeDomainsNotQuiteHalvesNeverSayTooMuch() {
        test::Random random{33};
        int spoke = 0, tight = 0;
        for (int round = 0; round < 600; ++round) {
            const char* recipe = round % 3 == 0 ? "rail-only" : round % 3 == 1 ? "rail-optimized" : "fat-tree";
            const bool pairs = random.below(2) == 0;
            const std::string size = pairs ? "2" : "4";
            const FabricPointer intact =
                test::fabricOf(recipe, {{"servers", std::to_string(pairs ? 3 + random.below(4) : 2 + random.below(2))},
                                        {"radix", pairs && round % 3 != 2 && random.below(2) == 0 ? "4" : "8"},
                                        {"gpus_per_server", size},
                                        {"nics_per_server", size},
                                        {"hb_gbps", "1600"}});
            Removal removal;
            removal.links.resize(intact->links.size());
            const int often = 3 + random.below(6);
            for (const LinkId l : indices<LinkId>(removal.links.size()))
                removal.links[l] = intact->links.tier[l] == LinkTier::HostLeaf
                                       ? random.below(often) == 0
                                       : intact->links.tier[l] == LinkTier::LeafSpine && random.below(30) == 0;
            const FabricPointer fabric = without(intact, {}, removal.links);
            const BisectionProblem q = problemOf(*fabric, BisectionKey::GpuWithHb);
            const auto imbalance = imbalanceOfDomains(*fabric, q.ends);
            if (!imbalance || q.ends.size() > 12) continue;
            const BisectionProblem before = problemOf(*intact, BisectionKey::Server), now = problemOf(*fabric, BisectionKey::Server);
            const auto spread = regularSpreadOf(now, before, nodesOfIntact(now, before));
            if (!spread) continue;
            const double exact = bruteForce(*fabric, BisectionKey::GpuWithHb), bound = inGbps(rerouteBound(*spread, imbalance).value);
            QVERIFY2(bound <= exact + 1e-6, qPrintable(QStringLiteral("round %1: %2 > %3").arg(round).arg(bound).arg(exact)));
            spoke += bound > 0 ? 1 : 0;
            tight += bound > 0 && bound >= exact * 0.5 ? 1 : 0;
        }
        QVERIFY2(spoke >= 60 && tight >= 8, qPrintable(QStringLiteral("%1, %2").arg(spoke).arg(tight)));
    }

    // A link less in a large fabric is one link less across it, and is said for certain, failed or drawn so.
    void oneLinkLessIsCertified() {
        const FabricPointer intact = test::fabricOf("superpod-h100", {{"servers", "2048"}});
        const double half = bisection(*intact, BisectionKey::Server).upperGbps;
        for (const LinkTier tier : {LinkTier::LeafSpine, LinkTier::SpineSuperspine}) {
            const auto first = std::find(intact->links.tier.begin(), intact->links.tier.end(), tier);
            if (first == intact->links.tier.end()) continue;
            std::vector<bool> gone(intact->links.size());
            gone[static_cast<std::size_t>(first - intact->links.tier.begin())] = true;
            const FabricPointer fabric = without(intact, {}, gone);
            for (const FabricPointer& each : {fabric, test::asDrawn(*fabric)}) {
                const Bisection b = bisection(*each, BisectionKey::Server);
                QVERIFY2(b.certified, b.method.c_str());
                QVERIFY(std::abs(b.upperGbps - (half - 400)) < 1e-6);
            }
        }
    }

    // The same for a superspine less: every path over it is lost, and nothing else.
    void oneTopSwitchLessIsCertified() {
        const FabricPointer intact = test::fabricOf("superpod-h100", {{"servers", "2048"}});
        const auto removal = select(*intact, "superspine[1]");
        QVERIFY(removal);
        const FabricPointer fabric = without(intact, removal->devices, removal->links);
        for (const FabricPointer& each : {fabric, test::asDrawn(*fabric)}) {
            const Bisection b = bisection(*each, BisectionKey::Server);
            QVERIFY2(b.certified, b.method.c_str());
        }
    }

    // What architects are told after failures has to be narrow at full size too; for servers see tst_sides_bound.
    void intervalAfterOnePercentFailed() {
        const FabricPointer intact = test::fabricOf("superpod-h100", {{"servers", "8192"}});
        Removal removal;
        drawLinks(*intact, 0.01, 1, removal);
        const FabricPointer fabric = without(intact, {}, removal.links);
        for (const Bisection& found : bisections(*fabric))
            QVERIFY2(found.upperGbps - found.lowerGbps <= 0.02 * found.upperGbps,
                     std::to_string(found.lowerGbps / found.upperGbps).c_str());
    }

    // Small fabrics of random wiring have no certificate but the enumeration, which must agree with the plain one.
    void everyPartitionIsExact() {
        test::Random random{9};
        int certified = 0;
        for (int round = 0; round < 30; ++round) {
            const FabricPointer intact = test::fabricOf(
                "rail-optimized",
                {{"servers", std::to_string(3 + random.below(5))}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "4"}});
            Removal removal;
            drawLinks(*intact, 0.3, random.next(), removal);
            const FabricPointer fabric = without(intact, {}, removal.links);
            for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
                const Bisection b = bisection(*fabric, key);
                if (b.sideA.size() > 14) continue;
                QVERIFY2(std::abs(b.upperGbps - bruteForce(*fabric, key)) <= 1e-6, b.method.c_str());
                certified += b.certified ? 1 : 0;
            }
        }
        QVERIFY(certified >= 60);
    }
    // Where the HB fabric is fast, GPUs and whole domains have one bisection.
    void fastHbFabricsKeepDomainsWhole() {
        int cheapest = 0;
        for (const char* hb : {"300", "800", "1200", "3600"})
            for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree"})
                for (const char* ratio : {"1:1", "3:1"}) {
                    const FabricPointer fabric = test::fabricOf(recipe, {{"servers", "6"},
                                                                         {"gpus_per_server", "2"},
                                                                         {"nics_per_server", "2"},
                                                                         {"radix", "4"},
                                                                         {"hb_gbps", hb},
                                                                         {"oversubscription", ratio}});
                    const SwitchGraph graph = switchGraphOf(*fabric);
                    const auto loss = shortOfWholeDomains(*fabric, endpointsOf(*fabric, graph, BisectionKey::GpuWithHb));
                    if (!loss) continue;
                    QCOMPARE(loss->value(), 0.0);
                    ++cheapest;
                    QVERIFY(std::abs(bruteForce(*fabric, BisectionKey::GpuWithHb) - bruteForce(*fabric, BisectionKey::Server)) < 1e-6);
                }
        QCOMPARE(cheapest, 18); // from 800 Gb/s, twice a NIC
    }
    void oddSizesAreCertifiedToo() {
        for (const char* servers : {"3", "31", "127"})
            for (const char* recipe : {"rail-optimized", "rail-only"}) {
                const FabricPointer fabric = test::fabricOf(recipe, {{"servers", servers}});
                const Bisection b = bisection(*fabric, BisectionKey::GpuWithHb);
                QVERIFY2(b.certified, (std::string(recipe) + servers + b.method).c_str());
                QCOMPARE(*b.fractionOfInjection, 1.0);
            }
    }
    void boundsAreNumbers() { // endpoints that share no rail, networks without links
        for (const test::Parameters& parameters :
             {Parameters{{"servers", "3"}, {"gpus_per_server", "2"}, {"nics_per_server", "4"}, {"radix", "8"}},
              Parameters{{"servers", "3"}, {"gpus_per_server", "3"}, {"nics_per_server", "3"}, {"hb_gbps", "50"}, {"radix", "4"}}}) {
            const FabricPointer intact = test::fabricOf("rail-only", parameters);
            Removal removal;
            drawLinks(*intact, 0.4, 2, removal);
            for (const FabricPointer& fabric : {intact, without(intact, {}, removal.links)})
                for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
                    const Bisection b = bisection(*fabric, key);
                    QVERIFY(std::isfinite(b.lowerGbps) && b.lowerGbps >= 0 && b.lowerGbps <= b.upperGbps);
                    if (b.upperGbps == 0) QVERIFY(b.certified);
                }
        }
    }
    void failuresInThreeTiersKeepABound() {
        const FabricPointer intact = test::fabricOf("superpod-h100", {{"servers", "96"}, {"radix", "16"}, {"su_servers", "8"}});
        Removal removal;
        drawLinks(*intact, 0.01, 1, removal);
        const FabricPointer fabric = without(intact, {}, removal.links);
        for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
            const Bisection b = bisection(*fabric, key);
            QVERIFY2(b.lowerGbps > 0.85 * b.upperGbps && b.lowerGbps <= b.upperGbps, b.method.c_str());
        }
    }
    void superPodsAreCertifiedFull() { // published: 256 GPUs, 12.8 TB/s injection, half of it across
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        const Bisection b = bisection(*fabric, BisectionKey::GpuNetworkOnly);
        QVERIFY(b.certified);
        QCOMPARE(b.upperGbps, 256 * 400.0 / 2);
        QCOMPARE(*b.fractionOfInjection, 1.0);
    }
    void railOnlyIsZeroByDesignWithoutForwarding() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "128"}});
        const Bisection apart = bisection(*fabric, BisectionKey::GpuNetworkOnly), joined = bisection(*fabric, BisectionKey::GpuWithHb);
        QVERIFY(apart.certified && joined.certified);
        QCOMPARE(apart.upperGbps, 0.0);
        QVERIFY(apart.method.find("by design") != std::string::npos);
        QCOMPARE(*joined.fractionOfInjection, 1.0);
    }
    void oversubscriptionShows() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "128"}, {"leaf_up", "16"}});
        const Bisection b = bisection(*fabric, BisectionKey::Server);
        QVERIFY(b.certified);
        QCOMPARE(*b.fractionOfInjection, 0.5);
    }
    void fewerThanTwoEndpoints() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "1"}});
        const Bisection b = bisection(*fabric, BisectionKey::Server);
        QCOMPARE(b.upperGbps, 0.0);
        QVERIFY(!b.fractionOfInjection);
    }
    void witnessIsBalanced() {
        for (const char* servers : {"31", "100", "127"}) {
            const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", servers}, {"leaf_up", "16"}});
            const Bisection b = bisection(*fabric, BisectionKey::Server);
            const auto a = std::count(b.sideA.begin(), b.sideA.end(), true), n = static_cast<std::ptrdiff_t>(b.sideA.size());
            QVERIFY(a == n / 2 || a == (n + 1) / 2);
        }
    }

    // The answer lists every bound that was tried, and the interval is the best of them.
    void whatWasTriedIsListed() {
        for (const auto& [settings, failed] : {std::pair(test::Parameters{{"servers", "64"}}, 0),
                                               {{{"servers", "64"}, {"oversubscription", "2:1"}}, 3},
                                               {{{"servers", "17"}}, 1}}) {
            const FabricPointer whole = test::fabricOf("rail-optimized", settings);
            std::vector<bool> links(whole->links.size());
            int left = failed;
            for (const LinkId l : whole->links.ids())
                if (whole->links.tier[l] == LinkTier::LeafSpine && left > 0) links[l] = true, --left;
            const FabricPointer fabric = failed == 0 ? whole : without(whole, std::vector<bool>(whole->devices.size()), links);
            for (const Bisection& b : bisections(*fabric)) {
                double best = 0;
                std::set<std::string> names;
                for (const Bisection::Tried& each : b.tried) {
                    QVERIFY2(each.lowerGbps <= b.upperGbps && names.insert(each.name).second, each.name.c_str());
                    best = std::max(best, each.lowerGbps);
                }
                QVERIFY(!b.tried.empty());
                QVERIFY(std::abs(best - b.lowerGbps) <= 1e-6 * b.upperGbps);
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_bisection)
#include "tst_bisection.moc"
