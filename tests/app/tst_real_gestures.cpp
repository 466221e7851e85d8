// Every gesture of the drawing with a real pointer: xdotool moves it, and X11 delivers what it does. What the window announces while the
// button is down must be what the design shows after it is released. Runs under Xvfb.
#include "tests/support/real_window.h"

#include "core/base/unit_text.h"
#include "core/design/edits/edit_palette.h"
#include "tests/support/designs.h"
#include "widgets/panels/palette_panel.h"

using namespace railyard;
using test::Pointer;

class tst_real_gestures : public test::RealWindow {
    Q_OBJECT

    // Every figure that was announced is the one that the metrics show now.
    void compareFigures() {
        document().waitForBackground();
        QCoreApplication::processEvents();
        constexpr std::pair<const char*, const char*> labels[] = {
            {"GPUs", "metric-counts.gpus"},
            {"Switches", "metric-counts.switches"},
            {"Links", "metric-counts.links"},
            {"Pluggable modules", "metric-counts.pluggables"},
            {"Network cost", "metric-cost.network_usd"},
            {"Network power", "metric-power.network_w"},
            {"Bisection, NIC fabric only", "metric-bisection.gpu_network_only.fraction_of_injection"},
            {"Bisection, with HB forwarding", "metric-bisection.gpu_with_hb.fraction_of_injection"}};
        int compared = 0;
        for (const auto& [what, label] : labels)
            for (const Announcement::Figure& figure : m_last.figures) {
                if (figure.what != QLatin1String(what)) continue;
                ++compared;
                const bool isBisection = figure.what.startsWith(QStringLiteral("Bisection"));
                const QString now =
                    shown(label).section(QStringLiteral(" · "), isBisection ? -1 : 0, isBisection ? -1 : 0).remove(QStringLiteral("≤ "));
                if (qEnvironmentVariableIsSet("RAILYARD_TABLE")) // announced against resulting, for people
                    qInfo().noquote() << QTest::currentDataTag() << "|" << m_last.words << "|" << figure.what << "|" << figure.before << "|"
                                      << figure.after << "|" << now;
                QCOMPARE(figure.what + QStringLiteral(": ") + figure.after, figure.what + QStringLiteral(": ") + now);
            }
        const bool isLarge = document().now().instant.counts.gpus > 32'768; // its bisection is not known while the pointer moves
        QCOMPARE(compared, isLarge ? 6 : 8);
    }
    // Down to the row that was announced: one step, called as it was announced.
    void compareResult(int stepsBefore) {
        if (m_last.isRefused) {
            QCOMPARE(document().undoStack().count(), stepsBefore);
            return;
        }
        QTRY_COMPARE_WITH_TIMEOUT(document().undoStack().count(), stepsBefore + 1, 5000);
        QCOMPARE(document().undoStack().undoText(), m_last.words);
        compareFigures();
    }
    QPoint place(const QString& where) {
        const Scene& scene = canvas().scene();
        if (where == QStringLiteral("SU") && !scene.cards.empty()) return global(screen(scene.cards.front().rect.center()));
        if (where == QStringLiteral("spines") && !scene.bars.empty())
            return global(screen(scene.bars.back().rect.center()) + QPointF(-160, 0));
        return global(QPointF(canvas().width() * 0.5, 40));
    }

private slots:
    void cleanup() { release(); }
    void itemsOfThePalette_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("servers");
        QTest::addColumn<QString>("item");
        QTest::addColumn<QString>("where");
        QTest::addColumn<int>("further"); // px to the right before the release
        QTest::addColumn<QString>("key");
        for (const char* recipe : {"superpod-h100", "rail-only"})
            for (const char* item : {"server", "hb-domain", "rail", "leaf", "spine", "superspine", "plane"})
                QTest::addRow("%s, %s", recipe, item) << recipe << 60 << item << "SU" << 0 << "";
        QTest::newRow("spine, next rung") << "superpod-h100" << 64 << "spine"
                                          << "spines" << 150 << "";
        QTest::newRow("spine with Alt") << "superpod-h100" << 64 << "spine"
                                        << "spines" << 70 << "alt";
        QTest::newRow("spine with Shift") << "superpod-h100" << 64 << "spine"
                                          << "spines" << 70 << "shift";
        QTest::newRow("leaf with Alt") << "superpod-h100" << 64 << "leaf"
                                       << "SU" << 0 << "alt";
        QTest::newRow("leaf beside the SUs") << "superpod-h100" << 125 << "leaf"
                                             << "free" << 0 << "";
        for (const char* item : {"leaf", "spine", "server"}) // one leaf for all rails
            QTest::addRow("four servers, %s", item) << "rail-optimized" << 4 << item << "SU" << 0 << "";
        for (const char* item : {"server", "superspine", "pod"})
            QTest::addRow("8,192 servers, %s", item) << "rail-optimized" << 8192 << item << "SU" << 0 << "";
        QTest::newRow("on an empty drawing") << "" << 0 << "server"
                                             << "free" << 0 << "";
    }
    void itemsOfThePalette() {
        QFETCH(QString, recipe);
        QFETCH(int, servers);
        QFETCH(QString, item);
        QFETCH(QString, where);
        QFETCH(int, further);
        QFETCH(QString, key);
        open(recipe.isEmpty() ? emptyDesign(shippedCatalog())
                              : test::designOf(recipe.toStdString(), {{"servers", std::to_string(servers)}}));
        auto* button = m_window->findChild<PaletteButton*>(QStringLiteral("palette-") + item);
        QVERIFY(button);
        const QPoint from = button->mapToGlobal(button->rect().center()), to = place(where);
        Pointer pointer;
        pointer.then(move(from) + QStringLiteral(" mousedown 1"));
        if (!key.isEmpty()) pointer.then(QStringLiteral("keydown ") + key);
        pointer.then(move(from + QPoint(30, 4)));
        pointer.then(move((from + to) / 2));
        pointer.then(move(to));
        if (further > 0) pointer.then(QStringLiteral("sleep 0.5")); // from where the pointer rests, it chooses a count
        pointer.then(move(to + QPoint(1 + further, 0)), announced());
        pointer.then(move(to + QPoint(2 + further, 0)));
        pointer.then(QStringLiteral("mouseup 1"), announced());
        if (!key.isEmpty()) pointer.then(QStringLiteral("keyup ") + key);
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        compareResult(0);
        if (further > 0 && key.isEmpty()) // 8 before; 16 is the next count, and 32 two further
            QCOMPARE(document().now().instant.counts.switchesByTier[static_cast<std::size_t>(SwitchTier::Spine)], std::int64_t{32});
    }

    void countHandles_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("servers");
        QTest::addColumn<QString>("handle");
        QTest::addColumn<QPoint>("by");
        for (const char* recipe : {"superpod-h100", "rail-only"}) {
            QTest::addRow("%s, servers", recipe) << recipe << 125 << "servers" << QPoint(0, 43);
            QTest::addRow("%s, fewer servers", recipe) << recipe << 125 << "servers" << QPoint(0, -57);
            QTest::addRow("%s, SUs", recipe) << recipe << 64 << "SUs" << QPoint(260, 0);
        }
        QTest::newRow("spines") << "superpod-h100" << 64 << "spines" << QPoint(-35, 0);
        QTest::newRow("more spines than ports") << "superpod-h100" << 512 << "spines" << QPoint(70, 0);
        QTest::newRow("no servers at all") << "superpod-h100" << 40 << "servers" << QPoint(0, -900);
    }
    void countHandles() {
        QFETCH(QString, recipe);
        QFETCH(int, servers);
        QFETCH(QString, handle);
        QFETCH(QPoint, by);
        open(test::designOf(recipe.toStdString(), {{"servers", std::to_string(servers)}}));
        const Scene& scene = canvas().scene();
        QRectF box = canvas().view().toScreen(scene.cards.back().rect);
        QPointF at(box.center().x(), box.bottom() + 7); // handles stand outside of what they count
        if (handle == QStringLiteral("SUs")) at = QPointF(box.right() + 7, box.center().y());
        if (handle == QStringLiteral("spines")) {
            const auto bar =
                std::find_if(scene.bars.begin(), scene.bars.end(), [](const SceneBar& each) { return each.shape == Shape::Spine; });
            box = canvas().view().toScreen(bar->rect);
            at = QPointF(box.right() + 7, box.center().y());
        }
        const QPoint from = global(at);
        Pointer pointer;
        pointer.then(move(from) + QStringLiteral(" mousedown 1"));
        pointer.then(move(from + by / 2));
        pointer.then(move(from + by));
        pointer.then(QStringLiteral("mouseup 1"), announced());
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        compareResult(0);
    }

    // From the plus sign of a switch to another: one cable, or the reason why not.
    void connectors_data() {
        QTest::addColumn<QString>("to");
        QTest::newRow("leaf to spine") << "spine[1]";
        QTest::newRow("leaf to leaf") << "leaf[2]";
    }
    void connectors() {
        QFETCH(QString, to);
        DesignPointer design = emptyDesign(shippedCatalog());
        design = dropItem(*design, PaletteItem::Leaf, {0, 300})->design;
        design = dropItem(*design, PaletteItem::Leaf, {200, 300})->design;
        design = dropOffRung(*design, PaletteItem::Spine, 1, {100, 100})->design;
        open(design);
        const auto boxOf = [&](const std::string& path) {
            for (std::size_t n = 0; n < canvas().scene().nodes.size(); ++n)
                if (canvas().nameOf(n).toStdString() == path) return canvas().view().toScreen(canvas().scene().nodes[n].rect);
            return QRectF();
        };
        const QRectF from = boxOf("leaf[1]"), target = boxOf(to.toStdString());
        QVERIFY(!from.isEmpty() && !target.isEmpty());
        const QPoint plus = global(QPointF(from.center().x() + 15.5, from.top() - 6)), end = global(target.center());
        Pointer pointer;
        pointer.then(move(global(from.center())));
        pointer.then(move(plus) + QStringLiteral(" mousedown 1"));
        pointer.then(move((plus + end) / 2));
        pointer.then(move(end));
        pointer.then(QStringLiteral("mouseup 1"), announced());
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QVERIFY(!m_last.words.isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(document().undoStack().count(), m_last.isRefused ? 0 : 1, 5000);
        if (!m_last.isRefused) {
            QCOMPARE(document().undoStack().undoText(), m_last.words);
            QCOMPARE(document().now().design->free->links.size(), std::size_t{1});
        }
    }

    // Delete takes what the bar below the drawing has said.
    void deleteTakesWhatWasSaid() {
        open(test::designOf("superpod-h100", {{"servers", "64"}}));
        const auto leaf = std::find_if(canvas().scene().nodes.begin(), canvas().scene().nodes.end(),
                                       [](const SceneNode& node) { return node.shape == Shape::Leaf; });
        auto* takes = m_window->findChild<QLabel*>(QStringLiteral("scope-takes"));
        const InstantMetrics before = document().now().instant;
        Pointer pointer;
        pointer.then(move(global(screen(leaf->rect.center()))) + QStringLiteral(" click 1"));
        pointer.then(QStringLiteral("key 4"), [&] { return !takes->text().isEmpty(); }); // all leaves
        QString said;
        pointer.then(QStringLiteral("key Delete"), [&] {
            said = takes->text();
            return said.contains(QStringLiteral("leaves"));
        });
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_COMPARE_WITH_TIMEOUT(document().undoStack().count(), 1, 5000);
        const InstantMetrics& after = document().now().instant;
        const auto counted = [](std::int64_t count, const char* what) {
            return QStringLiteral("%1 %2").arg(QString::fromStdString(formatCount(count)), QLatin1String(what));
        };
        for (const QString& words : {counted(before.counts.switches - after.counts.switches, "leaves"),
                                     counted(before.cables.cables - after.cables.cables, "cables"),
                                     counted(*before.cables.pluggables - *after.cables.pluggables, "modules")})
            QVERIFY2(said.contains(words), qPrintable(said + QStringLiteral(" / ") + words));
    }

    // What stands elsewhere on the drawing costs and carries the same.
    void movingChangesNoFigure() {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (const double x : {0.0, 200.0}) design = dropItem(*design, PaletteItem::Leaf, {x, 300})->design;
        open(design);
        const auto leaf = std::find_if(canvas().scene().nodes.begin(), canvas().scene().nodes.end(),
                                       [](const SceneNode& node) { return node.shape == Shape::Leaf; });
        const QPointF before = leaf->rect.center();
        const QPoint from = global(screen(before));
        const QStringList figures{shown("metric-counts.switches"), shown("metric-cost.network_usd"), shown("metric-power.network_w")};
        Pointer pointer;
        pointer.then(move(from) + QStringLiteral(" mousedown 1"));
        pointer.then(move(from + QPoint(20, 60)));
        pointer.then(move(from + QPoint(40, 120)));
        pointer.then(QStringLiteral("mouseup 1"));
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_COMPARE_WITH_TIMEOUT(document().undoStack().count(), 1, 5000);
        const auto after = std::find_if(canvas().scene().nodes.begin(), canvas().scene().nodes.end(),
                                        [](const SceneNode& node) { return node.shape == Shape::Leaf; });
        QVERIFY(QLineF(before, after->rect.center()).length() > 30);
        QCOMPARE((QStringList{shown("metric-counts.switches"), shown("metric-cost.network_usd"), shown("metric-power.network_w")}),
                 figures);
    }
    // A copy of a server is one more server; undo and redo by key take it away and bring it back.
    void copyingWithControl() {
        open(test::designOf("superpod-h100", {{"servers", "60"}}));
        const auto server = std::find_if(canvas().scene().nodes.begin(), canvas().scene().nodes.end(),
                                         [](const SceneNode& node) { return node.shape == Shape::Server; });
        const QPoint from = global(screen(server->rect.center()));
        const auto servers = [&] { return document().now().instant.counts.servers; };
        Pointer pointer;
        pointer.then(move(from) + QStringLiteral(" click 1"));
        pointer.then(QStringLiteral("keydown ctrl mousedown 1"));
        pointer.then(move(from + QPoint(30, 30)));
        pointer.then(move(from + QPoint(60, 60)));
        pointer.then(QStringLiteral("mouseup 1 keyup ctrl"));
        pointer.then(QStringLiteral("key ctrl+z"), [&] { return servers() == 61; });
        pointer.then(QStringLiteral("key ctrl+y"), [&] { return servers() == 60; });
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_COMPARE_WITH_TIMEOUT(servers(), std::int64_t{61}, 5000);
    }
    // The chips of a tier: a click on their halves, and the wheel over them.
    void chipsStepTheirTier() {
        open(test::designOf("superpod-h100", {{"servers", "64"}}));
        const auto label = std::find_if(canvas().scene().labels.begin(), canvas().scene().labels.end(), [](const SceneLabel& each) {
            return std::find(each.steps.begin(), each.steps.end(), TierStep::ScalableUnits) != each.steps.end();
        });
        QVERIFY(label != canvas().scene().labels.end());
        const QPointF at = screen(label->at); // the chip stands below a title of 18 px and the lines of 15 px
        const double lines = 1 + static_cast<double>(label->note.count(QLatin1Char('\n')));
        const QPointF chip = at + QPointF(40, (18 + 15 * lines) * std::max(canvas().view().scale, 0.95) + 12);
        const auto sus = [&] { return (document().now().instant.counts.servers + 31) / 32; };
        Pointer pointer;
        pointer.then(move(global(chip)) + QStringLiteral(" click 4"));
        pointer.then(QStringLiteral("click 5"), [&] { return sus() == 3; });
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_COMPARE_WITH_TIMEOUT(sus(), std::int64_t{2}, 5000);
        QCOMPARE(document().undoStack().count(), 2);
    }
    // Callouts change the slide, not the design's figures.
    void calloutsCostNothing() {
        open(test::designOf("superpod-h100", {{"servers", "64"}}));
        auto* button = m_window->findChild<QWidget*>(QStringLiteral("palette-callout-legend"));
        QVERIFY(button);
        const QStringList figures{shown("metric-counts.switches"), shown("metric-cost.network_usd"), shown("metric-power.network_w"),
                                  shown("metric-bisection.gpu_network_only.fraction_of_injection")};
        const QPoint from = button->mapToGlobal(button->rect().center()),
                     to = global(QPointF(canvas().width() * 0.9, canvas().height() * 0.2));
        Pointer pointer;
        dragTo(pointer, from, to);
        pointer.then(QStringLiteral("mouseup 1"), announced());
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_COMPARE_WITH_TIMEOUT(document().now().design->callouts.size(), std::size_t{1}, 5000);
        document().waitForBackground();
        QCoreApplication::processEvents();
        QCOMPARE((QStringList{shown("metric-counts.switches"), shown("metric-cost.network_usd"), shown("metric-power.network_w"),
                              shown("metric-bisection.gpu_network_only.fraction_of_injection")}),
                 figures);
    }

    // Keys and double clicks that look at things: select all, fit the selection, fit all, open a block. Copy and paste of hand-drawn
    // elements.
    void keysAndDoubleClicks() {
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        design = dropOffRung(*design, PaletteItem::Leaf, 1, {900, 700})->design;
        open(design);
        std::string opened;
        connect(&canvas(), &Canvas::selectionChanged, this, [&] {
            if (canvas().selectedPaths().size() == 1 && canvas().selectedPaths()[0].starts_with("su["))
                opened = canvas().selectedPaths()[0];
        });
        const double fitted = canvas().view().scale;
        const auto own = std::find_if(canvas().scene().nodes.begin(), canvas().scene().nodes.end(),
                                      [](const SceneNode& node) { return node.handDrawn; });
        const QPoint leaf = global(screen(own->rect.center())),
                     card = global(screen(canvas().scene().cards.front().rect.topLeft()) + QPointF(120, 12));
        Pointer pointer;
        pointer.then(move(leaf) + QStringLiteral(" click 1"));
        pointer.then(QStringLiteral("key ctrl+a"), [&] { return canvas().selectedPaths().size() == 1; });
        pointer.then(move(leaf + QPoint(2, 2)) + QStringLiteral(" click 1"), [&] { return canvas().selectedPaths().size() > 64; });
        pointer.then(QStringLiteral("key Escape"));
        pointer.then(move(leaf) + QStringLiteral(" click 1"), [&] { return canvas().selectedPaths().empty(); });
        pointer.then(QStringLiteral("key ctrl+c"), [&] { return canvas().selectedPaths().size() == 1; });
        pointer.then(QStringLiteral("key ctrl+v"));
        pointer.then(QStringLiteral("key ctrl+z"), [&] { return document().undoStack().index() == 1; });
        pointer.then(move(card) + QStringLiteral(" click --repeat 2 --delay 40 1"), [&] { return document().undoStack().index() == 0; });
        pointer.then(QStringLiteral("key Escape"), [&] { return !opened.empty(); });
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        const auto still = std::find_if(canvas().scene().nodes.begin(), canvas().scene().nodes.end(),
                                        [](const SceneNode& node) { return node.handDrawn; }); // the view may have followed the copy
        Pointer second;
        second.then(move(global(screen(still->rect.center()))) + QStringLiteral(" click 1"));
        second.then(QStringLiteral("key shift+f"), [&] { return canvas().selectedPaths().size() == 1; });
        second.then(QStringLiteral("key f"), [&] { return canvas().view().scale > fitted * 1.5; });
        QVERIFY2(second.run(), second.waiting().constData());
        QTRY_VERIFY_WITH_TIMEOUT(std::abs(canvas().view().scale / fitted - 1) < 0.2, 5000);
        QVERIFY2(opened.find("su[1]") != std::string::npos, opened.c_str());
        QCOMPARE(document().undoStack().index(), 0);
    }

    // Looking at the drawing changes nothing: wheel, Space and drag, rubber band, hovering, Escape in the middle of a drag.
    void lookingChangesNothing() {
        open(test::designOf("superpod-h100", {{"servers", "64"}}));
        const QPoint middle = global(QPointF(canvas().width() * 0.5, canvas().height() * 0.5)), corner = global(QPointF(20, 20));
        const double scale = canvas().view().scale;
        Pointer pointer;
        pointer.then(move(middle) + QStringLiteral(" click 4 click 4"));
        pointer.then(QStringLiteral("keydown space mousedown 1 mousemove_relative 60 30 mouseup 1 keyup space"),
                     [&] { return canvas().view().scale > scale; });
        pointer.then(move(corner) + QStringLiteral(" mousedown 1"));
        pointer.then(move(middle));
        pointer.then(QStringLiteral("mouseup 1"));
        pointer.then(QStringLiteral("key Escape"), [&] { return !canvas().selectedPaths().empty(); });
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_VERIFY_WITH_TIMEOUT(canvas().selectedPaths().empty(), 5000);
        QCOMPARE(document().undoStack().count(), 0);
        // A count handle is let go by Escape.
        canvas().fit();
        const QRectF last = canvas().view().toScreen(canvas().scene().cards.back().rect);
        const QPoint handle = global(QPointF(last.center().x(), last.bottom() + 7));
        Pointer second;
        second.then(move(handle) + QStringLiteral(" mousedown 1"));
        second.then(move(handle + QPoint(0, 60)));
        second.then(QStringLiteral("key Escape"), announced());
        second.then(QStringLiteral("mouseup 1"), [this] { return !m_isAnnounced; });
        QVERIFY2(second.run(), second.waiting().constData());
        QCOMPARE(document().undoStack().count(), 0);
    }
};

QTEST_MAIN(tst_real_gestures)
#include "tst_real_gestures.moc"
