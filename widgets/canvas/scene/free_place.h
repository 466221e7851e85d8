// Where something new can stand: the nearest place on which nothing stands yet.
#pragma once

#include "widgets/canvas/scene/scene.h"

namespace railyard {

// The centre of a rectangle of this size that keeps its distance (8 to devices, 14 to cards, 24 to tier bars) from all that is drawn, but
// for the nodes in `ignored`: first along the row of `centre`, then in the rows below and above.
QPointF freePlace(const Scene& scene, QPointF centre, QSizeF size, const std::set<std::size_t>& ignored = {});

QSizeF sizeOfHandDrawn(Shape shape);
// The row in which a switch of this shape stands, as a centre: the nearest of those that are drawn; empty if there is none.
std::optional<double> rowOf(const Scene& scene, Shape shape, double y);

} // namespace railyard
