// The tip at the pointer of a drag.
#pragma once

#include "widgets/theme/tokens.h"

#include <QPainter>
#include <QStringList>

namespace railyard {

// Stays inside `area`, although the pointer may have left it.
void paintTip(QPainter& painter, const Tokens& tokens, const QRectF& area, QPointF at, const QStringList& lines, bool isRefusal);

} // namespace railyard
