// Where file dialogs start.
#pragma once

#include "widgets/document/document.h"

namespace railyard {

// The folder of the document's file; if it has not been saved, or the folder is gone, the user's Documents folder.
QString folderOf(const Document& document);
// A file in that folder, named after the design: ".../Pod 7-bom.xlsx" for the suffix "-bom.xlsx".
QString fileNextTo(const Document& document, const QString& suffix);

} // namespace railyard
