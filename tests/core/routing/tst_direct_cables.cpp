// Cables from NIC to NIC carry what they would carry with a switch between them, without its latency.
#include "core/analysis/metrics/latency.h"
#include "core/collective/collective.h"
#include "core/design/edits/edit.h"
#include "core/fabric/without.h"
#include "core/routing/link_loads.h"
#include "core/training/training.h"
#include "core/workload/models_json.h"
#include "tests/support/designs.h"

#include <QTest>
#include <fmt/format.h>
#include <map>

using namespace railyard;

namespace {

// Two servers with a switch for each rail and plane, and the same without the switches: port p of NIC n to port p of NIC n.
struct Twins {
    FabricPointer switched, direct;
};

Twins twins(int nics, int ports) {
    const std::string ofNic = std::to_string(ports), count = std::to_string(nics);
    const DesignPointer switched = test::designOf(
        "rail-only",
        {{"servers", "2"}, {"rails", count}, {"nics_per_server", count}, {"nic_ports", ofNic}, {"planes", ofNic}, {"radix", "4"}});
    FabricPointer fabric = elaborate(switched);
    std::vector<std::string> leaves;
    for (const DeviceId d : fabric->devices.ids())
        if (fabric->devices.kind[d] == DeviceKind::Switch) leaves.push_back(fabric->devicePath(d));
    DesignPointer direct = removeElements(*switched, leaves)->design;
    for (int nic = 1; nic <= nics; ++nic)
        for (int port = 1; port <= ports; ++port) {
            const auto end = [&](int server) { return fmt::format("su[1]/srv[{}]/nic[{}]:{}", server, nic, port); };
            direct = addLink(*direct, {end(1), end(2)}).design;
        }
    return {fabric, elaborate(direct)};
}

const std::vector<std::pair<int, int>>& kinds() { // NICs of a server, ports of a NIC
    static const std::vector<std::pair<int, int>> all{{8, 1}, {8, 2}, {4, 2}, {1, 1}};
    return all;
}

// What leaves and enters every NIC, over each of its links, and the links inside the servers.
using Loads = std::map<std::string, double>;
Loads loadsByEnd(const Fabric& fabric, const LinkLoads& loads) {
    Loads byEnd;
    for (const LinkId l : fabric.links.ids()) {
        const DeviceId a = fabric.links.a[l], b = fabric.links.b[l];
        const std::string other = fabric.isNetworkLink(l) ? "" : fabric.devicePath(b);
        const auto add = [&](DeviceId device, PortId port, double out, double in) {
            if (fabric.devices.kind[device] == DeviceKind::Switch) return;
            const std::string end = fmt::format("{}:{} {}", fabric.devicePath(device), std::uint32_t{port}, other);
            byEnd["from " + end] += out;
            byEnd["to " + end] += in;
        };
        add(a, fabric.links.aPort[l], loads.aToB[l], loads.bToA[l]);
        if (fabric.isNetworkLink(l)) add(b, fabric.links.bPort[l], loads.bToA[l], loads.aToB[l]);
    }
    return byEnd;
}

bool areEqual(const Loads& a, const Loads& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
               return x.first == y.first && std::abs(x.second - y.second) < 1e-9;
           });
}

std::vector<DeviceId> gpusOf(const Fabric& fabric) {
    std::vector<DeviceId> gpus;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.kind[d] == DeviceKind::Gpu) gpus.push_back(d);
    return gpus;
}

// All pairs; one way only; some GPUs to some.
std::vector<GpuTraffic> traffics(const Fabric& fabric) {
    const std::vector<DeviceId> gpus = gpusOf(fabric);
    GpuTraffic oneWay{false, {}};
    for (std::size_t g = 0; g < gpus.size() / 2; ++g)
        oneWay.flows.push_back({gpus[g], gpus[g + gpus.size() / 2], 1.0 + static_cast<double>(g)});
    GpuTraffic some = oneWay;
    some.flows.resize(1);
    some.flows.push_back({gpus.back(), gpus[1], 0.5});
    return {{true, {}}, oneWay, some};
}

} // namespace

