// Times and lower bounds of collectives on groups of every shape, against bounds found here from the links of the fabric alone.
#include "tests/support/designs.h"

#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/collective.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <set>

using namespace railyard;

namespace {

constexpr double gib = 1073741824.0;

// What a set of GPUs can send the rest of a group, by max-flow over the devices and links that the group may use: its own GPUs, the
// NICs they feed, and all switches. Breadth first, an augmenting path at a time: slow and plain, and none of the product's code.
class GroupNetwork {
public:
    GroupNetwork(const Fabric& fabric, const std::vector<DeviceId>& gpus) : m_first(fabric.devices.size() + 2) {
        std::vector<bool> mayUse(fabric.devices.size());
        for (std::size_t d = 0; d < mayUse.size(); ++d)
            mayUse[d] = fabric.devices.kind[d] != DeviceKind::Gpu && fabric.devices.kind[d] != DeviceKind::Nic;
        for (const DeviceId gpu : gpus) mayUse[gpu] = true;
        const LinkTable& links = fabric.links;
        for (const LinkId l : links.ids())
            if (links.tier[l] == LinkTier::Pcie && mayUse[links.a[l]]) mayUse[links.b[l]] = true;
        for (const LinkId l : links.ids()) {
            if (!mayUse[links.a[l]] || !mayUse[links.b[l]]) continue;
            const double speed = links.tier[l] == LinkTier::Pcie ? 1e18 : fabric.speedOf(l).value(); // the NIC port is the limit
            addEdge(links.a[l], links.b[l], speed);
            addEdge(links.b[l], links.a[l], speed);
        }
        m_own = m_capacity;
    }
    // bit/s.
    double between(const std::vector<DeviceId>& from, const std::vector<DeviceId>& to) {
        m_capacity = m_own;
        const std::size_t edges = m_capacity.size();
        const auto source = static_cast<std::uint32_t>(m_first.size() - 2), sink = source + 1;
        for (const DeviceId gpu : from) addEdge(source, gpu, 1e18);
        for (const DeviceId gpu : to) addEdge(gpu, sink, 1e18);
        double flow = 0;
        while (const double more = augment(source, sink)) flow += more;
        for (auto& out : m_first)
            while (!out.empty() && out.back() >= edges) out.pop_back();
        m_head.resize(edges);
        m_capacity.resize(edges);
        return flow;
    }

private:
    void addEdge(std::uint32_t from, std::uint32_t to, double capacity) {
        m_first[from].push_back(m_head.size());
        m_head.push_back(to), m_capacity.push_back(capacity);
        m_first[to].push_back(m_head.size());
        m_head.push_back(from), m_capacity.push_back(0);
    }
    double augment(std::uint32_t source, std::uint32_t sink) {
        std::vector<std::size_t> by(m_first.size(), none);
        std::queue<std::uint32_t> open({source});
        while (!open.empty() && by[sink] == none) {
            const std::uint32_t at = open.front();
            open.pop();
            for (const std::size_t edge : m_first[at])
                if (m_capacity[edge] > 1 && m_head[edge] != source && by[m_head[edge]] == none) {
                    by[m_head[edge]] = edge;
                    open.push(m_head[edge]);
                }
        }
        if (by[sink] == none) return 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t at = sink; at != source; at = m_head[by[at] ^ 1]) least = std::min(least, m_capacity[by[at]]);
        for (std::uint32_t at = sink; at != source; at = m_head[by[at] ^ 1]) m_capacity[by[at]] -= least, m_capacity[by[at] ^ 1] += least;
        return least;
    }

    std::vector<std::vector<std::size_t>> m_first; // edges by node; the edge back of e is e ^ 1
    std::vector<std::uint32_t> m_head;
    std::vector<double> m_capacity, m_own;
};

