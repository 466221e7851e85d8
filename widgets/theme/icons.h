// Icons as strokes of 1.5 px in a box of 24, in one colour.
#pragma once

#include <QColor>
#include <QIcon>

namespace railyard {

enum class Icon { Undo, Redo, Fit, Search };
QIcon iconOf(Icon icon, const QColor& color, const QColor& disabled);

} // namespace railyard
