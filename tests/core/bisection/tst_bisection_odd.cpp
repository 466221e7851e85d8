// Graphs on which a bound was once above a real cut, or could have been: each bound by itself against all partitions.
#include "core/bisection/bisection.h"
#include "core/bisection/bounds/hose_bound.h"
#include "core/bisection/bounds/pod_bound.h"
#include "core/bisection/bounds/stars.h"
#include "core/bisection/bounds/tree_bound.h"
#include "core/bisection/problem/bisection_problem.h"
#include "core/bisection/witness/balanced_cut.h"
#include "core/design/edits/edit.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

using namespace railyard;
using test::bruteForce;

class tst_bisection_odd : public QObject {
    Q_OBJECT

    // Against all balanced partitions, and the same bounds one by one: a cut found early must not hide what is wrong.
    static void neverAboveARealCut(const Fabric& fabric) {
        for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
            const double exact = bruteForce(fabric, key);
            for (const FabricPointer& each : {std::make_shared<const Fabric>(fabric), test::asDrawn(fabric)}) {
                const Bisection found = bisection(*each, key);
                QVERIFY2(found.lowerGbps <= exact + 1e-6, found.method.c_str());
                QVERIFY(found.upperGbps >= exact - 1e-6);
            }
            const BisectionProblem q = problemOf(fabric, key);
            QVERIFY(inGbps(hoseBound(fabric, q.graph, q.ends, key).value) <= exact + 1e-6);
            if (key == BisectionKey::GpuWithHb) continue;
            QVERIFY(inGbps(treeBound(q.graph, q.ends).value) <= exact + 1e-6);
            QVERIFY(inGbps(podBound(q.graph, q.ends).lower.value) <= exact + 1e-6);
        }
    }
    static DesignPointer withServers(const Design& design, int count, const char* gpus = "1") {
        Design next = design;
        const DesignPointer sample = test::designOf("fat-tree", {{"servers", "8"}, {"gpus_per_server", gpus}, {"nics_per_server", gpus}});
        next.blocks["server"] = sample->blocks.at("server");
        Block free = *next.free;
        free.instances.push_back({"srv", "server", 1, count, Instance::Role::Server, "", {}});
        next.free = std::make_shared<const Block>(std::move(free));
        return std::make_shared<const Design>(std::move(next));
    }
    static FabricPointer cabled(const Design& design, const std::vector<FreeLink>& links) {
        Design next = design;
        Block free = *next.free;
        free.links = links;
        next.free = std::make_shared<const Block>(std::move(free));
        FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(next)));
        for (const Diagnostic& diagnostic : fabric->diagnostics) qFatal("%s", diagnostic.text.c_str());
        return fabric;
    }

