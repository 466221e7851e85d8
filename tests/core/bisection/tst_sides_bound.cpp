#include "core/bisection/bounds/degraded/sides_bound.h"

#include "core/bisection/bisection.h"
#include "core/bisection/bounds/degraded/leaf_sides.h"
#include "core/bisection/bounds/degraded/top_sides.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

#include <bit>

using namespace railyard;

namespace {

// What failed, at random: links of some devices more often than others, or whole switches.
Removal drawn(const Fabric& fabric, test::Random& random) {
    Removal removal;
    const int often = 2 + random.below(20), rare = often * (1 + random.below(20)), marked = 1 + random.below(8);
    std::vector<bool> isMarked(fabric.devices.size());
    for (const DeviceId d : fabric.devices.ids()) isMarked[d] = random.below(marked) == 0;
    removal.links.resize(fabric.links.size());
    for (const LinkId l : fabric.links.ids())
        if (fabric.isNetworkLink(l))
            removal.links[l] = random.below(isMarked[fabric.links.a[l]] && isMarked[fabric.links.b[l]] ? often : rare) == 0;
    if (random.below(4) == 0) {
        removal.devices.resize(fabric.devices.size());
        for (const DeviceId d : fabric.devices.ids())
            removal.devices[d] = fabric.devices.kind[d] == DeviceKind::Switch && isMarked[d] && random.below(12) == 0;
    }
    return removal;
}

std::optional<Bandwidth> boundOf(const Fabric& intact, const Fabric& fabric, BisectionKey key) {
    const BisectionProblem before = problemOf(intact, key), now = problemOf(fabric, key);
    if (now.ends.size() < 2) return {};
    const auto spread = regularSpreadOf(now, before, nodesOfIntact(now, before));
    if (!spread) return {};
    return sidesBound(*spread).value;
}

// The least cut between halves by number of tops on side B: all sides of endpoints, leaves and tops are tried, and of each spine the
// better.
std::vector<double> leastByTops(const BisectionProblem& q, const std::vector<bool>& isTop) {
    std::vector<NodeId> tops, leaves, spines;
    std::vector<bool> hasEnds(isTop.size());
    for (const auto& a : q.ends.attachments) hasEnds[a.node] = true;
    for (const NodeId v : q.graph.nodes()) (isTop[v] ? tops : hasEnds[v] ? leaves : spines).push_back(v);
    std::vector<double> least(tops.size() + 1, 1e9);
    std::vector<bool> onB(isTop.size());
    for (unsigned ends = 0; ends < 1U << q.ends.size(); ++ends) {
        const auto endsOnB = static_cast<std::size_t>(std::popcount(ends));
        if (endsOnB != q.ends.size() / 2 && endsOnB != (q.ends.size() + 1) / 2) continue;
        for (unsigned nodes = 0; nodes < 1U << (tops.size() + leaves.size()); ++nodes) {
            for (std::size_t i = 0; i < tops.size(); ++i) onB[tops[i]] = (nodes >> i & 1U) != 0;
            for (std::size_t i = 0; i < leaves.size(); ++i) onB[leaves[i]] = (nodes >> (tops.size() + i) & 1U) != 0;
            double cut = 0;
            for (const auto& a : q.ends.attachments)
                if (((ends >> a.endpoint & 1U) != 0) != onB[a.node]) cut += inGbps(a.capacity);
            std::vector<double> toA(isTop.size()), toB(isTop.size()); // of spines
            for (const auto& edge : q.graph.edges) {
                const bool isUpperSpine = !isTop[edge.upper];
                if (!isUpperSpine && hasEnds[edge.lower]) // two tiers
                    cut += onB[edge.lower] != onB[edge.upper] ? inGbps(edge.capacity) : 0;
                else
                    (onB[isUpperSpine ? edge.lower : edge.upper] ? toB : toA)[isUpperSpine ? edge.upper : edge.lower] +=
                        inGbps(edge.capacity);
            }
            for (const NodeId spine : spines) cut += std::min(toA[spine], toB[spine]);
            double& known = least[static_cast<std::size_t>(std::popcount(nodes & ((1U << tops.size()) - 1)))];
            known = std::min(known, cut);
        }
    }
    return least;
}

} // namespace

