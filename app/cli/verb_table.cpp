#include "app/cli/verb_table.h"

namespace railyard::cli {

std::span<const VerbInfo* const> verbTable() {
    static constexpr const VerbInfo* table[] = {
        &recipesVerb,    &newVerb,     &catalogVerb, &versionVerb, &editVerb,    &metricsVerb,   &checkVerb,       &bisectionVerb,
        &collectiveVerb, &loadsVerb,   &trainVerb,   &searchVerb,  &inferVerb,   &rlhfVerb,      &reliabilityVerb, &sweepVerb,
        &candidatesVerb, &compareVerb, &diffVerb,    &mergeVerb,   &heatmapVerb, &explainVerb,   &bomVerb,         &cablesVerb,
        &verifyVerb,     &formatsVerb, &importVerb,  &exportVerb,  &benchVerb,   &completionVerb};
    return table;
}

} // namespace railyard::cli
