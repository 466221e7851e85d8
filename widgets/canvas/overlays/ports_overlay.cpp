#include "widgets/canvas/overlays/ports_overlay.h"

#include <cmath>

namespace railyard {

// Rows of ports in the lower part of a switch, as large as they fit; none if there is no room.
std::optional<PortGrid> PortsOverlay::gridOf(std::size_t node) const {
    constexpr double leastPitch = 5; // px; smaller ports are not drawn
    const SceneNode& own = scene().nodes[node];
    if (own.device == none || fabric().devices.kind[own.device] != DeviceKind::Switch) return {};
    const QRectF box = view().toScreen(own.rect);
    PortGrid grid;
    grid.count = fabric().portCount(own.device);
    const QSizeF room(box.width() * 0.62, box.height() * 0.38);
    for (int rows = 1; rows <= 8; ++rows) {
        const int columns = (grid.count + rows - 1) / rows;
        const double pitch = std::min(room.width() / std::max(1, columns), room.height() / rows);
        if (pitch > grid.pitch) grid.pitch = pitch, grid.columns = columns;
    }
    if (grid.count == 0 || grid.pitch < leastPitch) return {};
    grid.pitch = std::min(grid.pitch, 34.0);
    grid.at = QPointF(box.center().x() - grid.pitch * grid.columns / 2, box.top() + box.height() * 0.58);
    return grid;
}

QRectF PortsOverlay::rectOf(std::size_t node, int port) const {
    const auto grid = gridOf(node);
    return grid && port <= grid->count ? grid->rectOf(port) : QRectF();
}

QRectF PortGrid::rectOf(int port) const { // ports count from 1
    const int place = port - 1;
    return {at.x() + pitch * (place % columns), at.y() + pitch * (place / columns), pitch, pitch};
}

// The port under the pointer, counted from 1.
std::optional<int> PortsOverlay::portAt(QPointF screen) const {
    const std::ptrdiff_t node = m_port.nodeAt(screen);
    const auto grid = node < 0 ? std::nullopt : gridOf(static_cast<std::size_t>(node));
    if (!grid) return {};
    const int column = static_cast<int>(std::floor((screen.x() - grid->at.x()) / grid->pitch));
    const int row = static_cast<int>(std::floor((screen.y() - grid->at.y()) / grid->pitch));
    const int port = row * grid->columns + column + 1;
    const bool isInside = column >= 0 && column < grid->columns && row >= 0 && port <= grid->count;
    return isInside ? std::optional(port) : std::nullopt;
}

std::string PortsOverlay::endPath(std::size_t node, std::optional<int> port) const {
    const std::string path = m_port.pathOf(scene().nodes[node]);
    if (!port) return path;
    return path + ":" + fabric().portName(scene().nodes[node].device, PortId(*port), LinkTier::LeafSpine);
}

std::set<int> PortsOverlay::takenPorts(std::size_t node) const {
    const DeviceId device = scene().nodes[node].device;
    std::set<int> taken;
    for (const LinkId link : m_port.cableIndex().linksOf(node)) {
        if (fabric().links.a[link] == device) taken.insert(static_cast<int>(fabric().links.aPort[link]));
        if (fabric().links.b[link] == device) taken.insert(static_cast<int>(fabric().links.bPort[link]));
    }
    return taken;
}

void PortsOverlay::paint(QPainter& painter) {
    constexpr double closeBy = 2.4; // the same scale at which individual cables appear
    if (view().scale < closeBy) return;
    for (std::size_t n = 0; n < scene().nodes.size(); ++n) {
        if (!view().toScreen(scene().nodes[n].rect).intersects(m_port.area())) continue;
        const auto grid = gridOf(n);
        if (!grid) continue;
        const std::set<int> taken = takenPorts(n);
        const SceneNode& node = scene().nodes[n];
        const QColor fill = node.rail > 0 ? tokens().rail(node.rail, scene().rails) : tokens().neutral;
        constexpr double leastForNumbers = 17;
        QFont font = fontFor(TextRole::Caption);
        font.setPixelSize(11);
        painter.setFont(font);
        for (int port = 1; port <= grid->count; ++port) {
            const QRectF box = grid->rectOf(port).adjusted(0.75, 0.75, -0.75, -0.75);
            const bool isTaken = taken.contains(port), isMarked = m_marked && *m_marked == std::pair(n, port);
            painter.setPen(isMarked ? QPen(tokens().select, 2.2) : QPen(fill, 1));
            painter.setBrush(isTaken ? fill : tokens().card);
            painter.drawRect(isMarked ? box.adjusted(-1.2, -1.2, 1.2, 1.2) : box);
            if (grid->pitch < leastForNumbers) continue;
            painter.setPen(isTaken ? inkOn(fill) : tokens().text2);
            painter.drawText(box, Qt::AlignCenter, QString::number(port));
        }
    }
}

} // namespace railyard