// Bytes that must go from one part of a group to the other, out of a message of so many; the root is rank 0.
double bytesAcross(CollectiveOp op, double bytes, double from, double to, bool rootIsInFrom) {
    const double n = from + to;
    switch (op) {
    case CollectiveOp::AllReduce: return bytes;
    case CollectiveOp::AllGather: return from / n * bytes;
    case CollectiveOp::ReduceScatter: return to / n * bytes;
    case CollectiveOp::AllToAll: return from * to / n * bytes;
    case CollectiveOp::Broadcast: return rootIsInFrom ? bytes : 0;
    case CollectiveOp::Reduce: return rootIsInFrom ? 0 : bytes;
    case CollectiveOp::Gather: return rootIsInFrom ? 0 : from / n * bytes;
    case CollectiveOp::Scatter: return rootIsInFrom ? to / n * bytes : 0;
    default: return 0;
    }
}

// Seconds, over the cut between `part` (of indices into `gpus`) and the rest, the worse direction.
double cutBound(GroupNetwork& network, const std::vector<DeviceId>& gpus, const std::vector<bool>& part, CollectiveOp op) {
    std::vector<DeviceId> sides[2];
    for (std::size_t i = 0; i < gpus.size(); ++i) sides[part[i]].push_back(gpus[i]);
    double worst = 0;
    for (const bool first : {false, true}) {
        const auto &from = sides[first], &to = sides[!first];
        if (from.empty() || to.empty()) return 0;
        const double bytes =
            bytesAcross(op, gib, static_cast<double>(from.size()), static_cast<double>(to.size()), from.front() == gpus.front());
        if (bytes > 0) worst = std::max(worst, bytes * 8 / network.between(from, to));
    }
    return worst;
}

// A group that is uneven more often than not: of every domain none, one, some or all GPUs, in any order.
std::vector<DeviceId> someGpus(const Fabric& fabric, test::Random& random) {
    std::map<DomainId, std::vector<DeviceId>> domains;
    for (const DeviceId gpu : gpusInOrder(fabric, RankOrder::Near)) domains[fabric.devices.hbDomain[gpu]].push_back(gpu);
    std::vector<DeviceId> gpus;
    for (auto& [domain, members] : domains) {
        const int all = static_cast<int>(members.size()), kind = random.below(4);
        int wanted = kind == 0 ? 0 : kind == 1 ? 1 : kind == 2 ? all : 1 + random.below(all);
        for (int left = all; left > 0 && wanted > 0; --left)
            if (random.below(left) < wanted) gpus.push_back(members[static_cast<std::size_t>(all - left)]), --wanted;
    }
    return gpus;
}

FabricPointer someFabric(test::Random& random, bool mayShareNics) {
    test::Parameters set{{"servers", std::to_string(2 + random.below(6))}, {"radix", "16"}};
    if (random.below(3) == 0) set.merge(test::Parameters{{"nic_ports", "2"}, {"planes", "2"}});
    if (random.below(3) == 0) set["oversubscription"] = "3:1";
    if (random.below(3) == 0) set["hb_gbps"] = std::to_string(64 + random.below(400));
    const int server = random.below(4);
    if (server == 0) set["server"] = "srv-mi300x-8";
    if (server == 1 && mayShareNics) set["server"] = "srv-dgx-a100-640", set["nics_per_server"] = "4", set["switch"] = "sw-qm9700";
    return test::fabricOf(std::array{"rail-optimized", "fat-tree", "rail-only"}[static_cast<std::size_t>(random.below(3))], set);
}

