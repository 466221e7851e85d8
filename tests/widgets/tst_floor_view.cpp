#include "core/io/document/design_json.h"
#include "tests/support/designs.h"
#include "tests/support/painted.h"
#include "widgets/floor/floor_view.h"
#include "widgets/panels/inspector_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>

using namespace railyard;

namespace {

QPushButton* buttonCalled(QWidget& view, const char* text) {
    for (QPushButton* button : view.findChildren<QPushButton*>())
        if (button->text() == QLatin1String(text)) return button;
    return nullptr;
}

} // namespace

class tst_floor_view : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_document = std::make_unique<Document>();
        m_document->open(test::designOf("superpod-h100", {{"servers", "64"}, {"racks", "auto"}}), {});
        m_view = std::make_unique<FloorView>(*m_document);
        m_view->resize(1400, 900);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void cleanup() {
        m_view.reset();
        m_document.reset();
    }
    void everyRackIsWhereItIsPainted() {
        const FloorPicture hall = plan().picture();
        const auto& racks = m_document->now().floor().racks;
        for (std::uint32_t r = 0; r < racks.size(); ++r) {
            QCOMPARE(hall.rackAt(hall.rectOf(racks[r].spot).center()), r);
            QVERIFY(QRectF(plan().rect()).contains(hall.rectOf(racks[r].spot)));
            QVERIFY(
                !hall.rectOf(racks[r].spot).intersects(hall.rectOf(racks[(r + 1) % racks.size()].spot).adjusted(0.01, 0.01, -0.01, -0.01)));
        }
    }
    void aDragMovesARackInOneUndoStep() {
        const double before = m_document->now().instant.floor->cable.value();
        drag("su[1]/rack[1]", {3, 2});
        QCOMPARE(spotOf("su[1]/rack[1]"), (RackSpot{3, 2}));
        QVERIFY(m_document->now().instant.floor->cable.value() > before);
        QCOMPARE(m_document->undoStack().count(), 1);
        QCOMPARE(m_document->undoStack().undoText(), QStringLiteral("Move su[1]/rack[1]"));
        m_document->undoStack().undo();
        QCOMPARE(m_document->now().instant.floor->cable.value(), before);
        QCOMPARE(spotOf("su[1]/rack[1]"), (RackSpot{1, 1}));
    }
    void aDropOnARackSwapsThem() {
        const RackSpot leaves = spotOf("su[1]/leaf-rack[1]");
        drag("su[1]/rack[1]", leaves);
        QCOMPARE(spotOf("su[1]/rack[1]"), leaves);
        QCOMPARE(spotOf("su[1]/leaf-rack[1]"), (RackSpot{1, 1}));
    }
    void aPressWithoutADragMovesNothing() {
        const QPoint at = plan().picture().rectOf(spotOf("su[1]/rack[1]")).center().toPoint();
        QTest::mouseClick(&plan(), Qt::LeftButton, {}, at);
        QCOMPARE(m_document->undoStack().count(), 0);
        QCOMPARE(m_document->now().floor().racks[plan().selected()].name, std::string("su[1]/rack[1]"));
    }
    void theDragSaysWhatItBrings() {
        QSignalSpy said(&plan(), &FloorPlanWidget::said);
        const QPoint to = dragTo("su[1]/leaf-rack[1]", {3, 2});
        QCOMPARE(said.last().first().toString(), QStringLiteral("Move su[1]/leaf-rack[1] to row 3, position 2")); // at once
        plan().wait();
        const QString words = said.last().first().toString();
        const double before = m_document->now().instant.floor->cable.value();
        QTest::mouseRelease(&plan(), Qt::LeftButton, {}, to);
        QCOMPARE(spotOf("su[1]/leaf-rack[1]"), (RackSpot{3, 2}));
        const double metres = m_document->now().instant.floor->cable.value() - before;
        QVERIFY2(words.contains(QStringLiteral("+%1 m of cable").arg(metres, 0, 'f', 0)), qPrintable(words)); // what was announced
    }
    void arrowsPickAndCtrlArrowsMove() {
        plan().setFocus();
        plan().select("su[1]/rack[1]");
        QTest::keyClick(&plan(), Qt::Key_Right);
        QCOMPARE(m_document->now().floor().racks[plan().selected()].name, std::string("su[1]/rack[2]"));
        QTest::keyClick(&plan(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(spotOf("su[1]/rack[2]"), (RackSpot{1, 1}));
        QSignalSpy refused(&plan(), &FloorPlanWidget::refused);
        QTest::keyClick(&plan(), Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(refused.size(), 1); // there is no row above the first
        QTest::keyClick(&plan(), Qt::Key_Escape);
        QCOMPARE(plan().selected(), none);
    }
    void racksComeAndGo() {
        buttonCalled(*m_view, "Remove racks")->click();
        QVERIFY(!m_document->now().floor().isPlaced());
        QCOMPARE(m_document->now().design->recipe->parameters.count("racks"), std::size_t{0});
        buttonCalled(*m_view, "Place racks")->click();
        QVERIFY(m_document->now().floor().isPlaced());
        auto* medium = m_view->findChild<QComboBox*>();
        medium->setCurrentIndex(1);
        emit medium->activated(1);
        QVERIFY(m_document->now().floor().plan.medium == CableMedium::ByLength);
        drag("su[1]/rack[1]", {5, 1});
        QVERIFY(m_document->now().floor().plan.medium == CableMedium::ByLength);
        buttonCalled(*m_view, "Reset rack positions")->click();
        QCOMPARE(spotOf("su[1]/rack[1]"), (RackSpot{1, 1}));
    }
    void theInspectorMountsADevice() {
        InspectorPanel inspector(*m_document);
        inspector.showSelection({"su[1]/leaf[1]"});
        const auto type = [&](const QString& field, const QString& value) {
            for (QLineEdit* edit : inspector.findChildren<QLineEdit*>())
                if (edit->accessibleName() == field) {
                    edit->setText(value);
                    emit edit->editingFinished();
                    QCoreApplication::processEvents();
                    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
                    return;
                }
            QFAIL("no such field");
        };
        const auto label = [&] { return m_document->now().floor().racks[plan().picture().rackOn({2, 3})].label; };
        type(QStringLiteral("Rack"), QString::fromStdString(label()));
        type(QStringLiteral("Lowest unit (U)"), QStringLiteral("40"));
        const Override& change = m_document->now().design->overrides.at("su[1]/leaf[1]");
        QCOMPARE(change.unit, 40);
        QVERIFY(change.rack.starts_with("su[2]/"));
        type(QStringLiteral("Rack"), QString());
        type(QStringLiteral("Lowest unit (U)"), QStringLiteral("0"));
        QVERIFY(!m_document->now().design->overrides.contains("su[1]/leaf[1]"));
        QSignalSpy refused(&inspector, &InspectorPanel::refused);
        type(QStringLiteral("Lowest unit (U)"), QStringLiteral("x"));
        QCOMPARE(refused.size(), 1);
    }
    void drawnByHandToo() {
        const auto sample = loadDesign(RAILYARD_SOURCE_DIR "/samples/hand-drawn.railyard");
        QVERIFY(sample);
        m_document->open(*sample, {});
        buttonCalled(*m_view, "Place racks")->click();
        QVERIFY(m_document->now().floor().isPlaced());
        for (const DeviceId d : m_document->now().fabric->devices.ids()) QVERIFY(m_document->now().floor().rackAt(d));
        QVERIFY(test::isPainted(m_view->grab()));
    }

private:
    FloorPlanWidget& plan() { return m_view->plan(); }
    RackSpot spotOf(std::string_view name) const {
        for (const Rack& rack : m_document->now().floor().racks)
            if (rack.name == name) return rack.spot;
        qFatal("no such rack");
    }
    QPoint dragTo(std::string_view name, RackSpot to) { // without the release; where it ends
        const FloorPicture hall = plan().picture();
        const QPoint from = hall.rectOf(spotOf(name)).center().toPoint(), end = hall.rectOf(to).center().toPoint();
        QTest::mousePress(&plan(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4; ++step) { // QTest::mouseMove does not say that the button is down
            const QPointF at = QPointF(from) + (QPointF(end) - QPointF(from)) * step / 4;
            QMouseEvent move(QEvent::MouseMove, at, plan().mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(&plan(), &move);
        }
        return end;
    }
    void drag(std::string_view name, RackSpot to) { QTest::mouseRelease(&plan(), Qt::LeftButton, {}, dragTo(name, to)); }

    std::unique_ptr<Document> m_document;
    std::unique_ptr<FloorView> m_view;
};

QTEST_MAIN(tst_floor_view)
#include "tst_floor_view.moc"
