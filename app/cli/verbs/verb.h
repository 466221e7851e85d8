// A verb of railyard-cli: one file and one row of verb_table.cpp.
#pragma once

#include "app/cli/options/arguments.h"

#include <functional>
#include <string_view>

namespace railyard::cli {

using Run = std::function<int()>; // returns the exit code

struct VerbInfo {
    std::string_view name, summary;
    // Whether the answer depends on prices. Other verbs work while the price book is broken.
    bool (*showsPrices)(const CLI::App& verb);
    Run (*add)(CLI::App& verb); // adds the options; the result runs the verb with them
};

inline bool alwaysShowsPrices(const CLI::App&) { return true; }
inline bool neverShowsPrices(const CLI::App&) { return false; }

// One in each file of this folder.
extern const VerbInfo recipesVerb, newVerb, catalogVerb, versionVerb, editVerb, metricsVerb, checkVerb, bisectionVerb, collectiveVerb,
    loadsVerb, compareVerb, heatmapVerb, explainVerb, bomVerb, cablesVerb, exportVerb, benchVerb, trainVerb, searchVerb, inferVerb,
    rlhfVerb, reliabilityVerb, sweepVerb, candidatesVerb, formatsVerb, importVerb, diffVerb, mergeVerb, completionVerb, verifyVerb;

} // namespace railyard::cli
