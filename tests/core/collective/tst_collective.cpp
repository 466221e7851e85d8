#include "tests/support/designs.h"

#include "core/base/thread_cpu.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/collective.h"
#include "core/fabric/switch_graph.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/routing/link_loads.h"

#include <array>
#include <random>

using namespace railyard;

// Bandwidth alone; what a library adds is in tst_calibration.
static Communicator groupOf(const Fabric& fabric, std::int64_t ranks = 0) {
    return *Communicator::create(fabric, ranks, RankOrder::Near, notCalibrated());
}
static double seconds(const Communicator& group, CollectiveOp op, double bytes, Algorithm algorithm = Algorithm::Auto) {
    return group.time(op, Bytes(std::llround(bytes)), {algorithm, {}})->best.time.value();
}

class tst_collective : public QObject {
    Q_OBJECT

private slots:
    void ringIsLimitedByTheNics() { // 8 x 50 GB/s against 450: busbw 400
        const auto result = groupOf(*test::fabricOf("superpod-h100")).time(CollectiveOp::AllReduce, Bytes(std::int64_t{1} << 30));
        QCOMPARE(result->best.algorithm, Algorithm::Ring);
        QVERIFY(std::abs(result->busbwGbytesPerSecond - 400) < 1e-9);
        QVERIFY(std::abs(result->best.time.value() - 2.0 * 1023 / 1024 * 1073741824.0 / 400e9) < 1e-12);
    }
    void hierarchicalByItsFormula() {
        const double x = 8, y = 128, d = 1e9;
        const double expected = 2 * (x - 1) / x * d / 450e9 + 2 * (y - 1) / y * d / (x * 50e9);
        QVERIFY(
            std::abs(seconds(groupOf(*test::fabricOf("superpod-h100")), CollectiveOp::AllReduce, d, Algorithm::Hierarchical) / expected -
                     1) < 1e-12);
    }
    // Published: slow-down y(x-1)C_S / (x(y-1)C_F): 10.37 % at 16 domains, 9.80 % at 128.
    void railOnlySlowsAllToAll_data() {
        QTest::addColumn<int>("domains");
        QTest::addColumn<double>("percent");
        QTest::newRow("16 domains") << 16 << 10.37;
        QTest::newRow("128 domains") << 128 << 9.80;
        QTest::newRow("512 domains") << 512 << 9.74;
    }
    void railOnlySlowsAllToAll() {
        QFETCH(int, domains);
        QFETCH(double, percent);
        const test::Parameters size{{"servers", std::to_string(domains)}, {"rails", "8"}}; // a rail per NIC
        const double direct =
            seconds(groupOf(*test::fabricOf("rail-optimized", size)), CollectiveOp::AllToAll, 268435456, Algorithm::Direct);
        const double forwarded = seconds(groupOf(*test::fabricOf("rail-only", size)), CollectiveOp::AllToAll, 268435456);
        QVERIFY(std::abs((forwarded / direct - 1) * 100 - percent) < 0.05);
    }
    // GPU 1 of four servers, all of rail 1: with its leaf gone they use the other NICs of their servers, but not all of each.
    // What every pair loads, routed one by one; random fabrics, planes, failures, and groups of some of the domains.
    void exchangesAreTheLoadsOfTheirPairs() {
        test::Random random{5};
        int compared = 0;
        for (int round = 0; round < 60; ++round) {
            test::Parameters set{{"servers", std::to_string(3 + random.below(9))}, {"radix", "16"}};
            if (random.below(2)) set.merge(test::Parameters{{"nic_ports", "2"}, {"planes", "2"}});
            if (random.below(3) == 0) set["oversubscription"] = "3:1";
            FabricPointer fabric =
                test::fabricOf(std::array{"rail-optimized", "fat-tree", "rail-only"}[static_cast<std::size_t>(random.below(3))], set);
            Removal removal{std::vector<bool>(fabric->devices.size()), std::vector<bool>(fabric->links.size())};
            for (int lost = random.below(4); lost > 0; --lost) { // NICs and switches, so that no whole domain goes
                const auto device = static_cast<std::size_t>(random.below(static_cast<int>(fabric->devices.size())));
                const DeviceKind kind = fabric->devices.kind[device];
                if (kind == DeviceKind::Nic || kind == DeviceKind::Switch) removal.devices[device] = true;
            }
            fabric = without(fabric, removal.devices, removal.links);
            std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
            if (random.below(2)) gpus.resize(gpus.size() / 16 * 8);
            const auto group = Communicator::create(*fabric, gpus);
            for (const bool isForwarded : {false, true}) {
                GpuTraffic pairs;
                for (const auto from : gpus)
                    for (const auto to : gpus)
                        if (fabric->devices.hbDomain[from] != fabric->devices.hbDomain[to]) pairs.flows.push_back({from, to, 1});
                const auto loads = linkLoads(*fabric, pairs, {.isForwarded = isForwarded});
                const auto& exchange = group->links().exchange(isForwarded);
                if (loads->unreachablePairs > 0 && isForwarded) QVERIFY(!exchange.isPossible);
                if (pairs.flows.empty() || loads->unreachablePairs > 0) continue; // directly, others lend a GPU without a NIC theirs
                double most = 0;
                for (const LinkId l : fabric->links.ids())
                    if (fabric->isNetworkLink(l))
                        most = std::max(most, std::max(loads->aToB[l], loads->bToA[l]) / fabric->speedOf(l).value());
                QVERIFY(exchange.isPossible);
                QVERIFY2(std::abs(std::max(exchange.nicLoad, exchange.switchLoad) / most - 1) < 1e-9, std::to_string(round).c_str());
                ++compared;
            }
        }
        QVERIFY(compared > 50);
    }
    // On a kept fabric little is found before it is asked for, and groups that share all NICs of their domains share their ways. Neither
    // may show.
    void sharedWaysChangeNoTime() {
        test::Random random{11};
        std::size_t shared = 0;
        for (int round = 0; round < 12; ++round) {
            const FabricPointer intact =
                test::fabricOf(std::array{"rail-optimized", "rail-only", "fat-tree"}[static_cast<std::size_t>(round % 3)],
                               {{"servers", std::to_string(10 + random.below(30))}, {"radix", "16"}});
            Removal removal;
            drawLinks(*intact, 0.01 * (1 + random.below(8)), static_cast<std::uint64_t>(round + 1), removal);
            const FabricPointer fabric = without(intact, {}, removal.links);
            const auto graph = std::make_shared<const SwitchGraph>(switchGraphOf(*fabric));
            std::vector<std::shared_ptr<const GroupRoutes>> routes;
            for (std::size_t place = 0; place < 8; ++place) {
                std::vector<DeviceId> gpus;
                for (const DeviceId gpu : gpusInOrder(*fabric, RankOrder::Near))
                    if (fabric->devices.index[gpu] == place + 1) gpus.push_back(gpu);
                const auto alone = Communicator::create(*fabric, gpus),
                           together = Communicator::create(*fabric, gpus, shippedCalibration(),
                                                           {.graph = graph, .isKept = true, .routes = &routes});
                for (int o = 0; o <= static_cast<int>(CollectiveOp::PointToPoint); ++o) {
                    const auto one = alone->time(static_cast<CollectiveOp>(o), Bytes(1 << 20)),
                               other = together->time(static_cast<CollectiveOp>(o), Bytes(1 << 20));
                    QCOMPARE(bool(one), bool(other));
                    if (!one) continue;
                    QCOMPARE(one->lowerBound.value(), other->lowerBound.value());
                    QCOMPARE(one->bandwidthTime.value(), other->bandwidthTime.value());
                    QCOMPARE(one->alternatives.size(), other->alternatives.size());
                    for (std::size_t a = 0; a < one->alternatives.size(); ++a) {
                        QCOMPARE(one->alternatives[a].algorithm, other->alternatives[a].algorithm);
                        QVERIFY(one->alternatives[a].time == other->alternatives[a].time);
                    }
                }
            }
            shared += 8 - routes.size();
        }
        QVERIFY(shared > 0);
    }
    void ranksOnDifferentRailsMeetOverTheSpines() { // gpu 1 of one server, gpu 2 of the next: 2 * 1/2 * D over one NIC
        for (const char* recipe : {"rail-optimized", "fat-tree"}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", "16"}});
            const std::vector<DeviceId> all = gpusInOrder(*fabric, RankOrder::Near);
            const auto two = Communicator::create(*fabric, {all[0], all[9]}, notCalibrated());
            QVERIFY(std::abs(seconds(*two, CollectiveOp::AllReduce, 1e9) - 1e9 / 50e9) < 1e-12);
            // What failures leave without a partner crosses too: seven NICs here, seven others there.
            const FabricPointer left = without(fabric, select(*fabric, "su[1]/srv[1]/nic[1]")->devices, {});
            const FabricPointer both = without(left, select(*left, "su[1]/srv[2]/nic[2]")->devices, {});
            QVERIFY(std::abs(groupOf(*both, 16).links().ring.speed.value() - 7 * 400e9) < 1);
        }
    }
    void theUplinksOfALeafBoundAnExchange() { // 3:1: all that leaves a leaf's servers passes them
        const FabricPointer fabric = test::fabricOf("fat-tree", {{"servers", "17"}, {"radix", "48"}, {"oversubscription", "3:1"}});
        const auto timed = groupOf(*fabric).time(CollectiveOp::AllToAll, Bytes(1 << 30), {Algorithm::Direct, {}});
        QVERIFY(timed->lowerBound <= timed->best.time && timed->lowerBound.value() > timed->best.time.value() * (1 - 1e-9));
    }
    void lostNicsMakeNothingFaster() {
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "40"}});
        const FabricPointer left = without(intact, select(*intact, "su[1]/leaf[1]")->devices, {});
        const auto some = [](const Fabric& fabric) {
            std::vector<DeviceId> gpus;
            for (const DeviceId gpu : gpusInOrder(fabric, RankOrder::Near))
                if (fabric.devices.index[gpu] == 1 && gpus.size() < 4) gpus.push_back(gpu);
            return gpus;
        };
        for (const Calibration& calibration : {notCalibrated(), shippedCalibration(), *over(Transport::Tcp, shippedCalibration())}) {
            const auto before = *Communicator::create(*intact, some(*intact), calibration),
                       after = *Communicator::create(*left, some(*left), calibration);
            for (int o = 0; o <= static_cast<int>(CollectiveOp::PointToPoint); ++o) {
                const auto op = static_cast<CollectiveOp>(o);
                const auto one = before.time(op, Bytes(1 << 30)), other = after.time(op, Bytes(1 << 30));
                QVERIFY2(other->best.time >= one->best.time && other->best.time >= other->lowerBound && !other->best.phases.empty(),
                         std::string(toText(op)).c_str());
            }
        }
        const FabricPointer rootless = without(intact, select(*intact, "su[1]/srv[1]/nic[1]")->devices, {});
        for (const CollectiveOp op : {CollectiveOp::Gather, CollectiveOp::Scatter})
            for (const Algorithm algorithm : {Algorithm::Auto, Algorithm::Direct, Algorithm::Pxn})
                QVERIFY(seconds(groupOf(*rootless), op, 1e9, algorithm) >= seconds(groupOf(*intact), op, 1e9, algorithm));
    }
    // Two leaves that no way up and down joins: their lane carries nothing, and where it was the only one nothing works.
    void lanesThatLeadNowhereCarryNothing() {
        const FabricPointer intact = test::fabricOf("fat-tree", {{"servers", "40"}});
        std::vector<bool> links(intact->links.size());
        for (const LinkId l : indices<LinkId>(links.size())) {
            if (intact->links.tier[l] != LinkTier::LeafSpine) continue;
            const std::string leaf = intact->devicePath(intact->links.a[l]);
            const bool isOdd = intact->devices.index[intact->links.b[l]] % 2 == 1;
            links[l] = (leaf == "su[1]/leaf[1]" && isOdd) || (leaf == "su[2]/leaf[1]" && !isOdd);
        }
        const Communicator torn = groupOf(*without(intact, {}, links));
        QVERIFY(!torn.time(CollectiveOp::AllReduce, Bytes(1 << 30)));
    }
    void shuffledRanksOfLargeDomainsTakeNoTime() { // by index, not by looking through the ports of a domain
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "1024"}, {"hb_domain_gpus", "1024"}});
        std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        std::mt19937 random(1);
        for (std::size_t i = gpus.size(); i > 1; --i) std::swap(gpus[i - 1], gpus[random() % i]);
        const double start = threadCpuMilliseconds();
        QVERIFY(Communicator::create(*fabric, gpus));
        const double shuffled = threadCpuMilliseconds() - start;
        QVERIFY(Communicator::create(*fabric, 0, RankOrder::Near));
        const double near = threadCpuMilliseconds() - start - shuffled;
        QVERIFY2(shuffled < 20 * near, std::to_string(shuffled / near).c_str());
    }
    void dualTorSurvivesALeaf() { // a GPU that lost a plane keeps half its speed, and everybody still reaches it
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "256"}, {"nic_ports", "2"}, {"planes", "2"}});
        const FabricPointer one = without(intact, select(*intact, "su[1]/leaf[1]")->devices, {});
        const FabricPointer both = without(intact, select(*intact, "su[1]/leaf[*]")->devices, {});
        for (const Algorithm algorithm : {Algorithm::Direct, Algorithm::Pxn}) {
            const double before = seconds(groupOf(*intact), CollectiveOp::AllToAll, 268435456, algorithm);
            const double after = seconds(groupOf(*one), CollectiveOp::AllToAll, 268435456, algorithm);
            // The seven ports that a domain has left in the plane carry what eight carried; with PXN fewer bytes are bound to a rail.
            const double slower = after / before;
            QVERIFY2(algorithm == Algorithm::Direct ? std::abs(slower - 8.0 / 7) < 1e-9 : slower > 1 && slower < 8.0 / 7,
                     std::to_string(slower).c_str());
        }
        const double ring = seconds(groupOf(*intact), CollectiveOp::AllReduce, 1e9, Algorithm::Ring),
                     ringAfter = seconds(groupOf(*one), CollectiveOp::AllReduce, 1e9, Algorithm::Ring);
        QVERIFY(std::abs(ringAfter / ring - 16.0 / 15) < 1e-9); // one of sixteen ports of a domain is gone
        QVERIFY(!groupOf(*both).time(CollectiveOp::AllToAll, Bytes(1 << 20), {Algorithm::Direct, {}})); // an SU without any leaf
    }
    void planesCarryAsMuchAsOneFabric() {
        const test::Parameters size{{"servers", "64"}, {"nic_ports", "2"}};
        test::Parameters two = size;
        two["planes"] = "2";
        for (const char* recipe : {"rail-optimized", "fat-tree"}) {
            const double one = seconds(groupOf(*test::fabricOf(recipe, size)), CollectiveOp::AllToAll, 268435456, Algorithm::Direct);
            const double planes = seconds(groupOf(*test::fabricOf(recipe, two)), CollectiveOp::AllToAll, 268435456, Algorithm::Direct);
            QVERIFY(std::abs(planes / one - 1) < 1e-9);
        }
    }
    void largeDomains() { // 256 GPUs a domain: the HB fabric limits the ring
        const Communicator group = groupOf(*test::fabricOf("rail-only-gh200", {{"servers", "512"}}));
        QCOMPARE(group.largestDomain(), std::int64_t{256});
        QVERIFY(std::abs(group.time(CollectiveOp::AllReduce, Bytes(1 << 30))->busbwGbytesPerSecond - 450) < 1e-9);
    }
    void oneDomainStaysInside() {
        const auto result = groupOf(*test::fabricOf("superpod-h100"), 8).time(CollectiveOp::AllToAll, Bytes(1 << 30));
        QCOMPARE(result->best.nicBytes, 0.0);
        QVERIFY(std::abs(result->busbwGbytesPerSecond - 450) < 1e-9);
    }
    void oneRankTakesNoTime() { QCOMPARE(seconds(groupOf(*test::fabricOf("superpod-h100"), 1), CollectiveOp::AllReduce, 1e9), 0.0); }
    void twoPortsOfANicCarryAsMuchAsOne() {
        const double one =
            seconds(groupOf(*test::fabricOf("rail-optimized", {{"servers", "16"}})), CollectiveOp::AllToAll, 268435456, Algorithm::Direct);
        const double two = seconds(groupOf(*test::fabricOf("rail-optimized", {{"servers", "16"}, {"nic_ports", "2"}})),
                                   CollectiveOp::AllToAll, 268435456, Algorithm::Direct);
        QVERIFY(std::abs(two / one - 1) < 1e-9);
    }
    void oversubscriptionShows() {
        const test::Parameters two{{"servers", "128"}, {"leaf_up", "16"}};
        const test::Parameters size{{"servers", "128"}};
        const double plain = seconds(groupOf(*test::fabricOf("superpod-h100", size)), CollectiveOp::AllToAll, 268435456, Algorithm::Direct);
        const double half = seconds(groupOf(*test::fabricOf("superpod-h100", two)), CollectiveOp::AllToAll, 268435456, Algorithm::Direct);
        // A GPU sends to 1,016 of 1,024 over its NIC. The 32 GPUs below a leaf share 16 uplinks for all but their own and those below it.
        QVERIFY(std::abs(half / plain - 2.0 * (1024 - 8 - 31) / 1016) < 1e-9);
    }
    void nothingBeatsTheLowerBound() {
        for (const char* recipe : {"superpod-h100", "rail-only", "aipod", "fat-tree"})
            for (const std::int64_t ranks : {2, 8, 9, 16, 100, 128})
                for (int op = 0; op < 9; ++op) {
                    const auto result =
                        groupOf(*test::fabricOf(recipe, {{"servers", "16"}}), ranks).time(static_cast<CollectiveOp>(op), Bytes(1 << 28));
                    QVERIFY2(result, recipe);
                    for (const CollectiveTime& way : result->alternatives)
                        QVERIFY2(way.time.value() >= result->lowerBound.value() * (1 - 1e-12),
                                 qPrintable(QStringLiteral("%1 op %2 ranks %3 %4")
                                                .arg(QLatin1String(recipe))
                                                .arg(op)
                                                .arg(ranks)
                                                .arg(QString::fromStdString(std::string(toText(way.algorithm))))));
                }
    }
    // Whatever fails, HB links and switches too, and whoever takes part in whatever order.
    void nothingBeatsTheLowerBoundOnWhatIsLeft() {
        test::Random random{1};
        int timed = 0;
        for (int round = 0; round < 120; ++round) {
            test::Parameters set{{"servers", std::to_string(2 + random.below(9))}, {"radix", "16"}};
            if (random.below(2)) set.merge(test::Parameters{{"nic_ports", "2"}, {"planes", "2"}});
            if (random.below(3) == 0) set["oversubscription"] = "3:1";
            if (random.below(4) == 0) set["server"] = "srv-mi300x-8";
            FabricPointer fabric =
                test::fabricOf(std::array{"rail-optimized", "fat-tree", "rail-only"}[static_cast<std::size_t>(random.below(3))], set);
            Removal removal{std::vector<bool>(fabric->devices.size()), std::vector<bool>(fabric->links.size())};
            for (int lost = random.below(6); lost > 0; --lost) {
                auto& some = random.below(2) ? removal.devices : removal.links;
                some[static_cast<std::size_t>(random.below(static_cast<int>(some.size())))] = true;
            }
            fabric = without(fabric, removal.devices, removal.links);
            std::vector<DeviceId> gpus;
            for (const DeviceId gpu : gpusInOrder(*fabric, random.below(2) ? RankOrder::Near : RankOrder::Far))
                if (gpus.size() < 2 || round % 3 > 0 || random.below(2)) gpus.push_back(gpu);
            const auto group = Communicator::create(*fabric, gpus, notCalibrated());
            for (int op = 0; op < 9; ++op)
                for (const Algorithm algorithm : {Algorithm::Auto, Algorithm::Direct}) {
                    const auto result = group->time(static_cast<CollectiveOp>(op), Bytes(1 << 30), {algorithm, {}});
                    for (std::size_t w = 0; result && w < result->alternatives.size(); ++w, ++timed)
                        QVERIFY2(result->alternatives[w].time.value() >= result->lowerBound.value() * (1 - 1e-12),
                                 std::to_string(round).c_str());
                }
        }
        QVERIFY(timed > 2000);
    }
    void failuresNeverSpeedUp() {
        for (const char* recipe : {"superpod-h100", "rail-only"}) {
            const FabricPointer intact = test::fabricOf(recipe, {{"servers", "64"}});
            Removal removal;
            drawLinks(*intact, 0.02, 3, removal);
            const FabricPointer fabric = without(intact, {}, removal.links);
            for (const auto op : {CollectiveOp::AllReduce, CollectiveOp::AllToAll})
                QVERIFY(seconds(groupOf(*fabric), op, 1e8) >= seconds(groupOf(*intact), op, 1e8) * (1 - 1e-12));
        }
    }
    void impossibleAlgorithmsSayWhy() {
        const auto result = groupOf(*test::fabricOf("rail-only", {{"servers", "80"}}))
                                .time(CollectiveOp::AllToAll, Bytes(1 << 20), {Algorithm::Direct, {}});
        QVERIFY(!result);
        QVERIFY(result.error().text.find("rails are separate") != std::string::npos);
        QVERIFY(!Communicator::create(*test::fabricOf("superpod-h100"), 2000, RankOrder::Near));
    }
};

QTEST_GUILESS_MAIN(tst_collective)
#include "tst_collective.moc"
