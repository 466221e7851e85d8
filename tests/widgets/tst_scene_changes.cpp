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
    // A fourth tier gives every spine another path, and a larger SU count folds other SUs away: all that stays, stays.
    void whatStaysIsNotCrossedOut_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("servers");
        QTest::addColumn<QString>("item");
        for (const Detail detail : {Detail::Folded, Detail::Full, Detail::Elided}) {
            const int d = static_cast<int>(detail);
            QTest::addRow("a server more, %d", d) << "superpod-h100" << 8192 << "server";
            QTest::addRow("a server more, small, %d", d) << "superpod-h100" << 512 << "server";
            QTest::addRow("superspine, %d", d) << "superpod-h100" << 128 << "superspine";
            QTest::addRow("superspine, rail-only, %d", d) << "rail-only" << 512 << "superspine";
            QTest::addRow("fourth tier, rail-only, %d", d) << "rail-only" << 8192 << "server";
        }
    }
    void whatStaysIsNotCrossedOut() {
        QFETCH(QString, recipe);
        QFETCH(int, servers);
        QFETCH(QString, item);
        const DesignPointer before = test::designOf(recipe.toStdString(), {{"servers", std::to_string(servers)}});
        const auto edit = dropNamed(*before, item.toStdString(), {});
        QVERIFY2(edit, edit ? "" : edit.error().text.c_str());
        const FabricCounts now = countsOf(*elaborate(before)), then = countsOf(*elaborate(edit->design));
        const auto detail = static_cast<Detail>(QString::fromLatin1(QTest::currentDataTag()).section(QLatin1Char(' '), -1).toInt());
        const SceneChanges found = changes(before, edit, detail);
        std::map<Shape, std::int64_t> lost;
        for (const SceneGhost& ghost : found.ghosts) lost[ghost.shape] += ghost.isLoss ? 1 : 0;
        const auto fewer = [&](SwitchTier tier) {
            const auto at = static_cast<std::size_t>(tier);
            return std::max<std::int64_t>(0, now.switchesByTier[at] - then.switchesByTier[at]);
        };
        for (const auto& [shape, tier] :
             {std::pair(Shape::Leaf, SwitchTier::Leaf), {Shape::Spine, SwitchTier::Spine}, {Shape::Superspine, SwitchTier::Superspine}})
            QVERIFY2(lost[shape] <= fewer(tier), qPrintable(QStringLiteral("%1 of tier %2").arg(lost[shape]).arg(static_cast<int>(tier))));
        QVERIFY(lost[Shape::Server] <= std::max<std::int64_t>(0, now.servers - then.servers));
        const auto sizeOfSu = [](const Design& design) { return plan(*resolve(*design.recipe, *design.catalog))->suServers; };
        if (sizeOfSu(*before) != sizeOfSu(*edit->design)) return; // servers go from one SU to another
        const Scene scene = buildScene(*elaborate(before), detail);
        for (const SceneChange& change : found.counts) // no SU loses servers because it is folded away
            for (const SceneCard& card : scene.cards) QVERIFY(change.frame != card.rect || change.by > 0 || then.servers < now.servers);
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
