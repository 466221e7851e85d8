#include "core/fabric/connect.h"
#include "tests/support/canvas_gestures.h"
#include "tests/support/designs.h"
#include "widgets/panels/palette_panel.h"

#include <QAccessible>
#include <QMenu>
#include <QSignalSpy>
#include <QWheelEvent>

using namespace railyard;
using test::centreOf, test::drag, test::drop, test::find;

class tst_canvas : public QObject {
    Q_OBJECT

private slots:
    void dropsFromThePalette_data() {
        QTest::addColumn<QByteArray>("item");
        QTest::addColumn<QString>("start");     // servers; empty: an empty drawing
        QTest::addColumn<int>("steps");         // undo steps afterwards
        QTest::addColumn<QList<int>>("counts"); // servers, leaves, spines, superspines
        QTest::newRow("server") << QByteArray("server") << "128" << 1 << QList<int>{129, 40, 32, 0};
        QTest::newRow("rail, no free NIC") << QByteArray("rail") << "128" << 0 << QList<int>{128, 32, 16, 0};
        QTest::newRow("leaf on an SU, no free NIC") << QByteArray("leaf") << "128" << 0 << QList<int>{128, 32, 16, 0};
        QTest::newRow("spine") << QByteArray("spine") << "128" << 1 << QList<int>{128, 32, 32, 0};
        QTest::newRow("superspine") << QByteArray("superspine") << "128" << 1 << QList<int>{128, 32, 32, 32};
        QTest::newRow("server on empty") << QByteArray("server") << "" << 1 << QList<int>{1, 1, 0, 0};
        QTest::newRow("rail on empty") << QByteArray("rail") << "" << 1 << QList<int>{1, 1, 0, 0};
        QTest::newRow("leaf on empty") << QByteArray("leaf") << "" << 1 << QList<int>{0, 1, 0, 0};
        QTest::newRow("spine on empty") << QByteArray("spine") << "" << 1 << QList<int>{0, 0, 1, 0};
        QTest::newRow("superspine on empty") << QByteArray("superspine") << "" << 1 << QList<int>{0, 0, 0, 1};
    }
    void dropsFromThePalette() {
        QFETCH(QByteArray, item);
        QFETCH(QString, start);
        QFETCH(int, steps);
        QFETCH(QList<int>, counts);
        Document document;
        if (!start.isEmpty()) document.open(test::designOf("superpod-h100", {{"servers", start.toStdString()}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        QSignalSpy refused(&canvas, &Canvas::refused);
        const SnapshotPointer before = document.snapshot();
        drop(canvas, item.constData(), QPoint(500, 350));
        QCOMPARE(document.undoStack().count(), steps);
        QCOMPARE(refused.count(), steps == 0 ? 1 : 0);
        const FabricCounts found = document.now().instant.counts;
        QCOMPARE((QList<int>{int(found.servers), int(found.switchesByTier[1]), int(found.switchesByTier[2]), int(found.switchesByTier[3])}),
                 counts);
        if (steps == 0) return;
        document.undoStack().undo();
        QCOMPARE(document.snapshot(), before);
        document.undoStack().redo();
        QCOMPARE(document.now().instant.counts.switches, found.switches);
    }
    // A selected leaf leaves the drawing bright: only lines of other rails are mixed with the canvas, by 28 %. Its own lane is accented up
    // to where it enters the bar of the spines, with its part of the count.
    void aSelectionLeavesTheDrawingBright() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        const Scene& scene = canvas.scene();
        const auto pixel = [&](const QImage& image, QPointF world) { return image.pixelColor(canvas.view().toScreen(world).toPoint()); };
        const auto middleOf = [&](int rail) { // of the lane, away from risers
            for (const SceneBundle& bundle : scene.bundles)
                if (bundle.isLane && bundle.rail == rail && std::abs(bundle.path[0].y() - bundle.path[1].y()) < 0.5)
                    return bundle.path[0] * 0.62 + bundle.path[1] * 0.38;
            return QPointF();
        };
        const QImage before = canvas.grab().toImage();
        canvas.selectPaths({"su[1]/leaf[4]"});
        const QImage after = canvas.grab().toImage();
        const QColor lane = pixel(before, middleOf(8)), dimmed = pixel(after, middleOf(8));
        QVERIFY(dimmed != lane);
        const Tokens tokens = lightTokens();
        const auto mixed = [&](int own, int canvasPart) { return static_cast<int>(std::lround(own * 0.72 + canvasPart * 0.28)); };
        QVERIFY(std::abs(dimmed.red() - mixed(lane.red(), tokens.canvas.red())) <= 1);
        QVERIFY(std::abs(dimmed.blue() - mixed(lane.blue(), tokens.canvas.blue())) <= 1);
        for (const SceneNode& node : scene.nodes) // shapes and numbers keep their colours
            if (node.shape == Shape::Spine || (node.shape == Shape::Server && node.rect.left() > scene.cards[1].rect.left())) {
                const QRect box = canvas.view().toScreen(node.rect).toRect().adjusted(1, 1, -1, -1);
                QVERIFY(before.copy(box) == after.copy(box));
            }
        canvas.selectPaths({});
        QVERIFY(canvas.grab().toImage() == before);
    }
    // A leaf on an SU becomes its next leaf; with Shift it stays apart.
    void aLeafJoinsAnSu() {
        Document document;
        document.open(test::designOf("rail-optimized", {{"servers", "64"}, {"rails", "4"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const QPointF onUnit = canvas.view().toScreen(canvas.scene().cards.front().rect.center());
        drop(canvas, "leaf", onUnit.toPoint());
        QCOMPARE(document.now().instant.counts.rails, 8);
        QVERIFY(document.now().design->free->devices.empty());
        drop(canvas, "leaf", onUnit.toPoint(), Qt::ShiftModifier);
        QCOMPARE(document.now().design->free->devices.size(), std::size_t{1});
    }
    // With Ctrl a switch is one switch, whatever the recipe would make of it.
    void justOneOfATier() {
        for (const char* item : {"leaf", "spine", "superspine"}) {
            Document document;
            document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
            Canvas canvas(document);
            canvas.resize(1000, 700);
            canvas.show();
            const auto before = document.now().instant.counts;
            drop(canvas, item, QPoint(520, 300), Qt::ControlModifier);
            QCOMPARE(document.now().instant.counts.switches, before.switches + 1);
            QCOMPARE(document.now().instant.counts.links, before.links);
            QCOMPARE(document.now().design->free->devices.size(), std::size_t{1});
        }
    }
    // Repeated drops at one place overlap nothing and move nothing.
    void dropsStandOnNothing() {
        for (const char* recipe : {"", "superpod-h100"}) {
            Document document;
            if (*recipe) document.open(test::designOf(recipe, {{"servers", "64"}}), {});
            Canvas canvas(document);
            canvas.resize(1000, 700);
            canvas.show();
            std::map<std::string, QRectF> places;
            for (int times = 0; times < 8; ++times)
                for (const char* item : {"leaf", "spine", "superspine"}) {
                    drop(canvas, item, QPoint(520, 330), Qt::ShiftModifier);
                    const auto& nodes = canvas.scene().nodes;
                    for (std::size_t a = 0; a < nodes.size(); ++a) {
                        if (!nodes[a].handDrawn) continue;
                        for (std::size_t b = 0; b < nodes.size(); ++b)
                            QVERIFY2(a == b || !nodes[a].rect.intersects(nodes[b].rect),
                                     qPrintable(canvas.nameOf(a) + QLatin1Char(' ') + canvas.nameOf(b)));
                        const auto [known, isNew] = places.try_emplace(canvas.nameOf(a).toStdString(), nodes[a].rect);
                        QVERIFY(known->second == nodes[a].rect);
                    }
                }
            QVERIFY(places.size() >= 16);
        }
    }
    // Tried at one place, released at another without a move between: what was shown is what happens.
    void aDropDoesWhatItAnnounced() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "128"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        QMimeData data;
        data.setData(QLatin1String(paletteMimeType), "spine");
        QDragEnterEvent enter(QPoint(500, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&canvas, &enter);
        QDropEvent dropped(QPointF(760, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::ShiftModifier);
        QApplication::sendEvent(&canvas, &dropped);
        QCOMPARE(document.now().instant.counts.switchesByTier[2], std::int64_t{32}); // the next rung, as the preview said
    }
    void enterOnThePaletteAddsToo() {
        Document document;
        Canvas canvas(document);
        canvas.resize(900, 600);
        PalettePanel palette;
        QObject::connect(&palette, &PalettePanel::added, &canvas, &Canvas::addFromPalette);
        palette.show();
        auto* server = palette.findChild<PaletteButton*>(QStringLiteral("palette-server"));
        QVERIFY(server);
        server->setFocus();
        QTest::keyClick(server, Qt::Key_Return);
        QCOMPARE(document.now().instant.counts.servers, std::int64_t{1});
    }
    void clickSelectsAndDeleteRemoves() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, centreOf(canvas, *find(canvas, Shape::Spine, 3)));
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{"spine[3]"});
        QTest::mouseClick(&canvas, Qt::LeftButton, Qt::ControlModifier, centreOf(canvas, *find(canvas, Shape::Spine, 5)));
        QCOMPARE(canvas.selectedPaths().size(), std::size_t{2});
        QVERIFY(document.apply(removeElements(*document.now().design, canvas.selectedPaths())));
        QCOMPARE(document.undoStack().count(), 1);
        QCOMPARE(document.now().instant.counts.switchesByTier[2], std::int64_t{14});
        document.undoStack().undo();
        QCOMPARE(document.now().instant.counts.switchesByTier[2], std::int64_t{16});
    }
    void rubberBandSelects() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const QRectF leaf = canvas.view().toScreen(find(canvas, Shape::Leaf, 1)->rect);
        QTest::mousePress(&canvas, Qt::LeftButton, {}, (leaf.topLeft() - QPointF(4, 4)).toPoint());
        QTest::mouseMove(&canvas, (leaf.bottomRight() + QPointF(4, 4)).toPoint());
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, (leaf.bottomRight() + QPointF(3, 3)).toPoint());
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{"su[1]/leaf[1]"});
    }
    void draggingBetweenDevicesConnects() {
        Document document;
        QVERIFY(document.apply(dropItem(*document.now().design, PaletteItem::Leaf, {300, 300})));
        QVERIFY(document.apply(dropItem(*document.now().design, PaletteItem::Spine, {300, 120})));
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const QPoint a = centreOf(canvas, *find(canvas, Shape::Leaf, 1)), b = centreOf(canvas, *find(canvas, Shape::Spine, 1));
        QTest::mousePress(&canvas, Qt::LeftButton, Qt::AltModifier, a);
        QTest::mouseMove(&canvas, (a + b) / 2);
        QTest::mouseMove(&canvas, b);
        QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::AltModifier, b);
        QCOMPARE(document.now().instant.counts.links, std::int64_t{1});
        QCOMPARE(document.undoStack().count(), 3);
        QCOMPARE(canvas.scene().cables.size(), std::size_t{1});
    }
    void undoInMidGestureEndsTheGesture() {
        Document document;
        QVERIFY(document.apply(dropItem(*document.now().design, PaletteItem::Server, {})));
        QVERIFY(document.apply(setServers(*document.now().design, 40)));
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const QPoint from = centreOf(canvas, canvas.scene().nodes.back());
        QTest::mousePress(&canvas, Qt::LeftButton, Qt::AltModifier, from);
        QTest::mouseMove(&canvas, from + QPoint(0, -60));
        document.undoStack().undo();
        document.undoStack().undo(); // an empty drawing, the button still down
        QTest::mouseMove(&canvas, from + QPoint(0, -90));
        canvas.grab();
        QVERIFY(canvas.scene().nodes.empty());
        QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::AltModifier, from);
        QCOMPARE(document.undoStack().index(), 0);
    }
    void tableSelectionReachesFoldedElements() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "512"}}), {});
        Canvas canvas(document);
        canvas.selectPaths({"su[7]/leaf[3]"}); // inside the fold
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{"su[7]/leaf[3]"});
        QVERIFY(document.apply(setServers(*document.now().design, 64)));
        QVERIFY(canvas.selectedPaths().empty()); // it is gone
    }
    void lanesCountTheLinksThatAreThere() {
        Design design = *test::designOf("superpod-h100");
        design.overrides["su[1]/leaf[1]"].remove = true;
        const Scene scene = buildScene(*elaborate(std::make_shared<const Design>(design)), Detail::Folded);
        QStringList pills;
        for (const SceneBundle& bundle : scene.bundles)
            if (!bundle.pill.isEmpty()) pills << bundle.pill;
        QCOMPARE(pills.count(QStringLiteral("128")), 7);
        QCOMPARE(pills.count(QStringLiteral("96")), 1);
    }
    void countHandleAddsWholeUnits() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const QRectF card = canvas.view().toScreen(canvas.scene().cards.back().rect);
        const QPoint handle(static_cast<int>(card.right() + 7), static_cast<int>(card.center().y()));
        const int unit = static_cast<int>((card.width() + 14 * canvas.view().scale));
        drag(canvas, handle, {-unit, 0});
        QCOMPARE(document.now().instant.counts.servers, std::int64_t{96});
        QCOMPARE(document.undoStack().count(), 1);
    }
    // Spines go to the next even count, servers one by one, and each drag is one step back.
    void countHandlesOfSpinesAndServers() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "96"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const QRectF spines = canvas.view().toScreen(canvas.scene().bars.front().rect);
        const auto before = document.now().instant.counts.switchesByTier[2];
        drag(canvas, QPoint(static_cast<int>(spines.right() + 7), static_cast<int>(spines.center().y())), {30, 0});
        const std::vector<SpineRung> ladder = spineLadder(*test::designOf("superpod-h100", {{"servers", "96"}}));
        QVERIFY(!ladder.empty());
        QCOMPARE(document.now().instant.counts.switchesByTier[2], std::int64_t{ladder.front().spines});
        QVERIFY(document.now().instant.counts.switchesByTier[2] > before);
        const QRectF card = canvas.view().toScreen(canvas.scene().cards.back().rect);
        drag(canvas, QPoint(static_cast<int>(card.center().x()), static_cast<int>(card.bottom() + 7)), {0, -3 * 14});
        QCOMPARE(document.now().instant.counts.servers, std::int64_t{93});
        QCOMPARE(document.undoStack().count(), 2);
        document.undoStack().undo();
        document.undoStack().undo();
        QCOMPARE(document.now().instant.counts.switchesByTier[2], before);
        QCOMPARE(document.now().instant.counts.servers, std::int64_t{96});
    }
    // With Alt a spine lands on any count, and the fabric says what that costs; a superspine stands there unwired.
    void withAltDropsLeaveTheLadder() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "96"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        const FabricCounts before = document.now().instant.counts;
        drop(canvas, "spine", {500, 300}, Qt::AltModifier);
        QCOMPARE(document.now().instant.counts.switchesByTier[2], before.switchesByTier[2] + 1);
        QVERIFY(document.undoStack().text(0).contains(QStringLiteral("uneven ECMP")));
        const auto& found = document.now().findings();
        QVERIFY(std::any_of(found.begin(), found.end(), [](const Diagnostic& each) { return each.code == "RY-E001"; }));
        drop(canvas, "superspine", {500, 200}, Qt::AltModifier);
        QCOMPARE(document.now().instant.counts.switchesByTier[3], std::int64_t{1});
        QCOMPARE(document.now().design->recipe->parameters.contains("tiers"), false);
        document.undoStack().undo();
        document.undoStack().undo();
        QCOMPARE(document.now().instant.counts.switches, before.switches);
    }
    void podsHaveAHandle() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "256"}, {"tiers", "3"}}), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        const auto bar = std::find_if(canvas.scene().bars.begin(), canvas.scene().bars.end(),
                                      [](const SceneBar& each) { return each.shape == Shape::Superspine; });
        QVERIFY(bar != canvas.scene().bars.end());
        const QRectF box = canvas.view().toScreen(bar->rect);
        drag(canvas, {static_cast<int>(box.right() + 7), static_cast<int>(box.center().y())}, {60, 0});
        QCOMPARE(document.now().instant.counts.servers, std::int64_t{256 + 128}); // 32 leaves, four SUs
    }
    // An SU taken apart, put into a group, drawn once more, and all of it taken back.
    void groupsOnTheDrawing() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        QString refusal;
        connect(&canvas, &Canvas::refused, this, [&](const QString& why) { refusal = why; });
        canvas.group();
        QVERIFY(refusal.contains(QStringLiteral("at least two")));
        canvas.selectPaths({"su[2]/leaf[1]"});
        canvas.dissolve();
        QCOMPARE(canvas.selectedPaths().size(), std::size_t{40});
        QCOMPARE(document.now().instant.counts.links, std::int64_t{1024});
        canvas.group();
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{"group[1]"});
        const auto groups = std::count_if(canvas.scene().nodes.begin(), canvas.scene().nodes.end(),
                                          [](const SceneNode& node) { return node.shape == Shape::Group; });
        QCOMPARE(groups, std::ptrdiff_t{1});
        QCOMPARE(canvas.scene().groupNotes.begin()->second, QStringLiteral("32 servers · 8 leaves"));
        canvas.addFromPalette("group-1");
        canvas.addFromPalette("su:superpod-b200");
        QCOMPARE(document.now().instant.counts.servers, std::int64_t{128});
        canvas.addFromPalette("su:nothing");
        QVERIFY(refusal.contains(QStringLiteral("no system")));
        while (document.undoStack().canUndo()) document.undoStack().undo();
        QCOMPARE(fingerprintText(*document.now().design), fingerprintText(*test::designOf("superpod-h100", {{"servers", "64"}})));
    }
    void wheelZoomsToThePointer() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const QPointF at(320, 240), world = canvas.view().toWorld(at);
        QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, QPoint(0, 240), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &wheel);
        QVERIFY((canvas.view().toWorld(at) - world).manhattanLength() < 1e-6);
        canvas.fit();
        QVERIFY(QRectF(canvas.rect()).contains(canvas.view().toScreen(canvas.scene().bounds)));
    }
    void identicalUnitsFoldAndUnfold() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "512"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        QCOMPARE(canvas.scene().cards.size(), std::size_t{3});
        QCOMPARE(canvas.scene().cards[1].folded, 14);
        canvas.setUnfolded(true);
        QCOMPARE(canvas.scene().cards.size(), std::size_t{16});
        canvas.setUnfolded(false);
        QVERIFY(document.apply(setPart(*document.now().design, {"su[7]/leaf[1]"}, "sw-qm9790"))); // a changed SU shows by itself
        QCOMPARE(canvas.scene().cards.size(), std::size_t{5});
    }
    void layoutsAreToldApartWithoutNumbers() {
        const Scene optimized = buildScene(*test::fabricOf("superpod-h100"), Detail::Folded),
                    only = buildScene(*test::fabricOf("rail-only", {{"servers", "128"}}), Detail::Folded);
        QVERIFY(!optimized.railOnly && only.railOnly);
        QCOMPARE(optimized.bars.size(), std::size_t{1}); // one bar for all rails
        QCOMPARE(only.bars.size(), std::size_t{8});      // every rail ends alone
    }
    // The chips of a tier: a wheel turns its count to the next that splits evenly, but only lists the parts; a click on an end takes the
    // next part of the same protocol.
    void aWheelOverATierTurnsItsCount() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1600, 900);
        canvas.show();
        canvas.fit();
        const ViewState before = canvas.view();
        const auto labelOf = [&](TierStep step) {
            for (const SceneLabel& label : canvas.scene().labels)
                for (std::size_t i = 0; i < label.steps.size(); ++i)
                    if (label.steps[i] == step) {
                        const double s = std::max(canvas.view().scale, 0.95),
                                     lines = 1.0 + static_cast<double>(label.note.count(QLatin1Char('\n')));
                        return canvas.view().toScreen(label.at) + QPointF(40, (18 + 15 * lines) * s + 12 + 20.0 * static_cast<double>(i));
                    }
            return QPointF(-1, -1);
        };
        const auto wheel = [&](QPointF at, int delta) {
            QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&canvas, &event);
        };
        wheel(labelOf(TierStep::Spines), 120);
        QCOMPARE(document.now().instant.counts.switchesByTier[2], std::int64_t{32});
        wheel(labelOf(TierStep::Spines), -120);
        QCOMPARE(document.now().instant.counts.switchesByTier[2], std::int64_t{16});
        wheel(labelOf(TierStep::ScalableUnits), 60); // half a notch
        QCOMPARE(document.now().instant.counts.servers, 128);
        wheel(labelOf(TierStep::ScalableUnits), 60);
        QCOMPARE(document.now().instant.counts.servers, 160);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, (labelOf(TierStep::ScalableUnits) - QPointF(34, 0)).toPoint());
        QCOMPARE(document.now().instant.counts.servers, 128);
        wheel(labelOf(TierStep::LeafPart), 120);
        canvas.chipTool().wait();
        QCOMPARE(document.undoStack().count(), 4);
        auto* menu = canvas.findChild<QMenu*>();
        QVERIFY(menu && menu->isVisible());
        QVERIFY(menu->actions().front()->text().contains(QStringLiteral("InfiniBand")));
        QAction* chosen = nullptr;
        for (QAction* action : menu->actions())
            if (action->text().contains(QStringLiteral("SN5600 ")) || action->text().contains(QStringLiteral("SN5600 ("))) chosen = action;
        QVERIFY(chosen && chosen->text().contains(QStringLiteral("64 × 800 Gb/s · Ethernet · ")));
        chosen->trigger();
        menu->close();
        QCOMPARE(document.now().design->recipe->parameters.at("switch"), std::string("sw-sn5600"));
        QCOMPARE(document.undoStack().count(), 5);
        while (document.undoStack().canUndo()) document.undoStack().undo();
        QCOMPARE(document.now().instant.counts.switches, 48);
        QVERIFY(std::abs(canvas.view().scale / before.scale - 1) < 0.1); // nothing was zoomed, though an SU more needed room
    }
    // What is selected is cabled together; the pattern is chosen at the pointer.
    void groupsAreConnectedByDragging() {
        Document document;
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        for (const int x : {200, 300, 400}) drop(canvas, "leaf", {x, 400});
        for (const int x : {250, 350}) drop(canvas, "spine", {x, 200});
        canvas.fit();
        canvas.selectPaths({"leaf[1]", "leaf[2]", "leaf[3]"});
        canvas.setConnecting(true);
        const int steps = document.undoStack().count();
        const QPoint from = centreOf(canvas, *find(canvas, Shape::Leaf, 1)), to = centreOf(canvas, *find(canvas, Shape::Spine, 1));
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas, (from + to) / 2);
        QTest::mouseMove(&canvas, to);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
        auto* menu = canvas.findChild<QMenu*>();
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), 4);
        QCOMPARE(menu->actions()[0]->text(), QStringLiteral("leaf[1] to spine[1]: 1 cable"));
        QCOMPARE(menu->actions()[1]->text(), QStringLiteral("Each of the 3 selected to spine[1]: 3 cables"));
        QCOMPARE(menu->actions()[2]->text(), QStringLiteral("leaf[1] to each of the 2 like spine[1]: 2 cables"));
        QCOMPARE(menu->actions()[3]->text(), QStringLiteral("Each of the 3 selected to each of the 2: 6 cables"));
        menu->actions()[3]->trigger();
        QCOMPARE(document.now().instant.counts.links, std::int64_t{6});
        QCOMPARE(document.undoStack().count(), steps + 1);
    }
    // What a screen reader finds: elements in sight by their paths, the selected ones first, and none of a scene that is gone.
    void elementsCanBeReadAloud() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&canvas);
        QVERIFY(list && list->childCount() > 64);
        canvas.selectPaths({"su[2]/leaf[3]"});
        QAccessibleInterface* first = list->child(0);
        QCOMPARE(first->text(QAccessible::Name), QStringLiteral("su[2]/leaf[3]"));
        QCOMPARE(first->text(QAccessible::Description), QStringLiteral("leaf, rail 3, Quantum-2 QM9700 (managed)"));
        QVERIFY(first->state().selected && !list->child(1)->state().selected);
        QCOMPARE(list->indexOfChild(first), 0);
        const QRect at = first->rect();
        QCOMPARE(list->childAt(at.center().x(), at.center().y()), first);
        QVERIFY(document.apply(setServers(*document.now().design, 32)));
        QVERIFY(!first->isValid() && first->text(QAccessible::Name).isEmpty());
        QVERIFY(list->child(0)->isValid());
        canvas.zoomBy(12);
        QVERIFY(list->childCount() < 64); // only what is in sight
    }
    void keysChooseWhomAnEditIsMeantFor() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        QSignalSpy asked(&canvas, &Canvas::scopeAsked);
        canvas.selectPaths({"su[1]/leaf[1]"});
        QTest::keyClick(&canvas, Qt::Key_2);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toInt(), 1);
    }
    void lanesAreHighlightedAndLayersHidden() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        const QImage plain = canvas.grab().toImage();
        const auto lane = std::find_if(canvas.scene().bundles.begin(), canvas.scene().bundles.end(),
                                       [](const SceneBundle& bundle) { return bundle.isLane && bundle.rail == 3; });
        const QPointF at = canvas.view().toScreen(QPointF(lane->path[0].x() + 8, lane->path[0].y()));
        QCOMPARE(canvas.scene().railAt(canvas.view().toWorld(QPointF(at.toPoint())), 6 / canvas.view().scale), 3);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(canvas.highlightedRail(), 3);
        QVERIFY(canvas.grab().toImage() != plain);
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QCOMPARE(canvas.highlightedRail(), 0);
        for (int layer = 0; layer < layerCount; ++layer) canvas.setLayer(static_cast<Layer>(layer), false);
        QVERIFY(canvas.grab().toImage() != plain);
        for (int layer = 0; layer < layerCount; ++layer) canvas.setLayer(static_cast<Layer>(layer), true);
        QVERIFY(canvas.grab().toImage() == plain);
    }
    void theMinimapLeadsElsewhere() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        canvas.zoomBy(6);
        const QPointF before = canvas.view().toWorld(QPointF(500, 350));
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(1000 - 12 - 190, 700 - 20)); // its left edge
        const QPointF after = canvas.view().toWorld(QPointF(500, 350));
        QVERIFY2(after.x() < before.x() - 100, qPrintable(QString::number(after.x() - before.x())));
        QVERIFY(canvas.selectedPaths().empty());
    }
    void savedViewsComeBack() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "512"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.setUnfolded(true);
        canvas.zoomBy(3);
        canvas.panBy({-200, 40});
        const ViewState seen = canvas.view();
        QVERIFY(document.apply(saveView(*document.now().design, canvas.savedView("rail 3, close"))));
        canvas.setUnfolded(false);
        canvas.fit();
        canvas.showView(document.now().design->views.front());
        QVERIFY(canvas.isUnfolded());
        QVERIFY(std::abs(canvas.view().scale - seen.scale) < 1e-9 && (canvas.view().offset - seen.offset).manhattanLength() < 1e-6);
        QVERIFY(document.apply(saveView(*document.now().design, canvas.savedView("rail 3, close")))); // replaces it
        QCOMPARE(document.now().design->views.size(), std::size_t{1});
        QVERIFY(document.apply(forgetView(*document.now().design, "rail 3, close")));
        QVERIFY(!document.apply(forgetView(*document.now().design, "rail 3, close")));
        QVERIFY(!document.apply(saveView(*document.now().design, canvas.savedView(""))));
    }
    void everyRecipeDrawsInsideItsBounds() {
        for (const RecipeInfo& recipe : recipes()) {
            const Scene scene = buildScene(*test::fabricOf(std::string(recipe.name)), Detail::Folded);
            for (const SceneNode& node : scene.nodes) QVERIFY2(scene.bounds.contains(node.rect), std::string(recipe.name).c_str());
            for (std::size_t i = 0; i < scene.nodes.size(); ++i)
                for (std::size_t j = i + 1; j < scene.nodes.size(); ++j)
                    QVERIFY2(!scene.nodes[i].rect.intersects(scene.nodes[j].rect), std::string(recipe.name).c_str());
        }
    }
};

QTEST_MAIN(tst_canvas)
#include "tst_canvas.moc"
