// How often a job is interrupted, by what, and what that costs. With constant rates and a year of 8,760 h:
// P(interrupt) = 1 - exp(-t * sum of count * rate) over all parts of which one failure interrupts the job.
#pragma once

#include "core/reliability/checkpoint.h"
#include "core/reliability/job_parts.h"
#include "core/training/placement.h"

#include <map>

namespace railyard {

// Lifetimes with the mean 1 / rate. Weibull: shape; lognormal: sigma.
struct Lifetimes {
    enum class Kind { Exponential, Weibull, Lognormal } kind = Kind::Exponential;
    double parameter = 0;
    bool operator==(const Lifetimes&) const = default;
};

// Checkpoints in the memory of a server half the job away, besides those in storage. Lost if both servers fail at once.
struct PeerCopies {
    Seconds write{0}, interval{0}; // an interval of 0: none
    bool isOn() const { return interval > Seconds(0); }
};

struct ReliabilityRequest {
    Seconds horizon{720 * 3600.0};
    std::int64_t jobGpus = 0;     // 0: those of the job of the design, or all
    bool isOnWholeDesign = false; // whatever job the design has: the job is on all GPUs but those of the standbys
    Placement placement = Placement::Packed;
    std::uint64_t seed = 1;
    FailurePolicy policy = FailurePolicy::Strict;
    std::map<PartKind, YearlyRate> rates; // in place of those of the catalogue
    std::vector<std::pair<std::pair<PartKind, std::string>, YearlyRate>> partRates;
    double earlyLife = 1;    // all parts fail this many times as often
    bool isSoftware = false; // software stops servers too
    Seconds repairServer{24 * 3600.0}, repairSwitch{4 * 3600.0}, repairLink{2 * 3600.0};
    double repairSuccess = 1;
    double autoRepairShare = 0; // of server repairs: they succeed without people, in `autoRepair`; the others follow by hand after it
    Seconds autoRepair{0};
    double misdiagnosis = 0;      // share of the restarts that keep the failed server, so that the job stops again at once
    std::int64_t retireAfter = 0; // repairs of a server; 0: never
    std::int64_t standbys = 0;    // servers
    double lemonShare = 0, lemonMultiple = 1;
    double slowShare = 0, slowRatio = 1; // servers that take this many times as long, and all wait for them
    double flapsPerLink = 0;             // a year
    Lifetimes lifetimes;
    CheckpointTimes checkpoint;
    PeerCopies peerCopies;
    Seconds recovery{30}, libraryTimeout{600};

    bool isStalled() const { return recovery > libraryTimeout; } // new paths come too late
};

// Rates of the catalogue of the design, with those of the request.
Rates ratesOf(const Design& design, const ReliabilityRequest& request);

// The servers of a job and those that stand by, of the intact fabric.
struct JobPlace {
    std::vector<DeviceId> gpus;     // of the job
    std::vector<ServerId> standbys; // warm
};
// Errors: more GPUs or standbys than there are.
Result<JobPlace> jobPlaceOf(const Fabric& fabric, const ReliabilityRequest& request);

struct Reliability {
    std::vector<FailureComponent> components;
    double horizonHours = 720;
    std::int64_t jobGpus = 0;
    double lowPerYear = 0, perYear = 0, highPerYear = 0; // interruptions; unpublished rates are in none, unpublished ends are the base
    bool isKnown = true;                                 // false: no part that interrupts the job has a base rate
    std::optional<double> probability, meanTimeHours;    // none: a job without GPUs or a known rate; no mean time: never interrupted
    std::optional<double> probabilityLow, probabilityHigh, meanTimeLowHours, meanTimeHighHours;
    double partitionProbability = 0;          // that one failure of the network divides the job or cuts off a part of it
    std::vector<std::string> notes;           // sentences on shares of servers that are too small for a whole one, and so change nothing
    std::vector<std::string> missingRates;    // kinds that interrupt the job, without a base rate
    std::optional<CheckpointPlan> checkpoint; // empty without interruptions

    double expectedInterruptions() const { return perYear * horizonHours / 8760; } // of parts with a base rate
};

// After failures the job is that of the intact design, and what failed counts as there; but what has become the only path interrupts.
Reliability reliabilityOf(const Fabric& fabric, const JobParts& parts, const ReliabilityRequest& request, const Cabling* cabling = nullptr);
JobParts jobPartsOf(const Fabric& fabric, const JobPlace& place, FailurePolicy policy);
// The same of what is there now: further failures of a fabric that has some.
JobParts remainingPartsOf(const Fabric& fabric, const JobPlace& place, FailurePolicy policy);
// Of a job on all GPUs over 30 days, with the rates of the design: its figures.
Reliability usualReliability(const Fabric& fabric);

} // namespace railyard