private slots:
    // Pods that reach different planes, GPUs without their NIC's other end: no bound may claim more than the cheapest cut.
    void podsOfDifferentPlanes() {
        test::Random random{77};
        int uneven = 0;
        for (int round = 0; round < 300; ++round) {
            const FabricPointer regular = test::fabricOf("fat-tree", {{"servers", std::to_string(9 + random.below(4))},
                                                                      {"radix", "4"},
                                                                      {"tiers", "3"},
                                                                      {"gpus_per_server", "1"},
                                                                      {"nics_per_server", "1"}});
            std::vector<bool> gone(regular->devices.size());
            for (std::size_t d = 0; d < gone.size(); ++d) gone[d] = regular->devices.tier[d] == SwitchTier::Spine && random.below(3) == 0;
            const FabricPointer fabric = without(regular, gone, {});
            for (const FabricPointer& each : {fabric, test::asDrawn(*fabric)}) {
                const Bisection found = bisection(*each, BisectionKey::Server);
                if (found.sideA.size() > 12) continue;
                const double exact = bruteForce(*fabric, BisectionKey::Server);
                QVERIFY2(
                    found.lowerGbps <= exact + 1e-6 && exact <= found.upperGbps + 1e-6,
                    qPrintable(
                        QStringLiteral("round %1: %2 … %3, exactly %4").arg(round).arg(found.lowerGbps).arg(found.upperGbps).arg(exact)));
                const SwitchGraph graph = switchGraphOf(*fabric);
                const Endpoints ends = endpointsOf(*fabric, graph, BisectionKey::Server);
                const Bandwidth bound = std::max({hoseBound(*fabric, graph, ends, BisectionKey::Server).value, treeBound(graph, ends).value,
                                                  podBound(graph, ends).lower.value});
                QVERIFY2(inGbps(bound) <= exact + 1e-6,
                         qPrintable(QStringLiteral("round %1: %2 > %3").arg(round).arg(inGbps(bound)).arg(exact)));
                uneven += exact < found.halfInjectionGbps ? 1 : 0;
            }
        }
        QVERIFY(uneven > 50);
    }
    // HB domains of several servers that hang on leaves side by side, in two and three tiers.
    void domainsThatStraddleLeaves() {
        test::Random random{91};
        int exact = 0, straddling = 0, three = 0, halves = 0;
        for (int round = 0; round < 600; ++round) {
            const int size = 2 + random.below(4);
            test::Parameters parameters{{"servers", std::to_string(size * (2 + random.below(6)))},
                                        {"gpus_per_server", "1"},
                                        {"nics_per_server", "1"},
                                        {"hb_domain_gpus", std::to_string(size)},
                                        {"radix", std::to_string(4 + random.below(6))},
                                        {"tiers", random.below(2) ? "2" : "3"},
                                        {"oversubscription", random.below(2) ? "2:1" : "3:2"}};
            if (random.below(2)) parameters["core_oversubscription"] = "2:1";
            if (random.below(4) == 0) parameters["planes"] = parameters["nic_ports"] = "2";
            const auto built = build({"fat-tree", parameters}, "test", shippedCatalog());
            if (!built) continue;
            FabricPointer fabric = elaborate(std::make_shared<const Design>(*built));
            if (random.below(4) == 0) { // a server less: domains of unlike speeds
                const auto one = select(*fabric, "su[1]/**/srv[1]");
                if (one) fabric = without(fabric, one->devices, one->links);
            }
            const BisectionProblem q = problemOf(*fabric, BisectionKey::Server);
            if (q.ends.size() < 2 || q.ends.size() > 11) continue;
            const auto chain = starChainOf(q.graph, q.ends);
            const double bound = inGbps(podBound(q.graph, q.ends).lower.value), real = bruteForce(*fabric, BisectionKey::Server);
            QVERIFY2(bound <= real + 1e-6, qPrintable(QStringLiteral("round %1: %2 > %3").arg(round).arg(bound).arg(real)));
            if (!chain || !chain->isTied()) continue;
            if (q.ends.size() % 2 == 1 && size % 2 == 0 && q.ends.size() * static_cast<std::size_t>(size) <= 12 && !fabric->intact) {
                const PodBound half = podBound(q.graph, q.ends, true);
                const double realHalf = bruteForce(*fabric, BisectionKey::GpuWithHb);
                const bool isExact = std::abs(inGbps(half.lower.value) - realHalf) < 1e-6;
                QVERIFY2(half.sideA.empty() || isExact,
                         qPrintable(QStringLiteral("round %1: %2 is not %3").arg(round).arg(inGbps(half.lower.value)).arg(realHalf)));
                halves += half.sideA.empty() ? 0 : 1;
            }
            ++straddling;
            exact += bound > 0 && bound >= real - 1e-6 ? 1 : 0;
            three += bound > 0 && countsOf(*fabric).tiers == 3 ? 1 : 0;
        }
        QVERIFY2(exact > 60 && exact > straddling * 3 / 4, qPrintable(QStringLiteral("%1 of %2").arg(exact).arg(straddling)));
        QVERIFY2(three > 20, qPrintable(QString::number(three)));
        QVERIFY2(halves > 10, qPrintable(QString::number(halves)));
    }
    // Superspines of a group with unlike uplinks carry less than all of them together: once certified 2400 for 2000.
    void superspinesWithUnlikeUplinks() {
        const FabricPointer whole = test::fabricOf("fat-tree", {{"servers", "15"},
                                                                {"gpus_per_server", "1"},
                                                                {"nics_per_server", "1"},
                                                                {"tiers", "4"},
                                                                {"radix", "6"},
                                                                {"leaf_down", "1"},
                                                                {"leaf_up", "1"}});
        std::vector<bool> gone(whole->links.size());
        std::map<std::uint32_t, int> seen;
        constexpr std::array kept{1, 1, 3};
        for (std::size_t l = 0; l < gone.size(); ++l) {
            const std::uint32_t superspine = whole->links.a[l];
            if (whole->links.tier[l] == LinkTier::SuperspineCore)
                gone[l] = seen[superspine]++ >= kept[(whole->devices.index[superspine] - 1) % 3];
        }
        const FabricPointer fabric = without(whole, {}, gone);
        const double real = bruteForce(*fabric, BisectionKey::Server);
        for (const FabricPointer& each : {fabric, test::asDrawn(*fabric)})
            QVERIFY(bisection(*each, BisectionKey::Server).lowerGbps <= real + 1e-6);
        const BisectionProblem q = problemOf(*fabric, BisectionKey::Server);
        QVERIFY(inGbps(podBound(q.graph, q.ends).lower.value) <= real + 1e-6);
    }
    // Servers cabled to a spine by hand load links downwards that no routing up and down again would.
    void serversOnASpine() {
        Design design = *test::designOf(
            "fat-tree",
            {{"servers", "8"}, {"radix", "8"}, {"spines", "4"}, {"tiers", "2"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}});
        Block free = *design.free;
        free.instances.push_back({"srv-extra", "server", 1, 4, Instance::Role::Server, "", {}});
        const FabricPointer bare = elaborate(std::make_shared<const Design>(design));
        const auto used =
            std::count_if(bare->links.tier.begin(), bare->links.tier.end(), [](LinkTier tier) { return tier == LinkTier::LeafSpine; });
        const auto firstFree = static_cast<int>(used / countsOf(*bare).switchesByTier[2]) + 1;
        for (int i = 0; i < 4; ++i)
            free.links.push_back({"srv-extra[" + std::to_string(i + 1) + "]/nic[1]:1", "spine[1]:" + std::to_string(firstFree + i)});
        design.free = std::make_shared<const Block>(std::move(free));
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(design));
        QCOMPARE(countsOf(*fabric).links, countsOf(*bare).links + 4);
        const Bisection found = bisection(*fabric, BisectionKey::Server);
        const double exact = bruteForce(*fabric, BisectionKey::Server);
        QVERIFY2(found.lowerGbps <= exact + 1e-6 && exact <= found.upperGbps + 1e-6, found.method.c_str());
        const SwitchGraph graph = switchGraphOf(*fabric);
        const Endpoints ends = endpointsOf(*fabric, graph, BisectionKey::Server);
        QVERIFY(inGbps(hoseBound(*fabric, graph, ends, BisectionKey::Server).value) <= exact + 1e-6);
    }
    // Spines below a spine, drawn before the leaves: what passes the thin cables between them is what counts.
    void spinesBelowASpine() {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (int i = 0; i < 3; ++i) design = dropItem(*design, PaletteItem::Spine, {0, 0})->design;
        for (int i = 0; i < 2; ++i) design = dropItem(*design, PaletteItem::Leaf, {0, 0})->design;
        Design next = *design;
        const DesignPointer servers = test::designOf("fat-tree", {{"servers", "8"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}});
        next.blocks["server"] = servers->blocks.at("server");
        Block free = *next.free;
        free.instances.push_back({"srv", "server", 1, 8, Instance::Role::Server, "", {}});
        const auto link = [&](const std::string& a, int aPort, const std::string& b, int bPort) {
            free.links.push_back({a + ":" + std::to_string(aPort), b + ":" + std::to_string(bPort)});
        };
        for (int s = 0; s < 8; ++s) link("srv[" + std::to_string(s + 1) + "]/nic[1]", 1, s < 4 ? "leaf[1]" : "leaf[2]", s % 4 + 1);
        for (int leaf = 1; leaf <= 2; ++leaf) {
            const std::string spine = "spine[" + std::to_string(leaf) + "]";
            for (int i = 0; i < 4; ++i) link("leaf[" + std::to_string(leaf) + "]", 10 + i, spine, 1 + i);
            link(spine, 10, "spine[3]", leaf);
        }
        next.free = std::make_shared<const Block>(std::move(free));
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(next)));
        QCOMPARE(countsOf(*fabric).links, std::int64_t{18});
        const Bisection found = bisection(*fabric, BisectionKey::Server);
        const double exact = bruteForce(*fabric, BisectionKey::Server);
        QCOMPARE(exact, 400.0);
        QVERIFY2(found.lowerGbps <= exact + 1e-6 && exact <= found.upperGbps + 1e-6, found.method.c_str());
        const SwitchGraph graph = switchGraphOf(*fabric);
        QVERIFY(inGbps(hoseBound(*fabric, graph, endpointsOf(*fabric, graph, BisectionKey::Server), BisectionKey::Server).value) <= exact);
    }
    // Servers 1 and 3 share other rails than 2 and 4: only one of three carries what goes between them, and that the network
    // itself has room to spare does not help.
    void serversThatShareFewRails() {
        const FabricPointer whole = test::fabricOf(
            "rail-only", {{"servers", "4"}, {"gpus_per_server", "3"}, {"nics_per_server", "3"}, {"radix", "8"}, {"hb_gbps", "3600"}});
        std::vector<bool> cut(whole->links.size());
        for (std::size_t l = 0; l < cut.size(); ++l) {
            const DeviceId nic = whole->links.a[l];
            cut[l] =
                whole->links.tier[l] == LinkTier::HostLeaf && whole->devices.rail[nic] == (whole->devices.server[nic] % 2 == 0 ? 2U : 1U);
        }
        neverAboveARealCut(*without(whole, {}, cut));
    }

    // One GPU of each server failed, of different rails: their NICs are there, but nothing sends over them.
    void idleNicsDoNotJoinRails() {
        const FabricPointer whole = test::fabricOf(
            "rail-only", {{"servers", "4"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "8"}, {"hb_gbps", "3600"}});
        std::vector<bool> gone(whole->devices.size());
        for (std::size_t d = 0; d < gone.size(); ++d)
            gone[d] = whole->devices.kind[d] == DeviceKind::Gpu && (whole->devices.server[d] % 2 == 0) == (whole->devices.index[d] == 2);
        neverAboveARealCut(*without(whole, gone, {}));
    }

    // A leaf cabled below another leaf, with servers on it, is no switch to leave out.
    void aLeafBelowALeaf() {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (int i = 0; i < 2; ++i) design = dropItem(*design, PaletteItem::Spine, {0, 0})->design;
        for (int i = 0; i < 5; ++i) design = dropItem(*design, PaletteItem::Leaf, {0, 0})->design;
        design = withServers(*design, 16);
        std::vector<FreeLink> links;
        const auto leaf = [](int i) { return "leaf[" + std::to_string(i) + "]:"; };
        for (int s = 1; s <= 16; ++s) // servers 1, 2, 15, 16 on leaf 5
            links.push_back({"srv[" + std::to_string(s) + "]/nic[1]:1", leaf(s <= 2 || s >= 15 ? 5 : (s - 3) / 3 + 1) + std::to_string(s)});
        for (int l = 1; l <= 4; ++l)
            for (int c = 0; c < 4; ++c)
                links.push_back(
                    {leaf(l) + std::to_string(30 + c), "spine[" + std::to_string(c / 2 + 1) + "]:" + std::to_string(l * 2 + c % 2)});
        links.push_back({leaf(1) + "40", leaf(5) + "40"});
        const FabricPointer fabric = cabled(*design, links);
        std::vector<bool> side(16);
        for (const std::size_t s : {0, 1, 14, 15, 2, 3, 4, 5}) side[s] = true;
        for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
            const double real = inGbps(cutOf(problemOf(*fabric, key), side).value);
            QVERIFY(bisection(*fabric, key).lowerGbps <= real + 1e-6);
        }
    }

    // Three chains leaf, spine, superspine; one server hangs on a spine and uses the uplink of the leaf below too.
    void aServerBesideALeafOnItsSpine() {
        DesignPointer design = emptyDesign(shippedCatalog());
        design = dropItem(*design, PaletteItem::Superspine, {0, 0})->design;
        for (int i = 0; i < 3; ++i) design = dropItem(*design, PaletteItem::Spine, {0, 0})->design;
        for (int i = 0; i < 3; ++i) design = dropItem(*design, PaletteItem::Leaf, {0, 0})->design;
        design = withServers(*design, 10);
        std::vector<FreeLink> links;
        for (int s = 1; s <= 9; ++s)
            links.push_back(
                {"srv[" + std::to_string(s) + "]/nic[1]:1", "leaf[" + std::to_string((s - 1) / 3 + 1) + "]:" + std::to_string(s)});
        links.push_back({"srv[10]/nic[1]:1", "spine[1]:20"});
        for (int i = 1; i <= 3; ++i) {
            links.push_back({"leaf[" + std::to_string(i) + "]:40", "spine[" + std::to_string(i) + "]:40"});
            links.push_back({"spine[" + std::to_string(i) + "]:41", "superspine[1]:" + std::to_string(i)});
        }
        const FabricPointer fabric = cabled(*design, links);
        neverAboveARealCut(*fabric);
    }

    // Servers of which one NIC is cabled: their GPUs reach it over the HB fabric, so the cut between the servers is that between the GPUs.
    void gpusOfAnUnfinishedDrawingShareTheCables() {
        DesignPointer design = dropItem(*emptyDesign(shippedCatalog()), PaletteItem::Leaf, {0, 0})->design;
        design = withServers(*design, 2, "8");
        for (const int cables : {1, 3, 8}) {
            std::vector<FreeLink> links;
            for (int server = 1; server <= 2; ++server)
                for (int nic = 1; nic <= cables; ++nic)
                    links.push_back({"srv[" + std::to_string(server) + "]/nic[" + std::to_string(nic) + "]:1",
                                     "leaf[1]:" + std::to_string(server * 10 + nic)});
            const FabricPointer fabric = cabled(*design, links);
            const Bisection servers = bisection(*fabric, BisectionKey::Server);
            const Bisection gpus = bisection(*fabric, BisectionKey::GpuWithHb);
            QCOMPARE(servers.upperGbps, 400.0 * cables);
            QVERIFY(gpus.certified);
            QCOMPARE(gpus.upperGbps, servers.upperGbps);
            QCOMPARE(gpus.fractionOfInjection.value_or(0), 1.0);
            QVERIFY(std::abs(bruteForce(*fabric, BisectionKey::GpuWithHb) - gpus.upperGbps) < 1e-6);
        }
        // Without HB links they have nothing to send over.
        const FabricPointer one = cabled(*design, {{"srv[1]/nic[1]:1", "leaf[1]:1"}, {"srv[2]/nic[1]:1", "leaf[1]:2"}});
        QCOMPARE(bisection(*one, BisectionKey::GpuNetworkOnly).upperGbps, 0.0);
    }
    void cablesBetweenNicsCount() {
        const DesignPointer two = withServers(*emptyDesign(shippedCatalog()), 2, "8"),
                            three = withServers(*emptyDesign(shippedCatalog()), 3, "8");
        std::vector<FreeLink> links;
        for (int nic = 1; nic <= 8; ++nic) {
            const std::string port = "/nic[" + std::to_string(nic) + "]:1";
            links.push_back({"srv[1]" + port, "srv[2]" + port});
            const FabricPointer fabric = cabled(*two, links);
            for (const auto key : {BisectionKey::Server, BisectionKey::GpuWithHb}) {
                const Bisection found = bisection(*fabric, key);
                QCOMPARE(found.upperGbps, 400.0 * nic);
                QVERIFY2(found.certified, found.method.c_str());
            }
            const FabricPointer less = without(fabric, {}, select(*fabric, "srv[1]" + port)->links);
            QCOMPARE(bisection(*less, BisectionKey::Server).upperGbps, 400.0 * (nic - 1));
        }
        // In a triangle of single cables every server is cut off by two.
        const FabricPointer ring = cabled(
            *three,
            {{"srv[1]/nic[1]:1", "srv[2]/nic[1]:1"}, {"srv[2]/nic[2]:1", "srv[3]/nic[2]:1"}, {"srv[3]/nic[3]:1", "srv[1]/nic[3]:1"}});
        const Bisection found = bisection(*ring, BisectionKey::Server);
        QCOMPARE(found.upperGbps, 800.0);
        QVERIFY(found.lowerGbps <= 800.0 + 1e-9);
    }
    // The same with random cables and failures, held against every partition.
    void unfinishedDrawingsHoldTheirBounds() {
        test::Random random{79};
        for (int round = 0; round < 40; ++round) {
            const FabricPointer whole = test::fabricOf("rail-optimized", {{"servers", round % 2 ? "3" : "5"},
                                                                          {"gpus_per_server", round % 2 ? "4" : "2"},
                                                                          {"nics_per_server", round % 2 ? "4" : "2"},
                                                                          {"radix", "8"},
                                                                          {"hb_gbps", round % 3 ? "3200" : "300"}});
            std::vector<bool> gone(whole->links.size());
            for (std::size_t l = 0; l < gone.size(); ++l) gone[l] = whole->links.tier[l] == LinkTier::HostLeaf && random.below(2) == 0;
            const auto drawn = std::make_shared<Fabric>(*without(whole, std::vector<bool>(whole->devices.size()), gone));
            drawn->intact = nullptr; // never cabled
            drawn->intactDevice.clear();
            std::vector<bool> failed(drawn->links.size());
            for (const LinkId l : indices<LinkId>(failed.size())) failed[l] = drawn->isNetworkLink(l) && random.below(8) == 0;
            const FabricPointer fabric = without(drawn, std::vector<bool>(drawn->devices.size()), failed);
            for (const FabricPointer& each : {FabricPointer(drawn), fabric}) {
                const Bisection found = bisection(*each, BisectionKey::GpuWithHb);
                const double exact = bruteForce(*each, BisectionKey::GpuWithHb);
                QVERIFY2(found.lowerGbps <= exact + 1e-6 && exact <= found.upperGbps + 1e-6,
                         qPrintable(QStringLiteral("round %1: %2 … %3, exactly %4: %5")
                                        .arg(round)
                                        .arg(found.lowerGbps)
                                        .arg(found.upperGbps)
                                        .arg(exact)
                                        .arg(QString::fromStdString(found.method))));
                QVERIFY2(found.method.find("contradict") == std::string::npos, found.method.c_str());
                double cut = 0;
                for (const auto& [tier, gbps] : found.cutGbps) cut += gbps;
                QVERIFY(std::abs(cut - found.upperGbps) < 1e-6);
            }
        }
    }
    void gpusThatFailedLeaveIdleNics() {
        test::Random random{78};
        for (int round = 0; round < 60; ++round) {
            const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", round % 2 ? "3" : "5"},
                                                                           {"gpus_per_server", round % 2 ? "4" : "2"},
                                                                           {"nics_per_server", round % 2 ? "4" : "2"},
                                                                           {"radix", "8"},
                                                                           {"hb_gbps", "1600"}});
            std::vector<bool> gone(intact->devices.size());
            for (std::size_t d = 0; d < gone.size(); ++d)
                gone[d] = intact->devices.kind[d] == DeviceKind::Gpu && (round < 2 ? intact->devices.index[d] == 1 : random.below(4) == 0);
            const FabricPointer fabric = without(intact, gone, {});
            const Bisection found = bisection(*fabric, BisectionKey::GpuWithHb);
            if (found.sideA.size() < 2) continue;
            const double exact = bruteForce(*fabric, BisectionKey::GpuWithHb);
            QVERIFY2(found.lowerGbps <= exact + 1e-6 && exact <= found.upperGbps + 1e-6,
                     qPrintable(
                         QStringLiteral("round %1: %2 … %3, exactly %4").arg(round).arg(found.lowerGbps).arg(found.upperGbps).arg(exact)));
            QVERIFY2(found.method.find("contradict") == std::string::npos, found.method.c_str());
        }
    }
    // Uplinks that do not divide evenly: leaves that lean on the same spines together make a far cheaper cut than halves by path.
    void unevenUplinksAreCutWhereTheyLean() {
        for (const auto& [servers, most] : {std::pair("1250", 0.90), {"1300", 0.86}}) {
            const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", servers}, {"rails", "8"}, {"spine_rule", "exact"}});
            const Bisection found = bisection(*fabric, BisectionKey::Server);
            QVERIFY2(*found.fractionOfInjection <= most, std::to_string(*found.fractionOfInjection).c_str());
            QVERIFY(found.lowerGbps <= found.upperGbps);
        }
    }
    // Pods with fewer spines than a leaf has uplinks, which share them as parallel links, evenly or not.
    void parallelLinksOfPodsAreBounded() {
        test::Random random{47};
        int tried = 0, exact = 0, uneven = 0;
        for (int round = 0; round < 300; ++round) {
            const int spines = 1 + random.below(3);
            test::Parameters parameters{{"servers", std::to_string(3 + random.below(8))},
                                        {"gpus_per_server", "1"},
                                        {"nics_per_server", "1"},
                                        {"radix", random.below(2) ? "6" : "8"},
                                        {"tiers", random.below(3) ? "3" : "4"},
                                        {"spines", std::to_string(spines)},
                                        {"uplinks", random.below(2) ? "used" : "full-su"},
                                        {"spine_rule", random.below(2) ? "exact" : "even-split"},
                                        {"core_oversubscription", random.below(3) ? "1:1" : "2:1"}};
            const auto built = build({"fat-tree", parameters}, "test", shippedCatalog());
            if (!built) continue;
            const FabricPointer fabric = elaborate(std::make_shared<const Design>(*built));
            std::vector<int> uplinks(fabric->devices.size());
            for (const LinkId l : fabric->links.ids())
                if (fabric->links.tier[l] == LinkTier::LeafSpine) ++uplinks[fabric->links.a[l]];
            const int most = *std::max_element(uplinks.begin(), uplinks.end());
            if (most <= spines) continue;
            uneven += most % spines == 0 ? 0 : 1;
            const Bisection found = bisection(*fabric, BisectionKey::Server);
            const double real = bruteForce(*fabric, BisectionKey::Server);
            QVERIFY2(found.lowerGbps <= real + 1e-6 && real <= found.upperGbps + 1e-6, std::to_string(round).c_str());
            ++tried;
            exact += found.certified ? 1 : 0;
        }
        QVERIFY2(tried > 60 && uneven > 15 && exact * 10 >= tried * 8,
                 qPrintable(QStringLiteral("%1 tried, %2 uneven, %3 certified").arg(tried).arg(uneven).arg(exact)));
    }
};

QTEST_GUILESS_MAIN(tst_bisection_odd)
#include "tst_bisection_odd.moc"
