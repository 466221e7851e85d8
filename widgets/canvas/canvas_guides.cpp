// Guides: a dragged element snaps to the row of a tier, to the column of a leaf, or to other hand-drawn elements.
#include "widgets/canvas/canvas.h"

#include <QPainter>

namespace railyard {

static std::optional<double> nearest(const std::vector<double>& lines, double to, double reach) {
    std::optional<double> best;
    for (const double line : lines)
        if (std::abs(line - to) <= (best ? std::abs(*best - to) : reach)) best = line;
    return best;
}

// The dragged element snaps; elements dragged with it keep their distance to it.
Canvas::Snap Canvas::snap() const {
    constexpr double reachPixels = 7;
    Snap snap{(m_lastAt - m_pressedAt) / m_view.scale, {}, {}};
    if (m_pressedNode < 0) return snap;
    const SceneNode& held = m_scene.nodes[static_cast<std::size_t>(m_pressedNode)];
    if (!held.handDrawn || held.shape == Shape::Callout) return snap;
    std::vector<double> rows, columns;
    for (const SceneBar& bar : m_scene.bars) rows.push_back(bar.rect.center().y());
    for (std::size_t n = 0; n < m_scene.nodes.size(); ++n) {
        const SceneNode& node = m_scene.nodes[n];
        const bool isInLine =
            node.handDrawn ? node.shape != Shape::Callout && !m_highlight.selected.contains(n) : node.shape == Shape::Leaf;
        if (!isInLine) continue;
        rows.push_back(node.rect.center().y());
        columns.push_back(node.rect.center().x());
    }
    const QPointF centre = held.rect.center() + snap.by;
    snap.row = nearest(rows, centre.y(), reachPixels / m_view.scale);
    snap.column = nearest(columns, centre.x(), reachPixels / m_view.scale);
    if (snap.row) snap.by.setY(*snap.row - held.rect.center().y());
    if (snap.column) snap.by.setX(*snap.column - held.rect.center().x());
    return snap;
}

void Canvas::paintGuides(QPainter& painter, const Snap& snap) const {
    painter.setPen(QPen(m_tokens.accent, 1, Qt::DashLine));
    if (snap.row) {
        const double y = m_view.toScreen(QPointF(0, *snap.row)).y();
        painter.drawLine(QPointF(0, y), QPointF(width(), y));
    }
    if (snap.column) {
        const double x = m_view.toScreen(QPointF(*snap.column, 0)).x();
        painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    }
}

} // namespace railyard
