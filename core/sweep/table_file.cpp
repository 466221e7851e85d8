#include "core/sweep/table_file.h"

#include "core/analysis/option_sections.h"
#include "core/base/csv_rows.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/design/recipes/recipe_table.h"
#include "core/io/tables/csv.h"
#include "core/json/json_parse.h"
#include "core/json/json_text.h"
#include "core/sweep/stored_table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace railyard {
namespace {

constexpr std::size_t mostCells = 50'000'000, mostLeftOut = 1'000'000; // cells

// A table in a file, and the spec that the file holds.
struct TableFile {
    StoredTable stored;
    std::shared_ptr<const SweepSpec> spec;
    std::string whyNoSpec;
};

// A column before the answers is an axis if it is a parameter: the header does not say which it is.
bool isAxis(const std::string& key) {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) return key == "recipe" || recipeParameter(key);
    const OptionSection* section = optionSectionNamed(key.substr(0, dot));
    if (!section) return false;
    const std::vector<ParameterInfo> rows = section->rows();
    return std::any_of(rows.begin(), rows.end(), [&](const ParameterInfo& row) { return row.key == key.substr(dot + 1); });
}

Error noTable(const std::string& file) {
    return Error::file(file, "is not the table of a sweep; `railyard-cli sweep merge DIR -o FILE` writes one").with("type");
}

// The error of a table with too many cells; empty if it is small enough. `bytes` is the size of its text: missing cells take memory, but no
// text.
std::optional<Error> tooLarge(const std::string& file, std::size_t rows, std::size_t columns, std::size_t bytes) {
    if (static_cast<std::int64_t>(rows) > mostSweepPoints)
        return Error::file(file, fmt::format("has more than {} rows, which is the maximum", formatCount(mostSweepPoints))).with("limit");
    if (rows * columns > mostCells) return Error::file(file, "has more than 50,000,000 cells, which is the maximum").with("limit");
    if (rows * columns > std::max(mostLeftOut, bytes))
        return Error::file(file, "has far more columns than values; write the table again").with("limit");
    return std::nullopt;
}

// Results by the same key could neither be told apart nor written as JSON.
std::optional<Error> repeatedColumn(const std::string& file, const StoredTable& table) {
    std::set<std::string> known;
    for (const auto* names : {&table.axes, &table.columns})
        for (const std::string& name : *names)
            if (!known.insert(name).second)
                return Error::file(file, "has the column " + name + " twice; remove one of them").with("duplicate");
    return std::nullopt;
}

Result<StoredTable> readCsvTable(const std::string& text, const std::string& file) {
    StoredTable table;
    std::vector<std::string> header;
    std::size_t errorColumn = 0, noteColumn = 0;
    bool isTable = true;
    std::optional<Error> wrong; // in the last row that was read
    const Status read = eachCsvRow(text, file, [&](const CsvRow& row) {
        if (header.empty()) {
            header = row.cells;
            isTable = header.size() > 2 && header.front() == "point" && header.back() == "error";
            if (!isTable) return false;
            errorColumn = header.size() - 1;
            noteColumn = header[errorColumn - 1] == "note" ? errorColumn - 1 : errorColumn;
            std::size_t c = 1;
            for (; c < noteColumn && isAxis(header[c]); ++c) table.axes.push_back(header[c]);
            table.columns.assign(header.begin() + static_cast<std::ptrdiff_t>(c), header.begin() + static_cast<std::ptrdiff_t>(noteColumn));
            return true;
        }
        // Spreadsheets leave out empty cells at the end of a row. Of a last row that does not end, others may be missing too.
        wrong.reset();
        const bool isWide = row.cells.size() > header.size();
        if (isWide || (row.cells.size() < header.size() && !text.ends_with('\n')))
            wrong = Error::file(file,
                                fmt::format("the row has {} cells and the header has {}; {}", row.cells.size(), header.size(),
                                            isWide ? "remove the extra cells" : "the file may be cut off: write it again"),
                                row.line, 1);
        if (isWide) return false;
        if (const auto large = tooLarge(file, table.rows.size() + 1, header.size(), text.size())) {
            wrong = large;
            return false;
        }
        StoredTable::Row next;
        table.ids.push_back(row.cell(0));
        for (std::size_t c = 0; c < table.axes.size(); ++c) next.axes.push_back(row.cell(1 + c));
        for (std::size_t c = 0; c < table.columns.size(); ++c) next.results.push_back(cellOf(row.cell(1 + table.axes.size() + c)));
        if (noteColumn < errorColumn) next.note = row.cell(noteColumn);
        next.error = row.cell(errorColumn);
        table.rows.push_back(std::move(next));
        return true;
    });
    if (!read) return read.errors();
    if (!isTable || header.empty()) return noTable(file);
    if (wrong) return *wrong;
    if (const auto twice = repeatedColumn(file, table)) return *twice;
    return table;
}

