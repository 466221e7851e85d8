// Edits as text, the way the command line and scripts write them:
//   set PATH.key=value   keys part, label, at (x,y), rack, u; of a rack: place (B07); of the design: name, KEY of its recipe;
//                        a rack by its name or by the label of its tile
//   remove PATH
//   reset PATH                     takes back what was changed of it, or the place of a rack
//   connect A B                    A and B as in core/fabric/connect
//   disconnect A B                 ports of a cable drawn by hand
//   approve CODE SUBJECT REASON    SUBJECT * for every finding of the code
#pragma once

#include "core/design/edit.h"

namespace railyard {

// Usage errors name what cannot be understood; Unbuildable says why a well-formed edit is refused.
Result<Edit> applyEdit(const DesignPointer& design, std::string_view command);

} // namespace railyard
