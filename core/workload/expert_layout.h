// How the ranks of an expert-parallel group lie in HB domains, for dispatch by domain: a token crosses to the rank at the same place in
// each HB domain that holds one of its experts, and is forwarded there.
#pragma once

#include "core/fabric/fabric.h"
#include "core/workload/job.h"

#include <vector>

namespace railyard {

// Ranks of every group that follow each other in an HB domain, if they are the same number everywhere and no domain comes twice; the whole
// group if it is in one domain. 0: groups are uneven. Rank r is gpus[r].
std::int64_t expertsPerDomain(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus);
// The same ranks by their places: those that differ in Parallel::Expert alone are at the same place in the domains of a group, those that
// differ in Parallel::Context alone are the members of a group in one domain.
TrainingJob expertPlaces(const TrainingJob& job, std::int64_t perDomain);
// Whether tokens of this job are dispatched by domain: the group is in several, and even.
bool isDispatchedByDomain(const TrainingJob& job, std::int64_t perDomain);

} // namespace railyard
