// What the parts of a document must agree on: blocks that exist and do not contain themselves, rules that lead to devices, limits.
// Internal to core/io/document.
#pragma once

#include "core/design/model/design.h"
#include "core/json/json_view.h"

namespace railyard {

void checkReferences(const JsonSource& source, const Design& design); // adds to the errors of the source

} // namespace railyard
