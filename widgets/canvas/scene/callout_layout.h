// How large a callout is and where its coordinates start.
#pragma once

#include "widgets/canvas/scene/scene.h"

#include <QSizeF>

namespace railyard {

namespace callout {
inline constexpr double fontSize = 15, padding = 7, widest = 280, bracketDepth = 10, legendRow = 22, logoWidth = 120;
}

QString wordsOf(const Callout& callout);
// In units of the callout font. The font scales with the size of the drawing, so that it is readable when the whole drawing is visible.
QSizeF calloutSize(const QString& text, double width);
double calloutUnitOf(const Scene& scene);
// Accepts only PNG, which cannot reference other files, up to the size of a logo. The result is cached.
QImage pictureOf(const SharedText& text);
// The origin of a callout's coordinates.
QPointF calloutOrigin(Callout::Kind kind, const QRectF& about, bool below);

} // namespace railyard
