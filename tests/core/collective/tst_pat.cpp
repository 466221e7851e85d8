#include "tests/support/designs.h"

#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/collective.h"
#include "core/collective/steps.h"

#include <QTest>

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
    return *Communicator::of(fabric, 0, RankOrder::Near, calibration);
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
    void everyRankEndsWithAll() { // what the steps send adds up, and a gather of every rank has all parts
        for (const char* servers : {"2", "5", "8", "13"}) {
            const FabricPointer fabric = lone(servers);
            const auto steps = CollectiveSteps::of(*fabric, CollectiveOp::AllGather, mebibyte, {Algorithm::Pat, {}});
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
