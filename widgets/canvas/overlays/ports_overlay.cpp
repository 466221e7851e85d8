#include "widgets/canvas/overlays/ports_overlay.h"

#include "widgets/theme/text.h"

namespace railyard {

QRectF PortsOverlay::rectOf(std::size_t node, int port) const {
    const PortFace* face = faceOf(node);
    return face && face->portOf(port) ? face->portOf(port)->box : QRectF();
}

// The port under the pointer, counted from 1.
std::optional<int> PortsOverlay::portAt(QPointF screen) const {
    const PortFace* face = faceAt(screen);
    const PortFace::Port* port = face ? face->portAt(screen) : nullptr;
    return port ? std::optional(port->number) : std::nullopt;
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
    fans().paint(painter, tokens(), m_loads.get());
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

void PortsOverlay::take() const {
    const std::tuple now(m_port.sceneNumber(), view().scale, view().offset, m_port.size());
    if (m_facesOf && *m_facesOf == now) return;
    m_facesOf = now;
    m_faces.clear();
    for (std::size_t n = 0; n < scene().nodes.size(); ++n) {
        const QRectF screen = view().toScreen(scene().nodes[n].rect);
        if (scene().nodes[n].device == none || !PortFace::isLargeEnough(screen) || !screen.intersects(m_port.area())) continue;
        if (auto face = PortFace::create(fabric(), scene().nodes[n], m_port.cableIndex().linksOf(n), screen)) m_faces.emplace(n, *face);
    }
    m_fans = PairFans(scene(), fabric(), m_port.cableIndex(), view(), m_port.area(), [this](std::size_t n) { return m_faces.contains(n); });
}

std::set<std::size_t> PortsOverlay::nodesAtPortLevel() const {
    std::set<std::size_t> nodes;
    for (const auto& [node, face] : faces()) nodes.insert(node);
    return nodes;
}

const PortFace* PortsOverlay::faceOf(std::size_t node) const {
    const auto found = faces().find(node);
    return found == m_faces.end() ? nullptr : &found->second;
}

const PortFace* PortsOverlay::faceAt(QPointF screen) const {
    const std::ptrdiff_t node = faces().empty() ? -1 : m_port.nodeAt(screen);
    return node < 0 ? nullptr : faceOf(static_cast<std::size_t>(node));
}

std::vector<LinkId> PortsOverlay::cablesAt(QPointF screen) const {
    if (const PortFace* face = faceAt(screen)) {
        const auto link = face->linkAt(screen);
        return link ? std::vector{*link} : std::vector<LinkId>();
    }
    const PairFans::Pair* pair = m_port.nodeAt(screen) < 0 ? fans().pairAt(screen) : nullptr;
    return pair ? pair->links : std::vector<LinkId>();
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
    fans().paintHighlighted(painter, link, tokens());
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
    if (!isAtPortLevel() && fans().fans().empty()) return {};
    if (!isAtPortLevel()) return QObject::tr("one line for each pair of switch and device, other cables as bundles");
    std::size_t cables = 0;
    for (const auto& [node, face] : faces()) cables += face.cables();
    return m_faces.size() == 1
               ? QObject::tr("%1 cables of %2 drawn individually, others as bundles")
                     .arg(cables)
                     .arg(railyard::text(m_port.pathOf(m_faces.begin()->first)))
               : QObject::tr("%1 cables of %2 switches drawn individually, others as bundles").arg(cables).arg(m_faces.size());
}

} // namespace railyard
