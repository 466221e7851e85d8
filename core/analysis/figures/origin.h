// Shared by the figures: origins of the usual kinds.
#pragma once

#include "core/analysis/figures/figure.h"

#include <utility>

namespace railyard {

using OriginTerms = std::vector<std::pair<ExplainedInput, ExplainedInput>>;

Origin countedFrom(const FigureQuery& asked, std::string source, std::string_view unit = {}); // from the exported tables
Origin unknownBecause(const std::string& why);
Origin sumOf(std::vector<ExplainedInput> inputs, std::string note = {});
Origin sumOfProducts(const OriginTerms& terms, std::string note = {});
// The weakest confidence of all inputs.
std::string weakestConfidence(const std::vector<ExplainedInput>& inputs);
std::string identifier(std::string_view text); // sw-qm9700 -> sw_qm9700

} // namespace railyard
