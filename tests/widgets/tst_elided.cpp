// The elided style: of everything alike the first ones and the last, whatever the size.
#include "tests/support/designs.h"

#include "tests/support/painted.h"
#include "widgets/canvas/canvas.h"

#include <QTest>

using namespace railyard;

class tst_elided : public QObject {
    Q_OBJECT

    static bool touches(const QRectF& rect, QPointF point) { return rect.adjusted(-1, -1, 1, 1).contains(point); }

private slots:
    void everyRecipeFitsAPage() {
        for (const RecipeInfo& recipe : recipes()) {
            const Scene scene = buildScene(*test::fabricOf(std::string(recipe.name)), Detail::Elided);
            const std::string name(recipe.name);
            QVERIFY2(!scene.nodes.empty() && scene.nodes.size() <= 80, name.c_str());
            QVERIFY2(scene.bounds.width() < 1600, name.c_str());
            for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
                QVERIFY2(scene.bounds.contains(scene.nodes[i].rect), name.c_str());
                for (std::size_t j = i + 1; j < scene.nodes.size(); ++j)
                    QVERIFY2(!scene.nodes[i].rect.intersects(scene.nodes[j].rect), name.c_str());
                for (const QPointF& dots : scene.dots) QVERIFY2(!scene.nodes[i].rect.contains(dots), name.c_str());
            }
        }
    }
    void theFirstAndTheLastAreDrawn() {
        const Scene scene = buildScene(*test::fabricOf("superpod-h100", {{"servers", "512"}}), Detail::Elided);
        QCOMPARE(scene.cards.size(), std::size_t{3});
        QCOMPARE(scene.cards[0].firstSu, 1);
        QCOMPARE(scene.cards[1].firstSu, 2);
        QCOMPARE(scene.cards[2].firstSu, 16);
        QCOMPARE(scene.foldedSus, 13);
        std::set<int> leaves, servers;
        for (const SceneNode& node : scene.nodes) {
            if (node.shape == Shape::Leaf) leaves.insert(node.number);
            if (node.shape == Shape::Server) servers.insert(node.number);
        }
        QCOMPARE(leaves, (std::set<int>{1, 2, 3, 8}));
        QCOMPARE(servers, (std::set<int>{1, 2, 32}));
        const Scene small = buildScene(*test::fabricOf("superpod-h100", {{"servers", "16"}}), Detail::Elided);
        QCOMPARE(small.cards.size(), std::size_t{1});
        QCOMPARE(small.foldedSus, 0);
    }
    void whatDiffersIsDrawn() {
        const auto edit = removeElements(*test::designOf("superpod-h100", {{"servers", "512"}}), {"su[5]/leaf[1]"});
        QVERIFY(edit);
        const Scene scene = buildScene(*elaborate(edit->design), Detail::Elided);
        QCOMPARE(scene.cards.size(), std::size_t{4});
        QCOMPARE(scene.cards[2].firstSu, 5);
        QCOMPARE(scene.foldedSus, 12);
    }
    // A line for every pair of drawn ends that a cable joins, none where there is none.
    void linesAreCables() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "64"}, {"radix", "32"}});
        const Scene scene = buildScene(*fabric, Detail::Elided);
        std::set<std::pair<std::uint32_t, std::uint32_t>> joined; // leaf, spine
        for (const LinkId l : fabric->links.ids())
            if (fabric->links.tier[l] == LinkTier::LeafSpine) joined.emplace(fabric->links.a[l], fabric->links.b[l]);
        std::size_t wanted = 0, lines = 0;
        for (const SceneNode& a : scene.nodes)
            for (const SceneNode& b : scene.nodes) {
                if (a.shape != Shape::Leaf || b.shape != Shape::Spine) continue;
                wanted += joined.contains({a.device, b.device}) ? 1 : 0;
                for (const SceneBundle& line : scene.bundles)
                    lines += touches(a.rect, line.path.first()) && touches(b.rect, line.path.last()) ? 1 : 0;
            }
        QVERIFY(wanted > 0);
        QCOMPARE(lines, wanted);
    }
    void theCanvasTurnsToItAndBack() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "512"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        const std::size_t before = canvas.scene().nodes.size();
        canvas.setDetail(Detail::Elided);
        QVERIFY(canvas.scene().isElided && !canvas.isUnfolded());
        QVERIFY(canvas.savedView("slide").elided);
        canvas.selectPaths({"su[2]/leaf[3]"});
        QVERIFY(canvas.isAnySelectedSeen());
        QVERIFY(test::isPainted(canvas.grab()));
        const SavedView slide = canvas.savedView("slide");
        canvas.setUnfolded(true);
        canvas.showView(slide);
        QCOMPARE(canvas.detail(), Detail::Elided);
        canvas.setDetail(Detail::Folded);
        QCOMPARE(canvas.scene().nodes.size(), before);
    }
};

QTEST_MAIN(tst_elided)
#include "tst_elided.moc"
