// Outlines of the tiers, which distinguish them on the drawing and in icons.
#pragma once

#include "widgets/canvas/scene/scene.h"

#include <QIcon>
#include <QPainterPath>

namespace railyard {

QPainterPath silhouette(Shape shape, const QRectF& rect);
QIcon shapeIcon(Shape shape, const QColor& color);
QIcon railIcon(const QColor& color);
QIcon podIcon(const QColor& color);
QIcon planeIcon(const QColor& color);
QIcon calloutIcon(std::string_view kind, const QColor& color);

} // namespace railyard
