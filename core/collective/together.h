// Several jobs on one fabric at once, each in a collective of its own, and how much they slow each other.
#pragma once

#include "core/collective/steps.h"
#include "core/routing/storage_loads.h"

namespace railyard {

struct CollectiveJob {
    std::vector<std::uint32_t> gpus; // rank 0 first
    CollectiveOp op = CollectiveOp::AllReduce;
    Bytes size;
    double weight = 1; // of its traffic class
};
// Storage traffic beside the jobs, in a traffic class of its own.
struct StorageBeside {
    StorageTraffic traffic;
    double weight = 1;
};

struct JobTime {
    CollectiveResult alone;
    double slowdown = 1;         // time beside the others over time alone
    std::uint32_t heldBy = none; // the link that keeps it from advancing faster; none where nothing does
    std::int64_t lostPairs = 0;  // of GPUs that no way leads between; their bytes are in no load
    Seconds time() const { return alone.best.time * slowdown; }
};

struct StorageShare {
    std::int64_t servers = 0, cutOff = 0; // that use it; that do not reach all of it
    std::string example;                  // of those
    double reached = 1;                   // of what is asked for: what ways lead to
    double alone = 1, beside = 1;         // the same: what arrives without the jobs, and beside them
    std::uint32_t heldBy = none;          // link
};

struct TimesTogether {
    std::vector<JobTime> jobs;
    std::optional<StorageShare> storage;
    std::vector<double> ofLinks; // by link: how busy with all of them, the busier direction
};

// Alone a job loads every link by what it sends over it in its time. Jobs run on without waiting for each other, so loads are
// means over that time. Beside each other all advance at a speed of at most 1, the time alone. Each has what its traffic class
// is sure of, on every link its weight out of those that use the link, or all it asks for where that is less; from there speeds
// rise together, in proportion, until a link is full, which holds all on it, and the others go on rising (progressive filling: max-min
// fair, Bertsekas and Gallager, Data Networks, 6.5.2). Errors: a GPU in two jobs, those of a collective alone, those of storage.
Result<TimesTogether> timesTogether(const Fabric& fabric, const std::vector<CollectiveJob>& jobs,
                                    const std::optional<StorageBeside>& storage = {}, const CollectiveRequest& request = {},
                                    const Calibration& calibration = shippedCalibration());

// Speeds of jobs by weight, where job j takes use[j][k].second of the resource use[j][k].first (1: all of it) at speed 1, and
// the resource that holds each; `none` where nothing does.
using ResourceUse = std::vector<std::pair<std::uint32_t, double>>;
struct SharedSpeeds {
    std::vector<double> speed;
    std::vector<std::uint32_t> heldBy;
};
// What every job is sure of, whatever the others do elsewhere: on each resource its share by weight, and what those leave that ask
// for less; the least of all its resources, at most 1.
std::vector<double> assuredSpeeds(const std::vector<ResourceUse>& use, const std::vector<double>& weights);
SharedSpeeds shareFairly(const std::vector<ResourceUse>& use, const std::vector<double>& weights);

enum class JobPlacement { Packed, Spread };
// All GPUs (but those that are left out, by device) in so many jobs of whole HB domains, as even as they go: neighbours together,
// or dealt out one by one. Errors: more jobs than HB domains.
Result<std::vector<std::vector<std::uint32_t>>> tilesOf(const Fabric& fabric, std::int64_t jobs, JobPlacement placement,
                                                        const std::vector<bool>& leftOut = {});

} // namespace railyard
