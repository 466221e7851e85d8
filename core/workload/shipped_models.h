#pragma once

#include <string>

namespace railyard {

// Text of resources/models/models.json; the definition is generated during the build.
std::string shippedModelsText();

} // namespace railyard
