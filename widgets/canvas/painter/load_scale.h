// Colours and widths of lines that show loads and counts.
#pragma once

#include "widgets/theme/tokens.h"

#include <QPainter>

namespace railyard {

// The legend of loadColor(), from idle to full and beyond.
constexpr QSizeF loadScaleSize(186, 18);
void paintLoadScale(QPainter& painter, QPointF at, const Tokens& tokens);

// Viridis up to full utilisation; a contrasting colour above.
QColor loadColor(double utilisation, const Tokens& tokens);

double bundleWidth(int links); // width in px at fit scale: min(9, 1 + 0.8 log2 n)

} // namespace railyard
