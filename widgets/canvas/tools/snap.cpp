#include "widgets/canvas/tools/snap.h"

#include <cmath>

namespace railyard {
namespace {

std::optional<double> nearest(const std::vector<double>& lines, double to, double reach) {
    std::optional<double> best;
    for (const double line : lines)
        if (std::abs(line - to) <= (best ? std::abs(*best - to) : reach)) best = line;
    return best;
}

} // namespace

// The dragged element snaps; elements dragged with it keep their distance to it.
Snap snapped(const Viewport& port, std::ptrdiff_t heldNode, QPointF by) {
    const Scene& scene = port.scene();
    const ViewState& view = port.view();
    constexpr double reachPixels = 7;
    Snap snap{by / view.scale, {}, {}};
    if (heldNode < 0) return snap;
    const SceneNode& held = scene.nodes[static_cast<std::size_t>(heldNode)];
    if (!held.handDrawn || held.shape == Shape::Callout) return snap;
    std::vector<double> rows, columns;
    for (const SceneBar& bar : scene.bars) rows.push_back(bar.rect.center().y());
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const SceneNode& node = scene.nodes[n];
        const bool isInLine = node.handDrawn ? node.shape != Shape::Callout && !port.selected().contains(n) : node.shape == Shape::Leaf;
        if (!isInLine) continue;
        rows.push_back(node.rect.center().y());
        columns.push_back(node.rect.center().x());
    }
    const QPointF centre = held.rect.center() + snap.by;
    snap.row = nearest(rows, centre.y(), reachPixels / view.scale);
    snap.column = nearest(columns, centre.x(), reachPixels / view.scale);
    if (snap.row) snap.by.setY(*snap.row - held.rect.center().y());
    if (snap.column) snap.by.setX(*snap.column - held.rect.center().x());
    return snap;
}

void paintGuides(QPainter& painter, const Viewport& port, const Snap& snap) {
    painter.setPen(QPen(port.tokens().accent, 1, Qt::DashLine));
    if (snap.row) {
        const double y = port.view().toScreen(QPointF(0, *snap.row)).y();
        painter.drawLine(QPointF(0, y), QPointF(port.size().width(), y));
    }
    if (snap.column) {
        const double x = port.view().toScreen(QPointF(*snap.column, 0)).x();
        painter.drawLine(QPointF(x, 0), QPointF(x, port.size().height()));
    }
}

} // namespace railyard
