// What a drag marks in the drawing is what the edit changes.
#include "core/design/edits/edit.h"
#include "tests/support/designs.h"
#include "widgets/canvas/preview/scene_changes.h"

#include <QTest>

using namespace railyard;

class tst_scene_changes : public QObject {
    Q_OBJECT

    static SceneChanges changes(const DesignPointer& before, const Result<Edit>& edit, Detail detail = Detail::Full) {
        const FabricPointer now = elaborate(before), then = elaborate(edit->design);
        return changesBetween(buildScene(*now, detail), *now, buildScene(*then, detail), *then);
    }
    static std::int64_t sum(const std::vector<SceneChange>& all) {
        std::int64_t by = 0;
        for (const SceneChange& change : all) by += change.by;
        return by;
    }

private slots:
    void nothingChangesNothing() {
        const DesignPointer design = test::designOf("superpod-h100");
        QVERIFY(changes(design, setServers(*design, 128), Detail::Folded).isEmpty());
    }
    void spinesComeInTheirBar() {
        const DesignPointer before = test::designOf("superpod-h100", {{"servers", "512"}, {"leaf_up", "16"}, {"spines", "16"}});
        const auto found = changes(before, setParameters(*before, {{"spines", "32"}, {"leaf_up", "32"}}));
        std::vector<std::int64_t> by;
        for (const SceneChange& change : found.counts) {
            QVERIFY(!change.isGhost && !change.frame.isEmpty());
            by.push_back(change.by);
        }
        std::sort(by.begin(), by.end());
        QCOMPARE(by, (std::vector<std::int64_t>{32, 64})); // superspines; spines of all pods
    }
    void serversComeAndGo() {
        const DesignPointer before = test::designOf("superpod-h100", {{"servers", "60"}});
        const auto ofCards = [&](int servers) { // the changes of SU cards: how many servers, and whether the card would come
            const Scene now = buildScene(*elaborate(before), Detail::Full),
                        then = buildScene(*elaborate(setServers(*before, servers)->design), Detail::Full);
            std::vector<std::pair<std::int64_t, bool>> found;
            for (const SceneChange& change : changes(before, setServers(*before, servers)).counts) {
                const auto& cards = change.isGhost ? then.cards : now.cards;
                if (std::any_of(cards.begin(), cards.end(), [&](const SceneCard& card) { return card.rect == change.frame; }))
                    found.emplace_back(change.by, change.isGhost);
            }
            return found;
        };
        using Found = std::vector<std::pair<std::int64_t, bool>>;
        QCOMPARE(ofCards(70), (Found{{4, false}, {6, true}})); // fills the second SU, begins a third
        QCOMPARE(ofCards(20), (Found{{-12, false}, {-28, false}}));
    }
    // Ghosts stand where elements would come, in free places, and crosses on those that would go.
    void ghostsOfServers() {
        const DesignPointer before = test::designOf("superpod-h100", {{"servers", "60"}});
        const auto ghosts = [&](int servers, bool isLoss) {
            const SceneChanges found = changes(before, setServers(*before, servers));
            return std::count_if(found.ghosts.begin(), found.ghosts.end(),
                                 [&](const SceneGhost& ghost) { return ghost.shape == Shape::Server && ghost.isLoss == isLoss; });
        };
        QCOMPARE(ghosts(63, false), std::ptrdiff_t{3});
        QCOMPARE(ghosts(63, true), std::ptrdiff_t{0});
        QCOMPARE(ghosts(55, true), std::ptrdiff_t{5});
        QCOMPARE(ghosts(55, false), std::ptrdiff_t{0});
        const Scene now = buildScene(*elaborate(before), Detail::Full);
        for (const SceneGhost& ghost : changes(before, setServers(*before, 70)).ghosts)
            for (const SceneNode& node : now.nodes) QVERIFY(ghost.isLoss || !ghost.rect.intersects(node.rect));
    }
    // From one tier to two: a bar that is not there yet.
    void aTierComes() {
        const DesignPointer before = test::designOf("fat-tree", {{"servers", "4"}});
        const auto grown = setServers(*before, 64);
        QVERIFY(grown);
        const Scene now = buildScene(*elaborate(before), Detail::Full), then = buildScene(*elaborate(grown->design), Detail::Full);
        std::int64_t spines = 0;
        for (const SceneBar& bar : then.bars) spines += std::int64_t{bar.count} * bar.stacked;
        for (const SceneBar& bar : now.bars) spines -= std::int64_t{bar.count} * bar.stacked;
        QVERIFY(spines > 0);
        const auto found = changes(before, grown).counts;
        QVERIFY(std::any_of(found.begin(), found.end(), [&](const SceneChange& change) { return change.isGhost && change.by == spines; }));
        QCOMPARE(sum(found), spines + 60);
    }
};

QTEST_MAIN(tst_scene_changes)
#include "tst_scene_changes.moc"
