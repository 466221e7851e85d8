#include "widgets/canvas/overlays/ports_overlay.h"

#include "widgets/theme/text.h"

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
    if (const PortFace* face = faceOf(node)) return face->portOf(port) ? face->portOf(port)->box : QRectF();
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
    if (const PortFace* face = faceAt(screen)) {
        const PortFace::Port* port = face->portAt(screen);
        return port ? std::optional(port->number) : std::nullopt;
    }
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
        const auto grid = faceOf(n) ? std::nullopt : gridOf(n);
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
    for (const auto& [node, face] : faces()) {
        face.paint(painter, fabric(), tokens(), scene().rails, m_port.area(), m_loads.get());
        if (m_marked && m_marked->first == node) face.outline(painter, m_marked->second, tokens());
    }
    if (isAtPortLevel()) paintLegend(painter);
}

// What the signs of the port level mean, in a bar at the lower edge.
void PortsOverlay::paintLegend(QPainter& painter) const {
    constexpr double height = 34;
    const QRectF bar(0, m_port.area().bottom() - height, m_port.area().width(), height);
    painter.fillRect(bar, tokens().panel);
    painter.setFont(fontFor(TextRole::Caption));
    double x = 14;
    const auto say = [&](const QString& words) {
        const double width = painter.fontMetrics().horizontalAdvance(words);
        painter.setPen(tokens().text);
        painter.drawText(QRectF(x, bar.top(), width + 4, height), Qt::AlignLeft | Qt::AlignVCenter, words);
        x += width + 22;
    };
    const auto tabs = [&](bool isUsed, bool hasModule) {
        for (const bool isFirst : {true, false}) {
            const QRectF box(x + (isFirst ? 0 : 14), bar.center().y() - 7, 13, 14);
            painter.setPen(QPen(hasModule ? tokens().neutral : tokens().controlBorder, 1.4));
            painter.setBrush(isUsed && isFirst ? tokens().neutral : tokens().canvas);
            painter.drawRect(box);
        }
        x += 34;
    };
    tabs(true, true);
    say(QObject::tr("module fitted: port in use, port free"));
    tabs(false, false);
    say(QObject::tr("empty cage"));
    painter.setPen(QPen(tokens().neutral, 1.5));
    painter.drawLine(QPointF(x, bar.center().y()), QPointF(x + 24, bar.center().y()));
    x += 32;
    say(QObject::tr("one cable"));
    painter.setPen(QPen(tokens().cardBorder, 1.2));
    painter.setBrush(tokens().card);
    painter.drawRoundedRect(QRectF(x, bar.center().y() - 8, 24, 16), 4, 4);
    x += 32;
    say(QObject::tr("far ends; click to go there"));
}

const std::map<std::size_t, PortFace>& PortsOverlay::faces() const {
    const std::tuple now(m_port.sceneNumber(), view().scale, view().offset, m_port.size());
    if (m_facesOf && *m_facesOf == now) return m_faces;
    m_facesOf = now;
    m_faces.clear();
    for (std::size_t n = 0; n < scene().nodes.size(); ++n) {
        const QRectF screen = view().toScreen(scene().nodes[n].rect);
        if (scene().nodes[n].device == none || !PortFace::isLargeEnough(screen) || !screen.intersects(m_port.area())) continue;
        if (auto face = PortFace::of(fabric(), scene().nodes[n], m_port.cableIndex().linksOf(n), screen)) m_faces.emplace(n, *face);
    }
    return m_faces;
}

const PortFace* PortsOverlay::faceOf(std::size_t node) const {
    const auto found = faces().find(node);
    return found == m_faces.end() ? nullptr : &found->second;
}

const PortFace* PortsOverlay::faceAt(QPointF screen) const {
    const std::ptrdiff_t node = faces().empty() ? -1 : m_port.nodeAt(screen);
    return node < 0 ? nullptr : faceOf(static_cast<std::size_t>(node));
}

std::optional<LinkId> PortsOverlay::linkAt(QPointF screen) const {
    const PortFace* face = faceAt(screen);
    return face ? face->linkAt(screen) : std::nullopt;
}

DeviceId PortsOverlay::farEndAt(QPointF screen) const {
    const PortFace* face = faceAt(screen);
    const PortFace::FarEnd* end = face ? face->farEndAt(screen) : nullptr;
    return end ? end->device : DeviceId(none);
}

bool PortsOverlay::paintHighlighted(QPainter& painter, LinkId link) const {
    bool isFound = false;
    for (const auto& [node, face] : faces()) {
        isFound = isFound || face.has(link);
        face.paintHighlighted(painter, link, tokens(), scene().rails);
    }
    return isFound;
}

void PortsOverlay::outlineInstead(QPainter& painter, SceneHighlight& highlight) const {
    painter.setBrush(Qt::NoBrush);
    for (const auto& [node, face] : faces()) {
        if (highlight.hovered == static_cast<std::ptrdiff_t>(node)) highlight.hovered = -1;
        if (highlight.selected.erase(node) == 0) continue;
        painter.setPen(QPen(tokens().select, 2.2));
        painter.drawRoundedRect(face.body().adjusted(-4, -16, 4, 16), 5, 5);
    }
}

QString PortsOverlay::text() const {
    if (!isAtPortLevel()) return {};
    std::size_t cables = 0;
    for (const auto& [node, face] : faces()) cables += face.cables();
    return m_faces.size() == 1
               ? QObject::tr("%1 cables of %2 drawn individually, others as bundles")
                     .arg(cables)
                     .arg(railyard::text(m_port.pathOf(m_faces.begin()->first)))
               : QObject::tr("%1 cables of %2 switches drawn individually, others as bundles").arg(cables).arg(m_faces.size());
}

} // namespace railyard
