// The models that the program brings along, and models from files.
#pragma once

#include "core/base/result.h"
#include "core/workload/model.h"

namespace railyard {

// A model by its ID in resources/models/models.json, or from a file with the same keys.
Result<TransformerModel> modelOf(const std::string& idOrFile);
Result<TransformerModel> modelFrom(const std::string& text, const std::string& file); // the content of such a file
const std::vector<TransformerModel>& shippedModels();

} // namespace railyard
