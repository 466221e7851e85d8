#include "core/sweep/merge.h"

#include "core/base/counted.h"
#include "core/base/file.h"
#include "core/io/tables/csv.h"
#include "core/json/json_text.h"
#include "core/sweep/stored_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace railyard {
namespace {

struct MergedTable {
    const SweepPlan& plan;
    const MergedSweep& merged;
};

void addCell(CsvWriter& csv, const Json& value) {
    if (value.is_number_integer())
        csv.number(value.get<std::int64_t>());
    else if (value.is_number())
        csv.number(value.get<double>());
    else if (value.is_null())
        csv.empty();
    else
        csv.text(value.is_string() ? value.get<std::string>() : value.dump());
}

Status writeCsv(const MergedTable& table, const std::string& path) {
    auto file = PendingFile::nextTo(path);
    if (!file) return file.errors();
    CsvWriter csv([&](std::string_view piece) { return file->append(piece); });
    csv.text("point");
    for (const SweepAxis& axis : table.plan.spec.axes) csv.text(axis.key);
    for (const std::string& column : table.merged.columns) csv.text(column);
    if (table.merged.hasNotes) csv.text("note");
    csv.text("error").endRow();
    for (std::size_t point = 0; point < table.merged.lines.size(); ++point) {
        const SweepAnswer answer = table.merged.answer(point);
        csv.text(table.plan.ids[point]);
        const std::vector<std::size_t> values = table.plan.spec.valuesAt(static_cast<std::int64_t>(point));
        for (std::size_t a = 0; a < values.size(); ++a) addCell(csv, table.plan.spec.axes[a].shown[values[a]]);
        const auto known = answer.byKey();
        for (const std::string& key : table.merged.keys) {
            const auto found = known.find(key);
            addCell(csv, found == known.end() ? Json() : *found->second);
        }
        if (table.merged.hasNotes) csv.text(answer.note);
        csv.text(answer.error).endRow();
    }
    if (const Status written = csv.flush(); !written) return written;
    if (const Status finished = file->finish(); !finished) return finished;
    return file->moveIntoPlace();
}

Status writeJson(const MergedTable& table, const std::string& path) {
    Json rows = Json::array(), axes = Json::array();
    for (const SweepAxis& axis : table.plan.spec.axes) axes.push_back(axis.key);
    for (std::size_t point = 0; point < table.merged.lines.size(); ++point) {
        const SweepAnswer answer = table.merged.answer(point);
        Json row{{"point", table.plan.ids[point]}};
        const std::vector<std::size_t> values = table.plan.spec.valuesAt(static_cast<std::int64_t>(point));
        for (std::size_t a = 0; a < values.size(); ++a) row[table.plan.spec.axes[a].key] = table.plan.spec.axes[a].shown[values[a]];
        const auto known = answer.byKey();
        for (std::size_t c = 0; c < table.merged.keys.size(); ++c) {
            const auto found = known.find(table.merged.keys[c]);
            row.push_back(
                {table.merged.columns[c], found == known.end() ? Json() : *found->second}); // no other key of the row has this name
        }
        if (table.merged.hasNotes) row["note"] = answer.note.empty() ? Json() : Json(answer.note);
        row["error"] = answer.error.empty() ? Json() : Json(answer.error);
        rows.push_back(std::move(row));
    }
    return writeFile(path, jsonText(Json{{"schema", tableSchema},
                                         {"spec", wholeSpecOf(table.plan.spec)},
                                         {"axes", axes},
                                         {"columns", table.merged.columns},
                                         {"rows", rows}}) +
                               "\n");
}

const std::vector<FormatRow<MergedTable>>& tableRows() {
    static const std::vector<FormatRow<MergedTable>> rows{{{".csv", "Table"}, writeCsv}, {{".json", "JSON"}, writeJson}};
    return rows;
}

// Which shards have no file, where all files are of one division.
std::string missingShards(std::vector<Shard> shards) {
    if (shards.empty()) return {};
    const int of = shards.front().of;
    std::set<int> there;
    for (const Shard& shard : shards) {
        if (shard.of != of) return {};
        there.insert(shard.index);
    }
    std::vector<std::string> missing;
    for (int index = 1; index <= of; ++index)
        if (!there.contains(index)) missing.push_back(Shard{index, of}.text());
    return missing.empty() ? std::string() : fmt::format("missing shards: {}", fmt::join(missing, ", "));
}

std::string valuesText(const SweepPlan& plan, std::size_t point) {
    std::vector<std::string> texts;
    const std::vector<std::size_t> values = plan.spec.valuesAt(static_cast<std::int64_t>(point));
    for (std::size_t a = 0; a < values.size(); ++a) texts.push_back(plan.spec.axes[a].key + "=" + plan.spec.axes[a].values[values[a]]);
    return fmt::format("{}", fmt::join(texts, " "));
}

// The shards and the damaged files first: they say why points are missing, of which there may be thousands.
std::vector<Error> whatIsMissing(const SweepPlan& plan, const SweepParts& parts, const std::vector<std::size_t>& missing) {
    std::vector<Error> errors;
    if (const std::string shards = missingShards(parts.shards); !shards.empty()) errors.push_back(Error::unbuildable(shards));
    for (const std::string& problem : parts.problems) errors.push_back(Error::unbuildable(problem));
    for (std::size_t i = 0; i < missing.size(); ++i) {
        if (errors.size() >= mostErrors) {
            const auto others = static_cast<std::int64_t>(missing.size() - i);
            errors.push_back(Error::unbuildable(counted(others, "and {} more missing point", "and {} more missing points")));
            break;
        }
        errors.push_back(Error::unbuildable(fmt::format("missing point {}: {}", plan.ids[missing[i]], valuesText(plan, missing[i]))));
    }
    return errors;
}

} // namespace

