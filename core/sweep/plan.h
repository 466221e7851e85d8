// A sweep in a folder that several machines share: manifest.json says what is computed, parts/ holds the answers. Every point has an ID
// that follows from what is asked of it, so that answers are never mistaken for those of another sweep, price book or version.
#pragma once

#include "core/sweep/spec.h"

namespace railyard {

struct SweepPlan {
    std::string folder;
    SweepSpec spec;
    std::vector<std::string> ids; // of the points, in order

    std::string partsFolder() const { return folder + "/parts"; }
};

SweepPlan planOf(SweepSpec spec); // of no folder
// Writes the manifest, and the design where the base is one; of a sweep that is there already only what is missing or damaged, so that its
// points stay done. Errors: those of writing; a folder with another sweep, or with files of these names that are of no sweep.
Result<SweepPlan> planSweep(SweepSpec spec, const std::string& folder);
// Errors: those of reading; a manifest of another version of the program or of another price book, whose points are not those of this one.
Result<SweepPlan> openSweep(const std::string& folder);

struct Shard { // one of every `of` points
    int index = 1, of = 1;
    std::vector<std::int64_t> pointsOf(std::int64_t all) const; // of a sweep of `all` points, in order
    std::string text() const;                                   // 3/8
    std::string fileName() const;                               // part-3-of-8.jsonl
};
inline constexpr int mostShards = 100'000;
Result<Shard> readShard(const std::string& text); // 3/8

// Files by which a scheduler runs the shards: railyard.sbatch, a job array of Slurm whose first task submits the merge after the whole
// array, and joblist, a line a shard for GNU parallel and its like. `program`: path of railyard-cli on the machines that run it.
struct JobFiles {
    int shards = 1;
    std::string program;
    bool withSlurm = false;
};
Status writeJobFiles(const SweepPlan& plan, const JobFiles& files);
Status checkSlurmFolder(const std::string& folder); // that sbatch can write into it

inline constexpr int mostTasks = 1000; // of a job array: MaxArraySize of Slurm is 1,001 as a rule
// A number of shards with which each takes about half a minute or more, at most mostTasks.
int shardsFor(std::int64_t points, double secondsEach);

} // namespace railyard
