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
#include <map>
#include <optional>

namespace railyard {
namespace {

constexpr std::size_t mostCells = 20'000'000; // as values of a JSON file

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
    return Error::file(file, "is no table of a sweep; `railyard-cli sweep merge DIR -o FILE` writes one").with("type");
}

std::optional<Error> tooLarge(const std::string& file, std::size_t rows, std::size_t columns) {
    if (static_cast<std::int64_t>(rows) > mostSweepPoints)
        return Error::file(file, fmt::format("has more than {} rows, which is the maximum", formatCount(mostSweepPoints))).with("limit");
    if (rows * columns > mostCells)
        return Error::file(file, "has more than 20,000,000 cells, which is the maximum; split it").with("limit");
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
                                            isWide ? "remove the others" : "the file may be cut off: write it again"),
                                row.line, 1);
        if (isWide) return false;
        if (const auto large = tooLarge(file, table.rows.size() + 1, header.size())) {
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
    const Json& rows = (*root)["rows"];
    if (const auto large = tooLarge(file, rows.size(), table.axes.size() + table.columns.size())) return *large;
    const auto textOf = [](const Json& row, const char* key) { return textOfCell(row.value(key, Json())); };
    for (const Json& row : rows) {
        if (!row.is_object()) return noTable(file);
        StoredTable::Row next;
        for (const std::string& axis : table.axes) next.axes.push_back(textOfCell(row.value(axis, Json())));
        for (const std::string& column : table.columns) next.results.push_back(row.value(column, Json()));
        next.note = textOf(row, "note");
        next.error = textOf(row, "error");
        table.ids.push_back(textOf(row, "point"));
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

// The point of each row by the values of its axes; empty if no row has one. A column behind the axes is no axis, whatever its name.
std::optional<std::vector<std::int64_t>> pointsOf(const SweepTable& table, const SweepSpec& spec) {
    std::vector<std::map<std::string, std::int64_t>> places(spec.axes.size());
    for (std::size_t a = 0; a < spec.axes.size(); ++a) {
        if (a >= table.axes.size() || table.axes[a] != spec.axes[a].key) return std::nullopt;
        for (std::size_t v = 0; v < spec.axes[a].values.size(); ++v)
            for (const std::string& value : {spec.axes[a].values[v], textOfCell(spec.axes[a].shown[v])})
                places[a].emplace(plainValue(value), static_cast<std::int64_t>(v));
    }
    std::vector<std::int64_t> points;
    bool isAny = false;
    for (const SweepTable::Row& row : table.rows) {
        std::int64_t point = 0;
        for (std::size_t a = 0; a < places.size() && point != SweepTable::noPoint; ++a) {
            const auto place = places[a].find(plainValue(row.axes[a]));
            point = place == places[a].end() ? SweepTable::noPoint
                                             : point * static_cast<std::int64_t>(spec.axes[a].values.size()) + place->second;
        }
        isAny = isAny || point != SweepTable::noPoint;
        points.push_back(point);
    }
    return isAny ? std::optional(points) : std::nullopt;
}

// Whether the table is of this spec; then it takes it.
bool takeSpec(SweepTable& table, const std::shared_ptr<const SweepSpec>& spec) {
    const auto points = pointsOf(table, *spec);
    if (!points) return false;
    const std::size_t axes = spec->axes.size(), others = table.axes.size() - axes; // results with the names of parameters
    table.results.insert(table.results.begin(), table.axes.begin() + static_cast<std::ptrdiff_t>(axes), table.axes.end());
    table.axes.resize(axes);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        SweepTable::Row& row = table.rows[r];
        for (std::size_t o = 0; o < others; ++o)
            row.results.insert(row.results.begin() + static_cast<std::ptrdiff_t>(o), numberOf(cellOf(row.axes[axes + o])));
        row.axes.resize(axes);
        row.point = (*points)[r];
    }
    table.spec = spec;
    table.whyNoSpec.clear();
    return true;
}

std::string folderOf(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? std::string(".") : folder;
}

constexpr const char* manifestFile = "manifest.json";

// Some of the IDs of the table. A spreadsheet may have taken others for numbers.
std::vector<std::string> someIds(const SweepTable& table) {
    constexpr std::size_t most = 8, length = 16;
    std::vector<std::string> ids;
    for (const SweepTable::Row& row : table.rows)
        if (row.id.size() == length && row.id.find_first_not_of("0123456789abcdef") == std::string::npos && ids.size() < most)
            ids.push_back(row.id);
    return ids;
}

// The folders whose manifest names one of these points: that of the table, where a link leads, and those in it, as after
// `sweep merge DIR -o table.csv`.
std::vector<std::string> foldersWith(const std::vector<std::string>& ids, const std::string& path) {
    constexpr std::size_t most = 1000, mostBytes = 64 << 20; // folders to look into; a manifest of a million points has 22 MB
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

Json wholeNumber(double value) { // without a fraction where it has none
    constexpr double most = 9007199254740992.0;
    return value == std::floor(value) && std::abs(value) < most ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json jsonOfCell(const std::string& text) {
    const Json cell = cellOf(text);
    return cell.is_number() && textOfCell(cell) == text ? wholeNumber(cell.get<double>()) : Json(text);
}

Status writeJsonTable(const SweepTable& table, const std::string& path) {
    Json rows = Json::array();
    for (const SweepTable::Row& row : table.rows) {
        Json json{{"point", row.id}};
        for (std::size_t a = 0; a < table.axes.size(); ++a) json[table.axes[a]] = jsonOfCell(row.axes[a]);
        for (std::size_t c = 0; c < table.results.size(); ++c)
            json[table.results[c]] = row.results[c] ? wholeNumber(*row.results[c]) : Json();
        json["note"] = row.note.empty() ? Json() : Json(row.note);
        json["error"] = row.error.empty() ? Json() : Json(row.error);
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
    if (file.spec && takeSpec(table, file.spec)) return table;
    const std::vector<std::string> ids = someIds(table);
    if (ids.empty()) return table;
    for (const std::string& folder : foldersWith(ids, path)) {
        const auto plan = openSweep(folder);
        if (!plan)
            table.whyNoSpec = toText(plan.error());
        else if (takeSpec(table, std::make_shared<const SweepSpec>(plan->spec)))
            break;
    }
    return table;
}

Result<SweepTable> withSweep(SweepTable table, const std::string& folder) {
    const auto plan = openSweep(folder);
    if (!plan) return plan.errors();
    const std::vector<std::string> ids = someIds(table);
    const auto isPoint = [&](const std::string& id) { return std::find(plan->ids.begin(), plan->ids.end(), id) != plan->ids.end(); };
    const bool isOther = !ids.empty() && std::none_of(ids.begin(), ids.end(), isPoint);
    if (isOther || !takeSpec(table, std::make_shared<const SweepSpec>(plan->spec)))
        return Error::file(folder + "/" + manifestFile,
                           fmt::format("is of another sweep, which does not have the points of this table{}; choose that of its own sweep",
                                       ids.empty() ? std::string() : ", such as " + ids.front()));
    return table;
}

Status writeSweepTable(const SweepTable& table, const std::string& path) {
    return isJson(path) ? writeJsonTable(table, path) : writeCsvTable(table, path);
}

} // namespace railyard
