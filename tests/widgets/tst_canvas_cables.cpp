// Cables drawn one by one: those of a selection, and all of them from close by.
#include "core/analysis/cable_edits.h"
#include "core/design/edits/edit_palette.h"
#include "core/fabric/connect.h"
#include "core/fabric/elaborate.h"
#include "core/io/tables/cable_schedule.h"
#include "tests/support/canvas_gestures.h"
#include "tests/support/designs.h"
#include "tests/support/painted.h"
#include "widgets/canvas/painter/pair_fans.h"
#include "widgets/canvas/scene/scene_measure.h"

#include <QSignalSpy>

using namespace railyard;

class tst_canvas_cables : public QObject {
    Q_OBJECT

private slots:
    void selectionShowsItsCables() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        QVERIFY(canvas.cablesText().isEmpty());
        canvas.selectPaths({"su[2]/leaf[4]"});
        QCOMPARE(canvas.cablesText(), QStringLiteral("64 cables"));
        canvas.selectPaths({"su[2]/leaf[4]", "su[2]/srv[1]"}); // one of them joins the two
        QCOMPARE(canvas.cablesText(), QStringLiteral("71 cables"));
        canvas.selectPaths({"spine[3]"});
        QCOMPARE(canvas.cablesText(), QStringLiteral("64 cables"));
        document.open(test::designOf("superpod-h100", {{"servers", "512"}}), {});
        canvas.selectPaths({"su[1]/leaf[1]"}); // its spines stand drawn once for every pod
        QVERIFY2(canvas.cablesText().startsWith(QStringLiteral("64 cables")), qPrintable(canvas.cablesText()));
        QVERIFY(test::isPainted(canvas.grab()));
    }
    // From 110 px of leaf width on there is a line for each switch or server at the other end, from 400 px on there are ports; from afar
    // there are bundles only.
    void bundlesThenPairsThenPorts() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        QString said;
        connect(&canvas, &Canvas::said, this, [&](const QString& text) { said = text; });
        canvas.resize(900, 700);
        canvas.show();
        canvas.fit();
        canvas.grab();
        QApplication::processEvents();
        QVERIFY(said.contains(QStringLiteral("drawn as bundles")));
        canvas.selectPaths({"su[1]/leaf[3]"});
        canvas.fitSelection();
        canvas.selectPaths({});
        for (const auto& [width, words] : {std::pair(105.0, "drawn as bundles"),
                                           {115.0, "one line for each pair"},
                                           {395.0, "one line for each pair"},
                                           {405.0, "drawn individually"}}) {
            canvas.zoomBy(width / measure::leafWidth / canvas.view().scale);
            canvas.grab();
            QApplication::processEvents();
            QVERIFY2(said.contains(QLatin1String(words)), qPrintable(said));
        }
        canvas.zoomBy(300 / measure::leafWidth / canvas.view().scale);
        const QImage all = canvas.grab().toImage();
        canvas.selectPaths({"su[1]/leaf[3]"});
        QVERIFY(canvas.grab().toImage() != all);
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QVERIFY(canvas.grab().toImage() == all);
    }
    // Every cable of a switch is in one line, lines do not cross, and each ends at its switch and at the rake.
    void everyPairHasALine() {
        for (const DesignPointer& design :
             {test::designOf("superpod-h100", {{"servers", "125"}}), test::designOf("superpod-h100", {{"servers", "512"}}),
              test::designOf("rail-only", {{"servers", "100"}}), test::designOf("fat-tree", {{"servers", "60"}}),
              test::designOf("superpod-b300-xdr", {{"servers", "72"}})}) {
            const FabricPointer fabric = elaborate(design);
            const Scene scene = buildScene(*fabric, Detail::Folded);
            const CableIndex index(scene, *fabric);
            const ViewState view{12, {}};
            const QRectF everything = view.toScreen(scene.bounds);
            const PairFans fans(scene, *fabric, index, view, everything, [](std::size_t) { return false; });
            QVERIFY(!fans.fans().empty());
            for (const PairFans::Fan& fan : fans.fans()) {
                const SceneNode& node = scene.nodes[fan.node];
                std::set<LinkId> drawn;
                double last = -1e9;
                for (const PairFans::Pair& pair : fan.pairs) {
                    drawn.insert(pair.links.begin(), pair.links.end());
                    QVERIFY(pair.x > last + 2.9);
                    last = pair.x;
                    QVERIFY(pair.x > view.toScreen(node.rect).left() && pair.x < view.toScreen(node.rect).right());
                    QCOMPARE(fans.pairAt({pair.x, (fan.edge + fan.rake) / 2}), &pair);
                }
                std::set<LinkId> own;
                for (const LinkId link : index.linksOf(fan.node))
                    if ((fabric->links.a[link] == node.device) == fan.isUp) own.insert(link);
                QVERIFY(drawn == own);
                QCOMPARE(fan.rake < fan.edge, fan.isUp);
                QVERIFY(!fan.frame || (fan.isUp ? *fan.frame <= fan.rake : *fan.frame >= fan.rake)); // inside its bar
            }
        }
    }
    // A line that stands for several cables gives them one after the other.
    void aPairGivesItsCablesInTurn() {
        Document document;
        document.open(test::designOf("superpod-h100"), {}); // two links from each leaf to each spine
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        canvas.selectPaths({"su[2]/leaf[3]"});
        canvas.fitSelection();
        canvas.selectPaths({});
        canvas.zoomBy(300 / measure::leafWidth / canvas.view().scale);
        canvas.grab();
        const auto leaf = std::find_if(canvas.scene().nodes.begin(), canvas.scene().nodes.end(), [&](const SceneNode& node) {
            return node.device != none && document.now().fabric->devicePath(node.device) == "su[2]/leaf[3]";
        });
        const QRectF box = canvas.view().toScreen(leaf->rect);
        QPoint at;
        for (int x = int(box.left()); x < int(box.right()) && !canvas.cableTool().hovered(); ++x)
            QTest::mouseMove(&canvas, at = QPoint(x, int(box.top()) - 12));
        QVERIFY(canvas.cableTool().hovered());
        std::set<std::vector<std::string>> found;
        for (int i = 0; i < 4; ++i) {
            QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
            QVERIFY(canvas.isCableSelected());
            found.insert(canvas.selectedPaths());
        }
        QCOMPARE(found.size(), std::size_t{2});
        QVERIFY(test::isPainted(canvas.grab()));
    }
    // A line of a hand drawing is a cable too: a click selects it, and Delete takes it and leaves both devices.
    void aLineDrawnByHandIsACable() {
        DesignPointer design = emptyDesign(shippedCatalog());
        design = dropItem(*design, PaletteItem::Leaf, {100, 300})->design;
        design = dropItem(*design, PaletteItem::Spine, {100, 60})->design;
        design = railyard::connect(*elaborate(design), "leaf[1]", "spine[1]")->design;
        Document document;
        document.open(design, {});
        Canvas canvas(document);
        canvas.resize(900, 700);
        canvas.show();
        QCOMPARE(canvas.scene().cables.size(), std::size_t{1});
        const SceneCable& cable = canvas.scene().cables.front();
        const QPoint middle = canvas.view().toScreen((cable.a + cable.b) / 2).toPoint();
        QTest::mouseMove(&canvas, middle);
        QVERIFY(canvas.cableTool().hovered());
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, middle);
        QVERIFY(canvas.isCableSelected());
        canvas.actOnCable(CableAct::Disconnect);
        canvas.cableTool().wait();
        QCOMPARE(document.now().design->free->links.size(), std::size_t{0});
        QCOMPARE(document.now().design->free->devices.size(), std::size_t{2});
    }
    // Close by, the cable under the pointer tells its ends, ID, length and modules, as the cable schedule has them; a click selects both
    // ends.
    void aCableIsToldAndSelected() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        canvas.selectPaths({"su[2]/leaf[3]"});
        canvas.fitSelection();
        canvas.selectPaths({});
        canvas.zoomBy(300 / measure::leafWidth / canvas.view().scale);
        canvas.grab();
        CableTool& cables = canvas.cableTool();
        QPoint at;
        for (int y = 60; y < 740 && !cables.hovered(); y += 7)
            for (int x = 60; x < 1140 && !cables.hovered(); x += 3) QTest::mouseMove(&canvas, at = QPoint(x, y));
        QVERIFY(cables.hovered());
        const LinkId link = *cables.hovered();
        const QStringList words = cables.wordsOf(link);
        QCOMPARE(words.size(), 4);
        const Fabric& fabric = *document.now().fabric;
        const Table schedule = cableTable(fabric, cablingOf(fabric));
        const std::string id = cableId(link);
        bool isFound = false;
        for (const auto& row : schedule.rows) {
            const auto cell = [&](std::size_t column) {
                const auto* text = std::get_if<std::string>(&row[column]);
                return text ? QString::fromStdString(*text) : QString();
            };
            if (cell(0).toStdString() != id) continue;
            isFound = true;
            QVERIFY2(words[1].startsWith(QStringLiteral("Cable %1 · 400 Gb/s · rail ").arg(cell(0))), qPrintable(words[1]));
            QString all;
            for (std::size_t column = 0; column < row.size(); ++column) all += cell(column) + QLatin1Char('|');
            for (const QString& end : words[0].split(QStringLiteral(" – ")))
                QVERIFY2(all.contains(end + QLatin1Char('|')) || all.contains(end + QLatin1Char(' ')),
                         qPrintable(end + QStringLiteral(" in ") + all));
            const QString cable = words[2].section(QStringLiteral(" · "), 1, 1), module = words[3].section(QLatin1Char(' '), 1, 1);
            QVERIFY2(all.contains(QStringLiteral("|") + cable + QLatin1Char('|')), qPrintable(cable + QStringLiteral(" in ") + all));
            QVERIFY2(all.contains(QStringLiteral("|") + module + QLatin1Char('|')), qPrintable(module + QStringLiteral(" in ") + all));
        }
        QVERIFY(isFound);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
        const auto selected = canvas.selectedPaths(); // the cable, by the port of its leaf
        QCOMPARE(selected.size(), std::size_t{1});
        QVERIFY(canvas.isCableSelected());
        QVERIFY2(words[0].contains(QString::fromStdString(selected[0])) && isPort(selected[0]), selected[0].c_str());
        QVERIFY(selected[0].find("leaf[") != std::string::npos);
        // Delete takes the cable and nothing else; its port stays selected, and undo brings it back.
        const FabricCounts before = countsOf(fabric);
        canvas.actOnCable(CableAct::Disconnect);
        cables.wait();
        const FabricCounts after = countsOf(*document.now().fabric);
        QCOMPARE(after.links, before.links - 1);
        QCOMPARE(std::pair(after.gpus, after.switches), std::pair(before.gpus, before.switches));
        QCOMPARE(canvas.selectedPaths(), selected);
        QVERIFY(!canvas.isCableSelected() && canvas.isPortSelected());
        QSignalSpy refused(&canvas, &Canvas::refused);
        canvas.actOnCable(CableAct::Disconnect); // nothing is left in the port
        cables.wait();
        QCOMPARE(refused.count(), 1);
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QCOMPARE(countsOf(*document.now().fabric).links, before.links);
        QVERIFY(canvas.isCableSelected());
    }
    // Of a recipe and drawn by hand, between switches and to a server.
    void aCableIsMovedAndFollowed() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "96"}}), {}); // 24 spines for 32 uplinks leave ports free
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        CableTool& cables = canvas.cableTool();
        canvas.selectPaths({"su[1]/leaf[1]:33"});
        QVERIFY(canvas.isCableSelected());
        const auto farEnd = [&](const char* port) {
            const Fabric& fabric = *document.now().fabric;
            const auto link = cableAt(fabric, port);
            return link ? portPath(fabric, *link, portPath(fabric, *link, false) == port) : std::string();
        };
        const std::string there = farEnd("su[1]/leaf[1]:33");
        canvas.actOnCable(CableAct::OtherEnd);
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{there});
        canvas.actOnCable(CableAct::OtherEnd);
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{"su[1]/leaf[1]:33"});
        const std::int64_t links = countsOf(*document.now().fabric).links;
        const auto target = std::find_if(canvas.scene().nodes.begin(), canvas.scene().nodes.end(), [&](const SceneNode& node) {
            return node.device != none && document.now().fabric->devicePath(node.device) == "spine[9]";
        });
        QVERIFY(target != canvas.scene().nodes.end());
        canvas.fit();
        canvas.actOnCable(CableAct::Move);
        QVERIFY(cables.isMoving());
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.view().toScreen(target->rect.center()).toPoint());
        cables.wait();
        QVERIFY2(farEnd("su[1]/leaf[1]:33").starts_with("spine[9]:"), farEnd("su[1]/leaf[1]:33").c_str());
        QCOMPARE(countsOf(*document.now().fabric).links, links);
        QCOMPARE(document.undoStack().count(), 1); // one step
        QVERIFY(!cables.isMoving());
        // Escape ends it, and what cannot take the cable refuses it and changes nothing.
        canvas.actOnCable(CableAct::Move);
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QVERIFY(!cables.isMoving());
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{"su[1]/leaf[1]:33"});
        QSignalSpy refused(&canvas, &Canvas::refused);
        const auto edit = moveCable(*document.now().fabric, "su[1]/leaf[1]:33", "su[1]/leaf[2]:34");
        QVERIFY(!edit);
        canvas.selectPaths({"su[1]/leaf[1]:33"});
        canvas.actOnCable(CableAct::Move);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(3, 3));
        QCOMPARE(refused.count(), 1);
        QCOMPARE(document.undoStack().count(), 1);
    }
    // Return and a double click select the block itself, so that all panels speak of the same.
    void theBlockBecomesTheSelection() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        canvas.setUnfolded(true);
        canvas.selectPaths({"su[1]/leaf[2]", "su[1]/leaf[3]"});
        QTest::keyClick(&canvas, Qt::Key_Return);
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{"su[1]"});
        std::size_t inside = 0; // all that stands in it is outlined
        for (std::size_t n = 0; n < canvas.scene().nodes.size(); ++n) {
            const bool isInside = canvas.nameOf(n).startsWith(QStringLiteral("su[1]/"));
            QCOMPARE(canvas.isSelected(n), isInside);
            inside += isInside ? 1 : 0;
        }
        QCOMPARE(inside, std::size_t{32 + 8});
    }
    // At fit scale the cable below the pointer is a thread inside its bundles, from the selected leaf to its far port.
    void aThreadFollowsOneCable() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        canvas.fit();
        canvas.selectPaths({"su[2]/leaf[3]"});
        canvas.grab();
        QVERIFY(canvas.view().scale < 2.4);
        const Fabric& fabric = *document.now().fabric;
        const CableIndex index(canvas.scene(), fabric);
        const SelectionMarks marks(canvas.scene(), fabric, index,
                                   {std::size_t(std::find_if(canvas.scene().nodes.begin(), canvas.scene().nodes.end(),
                                                             [&](const SceneNode& node) {
                                                                 return node.device != none &&
                                                                        fabric.devicePath(node.device) == "su[2]/leaf[3]";
                                                             }) -
                                                canvas.scene().nodes.begin())});
        std::set<std::uint32_t> found; // every cable of the leaf can be pointed at, and leads from it to where it ends
        for (double y = 0; y < 800; y += 2)
            for (double x = 0; x < 1200; x += 2) {
                const auto thread = marks.threadAt({x, y}, canvas.view());
                if (!thread || !found.insert(thread->link).second) continue;
                const DeviceId up = fabric.links.b[thread->link], low = fabric.links.a[thread->link];
                const bool isUp = fabric.devicePath(low) == "su[2]/leaf[3]";
                QVERIFY(isUp || fabric.devicePath(up) == "su[2]/leaf[3]");
                QCOMPARE(thread->farNode, index.nodeOf(isUp ? up : low));
                const QRectF far = canvas.scene().nodes[thread->farNode].rect;
                QVERIFY(far.adjusted(-8, -1, 8, 1).contains(thread->path.last()));
                const auto* leaf = &canvas.scene().nodes[index.nodeOf(isUp ? low : up)];
                QVERIFY(leaf->rect.adjusted(-1, -1, 1, 1).contains(thread->path.first()));
            }
        QCOMPARE(found.size(), std::size_t{64});
        // The canvas shows it.
        QPoint at;
        CableTool& cables = canvas.cableTool();
        for (int y = 300; y < 790 && !cables.hovered(); y += 2)
            for (int x = 200; x < 700 && !cables.hovered(); x += 2) QTest::mouseMove(&canvas, at = QPoint(x, y));
        QVERIFY(cables.hovered());
        QVERIFY(found.contains(*cables.hovered()));
        const QImage with = canvas.grab().toImage();
        QTest::mouseMove(&canvas, QPoint(3, 3));
        QVERIFY(!cables.hovered());
        QVERIFY(with != canvas.grab().toImage());
    }
    // At the port level every cable of a switch ends in its own port, on the edge towards its far end, and cages hold the ports that share
    // a module. A click on a docked far end goes there, on a cable selects it.
    void cablesEndInTheirPorts_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("device");
        QTest::addColumn<int>("up");
        QTest::addColumn<int>("down");
        QTest::newRow("leaf") << "superpod-h100"
                              << "servers"
                              << "125"
                              << "su[4]/leaf[8]" << 32 << 29;
        QTest::newRow("spine of two tiers") << "superpod-h100"
                                            << "servers"
                                            << "64"
                                            << "spine[2]" << 0 << 64;
        QTest::newRow("spine of three tiers") << "superpod-h100"
                                              << "servers"
                                              << "512"
                                              << "pod[1]/spine[3]" << 32 << 32;
        QTest::newRow("ports split in two, planes") << "superpod-b300-xdr"
                                                    << "servers"
                                                    << "72"
                                                    << "su[1]/leaf[3]" << -1 << -1;
    }
    void cablesEndInTheirPorts() {
        QFETCH(QString, recipe);
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, device);
        QFETCH(int, up);
        QFETCH(int, down);
        Document document;
        document.open(test::designOf(recipe.toStdString(), {{key.toStdString(), value.toStdString()}}), {});
        Canvas canvas(document);
        canvas.resize(1100, 640);
        canvas.show();
        canvas.showPort(device.toStdString(), 1);
        const Fabric& fabric = *document.now().fabric;
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{device.toStdString()});
        const auto node =
            static_cast<std::size_t>(std::find_if(canvas.scene().nodes.begin(), canvas.scene().nodes.end(),
                                                  [&](const SceneNode& each) {
                                                      return each.device != none && fabric.devicePath(each.device) == device.toStdString();
                                                  }) -
                                     canvas.scene().nodes.begin());
        const DeviceId own = canvas.scene().nodes[node].device;
        std::vector<LinkId> links;
        for (const LinkId link : fabric.links.ids())
            if (fabric.isNetworkLink(link) && (fabric.links.a[link] == own || fabric.links.b[link] == own)) links.push_back(link);
        const QRectF screen = canvas.view().toScreen(canvas.scene().nodes[node].rect);
        const auto face = PortFace::create(fabric, canvas.scene().nodes[node], links, screen);
        QVERIFY(face);
        QCOMPARE(face->cables(), links.size());
        const std::vector<std::uint32_t> cages = cagesOfPorts(fabric, own);
        const Cabling cabling = cablingOf(fabric);
        std::map<std::uint32_t, std::uint32_t> cageAt, placeOf;
        std::set<std::pair<int, int>> places;
        int above = 0, below = 0;
        for (const LinkId link : links) {
            const bool isLower = fabric.links.a[link] == own;
            const auto number = static_cast<int>(isLower ? fabric.links.aPort[link] : fabric.links.bPort[link]);
            const PortFace::Port* port = face->portOf(number);
            QVERIFY(port && port->link == link && port->hasModule);
            QCOMPARE(canvas.portRect(node, number), port->box);
            QVERIFY(places.insert({qRound(port->box.left() * 8), qRound(port->box.top())}).second); // no two in one place
            QCOMPARE(port->box.center().y() < face->body().center().y(), isLower);
            QVERIFY(isLower ? port->far.bottom() < port->box.top() : port->far.top() > port->box.bottom());
            const std::uint32_t cage = (isLower ? cabling.cageA : cabling.cageB)[cabling.links.find(link)];
            const std::uint32_t place = cages[static_cast<std::size_t>(number) - 1];
            QCOMPARE(cageAt.try_emplace(place, cage).first->second, cage); // ports of one cage have one number, others another
            QCOMPARE(placeOf.try_emplace(cage, place).first->second, place);
            QCOMPARE(face->portAt(port->box.center()), port);
            const QPointF middle((port->box.center().x() + port->far.center().x()) / 2,
                                 (port->box.center().y() + port->far.center().y()) / 2);
            QCOMPARE(face->linkAt(middle), std::optional(link));
            ++(isLower ? above : below);
        }
        if (up >= 0) QCOMPARE(std::pair(above, below), std::pair(up, down));
        // With the mouse: a port, the cable, then its far end.
        const PortFace::Port* first = face->portOf(1);
        QVERIFY(first);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, first->box.center().toPoint());
        QCOMPARE(canvas.selectedPaths().size(), std::size_t{1});
        QVERIFY2(isPort(canvas.selectedPaths()[0]), canvas.selectedPaths()[0].c_str());
        QCOMPARE(canvas.isCableSelected(), cableAt(fabric, canvas.selectedPaths()[0]).has_value());
        QCOMPARE(document.undoStack().count(), 0);
        const PortFace::Port* port = face->portOf(static_cast<int>(fabric.links.bPort[links.front()]));
        if (fabric.links.b[links.front()] != own) port = face->portOf(static_cast<int>(fabric.links.aPort[links.front()]));
        QTest::mouseMove(&canvas, QPoint(2, 2)); // a pointer that stays where it is does not move
        QTest::mouseMove(&canvas, ((port->box.center() + port->far.center()) / 2).toPoint());
        QCOMPARE(canvas.cableTool().hovered(), std::optional(port->link));
        const DeviceId there = fabric.links.a[port->link] == own ? fabric.links.b[port->link] : fabric.links.a[port->link];
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, port->far.center().toPoint());
        QCOMPARE(canvas.selectedPaths().size(), std::size_t{1});
        QVERIFY2(fabric.devicePath(there).starts_with(canvas.selectedPaths()[0]), canvas.selectedPaths()[0].c_str());
    }
    // Where ports could not be told apart, there are none.
    void noPortsOnASmallSwitch() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        const Fabric& fabric = *document.now().fabric;
        const auto spine = std::find_if(canvas.scene().nodes.begin(), canvas.scene().nodes.end(),
                                        [](const SceneNode& node) { return node.shape == Shape::Spine; });
        QVERIFY(!PortFace::create(fabric, *spine, {}, QRectF(0, 0, 399, 400)));
        QVERIFY(!PortFace::create(fabric, *spine, {}, QRectF(0, 0, 700, 299)));
        QVERIFY(PortFace::create(fabric, *spine, {}, QRectF(0, 0, 700, 400)));
    }
};

QTEST_MAIN(tst_canvas_cables)
#include "tst_canvas_cables.moc"
