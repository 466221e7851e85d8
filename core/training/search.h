// The best way to divide a training job over given GPUs.
#pragma once

#include "core/training/search_space.h"
#include "core/training/training.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace railyard {

struct SearchRequest {
    Objective objective = Objective::Time;
    std::size_t most = 1; // results
    int threads = 1;
    std::function<void(std::int64_t done, std::int64_t all)> progress{}; // divisions; called by the thread that searches
    double memoryShare = 1;                                              // of the memory of a GPU that a configuration may take
};

// A configuration in brief.
struct SearchPoint {
    TrainingJob job;
    IterationSchedule schedule;
    Seconds iteration;
    double memoryGib = 0;
};

struct SearchResult {
    SearchSpace space;
    std::int64_t evaluated = 0;              // configurations that were fully costed; all of them fit in memory
    std::int64_t tooLarge = 0;               // configurations that do not fit, and were not costed
    std::int64_t pruned = 0;                 // divisions whose computing alone takes longer than the results, and that need no less memory
    bool isComplete = true;                  // false if it was stopped
    std::vector<TrainingEstimate> best;      // best first
    std::vector<SearchPoint> front;          // those that no other configuration beats in both the objective and memory; best first
    std::optional<TrainingEstimate> nearest; // if nothing fits: the configuration that misses the least memory
    std::vector<Error> problems;             // if no division can run at all: what is wrong with the one that breaks the fewest rules
};

// `job`: model, global batch, rank order and everything that is not searched; `plan` likewise. Of equally good configurations the one that
// is tried first comes first; the answer does not depend on the number of threads. Errors: no GPUs, ranks that cannot reach each other,
// GPUs of unknown speed.
Result<SearchResult> searchTraining(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus,
                                    const TrainingPlan& plan, const SearchSpace& space, const SearchRequest& request,
                                    const std::stop_token& stop = {},
                                    const TrainingCalibration& calibration = shippedTrainingCalibration());

// Why the second of two estimates takes longer: the parts of the iteration that differ most, in words. Empty if they take equally long.
std::string whySlower(const TrainingEstimate& best, const TrainingEstimate& other);

} // namespace railyard
