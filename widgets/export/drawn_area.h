// Where elements stand in the drawing.
#pragma once

#include "core/fabric/fabric.h"
#include "widgets/canvas/scene/scene.h"

#include <QRectF>
#include <string>
#include <vector>

namespace railyard {

// Of these elements and blocks together, in world units and without a margin; empty if none of them is drawn. The scene is built once.
QRectF drawnArea(const Fabric& fabric, const std::vector<std::string>& paths, Detail detail);

} // namespace railyard
