// Computes the points of a shard that nobody has computed yet. A worker that is killed at any moment loses the points that it is computing.
#pragma once

#include "core/sweep/compute.h"
#include "core/sweep/plan.h"

#include <map>

namespace railyard {

struct SweepParts {
    std::map<std::string, std::string> lines; // of the points that are done, by ID, as they stand in the files
    std::vector<std::string> problems;        // files and lines that are not of this sweep or are damaged; they count as missing
    std::vector<Shard> shards;                // of which there are files
};
enum class PartFiles {
    Whole,    // that are in place
    ForShard, // that may hold points of a shard, and those that workers write while they run or have left behind
};
Result<SweepParts> readParts(const SweepPlan& plan, PartFiles which, const Shard& shard = {});
Result<SweepAnswer> readAnswer(const std::string& line);

struct SweepRun {
    std::int64_t computed = 0, known = 0; // points
    std::int64_t designs = 0;             // computed for these points; those that cannot be built have none
    bool isComplete = true;               // false if it was stopped
    std::vector<std::string> problems{};  // of part files, whose points were computed again
};
// Appends each answer to a file of its own as soon as it is there, and puts the file of the shard in place when the shard is whole.
Result<SweepRun> runShard(const SweepPlan& plan, const Shard& shard, const TaskContext& context);

} // namespace railyard
