// One page for a presentation: the answer as its title, the drawing with models, speeds and ports of every tier, figures, the comparison
// with the twin, and the title block. Drawn for 1920 × 1080 and scaled to any size; no text is smaller than 22 px there, 18 px in the
// title block.
#pragma once

#include "core/io/presentation/slide_content.h"
#include "widgets/export/pictures.h"

#include <QFont>
#include <functional>

namespace railyard {

constexpr QSizeF slidePage(1920, 1080);
// Areas of the page, which the picture and the presentation file share.
constexpr double slideLeft = 72, slideRight = 1856, slideFigures = 1312; // figures: from the last to the second
constexpr QRectF slideDrawing(slideLeft, 210, 1180, 560);

// The drawing, as wide as the area allows.
Scene slideScene(const Fabric& fabric, Detail detail, QSizeF area);
// The same on other pages, its text `zoom` times as large as on screen.
void paintPageDrawing(QPainter& painter, const Fabric& fabric, const Tokens& tokens, Detail detail, const QRectF& area, double zoom);

// What slides look like, in pixels of their page; words that are too long are shortened, and their width is returned.
QFont slideFont(int pixels, bool isBold = false);
double paintSlideWords(QPainter& painter, const QRectF& box, const QString& text, const QFont& font, const QColor& color,
                       Qt::Alignment alignment = Qt::AlignLeft);
QString withWholeNumbers(QString title); // no line ends between a number and its unit: "$49.9 k", "11 %"
void paintSlideTitle(QPainter& painter, const QString& text, const QColor& color); // two lines at most, smaller where it would be more
// Calls `paint` with the page of a slide in the middle of this size.
void paintOnSlide(QPainter& painter, QSizeF size, const Tokens& tokens, const std::function<void()>& paint);

void paintSlide(QPainter& painter, const Fabric& fabric, const SlideContent& content, const PictureOptions& options);
Status drawSlide(const Fabric& fabric, const QString& path, const PictureOptions& options);

} // namespace railyard
