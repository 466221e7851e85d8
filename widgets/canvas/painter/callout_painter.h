// Callouts on top of the drawing.
#pragma once

#include "core/design/model/design.h"
#include "widgets/canvas/painter/painted_scene.h"

#include <vector>

namespace railyard {

// `callouts` are those of the design, in the order of the scene's.
void paintCallouts(QPainter& painter, const PaintedScene& at, const std::vector<Callout>& callouts);

} // namespace railyard
