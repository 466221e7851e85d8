// Gestures on a canvas as the window system delivers them.
#pragma once

#include "widgets/canvas/canvas.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QTest>

namespace railyard::test {

// As the window system delivers a drag from the palette: enter, move, drop.
inline void drop(Canvas& canvas, const char* item, QPoint at, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    QMimeData data;
    data.setData(QLatin1String(paletteMimeType), item);
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, keys);
    QApplication::sendEvent(&canvas, &enter);
    QVERIFY(enter.isAccepted());
    QDragMoveEvent move(at, Qt::CopyAction, &data, Qt::LeftButton, keys);
    QApplication::sendEvent(&canvas, &move);
    QDropEvent dropped(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, keys);
    QApplication::sendEvent(&canvas, &dropped);
}
inline void drag(Canvas& canvas, QPoint from, QPoint by) {
    QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
    QTest::mouseMove(&canvas, from + by / 2);
    QTest::mouseMove(&canvas, from + by);
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from + by);
}
inline QPoint centreOf(const Canvas& canvas, const SceneNode& node) { return canvas.view().toScreen(node.rect.center()).toPoint(); }
inline const SceneNode* find(const Canvas& canvas, Shape shape, int number) {
    for (const SceneNode& node : canvas.scene().nodes)
        if (node.shape == shape && node.number == number) return &node;
    return nullptr;
}

} // namespace railyard::test