Result<TableFile> readJsonTable(const std::string& text, const std::string& file) {
    const auto root = parseJson(text, file);
    if (!root) return root.errors();
    const auto isList = [&](const char* key) { return root->is_object() && root->contains(key) && (*root)[key].is_array(); };
    if (!isList("rows") || !isList("axes") || !isList("columns") || root->value("schema", Json()) != tableSchema) return noTable(file);
    TableFile read;
    StoredTable& table = read.stored;
    for (const auto& [key, names] : {std::pair("axes", &table.axes), std::pair("columns", &table.columns)})
        for (const Json& name : (*root)[key]) {
            if (!name.is_string()) return noTable(file);
            names->push_back(name.get<std::string>());
        }
    if (const auto twice = repeatedColumn(file, table)) return *twice;
    const Json& rows = (*root)["rows"];
    if (const auto large = tooLarge(file, rows.size(), table.axes.size() + table.columns.size(), text.size())) return *large;
    std::unordered_map<std::string, std::size_t> axisOf, columnOf; // a search for each of many columns would take their square
    for (std::size_t a = 0; a < table.axes.size(); ++a) axisOf.emplace(table.axes[a], a);
    for (std::size_t c = 0; c < table.columns.size(); ++c) columnOf.emplace(table.columns[c], c);
    for (const Json& row : rows) {
        if (!row.is_object()) return noTable(file);
        StoredTable::Row next{std::vector<std::string>(table.axes.size()), std::vector<Json>(table.columns.size()), {}, {}};
        std::string id;
        for (const auto& [key, value] : row.items()) {
            if (const auto axis = axisOf.find(key); axis != axisOf.end()) next.axes[axis->second] = textOfCell(value);
            if (const auto column = columnOf.find(key); column != columnOf.end()) next.results[column->second] = value;
            if (key == "point") id = textOfCell(value);
            if (key == "note") next.note = textOfCell(value);
            if (key == "error") next.error = textOfCell(value);
        }
        table.ids.push_back(std::move(id));
        table.rows.push_back(std::move(next));
    }
    if (const Json spec = root->value("spec", Json()); !spec.is_null()) {
        auto known = readSweepSpec(jsonText(spec), file, SpecFiles::None);
        if (known)
            read.spec = std::make_shared<const SweepSpec>(std::move(*known));
        else
            read.whyNoSpec = known.error().text;
    }
    return read;
}

// Of a value of an axis, as every kind of file writes it.
std::string plainValue(const std::string& text) {
    const Json cell = cellOf(text);
    return cell.is_string() ? text : textOfCell(cell);
}

