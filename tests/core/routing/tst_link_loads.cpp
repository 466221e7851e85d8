// Load of every link: closed forms, every pair by itself, and what flows into a device flows out of it.
#include "core/analysis/maps/link_load_grid.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/routing/collisions.h"
#include "core/routing/patterns.h"
#include "tests/support/designs.h"

#include <QTest>
#include <set>

using namespace railyard;

namespace {

FabricPointer damaged(const FabricPointer& intact, double share, std::uint64_t seed) {
    Removal removal;
    drawLinks(*intact, share, seed, removal);
    return without(intact, removal.devices, removal.links);
}

GpuTraffic everyPair(const Fabric& fabric) {
    std::vector<DeviceId> gpus;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.kind[d] == DeviceKind::Gpu) gpus.push_back(d);
    GpuTraffic traffic;
    for (const auto from : gpus)
        for (const auto to : gpus)
            if (from != to) traffic.flows.push_back({from, to, 1.0 / static_cast<double>(gpus.size() - 1)});
    return traffic;
}

// Largest difference of any link, in units of what one GPU sends.
double difference(const LinkLoads& a, const LinkLoads& b) {
    double worst = 0;
    for (std::size_t l = 0; l < a.aToB.size(); ++l)
        worst = std::max({worst, std::abs(a.aToB[l] - b.aToB[l]), std::abs(a.bToA[l] - b.bToA[l])});
    return worst;
}

// What leaves every device less what comes in.
std::vector<double> balance(const Fabric& fabric, const LinkLoads& loads) {
    std::vector<double> out(fabric.devices.size());
    for (const LinkId l : fabric.links.ids()) {
        out[fabric.links.a[l]] += loads.aToB[l] - loads.bToA[l];
        out[fabric.links.b[l]] += loads.bToA[l] - loads.aToB[l];
    }
    return out;
}

struct Case {
    const char* recipe;
    std::map<std::string, std::string> set;
};
const std::vector<Case>& cases() {
    static const std::vector<Case> all{{"rail-optimized", {{"servers", "12"}, {"radix", "16"}}},
                                       {"rail-optimized", {{"servers", "11"}, {"radix", "8"}}},
                                       {"fat-tree", {{"servers", "9"}, {"radix", "16"}}},
                                       {"rail-only", {{"servers", "10"}, {"radix", "8"}}},
                                       {"rail-only", {{"servers", "12"}, {"radix", "8"}, {"hb_domain_gpus", "16"}}},
                                       {"rail-only", {{"servers", "8"}, {"radix", "16"}, {"rails", "4"}}},
                                       {"rail-only", {{"servers", "8"}, {"radix", "64"}, {"rails", "2"}, {"hb_domain_gpus", "32"}}},
                                       {"rail-optimized", {{"servers", "6"}, {"radix", "16"}, {"nics_per_server", "4"}}},
                                       {"rail-optimized", {{"servers", "10"}, {"radix", "16"}, {"nic_ports", "2"}, {"planes", "2"}}},
                                       {"rail-optimized", {{"servers", "6"}, {"radix", "16"}, {"server", "srv-mi300x-8"}}},
                                       {"fat-tree", {{"servers", "6"}, {"radix", "16"}, {"server", "srv-dgx1-v100"}}}};
    return all;
}

} // namespace

