// The origin of every figure of a design: a formula that can be recomputed, and its inputs with their sources.
#pragma once

#include "core/analysis/figures/figure.h"

namespace railyard {

struct Explanation {
    std::string key, unit; // the key of the figure: counts.gpus, collectives.all-reduce@1GiB.time_s
    std::optional<double> value;
    Origin origin;

    // The weakest confidence of all inputs.
    std::string confidence() const;
};

// `source` holds the figures of `fabric`. Every name of the key is accepted; empty if the design has no such figure.
std::optional<Explanation> explain(const Fabric& fabric, const FigureSource& source, std::string_view key);
// All figures, in the order of the table.
std::vector<Explanation> explainAll(const Fabric& fabric, const FigureSource& source);

} // namespace railyard
