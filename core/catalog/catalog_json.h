// Catalogue files (resources/catalog) and the copies of parts inside documents, which have the same form.
#pragma once

#include "core/catalog/catalog.h"

namespace railyard {

class JsonView;

Result<Catalog> readCatalog(const std::vector<std::pair<std::string, std::string>>& namesAndTexts);
std::optional<Part> readPart(const JsonView& view); // errors are recorded in the source of the view
std::string shownPart(const Part& part);            // `catalog show`: the part as aligned lines of text

} // namespace railyard
