// Palette and style sheet of the whole program, made from the tokens.
#pragma once

#include "widgets/theme/tokens.h"

#include <QPalette>
#include <QString>

namespace railyard {

QPalette paletteOf(const Tokens& tokens);
QString styleSheetOf(const Tokens& tokens);

} // namespace railyard
