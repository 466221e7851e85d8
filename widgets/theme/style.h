// Palette and style sheet of the whole program, made from the tokens.
#pragma once

#include "widgets/theme/tokens.h"

#include <QPalette>
#include <QString>

namespace railyard {

QPalette paletteOf(const Tokens& tokens);
QPalette fieldPaletteOf(const Tokens& tokens); // of number fields and lists, whose frame would not be seen on dark colours
QString styleSheetOf(const Tokens& tokens);

} // namespace railyard
