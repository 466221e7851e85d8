// One drag through the window system itself: QDrag needs X11, so this runs under Xvfb.
#include "app/gui/main_window.h"
#include "tests/support/designs.h"
#include "widgets/canvas/canvas.h"
#include "widgets/panels/palette_panel.h"

#include <QDrag>
#include <QTimer>
#include <QWindow>

using namespace railyard;

class tst_real_drag : public QObject {
    Q_OBJECT

private slots:
    void serverFromPaletteToCanvas() {
        MainWindow window;
        window.resize(1200, 800);
        window.openDesign(test::designOf("superpod-h100", {{"servers", "64"}}));
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QWindow* handle = window.windowHandle();
        auto* button = window.findChild<PaletteButton*>(QStringLiteral("palette-server"));
        QVERIFY(button);
        const QPoint from = button->mapTo(&window, button->rect().center()),
                     to = window.canvas().mapTo(&window, window.canvas().rect().center());
        // exec() of the drag blocks in its own loop, so the rest is queued first.
        QTimer::singleShot(300, &window, [&] { QTest::mouseMove(handle, to - QPoint(10, 10)); });
        QTimer::singleShot(600, &window, [&] { QTest::mouseMove(handle, to); });
        QTimer::singleShot(900, &window, [&] { QTest::mouseRelease(handle, Qt::LeftButton, {}, to); });
        QTimer::singleShot(8000, &window, [] { QDrag::cancel(); });
        QTest::mousePress(handle, Qt::LeftButton, {}, from);
        QTest::mouseMove(handle, from + QPoint(20, 0));
        QTest::mouseMove(handle, from + QPoint(40, 10));
        QTRY_COMPARE_WITH_TIMEOUT(window.document().now().instant.counts.servers, std::int64_t{65}, 10000);
        QCOMPARE(window.document().undoStack().count(), 1);
        window.document().undoStack().setClean();
    }
};

QTEST_MAIN(tst_real_drag)
#include "tst_real_drag.moc"
