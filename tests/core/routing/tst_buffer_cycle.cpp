// Circles of buffers after failures: fabrics by hand, and random failures against a search that follows every shortest path.
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/routing/switches/buffer_cycle.h"
#include "tests/support/designs.h"

#include <algorithm>
#include <map>
#include <set>

using namespace railyard;

namespace {

SwitchGraph after(const FabricPointer& intact, const std::vector<bool>& links) { return switchGraphOf(*without(intact, {}, links)); }

// Two networks of switches in which every switch has a number; a hop is a pair of them.
struct BruteForce {
    const SwitchGraph& graph;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> hops; // true: upwards
    std::set<std::uint32_t> leaves;
    std::map<std::uint32_t, std::map<std::uint32_t, int>> distance;

    explicit BruteForce(const SwitchGraph& g) : graph(g) {
        for (const SwitchGraph::Edge& e : g.edges) hops[{e.lower, e.upper}] = true, hops[{e.upper, e.lower}] = false;
        for (const SwitchGraph::Host& host : g.hosts) leaves.insert(host.node);
        const int far = 1 << 20;
        const auto n = static_cast<std::uint32_t>(g.device.size());
        for (std::uint32_t a = 0; a < n; ++a)
            for (std::uint32_t b = 0; b < n; ++b) distance[a][b] = a == b ? 0 : hops.contains({a, b}) ? 1 : far;
        for (std::uint32_t k = 0; k < n; ++k)
            for (std::uint32_t a = 0; a < n; ++a)
                for (std::uint32_t b = 0; b < n; ++b) distance[a][b] = std::min(distance[a][b], distance[a][k] + distance[k][b]);
    }
    bool isJoined(std::uint32_t a, std::uint32_t b) const { return distance.at(a).at(b) < 1 << 20; }
    std::set<std::uint32_t> above(std::uint32_t node) const { // and itself
        std::set<std::uint32_t> all{node};
        for (bool more = true; more;) {
            more = false;
            for (const auto& [hop, isUp] : hops)
                if (isUp && all.contains(hop.first)) more = all.insert(hop.second).second || more;
        }
        return all;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairsWithout() const {
        std::map<std::uint32_t, std::set<std::uint32_t>> all;
        for (const auto leaf : leaves) all[leaf] = above(leaf);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (const auto a : leaves)
            for (const auto b : leaves)
                if (a != b && isJoined(a, b) &&
                    std::none_of(all[a].begin(), all[a].end(), [&](auto node) { return all[b].contains(node); }))
                    pairs.emplace_back(a, b);
        return pairs;
    }
    // Hops as nodes: removed while nothing leads to them; what remains lies on a circle or behind one.
    bool hasCycle() const {
        using Hop = std::pair<std::uint32_t, std::uint32_t>;
        const auto pairs = pairsWithout();
        std::map<Hop, std::set<Hop>> next;
        for (const auto& [in, isInUp] : hops)
            for (const auto& [out, isOutUp] : hops) {
                if (out.first != in.second || out.second == in.first) continue;
                bool isTaken = isInUp || !isOutUp;
                for (const auto& [from, to] : pairs) // a turn from down to up lies on one of their shortest paths
                    isTaken = isTaken || distance.at(from).at(in.first) + 2 + distance.at(out.second).at(to) == distance.at(from).at(to);
                if (isTaken) next[in].insert(out);
            }
        std::map<Hop, int> into;
        for (const auto& [in, outs] : next)
            for (const Hop& out : outs) ++into[out];
        std::vector<Hop> free;
        for (const auto& [hop, isUp] : hops)
            if (into[hop] == 0) free.push_back(hop);
        std::size_t removed = 0;
        while (!free.empty()) {
            const Hop hop = free.back();
            free.pop_back();
            ++removed;
            for (const Hop& out : next[hop])
                if (--into[out] == 0) free.push_back(out);
        }
        return removed < hops.size();
    }
};

// Whether the switches are joined to a circle in which each hop differs from the one back.
bool isCircle(const SwitchGraph& graph, const std::vector<NodeId>& cycle) {
    const BruteForce brute(graph);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const NodeId a = cycle[i], b = cycle[(i + 1) % cycle.size()], c = cycle[(i + 2) % cycle.size()];
        if (!brute.hops.contains({a, b}) || a == c) return false;
    }
    return cycle.size() >= 4;
}

} // namespace

