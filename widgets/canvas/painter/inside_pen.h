// Words, counts and crosses inside servers.
#pragma once

#include "widgets/theme/tokens.h"

#include <QPainter>

namespace railyard {

struct InsidePen {
    QPainter& painter;
    const Tokens& tokens;

    void text(const QRectF& box, const QString& said, double size, const QColor& color, bool bold = false); // none below 8 pt
    void pill(QPointF centre, const QString& said);
    void cross(const QRectF& box); // over what has failed
};

QString insideText(const char* text); // translated

} // namespace railyard
