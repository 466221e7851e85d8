// A simulation of operation: parts fail at random, servers are repaired, standbys take over, the job restarts from its last checkpoint.
// Seeded draws, one stream per trial, so that the answer is the same on any number of threads.
#pragma once

#include "core/base/tasks.h"
#include "core/reliability/operation.h"

namespace railyard {

struct MonteCarloRequest {
    std::int64_t trials = 0; // 0: until all figures are within ± 1 % with 99 % confidence
    std::uint64_t seed = 1;
    static constexpr std::int64_t most = 10'000'000;
};

// "auto" is 0, otherwise a number of trials. Errors: no such number, without the name of an option.
Result<std::int64_t> trialsFrom(const std::string& text);

struct Simulated { // the mean of all trials, with its 99 % interval
    double mean = 0, low = 0, high = 0;
};

struct MonteCarlo {
    std::int64_t trials = 0;
    std::uint64_t seed = 1;
    Simulated interruptProbability; // at least one within the horizon
    Simulated interruptions;
    Simulated ettr;              // useful time / time: work that no restart repeats
    Simulated waiting, overhead; // shares of the time: no servers are left; checkpoints, restarts and work that is repeated
    std::map<PartKind, double> sparesUsed;
    bool isComplete = true; // false: stopped
};

// `interval`: between checkpoints, above 0 where the job is ever interrupted.
MonteCarlo simulate(const Operation& operation, const ReliabilityRequest& request, Seconds interval, const MonteCarloRequest& how,
                    const TaskContext& context = {});

} // namespace railyard
