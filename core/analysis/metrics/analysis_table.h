// The analyses that take too long to run with every edit, a row each: what a row reads decides when it is run again.
#pragma once

#include "core/analysis/metrics/metrics.h"
#include "core/base/tasks.h"

#include <span>

namespace railyard {

struct AnalysisInput {
    const Fabric& fabric; // of the degraded fabric, after failures
    const Cabling& cabling;
};

struct Analysis {
    enum Input : unsigned {
        Nothing = 0,
        Network = 1, // devices, parts and links
        Lengths = 2, // of cables
        Job = 4,     // the training job of the design
        Rates = 8,   // its failure model
        Everything = 15,
    };
    std::string_view name;
    unsigned reads = Nothing;
    void (*run)(const AnalysisInput& input, const std::stop_token& stop, BackgroundMetrics& into) = nullptr;
    void (*clear)(BackgroundMetrics& of) = nullptr; // until it has run again
};

std::span<const Analysis> analysisTable();

// What has changed from one design to the next, as Analysis::Input.
unsigned changedInputs(const AnalysisInput& before, const AnalysisInput& after);
// Without the answers of the analyses that read one of these.
BackgroundMetrics without(unsigned changed, BackgroundMetrics known);

// Runs the analyses that read one of the changed inputs, and keeps what is `known` of the others. Empty if a stop was requested before
// the result was complete.
std::optional<BackgroundMetrics> runAnalyses(const AnalysisInput& input, unsigned changed, BackgroundMetrics known,
                                             const TaskContext& context = {});

} // namespace railyard
