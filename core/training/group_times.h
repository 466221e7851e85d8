// Times of the collectives of a job on its placed groups of ranks.
#pragma once

#include "core/collective/collective.h"
#include "core/workload/job_traffic.h"
#include "core/workload/usual_job.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace railyard {

// The ranks that differ from `rank` in these ways alone, in the order of ranks.
std::vector<std::int64_t> groupOf(const TrainingJob& job, std::int64_t rank, const std::vector<Parallel>& over);

// Communicators of a placed job, each found once. Groups that have the same places in their servers and HB domains, and NICs of the same
// speed, are timed once; the slowest group counts. All groups of one kind work at the same time: where the links between switches are
// busier than the NICs, the bandwidth of a group shrinks by the same factor.
class GroupTimes {
public:
    // `placed` and `fabric` must outlive this.
    GroupTimes(const Fabric& fabric, const PlacedJob& placed);

    // Of the slowest group; 0 for groups of one rank. Errors: ranks that cannot reach each other.
    // Of all groups in one iteration; computed when first asked for.
    Result<const JobTraffic*> traffic();
    Result<Seconds> time(const std::vector<Parallel>& over, CollectiveOp op, double bytes);

private:
    struct Groups {
        std::vector<Communicator> different;
        double contention = 1; // how much longer the links between switches take than the NICs
    };
    Result<const Groups*> groupsOf(const std::vector<Parallel>& over);
    std::vector<std::int64_t> firstRanks(const std::vector<Parallel>& over) const;
    std::vector<std::int64_t> signatureOf(const std::vector<std::int64_t>& group) const;
    Result<double> contentionOf(const std::vector<Parallel>& over);

    const Fabric& m_fabric;
    const PlacedJob& m_placed;
    const bool m_areRailsAlike;
    std::optional<JobTraffic> m_traffic;
    std::vector<double> m_nicBandwidth, m_hbBandwidth; // of a device, bit/s
    std::map<std::vector<Parallel>, Groups> m_groups;
    std::map<std::tuple<std::vector<Parallel>, CollectiveOp, std::int64_t>, Seconds> m_known;
};

} // namespace railyard
