#include "widgets/canvas/painter/traffic_marks.h"

#include <QCoreApplication>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace railyard {

// Eight colours; beyond that the job number distinguishes jobs.
void paintTerritories(QPainter& painter, const PaintedScene& at, const Territories& territories) {
    std::vector<bool> isFolded(at.scene.nodes.size()); // nodes that represent servers of several SUs
    for (const SceneCard& card : at.scene.cards)
        for (std::size_t n = card.firstNode; card.folded > 1 && n < card.lastNode; ++n) isFolded[n] = true;
    for (const SceneNode& node : at.scene.nodes) {
        if (isFolded[static_cast<std::size_t>(&node - at.scene.nodes.data())]) continue;
        if (node.scope == none || (node.shape != Shape::Server && node.shape != Shape::HbDomain)) continue;
        const int job = territories.ofScope[node.scope];
        const QRectF rect = at.view.toScreen(node.rect);
        if (job < 0 || !at.visible(rect)) continue;
        const QColor ink = at.tokens.jobs[static_cast<std::size_t>(job) % at.tokens.jobs.size()];
        QColor fill = ink;
        fill.setAlphaF(0.3F);
        painter.fillRect(rect, rect.width() < 10 ? ink : fill);
        if (rect.width() < 10) continue;
        painter.setPen(QPen(ink, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
        if (rect.width() < 20 || node.shape != Shape::Server) continue;
        const double height = std::min(rect.height() * 0.28, 16.0);
        const QRectF tag(rect.left() + 2, rect.bottom() - height - 2, rect.width() - 4, height);
        painter.fillRect(tag, ink);
        paintText(painter, tag, Qt::AlignCenter, QObject::tr("Job %1").arg(job + 1), height * 0.72, inkOn(ink), true);
    }
}

// Slightly curved, so that the two directions can be distinguished; with an arrowhead if there is room.
void paintHops(QPainter& painter, const PaintedScene& at, const Hops& hops) {
    if (at.isPlan()) return;
    std::unordered_map<std::uint32_t, QRectF> places;
    for (const SceneNode& node : at.scene.nodes)
        if (node.scope != none && (node.shape == Shape::Server || node.shape == Shape::HbDomain))
            places[node.scope] = at.view.toScreen(node.rect);
    QColor ink = at.tokens.text;
    const bool isSmall = at.serverWidth < 16; // little room for many arrows
    ink.setAlphaF(isSmall ? 0.5F : 0.75F);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [from, to] : hops) {
        const auto a = places.find(from), b = places.find(to);
        if (a == places.end() || b == places.end()) continue;
        const auto belowNumber = [](const QRectF& rect) { return rect.center() + QPointF(0, rect.height() * 0.3); };
        const QPointF start = belowNumber(a->second), end = belowNumber(b->second), along = end - start;
        if (!at.visible(QRectF(start, end).normalized().adjusted(-1, -1, 1, 1))) continue;
        const double length = std::hypot(along.x(), along.y());
        if (length < 4) continue;
        const QPointF unit = along / length, across(-unit.y(), unit.x());
        const QPointF bend = (start + end) / 2 + across * std::min(length * 0.2, 70.0);
        QPainterPath path(start);
        path.quadTo(bend, end);
        painter.setPen(QPen(ink, isSmall ? 0.7 : 1.3));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        if (isSmall || length < 20) continue;
        const QPointF tip = path.pointAtPercent(0.62), back = path.pointAtPercent(0.55), way = tip - back;
        const double step = std::hypot(way.x(), way.y());
        const QPointF ahead = way / step, aside(-ahead.y(), ahead.x());
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        painter.drawPolygon(QPolygonF{tip, tip - ahead * 7 + aside * 3.5, tip - ahead * 7 - aside * 3.5});
    }
    painter.restore();
}

} // namespace railyard
