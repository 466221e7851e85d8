// Palette and style sheet of the program, derived from the colour tokens.
#pragma once

#include "widgets/theme/tokens.h"

#include <QPalette>
#include <QString>

namespace railyard {

QPalette paletteOf(const Tokens& tokens);
QPalette fieldPaletteOf(const Tokens& tokens); // for fields, lists and boxes, whose frame would be invisible in the dark theme
QString styleSheetOf(const Tokens& tokens);

} // namespace railyard
