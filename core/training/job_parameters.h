// The options of a training job, a row each: the command line, the Training view and the documents read them here.
#pragma once

#include "core/base/parameter.h"
#include "core/training/placement.h"
#include "core/training/training_plan.h"

#include <string>

namespace railyard {

struct JobRequest {
    std::string model = "llama3-70b"; // a known one, or the content of a file with one
    PlannedJob planned;
    std::int64_t gpus = 0; // the first ones of the placement; 0: all
    Placement placement = Placement::Packed;
    std::int64_t perDomain = 0; // GPUs of each HB domain that it uses; 0: all, or as many as keep its groups inside one
    std::uint64_t seed = 1;     // of a random placement; no option of the job
};

JobRequest usualRequest(); // what `train` does without options

std::span<const Parameter<JobRequest>> jobParameters();

} // namespace railyard
