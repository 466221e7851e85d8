// Concurrent jobs on one fabric, each running its own collective, and how much they slow each other down.
#pragma once

#include "core/collective/steps.h"
#include "core/routing/storage_loads.h"

namespace railyard {

struct CollectiveJob {
    std::vector<DeviceId> gpus; // starting with rank 0
    CollectiveOp op = CollectiveOp::AllReduce;
    Bytes size;
    double weight = 1; // of its traffic class
};
// Storage traffic that is concurrent with the jobs, in its own traffic class.
struct ConcurrentStorage {
    StorageTraffic traffic;
    double weight = 1;
};

struct JobTime {
    CollectiveResult alone;
    double slowdown = 1;        // time with concurrent jobs divided by time alone
    LinkId bottleneck;          // the bottleneck link; none if nothing limits the job
    std::int64_t lostPairs = 0; // pairs of GPUs without a path; the loads exclude their bytes
    Seconds time() const { return alone.best.time * slowdown; }
};

struct StorageShare {
    std::int64_t servers = 0, cutOff = 0; // servers that use the storage; servers that cannot reach all of it
    std::string example;                  // one of the servers that cannot reach all of it
    double reached = 1;                   // share of the requested rate for which there are paths
    double alone = 1, concurrent = 1;     // share of the requested rate that is reached without the jobs, and with them
    LinkId bottleneck;                    // the bottleneck link
};

struct ConcurrentTimes {
    std::vector<JobTime> jobs;
    std::optional<StorageShare> storage;
    std::vector<double> ofLinks; // by link: utilisation with all jobs, in the busier direction
};

// Alone, a job loads every link with the bytes that it sends over it, spread over its time. Jobs do not wait for each other, so
// loads are averages. With concurrent jobs every job advances at a speed of at most 1 (its speed alone). A job first gets what
// its traffic class guarantees: on every link its share by weight among the users of the link, or its demand if that is less.
// From there all speeds rise in proportion until a link is full, which stops its users while others continue (progressive
// filling: max-min fairness, Bertsekas and Gallager, Data Networks, 6.5.2). Errors: a GPU in two jobs, those of a collective, those of
// storage.
Result<ConcurrentTimes> concurrentTimes(const Fabric& fabric, const std::vector<CollectiveJob>& jobs,
                                        const std::optional<ConcurrentStorage>& storage = {}, const CollectiveRequest& request = {},
                                        const Calibration& calibration = shippedCalibration());

// Speeds of jobs by weight: job j at speed 1 takes the share use[j][k].second of the resource use[j][k].first. Also returns the
// bottleneck resource of each job; `none` if nothing limits it.
using ResourceUse = std::vector<std::pair<std::uint32_t, double>>;
struct SharedSpeeds {
    std::vector<double> speed;
    std::vector<std::uint32_t> bottleneck;
};
// The speed that is guaranteed to every job: on each resource its share by weight, plus what others leave that ask for less;
// the minimum over its resources, at most 1.
std::vector<double> assuredSpeeds(const std::vector<ResourceUse>& use, const std::vector<double>& weights);
SharedSpeeds shareFairly(const std::vector<ResourceUse>& use, const std::vector<double>& weights);

enum class JobPlacement { Packed, Spread };
// Divides all GPUs (except `leftOut`, by device) into jobs of whole HB domains, as evenly as possible: adjacent domains, or
// domains assigned in turn. Errors: more jobs than HB domains.
Result<std::vector<std::vector<DeviceId>>> tilesOf(const Fabric& fabric, std::int64_t jobs, JobPlacement placement,
                                                   const std::vector<bool>& leftOut = {});

} // namespace railyard
