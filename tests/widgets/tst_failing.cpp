// Failing things is a mode: figures of what is left, beside a design and a bill that stay whole.
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/io/document/design_json.h"
#include "tests/support/canvas_gestures.h"
#include "tests/support/designs.h"
#include "widgets/modes/failure_bar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSignalSpy>

using namespace railyard;

class tst_failing : public QObject {
    Q_OBJECT

    struct Desk { // wired as in the window
        Document document;
        Canvas canvas{document};
        FailureBar bar{document};
        explicit Desk(const DesignPointer& design) {
            document.open(design, {});
            canvas.resize(1000, 700);
            canvas.show();
            QObject::connect(&canvas, &Canvas::failAsked, &bar, &FailureBar::toggle);
            turn(true);
        }
        void turn(bool on) {
            bar.setOn(on);
            canvas.setFailing(on);
        }
        void click(Shape shape, int number) {
            const SceneNode* node = test::find(canvas, shape, number);
            QVERIFY(node);
            QTest::mouseClick(&canvas, Qt::LeftButton, {}, test::centreOf(canvas, *node));
        }
        double bisectionGbps() {
            document.waitForBackground();
            return document.background()->bisection[0].upperGbps;
        }
    };
    static double leftGbps(const FabricPointer& left) { return bisection(*left, BisectionKey::Server).upperGbps; }

private slots:
    // A rail of which no leaf is left is drawn as failed: its lane and risers lose their colour, those of the others keep it.
    void aFailedRailIsDrawnAsFailed() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "64"}}));
        const auto colourOf = [&](int rail) {
            const QImage image = desk.canvas.grab().toImage();
            for (const SceneBundle& bundle : desk.canvas.scene().bundles)
                if (bundle.rail == rail && bundle.lower != none) { // a riser of the rail
                    const QPointF at = desk.canvas.view().toScreen((bundle.path[0] + bundle.path[1]) / 2);
                    return image.pixelColor(at.toPoint());
                }
            return QColor();
        };
        const QColor four = colourOf(4), five = colourOf(5);
        const auto server = std::find_if(desk.canvas.scene().nodes.begin(), desk.canvas.scene().nodes.end(),
                                         [](const SceneNode& node) { return node.shape == Shape::Server; });
        const QRect body = desk.canvas.view().toScreen(server->rect).adjusted(-1, 6, 1, 1).toAlignedRect(); // below its pips
        const auto reds = [&] { // pixels of a cross or a failed fill
            const QImage image = desk.canvas.grab(body).toImage();
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const QColor pixel = image.pixelColor(x, y);
                    count += pixel.red() - std::max(pixel.green(), pixel.blue()) > 60 ? 1 : 0;
                }
            return count;
        };
        const int before = reds();
        desk.bar.toggle("rail=4");
        QCOMPARE(reds(), before); // a server that has lost one NIC is tinted, not crossed out
        desk.document.waitForImpacts();
        QCOMPARE(reds(), before); // now that the others are known
        QVERIFY(desk.document.impacts().degraded == 64 && desk.document.impacts().cutOff == 0);
        desk.bar.toggle("su[1]/srv[1]");
        QVERIFY(reds() > before + 10);
        desk.bar.toggle("su[1]/srv[1]");
        const QColor failed = colourOf(4);
        QVERIFY(failed != four);
        QVERIFY(std::abs(failed.green() - four.green()) + std::abs(failed.red() - four.red()) > 60);
        QCOMPARE(colourOf(5), five);
        desk.bar.toggle("rail=4");
        QCOMPARE(colourOf(4), four);
    }
    void aClickFailsAndMends() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "64"}}));
        const double whole = desk.bisectionGbps();
        const auto bill = desk.document.now().instant.bill.network;
        const std::string saved = designText(*desk.document.now().design);
        desk.click(Shape::Spine, 2);
        QCOMPARE(desk.document.failures().selectors, std::vector<std::string>{"spine[2]"});
        const FabricPointer fabric = desk.document.now().fabric;
        const double left = desk.bisectionGbps();
        QVERIFY(left < whole);
        QCOMPARE(left, leftGbps(without(fabric, select(*fabric, "spine[2]")->devices, {})));
        QCOMPARE(desk.document.now().instant.bill.network, bill);
        QCOMPARE(designText(*desk.document.now().design), saved);
        QCOMPARE(desk.document.undoStack().count(), 0);
        desk.click(Shape::Spine, 2);
        QVERIFY(desk.document.failures().isEmpty());
        QCOMPARE(desk.bisectionGbps(), whole);
    }
    // Leaving the mode makes all whole; coming back fails the same again.
    void leavingMakesWhole() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "64"}}));
        desk.click(Shape::Leaf, 1);
        const double left = desk.bisectionGbps();
        desk.turn(false);
        QVERIFY(desk.document.failures().isEmpty());
        QVERIFY(desk.bisectionGbps() > left);
        desk.click(Shape::Leaf, 2); // a plain selection now
        QCOMPARE(desk.canvas.selectedPaths().size(), std::size_t{1});
        QVERIFY(desk.document.failures().isEmpty());
        desk.turn(true);
        QCOMPARE(desk.bisectionGbps(), left);
    }
    void editsWhileFailing() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "64"}}));
        desk.bar.toggle("su[2]/leaf[1]");
        desk.bar.toggle("rail=3");
        QVERIFY(desk.document.apply(setServers(*desk.document.now().design, 96)));
        const FabricPointer more = desk.document.now().fabric;
        const auto gone = removalOf(*more, {{"su[2]/leaf[1]", "rail=3"}});
        QCOMPARE(desk.bisectionGbps(), leftGbps(without(more, gone->devices, gone->links)));
        // One SU is left: what failed in the second is no more, the rail still is.
        QVERIFY(desk.document.apply(setServers(*desk.document.now().design, 32)));
        const FabricPointer fewer = desk.document.now().fabric;
        const auto rail = removalOf(*fewer, {{"rail=3"}});
        QCOMPARE(desk.document.degraded()->devices.size(), without(fewer, rail->devices, rail->links)->devices.size());
    }
    void linksByChanceAndScenarios() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "64"}}));
        const QSignalSpy refused(&desk.bar, &FailureBar::refused), kept(&desk.bar, &FailureBar::scenariosChanged);
        desk.bar.findChild<QDoubleSpinBox*>(QStringLiteral("fail-links"))->setValue(2);
        const auto all = desk.document.now().fabric->links.size();
        QVERIFY(desk.document.degraded()->links.size() < all);
        desk.bar.keep(QStringLiteral("2 % of links"));
        auto* selector = desk.bar.findChild<QLineEdit*>(QStringLiteral("fail-selector"));
        selector->setText(QStringLiteral("spine[99]"));
        QTest::keyClick(selector, Qt::Key_Return);
        QCOMPARE(refused.count(), 1);
        QCOMPARE(selector->text(), QStringLiteral("spine[99]")); // kept, to be mended
        selector->setText(QStringLiteral("tier=leaf"));
        QTest::keyClick(selector, Qt::Key_Return);
        QVERIFY(selector->text().isEmpty());
        desk.bar.keep(QStringLiteral("no leaves"));
        QCOMPARE(desk.bisectionGbps(), 0.0);
        auto* choice = desk.bar.findChild<QComboBox*>(QStringLiteral("fail-scenario"));
        QCOMPARE(choice->currentText(), QStringLiteral("no leaves"));
        choice->setCurrentText(QStringLiteral("2 % of links"));
        emit choice->activated(choice->currentIndex());
        QVERIFY(desk.document.failures().selectors.empty());
        QCOMPARE(desk.document.failures().linkShare, 0.02);
        desk.bar.forget(QStringLiteral("2 % of links"));
        QCOMPARE(desk.bar.scenarios().size(), std::size_t{1});
        QCOMPARE(kept.count(), 3);
    }
    void whatFailsInAFoldUnfoldsIt() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "512"}}));
        QVERIFY(desk.canvas.scene().foldedSus > 0 && !desk.canvas.isUnfolded());
        desk.bar.toggle("su[9]/srv[1]");
        QVERIFY(desk.canvas.isUnfolded());
        desk.turn(false); // as it was before
        QVERIFY(!desk.canvas.isUnfolded());
        desk.turn(true);
        QVERIFY(desk.canvas.isUnfolded());
        desk.bar.toggle("su[9]/srv[1]"); // mended
        QVERIFY(!desk.canvas.isUnfolded());
        desk.canvas.setUnfolded(true); // unfolded by hand it stays so
        desk.bar.toggle("su[9]/srv[1]");
        desk.turn(false);
        QVERIFY(desk.canvas.isUnfolded());
    }
    // Folding again while something inside has failed: once a chase of the two that overflowed the stack.
    void foldedAgainItStaysFolded() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "512"}}));
        desk.bar.toggle("su[9]/leaf[1]");
        QVERIFY(desk.canvas.isUnfolded());
        desk.canvas.setUnfolded(false);
        QVERIFY(!desk.canvas.isUnfolded());
        QVERIFY(desk.document.apply(setServers(*desk.document.now().design, 480)));
        QVERIFY(!desk.canvas.isUnfolded());
    }
    void manyAtOnce() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "512"}}));
        desk.canvas.setUnfolded(true);
        desk.canvas.selectAll();
        const auto all = desk.canvas.selectedPaths();
        const QSignalSpy changes(&desk.document, &Document::failuresChanged);
        desk.bar.failAll(all);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(desk.document.failures().selectors.size(), all.size());
        const auto slow = [&] { // one selector after the other
            Removal removal{std::vector<bool>(desk.document.now().fabric->devices.size()), {}};
            for (const std::string& path : all) {
                const auto one = select(*desk.document.now().fabric, path);
                for (const DeviceId d : indices<DeviceId>(one->devices.size())) removal.devices[d] = removal.devices[d] || one->devices[d];
            }
            return removal.devices;
        };
        QVERIFY(desk.document.failed().devices == slow());
        desk.bar.failAll({all[0], all[1]});
        QCOMPARE(desk.document.failures().selectors.size(), all.size() - 2);
    }
    // Nothing on the drawing is edited by a click, a drag or a double click of this mode.
    void dragsEditNothing() {
        DesignPointer drawn = dropItem(*emptyDesign(shippedCatalog()), PaletteItem::Leaf, {0, 0})->design;
        Desk desk(drawn);
        const QPoint at = test::centreOf(desk.canvas, desk.canvas.scene().nodes.front());
        test::drag(desk.canvas, at, {80, 80});
        QCOMPARE(desk.document.undoStack().count(), 0);
        QCOMPARE(desk.document.failures().selectors.size(), std::size_t{1});
    }
};

QTEST_MAIN(tst_failing)
#include "tst_failing.moc"
