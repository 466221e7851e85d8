// What failures mean over one quantity: standbys, failed switches, the size of a job. And what to do about a dead leaf.
#pragma once

#include "core/base/tasks.h"
#include "core/bill/bill.h"
#include "core/reliability/monte_carlo.h"

#include <optional>
#include <vector>

namespace railyard {

// The servers of the design divided into those that work for the job and those that stand by; shares of the time of all GPUs.
struct StandbyPoint {
    std::int64_t standbys = 0;                            // servers
    double trains = 0, overhead = 0, waits = 0, idle = 0; // overhead: checkpoints, restarts and work that is repeated
    double trainsLow = 0, trainsHigh = 0;                 // with high and with low rates
    std::optional<Money> lost = {};                       // of the cost of the design within the horizon; empty: not known
};
struct StandbyCurve {
    std::vector<StandbyPoint> points; // ascending; empty: the design has too few servers
    std::size_t best = 0;             // trains most, so that a token costs least
    std::optional<Money> cost;        // of the design within the horizon: hardware written off evenly, energy and space
    bool isAtLeast = false;           // parts without a price are left out of the cost
    std::int64_t trials = 0;          // of each simulation

    std::size_t nearest(std::int64_t standbys) const; // the point with the nearest number of standbys
    double moreForToken(std::size_t at) const { return points[best].trains / points[at].trains - 1; } // infinite if nothing trains
};
// By simulation, from none to 8 % of the servers.
StandbyCurve standbyCurve(const Fabric& fabric, const Bill& bill, const ReliabilityRequest& request, const TaskContext& context = {});

// Server bisection (upper bound) after this many switches have failed, drawn at random over all tiers, relative to the intact design.
struct BandwidthLeftPoint {
    std::int64_t failed = 0;
    double mean = 1, low = 1, high = 1; // 5th and 95th percentile of the draws
};
struct BandwidthLeftCurve {
    std::vector<BandwidthLeftPoint> points;
    std::int64_t switches = 0;
    double failuresPerYear = 0; // of all switches
    int draws = 0;
};
BandwidthLeftCurve bandwidthLeftCurve(const FabricPointer& fabric, const ReliabilityRequest& request, const TaskContext& context = {});

// ETTR in closed form and the mean time between interruptions over the size of a job; sizes double from one server to the design.
struct JobSizePoint {
    std::int64_t gpus = 0;
    std::optional<double> ettr, ettrLow, ettrHigh; // with high and with low rates; empty: never interrupted
    std::optional<double> meanTimeHours;
};
std::vector<JobSizePoint> jobSizeCurve(const Fabric& fabric, const ReliabilityRequest& request, const TaskContext& context = {});

// A leaf is dead until it is repaired: its GPUs leave the job (as in the rail-only paper, and as rail-optimized fabrics do), or traffic
// is forwarded over the HB domains.
struct LeafPolicy {
    std::int64_t gpus = 0;       // in the job meanwhile
    Seconds step;                // of the training job of the design, on the GPUs of the request
    double throughputChange = 0; // of the job, negative
    Seconds restart;             // restart and work that is repeated
    Seconds lost(Seconds repair) const { return Seconds(restart.value() - throughputChange * repair.value()); } // of training time
};
struct LeafPolicies {
    std::string leaf, model;
    std::int64_t gpus = 0; // of the job, before
    LeafPolicy leaving, forwarding;
    Seconds repair;
    bool isForwardingBetter() const { return forwarding.lost(repair) <= leaving.lost(repair); }
    // Up to this repair time forwarding loses less; empty if it always does, or never.
    std::optional<Seconds> turn() const;
};
// Of the training job of the design; if the request states GPUs, on as many, placed as it says. Errors: no leaf with GPUs of the job, no
// other NIC in its HB domains, or a job that cannot run.
Result<LeafPolicies> leafPolicies(const FabricPointer& fabric, const ReliabilityRequest& request);

} // namespace railyard
