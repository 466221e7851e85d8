// Gestures that draw by hand, with a real pointer: callouts with text and pictures, cables between many, a block of its own, a block taken
// apart. Runs under Xvfb.
#include "tests/support/real_window.h"

#include "core/base/unit_text.h"
#include "core/design/edits/edit_palette.h"
#include "tests/support/designs.h"

#include <QAbstractButton>
#include <QApplication>
#include <QMenu>
#include <QScrollArea>
#include <QTemporaryDir>

using namespace railyard;
using test::Pointer;

class tst_real_arranging : public test::RealWindow {
    Q_OBJECT

    QRectF boxOf(const std::string& path) {
        for (std::size_t n = 0; n < canvas().scene().nodes.size(); ++n)
            if (canvas().nameOf(n).toStdString() == path) return screen(canvas().scene().nodes[n].rect);
        return {};
    }
    using RealWindow::screen;
    QRectF screen(const QRectF& world) { return canvas().view().toScreen(world); }
    QStringList figures() {
        document().waitForBackground();
        QCoreApplication::processEvents();
        QStringList all;
        for (const char* metric : {"metric-counts.switches", "metric-counts.links", "metric-cost.network_usd", "metric-power.network_w",
                                   "metric-bisection.gpu_network_only.fraction_of_injection"})
            all << shown(metric);
        return all;
    }
    // Leaves in a row below spines in a row, nothing cabled.
    static DesignPointer switches(int leaves, int spines) {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (int i = 0; i < leaves; ++i) design = dropItem(*design, PaletteItem::Leaf, {i * 160.0, 300})->design;
        for (int i = 0; i < spines; ++i) design = dropOffRung(*design, PaletteItem::Spine, 1, {80 + i * 160.0, 60})->design;
        return design;
    }

private slots:
    void cleanup() { release(); }
    // What was typed, or the picture that was chosen, is attached to the element under the drop; no figure changes.
    void callouts_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"text", "arrow", "bracket", "logo"}) QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void callouts() {
        QFETCH(QString, kind);
        QTemporaryDir folder;
        QImage logo(40, 20, QImage::Format_RGB32);
        logo.fill(Qt::red);
        const QString picture = folder.filePath(QStringLiteral("logo.png"));
        QVERIFY(logo.save(picture));
        open(test::designOf("superpod-h100", {{"servers", "64"}}));
        const QStringList before = figures();
        auto* button = m_window->findChild<QWidget*>(QStringLiteral("palette-callout-") + kind);
        QVERIFY(button);
        const auto leaf = std::find_if(canvas().scene().nodes.begin(), canvas().scene().nodes.end(),
                                       [](const SceneNode& node) { return node.shape == Shape::Leaf; });
        const QPoint from = button->mapToGlobal(button->rect().center()), to = global(screen(leaf->rect.center()));
        Pointer pointer;
        dragTo(pointer, from, to);
        pointer.then(QStringLiteral("mouseup 1"), announced());
        if (kind == QStringLiteral("logo")) {
            pointer.inDialog(QStringLiteral("type ") + picture);
            pointer.inDialog(QStringLiteral("key Return"));
        } else {
            pointer.inDialog(QStringLiteral("type Acceptance"));
            pointer.acceptDialog();
        }
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_COMPARE_WITH_TIMEOUT(document().now().design->callouts.size(), std::size_t{1}, 5000);
        const Callout& added = document().now().design->callouts.front();
        QCOMPARE(QString::fromUtf8(toText(added.kind).data()), kind);
        QCOMPARE(added.text, kind == QStringLiteral("logo") ? std::string("logo") : std::string("Acceptance"));
        QCOMPARE(added.of.size(), kind == QStringLiteral("logo") ? std::size_t{0} : std::size_t{1});
        QCOMPARE(document().undoStack().count(), 1);
        QCOMPARE(figures(), before);
    }
    // The menu says how many cables there will be, and that number is laid.
    void cablesBetweenMany_data() {
        QTest::addColumn<int>("entry");
        for (int entry = 0; entry < 5; ++entry) QTest::addRow("entry %d", entry + 1) << entry;
    }
    void cablesBetweenMany() {
        QFETCH(int, entry);
        open(switches(3, 3));
        const QPoint first = global(boxOf("leaf[1]").center()), second = global(boxOf("leaf[2]").center()),
                     third = global(boxOf("leaf[3]").center()), spine = global(boxOf("spine[1]").center());
        QString said;
        const auto menu = [] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); };
        const auto choose = [&] {
            QAction* action = menu()->actions()[entry];
            said = action->text();
            return Pointer::clickOn(menu()->mapToGlobal(menu()->actionGeometry(action).center()));
        };
        Pointer pointer;
        pointer.then(move(first) + QStringLiteral(" click 1"));
        pointer.then(QStringLiteral("keydown ctrl"));
        pointer.then(move(second) + QStringLiteral(" click 1"));
        pointer.then(move(third) + QStringLiteral(" click 1"), [&] { return canvas().selectedPaths().size() == 2; });
        pointer.then(QStringLiteral("keyup ctrl"), [&] { return canvas().selectedPaths().size() == 3; });
        pointer.then(QStringLiteral("key c")); // connect mode
        pointer.then(move(first) + QStringLiteral(" mousedown 1"));
        pointer.then(move((first + spine) / 2));
        pointer.then(move(spine));
        pointer.then(QStringLiteral("mouseup 1"));
        pointer.then(choose, [&] { return menu() && entry < menu()->actions().size(); });
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_COMPARE_WITH_TIMEOUT(document().undoStack().count(), 1, 5000);
        const int cables = static_cast<int>(document().now().design->free->links.size());
        constexpr int expected[] = {1, 3, 3, 9, 3};
        QCOMPARE(cables, expected[entry]);
        QVERIFY2(said.contains(QString::number(cables) + (cables == 1 ? QStringLiteral(" cable") : QStringLiteral(" cables"))),
                 qPrintable(said));
    }
    // A block of its own is a copy: nothing changes but that it can be changed alone.
    void makingUniqueChangesNoFigure() {
        open(test::designOf("superpod-h100", {{"servers", "64"}}));
        const QStringList before = figures();
        const auto leaf = std::find_if(canvas().scene().nodes.begin(), canvas().scene().nodes.end(),
                                       [](const SceneNode& node) { return node.shape == Shape::Leaf; });
        const auto unique = [&] { // the inspector builds it anew with every figure that arrives
            QAbstractButton* found = nullptr;
            for (QAbstractButton* each : m_window->findChildren<QAbstractButton*>())
                if (each->text() == QStringLiteral("Make unique") && each->isVisible()) found = each;
            return found;
        };
        const auto wheelOverIt = [&] {
            const QWidget* area = unique();
            while (area->parentWidget() && !qobject_cast<const QScrollArea*>(area)) area = area->parentWidget();
            return move(area->mapToGlobal(area->rect().center())) + QStringLiteral(" click --repeat 40 --delay 5 5");
        };
        Pointer pointer;
        pointer.then(move(global(screen(leaf->rect.center()))) + QStringLiteral(" click 1"));
        pointer.then(wheelOverIt, [&] { return unique() != nullptr; });
        pointer.then([&] { return Pointer::clickOn(unique()->mapToGlobal(unique()->rect().center())); },
                     [&] { return unique() && !unique()->visibleRegion().isEmpty(); });
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_COMPARE_WITH_TIMEOUT(document().undoStack().count(), 1, 5000);
        QCOMPARE(document().undoStack().undoText(), QStringLiteral("Make su[1] unique"));
        QVERIFY(document().now().design->overrides.contains("su[1]"));
        QCOMPARE(figures(), before);
    }
    // What was a block is drawn by hand, with every cable it had.
    void dissolvingLosesNothing() {
        open(test::designOf("superpod-h100", {{"servers", "64"}}));
        const QStringList before = figures();
        const auto counts = document().now().instant.counts;
        const auto server = std::find_if(canvas().scene().nodes.begin(), canvas().scene().nodes.end(),
                                         [](const SceneNode& node) { return node.shape == Shape::Server; });
        Pointer pointer;
        pointer.then(move(global(screen(server->rect.center()))) + QStringLiteral(" click 1"));
        pointer.then(QStringLiteral("key ctrl+shift+g"), [&] { return canvas().selectedPaths().size() == 1; });
        QVERIFY2(pointer.run(), pointer.waiting().constData());
        QTRY_COMPARE_WITH_TIMEOUT(document().undoStack().count(), 1, 5000);
        QVERIFY(!document().now().design->free->links.empty());
        QCOMPARE(document().now().instant.counts.gpus, counts.gpus);
        QCOMPARE(document().now().instant.counts.links, counts.links);
        QCOMPARE(figures(), before);
    }
};

QTEST_MAIN(tst_real_arranging)
#include "tst_real_arranging.moc"
