#include "widgets/theme/icons.h"

#include <QPainter>
#include <QPainterPath>

namespace railyard {
namespace {

QPainterPath strokesOf(Icon icon) {
    QPainterPath path;
    switch (icon) {
    case Icon::Undo: // an arrow back
    case Icon::Redo: {
        path.moveTo(9, 5);
        path.lineTo(5, 9);
        path.lineTo(9, 13);
        path.moveTo(5, 9);
        path.lineTo(14, 9);
        path.arcTo(QRectF(9.5, 9, 9, 9), 90, -180);
        path.lineTo(9, 18);
        if (icon == Icon::Redo) path = QTransform(-1, 0, 0, 1, 24, 0).map(path);
        break;
    }
    case Icon::Fit: // four corners
        for (const QPointF& corner : {QPointF(5, 5), QPointF(19, 5), QPointF(19, 19), QPointF(5, 19)}) {
            const double x = corner.x() < 12 ? 4.5 : -4.5, y = corner.y() < 12 ? 4.5 : -4.5;
            path.moveTo(corner + QPointF(x, 0));
            path.lineTo(corner);
            path.lineTo(corner + QPointF(0, y));
        }
        break;
    case Icon::Search: // a magnifier
        path.addEllipse(QPointF(10.5, 10.5), 5.5, 5.5);
        path.moveTo(14.6, 14.6);
        path.lineTo(19.5, 19.5);
        break;
    }
    return path;
}

QPixmap drawn(Icon icon, const QColor& color) {
    constexpr int box = 24, ratio = 3; // sharp on screens of up to 300 %
    QPixmap pixmap(box * ratio, box * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(strokesOf(icon));
    return pixmap;
}

} // namespace

QIcon iconOf(Icon icon, const QColor& color, const QColor& disabled) {
    QIcon result(drawn(icon, color));
    result.addPixmap(drawn(icon, disabled), QIcon::Disabled);
    return result;
}

} // namespace railyard
