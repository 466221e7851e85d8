// A search over the placements that keep groups inside HB domains, besides the search over divisions.
#pragma once

#include "core/training/search.h"

namespace railyard {

struct PlacementChoice {
    std::vector<DeviceId> gpus;
    std::int64_t perDomain = 0; // of each HB domain; 0: all
};

// These GPUs, and where an HB domain has a number of them that is no power of two, the largest power of two of each domain: 64 of 72.
std::vector<PlacementChoice> placementsToTry(const Fabric& fabric, std::vector<DeviceId> gpus);

// The best of all choices; `spaceOf` says what is tried on the GPUs of one. Otherwise as searchTraining.
Result<SearchResult> searchPlacements(const Fabric& fabric, const TrainingJob& job, const std::vector<PlacementChoice>& choices,
                                      const TrainingPlan& plan, const std::function<SearchSpace(const std::vector<DeviceId>&)>& spaceOf,
                                      const SearchRequest& request, const std::stop_token& stop = {},
                                      const TrainingCalibration& calibration = shippedTrainingCalibration());

} // namespace railyard
