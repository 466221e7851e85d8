// What lies behind and between the trays of a rack: the rails that run down through it, its HB links, and the trays of its HB switches.
#pragma once

#include "widgets/canvas/painter/painted_scene.h"

#include <QPainter>
#include <functional>

namespace railyard {

using RailColor = std::function<QColor(std::size_t)>; // by bundle of the scene
void paintRack(QPainter& painter, const PaintedScene& at, const SceneRack& rack, const RailColor& colorOf, bool showsRails);

} // namespace railyard