class tst_link_loads : public QObject {
    Q_OBJECT

private slots:
    // 16 servers of 8 GPUs, two tiers: of 127 others 7 are reached over NVLink, 120 over the NIC.
    void closedForms() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "16"}, {"radix", "16"}, {"su_servers", "8"}});
        const auto direct = linkLoads(*fabric, trafficOf(*fabric, Pattern::AllToAll, 1), {});
        const auto forwarded = linkLoads(*fabric, trafficOf(*fabric, Pattern::AllToAll, 1), {.isForwarded = true});
        QVERIFY(direct && forwarded);
        for (const LinkId l : fabric->links.ids()) {
            const auto near = [](double a, double b) { return std::abs(a - b) < 1e-12; };
            const LinkTier tier = fabric->links.tier[l];
            const auto hbSwitches = 4.0;
            if (tier == LinkTier::HostLeaf || tier == LinkTier::Pcie) {
                QVERIFY(near(direct->aToB[l], 120.0 / 127) && near(direct->bToA[l], 120.0 / 127));
                QVERIFY(near(forwarded->aToB[l], 120.0 / 127) && near(forwarded->bToA[l], 120.0 / 127));
            } else if (tier == LinkTier::Hb) {
                QVERIFY(near(direct->aToB[l], 7.0 / 127 / hbSwitches));
                QVERIFY(near(forwarded->aToB[l], (7.0 + 120.0 * 7 / 8) / 127 / hbSwitches));
            } else if (tier == LinkTier::LeafSpine) { // eight uplinks for eight NICs; 120 or, forwarded, 64 leave the SU's leaf
                QVERIFY(near(direct->aToB[l], (120.0 - 7) / 127));
                QVERIFY(near(forwarded->aToB[l], 64.0 / 127));
            }
        }
        QCOMPARE(direct->unreachablePairs, 0);
        QCOMPARE(direct->ofGpu.value(), 400e9);
    }
    // Eight NICs on `rails` rails: only what is for GPUs on other rails is handed over, x - x/rails of a domain of x.
    void onlyOtherRailsAreForwardedTo() {
        for (const int gpus : {8, 16})
            for (const int rails : {1, 2, 4, 8}) {
                const FabricPointer fabric = test::fabricOf(
                    "rail-only", {{"servers", "16"}, {"rails", std::to_string(rails)}, {"hb_domain_gpus", std::to_string(gpus)}});
                const auto loads = linkLoads(*fabric, trafficOf(*fabric, Pattern::AllToAll, 1), {.isForwarded = true});
                QVERIFY(loads && loads->unreachablePairs == 0);
                double sent = 0;
                for (const LinkId l : fabric->links.ids())
                    if (fabric->links.tier[l] == LinkTier::Hb) sent += loads->aToB[l];
                const double forwarded = (128.0 - gpus) * (rails - 1) / rails;
                QVERIFY(std::abs(sent / 128 - (gpus - 1 + forwarded) / 127) < 1e-9);
            }
    }
    // Over all switches and NICs, with failures: the classes against every pair routed by itself.
    void allToAllIsTheSumOfItsPairs() {
        for (const Case& each : cases())
            for (const double failed : {0.0, 0.05, 0.3})
                for (const bool forwarded : {false, true})
                    for (const Routing routing : {Routing::Ecmp, Routing::Adaptive}) {
                        const FabricPointer fabric = damaged(test::fabricOf(each.recipe, each.set), failed, 3);
                        const RoutingOptions options{.routing = routing, .isForwarded = forwarded};
                        const auto classes = linkLoads(*fabric, trafficOf(*fabric, Pattern::AllToAll, 1), options);
                        const auto pairs = linkLoads(*fabric, everyPair(*fabric), options);
                        QVERIFY(classes && pairs);
                        const QString where = QStringLiteral("%1 %2 failed, forwarded %3: %4")
                                                  .arg(each.recipe)
                                                  .arg(failed)
                                                  .arg(forwarded)
                                                  .arg(difference(*classes, *pairs));
                        QVERIFY2(difference(*classes, *pairs) < 1e-11, qPrintable(where));
                        QCOMPARE(classes->unreachablePairs, pairs->unreachablePairs);
                        QCOMPARE(classes->unreachableExample.empty(), pairs->unreachablePairs == 0);
                    }
    }
    void nothingIsLostOnTheWay() {
        for (const Case& each : cases())
            for (const Pattern pattern : {Pattern::AllToAll, Pattern::Ring, Pattern::RailRing, Pattern::Permutation, Pattern::Incast})
                for (const bool forwarded : {false, true})
                    for (const Routing routing : {Routing::Ecmp, Routing::Adaptive, Routing::Hash}) {
                        const FabricPointer fabric = damaged(test::fabricOf(each.recipe, each.set), 0.02, 5);
                        const GpuTraffic traffic = trafficOf(*fabric, pattern, 9);
                        const auto loads =
                            linkLoads(*fabric, traffic, {.routing = routing, .connectionsPerPair = 3, .isForwarded = forwarded});
                        QVERIFY(loads);
                        std::vector<double> wanted(fabric->devices.size());
                        for (const GpuFlow& flow : traffic.flows) {
                            wanted[flow.from] += flow.volume;
                            wanted[flow.to] -= flow.volume;
                        }
                        const std::vector<double> out = balance(*fabric, *loads);
                        for (const DeviceId d : indices<DeviceId>(out.size())) {
                            const bool isGpu = fabric->devices.kind[d] == DeviceKind::Gpu;
                            if (isGpu && loads->unreachablePairs > 0) continue; // sends less
                            QVERIFY2(std::abs(out[d] - wanted[d]) < 1e-9,
                                     qPrintable(QStringLiteral("%1 pattern %2 forwarded %3 routing %4 %5: %6 not %7")
                                                    .arg(each.recipe)
                                                    .arg(static_cast<int>(pattern))
                                                    .arg(forwarded)
                                                    .arg(static_cast<int>(routing))
                                                    .arg(QString::fromStdString(fabric->devicePath(d)))
                                                    .arg(out[d])
                                                    .arg(wanted[d])));
                        }
                    }
    }
    void separateRailsAreToldAndForwarded() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "16"}, {"radix", "8"}});
        const auto direct = linkLoads(*fabric, trafficOf(*fabric, Pattern::AllToAll, 1), {});
        QVERIFY(direct);
        QCOMPARE(direct->unreachablePairs, 16 * 15 * 8 * 7); // pairs of servers, of unlike rails
        QVERIFY2(direct->unreachableExample.find("separate networks") != std::string::npos, direct->unreachableExample.c_str());
        const auto forwarded = linkLoads(*fabric, trafficOf(*fabric, Pattern::AllToAll, 1), {.isForwarded = true});
        QCOMPARE(forwarded->unreachablePairs, 0);
    }
    // Many connections even out what few leave to chance; the same seed draws the same.
    void hashingTendsToEven() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "16"}, {"radix", "16"}});
        const GpuTraffic traffic = trafficOf(*fabric, Pattern::Permutation, 4);
        const auto even = linkLoads(*fabric, traffic, {});
        double last = 1e9;
        for (const int connections : {1, 8, 64}) {
            const RoutingOptions options{.routing = Routing::Hash, .connectionsPerPair = connections};
            const auto hashed = linkLoads(*fabric, traffic, options), again = linkLoads(*fabric, traffic, options);
            QCOMPARE(difference(*hashed, *again), 0.0);
            const double apart = difference(*hashed, *even);
            QVERIFY(apart < last);
            last = apart;
        }
        const FabricPointer large = test::fabricOf("superpod-h100", {{"servers", "1024"}});
        const auto refused = linkLoads(*large, trafficOf(*large, Pattern::AllToAll, 1), {.routing = Routing::Hash});
        QVERIFY(!refused && refused.error().text.find("the maximum is") != std::string::npos);
    }
    // What no HB fabric joins cannot forward for one another, and is not reached inside its domain.
    void brokenHbFabricsForwardInPieces() {
        const FabricPointer rails = test::fabricOf("rail-only", {{"servers", "4"}, {"radix", "16"}});
        const auto switches = select(*rails, "su[1]/srv[1]/hb-switch[*]");
        const FabricPointer broken = without(rails, switches->devices, {});
        const auto loads = linkLoads(*broken, trafficOf(*broken, Pattern::AllToAll, 1), {.isForwarded = true});
        QCOMPARE(loads->unreachablePairs, 8 * 7); // inside; what leaves on the wrong rail is handed over where it arrives
        for (const LinkId l : broken->links.ids())
            if (broken->links.tier[l] == LinkTier::HostLeaf && broken->devicePath(broken->links.a[l]).starts_with("su[1]/srv[1]"))
                QVERIFY(std::abs(loads->aToB[l] - 24.0 / 31) < 1e-12); // each GPU over its own NIC
        const auto pairs = linkLoads(*broken, everyPair(*broken), {.isForwarded = true});
        QCOMPARE(loads->unreachablePairs, pairs->unreachablePairs);
        QVERIFY(difference(*loads, *pairs) < 1e-11);
        const FabricPointer cube = test::fabricOf("rail-optimized", {{"servers", "2"}, {"server", "srv-dgx1-v100"}, {"radix", "16"}});
        const auto middle = select(*cube, "su[1]/srv[1]/gpu[3-6]");
        const FabricPointer halves = without(cube, middle->devices, {}); // 1-2 and 7-8 are left
        QCOMPARE(linkLoads(*halves, trafficOf(*halves, Pattern::AllToAll, 1), {})->unreachablePairs, 8);
    }
    void ringsOfRailsKeepTheirPlaces() {
        const FabricPointer rails = test::fabricOf("rail-only", {{"servers", "4"}, {"radix", "16"}});
        const FabricPointer less = without(rails, select(*rails, "su[1]/srv[1]/gpu[1]")->devices, {});
        const GpuTraffic traffic = trafficOf(*less, Pattern::RailRing, 1);
        QCOMPARE(traffic.flows.size(), std::size_t{31});
        for (const GpuFlow& flow : traffic.flows) QCOMPARE(less->devices.index[flow.from], less->devices.index[flow.to]);
        QCOMPARE(linkLoads(*less, traffic, {})->unreachablePairs, 0);
    }
    void collisionsFadeWithConnections() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "32"}, {"radix", "16"}});
        const auto curve = collisionCurve(*fabric, trafficOf(*fabric, Pattern::Permutation, 1), {});
        QVERIFY(curve);
        QCOMPARE(curve->size(), std::size_t{7});
        QCOMPARE(curve->front().connections, 1);
        QCOMPARE(curve->back().connections, 64);
        QVERIFY(curve->front().slowdown > 2 && curve->back().slowdown < 1.6);
        for (const CollisionPoint& point : *curve) QVERIFY(point.slowdown >= 1 - 1e-9 && point.mostOverMean >= 1 - 1e-9);
        const FabricPointer one = test::fabricOf("rail-optimized", {{"servers", "1"}});
        QVERIFY(!collisionCurve(*one, trafficOf(*one, Pattern::Ring, 1), {})); // stays inside the server
    }
    void aMatrixHoldsTheBusiestLinkOfEveryPair() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "8"}, {"radix", "16"}});
        const auto loads = linkLoads(*fabric, trafficOf(*fabric, Pattern::Permutation, 1), {.routing = Routing::Hash});
        const auto grid = linkLoadGrid(*fabric, *loads, LinkTier::LeafSpine);
        QVERIFY(grid);
        double most = 0, busiest = 0;
        for (const auto& value : grid->values) most = std::max(most, value.value_or(0));
        for (const LinkId l : fabric->links.ids())
            if (fabric->links.tier[l] == LinkTier::LeafSpine) busiest = std::max(busiest, loads->utilisation(*fabric, l));
        QCOMPARE(most, busiest);
        QCOMPARE(grid->values.size(), grid->x.size() * grid->y.size());
        QVERIFY(!linkLoadGrid(*fabric, *loads, LinkTier::SuperspineCore));
    }
    void aPermutationLeavesNobodyAlone() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "5"}, {"radix", "16"}});
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            std::set<std::uint32_t> to;
            for (const GpuFlow& flow : trafficOf(*fabric, Pattern::Permutation, seed).flows) {
                QVERIFY(flow.from != flow.to);
                to.insert(flow.to);
            }
            QCOMPARE(to.size(), std::size_t{40});
        }
    }
};

QTEST_GUILESS_MAIN(tst_link_loads)
#include "tst_link_loads.moc"
