// Switch ports, drawn when zoomed in: their use, and dragging from port to port to connect them.
#include "widgets/canvas/canvas.h"

#include <QPainter>
#include <cmath>

namespace railyard {

// Rows of ports in the lower part of a switch, as large as they fit; none if there is no room.
std::optional<Canvas::PortGrid> Canvas::portGridOf(std::size_t node) const {
    constexpr double leastPitch = 5; // px; smaller ports are not drawn
    const SceneNode& own = m_scene.nodes[node];
    const Fabric& fabric = *m_document.now().fabric;
    if (own.device == none || fabric.devices.kind[own.device] != DeviceKind::Switch) return {};
    const QRectF rect = m_view.toScreen(own.rect);
    PortGrid grid;
    grid.count = fabric.portCount(own.device);
    const QSizeF room(rect.width() * 0.62, rect.height() * 0.38);
    for (int rows = 1; rows <= 8; ++rows) {
        const int columns = (grid.count + rows - 1) / rows;
        const double pitch = std::min(room.width() / std::max(1, columns), room.height() / rows);
        if (pitch > grid.pitch) grid.pitch = pitch, grid.columns = columns;
    }
    if (grid.count == 0 || grid.pitch < leastPitch) return {};
    grid.pitch = std::min(grid.pitch, 22.0);
    grid.at = QPointF(rect.center().x() - grid.pitch * grid.columns / 2, rect.top() + rect.height() * 0.58);
    return grid;
}

QRectF Canvas::portRect(std::size_t node, int port) const {
    const auto grid = portGridOf(node);
    return grid && port <= grid->count ? grid->rectOf(port) : QRectF();
}

QRectF Canvas::PortGrid::rectOf(int port) const { // ports count from 1
    const int place = port - 1;
    return {at.x() + pitch * (place % columns), at.y() + pitch * (place / columns), pitch, pitch};
}

// The port under the pointer, counted from 1.
std::optional<int> Canvas::portAt(QPointF screen) const {
    const std::ptrdiff_t node = nodeAt(screen);
    const auto grid = node < 0 ? std::nullopt : portGridOf(static_cast<std::size_t>(node));
    if (!grid) return {};
    const int column = static_cast<int>(std::floor((screen.x() - grid->at.x()) / grid->pitch));
    const int row = static_cast<int>(std::floor((screen.y() - grid->at.y()) / grid->pitch));
    const int port = row * grid->columns + column + 1;
    const bool isInside = column >= 0 && column < grid->columns && row >= 0 && port <= grid->count;
    return isInside ? std::optional(port) : std::nullopt;
}

std::string Canvas::endPath(std::size_t node, std::optional<int> port) const {
    const std::string path = pathOf(m_scene.nodes[node]);
    if (!port) return path;
    return path + ":" + m_document.now().fabric->portName(m_scene.nodes[node].device, PortId(*port), LinkTier::LeafSpine);
}

std::set<int> Canvas::takenPorts(std::size_t node) {
    const Fabric& fabric = *m_document.now().fabric;
    const DeviceId device = m_scene.nodes[node].device;
    std::set<int> taken;
    for (const LinkId link : cableIndex().linksOf(node)) {
        if (fabric.links.a[link] == device) taken.insert(static_cast<int>(fabric.links.aPort[link]));
        if (fabric.links.b[link] == device) taken.insert(static_cast<int>(fabric.links.bPort[link]));
    }
    return taken;
}

void Canvas::paintPorts(QPainter& painter) {
    constexpr double closeBy = 2.4; // the same scale at which individual cables appear
    if (m_view.scale < closeBy) return;
    for (std::size_t n = 0; n < m_scene.nodes.size(); ++n) {
        if (!m_view.toScreen(m_scene.nodes[n].rect).intersects(QRectF(rect()))) continue;
        const auto grid = portGridOf(n);
        if (!grid) continue;
        const std::set<int> taken = takenPorts(n);
        painter.setPen(QPen(m_tokens.neutral, 1));
        for (int port = 1; port <= grid->count; ++port) {
            painter.setBrush(taken.contains(port) ? m_tokens.neutral : m_tokens.card);
            painter.drawRect(grid->rectOf(port).adjusted(0.75, 0.75, -0.75, -0.75));
        }
    }
}

} // namespace railyard
