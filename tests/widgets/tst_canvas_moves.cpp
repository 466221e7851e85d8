// What was drawn by hand, dragged, aligned and copied.
#include "core/fabric/connect.h"
#include "tests/support/canvas_gestures.h"
#include "tests/support/designs.h"

#include <QSignalSpy>

using namespace railyard;
using test::centreOf, test::drag, test::drop, test::find;

class tst_canvas_moves : public QObject {
    Q_OBJECT

private slots:
    void draggingMovesHandDrawnThingsOnce() {
        Document document;
        QVERIFY(document.apply(dropItem(*document.now().design, PaletteItem::Leaf, {300, 300})));
        QVERIFY(document.apply(dropItem(*document.now().design, PaletteItem::Spine, {300, 120})));
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const QPoint from = centreOf(canvas, *find(canvas, Shape::Leaf, 1));
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 10; ++step) QTest::mouseMove(&canvas, from + QPoint(step * 12, 0));
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from + QPoint(120, 0));
        QCOMPARE(document.undoStack().count(), 3);
        QVERIFY(document.now().design->free->devices[0].at->x > 300);
        QCOMPARE(document.now().instant.counts.links, std::int64_t{0}); // moving changes no result
    }
    // With Ctrl the head of a card is one SU more, with Shift too a group by itself; servers raise the count.
    void copiesOfTheRecipeRaiseItsCounts() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const auto drag = [&](QPointF from, Qt::KeyboardModifiers keys) {
            const QPoint at = from.toPoint(), to = at + QPoint(60, 40);
            QTest::mousePress(&canvas, Qt::LeftButton, keys, at);
            for (const QPoint step : {at + QPoint(30, 20), to}) { // QTest moves carry no modifiers
                QMouseEvent move(QEvent::MouseMove, step, canvas.mapToGlobal(step), Qt::NoButton, Qt::LeftButton, keys);
                QApplication::sendEvent(&canvas, &move);
            }
            QTest::mouseRelease(&canvas, Qt::LeftButton, keys, to);
        };
        const auto head = [&] {
            const QRectF card = canvas.view().toScreen(canvas.scene().cards.front().rect);
            return QPointF(card.left() + 20, card.top() + 8);
        };
        drag(head(), Qt::ControlModifier);
        QCOMPARE(document.now().instant.counts.servers, std::int64_t{96});
        drag(head(), Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(document.now().instant.counts.servers, std::int64_t{128});
        QCOMPARE(document.now().design->free->instances.size(), std::size_t{1});
        canvas.selectPaths({"su[3]/srv[31]", "su[3]/srv[32]"});
        const auto server = std::find_if(canvas.scene().nodes.rbegin(), canvas.scene().nodes.rend(),
                                         [](const SceneNode& node) { return node.shape == Shape::Server; });
        drag(canvas.view().toScreen(server->rect).center(), Qt::ControlModifier);
        QCOMPARE(document.now().instant.counts.servers, std::int64_t{130});
    }
    // Two leaves and their cable to a spine: copied with the cable, moved, one undo step each; from the keyboard as by Ctrl-drag.
    void copiesBringTheirCables() {
        Document document;
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        drop(canvas, "leaf", {300, 400});
        drop(canvas, "spine", {300, 200});
        const auto cable = railyard::connect(*document.now().fabric, "leaf[1]", "spine[1]");
        QVERIFY(document.apply(cable));
        canvas.fit();
        canvas.selectPaths({"leaf[1]", "spine[1]"});
        canvas.copy();
        canvas.paste();
        QCOMPARE(document.now().instant.counts.switches, std::int64_t{4});
        QCOMPARE(document.now().instant.counts.links, std::int64_t{2});
        QCOMPARE(canvas.selectedPaths(), (std::vector<std::string>{"leaf[2]", "spine[2]"}));
        canvas.duplicate();
        QCOMPARE(document.now().instant.counts.links, std::int64_t{3});
        document.undoStack().undo();
        document.undoStack().undo();
        QCOMPARE(document.now().instant.counts.switches, std::int64_t{2});
        canvas.fit();
        const QPoint from = centreOf(canvas, *find(canvas, Shape::Leaf, 1));
        QTest::mousePress(&canvas, Qt::LeftButton, Qt::ControlModifier, from);
        QTest::mouseMove(&canvas, from + QPoint(60, 20));
        QTest::mouseMove(&canvas, from + QPoint(120, 40));
        QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::ControlModifier, from + QPoint(120, 40));
        QCOMPARE(document.now().instant.counts.switches, std::int64_t{3});
        QCOMPARE(document.now().instant.counts.links, std::int64_t{1}); // the spine was not copied
    }
    void recipeElementsAreNotCopied() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        QSignalSpy refused(&canvas, &Canvas::refused);
        canvas.selectPaths({"su[1]/leaf[1]"});
        canvas.duplicate();
        QCOMPARE(refused.size(), 1);
        QVERIFY(refused[0][0].toString().contains(QStringLiteral("Recipe elements")));
        canvas.selectPaths({});
        canvas.paste();
        QCOMPARE(refused.size(), 2);
    }
    void alignsAndDistributes() {
        Document document;
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        for (const QPoint at : {QPoint(200, 300), QPoint(260, 340), QPoint(500, 310)}) drop(canvas, "leaf", at);
        canvas.selectPaths({"leaf[1]", "leaf[2]", "leaf[3]"});
        canvas.align(Align::Row);
        canvas.align(Align::SpreadAcross);
        QCOMPARE(document.undoStack().count(), 5);
        const auto centre = [&](int number) { return find(canvas, Shape::Leaf, number)->rect.center(); };
        QCOMPARE(centre(1).y(), centre(3).y());
        QVERIFY(std::abs(centre(2).x() - (centre(1).x() + centre(3).x()) / 2) < 1e-6);
    }
    // From close by each port is there: dragged together, taken ones refuse, and a click on one still selects its switch.
    void portsAreDraggedTogether() {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (int i = 0; i < 2; ++i) design = dropItem(*design, PaletteItem::Leaf, {i * 60.0, 0})->design;
        Document document;
        document.open(design, {});
        Canvas canvas(document);
        canvas.resize(2800, 1200);
        canvas.show();
        canvas.selectPaths({"leaf[1]", "leaf[2]"});
        canvas.fitSelection();
        canvas.selectPaths({});
        canvas.zoomBy(28 / canvas.view().scale); // both leaves with their ports
        QSignalSpy refused(&canvas, &Canvas::refused);
        const auto portOf = [&](int leaf, int port) {
            const auto node = static_cast<std::size_t>(find(canvas, Shape::Leaf, leaf) - canvas.scene().nodes.data());
            return canvas.portRect(node, port).center().toPoint();
        };
        drag(canvas, portOf(1, 3), portOf(2, 5) - portOf(1, 3));
        QCOMPARE(document.undoStack().count(), 1);
        const auto& links = document.now().design->free->links;
        QCOMPARE(links.size(), std::size_t{1});
        const std::set<std::string> ends{links[0].a, links[0].b};
        QCOMPARE(ends, (std::set<std::string>{"leaf[1]:3", "leaf[2]:5"}));
        drag(canvas, portOf(1, 3), portOf(2, 9) - portOf(1, 3));
        QCOMPARE(refused.count(), 1);
        QVERIFY(refused[0][0].toString().contains(QStringLiteral("in use")));
        drag(canvas, portOf(1, 7), portOf(1, 9) - portOf(1, 7)); // to itself
        QCOMPARE(refused.count(), 2);
        QCOMPARE(document.undoStack().count(), 1);
        canvas.selectPaths({});
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, portOf(2, 20));
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{"leaf[2]:20"});
    }
    // The way from the palette does not count: from where the pointer has rested, right is more spines and left is fewer.
    void theLadderHasRungsBothWays() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}, {"spines", "16"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        QMimeData data;
        data.setData(QLatin1String(paletteMimeType), "spine");
        const auto spinesAfter = [&](std::vector<int> ways, int last) { // px: places before the rest, then the drop
            QDragEnterEvent enter(QPoint(40, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&canvas, &enter);
            const auto moveTo = [&](int x) {
                QDragMoveEvent move(QPoint(x, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
                QApplication::sendEvent(&canvas, &move);
            };
            for (const int x : ways) moveTo(x);
            QTest::qWait(static_cast<int>(DropTool::restTime.count()) + 100);
            moveTo(last);
            QDropEvent dropped(QPointF(last, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&canvas, &dropped);
            const auto spines = document.now().instant.counts.switchesByTier[2];
            document.undoStack().undo();
            return static_cast<int>(spines);
        };
        QCOMPARE(spinesAfter({200, 500}, 500), 32); // as far as it is from the palette
        QCOMPARE(spinesAfter({200, 500}, 560), 32);
        QCOMPARE(spinesAfter({200, 500}, 440), 32);
        QCOMPARE(spinesAfter({200, 500}, 420), 8); // one rung down
        QCOMPARE(spinesAfter({200, 500}, 250), 8); // the lowest
    }
    // Added by key and copied again and again, nothing covers anything.
    void addedAndCopiedThingsNeverOverlap() {
        Document document;
        Canvas canvas(document);
        canvas.resize(900, 700);
        canvas.show();
        for (const char* item : {"leaf", "leaf", "server", "server", "spine", "spine", "leaf"}) canvas.addFromPalette(item);
        canvas.selectPaths({"leaf[1]", "srv[1]"});
        for (int i = 0; i < 3; ++i) canvas.duplicate();
        canvas.selectPaths({"spine[1]"});
        canvas.copy();
        for (int i = 0; i < 3; ++i) canvas.paste();
        const auto& nodes = canvas.scene().nodes;
        QCOMPARE(nodes.size(), std::size_t{7 + 6 + 3});
        for (std::size_t a = 0; a < nodes.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY2(!nodes[a].rect.intersects(nodes[b].rect), qPrintable(canvas.nameOf(a) + QLatin1Char(' ') + canvas.nameOf(b)));
    }
    // What is dragged near the row of the spines comes to rest in it; far from any line on the grid.
    void guidesHoldRowsAndColumns() {
        Document document;
        document.open(dropItem(*test::designOf("superpod-h100"), PaletteItem::Leaf, {700, 720})->design, {});
        Canvas canvas(document);
        canvas.resize(1200, 900);
        canvas.show();
        const auto held = [&]() -> const SceneNode& {
            return *std::find_if(canvas.scene().nodes.begin(), canvas.scene().nodes.end(),
                                 [](const SceneNode& node) { return node.handDrawn; });
        };
        const double row = canvas.scene().bars.front().rect.center().y();
        const QPoint from = centreOf(canvas, held());
        const double wanted = canvas.view().toScreen(QPointF(0, row)).y() + 4; // px beside it
        drag(canvas, from, {33, static_cast<int>(wanted) - from.y()});
        QCOMPARE(held().rect.center().y(), row);
        canvas.fit();
        drag(canvas, centreOf(canvas, held()), {0, 250});
        QVERIFY(std::abs(std::remainder(held().rect.center().y(), 12)) < 1e-6);
    }
};

QTEST_MAIN(tst_canvas_moves)
#include "tst_canvas_moves.moc"
