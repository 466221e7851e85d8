// Where every figure of `metrics` comes from: a formula that can be worked out again, and its inputs with their sources.
#pragma once

#include "core/analysis/metrics.h"

namespace railyard {

struct ExplainedInput {
    std::string name; // as in the formula
    std::optional<double> value;
    std::string unit, source;
    std::string confidence; // counted, datasheet, published-price, derived, street-estimate, assumption, computed
};

struct Explanation {
    std::string key, unit; // dotted path in metrics: counts.gpus, collectives.0.time_s
    std::optional<double> value;
    std::string formula; // + - * / ( ) min max exp over the inputs' names
    std::vector<ExplainedInput> inputs;
    std::string note;

    // The weakest of the inputs'.
    std::string confidence() const;
};

// Every number of `metrics`, in its order.
std::vector<Explanation> explainAll(const Fabric& fabric, const Metrics& metrics);

} // namespace railyard
