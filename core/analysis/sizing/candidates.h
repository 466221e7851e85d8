// What a requirement can become: the best fabric of a kind with the figures by which kinds are compared, and the size just below at which
// the fabric needs a tier less.
#pragma once

#include "core/analysis/metrics/networks_total.h"
#include "core/analysis/sizing/best_fabric.h"
#include "core/analysis/sizing/sizing.h"

#include <map>
#include <stop_token>
#include <string>

namespace railyard {

struct SizeWish { // with limits the size is the largest within all of them
    FabricWish fabric;
    std::vector<std::pair<SizeLimit, double>> limits = {};
    DesignChange change = {};                         // null: none
    std::map<std::string, std::string> training = {}; // options of the training job; none: the usual one
    std::int64_t mostGpus = 70'000;                   // above, which takes too long while someone types, there are no metrics
};

struct SmallerFabric {
    std::int64_t gpus = 0;
    int tiers = 0;
    std::int64_t switches = 0;         // fewer
    std::optional<Money> networksCost; // less; empty if the totals leave out different kinds of parts, or a switch or transceiver
};

struct SizeCandidate {
    std::optional<FabricChoice> best; // empty if none can be built; `problem` states the reason
    std::optional<Error> problem;
    std::optional<SizeLimit> tooLow; // the limit that one HB domain exceeds
    FabricPointer fabric;            // this and the following are empty above `mostGpus` of the wish
    std::optional<InstantMetrics> instant;
    std::optional<BackgroundMetrics> background;
    std::optional<SmallerFabric> smaller; // if at most 5 % fewer servers, or one HB domain less, save a tier
};
// Empty if a stop was requested.
std::optional<SizeCandidate> candidateFor(const SizeWish& wish, const CatalogPointer& catalog, const std::stop_token& stop);

} // namespace railyard
