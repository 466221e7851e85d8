// The part of the inspector that shows the blocks of the selection: where their definition comes from, and their contents as fields.
#pragma once

#include "core/fabric/edit_scope.h"
#include "widgets/panels/inspector_form.h"

namespace railyard {

struct BlockSelection {
    std::vector<std::string> selected, affected; // paths: what is selected, and what the edit scope makes of it
    EditScope scope = EditScope::This;
};
// `dissolve` is called with the path of a block.
void addBlockSection(InspectorForm& form, Document& document, const BlockSelection& selection,
                     std::function<void(const std::string&)> dissolve);

} // namespace railyard