ResultColumns::ResultColumns(const SweepSpec& spec) : m_spec(spec) {
    for (std::size_t a = 0; a < spec.axes.size(); ++a) m_axes.emplace(spec.axes[a].key, a);
}

void ResultColumns::add(std::int64_t point, const SweepAnswer& answer) {
    for (const auto& [key, value] : answer.values.items()) {
        if (m_known.contains(key)) continue;
        if (const auto axis = m_axes.find(key); axis != m_axes.end()) {
            const std::string& stated = m_spec.axes[axis->second].values[m_spec.valuesAt(point)[axis->second]];
            if (value.is_null() || textOfCell(value) == stated) continue;
        }
        m_known.insert(key);
        m_keys.push_back(key);
    }
}

std::vector<std::string> ResultColumns::names() const {
    std::vector<std::string> names;
    for (const std::string& key : m_keys) names.push_back(m_axes.contains(key) ? std::string(resultPrefix) + key : key);
    return names;
}

std::string keyOfColumn(const std::string& name) { return name.starts_with(resultPrefix) ? name.substr(resultPrefix.size()) : name; }

SweepAnswer MergedSweep::answer(std::size_t point) const { return *readAnswer(lines[point]); } // mergeSweep() has read it

Result<MergedSweep> mergeSweep(const SweepPlan& plan) {
    auto parts = readParts(plan, PartFiles::Whole);
    if (!parts) return parts.errors();
    MergedSweep merged;
    merged.problems = parts->problems;
    std::vector<std::size_t> missing;
    ResultColumns columns(plan.spec);
    for (std::size_t point = 0; point < plan.ids.size(); ++point) {
        const auto line = parts->lines.find(plan.ids[point]);
        if (line == parts->lines.end()) {
            missing.push_back(point);
            continue;
        }
        const auto answer = readAnswer(line->second);
        if (!answer) return answer.errors();
        columns.add(static_cast<std::int64_t>(point), *answer);
        merged.failing += answer->error.empty() ? 0 : 1;
        merged.hasNotes = merged.hasNotes || !answer->note.empty();
        merged.lines.push_back(std::move(line->second));
    }
    merged.keys = columns.keys();
    merged.columns = columns.names();
    if (missing.empty()) return merged;
    std::vector<Error> errors = whatIsMissing(plan, *parts, missing);
    if (const auto begun = readParts(plan, PartFiles::ForShard)) {
        const auto kept = std::count_if(missing.begin(), missing.end(), [&](std::size_t p) { return begun->lines.contains(plan.ids[p]); });
        if (kept > 0)
            errors.insert(errors.begin(),
                          Error::unbuildable(counted(kept,
                                                     "{} of the missing points has been computed by a run that did not finish; "
                                                     "`sweep run` reuses it",
                                                     "{} of the missing points have been computed by runs that did not finish; "
                                                     "`sweep run` reuses them")));
    }
    return errors;
}

std::vector<FileFormat> sweepTableFormats() { return formatsOf(tableRows()); }

Status writeSweepTable(const SweepPlan& plan, const MergedSweep& merged, const std::string& path) {
    if (const auto* format = formatFor(tableRows(), path)) return format->write({plan, merged}, path);
    return unknownFormat("the table of a sweep", path, tableRows());
}

} // namespace railyard
