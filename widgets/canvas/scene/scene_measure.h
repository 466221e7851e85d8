// Measures of the drawing in world units, and its words.
#pragma once

#include "core/base/unit_text.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <QString>

namespace railyard {

namespace measure {
inline constexpr double labelColumn = 118, cardWidth = 232, cardHeight = 276, cardGap = 14, cardPadding = 10, cardHeader = 32, aisle = 14;
inline constexpr double barHeight = 62, leafHeight = 26, leafWidth = 25, laneSpacing = 19, barGap = 44, leafGap = 54, gutter = 9;
} // namespace measure
inline constexpr double planeGap = 0.8; // gap between the leaves of two planes, in leaf widths

inline QString sceneText(const char* words) { return QCoreApplication::translate("Scene", words); }
inline QString grouped(std::int64_t count) { return QString::fromStdString(formatCount(count)); }

} // namespace railyard
