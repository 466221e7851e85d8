#include "widgets/canvas/tools/minimap_tool.h"

namespace railyard {

MinimapTool::MinimapTool(Viewport& port) : Tool(port) {
    const auto outdated = [this] { m_overview = QPixmap(); };
    QObject::connect(&port, &Viewport::sceneChanged, &port, outdated);
    QObject::connect(&port, &Viewport::railChanged, &port, outdated); // and the theme
}

QRectF MinimapTool::place() const {
    constexpr double widest = 200, highest = 130, margin = 12, leastWindow = 500;
    constexpr double most = 0.7; // if more of the drawing is visible, no minimap is needed
    const QRectF all = scene().bounds, inSight = m_port.seen().intersected(all);
    const QSizeF room = m_port.size();
    if (room.width() < leastWindow || all.isEmpty() || inSight.width() * inSight.height() > most * all.width() * all.height()) return {};
    const double scale = std::min(widest / all.width(), highest / all.height());
    const QSizeF size(all.width() * scale, std::max(12.0, all.height() * scale));
    return {QPointF(room.width() - size.width() - margin, room.height() - size.height() - margin), size};
}

bool MinimapTool::press(const Press& press) {
    if (press.button != Qt::LeftButton || !place().contains(press.at)) return false;
    centreOn(press.at);
    return true;
}

std::optional<Tool::Control> MinimapTool::controlAt(QPointF at) const {
    if (!place().contains(at)) return {};
    return Control{Qt::ArrowCursor, {}};
}

void MinimapTool::paint(QPainter& painter) {
    const QRectF at = place();
    if (at.isEmpty()) return;
    const QSize pixels = (at.size() * painter.device()->devicePixelRatioF()).toSize();
    if (m_overview.size() != pixels) {
        m_overview = QPixmap(pixels);
        QPainter own(&m_overview);
        const QRectF screen(QPointF(0, 0), QSizeF(pixels));
        ViewState whole;
        whole.scale = screen.width() / scene().bounds.width();
        whole.offset = -scene().bounds.topLeft() * whole.scale;
        ScenePainter(scene(), fabric(), tokens(), whole, screen).paint(own);
    }
    painter.drawPixmap(at, m_overview, QRectF(m_overview.rect()));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens().controlBorder, 1));
    painter.drawRect(at);
    const double scale = at.width() / scene().bounds.width();
    const QRectF seen = m_port.seen();
    const QRectF frame((seen.topLeft() - scene().bounds.topLeft()) * scale + at.topLeft(), seen.size() * scale);
    painter.setPen(QPen(tokens().accent, 2));
    painter.drawRect(frame.intersected(at));
}

void MinimapTool::centreOn(QPointF at) {
    const QRectF map = place();
    if (map.isEmpty()) return;
    const QPointF world = (at - map.topLeft()) * (scene().bounds.width() / map.width()) + scene().bounds.topLeft();
    m_port.panBy(m_port.area().center() - view().toScreen(world));
}

} // namespace railyard
