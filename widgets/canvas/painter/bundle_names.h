// Close by, the ends of a bundle are out of sight. Its name, drawn on the part that is in sight, says where it leads.
#pragma once

#include "widgets/canvas/painter/painted_scene.h"

namespace railyard {

// `shown`: bits of Layer.
void paintBundleNames(QPainter& painter, const PaintedScene& painted, const Fabric& fabric, unsigned shown);

} // namespace railyard
