// The answers of all shards as one table, in the order of the manifest: the same bytes whoever computed them.
#pragma once

#include "core/io/tables/file_format.h"
#include "core/sweep/run.h"

namespace railyard {

struct MergedSweep {
    std::vector<std::string> columns;    // of the answers, in the order in which they first occur
    std::vector<std::string> lines;      // of the points, as they stand in the part files: a million answers would take much more memory
    std::vector<std::string> problems{}; // of part files
    std::int64_t failing = 0;            // points with an error
    bool hasNotes = false;

    SweepAnswer answer(std::size_t point) const;
};
// Errors: points that nobody has computed, by ID and values, and the shards that are missing where all files agree on their number.
Result<MergedSweep> mergeSweep(const SweepPlan& plan);

inline constexpr const char* tableSchema = "railyard.sweep-table/1";
std::vector<FileFormat> sweepTableFormats(); // .csv, .json
// Columns: point, the axes, dotted result keys, note if a point has one, error. JSON has the whole spec as well, so that it needs no other
// file.
Status writeSweepTable(const SweepPlan& plan, const MergedSweep& merged, const std::string& path);

} // namespace railyard
