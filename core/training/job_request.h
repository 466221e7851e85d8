// A training job as a document states it: the options of `train` by name, as text; what is not stated is as usual.
#pragma once

#include "core/design/model/design.h"
#include "core/training/job_parameters.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

// Errors: every option that is unknown or has a value that it cannot have. Whether the job can run shows on a fabric.
Result<JobRequest> readJob(const ParameterTexts& options);
// Only what differs from the usual request. `was` keeps its unknown keys.
NamedOptions toCall(const JobRequest& request, const NamedOptions& was = {});

// The job of the design, or the usual one. Errors: those of the call.
Result<JobRequest> jobOf(const Design& design);
// The same with these options in place of its own. With a model, the options that are not among them are as usual: the degrees of another
// model mean nothing.
Result<JobRequest> jobOf(const Design& design, const ParameterTexts& options);
// A model as a document states it: a file ending in .json by its content, for the document would lose the file. Errors: those of the file.
Result<std::string> modelForDocument(const std::string& idOrFile);
// On the first GPUs of its placement, without those of incomplete servers that stay idle if that leaves enough. Errors: more GPUs than
// there are.
Result<PlacedJob> placedOn(const Fabric& fabric, const JobRequest& request);
Result<std::vector<DeviceId>> firstGpus(std::vector<DeviceId> gpus, std::int64_t count); // 0: all
// The first `count` GPUs, or as many as the degrees need; 0: all of those in whole groups, see usual_job.h. GPUs that are not in whole
// groups are taken only if the others are too few. `perDomain`: of each HB domain; 0: as above. Errors: more than a domain has.
Result<std::vector<DeviceId>> firstWholeGroups(TrainingJob job, const Fabric& fabric, std::vector<DeviceId> gpus, std::int64_t count,
                                               std::int64_t perDomain = 0);

} // namespace railyard
