// Guides: a dragged element snaps to the row of a tier, to the column of a leaf, or to other hand-drawn elements.
#pragma once

#include "widgets/canvas/viewport/viewport.h"

#include <QPainter>

namespace railyard {

struct Snap {
    QPointF by;                        // in world units
    std::optional<double> row, column; // the guides it snapped to
};

// `by`: px that the held node was dragged. Elements dragged with it keep their distance to it; without one nothing snaps.
Snap snapped(const Viewport& port, std::ptrdiff_t held, QPointF by);
void paintGuides(QPainter& painter, const Viewport& port, const Snap& snap);

} // namespace railyard
