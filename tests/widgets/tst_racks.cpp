// HB domains that are bought as racks, as the drawing shows them.
#include "tests/support/designs.h"

#include "widgets/canvas/scene/scene.h"

#include <QTest>
#include <cmath>

using namespace railyard;

class tst_racks : public QObject {
    Q_OBJECT

    static Scene sceneOf(const char* recipe, const test::Parameters& parameters, Detail detail = Detail::Full) {
        return buildScene(*test::fabricOf(recipe, parameters), detail);
    }

private slots:
    // 18 trays, ten of them above nine trays of two NVLink switches each, and their NICs below the leaves that they lead to.
    void aRackIsDrawnAsItIsBuilt() {
        const Scene scene = sceneOf("superpod-gb200", {{"servers", "36"}});
        QCOMPARE(scene.cards.size(), std::size_t{2});
        for (const SceneCard& card : scene.cards) {
            QCOMPARE(card.title, QStringLiteral("Rack %1").arg(card.firstSu));
            QCOMPARE(card.subtitle, QStringLiteral("72 GPUs · GB200 NVL72"));
            QCOMPARE(card.racks.size(), std::size_t{1});
            const SceneRack& rack = card.racks.front();
            QCOMPARE(rack.rect, card.rect);
            QCOMPARE(rack.switchTrays, 9);
            QCOMPARE(rack.lastNode - rack.firstNode, std::size_t{18});
            QCOMPARE(rack.rails.size(), std::size_t{4});
            for (std::size_t n = rack.firstNode; n < rack.lastNode; ++n) {
                const SceneNode& tray = scene.nodes[n];
                QVERIFY(tray.isTray && card.rect.contains(tray.rect) && !tray.rect.intersects(rack.switches));
                QCOMPARE(tray.number, static_cast<int>(n - rack.firstNode) + 1);
                QCOMPARE(tray.rect.bottom() < rack.switches.top(), tray.number <= 10);
                if (n > rack.firstNode) QVERIFY(tray.rect.top() > scene.nodes[n - 1].rect.bottom());
                for (std::size_t nic = 0; nic < rack.rails.size(); ++nic) {
                    const double x = tray.rect.left() + tray.pipAt + static_cast<double>(nic) * tray.pipPitch;
                    QVERIFY(std::abs(x - rack.rails[nic].x) < 1e-9 && tray.rect.contains(QPointF(x, tray.rect.center().y())));
                    QCOMPARE(scene.bundles[rack.rails[nic].down].rail, static_cast<int>(nic) + 1);
                }
                QVERIFY(scene.nodeAt(tray.rect.center()) == &tray);
            }
        }
    }
    // Eight leaves of two planes above four NICs: the NICs divide their tray, and no rail runs down past them.
    void nicsKeepToTheirTray() {
        const Scene scene = sceneOf("superpod-gb200", {{"servers", "36"}, {"nic_ports", "2"}, {"planes", "2"}});
        for (const SceneCard& card : scene.cards) {
            QCOMPARE(card.racks.size(), std::size_t{1});
            QVERIFY(card.racks.front().rails.empty());
            for (std::size_t n = card.firstNode; n < card.lastNode; ++n) QCOMPARE(scene.nodes[n].pipPitch, 0.0);
        }
    }
    void severalRacksStandInOneUnit() {
        const Scene scene = sceneOf("superpod-gb300", {{"servers", "72"}});
        QCOMPARE(scene.cards.size(), std::size_t{1});
        const SceneCard& card = scene.cards.front();
        QCOMPARE(card.racks.size(), std::size_t{4});
        QCOMPARE(card.subtitle, QStringLiteral("4 racks"));
        for (std::size_t r = 0; r < card.racks.size(); ++r) {
            const SceneRack& rack = card.racks[r];
            QVERIFY(card.rect.contains(rack.rect) && rack.rails.empty());
            QCOMPARE(rack.title, QStringLiteral("hb[%1]").arg(r + 1));
            QCOMPARE(rack.lastNode - rack.firstNode, std::size_t{18});
            if (r > 0) QVERIFY(!rack.rect.intersects(card.racks[r - 1].rect));
            for (std::size_t n = rack.firstNode; n < rack.lastNode; ++n) QVERIFY(rack.rect.contains(scene.nodes[n].rect));
        }
    }
    void alikeRacksAreFolded() {
        const Scene scene = sceneOf("superpod-gb200", {{"servers", "144"}}, Detail::Folded);
        QCOMPARE(scene.cards.size(), std::size_t{4});
        QCOMPARE(scene.cards[1].title, QStringLiteral("Rack 2"));
        QCOMPARE(scene.cards[2].title, QStringLiteral("Racks 3 to 7"));
        QCOMPARE(scene.cards[2].subtitle, QStringLiteral("90 trays"));
        QCOMPARE(scene.cards[2].rect.height(), scene.cards[0].rect.height());
        for (const SceneCard& card : scene.cards) QCOMPARE(card.rect.top(), scene.cards[0].rect.top());
    }
    // Domains that nobody sells as a rack are nodes of a card, as servers are.
    void otherDomainsStayCards() {
        for (const auto& [recipe, servers] : {std::pair("rail-only-gh200", "64"), {"superpod-h100", "32"}}) {
            const Scene scene = sceneOf(recipe, {{"servers", servers}});
            for (const SceneCard& card : scene.cards) QVERIFY(card.racks.empty());
            for (const SceneNode& node : scene.nodes) QVERIFY(!node.isTray);
            QVERIFY(std::abs(scene.cards.front().rect.height() - 276) < 1e-9);
        }
    }
};

QTEST_MAIN(tst_racks)
#include "tst_racks.moc"
