#include "tests/support/designs.h"

#include "core/collective/communicator/hb_rings.h"
#include "core/collective/communicator/hb_speeds.h"
#include "core/fabric/without.h"

#include <algorithm>

using namespace railyard;

namespace {

HbBandwidths speedsOf(const FabricPointer& fabric, std::int64_t ranks = 8) {
    std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
    gpus.resize(static_cast<std::size_t>(ranks));
    const SwitchGraph graph = trafficGraphOf(*fabric);
    return hbBandwidthsOf(*fabric, graph, FabricIndex(*fabric, graph), gpus);
}
FabricPointer serverOf(const std::string& server) {
    return test::fabricOf("rail-optimized", {{"servers", "1"}, {"server", server}, {"radix", "64"}, {"spine_radix", "64"}});
}
double gbps(Bandwidth bandwidth) { return inGbps(bandwidth); }

// The most rings of a small graph, by trying every number of every ring.
int mostByTrying(const std::vector<std::vector<int>>& links, std::vector<std::vector<int>>& rings, std::size_t at) {
    if (at == rings.size()) return 0;
    int most = mostByTrying(links, rings, at + 1);
    std::vector<std::vector<int>> left = links;
    for (int count = 1;; ++count) {
        for (std::size_t i = 0; i < rings[at].size(); ++i) {
            int& link = left[static_cast<std::size_t>(rings[at][i])][static_cast<std::size_t>(rings[at][(i + 1) % rings[at].size()])];
            if (link-- == 0) return most;
        }
        most = std::max(most, count + mostByTrying(left, rings, at + 1));
    }
}

} // namespace

class tst_hb_speeds : public QObject {
    Q_OBJECT

private slots:
    void switchesGiveAllToEverybody() {
        const FabricPointer fabric = serverOf("srv-dgx-h100");
        for (const std::int64_t ranks : {2, 5, 8}) {
            const HbBandwidths hb = speedsOf(fabric, ranks);
            for (const Bandwidth each : {hb.all, hb.ring, hb.exchange, hb.root, hb.neighbour}) QCOMPARE(gbps(each), 3600.0);
        }
    }
    void aMeshHasOneLinkForEachPair() { // 512 Gb/s: of n members a GPU can use n - 1 of its links, to one of them one
        const FabricPointer fabric = serverOf("srv-mi300x-8");
        for (const std::int64_t ranks : {2, 3, 4, 6, 8}) {
            const HbBandwidths hb = speedsOf(fabric, ranks);
            const double others = static_cast<double>(ranks - 1);
            QCOMPARE(gbps(hb.all), 3584.0);
            for (const Bandwidth each : {hb.ring, hb.exchange, hb.root}) QVERIFY(std::abs(gbps(each) - 512 * others) < 1e-6);
            QVERIFY(std::abs(gbps(hb.neighbour) - 512) < 1e-6);
        }
    }
    void cubeMeshesHoldTheirRings() { // NCCL's too: two of four links (P100), three of six (V100), each both ways round
        QVERIFY(std::abs(gbps(speedsOf(serverOf("srv-dgx1-p100")).ring) - 640) < 1e-6);
        QVERIFY(std::abs(gbps(speedsOf(serverOf("srv-dgx1-v100")).ring) - 1200) < 1e-6);
        const HbBandwidths v100 = speedsOf(serverOf("srv-dgx1-v100"));
        QVERIFY(v100.exchange < v100.ring && v100.exchange.value() > 0); // half the pairs go by way of another GPU
    }
    // NCCL builds two rings of the four links of a P100 and three of the six of a V100; each link is in exactly one ring.
    void cubeMeshesAreRingsThroughAllGpus() {
        for (const auto& [part, count] : {std::pair<const char*, std::size_t>("srv-dgx1-p100", 2), {"srv-dgx1-v100", 3}}) {
            const FabricPointer fabric = serverOf(part);
            std::vector<DeviceId> gpus;
            std::vector<LinkId> hb;
            for (const DeviceId d : fabric->devices.ids())
                if (fabric->devices.kind[d] == DeviceKind::Gpu) gpus.push_back(d);
            for (const LinkId l : fabric->links.ids())
                if (fabric->links.tier[l] == LinkTier::Hb) hb.push_back(l);
            const LinkUnits units = linkUnitsOf(directSpeeds(*fabric, gpus, hb));
            const auto rings = ringsBothWays(units.links);
            QCOMPARE(rings.size(), count);
            auto left = units.links;
            for (const HbRing& ring : rings) {
                QCOMPARE(std::set<std::size_t>(ring.begin(), ring.end()).size(), std::size_t{8});
                for (std::size_t i = 0; i < ring.size(); ++i) {
                    const std::size_t a = ring[i], b = ring[(i + 1) % ring.size()];
                    QVERIFY(--left[a][b] >= 0 && --left[b][a] >= 0);
                }
            }
            for (const auto& row : left)
                for (const int rest : row) QCOMPARE(rest, 0);
        }
    }
    void ringsAgainstEveryChoice() {
        test::Random random{7};
        std::vector<std::vector<int>> rings;
        std::vector<int> rest{1, 2, 3};
        do rings.push_back({0, rest[0], rest[1], rest[2]});
        while (std::next_permutation(rest.begin(), rest.end()));
        for (int round = 0; round < 200; ++round) {
            std::vector<std::vector<int>> links(4, std::vector<int>(4));
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = 0; j < 4; ++j) links[i][j] = i == j ? 0 : random.below(4);
            QCOMPARE(ringsSideBySide(links), mostByTrying(links, rings, 0));
        }
        QCOMPARE(ringsSideBySide({{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}), 0);
        QCOMPARE(ringsSideBySide({{0, 3}, {2, 0}}), 2);
    }
    void lostLinksNeverHelp() {
        const FabricPointer intact = serverOf("srv-mi300x-8");
        HbBandwidths last = speedsOf(intact);
        std::vector<bool> gone(intact->links.size());
        for (std::size_t l = 0, count = 0; l < intact->links.size() && count < 6; ++l) {
            if (intact->links.tier[l] != LinkTier::Hb) continue;
            gone[l] = true;
            ++count;
            const HbBandwidths now = speedsOf(without(intact, {}, gone));
            QVERIFY(now.ring <= last.ring && now.exchange <= last.exchange && now.root <= last.root && now.ring.value() > 0);
            last = now;
        }
    }
    void membersOfAMeshThatLostAllLinksReachNobody() {
        const FabricPointer intact = serverOf("srv-mi300x-8");
        std::vector<bool> gone(intact->links.size());
        for (const LinkId l : intact->links.ids())
            if (intact->links.tier[l] == LinkTier::Hb &&
                (intact->devices.index[intact->links.a[l]] == 1 || intact->devices.index[intact->links.b[l]] == 1))
                gone[l] = true;
        const HbBandwidths hb = speedsOf(without(intact, {}, gone));
        QCOMPARE(hb.exchange.value(), 0.0);
        QCOMPARE(hb.ring.value(), 0.0);
    }
};

QTEST_GUILESS_MAIN(tst_hb_speeds)
#include "tst_hb_speeds.moc"
