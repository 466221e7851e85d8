#include "widgets/canvas/painter/shapes.h"

#include <QPainter>
#include <QPixmap>

namespace railyard {
namespace {

QPainterPath polygon(std::initializer_list<QPointF> points) {
    QPainterPath path;
    path.addPolygon(QPolygonF(QList<QPointF>(points)));
    path.closeSubpath();
    return path;
}

QPainterPath octagon(const QRectF& r) {
    const double x = r.width() * 0.29, y = r.height() * 0.29;
    return polygon({{r.left() + x, r.top()},
                    {r.right() - x, r.top()},
                    {r.right(), r.top() + y},
                    {r.right(), r.bottom() - y},
                    {r.right() - x, r.bottom()},
                    {r.left() + x, r.bottom()},
                    {r.left(), r.bottom() - y},
                    {r.left(), r.top() + y}});
}

template <class Draw>
QIcon drawnIcon(const QColor& color, Draw draw) {
    QPixmap pixmap(48, 48);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(2, 2);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    draw(painter);
    return QIcon(pixmap);
}

} // namespace

QPainterPath silhouette(Shape shape, const QRectF& r) {
    QPainterPath path;
    switch (shape) {
    case Shape::Leaf:
        return polygon({{r.left() + r.width() * 0.2, r.top()},
                        {r.right() - r.width() * 0.2, r.top()},
                        {r.right(), r.bottom()},
                        {r.left(), r.bottom()}});
    case Shape::Spine: {
        const double point = std::min(r.height() / 2, r.width() * 0.25);
        return polygon({{r.left() + point, r.top()},
                        {r.right() - point, r.top()},
                        {r.right(), r.center().y()},
                        {r.right() - point, r.bottom()},
                        {r.left() + point, r.bottom()},
                        {r.left(), r.center().y()}});
    }
    case Shape::Superspine: return octagon(r);
    case Shape::Core:
        path = octagon(r);
        path.addPath(octagon(r.adjusted(r.width() * 0.22, r.height() * 0.22, -r.width() * 0.22, -r.height() * 0.22)));
        return path;
    case Shape::Group:
    case Shape::Callout:
    case Shape::HbDomain: path.addRoundedRect(r, 5, 5); return path;
    case Shape::Manager:
        path.addRoundedRect(r.adjusted(0, 0, 0, -r.height() * 0.25), 3, 3);
        path.moveTo(r.center().x(), r.bottom() - r.height() * 0.25);
        path.lineTo(r.center().x(), r.bottom());
        return path;
    case Shape::Server: path.addRoundedRect(r, 2, 2); return path;
    }
    return path;
}

QIcon shapeIcon(Shape shape, const QColor& color) {
    return drawnIcon(color, [&](QPainter& painter) {
        const QRectF box = shape == Shape::Spine    ? QRectF(2, 6, 20, 12)
                           : shape == Shape::Server ? QRectF(3, 5, 18, 14)
                                                    : QRectF(4, 5, 16, 14);
        painter.drawPath(silhouette(shape, box));
        if (shape == Shape::Server)
            for (int i = 0; i < 4; ++i) painter.drawLine(QPointF(6.5 + i * 3.7, 8), QPointF(6.5 + i * 3.7, 10));
    });
}

QIcon railIcon(const QColor& color) {
    return drawnIcon(color, [](QPainter& painter) {
        painter.drawLine(3, 9, 21, 9);
        painter.drawLine(3, 15, 21, 15);
        for (const int x : {7, 12, 17}) painter.drawLine(x, 6, x, 18);
    });
}

QIcon podIcon(const QColor& color) { // several cards in one frame
    return drawnIcon(color, [](QPainter& painter) {
        painter.drawRoundedRect(QRectF(2, 4, 20, 16), 3, 3);
        for (const double x : {5.0, 10.5, 16.0}) painter.drawRect(QRectF(x, 8, 3.5, 8));
    });
}

QIcon planeIcon(const QColor& color) { // two layers, one behind the other
    return drawnIcon(color, [](QPainter& painter) {
        painter.drawPolygon(QPolygonF({{3, 10}, {12, 5}, {21, 10}, {12, 15}}));
        painter.drawPolyline(QPolygonF({{3, 14}, {12, 19}, {21, 14}}));
    });
}

QIcon calloutIcon(std::string_view kind, const QColor& color) {
    return drawnIcon(color, [kind](QPainter& painter) {
        if (kind == "arrow") {
            painter.drawLine(5, 19, 18, 6);
            painter.drawPolyline(QPolygonF({{10, 6}, {18, 6}, {18, 14}}));
        } else if (kind == "bracket") {
            painter.drawPolyline(QPolygonF({{3, 17}, {3, 10}, {21, 10}, {21, 17}}));
            painter.drawLine(12, 10, 12, 6);
        } else if (kind == "legend") {
            for (const int y : {6, 12, 18}) {
                painter.drawRect(QRectF(4, y - 1.5, 4, 3));
                painter.drawLine(11, y, 21, y);
            }
        } else if (kind == "logo") {
            painter.drawRect(QRectF(3, 5, 18, 14));
            painter.drawPolyline(QPolygonF({{3, 17}, {9, 11}, {13, 15}, {16, 12}, {21, 17}}));
        } else {
            painter.drawLine(6, 6, 18, 6);
            painter.drawLine(12, 6, 12, 19);
        }
    });
}

} // namespace railyard
