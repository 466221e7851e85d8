// Painting: the picture of the scene, which is kept while nothing in it changes, and what lies above it.
#include "widgets/canvas/canvas.h"

#include <QPaintEvent>

namespace railyard {

// When zoomed in far enough, the individual cables of the visible elements replace the bundles.
LinkOverlay Canvas::cablesFromCloseBy() {
    constexpr std::size_t mostNodes = 96;
    if (!isCloseBy() || !m_port.selected().empty() || !m_port.isShown(Layer::HostLinks)) return {};
    std::set<std::size_t> seen;
    for (std::size_t n = 0; n < scene().nodes.size() && seen.size() <= mostNodes; ++n)
        if (m_port.isInSight(view().toScreen(scene().nodes[n].rect))) seen.insert(n);
    return seen.size() > mostNodes ? LinkOverlay() : LinkOverlay(scene(), m_port.fabric(), m_port.cableIndex(), seen);
}

void Canvas::paintPicture() {
    m_picture = QPixmap(size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&m_picture);
    ScenePainter whole(scene(), m_port.fabric(), m_port.tokens(), view(), m_port.area());
    constexpr std::size_t mostTiles = 20'000; // limits the memory used when many edits are made at one scale
    if (std::exchange(m_tileScale, view().scale) != view().scale || m_tiles.size() > mostTiles) m_tiles.clear();
    whole.copyTiles(m_tiles);
    const LinkOverlay near = cablesFromCloseBy();
    const unsigned bundled = 1U << static_cast<unsigned>(Layer::HostLinks) | 1U << static_cast<unsigned>(Layer::RailLinks);
    whole.setLayers(near.isWhole() ? m_port.layers() & ~bundled : m_port.layers());
    whole.highlightRail(m_port.highlight().rail);
    if (m_loads) whole.showLoads(m_bundleLoads, m_nodeLoads, *m_loads);
    if (!m_hops.empty()) whole.showHops(m_hops);
    if (!m_territories.isEmpty()) whole.showTerritories(m_territories);
    whole.paint(painter);
    if (near.isWhole()) near.paint(painter, m_port.tokens(), view(), false, m_loads.get());
    if (std::exchange(m_isSingle, near.isWhole()) != m_isSingle)
        QMetaObject::invokeMethod(
            this, [this] { say(); }, Qt::QueuedConnection);
    if (isSelectionInPicture()) whole.selection(painter, {m_port.selected(), -1, 0});
}

void Canvas::paintAffected(QPainter& painter) {
    QPen members(m_port.tokens().select, 1.4, Qt::CustomDashLine);
    members.setDashPattern({3, 3});
    painter.setPen(members);
    painter.setBrush(Qt::NoBrush);
    for (const std::size_t n : m_affected)
        if (const QRectF box = view().toScreen(scene().nodes[n].rect); m_port.isInSight(box))
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 4, 4);
}

void Canvas::paintEvent(QPaintEvent*) {
    if (m_picture.size() != size() * devicePixelRatioF() || m_picture.devicePixelRatio() != devicePixelRatioF()) paintPicture();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    m_ports.paint(painter);
    m_halves.paint(painter);
    m_fail.paint(painter);
    m_cables.paint(painter, m_port.tokens(), view(), true, m_loads.get());
    const SceneHighlight moving{isSelectionInPicture() ? std::set<std::size_t>() : m_port.selected(), m_port.highlight().hovered, 0};
    ScenePainter(scene(), m_port.fabric(), m_port.tokens(), view(), m_port.area()).selection(painter, moving);
    paintAffected(painter);
    if (!isFailing() && !m_active) m_scopes.paint(painter);
    for (CanvasPart* part :
         std::initializer_list<CanvasPart*>{&m_chips, &m_counts, &m_select, &m_cardTool, &m_connect, &m_minimap, &m_drop})
        part->paint(painter);
    if (hasFocus() && m_focusByKey && m_port.selected().empty()) {
        painter.setPen(QPen(m_port.tokens().focus, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_port.area().adjusted(1, 1, -1, -1));
    }
}

} // namespace railyard
