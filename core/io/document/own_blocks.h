// The blocks of a document that people made, apart from those that its recipe creates.
#pragma once

#include "core/design/model/design.h"
#include "core/json/json_parse.h"

namespace railyard {

// Removes from the document of this design what its recipe creates.
void keepOwnBlocks(Json& document, const Design& design);

// Two people who each make a block of their own give it the same name, own-1. Where theirs is another block than ours, and neither is in
// the base, theirs gets a free name, in its references too.
void renameOwnBlocks(const Json& base, const Json& ours, Json& theirs);

} // namespace railyard
