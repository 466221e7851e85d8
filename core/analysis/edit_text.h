// Edits as text, as used by the command line, scripts and the fixes of findings:
//   set PATH.key=value   an element has part, label, at (x,y), rack and u; a rack has place (B07); the design has name and
//                        the keys of its recipe; a rack is named by its name or by the label of its tile
//   recipe KEY=VALUE KEY=VALUE...  several settings of the recipe in one step; an empty value is the default
//   remove PATH
//   reset PATH                     removes the override of an element, or resets the position of a rack
//   connect A B                    A and B as described in core/fabric/connect
//   disconnect A B                 the two ports of a hand-drawn cable
//   approve CODE SUBJECT REASON    SUBJECT * for every finding of the code
#pragma once

#include "core/design/edits/edit.h"

namespace railyard {

// Usage errors name the part of the text that is not understood; Unbuildable errors state why a valid edit is rejected.
Result<Edit> applyEdit(const DesignPointer& design, std::string_view command);

} // namespace railyard
