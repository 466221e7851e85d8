#include "widgets/canvas/painter/painted_scene.h"

#include "widgets/theme/tokens.h"

#include <algorithm>
#include <cmath>

namespace railyard {

ViewState ViewState::fitting(const QRectF& world, const QRectF& screen) {
    ViewState view;
    if (world.isEmpty()) return view;
    view.scale = std::clamp(std::min(screen.width() / world.width(), screen.height() / world.height()), 0.02, 1.6);
    view.offset = screen.center() - world.center() * view.scale;
    return view;
}

void paintText(QPainter& painter, const QRectF& rect, int flags, const QString& text, double size, const QColor& color, bool bold) {
    if (size < smallestTextPx) return;
    QFont font = fontFor(TextRole::Body);
    font.setPixelSize(static_cast<int>(std::lround(std::min(size, 40.0))));
    font.setBold(bold);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, flags, text);
}

} // namespace railyard