bool isId(const std::string& text) {
    constexpr std::size_t length = 16;
    return text.size() == length && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Which points of a sweep the rows of a table are.
struct Match {
    std::vector<std::size_t> axisAt;  // of the axes of the sweep, among those of the table
    std::vector<std::int64_t> points; // by row
    std::int64_t rows = 0;            // that are points
    std::string problem;              // of a row that is none, or of the whole table
};

// A row is a point by its ID if it has the values of that point. By its values alone where the ID is damaged, because a spreadsheet may
// take it for a number, or where no ID of the table is one of the sweep and `byValues` allows it: those of other versions and prices
// differ.
class Matching {
public:
    Matching(const SweepTable& table, const SweepSpec& spec, const std::vector<std::string>& ids, bool byValues)
        : m_table(table),
          m_spec(spec) {
        for (const std::string& id : ids) m_places.emplace(id, static_cast<std::int64_t>(m_places.size()));
        const bool hasId = std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return m_places.contains(row.id); });
        m_isByIds = hasId || !byValues;
        m_areIdsKnown = hasId;
    }

    Match match() {
        Match match;
        for (const SweepAxis& axis : m_spec.axes) {
            const auto at = std::find(m_table.axes.begin(), m_table.axes.end(), axis.key);
            if (at == m_table.axes.end()) {
                match.problem = "the table has no column " + axis.key;
                return match;
            }
            match.axisAt.push_back(static_cast<std::size_t>(at - m_table.axes.begin()));
            std::vector<std::set<std::string>> texts;
            for (std::size_t v = 0; v < axis.values.size(); ++v)
                texts.push_back({plainValue(axis.values[v]), plainValue(textOfCell(axis.shown[v]))});
            std::map<std::string, std::int64_t> places;
            for (std::size_t v = 0; v < texts.size(); ++v)
                for (const std::string& text : texts[v]) places.emplace(text, static_cast<std::int64_t>(v));
            m_texts.push_back(std::move(texts));
            m_valueAt.push_back(std::move(places));
        }
        if (m_isByIds && !m_areIdsKnown) {
            match.problem = "none of its points is in the table";
            return match;
        }
        for (std::size_t r = 0; r < m_table.rows.size(); ++r) {
            const SweepTable::Row& row = m_table.rows[r];
            const std::int64_t point = m_isByIds && isId(row.id) ? pointById(row, match.axisAt) : pointByValues(row, match);
            match.rows += point == SweepTable::noPoint ? 0 : 1;
            match.points.push_back(point);
        }
        return match;
    }

private:
    std::int64_t pointById(const SweepTable::Row& row, const std::vector<std::size_t>& axisAt) const {
        const auto place = m_places.find(row.id);
        if (place == m_places.end()) return SweepTable::noPoint;
        const std::vector<std::size_t> values = m_spec.valuesAt(place->second);
        for (std::size_t a = 0; a < values.size(); ++a)
            if (!m_texts[a][values[a]].contains(plainValue(row.axes[axisAt[a]]))) return SweepTable::noPoint; // it was changed
        return place->second;
    }
    std::int64_t pointByValues(const SweepTable::Row& row, Match& match) const {
        std::int64_t point = 0;
        for (std::size_t a = 0; a < m_spec.axes.size(); ++a) {
            const std::string& text = row.axes[match.axisAt[a]];
            const auto place = m_valueAt[a].find(plainValue(text));
            if (place == m_valueAt[a].end()) {
                if (match.problem.empty())
                    match.problem = fmt::format("{} = {} is not a value of the sweep, which has {}", m_spec.axes[a].key, text,
                                                fmt::join(m_spec.axes[a].values, ", "));
                return SweepTable::noPoint;
            }
            point = point * static_cast<std::int64_t>(m_spec.axes[a].values.size()) + place->second;
        }
        return point;
    }

    const SweepTable& m_table;
    const SweepSpec& m_spec;
    std::unordered_map<std::string, std::int64_t> m_places;
    bool m_isByIds = true, m_areIdsKnown = false;
    std::vector<std::vector<std::set<std::string>>> m_texts;    // of the values of each axis
    std::vector<std::map<std::string, std::int64_t>> m_valueAt; // the same by text
};

