// Collectives step by step: they last as long as the whole, send what their formulas say, and load links no more than that.
#include "tests/support/designs.h"

#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/steps.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"

#include <array>
#include <map>

using namespace railyard;

namespace {

constexpr Bytes size{std::int64_t{1} << 30};

Result<CollectiveSteps> stepsOf(const Fabric& fabric, CollectiveOp op, Algorithm algorithm = Algorithm::Auto) {
    return CollectiveSteps::create(fabric, op, size, {algorithm, {}});
}
// Of the links between HB domains and inside them.
double mostUtilisation(const Fabric& fabric, const CollectiveSteps& steps, std::size_t step) {
    const auto loads = steps.loadsOf(fabric, step);
    double most = 0;
    for (const LinkId l : fabric.links.ids()) most = std::max(most, loads->utilisation(fabric, l));
    return most;
}

} // namespace

class tst_steps : public QObject {
    Q_OBJECT

private slots:
    void theyLastAsLongAsTheWhole() {
        for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree"}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", "12"}});
            for (int o = 0; o <= static_cast<int>(CollectiveOp::PointToPoint); ++o) {
                const auto steps = stepsOf(*fabric, static_cast<CollectiveOp>(o));
                QVERIFY(steps && !steps->steps().empty());
                Seconds at;
                for (std::size_t i = 0; i < steps->steps().size(); ++i) {
                    const CollectiveStep& step = steps->steps()[i];
                    QVERIFY(std::abs(step.start.value() - at.value()) < 1e-15 && !step.name.empty() && !step.what.empty());
                    at = at + step.duration;
                    QCOMPARE(steps->loadsOf(*fabric, i)->unreachablePairs, std::int64_t{0});
                }
                QVERIFY(std::abs(at / steps->result().best.time - 1) < 1e-12);
            }
        }
    }
    // Without latencies and efficiencies a step lasts as long as its slowest link needs.
    void theSlowestLinkIsBusyAllTheTime() {
        Calibration none;
        for (const auto& [recipe, servers] :
             {std::pair("rail-optimized", "16"), std::pair("rail-only", "16"), std::pair("fat-tree", "9")}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", servers}});
            for (const CollectiveOp op : {CollectiveOp::AllReduce, CollectiveOp::AllGather, CollectiveOp::ReduceScatter}) {
                const auto ring = CollectiveSteps::create(*fabric, op, size, {Algorithm::Ring, {}}, none);
                for (std::size_t i = 0; i < ring->steps().size(); ++i) QVERIFY(std::abs(mostUtilisation(*fabric, *ring, i) - 1) < 1e-9);
            }
        }
    }
    void noLinkCarriesMoreThanItCan() {
        for (const char* recipe : {"rail-optimized", "rail-only"}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", "16"}});
            for (const auto& [op, algorithm] :
                 {std::pair(CollectiveOp::AllReduce, Algorithm::Hierarchical), std::pair(CollectiveOp::AllGather, Algorithm::Hierarchical),
                  std::pair(CollectiveOp::AllReduce, Algorithm::Nvls), std::pair(CollectiveOp::AllReduce, Algorithm::Ring),
                  std::pair(CollectiveOp::AllToAll, Algorithm::Pxn), std::pair(CollectiveOp::Broadcast, Algorithm::Ring),
                  std::pair(CollectiveOp::Reduce, Algorithm::Ring)}) {
                const auto steps = stepsOf(*fabric, op, algorithm);
                for (std::size_t i = 0; i < steps->steps().size(); ++i)
                    QVERIFY2(mostUtilisation(*fabric, *steps, i) <= 1 + 1e-9, steps->steps()[i].name.c_str());
            }
        }
    }
    void roundsSendEveryPairItsShare() {
        for (const char* servers : {"1", "2", "5", "24"}) {
            const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", servers}});
            const auto steps = stepsOf(*fabric, CollectiveOp::AllToAll, Algorithm::Direct);
            std::map<std::pair<std::uint32_t, std::uint32_t>, double> sent;
            for (std::size_t i = 0; i < steps->steps().size(); ++i)
                for (const GpuFlow& flow : steps->trafficOf(i).flows) sent[{flow.from, flow.to}] += flow.volume;
            const auto gpus = static_cast<std::size_t>(countsOf(*fabric).gpus);
            QCOMPARE(sent.size(), gpus * (gpus - 1));
            const double each = static_cast<double>(size.count()) / static_cast<double>(gpus);
            for (const auto& [pair, bytes] : sent) QVERIFY(std::abs(bytes / each - 1) < 1e-12);
        }
    }
    // Of exchanges the whole is a closed form of all pairs in the group, its steps are followed pair by pair.
    void togetherStepsAreTheWhole() {
        const FabricPointer small = test::fabricOf("rail-only", {{"servers", "7"}}),
                            large = test::fabricOf("rail-only", {{"servers", "19"}}),
                            planes = test::fabricOf("rail-optimized", {{"servers", "15"}, {"nic_ports", "2"}, {"planes", "2"}}),
                            damaged = without(planes, select(*planes, "su[1]/srv[2]/nic[3]")->devices, {});
        for (const FabricPointer& fabric : {small, large, planes, damaged})
            for (const CollectiveOp op : {CollectiveOp::AllToAll, CollectiveOp::AllReduce, CollectiveOp::Broadcast})
                for (const bool isPart : {false, true}) {
                    std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
                    if (isPart) gpus.resize(gpus.size() * 5 / 8);
                    const auto steps = CollectiveSteps::create(*fabric, gpus, op, size);
                    std::vector<double> sum(fabric->links.size());
                    for (std::size_t i = 0; i < steps->steps().size(); ++i) {
                        const auto loads = steps->loadsOf(*fabric, i);
                        for (std::size_t l = 0; l < sum.size(); ++l) sum[l] += loads->aToB[l] + loads->bToA[l];
                    }
                    const auto all = steps->loadsOfAll(*fabric);
                    for (const LinkId l : indices<LinkId>(sum.size()))
                        if (fabric->isNetworkLink(l)) QVERIFY(std::abs(all->aToB[l] + all->bToA[l] - sum[l]) <= 1e-9 * sum[l]);
                }
    }
    void forwardingSendsAsMuchOverNics() { // as direct, from the GPU on the rail of the destination
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "6"}, {"rails", "8"}});
        const auto steps = stepsOf(*fabric, CollectiveOp::AllToAll);
        QCOMPARE(steps->result().best.algorithm, Algorithm::Pxn);
        std::map<std::uint32_t, double> inside, between;
        for (std::size_t i = 0; i < steps->steps().size(); ++i)
            for (const GpuFlow& flow : steps->trafficOf(i).flows) (i == 0 ? inside : between)[flow.from] += flow.volume;
        const double pair = static_cast<double>(size.count()) / 48;
        for (const auto& [gpu, bytes] : between) QVERIFY(std::abs(bytes / (40 * pair) - 1) < 1e-12);
        for (const auto& [gpu, bytes] : inside) QVERIFY(std::abs(bytes / (6 * 7 * pair) - 1) < 1e-12);
    }
    void ranksOnOneRailSendOverTheirOwnNics() { // eight NICs on two rails: four of the seven others are on another
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "6"}, {"rails", "2"}});
        const auto steps = stepsOf(*fabric, CollectiveOp::AllToAll, Algorithm::Pxn);
        QVERIFY(steps);
        std::map<std::uint32_t, double> inside, between;
        std::vector<double> inSum(fabric->links.size());
        for (std::size_t i = 0; i < steps->steps().size(); ++i) {
            for (const GpuFlow& flow : steps->trafficOf(i).flows)
                if (fabric->devices.hbDomain[flow.from] != fabric->devices.hbDomain[flow.to])
                    between[flow.from] += flow.volume;
                else if (i == 0)
                    inside[flow.from] += flow.volume;
            const auto loads = steps->loadsOf(*fabric, i);
            for (std::size_t l = 0; l < inSum.size(); ++l) inSum[l] += loads->aToB[l] + loads->bToA[l];
        }
        const double pair = static_cast<double>(size.count()) / 48;
        for (const auto& [gpu, bytes] : between) QVERIFY(std::abs(bytes / (40 * pair) - 1) < 1e-12);
        for (const auto& [gpu, bytes] : inside) QVERIFY(std::abs(bytes / (6 * 4 * pair) - 1) < 1e-12);
        const auto all = steps->loadsOfAll(*fabric); // its rounds by closed form
        for (std::size_t l = 0; l < inSum.size(); ++l) QVERIFY(std::abs(all->aToB[l] + all->bToA[l] - inSum[l]) <= 1e-9 * inSum[l]);
    }
    void treesReachEveryDomain() { // up each but the root sends its half of every tree once; down is the reverse
        for (int servers = 2; servers < 20; ++servers) {
            const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", std::to_string(servers)}});
            const auto steps = stepsOf(*fabric, CollectiveOp::AllReduce, Algorithm::Tree);
            QCOMPARE(steps->steps().size(), std::size_t{2});
            std::map<std::pair<std::uint32_t, std::uint32_t>, double> up;
            double across = 0;
            const auto& domain = fabric->devices.hbDomain;
            for (const GpuFlow& flow : steps->trafficOf(0).flows) {
                up[{flow.from, flow.to}] += flow.volume;
                if (domain[flow.from] != domain[flow.to]) across += flow.volume;
            }
            for (const GpuFlow& flow : steps->trafficOf(1).flows) up[{flow.to, flow.from}] -= flow.volume;
            for (const auto& [pair, bytes] : up) QVERIFY(std::abs(bytes) < 1);
            QVERIFY(std::abs(across / (static_cast<double>(size.count()) * (servers - 1)) - 1) < 1e-12);
        }
    }
    void hopsAreWhoSendsToWhom() { // between the domains that flows lead between
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "11"}});
        const auto& domain = fabric->devices.hbDomain;
        for (const auto& [op, algorithm] :
             {std::pair(CollectiveOp::AllReduce, Algorithm::Ring), std::pair(CollectiveOp::AllReduce, Algorithm::Tree),
              std::pair(CollectiveOp::AllReduce, Algorithm::Hierarchical), std::pair(CollectiveOp::Broadcast, Algorithm::Ring),
              std::pair(CollectiveOp::Reduce, Algorithm::Ring), std::pair(CollectiveOp::Scatter, Algorithm::Direct),
              std::pair(CollectiveOp::Gather, Algorithm::Direct), std::pair(CollectiveOp::PointToPoint, Algorithm::Direct),
              std::pair(CollectiveOp::AllToAll, Algorithm::Direct)}) {
            const auto steps = stepsOf(*fabric, op, algorithm);
            for (std::size_t i = 0; i < steps->steps().size(); ++i) {
                std::set<std::pair<std::uint32_t, std::uint32_t>> sent, drawn;
                for (const GpuFlow& flow : steps->trafficOf(i).flows)
                    if (domain[flow.from] != domain[flow.to]) sent.insert({domain[flow.from], domain[flow.to]});
                for (const auto& [from, to] : steps->hopsOf(i)) drawn.insert({domain[from], domain[to]});
                QVERIFY2(sent == drawn, steps->steps()[i].name.c_str());
            }
        }
    }
    void damagedFabricsPlayToo() {
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "8"}});
        const FabricPointer left = without(intact, select(*intact, "su[1]/srv[2]/gpu[3]")->devices, {});
        for (int o = 0; o <= static_cast<int>(CollectiveOp::PointToPoint); ++o) {
            const auto steps = stepsOf(*left, static_cast<CollectiveOp>(o));
            QVERIFY(steps);
            for (std::size_t i = 0; i < steps->steps().size(); ++i) QVERIFY(steps->loadsOf(*left, i));
        }
    }
    // What failed leaves its lane; nothing is lost, and no link is asked for more than it carries.
    void damageLeavesTheOtherLanesRight() {
        for (const char* recipe : {"rail-optimized", "rail-only"}) {
            const FabricPointer intact = test::fabricOf(recipe, {{"servers", "8"}});
            for (const char* lost : {"su[1]/srv[2]/gpu[3]", "su[1]/srv[2]/nic[3]", "su[1]/srv[8]"}) {
                const FabricPointer left = without(intact, select(*intact, lost)->devices, {});
                for (const CollectiveOp op : {CollectiveOp::AllReduce, CollectiveOp::AllGather, CollectiveOp::Broadcast,
                                              CollectiveOp::AllToAll, CollectiveOp::Gather, CollectiveOp::Scatter}) {
                    const auto steps = stepsOf(*left, op);
                    for (std::size_t i = 0; i < steps->steps().size(); ++i) {
                        const auto loads = steps->loadsOf(*left, i);
                        const std::string where =
                            std::string(recipe) + " " + lost + " " + std::string(toText(op)) + " " + loads->unreachableExample;
                        QVERIFY2(loads->unreachablePairs == 0, where.c_str());
                        QVERIFY2(mostUtilisation(*left, *steps, i) <= 1.3, where.c_str()); // orphans share the NICs of others
                    }
                }
            }
        }
    }
    void halvedNicsGetHalfALane() { // of two planes one leaf is gone: its GPUs keep half their speed, in time and in play
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "33"}, {"nic_ports", "2"}, {"planes", "2"}});
        const FabricPointer left = without(intact, select(*intact, "su[1]/leaf[3]")->devices, {});
        for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Hierarchical}) {
            const auto steps = CollectiveSteps::create(*left, CollectiveOp::AllReduce, size, {algorithm, {}}, Calibration());
            for (std::size_t i = 0; i < steps->steps().size(); ++i)
                QVERIFY2(mostUtilisation(*left, *steps, i) <= 1 + 1e-9, std::string(toText(algorithm)).c_str());
        }
    }
    void gathersGoRoundALostLeaf() {
        const FabricPointer intact = test::fabricOf("rail-only", {{"servers", "17"}});
        for (const char* lost : {"rail[3]/leaf[1]", "**/leaf[3]"}) {
            const auto gone = select(*intact, lost);
            if (!gone) continue;
            const FabricPointer left = without(intact, gone->devices, {});
            const auto steps = CollectiveSteps::create(*left, CollectiveOp::Gather, size, {Algorithm::Pxn, {}}, Calibration());
            QVERIFY2(mostUtilisation(*left, *steps, 0) <= 1 + 1e-9, std::to_string(mostUtilisation(*left, *steps, 0)).c_str());
        }
    }
    // Rings, trees of even fabrics, rank to rank, gather and scatter: on what failures leave, with some of the GPUs, in any order.
    void whatNeighboursSendFits() {
        test::Random random{3};
        int played = 0;
        for (int round = 0; round < 40; ++round) {
            test::Parameters set{{"servers", std::to_string(3 + random.below(9))}, {"radix", "16"}, {"rails", "8"}};
            if (random.below(2)) set.merge(test::Parameters{{"nic_ports", "2"}, {"planes", "2"}});
            if (random.below(3) == 0) set["oversubscription"] = "3:1";
            FabricPointer fabric =
                test::fabricOf(std::array{"rail-optimized", "fat-tree", "rail-only"}[static_cast<std::size_t>(random.below(3))], set);
            const bool isDamaged = random.below(2) > 0;
            if (isDamaged) {
                Removal removal;
                drawLinks(*fabric, 0.05, static_cast<std::uint64_t>(round), removal);
                fabric = without(fabric, removal.devices, removal.links);
            }
            std::vector<DeviceId> gpus;
            for (const DeviceId gpu : gpusInOrder(*fabric, random.below(2) ? RankOrder::Near : RankOrder::Far))
                if (gpus.empty() || round % 3 > 0 || random.below(3) > 0) gpus.push_back(gpu);
            for (const auto& [op, algorithm] :
                 {std::pair(CollectiveOp::AllReduce, Algorithm::Ring), std::pair(CollectiveOp::AllReduce, Algorithm::Hierarchical),
                  std::pair(CollectiveOp::AllReduce, Algorithm::Tree), std::pair(CollectiveOp::Broadcast, Algorithm::Ring),
                  std::pair(CollectiveOp::Gather, Algorithm::Direct), std::pair(CollectiveOp::Gather, Algorithm::Pxn),
                  std::pair(CollectiveOp::Scatter, Algorithm::Pxn), std::pair(CollectiveOp::PointToPoint, Algorithm::Direct),
                  std::pair(CollectiveOp::PointToPoint, Algorithm::Pxn)}) {
                if (isDamaged && algorithm == Algorithm::Tree) continue; // up and down differ there
                const auto steps = CollectiveSteps::create(*fabric, gpus, op, size, {algorithm, {}}, Calibration());
                for (std::size_t i = 0; steps && i < steps->steps().size(); ++i, ++played) {
                    const std::string where = std::to_string(round) + " " + steps->steps()[i].name;
                    QCOMPARE(steps->loadsOf(*fabric, i)->unreachablePairs, std::int64_t{0});
                    QVERIFY2(mostUtilisation(*fabric, *steps, i) <= 1 + 1e-9, where.c_str());
                }
            }
        }
        QVERIFY(played > 200);
    }
    void meshesUseAllTheirLinks() { // rings side by side; the slowest link is as busy as the time says
        for (const auto& [server, recipe] : {std::pair("srv-mi300x-8", "rail-optimized")}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", "4"}, {"server", server}});
            for (const CollectiveOp op : {CollectiveOp::AllReduce, CollectiveOp::Broadcast, CollectiveOp::AllGather}) {
                const auto steps = CollectiveSteps::create(*fabric, op, size, {Algorithm::Ring, {}}, Calibration());
                for (std::size_t i = 0; i < steps->steps().size(); ++i) QVERIFY(mostUtilisation(*fabric, *steps, i) <= 1 + 1e-9);
            }
        }
    }
    void neighboursShareTheUplinks() { // 3:1: the last GPU of every server sends up its leaf; by forwarding it stays on its rail
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "96"}, {"oversubscription", "3:1"}});
        const FabricPointer even = test::fabricOf("rail-optimized", {{"servers", "96"}});
        const auto timed = [](const Fabric& of, Algorithm algorithm) {
            return *CollectiveSteps::create(of, CollectiveOp::PointToPoint, size, {algorithm, {}}, Calibration());
        };
        const CollectiveSteps direct = timed(*fabric, Algorithm::Direct);
        QVERIFY(std::abs(mostUtilisation(*fabric, direct, 0) - 1) < 1e-9);
        const double slower = direct.result().best.time / timed(*even, Algorithm::Direct).result().best.time;
        QVERIFY2(slower > 2.5 && slower < 3.5, std::to_string(slower).c_str());
        QVERIFY(mostUtilisation(*fabric, timed(*fabric, Algorithm::Pxn), 0) <= 1 + 1e-9);
        for (const auto order : {RankOrder::Near, RankOrder::Far}) {
            const auto gpus = gpusInOrder(*fabric, order);
            for (const Algorithm algorithm : {Algorithm::Direct, Algorithm::Pxn}) {
                const auto steps = CollectiveSteps::create(*fabric, gpus, CollectiveOp::PointToPoint, size, {algorithm, {}}, Calibration());
                QVERIFY(mostUtilisation(*fabric, *steps, 0) <= 1 + 1e-9);
            }
        }
    }
    // Trees, gather and scatter know the switches: nothing is asked for more than it carries, and not
    // much less (a tree of few domains has few inner places: NICs send less than the formula's 2 D).
    void treesAndRootsSeeTheSwitches() {
        int limited = 0;
        for (const char* recipe : {"rail-optimized", "fat-tree"})
            for (const char* servers : {"33", "100"}) {
                const FabricPointer intact = test::fabricOf(recipe, {{"servers", servers}, {"oversubscription", "4:1"}});
                const FabricPointer left = without(intact, select(*intact, "spine[1]")->devices, {});
                for (const FabricPointer& fabric : {intact, left})
                    for (const auto& [op, algorithm] :
                         {std::pair(CollectiveOp::AllReduce, Algorithm::Tree), std::pair(CollectiveOp::Gather, Algorithm::Direct),
                          std::pair(CollectiveOp::Gather, Algorithm::Pxn), std::pair(CollectiveOp::Scatter, Algorithm::Pxn)})
                        for (const RankOrder order : {RankOrder::Near, RankOrder::Far}) {
                            const auto steps =
                                CollectiveSteps::create(*fabric, gpusInOrder(*fabric, order), op, size, {algorithm, {}}, Calibration());
                            const auto loads = steps->loadsOfAll(*fabric);
                            double most = 0;
                            for (const LinkId l : fabric->links.ids()) most = std::max(most, loads->utilisation(*fabric, l));
                            QVERIFY2(most <= 1 + 1e-9 && most > 0.4, (std::string(recipe) + servers + " " + std::to_string(most)).c_str());
                            limited += steps->result().best.phases.back().bottleneck == "leaf-spine";
                        }
            }
        QVERIFY(limited > 0);
    }
    void gathersComeOverAllNicsOfTheRoot() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "16"}});
        for (const CollectiveOp op : {CollectiveOp::Gather, CollectiveOp::Scatter}) {
            const auto steps = CollectiveSteps::create(*fabric, op, size, {Algorithm::Pxn, {}}, Calibration());
            QVERIFY(mostUtilisation(*fabric, *steps, 0) <= 1 + 1e-9);
        }
    }
    void hugeExchangesAreOneStep() { // closed form, not pair by pair
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1024"}});
        const auto steps = stepsOf(*fabric, CollectiveOp::AllToAll, Algorithm::Direct);
        QCOMPARE(steps->steps().size(), std::size_t{1});
        const auto loads = steps->loadsOf(*fabric, 0);
        for (const LinkId l : fabric->links.ids())
            if (fabric->links.tier[l] == LinkTier::HostLeaf)
                QVERIFY(std::abs(loads->aToB[l] / (static_cast<double>(size.count()) / 8192 * 8184) - 1) < 1e-9);
    }
    void aPartOfTheGpusSendsToItself() { // by closed form too, and over its own NICs
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "2100"}});
        std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        gpus.resize(4800);
        const auto steps = CollectiveSteps::create(*fabric, gpus, CollectiveOp::AllToAll, size, {Algorithm::Direct, {}});
        QCOMPARE(steps->steps().size(), std::size_t{1});
        const auto loads = steps->loadsOf(*fabric, 0);
        for (const LinkId l : fabric->links.ids())
            if (fabric->links.tier[l] == LinkTier::HostLeaf) {
                const double wanted = fabric->links.a[l] < gpus.back() + 20 ? static_cast<double>(size.count()) / 4800 * 4792 : 0;
                QVERIFY(std::abs(loads->aToB[l] - wanted) <= 1e-9 * wanted);
            }
    }
    void lentNicsWithoutGpusHaveUsers() { // of a server only NICs are left whose GPUs are gone
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "2"}});
        const FabricPointer less = without(intact, select(*intact, "su[1]/srv[1]/gpu[1]")->devices, {});
        const FabricPointer left = without(less, select(*less, "su[1]/srv[1]/nic[2-8]")->devices, {});
        for (int op = 0; op <= static_cast<int>(CollectiveOp::PointToPoint); ++op) {
            const auto steps = stepsOf(*left, static_cast<CollectiveOp>(op));
            for (std::size_t i = 0; steps && i < steps->steps().size(); ++i) QVERIFY(steps->loadsOf(*left, i));
        }
    }
    void aGroupOfOneHasNoSteps() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1"}});
        const FabricPointer one = without(fabric, select(*fabric, "su[1]/srv[1]/gpu[2-8]")->devices, {});
        const auto steps = stepsOf(*one, CollectiveOp::AllReduce);
        QVERIFY(steps ? steps->steps().empty() : !steps.errors().empty());
    }
};

QTEST_GUILESS_MAIN(tst_steps)
#include "tst_steps.moc"
