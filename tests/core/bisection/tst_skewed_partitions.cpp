#include "core/bisection/witness/skewed_partitions.h"

#include "tests/support/designs.h"

#include <algorithm>
#include <numeric>

using namespace railyard;

namespace {

// The same in the plainest way: every endpoint, switch and link for itself, in every turn.
class PlainTurns {
public:
    explicit PlainTurns(const BisectionProblem& q) : m_q(q), m_skew(q.graph.device.size()) {}

    void startAt(std::size_t first) {
        std::fill(m_skew.begin(), m_skew.end(), 0.0);
        for (const auto& group : m_q.graph.groups)
            for (std::size_t i = 0, count = group.uppers.size(); i < count; ++i)
                if (isTop(group.uppers[i])) m_skew[group.uppers[i]] = (i + count - first % count) % count < count / 2 ? 1 : -1;
    }
    std::pair<double, std::vector<bool>> turn() {
        for (int tier = 3; tier >= 1; --tier)
            for (const NodeId v : m_q.graph.nodes()) {
                double sum = 0, all = 0;
                for (const auto& edge : m_q.graph.edgesAbove(v)) {
                    sum += edge.capacity.value() * m_skew[edge.upper];
                    all += edge.capacity.value();
                }
                if (static_cast<int>(m_q.graph.tier[v]) == tier && all > 0) m_skew[v] = sum / all;
            }
        std::vector<double> lean(m_q.ends.size());
        std::vector<std::uint32_t> home(lean.size(), none), order(lean.size());
        for (const auto& a : m_q.ends.attachments) {
            lean[a.endpoint] += a.capacity.value() * m_skew[a.node];
            home[a.endpoint] = std::min<std::uint32_t>(home[a.endpoint], a.node);
        }
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t x, std::uint32_t y) { return lean[x] != lean[y] ? lean[x] > lean[y] : home[x] < home[y]; });
        std::vector<bool> side(lean.size());
        for (std::size_t i = 0; i < order.size() / 2; ++i) side[order[i]] = true;
        std::vector<double> onA(m_skew.size()), all(m_skew.size());
        for (const auto& a : m_q.ends.attachments) {
            all[a.node] += a.capacity.value();
            onA[a.node] += side[a.endpoint] ? a.capacity.value() : 0;
        }
        double cut = 0;
        for (int tier = 1; tier <= 3; ++tier)
            for (const NodeId v : m_q.graph.nodes()) {
                if (static_cast<int>(m_q.graph.tier[v]) != tier) continue;
                for (const auto& edge : m_q.graph.edgesAbove(v))
                    if (all[v] > 0) {
                        all[edge.upper] += edge.capacity.value();
                        onA[edge.upper] += edge.capacity.value() * (onA[v] / all[v]);
                    }
            }
        for (const NodeId v : m_q.graph.nodes()) {
            if (!isTop(v)) continue;
            const double onB = all[v] - onA[v];
            cut += std::min(onA[v], onB);
            if (onA[v] != onB) m_skew[v] = onA[v] > onB ? 1 : -1;
        }
        return {cut, side};
    }

private:
    bool isTop(NodeId v) const { return m_q.graph.edgesAbove(v).empty() && m_q.graph.groupBelow[v] != none; }
    const BisectionProblem& m_q;
    std::vector<double> m_skew;
};

std::vector<std::vector<bool>> plainly(const BisectionProblem& q, std::size_t most) {
    std::size_t windows = 0;
    for (const auto& group : q.graph.groups) windows = std::max(windows, group.uppers.size());
    PlainTurns turns(q);
    std::vector<std::pair<double, std::vector<bool>>> best;
    for (std::size_t first = 0; first < windows; ++first) {
        turns.startAt(first);
        auto least = turns.turn();
        for (int turn = 1; turn < 12; ++turn) {
            auto next = turns.turn();
            if (next.first >= least.first) break;
            least = std::move(next);
        }
        best.push_back(std::move(least));
    }
    std::stable_sort(best.begin(), best.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    std::vector<std::vector<bool>> partitions;
    for (const auto& [cut, side] : best)
        if (partitions.size() < most && std::find(partitions.begin(), partitions.end(), side) == partitions.end())
            partitions.push_back(side);
    return partitions;
}

} // namespace

class tst_skewed_partitions : public QObject {
    Q_OBJECT

private slots:
    void asInThePlainestWay_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<test::Parameters>("parameters");
        for (const char* recipe : {"rail-optimized", "rail-only"})
            for (const char* ratio : {"7:6", "5:3", "3:2"})
                for (const char* uplinks : {"used", "full-su"})
                    QTest::addRow("%s %s %s", recipe, ratio, uplinks)
                        << recipe << test::Parameters{{"servers", "90"},           {"su_servers", "16"}, {"radix", "64"},
                                                      {"oversubscription", ratio}, {"uplinks", uplinks}, {"spine_rule", "exact"}};
        QTest::newRow("three tiers") << "fat-tree"
                                     << test::Parameters{
                                            {"servers", "50"}, {"radix", "16"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}};
    }
    void asInThePlainestWay() {
        QFETCH(QString, recipe);
        QFETCH(test::Parameters, parameters);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), parameters);
        for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly}) {
            const BisectionProblem q = problemOf(*fabric, key);
            const auto found = skewedPartitions(q, 3);
            QVERIFY(!found.empty() && found.size() <= 3);
            for (const std::vector<bool>& side : found)
                QCOMPARE(static_cast<std::size_t>(std::count(side.begin(), side.end(), true)), q.ends.size() / 2);
            QVERIFY(found == plainly(q, 3));
        }
    }
    void nothingAboveTheLeaves() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "8"}});
        QVERIFY(skewedPartitions(problemOf(*fabric, BisectionKey::Server), 3).empty());
    }
};

QTEST_GUILESS_MAIN(tst_skewed_partitions)
#include "tst_skewed_partitions.moc"