// The axes become those of the spec, in its order. Other columns before the results are results with the names of parameters.
void takeSpec(SweepTable& table, std::shared_ptr<const SweepSpec> spec, const Match& match) {
    std::vector<std::size_t> others;
    for (std::size_t a = 0; a < table.axes.size(); ++a)
        if (std::find(match.axisAt.begin(), match.axisAt.end(), a) == match.axisAt.end() &&
            std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return numberOf(cellOf(row.axes[a])).has_value(); }))
            others.push_back(a);
    std::vector<std::string> results;
    for (const std::size_t other : others) results.push_back(table.axes[other]);
    table.results.insert(table.results.begin(), results.begin(), results.end());
    table.axes.clear();
    for (const SweepAxis& axis : spec->axes) table.axes.push_back(axis.key);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        SweepTable::Row& row = table.rows[r];
        std::vector<std::optional<double>> moved;
        for (const std::size_t other : others) moved.push_back(numberOf(cellOf(row.axes[other])));
        row.results.insert(row.results.begin(), moved.begin(), moved.end());
        std::vector<std::string> axes;
        for (const std::size_t at : match.axisAt) axes.push_back(std::move(row.axes[at]));
        row.axes = std::move(axes);
        row.point = match.points[r];
    }
    table.spec = std::move(spec);
    table.whyNoSpec.clear();
}

std::string folderOf(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? std::string(".") : folder;
}

constexpr const char* manifestFile = "manifest.json";

// Some of the IDs of the table, from all parts of it.
std::vector<std::string> someIds(const SweepTable& table) {
    constexpr std::size_t most = 16;
    std::vector<std::string> all, some;
    for (const SweepTable::Row& row : table.rows)
        if (isId(row.id)) all.push_back(row.id);
    for (std::size_t i = 0; i < std::min(all.size(), most); ++i) some.push_back(all[i * all.size() / std::min(all.size(), most)]);
    return some;
}

// The folders whose manifest names one of these points: that of the table, where a link leads, and those in it, as after
// `sweep merge DIR -o table.csv`.
std::vector<std::string> foldersWith(const std::vector<std::string>& ids, const std::string& path) {
    constexpr std::size_t most = 1000, mostBytes = 64 << 20; // folders to look into; a manifest of a million points has 22 MB
    if (ids.empty()) return {};
    std::vector<std::string> folders{folderOf(path)}, inside, found;
    std::error_code failed, unknown;
    if (const std::string real = folderOf(std::filesystem::canonical(path, unknown).string()); !unknown && real != folders[0])
        folders.push_back(real);
    for (const std::string& folder : folders)
        for (std::filesystem::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed))
            if (std::filesystem::is_regular_file(each->path() / manifestFile, unknown)) inside.push_back(each->path().string());
    std::sort(inside.begin(), inside.end());
    folders.insert(folders.end(), inside.begin(), inside.begin() + static_cast<std::ptrdiff_t>(std::min(inside.size(), most)));
    for (const std::string& folder : folders) {
        const std::string manifest = folder + "/" + manifestFile;
        if (!std::filesystem::is_regular_file(manifest, unknown)) continue;
        const auto text = readFile(manifest, mostBytes);
        const auto has = [&](const std::string& id) { return text->find('"' + id + '"') != std::string::npos; };
        if (text && std::any_of(ids.begin(), ids.end(), has)) found.push_back(folder);
    }
    return found;
}

