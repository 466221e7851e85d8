#include "core/bisection/witness/merged_switches.h"

#include "core/bisection/witness/balanced_cut.h"
#include "core/fabric/without.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

#include <numeric>

using namespace railyard;

namespace {

FabricPointer withFailures(const FabricPointer& whole, int failures, test::Random& random) {
    std::vector<bool> failed(whole->links.size());
    for (int i = 0; i < failures; ++i) {
        const auto l = static_cast<std::size_t>(random.below(static_cast<int>(failed.size())));
        failed[l] = whole->isNetworkLink(LinkId(l));
    }
    return without(whole, {}, failed);
}

// The cut without merging: every switch and every endpoint's attachment for itself.
Cut plainCut(const BisectionProblem& q, const std::vector<bool>& sideA) {
    const std::size_t switches = q.graph.device.size();
    test::PlainFlow plain;
    MaxFlow flow(static_cast<std::uint32_t>(switches + 2));
    const auto add = [&](std::uint32_t u, std::uint32_t v, Bandwidth capacity) {
        plain.add(u, v, capacity.value());
        flow.addEdge(u, v, capacity);
    };
    plain.add(0, 1, 0); // both sides are there
    for (const auto& edge : q.graph.edges) add(edge.lower + 2, edge.upper + 2, edge.capacity);
    for (const auto& a : q.ends.attachments) add(sideA[a.endpoint] ? 0 : 1, a.node + 2, a.capacity);
    Cut cut;
    cut.value = flow.run(0, 1);
    cut.sourceSide = flow.sourceSide();
    const double expected = plain.between(0, 1);
    if (std::abs(cut.value.value() - expected) > 1e-9 * expected) qFatal("%.17g is not %.17g", cut.value.value(), expected);
    return cut;
}

} // namespace

class tst_merged_switches : public QObject {
    Q_OBJECT

private slots:
    void cutsAreThoseWithoutMerging_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<test::Parameters>("parameters");
        const auto row = [](const char* name, const char* recipe, const test::Parameters& parameters) {
            QTest::newRow(name) << recipe << parameters;
        };
        row("rails share spines", "rail-optimized", {{"servers", "12"}, {"su_servers", "4"}, {"radix", "32"}});
        row("a smaller SU", "rail-optimized", {{"servers", "14"}, {"su_servers", "4"}, {"radix", "32"}, {"uplinks", "used"}});
        row("uneven", "rail-optimized",
            {{"servers", "24"}, {"su_servers", "4"}, {"radix", "16"}, {"oversubscription", "5:3"}, {"spine_rule", "exact"}});
        row("rails apart", "rail-only", {{"servers", "24"}, {"radix", "16"}});
        row("uneven rails apart", "rail-only", {{"servers", "22"}, {"radix", "16"}, {"oversubscription", "7:6"}, {"uplinks", "used"}});
        row("three tiers", "fat-tree", {{"servers", "20"}, {"radix", "8"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}});
        row("planes", "rail-optimized", {{"servers", "16"}, {"radix", "16"}, {"nic_ports", "2"}, {"planes", "2"}});
    }
    void cutsAreThoseWithoutMerging() {
        QFETCH(QString, recipe);
        QFETCH(test::Parameters, parameters);
        const FabricPointer whole = test::fabricOf(recipe.toStdString(), parameters);
        test::Random random{5};
        bool isAnyMerged = false;
        for (int round = 0; round < 40; ++round) {
            const FabricPointer fabric = withFailures(whole, round % 4 == 0 ? 0 : random.below(12), random);
            const BisectionProblem q = problemOf(*fabric, round % 2 == 0 ? BisectionKey::Server : BisectionKey::GpuNetworkOnly);
            const MergedSwitches merged = mergedSwitchesOf(q);
            isAnyMerged = isAnyMerged || merged.count < q.graph.device.size();
            checkSums(q, merged);
            CutNetwork network(q);
            for (int i = 0; i < 4; ++i) {
                std::vector<bool> side(q.ends.size());
                const int kind = random.below(3);
                for (std::size_t e = 0; e < side.size(); ++e)
                    side[e] = kind == 0 ? e < side.size() / 2 : kind == 1 ? random.below(2) == 1 : e % 3 == 0;
                const Cut expected = plainCut(q, side), found = network.cut(side);
                QCOMPARE(found.value.value(), expected.value.value());
                for (const NodeId v : q.graph.nodes()) QCOMPARE(found.isOnA(v), expected.isOnA(v));
            }
        }
        QVERIFY(isAnyMerged);
    }
    // All leaves of an SU are alike, and so are all spines, unless a small SU reaches some of them only. The rails of rail-only are alike,
    // too.
    void symmetryIsFound() {
        const auto countOf = [](const std::string& recipe, const test::Parameters& parameters) {
            return mergedSwitchesOf(problemOf(*test::fabricOf(recipe, parameters), BisectionKey::Server)).count;
        };
        QCOMPARE(countOf("rail-optimized", {{"servers", "96"}, {"su_servers", "32"}}), 3U + 1U);
        QCOMPARE(countOf("rail-optimized", {{"servers", "100"}, {"su_servers", "32"}, {"uplinks", "used"}}), 4U + 2U);
        QCOMPARE(countOf("rail-only", {{"servers", "64"}}), 1U);
        QCOMPARE(countOf("rail-only", {{"servers", "256"}}), 8U + 1U);
    }

private:
    static void checkSums(const BisectionProblem& q, const MergedSwitches& merged) {
        Bandwidth links, attachments, mergedLinks, mergedAttachments;
        for (const auto& edge : q.graph.edges) links += edge.capacity;
        for (const auto& a : q.ends.attachments) attachments += a.capacity;
        for (const auto& link : merged.links) {
            QVERIFY(link.lower != link.upper && link.lower < merged.count && link.upper < merged.count);
            mergedLinks += link.capacity;
        }
        for (const auto& a : merged.attachments) mergedAttachments += a.capacity;
        QCOMPARE(mergedLinks.value(), links.value());
        QCOMPARE(mergedAttachments.value(), attachments.value());
    }
};

QTEST_GUILESS_MAIN(tst_merged_switches)
#include "tst_merged_switches.moc"
