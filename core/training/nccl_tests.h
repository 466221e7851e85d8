// The output of one or several programs of nccl-tests (all_reduce_perf and its like).
#pragma once

#include "core/base/result.h"
#include "core/collective/collective.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct NcclTest {
    CollectiveOp op = CollectiveOp::AllReduce;
    std::int64_t ranks = 0;
    std::map<std::int64_t, Seconds> times; // by size in bytes, out of place; the mean if a size was measured several times
};

bool isNcclTest(std::string_view text); // whether it looks like one
// Every run in the file, in its order. A run begins where a program says that it starts or lists its first rank again. Its operation is
// that of the line "Collective test starting", which older versions do not write, or of the name of the file. Errors with the line: no
// operation, no list of ranks, no line with the names of the columns, times that are no numbers, no sizes, wrong results, and runs of one
// operation with equally many ranks, which may be of different machines.
Result<std::vector<NcclTest>> readNcclTests(const std::string& text, const std::string& file);

} // namespace railyard
