#include "core/sweep/table.h"

#include "core/analysis/option_sections.h"
#include "core/base/csv_rows.h"
#include "core/base/file.h"
#include "core/design/recipes/recipe_table.h"
#include "core/io/tables/csv.h"
#include "core/json/json_parse.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace railyard {
namespace {

// A table as its file has it, before it is known which columns are numbers.
struct RawTable {
    std::vector<std::string> axes, columns, ids;
    struct Row {
        std::vector<std::string> axes;
        std::vector<Json> results;
        std::string note, error;
    };
    std::vector<Row> rows;
    std::shared_ptr<const SweepSpec> spec; // that the file holds
};

std::optional<double> numberOf(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::string textOfCell(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_number() ? parameterText(value.get<double>()) : value.is_null() ? std::string() : value.dump();
}

SweepTable withNumbers(const RawTable& raw) {
    SweepTable table{raw.axes, {}, {}, {}};
    std::vector<std::size_t> kept;
    for (std::size_t c = 0; c < raw.columns.size(); ++c) {
        const auto isNumber = [&](const RawTable::Row& row) { return numberOf(row.results[c]).has_value(); };
        if (std::none_of(raw.rows.begin(), raw.rows.end(), isNumber)) continue;
        kept.push_back(c);
        table.results.push_back(raw.columns[c]);
    }
    for (std::size_t r = 0; r < raw.rows.size(); ++r) {
        const RawTable::Row& from = raw.rows[r];
        SweepTable::Row row{static_cast<std::int64_t>(r), raw.ids[r], from.axes, {}, from.note, from.error};
        for (const std::size_t c : kept) row.results.push_back(numberOf(from.results[c]));
        table.rows.push_back(std::move(row));
    }
    return table;
}

// A column before the answers is an axis if it is a parameter: the header does not say which it is.
bool isAxis(const std::string& key) {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) return key == "recipe" || recipeParameter(key);
    const OptionSection* section = optionSectionNamed(key.substr(0, dot));
    if (!section) return false;
    const std::vector<ParameterInfo> rows = section->rows();
    return std::any_of(rows.begin(), rows.end(), [&](const ParameterInfo& row) { return row.key == key.substr(dot + 1); });
}

Json cellOf(const std::string& text) {
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && failed == std::errc() && end == text.data() + text.size()) return value;
    return text.empty() ? Json() : text == "true" || text == "false" ? Json(text == "true") : Json(text);
}

Error noTable(const std::string& file) {
    return Error::file(file, "is no table of a sweep; `railyard-cli sweep merge DIR -o FILE` writes one").with("type");
}

Result<RawTable> readCsvTable(const std::string& text, const std::string& file) {
    RawTable table;
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
        RawTable::Row next;
        table.ids.push_back(row.cell(0));
        for (std::size_t c = 0; c < table.axes.size(); ++c) next.axes.push_back(row.cell(1 + c));
        for (std::size_t c = 0; c < table.columns.size(); ++c) next.results.push_back(cellOf(row.cell(1 + table.axes.size() + c)));
        if (noteColumn < errorColumn) next.note = row.cell(noteColumn);
        next.error = row.cell(errorColumn);
        table.rows.push_back(std::move(next));
        return static_cast<std::int64_t>(table.rows.size()) <= mostSweepPoints;
    });
    if (!read) return read.errors();
    if (!isTable || header.empty()) return noTable(file);
    if (wrong) return *wrong;
    return table;
}

Result<RawTable> readJsonTable(const std::string& text, const std::string& file) {
    const auto root = parseJson(text, file);
    if (!root) return root.errors();
    const auto isList = [&](const char* key) { return root->is_object() && root->contains(key) && (*root)[key].is_array(); };
    if (!isList("rows") || !isList("axes") || !isList("columns") || root->value("schema", Json()) != tableSchema) return noTable(file);
    RawTable table;
    for (const auto& [key, names] : {std::pair("axes", &table.axes), std::pair("columns", &table.columns)})
        for (const Json& name : (*root)[key]) {
            if (!name.is_string()) return noTable(file);
            names->push_back(name.get<std::string>());
        }
    const auto textOf = [](const Json& row, const char* key) { return textOfCell(row.value(key, Json())); };
    for (const Json& row : (*root)["rows"]) {
        if (!row.is_object()) return noTable(file);
        RawTable::Row next;
        for (const std::string& axis : table.axes) next.axes.push_back(textOfCell(row.value(axis, Json())));
        for (const std::string& column : table.columns) next.results.push_back(row.value(column, Json()));
        next.note = textOf(row, "note");
        next.error = textOf(row, "error");
        table.ids.push_back(textOf(row, "point"));
        table.rows.push_back(std::move(next));
    }
    if (const Json spec = root->value("spec", Json()); spec.is_object()) {
        auto read = readSweepSpec(jsonText(spec), file);
        if (!read) return read.errors();
        table.spec = std::make_shared<const SweepSpec>(std::move(*read));
    }
    return table;
}

