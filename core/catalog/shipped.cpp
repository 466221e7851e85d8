#include "core/catalog/shipped.h"

#include "core/catalog/catalog_json.h"

#include <cstdio>
#include <cstdlib>

namespace railyard {

CatalogPointer shippedCatalog() {
    static const CatalogPointer catalog = [] {
        auto read = readCatalog(shippedCatalogTexts());
        if (!read) { // the build ships these files and the tests read them: broken ones are a broken program
            std::fprintf(stderr, "railyard: the built-in catalogue is broken: %s\n", toText(read.error()).c_str());
            std::abort();
        }
        return std::make_shared<const Catalog>(std::move(*read));
    }();
    return catalog;
}

} // namespace railyard
