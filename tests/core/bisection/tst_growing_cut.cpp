#include "core/bisection/witness/growing_cut.h"

#include "core/bisection/witness/every_partition.h"
#include "core/fabric/without.h"
#include "tests/support/designs.h"

#include <algorithm>

using namespace railyard;

class tst_growing_cut : public QObject {
    Q_OBJECT

private slots:
    // Endpoints are placed in any order, and some of them again after a return; what is known on the way is never above the cut at the end.
    void equalsTheCutOfThePartition() {
        test::Random random{5};
        int below = 0, alike = 0;
        for (int round = 0; round < 60; ++round) {
            const char* recipe = random.below(2) == 0 ? "rail-optimized" : "rail-only";
            const FabricPointer whole = test::fabricOf(
                recipe,
                {{"servers", std::to_string(8 + random.below(12))}, {"radix", "8"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}});
            std::vector<bool> failed(whole->links.size());
            for (int i = random.below(4); i > 0; --i) {
                const auto l = static_cast<std::size_t>(random.below(static_cast<int>(failed.size())));
                failed[l] = whole->isNetworkLink(LinkId(l));
            }
            const FabricPointer fabric = without(whole, {}, failed);
            const BisectionProblem q = problemOf(*fabric, BisectionKey::Server);
            GrowingCut growing(q);
            if (growing.work() < static_cast<double>(q.graph.edges.size() + q.ends.attachments.size())) ++alike;
            growing.start();
            std::vector<bool> side(q.ends.size());
            std::vector<std::uint32_t> order(q.ends.size());
            for (std::uint32_t e = 0; e < order.size(); ++e) {
                side[e] = random.below(2) == 1;
                order[e] = e;
                std::swap(order[e], order[static_cast<std::size_t>(random.below(static_cast<int>(e + 1)))]);
            }
            const auto place = [&](std::uint32_t e, bool onA) { growing.place(e, onA ? 1 : 0, onA ? 0 : 1); };
            std::vector<Bandwidth> bounds;
            for (const std::uint32_t e : order) {
                GrowingCut::State before;
                growing.keep(before);
                place(e, !side[e]);
                growing.lowerBound();
                growing.returnTo(before);
                place(e, side[e]);
                bounds.push_back(growing.lowerBound());
            }
            const Bandwidth cut = cutOf(q, side).value;
            QCOMPARE(growing.value().value(), cut.value());
            QVERIFY(std::is_sorted(bounds.begin(), bounds.end()));
            below += bounds[bounds.size() / 2] < cut ? 1 : 0;
        }
        QVERIFY2(below > 30 && alike > 5, qPrintable(QStringLiteral("%1 %2").arg(below).arg(alike)));
    }
    // A class of endpoints on the same ports counts like each of them.
    void placesWholeClasses() {
        const FabricPointer fabric =
            test::fabricOf("fat-tree", {{"servers", "16"}, {"radix", "8"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}});
        const BisectionProblem q = problemOf(*fabric, BisectionKey::Server);
        std::vector<bool> side(q.ends.size());
        GrowingCut one(q), classes(q);
        one.start();
        classes.start();
        const auto all = interchangeable(q);
        QVERIFY(all.size() < q.ends.size());
        for (const auto& members : all) {
            const std::size_t onA = (members.size() + 1) / 2;
            classes.place(members.front(), onA, members.size() - onA);
            for (std::size_t i = 0; i < members.size(); ++i) {
                side[members[i]] = i < onA;
                one.place(members[i], i < onA ? 1 : 0, i < onA ? 0 : 1);
            }
        }
        QCOMPARE(classes.value().value(), one.value().value());
        QCOMPARE(classes.value().value(), cutOf(q, side).value.value());
    }
};

QTEST_GUILESS_MAIN(tst_growing_cut)
#include "tst_growing_cut.moc"
