// Who works for which job, and who sends to whom, on top of the drawn servers.
#pragma once

#include "widgets/canvas/painter/painted_scene.h"

namespace railyard {

// Servers in the colours of their jobs; beyond eight jobs the number distinguishes them.
void paintTerritories(QPainter& painter, const PaintedScene& at, const Territories& territories);
// Arrows between senders and receivers.
void paintHops(QPainter& painter, const PaintedScene& at, const Hops& hops);

} // namespace railyard
