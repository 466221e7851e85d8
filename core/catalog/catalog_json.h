// Catalogue files (resources/catalog) and the part copies inside documents, both in the same form.
#pragma once

#include "core/catalog/catalog.h"

namespace railyard {

class JsonView;

Result<Catalog> readCatalog(const std::vector<std::pair<std::string, std::string>>& namesAndTexts);
std::optional<Part> readPart(const JsonView& view); // errors are recorded in the view's source
std::string shownPart(const Part& part);            // `catalog show`: the part as aligned lines

} // namespace railyard
