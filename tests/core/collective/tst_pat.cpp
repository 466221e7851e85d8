#include "tests/support/designs.h"

#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/collective.h"
#include "core/collective/steps.h"

#include <QTest>
#include <map>
#include <set>

using namespace railyard;

namespace {

constexpr Bytes mebibyte(std::int64_t{1} << 20);

// One GPU and one NIC of 400 Gb/s a server.
FabricPointer lone(const char* servers, const test::Parameters& more = {}) {
    test::Parameters set{{"servers", servers}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}, {"nic_gbps", "400"}};
    set.insert(more.begin(), more.end());
    return test::fabricOf("fat-tree", set);
}
Communicator groupOf(const Fabric& fabric, const Calibration& calibration = shippedCalibration()) {
    return *Communicator::create(fabric, 0, RankOrder::Near, calibration);
}

} // namespace

class tst_pat : public QObject {
    Q_OBJECT

private slots:
    void movesAsMuchAsARing_data() {
        QTest::addColumn<QString>("servers");
        for (const char* servers : {"2", "3", "12", "16", "31", "64"}) QTest::newRow(servers) << servers;
    }
    void movesAsMuchAsARing() {
        QFETCH(QString, servers);
        const FabricPointer fabric = lone(qPrintable(servers), {{"radix", "16"}});
        const double n = servers.toDouble(), bits = static_cast<double>(mebibyte.count()) * 8;
        for (const CollectiveOp op : {CollectiveOp::AllGather, CollectiveOp::ReduceScatter}) {
            const auto timed = groupOf(*fabric, notCalibrated()).time(op, mebibyte, {Algorithm::Pat, {}});
            QVERIFY2(timed, timed ? "" : timed.error().text.c_str());
            QVERIFY(std::abs(timed->best.time.value() / ((n - 1) / n * bits / 400e9) - 1) < 1e-9);
            QVERIFY(timed->best.time.value() >= timed->lowerBound.value() * (1 - 1e-9));
        }
    }
    // 4:1 above leaves of 12: the longest distances cross it, with few parts; a ring crosses it once a leaf.
    void longStepsShareTheUplinks() {
        const FabricPointer fabric = lone("48", {{"radix", "16"}, {"leaf_down", "12"}, {"leaf_up", "4"}});
        const auto group = groupOf(*fabric, notCalibrated());
        const double pat = group.time(CollectiveOp::AllGather, mebibyte, {Algorithm::Pat, {}})->best.time.value();
        const double ring = group.time(CollectiveOp::AllGather, mebibyte, {Algorithm::Ring, {}})->best.time.value();
        QVERIFY2(pat > ring * 1.05 && pat < ring * 3, qPrintable(QString("%1 against %2").arg(pat).arg(ring)));
    }
    void theLibraryTakesItForSmallMessages() { // log2(n) hops of the network, but 2.8 us a rank
        const auto group = groupOf(*lone("64"));
        const auto small = group.time(CollectiveOp::AllGather, Bytes(64 << 10));
        QCOMPARE(small->best.algorithm, Algorithm::Pat);
        QVERIFY(std::abs(small->best.latency().value() * 1e6 - (8 + 64 * 2.8 + 6 * 4)) < 1e-6);
        QCOMPARE(group.time(CollectiveOp::AllGather, Bytes(std::int64_t{1} << 32))->best.algorithm,
                 Algorithm::Ring); // three quarters of its rate
        QVERIFY(!group.time(CollectiveOp::AllReduce, mebibyte, {Algorithm::Pat, {}}));
    }
    void withSeveralGpusItRunsByNameOnly() {
        const auto group = groupOf(*test::fabricOf("superpod-h100", {{"servers", "64"}}));
        for (const std::int64_t size : {1 << 10, 1 << 20, 1 << 30}) {
            const auto chosen = group.time(CollectiveOp::AllGather, Bytes(size));
            for (const CollectiveTime& way : chosen->alternatives) QVERIFY(way.algorithm != Algorithm::Pat);
            const auto asked = group.time(CollectiveOp::AllGather, Bytes(size), {Algorithm::Pat, {}});
            QVERIFY(asked && !asked->best.isInLibrary);
            QVERIFY(asked->best.time.value() >= asked->lowerBound.value() * (1 - 1e-9));
        }
        // Every rank's own NIC carries all that it sends: eight times what the ring over eight rails takes.
        const auto bare = groupOf(*test::fabricOf("superpod-h100", {{"servers", "64"}}), notCalibrated());
        const double pat = bare.time(CollectiveOp::AllGather, Bytes(std::int64_t{1} << 30), {Algorithm::Pat, {}})->best.time.value();
        QVERIFY(std::abs(pat / (511.0 / 512 * (std::int64_t{1} << 30) * 8 / 400e9) - 1) < 1e-9);
    }
    // Parts move from rank to rank until every rank has each of them, over distances n/2 ... 2, 1 as far as they have not passed all ranks:
    // what is played moves as many, and takes as long as the busiest link of every step.
    void takesAsLongAsItsSteps_data() {
        QTest::addColumn<int>("down");
        QTest::addColumn<int>("up");
        QTest::newRow("1:1") << 8 << 8;
        QTest::newRow("2:1") << 10 << 5;
        QTest::newRow("4:1") << 12 << 3;
    }
    void takesAsLongAsItsSteps() {
        QFETCH(int, down);
        QFETCH(int, up);
        for (int n = 2; n <= 64; ++n) {
            const FabricPointer fabric =
                lone(std::to_string(n).c_str(), {{"radix", "16"}, {"leaf_down", std::to_string(down)}, {"leaf_up", std::to_string(up)}});
            const double part = static_cast<double>(mebibyte.count()) * 8 / n / 400e9; // s over a NIC
            std::vector<std::set<int>> has(static_cast<std::size_t>(n));
            for (int rank = 0; rank < n; ++rank) has[static_cast<std::size_t>(rank)] = {rank};
            std::vector<double> moved; // by distance, the longest first
            double seconds = 0;
            for (int distance = 32; distance > 0; distance /= 2) {
                if (distance >= n) continue;
                const auto before = has;
                for (int rank = 0; rank < n; ++rank) {
                    int sent = 0;
                    const int to = (rank + distance) % n;
                    for (const int from : before[static_cast<std::size_t>(rank)]) {
                        if ((rank - from + n) % n + distance >= n) continue; // it has been there, or comes from there
                        QVERIFY(has[static_cast<std::size_t>(to)].insert(from).second);
                        ++sent;
                    }
                    if (rank == 0) moved.push_back(sent);
                    QCOMPARE(static_cast<double>(sent), moved.back());
                }
                std::map<int, double> out, in; // by leaf: ranks that send to another leaf, or receive from one
                double busiest = 1;
                for (int rank = 0; rank < n; ++rank)
                    if (const int to = (rank + distance) % n; to / down != rank / down) ++out[rank / down], ++in[to / down];
                for (const auto& side : {out, in})
                    for (const auto& [leaf, count] : side)
                        if (n > 16) busiest = std::max(busiest, count / up); // else one switch holds all
                seconds += moved.back() * part * busiest;
            }
            for (const auto& parts : has) QCOMPARE(parts.size(), static_cast<std::size_t>(n));
            for (const CollectiveOp op : {CollectiveOp::AllGather, CollectiveOp::ReduceScatter}) {
                const auto steps = CollectiveSteps::create(*fabric, op, mebibyte, {Algorithm::Pat, {}}, notCalibrated());
                QVERIFY(steps);
                QVERIFY2(
                    std::abs(steps->result().best.time.value() / seconds - 1) < 1e-9,
                    qPrintable(QString("%1 ranks: %2 s, step by step %3 s").arg(n).arg(steps->result().best.time.value()).arg(seconds)));
                QCOMPARE(steps->steps().size(), moved.size());
                for (std::size_t i = 0; i < moved.size(); ++i) {
                    const double parts = moved[op == CollectiveOp::AllGather ? i : moved.size() - 1 - i];
                    for (const GpuFlow& flow : steps->trafficOf(i).flows)
                        QVERIFY(std::abs(flow.volume * 8 / 400e9 / part / parts - 1) < 1e-9);
                    const auto loads = steps->loadsOf(*fabric, i);
                    double most = 0;
                    for (const LinkId l : fabric->links.ids()) most = std::max(most, loads->utilisation(*fabric, l));
                    QVERIFY2(std::abs(most - 1) < 1e-9, qPrintable(QString("%1 ranks, step %2: %3").arg(n).arg(i).arg(most)));
                }
            }
        }
    }
    // Ranks in turn from two servers: over distance 2 nobody leaves his own.
    void stepsInsideDomainsNeedNoNetwork() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "2"}});
        const std::vector<DeviceId> all = gpusInOrder(*fabric, RankOrder::Near);
        const std::vector<DeviceId> gpus{all[0], all[8], all[1], all[9]};
        const auto group = *Communicator::create(*fabric, gpus, notCalibrated());
        const auto result = group.time(CollectiveOp::AllGather, mebibyte, {Algorithm::Pat, {}});
        QVERIFY2(result, result ? "" : result.error().text.c_str());
        const double part = static_cast<double>(mebibyte.count()) / 4; // two over a NIC of 50 GB/s, one over HB links of 450 GB/s
        QVERIFY(std::abs(result->best.time.value() / (2 * part / 50e9 + part / 450e9) - 1) < 1e-9);
    }
    void everyRankEndsWithAll() { // what the steps send adds up, and a gather of every rank has all parts
        for (const char* servers : {"2", "5", "8", "13"}) {
            const FabricPointer fabric = lone(servers);
            const auto steps = CollectiveSteps::create(*fabric, CollectiveOp::AllGather, mebibyte, {Algorithm::Pat, {}});
            QVERIFY(steps);
            const std::size_t n = std::stoul(servers);
            std::map<std::uint32_t, double> sent, received;
            Seconds whole;
            for (std::size_t i = 0; i < steps->steps().size(); ++i) {
                whole += steps->steps()[i].duration;
                for (const GpuFlow& flow : steps->trafficOf(i).flows) sent[flow.from] += flow.volume, received[flow.to] += flow.volume;
                const auto loads = steps->loadsOf(*fabric, i);
                for (const LinkId l : fabric->links.ids()) QVERIFY(loads->utilisation(*fabric, l) <= 1 + 1e-9);
            }
            QCOMPARE(sent.size(), n);
            const double all = static_cast<double>(mebibyte.count()) * static_cast<double>(n - 1) / static_cast<double>(n);
            for (const auto& [gpu, bytes] : sent) QVERIFY(std::abs(bytes / all - 1) < 1e-9 && std::abs(received[gpu] / all - 1) < 1e-9);
            QVERIFY(std::abs(whole / steps->result().best.time - 1) < 1e-9);
        }
    }
};

QTEST_APPLESS_MAIN(tst_pat)
#include "tst_pat.moc"