// The point of each row, by the values of its axes; empty if one is of another sweep.
std::optional<std::vector<std::int64_t>> pointsByValues(const SweepTable& table, const SweepSpec& spec) {
    std::vector<std::map<std::string, std::int64_t>> places(spec.axes.size());
    for (std::size_t a = 0; a < spec.axes.size(); ++a) {
        if (a >= table.axes.size() || table.axes[a] != spec.axes[a].key) return std::nullopt;
        for (const std::string& value : spec.axes[a].values) places[a].emplace(value, static_cast<std::int64_t>(places[a].size()));
    }
    std::vector<std::int64_t> points;
    for (const SweepTable::Row& row : table.rows) {
        std::int64_t point = 0;
        for (std::size_t a = 0; a < places.size(); ++a) {
            const auto place = places[a].find(row.axes[a]);
            if (place == places[a].end()) return std::nullopt;
            point = point * static_cast<std::int64_t>(places[a].size()) + place->second;
        }
        points.push_back(point);
    }
    return points;
}

// The same by their IDs.
std::optional<std::vector<std::int64_t>> pointsByIds(const SweepTable& table, const SweepPlan& plan) {
    std::unordered_map<std::string, std::int64_t> places;
    for (const std::string& id : plan.ids) places.emplace(id, static_cast<std::int64_t>(places.size()));
    std::vector<std::int64_t> points;
    for (const SweepTable::Row& row : table.rows) {
        const auto place = places.find(row.id);
        if (place == places.end()) return std::nullopt;
        points.push_back(place->second);
    }
    return points;
}

bool takeSpec(SweepTable& table, const std::optional<std::vector<std::int64_t>>& points, std::shared_ptr<const SweepSpec> spec) {
    if (!points) return false;
    for (std::size_t r = 0; r < points->size(); ++r) table.rows[r].point = (*points)[r];
    table.spec = std::move(spec);
    return true;
}
bool takeSpec(SweepTable& table, const SweepPlan& plan) {
    return takeSpec(table, pointsByIds(table, plan), std::make_shared<const SweepSpec>(plan.spec));
}

std::string folderOf(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? std::string(".") : folder;
}

constexpr const char* manifestFile = "manifest.json";

// The folders whose manifest names this point: the folder of the table, and those in it, as after `sweep merge DIR -o table.csv`.
std::vector<std::string> foldersWith(const std::string& id, const std::string& folder) {
    constexpr std::size_t most = 1000; // folders to look into
    std::vector<std::string> folders{folder}, found;
    std::error_code failed, unknown;
    for (std::filesystem::directory_iterator each(folder, failed), end; !failed && each != end && folders.size() < most;
         each.increment(failed))
        if (each->is_directory(unknown)) folders.push_back(each->path().string());
    std::sort(folders.begin() + 1, folders.end());
    for (const std::string& each : folders) {
        const std::string manifest = each + "/" + manifestFile;
        if (!std::filesystem::is_regular_file(manifest, unknown)) continue;
        const auto text = readFile(manifest, mostJsonBytes);
        if (text && text->find('"' + id + '"') != std::string::npos) found.push_back(each);
    }
    return found;
}

} // namespace

