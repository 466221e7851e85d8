// The minimap: while zoomed in, it shows the whole drawing in a corner with the visible part, and navigates on click.
#include "widgets/canvas/canvas.h"

namespace railyard {
namespace {
constexpr double widest = 200, highest = 130, margin = 12;
}

QRectF Canvas::minimap() const {
    constexpr double most = 0.7; // if more of the drawing is visible, no minimap is needed
    const QRectF all = m_scene.bounds, seen(m_view.toWorld(QPointF(0, 0)), m_view.toWorld(QPointF(width(), height())));
    const QRectF inSight = seen.intersected(all);
    if (width() < 500 || all.isEmpty() || inSight.width() * inSight.height() > most * all.width() * all.height()) return {};
    const double scale = std::min(widest / all.width(), highest / all.height());
    const QSizeF size(all.width() * scale, std::max(12.0, all.height() * scale));
    return {QPointF(width() - size.width() - margin, height() - size.height() - margin), size};
}

void Canvas::paintMinimap(QPainter& painter) {
    const QRectF place = minimap();
    if (place.isEmpty()) return;
    const QSize pixels = (place.size() * devicePixelRatioF()).toSize();
    if (m_overview.size() != pixels) {
        m_overview = QPixmap(pixels);
        QPainter own(&m_overview);
        const QRectF screen(QPointF(0, 0), QSizeF(pixels));
        ViewState view;
        view.scale = screen.width() / m_scene.bounds.width();
        view.offset = -m_scene.bounds.topLeft() * view.scale;
        ScenePainter(m_scene, *m_document.now().fabric, m_tokens, view, screen).paint(own);
    }
    painter.drawPixmap(place, m_overview, QRectF(m_overview.rect()));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_tokens.controlBorder, 1));
    painter.drawRect(place);
    const double scale = place.width() / m_scene.bounds.width();
    const QRectF seen(m_view.toWorld(QPointF(0, 0)), m_view.toWorld(QPointF(width(), height())));
    const QRectF frame((seen.topLeft() - m_scene.bounds.topLeft()) * scale + place.topLeft(), seen.size() * scale);
    painter.setPen(QPen(m_tokens.accent, 2));
    painter.drawRect(frame.intersected(place));
}

void Canvas::centreOn(QPointF onMinimap) {
    const QRectF place = minimap();
    if (place.isEmpty()) return;
    const QPointF world = (onMinimap - place.topLeft()) * (m_scene.bounds.width() / place.width()) + m_scene.bounds.topLeft();
    panBy(QRectF(rect()).center() - m_view.toScreen(world));
}

} // namespace railyard
