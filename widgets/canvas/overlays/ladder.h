// The table of spine counts beside the pointer of a drag.
#pragma once

#include "core/analysis/spine_options.h"
#include "widgets/theme/tokens.h"

#include <QPainter>
#include <QStringList>

namespace railyard {

// `chosen`: the spine count that a drop would set; the row is marked. `notes` stand below. Stays inside `area`, on the side of the pointer
// that has more room.
void paintLadder(QPainter& painter, const Tokens& tokens, const QRectF& area, QPointF at, const QString& title,
                 const std::vector<SpineOption>& options, int chosen, const QStringList& notes);

} // namespace railyard