SweepTable tableOf(const SweepPlan& plan, const std::vector<std::optional<SweepAnswer>>& answers) {
    RawTable raw;
    for (const SweepAxis& axis : plan.spec.axes) raw.axes.push_back(axis.key);
    std::set<std::string> known(raw.axes.begin(), raw.axes.end()); // an axis has its column
    for (const auto& answer : answers)
        if (answer)
            for (const auto& [key, value] : answer->values.items())
                if (known.insert(key).second) raw.columns.push_back(key);
    std::vector<std::int64_t> points;
    for (std::size_t point = 0; point < answers.size(); ++point) {
        if (!answers[point]) continue;
        RawTable::Row row;
        const std::vector<std::size_t> values = plan.spec.valuesAt(static_cast<std::int64_t>(point));
        for (std::size_t a = 0; a < values.size(); ++a) row.axes.push_back(plan.spec.axes[a].values[values[a]]);
        const auto results = answers[point]->byKey();
        for (const std::string& column : raw.columns) {
            const auto found = results.find(column);
            row.results.push_back(found == results.end() ? Json() : *found->second);
        }
        row.note = answers[point]->note;
        row.error = answers[point]->error;
        raw.rows.push_back(std::move(row));
        raw.ids.push_back(plan.ids[point]);
        points.push_back(static_cast<std::int64_t>(point));
    }
    SweepTable table = withNumbers(raw);
    for (std::size_t r = 0; r < points.size(); ++r) table.rows[r].point = points[r];
    table.spec = std::make_shared<const SweepSpec>(plan.spec);
    return table;
}

Result<SweepTable> readSweepTable(const std::string& path) {
    if (std::filesystem::path(path).filename() == manifestFile) {
        auto plan = openSweep(folderOf(path));
        if (!plan) return plan.errors();
        const auto merged = mergeSweep(*plan);
        if (!merged) return merged.errors();
        std::vector<std::optional<SweepAnswer>> answers;
        for (std::size_t point = 0; point < merged->lines.size(); ++point) answers.emplace_back(merged->answer(point));
        return tableOf(*plan, answers);
    }
    const auto text = readFile(path, mostJsonBytes);
    if (!text) return text.errors();
    const auto raw = path.ends_with(".json") ? readJsonTable(*text, path) : readCsvTable(*text, path);
    if (!raw) return raw.errors();
    SweepTable table = withNumbers(*raw);
    if (raw->spec && takeSpec(table, pointsByValues(table, *raw->spec), raw->spec)) return table;
    if (table.rows.empty()) return table;
    for (const std::string& folder : foldersWith(table.rows.front().id, folderOf(path)))
        if (const auto plan = openSweep(folder); plan && takeSpec(table, *plan)) break;
    return table;
}

Result<SweepTable> withSweep(SweepTable table, const std::string& folder) {
    const auto plan = openSweep(folder);
    if (!plan) return plan.errors();
    if (!takeSpec(table, *plan))
        return Error::file(folder + "/" + manifestFile, "is of another sweep: it does not have the points of this table");
    return table;
}

namespace {

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

Json plainNumber(double value) { // without a fraction where it has none
    constexpr double most = 9007199254740992.0;
    return value == std::floor(value) && std::abs(value) < most ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json jsonOfCell(const std::string& text) {
    const Json cell = cellOf(text);
    return cell.is_number() && parameterText(cell.get<double>()) == text ? plainNumber(cell.get<double>()) : Json(text);
}

Status writeJsonTable(const SweepTable& table, const std::string& path) {
    Json rows = Json::array();
    for (const SweepTable::Row& row : table.rows) {
        Json json{{"point", row.id}};
        for (std::size_t a = 0; a < table.axes.size(); ++a) json[table.axes[a]] = jsonOfCell(row.axes[a]);
        for (std::size_t c = 0; c < table.results.size(); ++c)
            json[table.results[c]] = row.results[c] ? plainNumber(*row.results[c]) : Json();
        json["note"] = row.note.empty() ? Json() : Json(row.note);
        json["error"] = row.error.empty() ? Json() : Json(row.error);
        rows.push_back(std::move(json));
    }
    Json json{{"schema", tableSchema}};
    if (table.spec) json["spec"] = wholeSpecOf(*table.spec);
    json.update(Json{{"axes", table.axes}, {"columns", table.results}, {"rows", std::move(rows)}});
    return writeFile(path, jsonText(json) + "\n");
}

} // namespace

Status writeSweepTable(const SweepTable& table, const std::string& path) {
    return path.ends_with(".json") ? writeJsonTable(table, path) : writeCsvTable(table, path);
}

std::vector<std::size_t> paretoFront(const SweepTable& table, const std::vector<std::size_t>& among, const SweepGoal& first,
                                     const SweepGoal& second) {
    std::vector<std::size_t> rows;
    for (const std::size_t row : among)
        if (table.rows[row].results[first.column] && table.rows[row].results[second.column]) rows.push_back(row);
    const auto cost = [&](std::size_t row, const SweepGoal& goal) {
        const double value = *table.rows[row].results[goal.column];
        return goal.lessIsBetter ? value : -value;
    };
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(cost(a, first), cost(a, second)) < std::pair(cost(b, first), cost(b, second));
    });
    std::vector<std::size_t> front;
    double best = std::numeric_limits<double>::infinity();
    for (const std::size_t row : rows) {
        if (!(cost(row, second) < best)) continue;
        best = cost(row, second);
        front.push_back(row);
    }
    if (!first.lessIsBetter) std::reverse(front.begin(), front.end());
    return front;
}