// GPU k of every HB domain, two or all of them: the groups of data-parallel jobs; in the order of the fabric, its reverse or at random.
std::vector<DeviceId> alikeGpus(const Fabric& fabric, test::Random& random) {
    std::map<DomainId, std::vector<DeviceId>> domains;
    for (const DeviceId gpu : gpusInOrder(fabric, RankOrder::Near)) domains[fabric.devices.hbDomain[gpu]].push_back(gpu);
    const int kind = random.below(4), first = random.below(8);
    std::vector<DeviceId> gpus;
    for (const auto& [domain, members] : domains)
        for (std::size_t i = 0; i < members.size(); ++i)
            if (kind == 3 || static_cast<int>(i) == first || (kind == 2 && static_cast<int>(i) == (first + 3) % 8))
                gpus.push_back(members[i]);
    const int order = random.below(3);
    if (order == 1) std::reverse(gpus.begin(), gpus.end());
    for (std::size_t i = gpus.size(); order == 2 && i > 1; --i)
        std::swap(gpus[i - 1], gpus[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    return gpus;
}

// One to three NICs, ports of NICs, leaves, spines or cables between switches; always at least one port.
FabricPointer withSomeFailures(const FabricPointer& fabric, test::Random& random) {
    Removal removal{std::vector<bool>(fabric->devices.size()), std::vector<bool>(fabric->links.size())};
    for (int left = 1 + random.below(3); left > 0;) {
        const auto link = static_cast<std::size_t>(random.below(static_cast<int>(fabric->links.size())));
        if (!fabric->isNetworkLink(LinkId(static_cast<std::uint32_t>(link)))) continue;
        const int kind = random.below(5);
        if (kind < 3 || left == 1)
            removal.links[link] = true;
        else
            removal.devices[kind == 3 ? fabric->links.a[link] : fabric->links.b[link]] = true;
        --left;
    }
    return without(fabric, removal.devices, removal.links);
}

// Null where the settings contradict each other.
FabricPointer smallFabric(test::Random& random, std::string& text) {
    const auto oneOf = [&](const auto& all) {
        return std::string(all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))]);
    };
    const std::string recipe = oneOf(std::array{"rail-optimized", "fat-tree", "rail-only"});
    test::Parameters set{{"servers", oneOf(std::array{"2", "4", "6"})},   {"planes", oneOf(std::array{"1", "2"})},
                         {"nic_ports", oneOf(std::array{"1", "2", "2"})}, {"hb_domain_gpus", oneOf(std::array{"8", "8", "16"})},
                         {"radix", oneOf(std::array{"16", "32", "64"})},  {"oversubscription", oneOf(std::array{"1:1", "1:1", "3:1"})}};
    if (recipe != "fat-tree") set["rails"] = oneOf(std::array{"8", "8", "4", "2", "1"});
    text = recipe;
    for (const auto& [key, value] : set) text += " " + key + "=" + value;
    auto design = build({recipe, set}, "test", shippedCatalog());
    return design ? elaborate(std::make_shared<const Design>(std::move(*design))) : nullptr;
}

// One more NIC, or the cable of one more NIC port.
FabricPointer oneNicFailureMore(const FabricPointer& fabric, test::Random& random) {
    Removal removal{std::vector<bool>(fabric->devices.size()), std::vector<bool>(fabric->links.size())};
    for (;;) {
        const auto link = static_cast<std::size_t>(random.below(static_cast<int>(fabric->links.size())));
        if (fabric->links.tier[link] != LinkTier::HostLeaf) continue;
        if (random.below(2))
            removal.links[link] = true;
        else
            removal.devices[fabric->links.a[link]] = true;
        return without(fabric, removal.devices, removal.links);
    }
}

} // namespace

