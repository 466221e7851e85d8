// A training job as a document states it: the options of `train` by name, as text; what is not stated is as usual.
#pragma once

#include "core/design/model/design.h"
#include "core/training/placement.h"
#include "core/training/training_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct JobRequest {
    std::string model = "llama3-70b"; // a known one, or the content of a file with one
    PlannedJob planned;
    std::int64_t gpus = 0; // the first ones of the placement; 0: all
    Placement placement = Placement::Packed;
    std::uint64_t seed = 1; // of a random placement; no option of the job
};

JobRequest usualRequest(); // what `train` does without options

// The names of all options: model, tp, micro_batch and so on.
std::vector<std::string> jobOptionNames();
// Errors: every option that is unknown or has a value that it cannot have. Whether the job can run shows on a fabric.
Result<JobRequest> readJob(const TrainingCall& call);
// Only what differs from the usual request. `was` keeps its unknown keys.
TrainingCall toCall(const JobRequest& request, const TrainingCall& was = {});

// The job of the design, or the usual one. Errors: those of the call.
Result<JobRequest> jobOf(const Design& design);
// On the first GPUs of its placement, without those of incomplete servers that stay idle if that leaves enough. Errors: more GPUs than
// there are.
Result<PlacedJob> placedOn(const Fabric& fabric, const JobRequest& request);
Result<std::vector<DeviceId>> firstGpus(std::vector<DeviceId> gpus, std::int64_t count); // 0: all
// The first `count` GPUs; 0: all of those in whole groups, see usual_job.h. After failures, GPUs that are not in whole groups are taken
// only if the others are too few.
Result<std::vector<DeviceId>> firstWholeGroups(TrainingJob job, const Fabric& fabric, std::vector<DeviceId> gpus, std::int64_t count);

} // namespace railyard
