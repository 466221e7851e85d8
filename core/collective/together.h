// Several jobs on one fabric at once, each in a collective of its own, and how much they slow each other.
#pragma once

#include "core/collective/steps.h"

namespace railyard {

struct CollectiveJob {
    std::vector<std::uint32_t> gpus; // rank 0 first
    CollectiveOp op = CollectiveOp::AllReduce;
    Bytes size;
    double weight = 1; // of its traffic class: where links are short, jobs advance in proportion
};

struct JobTime {
    CollectiveResult alone;
    double slowdown = 1;         // time beside the others over time alone
    std::uint32_t heldBy = none; // the link that keeps it from advancing faster; none where nothing does
    std::int64_t lostPairs = 0;  // of GPUs that no way leads between; their bytes are in no load
    Seconds time() const { return alone.best.time * slowdown; }
};

// Alone a job loads every link by what it sends over it in its time. Jobs run on without waiting for each other, so loads are
// means over that time. Beside each other all advance at a speed of at most 1, the time alone; speeds rise together, by weight,
// until a link is full, which holds all jobs on it, and the others go on rising (progressive filling: max-min fair, Bertsekas and
// Gallager, Data Networks, 6.5.2). Errors: a GPU in two jobs, those of a collective alone.
Result<std::vector<JobTime>> timesTogether(const Fabric& fabric, const std::vector<CollectiveJob>& jobs,
                                           const CollectiveRequest& request = {}, const Calibration& calibration = shippedCalibration());

// Speeds of jobs by weight, where job j takes use[j][k].second of the resource use[j][k].first (1: all of it) at speed 1, and
// the resource that holds each; `none` where nothing does.
struct SharedSpeeds {
    std::vector<double> speed;
    std::vector<std::uint32_t> heldBy;
};
using ResourceUse = std::vector<std::pair<std::uint32_t, double>>;
SharedSpeeds shareFairly(const std::vector<ResourceUse>& use, const std::vector<double>& weights);

enum class JobPlacement { Packed, Spread };
// All GPUs in so many jobs of whole HB domains, as even as they go: neighbours together, or dealt out one by one.
// Errors: more jobs than HB domains.
Result<std::vector<std::vector<std::uint32_t>>> tilesOf(const Fabric& fabric, std::int64_t jobs, JobPlacement placement);

} // namespace railyard
