// Several training jobs on one fabric at the same time, and how much they slow each other down.
#pragma once

#include "core/training/job_request.h"
#include "core/training/training.h"

#include <string>
#include <vector>

namespace railyard {

struct NamedJob {
    std::string name;
    JobRequest request;
};

// A file {"jobs": [{"name": "a", "model": "gpt3-175b", "gpus": 512, ...}]} with the options of job_request.h. Errors have their places.
Result<std::vector<NamedJob>> readJobs(const std::string& text, const std::string& file);

struct JobOnCluster {
    std::string name;
    PlacedJob placed;
    TrainingEstimate alone;
    // `expected`: the others are on the links for as much of the time as their messages take of an iteration. `worst`: all jobs
    // communicate at the same time. NICs and HB domains belong to one job, so only links between switches are shared.
    TrainingEstimate expected, worst;
    double slowdown() const { return expected.iteration / alone.iteration; }
    double worstSlowdown() const { return worst.iteration / alone.iteration; }
};

// Jobs take their GPUs one after the other, each by its placement among those that are left; one without `gpus` takes all of them.
// Errors: those of a job, with its name; more GPUs than are left.
Result<std::vector<JobOnCluster>> trainTogether(const Fabric& fabric, const std::vector<NamedJob>& jobs,
                                                const TrainingCalibration& calibration = shippedTrainingCalibration());

} // namespace railyard