class tst_direct_cables : public QObject {
    Q_OBJECT

private slots:
    void loadsAreThoseWithASwitch() {
        for (const auto& [nics, ports] : kinds()) {
            const Twins pair = twins(nics, ports);
            const auto ofSwitched = traffics(*pair.switched), ofDirect = traffics(*pair.direct);
            for (std::size_t t = 0; t < ofDirect.size(); ++t)
                for (const Routing routing : {Routing::Ecmp, Routing::Adaptive, Routing::Hash})
                    for (const bool isForwarded : {false, true}) {
                        RoutingOptions options;
                        options.routing = routing;
                        options.isForwarded = isForwarded;
                        const auto with = linkLoads(*pair.switched, ofSwitched[t], options),
                                   without = linkLoads(*pair.direct, ofDirect[t], options);
                        QVERIFY(with && without);
                        QCOMPARE(without->unreachablePairs, with->unreachablePairs);
                        QVERIFY2(areEqual(loadsByEnd(*pair.switched, *with), loadsByEnd(*pair.direct, *without)),
                                 qPrintable(QStringLiteral("%1 NICs, traffic %2, forwarded %3").arg(nics).arg(t).arg(isForwarded)));
                    }
        }
    }
    void collectivesTakeAsLong() {
        for (const auto& [nics, ports] : kinds()) {
            const Twins pair = twins(nics, ports);
            const std::vector<DeviceId> with = gpusOf(*pair.switched), without = gpusOf(*pair.direct);
            for (const std::size_t step : {1, 3}) { // all GPUs, every third
                std::vector<DeviceId> someWith, someWithout;
                for (std::size_t g = 0; g < with.size(); g += step) someWith.push_back(with[g]), someWithout.push_back(without[g]);
                const auto switched = Communicator::create(*pair.switched, someWith, notCalibrated());
                const auto direct = Communicator::create(*pair.direct, someWithout, notCalibrated());
                QVERIFY(switched && direct);
                for (const CollectiveOp op : {CollectiveOp::AllReduce, CollectiveOp::AllGather, CollectiveOp::AllToAll,
                                              CollectiveOp::Broadcast, CollectiveOp::Gather, CollectiveOp::PointToPoint}) {
                    const auto a = switched->time(op, Bytes(1 << 28)), b = direct->time(op, Bytes(1 << 28));
                    QVERIFY2(a && b, qPrintable(QString::fromStdString(b ? "" : b.error().text)));
                    QVERIFY(std::abs(a->best.time.value() / b->best.time.value() - 1) < 1e-9);
                }
            }
        }
    }
    void latencyIsThatOfTheCable() {
        for (const auto& [nics, ports] : kinds()) {
            const Twins pair = twins(nics, ports);
            const Cabling cabling = cablingOf(*pair.direct);
            const NetworkLatency latency = latencyOf(*pair.direct, cabling);
            QVERIFY2(latency.mean && latency.longest, latency.why.c_str());
            const LinkId cable = LinkId(static_cast<std::uint32_t>(pair.direct->links.size() - 1)); // all are alike
            QVERIFY(pair.direct->isNetworkLink(cable));
            const double real = 64 * 8 / pair.direct->speedOf(cable).value() + cabling.choiceOf(cable).ordered.value() * 5e-9;
            QVERIFY(std::abs(latency.mean->total().value() / real - 1) < 1e-9);
            QVERIFY(std::abs(latency.longest->total().value() / real - 1) < 1e-9);
            QVERIFY(std::abs(longestOneByOne(*pair.direct, cabling)->total().value() / real - 1) < 1e-9);
        }
    }
    // A step is as long as with switches, or shorter by their latency.
    void trainingIsNoSlower() {
        const Twins pair = twins(8, 1);
        const TrainingJob job = usualJob(*modelOf("llama3-8b"));
        const auto timeOf = [&](const Fabric& fabric) {
            return estimateTraining(fabric, placedJob(job, fabric, RankOrder::Near), {})->iteration.value();
        };
        const double with = timeOf(*pair.switched), without = timeOf(*pair.direct);
        QVERIFY2(without <= with * (1 + 1e-9) && without > with * 0.98, qPrintable(QString("%1 and %2").arg(with).arg(without)));
    }
    void aFailedCableIsMissed() {
        const Twins pair = twins(8, 1);
        std::vector<bool> gone(pair.direct->links.size());
        gone.back() = true;
        const FabricPointer fabric = without(pair.direct, {}, gone);
        const auto before = Communicator::create(*pair.direct, 0, RankOrder::Near, notCalibrated()),
                   after = Communicator::create(*fabric, 0, RankOrder::Near, notCalibrated());
        const auto timeOf = [](const Communicator& group) {
            return group.time(CollectiveOp::AllReduce, Bytes(1 << 28), {Algorithm::Hierarchical, {}})->best.time.value();
        };
        QVERIFY(timeOf(*after) > timeOf(*before));
    }
    // Three in a row: the outer two have no path.
    void whoIsNotCabledIsNamed() {
        DesignPointer design = test::designOf("rail-optimized", {{"servers", "3"}, {"nic_ports", "2"}, {"nics_per_server", "1"}});
        std::vector<std::string> leaves;
        const FabricPointer fabric = elaborate(design);
        for (const DeviceId d : fabric->devices.ids())
            if (fabric->devices.kind[d] == DeviceKind::Switch) leaves.push_back(fabric->devicePath(d));
        design = removeElements(*design, leaves)->design;
        design = addLink(*design, {"su[1]/srv[1]/nic[1]:2", "su[1]/srv[2]/nic[1]:1"}).design;
        design = addLink(*design, {"su[1]/srv[2]/nic[1]:2", "su[1]/srv[3]/nic[1]:1"}).design;
        const FabricPointer row = elaborate(design);
        const auto group = Communicator::create(*row, 0, RankOrder::Near, notCalibrated());
        QVERIFY(!group || !group->time(CollectiveOp::AllToAll, Bytes(1 << 20)));
        const auto loads = linkLoads(*row, {true, {}}, {});
        QCOMPARE(loads->unreachablePairs, std::int64_t{2 * 8 * 8});
    }
};

QTEST_GUILESS_MAIN(tst_direct_cables)
#include "tst_direct_cables.moc"
