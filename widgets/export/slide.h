// One page for a presentation: the answer as its title, the drawing with models, speeds and ports of every tier, figures, the comparison
// with the twin, and the title block. Drawn for 1920 × 1080 and scaled to any size; no text is smaller than 22 px there, 18 px in the
// title block.
#pragma once

#include "widgets/export/pictures.h"
#include "widgets/export/slide_content.h"

namespace railyard {

constexpr QSizeF slidePage(1920, 1080);
// Areas of the page, which the picture and the presentation file share.
constexpr double slideLeft = 72, slideRight = 1856, slideFigures = 1312; // figures: from the last to the second
constexpr QRectF slideDrawing(slideLeft, 210, 1180, 560);

// The drawing, as wide as the area allows.
Scene slideScene(const Fabric& fabric, Detail detail, QSizeF area);
void paintSlide(QPainter& painter, const Fabric& fabric, const SlideContent& content, const PictureOptions& options);
Status drawSlide(const Fabric& fabric, const QString& path, const PictureOptions& options);

} // namespace railyard