class tst_sides_bound : public QObject {
    Q_OBJECT

private slots:
    // Two and three tiers, whole and partial pods.
    void neverExceedsTheExactValue() {
        test::Random random{17};
        int spoke = 0, tight = 0, exactly = 0;
        for (int round = 0; round < 500; ++round) {
            const std::string nics = std::to_string(1 + random.below(2));
            const FabricPointer intact =
                test::fabricOf(random.below(2) == 0 ? "rail-optimized" : "fat-tree", {{"servers", std::to_string(3 + random.below(10))},
                                                                                      {"radix", std::to_string(4 + 2 * random.below(3))},
                                                                                      {"gpus_per_server", nics},
                                                                                      {"nics_per_server", nics}});
            const Removal removal = drawn(*intact, random);
            const FabricPointer fabric = without(intact, removal.devices, removal.links);
            for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly}) {
                if (problemOf(*fabric, key).ends.size() > 12) continue;
                const auto bound = boundOf(*intact, *fabric, key);
                if (!bound) continue;
                const double exact = test::bruteForce(*fabric, key), value = inGbps(*bound);
                QVERIFY2(value <= exact + 1e-6, qPrintable(QStringLiteral("round %1: %2, exactly %3").arg(round).arg(value).arg(exact)));
                spoke += value > 0 ? 1 : 0;
                tight += value > 0 && value >= 0.8 * exact ? 1 : 0;
                exactly += value > 0 && value >= exact - 1e-6 ? 1 : 0;
            }
        }
        QVERIFY2(spoke > 200 && tight > 100 && exactly > 5, qPrintable(QStringLiteral("%1 %2 %3").arg(spoke).arg(tight).arg(exactly)));
    }
    // Each of the two bounds for itself, by number of tops on a side.
    void holdForEveryNumberOfTops() {
        test::Random random{29};
        std::array<int, 2> spoke{}, tight{};
        for (int round = 0; round < 6000; ++round) {
            const std::string nics = std::to_string(1 + random.below(2));
            const FabricPointer intact =
                test::fabricOf(random.below(2) == 0 ? "rail-optimized" : "fat-tree", {{"servers", std::to_string(3 + random.below(6))},
                                                                                      {"radix", std::to_string(4 + 2 * random.below(2))},
                                                                                      {"gpus_per_server", nics},
                                                                                      {"nics_per_server", nics}});
            const FabricPointer fabric = without(intact, {}, drawn(*intact, random).links);
            const auto key = random.below(2) == 0 ? BisectionKey::Server : BisectionKey::GpuNetworkOnly;
            const BisectionProblem before = problemOf(*intact, key), now = problemOf(*fabric, key);
            if (now.ends.size() > 8 || now.ends.size() < 2 || now.graph.device.size() > 14) continue;
            const auto spread = regularSpreadOf(now, before, nodesOfIntact(now, before));
            if (!spread) continue;
            TopSides sides(*spread);
            if (!sides.apply()) continue;
            std::vector<bool> isTop(now.graph.device.size());
            for (const NodeId v : now.graph.nodes()) isTop[v] = spread->isTop[spread->nodeOfIntact[v]];
            const std::vector<double> least = leastByTops(now, isTop);
            QCOMPARE(least.size(), sides.tops() + 1);
            double ofMore = 1e9;
            for (std::size_t tops = sides.tops() / 2 + 1; tops-- > 0;) {
                Bandwidth price;
                ofMore = std::min(ofMore, least[tops]);
                const double bounds[] = {inGbps(sides.leastWithFew(tops, tops, Bandwidth(1e99), price)), inGbps(sides.leastWithMany(tops))};
                const double exact[] = {least[tops], ofMore};
                for (std::size_t b = 0; b < 2; ++b) {
                    QVERIFY2(bounds[b] <= exact[b] + 1e-6, qPrintable(QStringLiteral("round %1, %2 tops, bound %3: %4, exactly %5")
                                                                          .arg(round)
                                                                          .arg(tops)
                                                                          .arg(b)
                                                                          .arg(bounds[b])
                                                                          .arg(exact[b])));
                    spoke[b] += bounds[b] > 0 ? 1 : 0;
                    tight[b] += bounds[b] >= 0.8 * exact[b] ? 1 : 0;
                }
            }
        }
        for (std::size_t b = 0; b < 2; ++b)
            QVERIFY2(spoke[b] > 200 && tight[b] > 100, qPrintable(QStringLiteral("%1: %2 %3").arg(b).arg(spoke[b]).arg(tight[b])));
    }
    // Three tiers where every endpoint has one leaf in each network.
    void leafSidesNeverExceedTheExactValue() {
        test::Random random{37};
        int spoke = 0, tight = 0, exactly = 0, severalNetworks = 0;
        for (int round = 0; round < 1500; ++round) {
            const std::string nics = std::to_string(1 + random.below(3));
            const FabricPointer intact =
                test::fabricOf(nics == "1" ? "fat-tree" : "rail-only", {{"servers", std::to_string(9 + random.below(4))},
                                                                        {"radix", "4"},
                                                                        {"gpus_per_server", nics},
                                                                        {"nics_per_server", nics},
                                                                        {"rails", nics}});
            const FabricPointer fabric = without(intact, {}, drawn(*intact, random).links);
            const BisectionProblem before = problemOf(*intact, BisectionKey::Server), now = problemOf(*fabric, BisectionKey::Server);
            const auto spread = now.ends.size() <= 12 ? regularSpreadOf(now, before, nodesOfIntact(now, before)) : std::nullopt;
            if (!spread) continue;
            const double bound = inGbps(leafSidesBound(*spread));
            if (bound <= 0) continue;
            const double exact = test::bruteForce(*fabric, BisectionKey::Server);
            QVERIFY2(bound <= exact + 1e-6, qPrintable(QStringLiteral("round %1: %2, exactly %3").arg(round).arg(bound).arg(exact)));
            ++spoke;
            severalNetworks += before.graph.networks > 1 ? 1 : 0;
            tight += bound >= 0.8 * exact ? 1 : 0;
            exactly += bound >= exact - 1e-6 ? 1 : 0;
        }
        QVERIFY2(spoke > 400 && tight > 200 && exactly > 50 && severalNetworks > 200,
                 qPrintable(QStringLiteral("%1 %2 %3 %4").arg(spoke).arg(tight).arg(exactly).arg(severalNetworks)));
    }
    // Too many partitions to try: against the cheapest cuts that are found, where failures come in clusters.
    void neverExceedsACut() {
        test::Random random{23};
        int spoke = 0, narrow = 0;
        for (int round = 0; round < 160; ++round) {
            const std::string servers = std::to_string(64 * (1 + random.below(3)));
            const FabricPointer intact =
                random.below(3) == 0
                    ? test::fabricOf("rail-only", {{"servers", servers}, {"radix", "8"}})
                    : test::fabricOf("superpod-h100",
                                     {{"servers", servers}, {"radix", "16"}, {"su_servers", random.below(2) == 0 ? "8" : "4"}});
            const Removal removal = drawn(*intact, random);
            const FabricPointer fabric = without(intact, removal.devices, removal.links);
            for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly}) {
                const auto bound = boundOf(*intact, *fabric, key);
                if (!bound) continue;
                const Bisection found = bisection(*fabric, key);
                QVERIFY2(inGbps(*bound) <= found.upperGbps + 1e-6 && found.method.find("contradict") == std::string::npos,
                         qPrintable(QStringLiteral("round %1: %2, a cut of %3").arg(round).arg(inGbps(*bound)).arg(found.upperGbps)));
                spoke += *bound > Bandwidth() ? 1 : 0;
                narrow += inGbps(*bound) > 0.9 * found.upperGbps ? 1 : 0;
            }
        }
        QVERIFY2(spoke > 60 && narrow > 40, qPrintable(QStringLiteral("%1 %2").arg(spoke).arg(narrow)));
    }
    // A pod that is drawn but has no servers yet carries nothing before failures.
    void podsWithoutServersTakeNoPart() {
        const FabricPointer whole = test::fabricOf(
            "fat-tree", {{"servers", "16"}, {"radix", "4"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}, {"uplinks", "full-su"}});
        const SwitchGraph graph = switchGraphOf(*whole);
        for (std::size_t pod = 0; pod < 3; ++pod) {
            std::vector<bool> gone(whole->devices.size());
            for (const LinkId l : whole->links.ids())
                if (whole->links.tier[l] == LinkTier::HostLeaf)
                    for (const NodeId leaf : graph.groups[pod].lowers)
                        if (graph.device[leaf] == whole->links.b[l]) gone[whole->links.a[l]] = true;
            for (const DeviceId d : whole->devices.ids()) // the GPUs of these servers
                for (const LinkId l : whole->links.ids())
                    if (whole->links.tier[l] == LinkTier::Pcie && whole->links.a[l] == d && gone[whole->links.b[l]]) gone[d] = true;
            const FabricPointer intact = test::asDrawn(*without(whole, gone, {}));
            test::Random random{31};
            int spoke = 0;
            for (int round = 0; round < 20; ++round) {
                const FabricPointer fabric = without(intact, {}, drawn(*intact, random).links);
                const auto bound = boundOf(*intact, *fabric, BisectionKey::Server);
                if (!bound) continue;
                spoke += *bound > Bandwidth() ? 1 : 0;
                QVERIFY(inGbps(*bound) <= test::bruteForce(*fabric, BisectionKey::Server) + 1e-6);
            }
            QVERIFY2(spoke > 5, qPrintable(QString::number(spoke)));
        }
    }
    // 65,536 GPUs with 1 % of the links failed. Goal: 0.5 % of the cut; 0.66 to 0.78 % measured for GPUs.
    void isNarrowAtFullSize() {
        const FabricPointer intact = test::fabricOf("superpod-h100", {{"servers", "8192"}});
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            Removal removal;
            drawLinks(*intact, 0.01, seed, removal);
            const FabricPointer fabric = without(intact, {}, removal.links);
            for (const auto& [key, gap] : {std::pair(BisectionKey::Server, 0.005), std::pair(BisectionKey::GpuNetworkOnly, 0.01)}) {
                const Bisection found = bisection(*fabric, key);
                QVERIFY2(found.upperGbps - found.lowerGbps <= gap * found.upperGbps,
                         qPrintable(QStringLiteral("%1 to %2").arg(found.lowerGbps).arg(found.upperGbps)));
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_sides_bound)
#include "tst_sides_bound.moc"
