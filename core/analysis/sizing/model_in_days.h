// The size of a fabric from a model and the days in which it is to be trained.
#pragma once

#include "core/analysis/sizing/best_fabric.h"
#include "core/base/parameter.h"
#include "core/base/tasks.h"

namespace railyard {

// The options of the job with degrees with which the model fits: those that are stated, the usual ones if the model fits with them, or the
// fastest division of up to a few thousand GPUs, which data parallelism extends to more. As asked if nothing fits.
// `call`: parts and layout; its size does not matter.
ParameterTexts dividedModel(const ParameterTexts& training, const RecipeCall& call, const CatalogPointer& catalog,
                            std::optional<std::int64_t> mostGpus, const TaskContext& context);

// Sets a number of whole HB domains whose best fabric (best_fabric.h) trains the model in time, up to `mostGpus`: the fewest that a search
// by eighths of the range finds. Errors: none does.
Status sizeByDays(FabricWish& wish, const ParameterTexts& training, double days, const CatalogPointer& catalog, std::int64_t mostGpus,
                  const std::stop_token& stop);

} // namespace railyard
