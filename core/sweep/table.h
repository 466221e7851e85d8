// A finished sweep to look at: its points by row, axes and answers by column.
#pragma once

#include "core/sweep/merge.h"

#include <memory>

namespace railyard {

struct SweepTable {
    struct Row {
        std::int64_t point = 0;
        std::string id;
        std::vector<std::string> axes;              // by axis, as the command line writes values
        std::vector<std::optional<double>> results; // by column; yes and no are 1 and 0
        std::string note, error;
    };
    std::vector<std::string> axes, results; // keys; of the answers those that are numbers in some row
    std::vector<Row> rows;                  // in the order of the points
    std::shared_ptr<const SweepSpec> spec;  // by which the designs of rows can be built; null if it is not known

    bool isComplete() const { return !spec || static_cast<std::int64_t>(rows.size()) == spec->points(); }
};

// Of the points that have an answer; a stop leaves some out.
SweepTable tableOf(const SweepPlan& plan, const std::vector<std::optional<SweepAnswer>>& answers);
// A table that `sweep merge` wrote, also sorted or in part, or the manifest.json of a folder whose shards are all done. The spec of a table
// is in it (JSON), or in its folder or a folder next to it (CSV). Errors: those of reading; files that are neither; points that are
// missing.
Result<SweepTable> readSweepTable(const std::string& path);
// Takes over the spec of the sweep in this folder. Errors: those of opening it; points in the table that the sweep does not have.
Result<SweepTable> withSweep(SweepTable table, const std::string& folder);
// .csv or .json as `sweep merge` writes them; answers that are texts are left out, yes and no are 1 and 0.
Status writeSweepTable(const SweepTable& table, const std::string& path);

// Of these rows those that no other one equals or beats in both columns, from the least of the first column on. Rows without one of the
// values take no part.
struct SweepGoal {
    std::size_t column = 0; // of the results
    bool lessIsBetter = true;
};
std::vector<std::size_t> paretoFront(const SweepTable& table, const std::vector<std::size_t>& rows, const SweepGoal& first,
                                     const SweepGoal& second);

// "512, 1024", "512..4096" (doubling), "8..72+8" (steps): the values of an axis as people write them. Errors: no values, ranges that do not
// end, more than a thousand, 16,384 without a space.
Result<std::vector<std::string>> axisValues(const std::string& text);

} // namespace railyard
