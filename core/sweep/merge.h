// The answers of all shards as one table, in the order of the manifest: the same bytes whoever computed them.
#pragma once

#include "core/io/tables/file_format.h"
#include "core/sweep/run.h"

#include <unordered_map>
#include <unordered_set>

namespace railyard {

// The keys of answers, in the order in which they first occur. A result with the key of an axis has a column only if some point has another
// value than the axis says, as training.gpus = 0 is all of them; it is then called result.KEY.
class ResultColumns {
public:
    explicit ResultColumns(const SweepSpec& spec);
    void add(std::int64_t point, const SweepAnswer& answer);
    const std::vector<std::string>& keys() const { return m_keys; }
    std::vector<std::string> names() const; // of the columns of a table

private:
    const SweepSpec& m_spec;
    std::unordered_map<std::string, std::size_t> m_axes; // by key
    std::unordered_set<std::string> m_known;
    std::vector<std::string> m_keys;
};

inline constexpr std::string_view resultPrefix = "result.";
std::string keyOfColumn(const std::string& name); // without the prefix

struct MergedSweep {
    std::vector<std::string> keys, columns; // of the answers, see ResultColumns
    std::vector<std::string> lines;         // of the points, as they stand in the part files: a million answers would take much more memory
    std::vector<std::string> problems{};    // of part files
    std::int64_t failing = 0;               // points with an error
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
