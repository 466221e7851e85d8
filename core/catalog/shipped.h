#pragma once

#include <string>
#include <utility>
#include <vector>

namespace railyard {

// File name and text of every file in resources/catalog; the definition is generated during the build.
std::vector<std::pair<std::string, std::string>> shippedCatalogTexts();

} // namespace railyard
