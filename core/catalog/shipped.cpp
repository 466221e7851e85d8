#include "core/catalog/shipped.h"

#include "core/base/shipped.h"
#include "core/catalog/catalog_json.h"

namespace railyard {

CatalogPointer shippedCatalog() {
    static const CatalogPointer catalog = std::make_shared<const Catalog>(shippedOrAbort(readCatalog(shippedCatalogTexts()), "catalogue"));
    return catalog;
}

} // namespace railyard
