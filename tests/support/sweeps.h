// Sweeps to test with.
#pragma once

#include "core/sweep/plan.h"

#include <algorithm>
#include <stdexcept>

namespace railyard::test {

inline const std::string smallSpec = R"({"base": "rail-optimized", "settings": {"servers": 16},
 "axes": {"recipe": ["rail-optimized", "rail-only"], "servers": [16, 32, 64], "hb_domain_gpus": [8, 16]},
 "evaluate": ["counts", "cost.network_usd", "bisection.server", "collective all-to-all@256MiB"]})";

inline Result<SweepPlan> planOf(const std::string& text, const std::string& file, const std::string& folder) {
    auto spec = readSweepSpec(text, file);
    return spec ? planSweep(std::move(*spec), folder) : Result<SweepPlan>(spec.errors());
}

inline SweepPlan planned(const std::string& text, const std::string& folder) {
    auto plan = planOf(text, "spec.json", folder);
    return plan ? *plan : throw std::runtime_error(toText(plan.error()));
}

// Of a specification, a line each; empty if it can be read.
inline std::string errorsOf(const std::string& text) {
    const auto spec = readSweepSpec(text, "spec.json");
    std::string all;
    if (!spec)
        for (const Error& error : spec.errors()) all += toText(error) + "\n";
    return all;
}

inline std::string json(std::string text) { // with ' for ", as moc does not read every raw string
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

} // namespace railyard::test
