// A table of a sweep as a file or the answers have it, before it is known which of its columns are numbers.
#pragma once

#include "core/sweep/table.h"

namespace railyard {

struct StoredTable {
    struct Row {
        std::vector<std::string> axes;
        std::vector<Json> results; // by column
        std::string note, error;
    };
    std::vector<std::string> axes, columns, ids; // IDs by row
    std::vector<Row> rows;
};

SweepTable withNumbers(const StoredTable& stored); // the columns that are numbers in some row; points are the numbers of the rows

Json cellOf(const std::string& text);              // a number, yes or no, null, or the text itself
std::string textOfCell(const Json& value);         // of an axis, as the command line writes it
std::optional<double> numberOf(const Json& value); // of a result: yes is 1

} // namespace railyard
