// Words in a painted widget: one line, cut where the box ends.
#pragma once

#include "widgets/theme/tokens.h"

#include <QPainter>

namespace railyard {

// `at`: Qt::AlignLeft and so on; always in the middle of the height.
inline void paintWords(QPainter& painter, const QRectF& box, Qt::Alignment at, const QString& words, const QColor& color,
                       TextRole role = TextRole::Body) {
    painter.setFont(fontFor(role));
    painter.setPen(color);
    painter.drawText(box, at | Qt::AlignVCenter, QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, box.width() + 1));
}

} // namespace railyard
