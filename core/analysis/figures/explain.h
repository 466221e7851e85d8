// The origin of every metric: a formula that can be recomputed, and its inputs with their sources.
#pragma once

#include "core/analysis/metrics/metrics.h"

namespace railyard {

struct ExplainedInput {
    std::string name; // as used in the formula
    std::optional<double> value;
    std::string unit, source;
    std::string confidence; // counted, datasheet, published-price, derived, street-estimate, assumption, computed
};

struct Explanation {
    std::string key, unit; // dotted path in metrics: counts.gpus, collectives.0.time_s
    std::optional<double> value;
    std::string formula; // uses + - * / ( ) min max exp and the names of the inputs
    std::vector<ExplainedInput> inputs;
    std::string note;

    // The weakest confidence of all inputs.
    std::string confidence() const;
};

// All numbers of `metrics`, in the same order.
std::vector<Explanation> explainAll(const Fabric& fabric, const Metrics& metrics);

} // namespace railyard