Json plainNumber(double value) { // without a fraction where it has none
    constexpr double most = 9007199254740992.0;
    return value == std::floor(value) && std::abs(value) < most ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json jsonOfCell(const std::string& text) {
    const Json cell = cellOf(text);
    return cell.is_number() && textOfCell(cell) == text ? plainNumber(cell.get<double>()) : Json(text);
}

Status writeJsonTable(const SweepTable& table, const std::string& path) {
    Json rows = Json::array();
    for (const SweepTable::Row& row : table.rows) {
        Json json{{"point", row.id}};
        const auto add = [&](const std::string& key, Json value) { json.push_back({key, std::move(value)}); }; // no key is there twice
        for (std::size_t a = 0; a < table.axes.size(); ++a) add(table.axes[a], jsonOfCell(row.axes[a]));
        for (std::size_t c = 0; c < table.results.size(); ++c)
            add(table.results[c], row.results[c] ? plainNumber(*row.results[c]) : Json());
        add("note", row.note.empty() ? Json() : Json(row.note));
        add("error", row.error.empty() ? Json() : Json(row.error));
        rows.push_back(std::move(json));
    }
    Json json{{"schema", tableSchema}};
    if (table.spec) json["spec"] = wholeSpecOf(*table.spec);
    json.update(Json{{"axes", table.axes}, {"columns", table.results}, {"rows", std::move(rows)}});
    return writeFile(path, jsonText(json) + "\n");
}

Status writeCsvTable(const SweepTable& table, const std::string& path) {
    CsvWriter csv;
    csv.text("point");
    for (const std::string& axis : table.axes) csv.text(axis);
    for (const std::string& column : table.results) csv.text(column);
    csv.text("note").text("error").endRow();
    for (const SweepTable::Row& row : table.rows) {
        csv.text(row.id);
        for (const std::string& value : row.axes) csv.text(value);
        for (const auto& value : row.results) value ? csv.number(*value) : csv.empty();
        csv.text(row.note).text(row.error).endRow();
    }
    return writeFile(path, csv.bytes());
}

bool isJson(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending == ".json";
}

Result<SweepTable> readManifest(const std::string& path) {
    auto plan = openSweep(folderOf(path));
    if (!plan) return plan.errors();
    const auto merged = mergeSweep(*plan);
    if (!merged) return merged.errors();
    std::vector<std::optional<SweepAnswer>> answers;
    for (std::size_t point = 0; point < merged->lines.size(); ++point) answers.emplace_back(merged->answer(point));
    return tableOf(*plan, answers);
}

} // namespace

Result<SweepTable> readSweepTable(const std::string& path) {
    if (std::filesystem::path(path).filename() == manifestFile) return readManifest(path);
    const auto text = readFile(path, mostJsonBytes);
    if (!text) return text.errors();
    TableFile file;
    if (isJson(path)) {
        auto read = readJsonTable(*text, path);
        if (!read) return read.errors();
        file = std::move(*read);
    } else {
        auto read = readCsvTable(*text, path);
        if (!read) return read.errors();
        file.stored = std::move(*read);
    }
    SweepTable table = withNumbers(file.stored);
    table.whyNoSpec = file.whyNoSpec;
    if (file.spec) {
        const Match match = Matching(table, *file.spec, planOf(*file.spec).ids, true).match();
        if (match.rows > 0) {
            takeSpec(table, file.spec, match);
            return table;
        }
        table.whyNoSpec = "the sweep specification in the file does not fit its rows: " + match.problem;
    }
    // Of several sweeps that share points the one with the most of them.
    std::optional<SweepPlan> best;
    Match bestMatch;
    for (const std::string& folder : foldersWith(someIds(table), path)) {
        auto plan = openSweep(folder);
        if (!plan) {
            table.whyNoSpec = toText(plan.error());
            continue;
        }
        Match match = Matching(table, plan->spec, plan->ids, false).match();
        if (match.rows <= bestMatch.rows) continue;
        best = std::move(*plan);
        bestMatch = std::move(match);
    }
    if (best) takeSpec(table, std::make_shared<const SweepSpec>(std::move(best->spec)), bestMatch);
    return table;
}

Result<SweepTable> withSweep(SweepTable table, const std::string& folder) {
    const auto plan = openSweep(folder);
    if (!plan) return plan.errors();
    const Match match = Matching(table, plan->spec, plan->ids, false).match();
    if (match.rows == 0)
        return Error::file(folder + "/" + manifestFile,
                           fmt::format("is not the sweep of this table{}{}", match.problem.empty() ? "" : ": ", match.problem));
    takeSpec(table, std::make_shared<const SweepSpec>(plan->spec), match);
    return table;
}

Status writeSweepTable(const SweepTable& table, const std::string& path) {
    return isJson(path) ? writeJsonTable(table, path) : writeCsvTable(table, path);
}

} // namespace railyard
