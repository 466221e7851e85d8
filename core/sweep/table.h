// A finished sweep to look at: its points by row, axes and answers by column.
#pragma once

#include "core/sweep/merge.h"

#include <memory>

namespace railyard {

struct SweepTable {
    struct Row {
        std::int64_t point = 0; // of the sweep; noPoint for a row that somebody has added or changed
        std::string id;
        std::vector<std::string> axes;              // by axis, as the command line writes values
        std::vector<std::optional<double>> results; // by column; yes and no are 1 and 0
        std::string note, error;
    };
    static constexpr std::int64_t noPoint = -1;
    std::vector<std::string> axes, results; // keys; of the answers those that are numbers in some row
    std::vector<Row> rows;                  // in the order of the points
    std::shared_ptr<const SweepSpec> spec;  // by which the designs of rows can be built; null if it is not known
    std::string whyNoSpec;                  // where one was found that cannot be used

    bool isComplete() const; // has every point of the sweep
};

// Of the points that have an answer; a stop leaves some out.
SweepTable tableOf(const SweepPlan& plan, const std::vector<std::optional<SweepAnswer>>& answers);

// Of these rows those that no other one equals or beats in both columns, from the least of the first column on. Rows without one of the
// values take no part.
struct SweepGoal {
    std::size_t column = 0; // of the results
    bool lessIsBetter = true;
};
std::vector<std::size_t> paretoFront(const SweepTable& table, const std::vector<std::size_t>& rows, const SweepGoal& first,
                                     const SweepGoal& second);

} // namespace railyard
