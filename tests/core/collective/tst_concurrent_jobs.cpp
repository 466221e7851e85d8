// Jobs beside each other: fair shares of what they both need, nothing lost where they need nothing of the other.
#include "tests/support/designs.h"

#include "core/collective/concurrent_jobs.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"

#include <random>

using namespace railyard;

namespace {
constexpr Bytes size{std::int64_t{1} << 30};

std::vector<JobTime> times(const Fabric& fabric, std::int64_t jobs, JobPlacement placement, CollectiveOp op,
                           const std::vector<double>& weights = {}) {
    const auto tiles = tilesOf(fabric, jobs, placement);
    std::vector<CollectiveJob> all;
    for (std::size_t j = 0; j < tiles->size(); ++j) all.push_back({(*tiles)[j], op, size, j < weights.size() ? weights[j] : 1});
    return concurrentTimes(fabric, all)->jobs;
}
} // namespace

class tst_concurrent_jobs : public QObject {
    Q_OBJECT

private slots:
    void fairSharesByHand() {
        // Two on a full link halve; a third that only meets one of them takes what is left.
        const auto half = shareFairly({{{0, 1.0}}, {{0, 1.0}}}, {1, 1});
        QCOMPARE(half.speed, (std::vector<double>{0.5, 0.5}));
        const auto chain = shareFairly({{{0, 1.0}, {1, 0.5}}, {{0, 1.0}}, {{1, 1.0}}}, {1, 1, 1});
        QCOMPARE(chain.speed, (std::vector<double>{0.5, 0.5, 0.75}));
        QCOMPARE(chain.bottleneck, (std::vector<std::uint32_t>{0, 0, 1}));
        const auto weighted = shareFairly({{{0, 1.0}}, {{0, 1.0}}}, {3, 1});
        QCOMPARE(weighted.speed, (std::vector<double>{0.75, 0.25}));
        const auto light = shareFairly({{{0, 0.3}}, {{0, 0.4}}, {}}, {1, 5, 1}); // room for all
        QCOMPARE(light.speed, (std::vector<double>{1, 1, 1}));
        QCOMPARE(light.bottleneck[1], none);
        const auto capped = shareFairly({{{0, 0.2}}, {{0, 1.0}}}, {100, 1}); // more weight than it can use
        QCOMPARE(capped.speed, (std::vector<double>{1, 0.8}));
    }
    // At random: nothing is overfull, everyone who is slowed is on a full resource where no one of more speed by weight is.
    void sharesAreMaxMinFair() {
        std::mt19937 random(1);
        for (int round = 0; round < 300; ++round) {
            const std::size_t jobs = 1 + random() % 6;
            std::vector<ResourceUse> use(jobs);
            std::vector<double> weights(jobs);
            for (std::size_t j = 0; j < jobs; ++j) {
                weights[j] = static_cast<double>(1 + random() % 4);
                for (std::uint32_t r = 0; r < 5; ++r)
                    if (random() % 2) use[j].emplace_back(r, static_cast<double>(1 + random() % 100) / 100);
            }
            const SharedSpeeds shared = shareFairly(use, weights);
            std::vector<double> taken(5);
            for (std::size_t j = 0; j < jobs; ++j)
                for (const auto& [r, share] : use[j]) taken[r] += shared.speed[j] * share;
            for (const double each : taken) QVERIFY(each <= 1 + 1e-9);
            for (std::size_t j = 0; j < jobs; ++j) {
                if (shared.bottleneck[j] == none) {
                    QCOMPARE(shared.speed[j], 1.0);
                    continue;
                }
                QVERIFY(std::abs(taken[shared.bottleneck[j]] - 1) < 1e-9);
                for (std::size_t k = 0; k < jobs; ++k)
                    for (const auto& [r, share] : use[k])
                        if (r == shared.bottleneck[j]) QVERIFY(shared.speed[k] / weights[k] <= shared.speed[j] / weights[j] + 1e-9);
            }
        }
    }
    void jobsApartDoNotSlowEachOther() { // every job fills its SUs; without oversubscription spread ones are as fast
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "128"}});
        for (const CollectiveOp op : {CollectiveOp::AllReduce, CollectiveOp::AllToAll})
            for (const JobTime& job : times(*fabric, 4, JobPlacement::Packed, op)) {
                QVERIFY(std::abs(job.slowdown - 1) < 1e-9);
                QCOMPARE(job.bottleneck, none);
                QCOMPARE(job.alone.ranks, std::int64_t{256});
            }
    }
    void spreadJobsMeetAboveTheLeaves() { // 4:1 over the leaves: packed within an SU nothing, spread they share the uplinks
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "128"}, {"oversubscription", "4:1"}});
        double worst = 1;
        for (const JobTime& job : times(*fabric, 4, JobPlacement::Spread, CollectiveOp::AllToAll)) {
            worst = std::max(worst, job.slowdown);
            if (job.slowdown > 1) QVERIFY(job.bottleneck != none);
            QVERIFY(std::abs(job.time() / job.alone.best.time - job.slowdown) < 1e-12);
        }
        QVERIFY2(worst > 1.5, std::to_string(worst).c_str());
        for (const JobTime& job : times(*fabric, 4, JobPlacement::Packed, CollectiveOp::AllToAll)) QVERIFY(job.slowdown < worst);
    }
    void meshesMeetAboveTheLeavesToo() {
        const FabricPointer fabric =
            test::fabricOf("fat-tree", {{"server", "srv-mi300x-8"}, {"servers", "16"}, {"leaf_down", "32"}, {"leaf_up", "8"}});
        const auto tiles = tilesOf(*fabric, 2, JobPlacement::Spread);
        const auto both =
            concurrentTimes(*fabric, {{(*tiles)[0], CollectiveOp::AllReduce, size, 1}, {(*tiles)[1], CollectiveOp::AllReduce, size, 1}}, {},
                            {Algorithm::Ring, {}}, {});
        QVERIFY2(std::abs(both->jobs[0].slowdown - 2) < 1e-6, std::to_string(both->jobs[0].slowdown).c_str());
    }
    void weightsDivideWhatIsShort() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "128"}, {"oversubscription", "4:1"}});
        const auto even = times(*fabric, 2, JobPlacement::Spread, CollectiveOp::AllToAll);
        const auto first = times(*fabric, 2, JobPlacement::Spread, CollectiveOp::AllToAll, {3, 1});
        QVERIFY(first[0].slowdown < even[0].slowdown && first[1].slowdown > even[1].slowdown);
    }
    void classesAreSureOfTheirShare() { // by weight on every link; what one leaves the others take
        const std::vector<ResourceUse> use{{{0, 1.0}}, {{0, 0.5}}};
        QCOMPARE(assuredSpeeds(use, {3, 1}), (std::vector<double>{0.75, 0.5}));
        QCOMPARE(shareFairly(use, assuredSpeeds(use, {3, 1})).speed, (std::vector<double>{0.75, 0.5})); // 3/4 and 1/4 of the link
        QCOMPARE(shareFairly(use, assuredSpeeds(use, {1, 1})).speed, (std::vector<double>{0.5, 1}));
        const std::vector<ResourceUse> three{{{0, 1.0}}, {{0, 1.0}}, {{0, 0.1}}};
        QCOMPARE(shareFairly(three, assuredSpeeds(three, {1, 1, 1})).speed, (std::vector<double>{0.45, 0.45, 1}));
        // Who hardly touches a link of a job changes nothing of what it shares elsewhere.
        std::vector<ResourceUse> many{{{0, 1.0}, {1, 0.5}}, {{0, 1.0}}};
        std::vector<double> weightsOfMany{1, 1};
        for (int c = 0; c < 9; ++c) many.push_back({{1, 0.01}}), weightsOfMany.push_back(1000);
        const auto undisturbed = shareFairly(many, assuredSpeeds(many, weightsOfMany));
        QVERIFY(std::abs(undisturbed.speed[0] - 0.5) < 1e-12 && std::abs(undisturbed.speed[1] - 0.5) < 1e-12);
        std::mt19937 random(7);
        for (int round = 0; round < 300; ++round) { // nobody gets less than that, nothing is overfull, and nothing is left that would help
            std::vector<ResourceUse> all(1 + random() % 6);
            std::vector<double> weights(all.size());
            for (std::size_t j = 0; j < all.size(); ++j) {
                weights[j] = static_cast<double>(1 + random() % 4);
                for (std::uint32_t r = 0; r < 5; ++r)
                    if (random() % 2) all[j].emplace_back(r, static_cast<double>(1 + random() % 150) / 100);
            }
            const auto sure = assuredSpeeds(all, weights);
            const SharedSpeeds shared = shareFairly(all, sure);
            std::vector<double> taken(5);
            for (std::size_t j = 0; j < all.size(); ++j)
                for (const auto& [r, share] : all[j]) taken[r] += shared.speed[j] * share;
            for (const double each : taken) QVERIFY(each <= 1 + 1e-9);
            for (std::size_t j = 0; j < all.size(); ++j) {
                QVERIFY(shared.speed[j] >= sure[j] * (1 - 1e-9));
                QVERIFY(shared.speed[j] >= 1 - 1e-9 || std::abs(taken[shared.bottleneck[j]] - 1) < 1e-9);
            }
        }
    }
    // 31 servers read 40 GB/s each from one that has 400: it gives them 12.9, and nothing else meets them there.
    void storageIsHeldByItsOwnNics() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "32"}});
        for (const bool isWrite : {false, true}) {
            const ConcurrentStorage storage{{select(*fabric, "su[1]/srv[32]")->devices, Bandwidth(40 * 8e9), isWrite}, 1};
            const auto all = storageLoads(*fabric, storage.traffic);
            QCOMPARE(all->servers, std::int64_t{31});
            double sent = 0, taken = 0;
            for (const LinkId l : fabric->links.ids()) {
                if (fabric->links.tier[l] != LinkTier::HostLeaf) continue;
                const bool isStorage = storage.traffic.isStorage[fabric->links.a[l]];
                (isStorage ? sent : taken) += ((isStorage != isWrite) ? all->aToB : all->bToA)[l];
            }
            QVERIFY(std::abs(sent / (31 * 40 * 8e9) - 1) < 1e-12 && std::abs(taken / sent - 1) < 1e-12);
            std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
            gpus.resize(31 * 8);
            const auto times = concurrentTimes(*fabric, {{gpus, CollectiveOp::AllReduce, size, 1}}, storage);
            QVERIFY(std::abs(times->storage->alone - 400.0 / (31 * 40)) < 1e-9);
            QVERIFY(times->storage->concurrent <= times->storage->alone + 1e-12 && times->jobs[0].slowdown >= 1);
        }
    }
    void classesDivideTheNicsBetweenCollectivesAndStorage() { // both want the same NICs all the time: by weight
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "32"}});
        std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        gpus.resize(16 * 8);
        const auto timed = [&](double weight) {
            const ConcurrentStorage storage{{select(*fabric, "su[1]/srv[17-32]")->devices, Bandwidth(400 * 8e9), false}, weight};
            return *concurrentTimes(*fabric, {{gpus, CollectiveOp::AllReduce, Bytes(std::int64_t{1} << 36), 1}}, storage,
                                    {Algorithm::Ring, {}}, notCalibrated());
        };
        const ConcurrentTimes even = timed(1), less = timed(1.0 / 3);
        QVERIFY2(std::abs(even.jobs[0].slowdown - 2) < 1e-3, std::to_string(even.jobs[0].slowdown).c_str());
        QVERIFY(std::abs(even.storage->concurrent - 0.5) < 1e-3);
        QVERIFY(std::abs(less.jobs[0].slowdown - 4.0 / 3) < 1e-3);
        QVERIFY(std::abs(less.storage->concurrent - 0.25) < 1e-3);
    }
    void storageOutOfReachIsCounted() { // its rails are others
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "8"}, {"rails", "8"}});
        const FabricPointer left = without(fabric, select(*fabric, "**/srv[1]/nic[2-8]")->devices, {});
        const FabricPointer apart = without(left, select(*left, "**/srv[2]/nic[1]")->devices, {});
        const auto loads = storageLoads(*apart, {select(*apart, "**/srv[1]")->devices, Bandwidth(8e9), false});
        QCOMPARE(loads->servers, std::int64_t{7});
        QCOMPARE(loads->cutOff, std::int64_t{1});
        QVERIFY2(loads->example.find("srv[2]") != std::string::npos, loads->example.c_str());
        QVERIFY(!storageLoads(*fabric, {std::vector<bool>(fabric->devices.size()), Bandwidth(8e9), false}));
        QVERIFY(!storageLoads(*fabric, {std::vector<bool>(fabric->devices.size(), true), Bandwidth(8e9), false}));
    }
    void whatDoesNotArriveIsNotCounted() { // no spine is left: storage of SU 1 serves the servers of SU 1 alone
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "64"}});
        const FabricPointer left = without(intact, select(*intact, "spine[*]")->devices, {});
        const StorageTraffic traffic{select(*left, "su[1]/srv[1-4]")->devices, Bandwidth(10 * 8e9), false};
        const auto loads = storageLoads(*left, traffic);
        QCOMPARE(loads->servers, std::int64_t{60});
        QCOMPARE(loads->cutOff, std::int64_t{32});
        QVERIFY(std::abs(loads->reached - 28.0 / 60) < 1e-12);
        double sent = 0, taken = 0;
        for (const LinkId l : left->links.ids()) {
            if (left->links.tier[l] != LinkTier::HostLeaf) continue;
            const bool isStorage = traffic.isStorage[left->links.a[l]];
            (isStorage ? sent : taken) += (isStorage ? loads->aToB : loads->bToA)[l];
            if (left->devices.su[left->links.a[l]] == 2) QCOMPARE(loads->bToA[l], 0.0);
        }
        QVERIFY(std::abs(sent / (28 * 10 * 8e9) - 1) < 1e-12 && std::abs(taken / sent - 1) < 1e-12);
        std::vector<bool> one(left->devices.size());
        one[static_cast<std::size_t>(std::find(traffic.isStorage.begin(), traffic.isStorage.end(), true) - traffic.isStorage.begin())] =
            true;
        QCOMPARE(wholeServers(*left, one), select(*left, "su[1]/srv[1]")->devices);
    }
    void oneJobIsTheCollectiveItself() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "12"}});
        const auto group = Communicator::create(*fabric, 0, RankOrder::Near);
        for (const CollectiveOp op : {CollectiveOp::AllReduce, CollectiveOp::AllToAll, CollectiveOp::PointToPoint}) {
            const auto alone = times(*fabric, 1, JobPlacement::Packed, op);
            QCOMPARE(alone.front().time().value(), group->time(op, size)->best.time.value());
        }
    }
    void tilesHoldEveryGpuOnce() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "13"}});
        for (const auto placement : {JobPlacement::Packed, JobPlacement::Spread})
            for (std::int64_t jobs = 1; jobs <= 13; ++jobs) {
                std::vector<bool> seen(fabric->devices.size());
                const auto tiles = tilesOf(*fabric, jobs, placement);
                QCOMPARE(tiles->size(), static_cast<std::size_t>(jobs));
                std::size_t gpus = 0;
                for (const auto& tile : *tiles) {
                    QVERIFY(!tile.empty());
                    for (const DeviceId gpu : tile) {
                        QVERIFY(!seen[gpu]);
                        seen[gpu] = true;
                        ++gpus;
                    }
                }
                QCOMPARE(gpus, std::size_t{104});
            }
        QVERIFY(!tilesOf(*fabric, 14, JobPlacement::Packed) && !tilesOf(*fabric, 0, JobPlacement::Packed));
    }
    void aGpuRunsOneJob() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "2"}});
        const auto gpus = gpusInOrder(*fabric, RankOrder::Near);
        const auto refused =
            concurrentTimes(*fabric, {{gpus, CollectiveOp::AllReduce, size, 1}, {{gpus[3], gpus[4]}, CollectiveOp::AllReduce, size, 1}});
        QVERIFY(!refused && refused.error().text.find("in job 1 and in job 2") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_concurrent_jobs)
#include "tst_concurrent_jobs.moc"
