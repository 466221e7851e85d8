// The options of serving a model, a row each: the command line reads them here.
#pragma once

#include "core/base/parameter.h"
#include "core/inference/inference.h"

namespace railyard {

InferenceRequest usualInference(); // what `infer` does without options
std::span<const Parameter<InferenceRequest>> inferenceParameters();

} // namespace railyard