class tst_bounds : public QObject {
    Q_OBJECT

private slots:
    // 9, 17, 25, 57 ranks: one GPU alone in its domain, whose NIC all others' data has to pass.
    void aLoneGpuTakesAllOverItsNic_data() {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {9, 17, 25, 57}) QTest::newRow(qPrintable(QString::number(ranks))) << ranks;
    }
    void aLoneGpuTakesAllOverItsNic() {
        QFETCH(int, ranks);
        const auto group =
            *Communicator::create(*test::fabricOf("superpod-h100", {{"servers", "8"}}), ranks, RankOrder::Near, notCalibrated());
        const double n = ranks, alone = (n - 1) / n * gib / 50e9;
        for (const CollectiveOp op : {CollectiveOp::AllGather, CollectiveOp::ReduceScatter}) {
            const auto result = *group.time(op, Bytes(1 << 30));
            QVERIFY(std::abs(result.lowerBound.value() / alone - 1) < 1e-9);
            for (const CollectiveTime& way : result.alternatives) QVERIFY(way.time.value() >= alone * (1 - 1e-9));
        }
        // An all-reduce over trees that have the lone GPU as a leaf: its NIC takes and sends the message once.
        const auto reduced = *group.time(CollectiveOp::AllReduce, Bytes(1 << 30));
        QVERIFY(std::abs(reduced.lowerBound.value() / (gib / 50e9) - 1) < 1e-9);
    }
    void nothingBeatsAnyCut() {
        test::Random random{20};
        int compared = 0;
        for (int round = 0; round < 60; ++round) {
            const FabricPointer fabric = someFabric(random, true);
            const std::vector<DeviceId> gpus = someGpus(*fabric, random);
            if (gpus.size() < 2) continue;
            GroupNetwork network(*fabric, gpus);
            const auto group = *Communicator::create(*fabric, gpus, round % 2 ? notCalibrated() : shippedCalibration());
            std::vector<std::vector<bool>> parts;
            for (std::size_t i = 0; i < gpus.size(); ++i) { // every domain once; some GPUs alone
                std::vector<bool> domain, one(gpus.size());
                for (const DeviceId gpu : gpus) domain.push_back(fabric->devices.hbDomain[gpu] == fabric->devices.hbDomain[gpus[i]]);
                one[i] = true;
                if (std::find(parts.begin(), parts.end(), domain) == parts.end()) parts.insert(parts.end(), {domain, one});
            }
            parts.emplace_back();
            for (std::size_t i = 0; i < gpus.size(); ++i) parts.back().push_back(random.below(2));
            for (int o = 0; o <= static_cast<int>(CollectiveOp::Scatter); ++o)
                for (const Algorithm algorithm : {Algorithm::Auto, Algorithm::Direct, Algorithm::Pat}) {
                    const auto op = static_cast<CollectiveOp>(o);
                    const auto result = group.time(op, Bytes(1 << 30), {algorithm, {}});
                    if (!result) continue;
                    double bound = 0;
                    for (const auto& part : parts) bound = std::max(bound, cutBound(network, gpus, part, op));
                    for (const CollectiveTime& way : result->alternatives) {
                        QVERIFY2(way.time.value() >= bound * (1 - 1e-9) && way.time >= result->lowerBound,
                                 qPrintable(QStringLiteral("round %1: %2 by %3 of %4 ranks: %5, a cut needs %6, the bound says %7")
                                                .arg(round)
                                                .arg(QString::fromStdString(std::string(toText(op))),
                                                     QString::fromStdString(std::string(toText(way.algorithm))))
                                                .arg(gpus.size())
                                                .arg(way.time.value())
                                                .arg(bound)
                                                .arg(result->lowerBound.value())));
                        ++compared;
                    }
                }
        }
        QVERIFY2(compared > 2000, std::to_string(compared).c_str());
    }
    // No algorithm is faster than the cuts that failures leave, and none is faster than the fastest on the whole fabric. Groups that have
    // to send through NICs of other GPUs are only held to the bound: they have more NICs then than before.
    void nothingBeatsAnyCutAfterFailures() {
        test::Random random{24};
        int compared = 0, against = 0;
        for (int round = 0; round < 300; ++round) {
            std::string text;
            const FabricPointer whole = smallFabric(random, text);
            if (!whole) continue;
            const FabricPointer fabric = withSomeFailures(whole, random);
            const std::vector<DeviceId> before = alikeGpus(*whole, random);
            std::map<DeviceId, DeviceId> now;
            for (const DeviceId gpu : fabric->devices.ids()) now[fabric->intactDevice[gpu]] = gpu;
            std::vector<DeviceId> gpus;
            for (const DeviceId gpu : before) gpus.push_back(now.at(gpu));
            const Calibration& calibration = round % 2 ? notCalibrated() : shippedCalibration();
            const auto group = *Communicator::create(*fabric, gpus, calibration),
                       intact = *Communicator::create(*whole, before, calibration);
            const bool isOwn = group.links().borrowers.empty();
            GroupNetwork network(*fabric, gpus);
            std::vector<std::vector<bool>> parts;
            for (const DeviceId other : gpus) {
                std::vector<bool> domain;
                for (const DeviceId gpu : gpus) domain.push_back(fabric->devices.hbDomain[gpu] == fabric->devices.hbDomain[other]);
                if (std::find(parts.begin(), parts.end(), domain) == parts.end()) parts.push_back(domain);
            }
            for (int o = 0; o <= static_cast<int>(CollectiveOp::PointToPoint); ++o) {
                const auto op = static_cast<CollectiveOp>(o);
                double bound = 0;
                for (const auto& part : parts) bound = std::max(bound, isOwn ? cutBound(network, gpus, part, op) : 0);
                for (const Algorithm algorithm : {Algorithm::Auto, Algorithm::Direct, Algorithm::Pat}) {
                    const auto result = group.time(op, Bytes(1 << 30), {algorithm, {}}),
                               wholeResult = intact.time(op, Bytes(1 << 30), {algorithm, {}});
                    if (!result) continue;
                    for (const CollectiveTime& way : result->alternatives) {
                        const QString what = QStringLiteral("round %1, %2, %3 ranks: %4 by %5: %6, a cut needs %7, the bound says %8")
                                                 .arg(round)
                                                 .arg(QString::fromStdString(text))
                                                 .arg(gpus.size())
                                                 .arg(QString::fromStdString(std::string(toText(op))),
                                                      QString::fromStdString(std::string(toText(way.algorithm))))
                                                 .arg(way.time.value(), 0, 'g', 9)
                                                 .arg(bound, 0, 'g', 9)
                                                 .arg(result->lowerBound.value(), 0, 'g', 9);
                        QVERIFY2(way.time.value() >= bound * (1 - 1e-9) && way.time >= result->lowerBound, qPrintable(what));
                        ++compared;
                    }
                    // A fixed way may be better off with an uneven division, and where domains have several leaves it depends on the NICs
                    // of each hop which of them meet.
                    const bool meetsOnLeaves = op == CollectiveOp::PointToPoint && whole->hbDomains.size() < whole->servers.size();
                    if (!isOwn || !wholeResult || algorithm != Algorithm::Auto || meetsOnLeaves) continue;
                    QVERIFY2(result->best.time.value() >= wholeResult->best.time.value() * (1 - 1e-9),
                             qPrintable(QStringLiteral("round %1, %2, %3 ranks: %4 by %5 takes %6 after failures, %7 before")
                                            .arg(round)
                                            .arg(QString::fromStdString(text))
                                            .arg(gpus.size())
                                            .arg(QString::fromStdString(std::string(toText(op))),
                                                 QString::fromStdString(std::string(toText(result->best.algorithm))))
                                            .arg(result->best.time.value())
                                            .arg(wholeResult->best.time.value())));
                    ++against;
                }
            }
        }
        QVERIFY2(compared > 5000 && against > 1000, (std::to_string(compared) + ", " + std::to_string(against)).c_str());
    }
    // A NIC that lost one of two ports leaves its GPU with the other: the NICs of the server's other GPUs are those of other groups.
    void halfANicIsHalfOfItsGpu_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("failed");
        QTest::newRow("one leaf for both ports") << "superpod-b300"
                                                 << "su[1]/leaf[1]:5.1";
        QTest::newRow("a leaf for each port") << "hpn-pod"
                                              << "su[1]/leaf[1]:1";
    }
    void halfANicIsHalfOfItsGpu() {
        QFETCH(QString, recipe);
        QFETCH(QString, failed);
        const FabricPointer whole = test::fabricOf(recipe.toStdString(), {{"servers", "16"}});
        const auto removal = select(*whole, failed.toStdString());
        QVERIFY(removal);
        const FabricPointer fabric = without(whole, removal->devices, removal->links);
        std::vector<double> speed(fabric->devices.size()); // of NICs, then of their GPUs: bit/s
        for (const LinkTier tier : {LinkTier::HostLeaf, LinkTier::Pcie})
            for (const LinkId l : fabric->links.ids()) {
                if (fabric->links.tier[l] != tier) continue;
                speed[fabric->links.a[l]] += tier == LinkTier::Pcie ? speed[fabric->links.b[l]] : fabric->speedOf(l).value();
            }
        std::set<double> seen;
        for (std::uint32_t index = 1; index <= 8; ++index) {
            std::vector<DeviceId> gpus;
            double least = 1e18;
            for (const DeviceId gpu : gpusInOrder(*fabric, RankOrder::Near))
                if (fabric->devices.index[gpu] == index) gpus.push_back(gpu), least = std::min(least, speed[gpu]);
            seen.insert(least);
            QCOMPARE(gpus.size(), std::size_t{16});
            const auto group = *Communicator::create(*fabric, gpus, notCalibrated());
            for (const CollectiveOp op : {CollectiveOp::Broadcast, CollectiveOp::Reduce, CollectiveOp::PointToPoint}) {
                const auto result = *group.time(op, Bytes(1 << 30));
                QVERIFY(std::abs(result.best.time.value() / (gib * 8 / least) - 1) < 1e-9);
                QVERIFY(std::abs(result.lowerBound.value() / (gib * 8 / least) - 1) < 1e-9);
            }
            const auto gathered = *group.time(CollectiveOp::AllGather, Bytes(1 << 30));
            QVERIFY(std::abs(gathered.best.time.value() / (15.0 / 16 * gib * 8 / least) - 1) < 1e-9);
        }
        QVERIFY(seen.size() == 2 && *seen.rbegin() == 2 * *seen.begin());
    }
    // Broadcast and all-gather take what the worst of all cuts asks for and no more (Edmonds, Edge-disjoint branchings, 1973), so no
    // bound may be above it. Small groups: all cuts. NICs that GPUs share are left out: a NIC copies nothing for its second GPU.
    void boundsOfGathersAreBelowTheWorstCut() {
        test::Random random{21};
        int compared = 0;
        for (int round = 0; round < 240; ++round) {
            const FabricPointer whole = someFabric(random, false);
            const FabricPointer fabric = round % 2 ? withSomeFailures(whole, random) : whole;
            std::vector<DeviceId> gpus = someGpus(*fabric, random);
            while (gpus.size() > 8) gpus.erase(gpus.begin() + random.below(static_cast<int>(gpus.size())));
            if (gpus.size() < 2) continue;
            GroupNetwork network(*fabric, gpus);
            const auto group = *Communicator::create(*fabric, gpus, notCalibrated());
            if (!group.links().borrowers.empty()) continue;
            for (const CollectiveOp op :
                 {CollectiveOp::AllGather, CollectiveOp::ReduceScatter, CollectiveOp::Broadcast, CollectiveOp::Reduce}) {
                const auto result = group.time(op, Bytes(1 << 30));
                if (!result) continue;
                double worst = 0;
                for (std::uint32_t mask = 1; mask + 1 < 1U << gpus.size(); mask += 2) { // either side of a cut holds rank 0
                    std::vector<bool> part;
                    for (std::size_t i = 0; i < gpus.size(); ++i) part.push_back(mask >> i & 1);
                    worst = std::max(worst, cutBound(network, gpus, part, op));
                }
                QVERIFY2(result->lowerBound.value() <= worst * (1 + 1e-9),
                         qPrintable(QStringLiteral("round %1: op %2 of %3 ranks: bound %4, worst cut %5")
                                        .arg(round)
                                        .arg(static_cast<int>(op))
                                        .arg(gpus.size())
                                        .arg(result->lowerBound.value())
                                        .arg(worst)));
                ++compared;
            }
        }
        QVERIFY2(compared > 200, std::to_string(compared).c_str());
    }
    // An all-reduce that can be done: share f of the message is reduced at domain d and sent back out, so that d sends the rest once
    // and f to each of the others. HB links that carry anything, one leaf a rail: NICs alone count.
    void boundsOfAllReduceAreBelowAScheduleOfStars() {
        test::Random random{22};
        for (int round = 0; round < 60; ++round) {
            const FabricPointer fabric =
                test::fabricOf("rail-optimized", {{"servers", std::to_string(3 + random.below(6))}, {"hb_gbps", "1000000"}});
            const std::vector<DeviceId> gpus = someGpus(*fabric, random);
            std::map<std::uint32_t, double> nics; // bit/s, by domain
            for (const DeviceId gpu : gpus) nics[fabric->devices.hbDomain[gpu]] += 400e9;
            if (nics.size() < 3) continue;
            const double y = static_cast<double>(nics.size());
            const auto placed = [&](double seconds) { // of the message, in so much time
                double sum = 0;
                for (const auto& [domain, speed] : nics) sum += std::min(1.0, (seconds * speed / (gib * 8) - 1) / (y - 2));
                return sum;
            };
            double low = 0, high = 0;
            for (const auto& [domain, speed] : nics) low = std::max(low, gib * 8 / speed);
            for (high = low; placed(high) < 1;) high *= 2;
            for (int halving = 0; halving < 60; ++halving) (placed((low + high) / 2) < 1 ? low : high) = (low + high) / 2;
            const auto group = *Communicator::create(*fabric, gpus, notCalibrated());
            QVERIFY(group.time(CollectiveOp::AllReduce, Bytes(1 << 30))->lowerBound.value() <= high * (1 + 1e-6));
        }
    }
    // One failure after another. The group could leave idle what fails next, so no time may fall, and neither may the lower bound.
    void noNicFailureMakesACollectiveFaster_data() {
        QTest::addColumn<bool>("isCalibrated");
        QTest::newRow("bandwidth only") << false;
        QTest::newRow("with latencies") << true;
    }
    void noNicFailureMakesACollectiveFaster() {
        QFETCH(bool, isCalibrated);
        test::Random random{23};
        int compared = 0;
        const auto oneOf = [&](const auto& all) {
            return std::string(all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))]);
        };
        for (int round = 0; round < 200; ++round) {
            const std::string recipe = oneOf(std::array{"rail-optimized", "fat-tree", "rail-only"});
            test::Parameters set{{"servers", std::to_string(2 * (1 + random.below(3)))},
                                 {"planes", oneOf(std::array{"1", "2", "4"})},
                                 {"nic_ports", oneOf(std::array{"1", "2"})},
                                 {"hb_domain_gpus", oneOf(std::array{"8", "8", "16"})},
                                 {"radix", oneOf(std::array{"32", "64"})}};
            if (recipe != "fat-tree") set["rails"] = oneOf(std::array{"8", "4", "2", "1"});
            if (recipe == "rail-only" && random.below(4) == 0) set["rails"] = "auto";
            FabricPointer fabric = test::fabricOf(recipe, set);
            std::map<CollectiveOp, std::pair<double, double>> before; // time, bound
            for (int lost = 0; lost <= 8; ++lost) {
                if (lost > 0) fabric = oneNicFailureMore(fabric, random);
                const auto group = Communicator::create(*fabric, 0, RankOrder::Near, isCalibrated ? shippedCalibration() : notCalibrated());
                for (int o = 0; o <= static_cast<int>(CollectiveOp::PointToPoint); ++o) {
                    const auto op = static_cast<CollectiveOp>(o);
                    const auto result = group->time(op, Bytes(1 << 30));
                    if (!result) continue;
                    const double now = result->best.time.value(), bound = result->lowerBound.value();
                    const auto [known, isNew] = before.try_emplace(op, now, bound);
                    QVERIFY2(bound <= now &&
                                 (isNew || (now >= known->second.first * (1 - 1e-9) && bound >= known->second.second * (1 - 1e-9))),
                             qPrintable(QStringLiteral("%1 round %2, failure %3, %4: %5 s, then %6 s, at least %7 s")
                                            .arg(QString::fromStdString(recipe))
                                            .arg(round)
                                            .arg(lost)
                                            .arg(QString::fromStdString(std::string(toText(op))))
                                            .arg(known->second.first)
                                            .arg(now)
                                            .arg(bound)));
                    known->second = {now, bound};
                    ++compared;
                }
            }
        }
        QVERIFY2(compared > 12000, std::to_string(compared).c_str());
    }
    // Servers of one HB domain in several SUs: the ring uses all NICs of both.
    void domainsAcrossSusUseAllTheirNics() {
        const FabricPointer fabric = test::fabricOf(
            "rail-optimized",
            {{"servers", "4"}, {"planes", "2"}, {"nic_ports", "2"}, {"rails", "1"}, {"radix", "16"}, {"hb_domain_gpus", "16"}});
        const auto group = Communicator::create(*fabric, 0, RankOrder::Near, notCalibrated());
        QVERIFY(group);
        const CommunicatorLinks& links = group->links();
        QCOMPARE(inGbps(links.ring.speed), 16 * 400.0);
        QCOMPARE(links.ring.bottleneck, std::string("nic"));
    }
    // Several NICs of a domain on one rail: every pair of GPUs of different domains on the same rail needs no forwarding.
    void onlyDataForOtherRailsIsForwarded_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("domain");
        QTest::addColumn<int>("rails");
        QTest::newRow("rail-only, 128 NICs on 4 rails") << "rail-only" << 256 << 128 << 4;
        QTest::newRow("rail-only, 16 NICs on 8 rails") << "rail-only" << 64 << 16 << 8;
        QTest::newRow("rail-only, 8 NICs on 8 rails") << "rail-only" << 64 << 8 << 8;
        QTest::newRow("rail-optimized, 8 NICs on 4 rails") << "rail-optimized" << 64 << 8 << 4;
    }
    void onlyDataForOtherRailsIsForwarded() {
        QFETCH(QString, recipe);
        QFETCH(int, gpus);
        QFETCH(int, domain);
        QFETCH(int, rails);
        const FabricPointer fabric =
            test::fabricOf(recipe.toStdString(),
                           {{"gpus", std::to_string(gpus)}, {"hb_domain_gpus", std::to_string(domain)}, {"rails", std::to_string(rails)}});
        std::map<std::uint32_t, std::uint32_t> railOf; // of a GPU
        for (const LinkId l : fabric->links.ids())
            if (fabric->links.tier[l] == LinkTier::Pcie) railOf[fabric->links.a[l]] = fabric->devices.rail[fabric->links.b[l]];
        double handedOver = 0; // by the first GPU, pair by pair
        const auto& [first, rail] = *railOf.begin();
        for (const auto& [to, theirs] : railOf)
            if (to != first) handedOver += fabric->devices.hbDomain[to] == fabric->devices.hbDomain[first] || theirs != rail ? 1 : 0;
        const double n = gpus, x = domain, y = n / x, pair = gib / n;
        const auto group = *Communicator::create(*fabric, 0, RankOrder::Near, notCalibrated());
        const CollectiveTime way = group.time(CollectiveOp::AllToAll, Bytes(1 << 30), {Algorithm::Pxn, {}})->best;
        QVERIFY(std::abs(way.hbBytes / pair / handedOver - 1) < 1e-9);
        const double expected = (y * (x - x / rails) / 450e9 + x * (y - 1) / 50e9) * pair;
        QVERIFY2(std::abs(way.time.value() / expected - 1) < 1e-9, std::to_string(way.time.value() / expected).c_str());
    }
};

QTEST_GUILESS_MAIN(tst_bounds)
#include "tst_bounds.moc"
