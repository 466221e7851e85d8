#include "widgets/canvas/overlays/tip.h"

#include "widgets/theme/text.h"

#include <algorithm>

namespace railyard {

void paintTip(QPainter& painter, const Tokens& tokens, const QRectF& area, QPointF at, const QStringList& lines, bool isRefusal) {
    const QFont font = fontFor(TextRole::Body);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const double most = std::min(380.0, area.width() - 40.0);
    double height = 12, widest = 0;
    for (const QString& line : lines) {
        const QRectF box = metrics.boundingRect(QRectF(0, 0, most, 400), Qt::TextWordWrap, line);
        height += box.height() + 2;
        widest = std::max(widest, box.width());
    }
    QRectF box(at + QPointF(18, 18), QSizeF(widest + 24, height));
    if (box.right() > area.width() - 8) box.moveRight(std::max(box.width(), at.x() - 18));
    if (box.bottom() > area.height() - 8) box.moveBottom(at.y() - 18);
    // The pointer of a drag may be outside.
    box.moveTopLeft({std::clamp(box.left(), 8.0, std::max(8.0, area.width() - 8 - box.width())),
                     std::clamp(box.top(), 8.0, std::max(8.0, area.height() - 8 - box.height()))});
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, tokens.isDark ? 115 : 56));
    painter.drawRoundedRect(box.translated(0, 4), 6, 6);
    painter.setBrush(isRefusal ? tokens.dangerBg : tokens.tip);
    painter.setPen(isRefusal ? QPen(tokens.danger, 1.2) : QPen(Qt::NoPen));
    painter.drawRoundedRect(box, 6, 6);
    painter.setPen(isRefusal ? tokens.danger : tokens.onTip);
    double y = box.top() + 6;
    for (const QString& line : lines) {
        const QRectF place = metrics.boundingRect(QRectF(0, 0, most, 400), Qt::TextWordWrap, line);
        painter.drawText(QRectF(box.left() + 12, y, place.width() + 4, place.height()), Qt::TextWordWrap, line);
        y += place.height() + 2;
    }
}

} // namespace railyard
