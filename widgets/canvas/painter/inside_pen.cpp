#include "widgets/canvas/painter/inside_pen.h"

#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <cmath>

namespace railyard {

void InsidePen::text(const QRectF& box, const QString& said, double size, const QColor& color, bool bold) {
    if (size < 10.7) return; // 8 pt
    QFont font = fontFor(TextRole::Caption);
    font.setPixelSize(static_cast<int>(std::lround(size)));
    font.setBold(bold);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(box, Qt::AlignCenter, said);
}

void InsidePen::pill(QPointF centre, const QString& said) {
    QFont font = fontFor(TextRole::Caption);
    font.setPixelSize(11);
    font.setBold(true);
    const double width = QFontMetricsF(font).horizontalAdvance(said) + 14;
    const QRectF box(centre.x() - width / 2, centre.y() - 8, width, 16);
    painter.setPen(QPen(tokens.neutral, 1.2));
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(box, 8, 8);
    text(box, said, 11, tokens.text, true);
}

void InsidePen::cross(const QRectF& box) {
    QColor fill = tokens.danger;
    fill.setAlphaF(0.3F);
    painter.fillRect(box, fill);
    painter.setPen(QPen(tokens.danger, 1.8));
    painter.drawLine(box.topLeft(), box.bottomRight());
    painter.drawLine(box.topRight(), box.bottomLeft());
}

QString insideText(const char* text) { return QCoreApplication::translate("Scene", text); }

} // namespace railyard