namespace {

// "16,384" among the values, which people also write for one number; empty if there is none. Lists have a space, or more than one comma.
std::string groupedNumber(const std::string& text) {
    constexpr std::string_view digits = "0123456789";
    constexpr std::size_t group = 3;
    for (std::size_t begin = 0; (begin = text.find_first_of(digits, begin)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789,", begin), text.size()), comma = text.find(',', begin);
        const bool isOne = comma < end && comma - begin <= group && end - comma - 1 == group && text.find(',', comma + 1) >= end;
        const bool isAlone = begin == 0 || std::string_view(" ,+").find(text[begin - 1]) != std::string_view::npos ||
                             (begin > 1 && text.compare(begin - 2, 2, "..") == 0);
        const bool endsHere = end == text.size() || std::string_view(" ,.+").find(text[end]) != std::string_view::npos;
        if (isOne && isAlone && endsHere) return text.substr(begin, end - begin);
        begin = end;
    }
    return {};
}

} // namespace

Result<std::vector<std::string>> axisValues(const std::string& text) {
    constexpr std::size_t most = 1000;
    std::vector<std::string> values;
    const auto wrong = [&](const std::string& what) {
        return Error::usage(fmt::format("\"{}\": {}; write 512, 1024, or 512..4096 to double, or 8..72+8 for steps", text, what));
    };
    if (const std::string one = groupedNumber(text); !one.empty()) {
        std::string digits = one, spaced = one;
        digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
        spaced.insert(spaced.find(',') + 1, " ");
        return Error::usage(fmt::format("\"{}\" may be one value or two; write {}, or {} with a space", one, digits, spaced));
    }
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::string value = text.substr(begin, comma - begin);
        begin = comma + 1;
        const std::size_t first = value.find_first_not_of(" \t"), last = value.find_last_not_of(" \t");
        if (first == std::string::npos) continue;
        value = value.substr(first, last - first + 1);
        const std::size_t dots = value.find("..");
        if (dots == std::string::npos) {
            values.push_back(value);
            continue;
        }
        const std::size_t plus = value.find('+', dots);
        const double low = parameterNumber(value.substr(0, dots)),
                     high = parameterNumber(value.substr(dots + 2, plus == std::string::npos ? plus : plus - dots - 2)),
                     step = plus == std::string::npos ? 0 : parameterNumber(value.substr(plus + 1));
        if (!(low > 0) || !(high >= low) || !std::isfinite(high) || (plus != std::string::npos && !(step > 0)))
            return wrong("is no range that ends");
        double each = low;
        for (int count = 1; each <= high * (1 + 1e-12); ++count) {
            if (values.size() == most) return wrong(fmt::format("has more than {} values", most));
            values.push_back(parameterText(parameterNumber(fmt::format("{:.12g}", each)))); // 0.3, not 0.30000000000000004
            each = step > 0 ? low + count * step : each * 2;
        }
    }
    if (values.empty()) return wrong("has no values");
    if (values.size() > most) return wrong(fmt::format("has more than {} values", most));
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
            values.begin() + static_cast<std::ptrdiff_t>(i))
            return wrong("has " + values[i] + " twice");
    return values;
}

} // namespace railyard