class tst_buffer_cycle : public QObject {
    Q_OBJECT

    // `leaves` leaves below two spines; leaf 1 loses spine 1, leaf 2 spine 2.
    static SwitchGraph twoSpines(int leaves) {
        const FabricPointer fabric = test::fabricOf(
            "fat-tree", {{"servers", std::to_string(leaves)}, {"radix", "16"}, {"leaf_down", "8"}, {"leaf_up", "2"}, {"spines", "2"}});
        std::vector<bool> links(fabric->links.size());
        int found = 0;
        for (const LinkId l : fabric->links.ids()) {
            if (fabric->links.tier[l] != LinkTier::LeafSpine) continue;
            const std::uint32_t leaf = fabric->devices.index[fabric->links.a[l]], spine = fabric->devices.index[fabric->links.b[l]];
            const std::uint32_t su = fabric->devices.su[fabric->links.a[l]];
            const std::uint32_t number = leaf + su - 1; // a leaf each SU
            if (number <= 2 && number == spine) links[l] = true, ++found;
        }
        if (found != 2) qFatal("%d links", found);
        return after(fabric, links);
    }

private slots:
    void intactFabricsHaveNone() {
        for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree"}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", "40"}, {"radix", "16"}});
            const DetourTurns found = detourTurnsOf(switchGraphOf(*fabric));
            QCOMPARE(found.pairs, 0);
            QVERIFY(found.cycle.empty());
        }
    }
    // One leaf that traffic turns at cannot close a circle, two can.
    void twoTurnsCloseACircle() {
        for (const int leaves : {3, 4, 6}) {
            const SwitchGraph graph = twoSpines(leaves);
            const DetourTurns found = detourTurnsOf(graph);
            QCOMPARE(found.pairs, 2);
            QVERIFY(found.isComplete);
            QCOMPARE(found.cycle.empty(), leaves == 3);
            if (leaves > 3) QVERIFY(isCircle(graph, found.cycle));
        }
    }
    void randomFailures() {
        int cycles = 0, without = 0;
        for (const auto& [recipe, servers, radix] :
             {std::tuple("fat-tree", "6", "4"), std::tuple("fat-tree", "8", "8"), std::tuple("fat-tree", "12", "16"),
              std::tuple("rail-only", "24", "8"), std::tuple("rail-optimized", "6", "8")})
            for (std::uint64_t seed = 1; seed <= 18; ++seed) {
                const FabricPointer intact = test::fabricOf(
                    recipe, {{"servers", servers}, {"radix", radix}, {"nics_per_server", recipe == std::string("fat-tree") ? "1" : "8"}});
                Removal removal;
                drawLinks(*intact, 0.08 * static_cast<double>(1 + seed % 6), seed, removal);
                const SwitchGraph graph = after(intact, removal.links);
                const DetourTurns found = detourTurnsOf(graph);
                const BruteForce brute(graph);
                const QString name = QStringLiteral("%1 %2 %3 %4").arg(recipe, servers, radix).arg(seed);
                QVERIFY2(found.pairs == static_cast<std::int64_t>(brute.pairsWithout().size()), qPrintable(name));
                QVERIFY2(found.cycle.empty() != brute.hasCycle(), qPrintable(name));
                if (!found.cycle.empty()) QVERIFY2(isCircle(graph, found.cycle), qPrintable(name));
                if (found.pairs > 0) ++(found.cycle.empty() ? without : cycles);
            }
        QVERIFY2(cycles > 3 && without > 0, qPrintable(QStringLiteral("%1 %2").arg(cycles).arg(without)));
    }
};

QTEST_APPLESS_MAIN(tst_buffer_cycle)
#include "tst_buffer_cycle.moc"
