#include "core/io/tables/compare.h"

#include "core/analysis/figures/figure_table.h"
#include "core/analysis/metrics/networks_total.h"
#include "core/base/file.h"
#include "core/io/tables/compare_words.h"
#include "core/io/tables/workbook.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

using Leaves = std::vector<std::pair<std::string, const Json*>>;

// Lists of collectives are named by operation and size, so that equal ones meet whatever their order.
std::string itemName(const Json& item, std::size_t index) {
    if (item.is_object() && item.contains("op") && item.contains("size_bytes"))
        return collectiveKey(item["op"].get<std::string>(), Bytes(item["size_bytes"].get<std::int64_t>()));
    return std::to_string(index);
}

enum class Items { ByName, ByIndex };

void collect(const Json& json, const std::string& path, Leaves& leaves, Items items = Items::ByName) {
    if (json.is_object()) {
        for (const auto& [key, value] : json.items()) collect(value, path.empty() ? key : path + "." + key, leaves, items);
    } else if (json.is_array()) {
        for (std::size_t i = 0; i < json.size(); ++i)
            collect(json[i], path + "." + (items == Items::ByName ? itemName(json[i], i) : std::to_string(i)), leaves, items);
    } else if (json.is_number() || json.is_null()) {
        leaves.emplace_back(path, &json);
    }
}

const Json* findLeaf(const Leaves& leaves, const std::string& path) {
    for (const auto& [name, json] : leaves)
        if (name == path) return json;
    return nullptr;
}

// Counts of a tier or part that one design lacks are 0 there, not unknown.
double valueOf(const Json* json) { return json && json->is_number() ? json->get<double>() : 0; }
bool isUnknown(const Json* json) { return json && json->is_null(); }

std::vector<std::string> allPaths(const Leaves& a, const Leaves& b) {
    std::vector<std::string> paths;
    for (const auto& [path, json] : a) paths.push_back(path);
    for (const auto& [path, json] : b)
        if (!findLeaf(a, path)) paths.push_back(path);
    return paths;
}

// The kinds of parts without a price that a figure of these metrics leaves out.
std::set<std::string> leftOutOf(const FigureInfo& figure, const std::string& key, const Json& metrics) {
    static const std::set<std::string> network{"switch", "cable", "pluggable"};
    static const std::set<std::string> allNetworks = [] {
        std::set<std::string> names;
        for (std::size_t c = 0; c < billCategoryNames.size(); ++c)
            if (isOfNetworks(static_cast<BillCategory>(c))) names.insert(std::string(billCategoryNames[c]));
        return names;
    }();
    std::set<std::string> kinds;
    if (figure.pricesOf == PricesOf::Nothing || !metrics.contains("cost")) return kinds;
    for (const Json& kind : metrics["cost"].value("unpriced_kinds", Json::array())) {
        const std::string name = kind.get<std::string>();
        const bool isIn = figure.pricesOf == PricesOf::Everything || (figure.pricesOf == PricesOf::Network && network.contains(name)) ||
                          (figure.pricesOf == PricesOf::AllNetworks && allNetworks.contains(name)) || key.substr(figure.key.size()) == name;
        if (isIn) kinds.insert(name);
    }
    return kinds;
}

// Sums of prices that leave out different kinds of parts cover different things; so do their ratios.
bool areComparable(const std::string& key, const Json& a, const Json& b) {
    const FigureInfo* figure = figureNamed(key);
    return !figure || leftOutOf(*figure, key, a) == leftOutOf(*figure, key, b);
}

Json difference(const std::string& key, const Json& a, const Json& b, const Json* before, const Json* after) {
    if (isUnknown(before) || isUnknown(after) || !areComparable(key, a, b)) return {{"absolute", nullptr}, {"relative_fraction", nullptr}};
    const double base = valueOf(before), absolute = valueOf(after) - base;
    return {{"absolute", absolute}, {"relative_fraction", base == 0 ? Json() : Json(absolute / base)}};
}

Cell cellOf(const Json& json) { return json.is_number() ? Cell(json.get<double>()) : Cell(); }

} // namespace

Json compareJson(const std::vector<Json>& metrics) {
    Json deltas = Json::array();
    for (std::size_t i = 1; i < metrics.size(); ++i) {
        Json delta = Json::object();
        // Lists by position, as the path in the metrics object has it, and by what the item is.
        for (const Items items : {Items::ByIndex, Items::ByName}) {
            Leaves first, other;
            collect(metrics[0], "", first, items);
            collect(metrics[i], "", other, items);
            for (const std::string& path : allPaths(first, other))
                delta[path] = difference(path, metrics[0], metrics[i], findLeaf(first, path), findLeaf(other, path));
        }
        deltas.push_back(delta);
    }
    return {{"schema", "railyard.compare/1"}, {"designs", metrics}, {"delta", deltas}};
}

namespace {

char letterOf(std::size_t design) { return static_cast<char>('A' + static_cast<char>(design % 26)); }

std::string nameOf(const std::vector<Json>& metrics, std::size_t design) {
    return fmt::format("{}: {}", letterOf(design), metrics[design].value("name", std::string("design")));
}

// The leaves of every design, and the paths of all of them in the order of their first appearance.
struct Merged {
    std::vector<Leaves> leaves;
    std::vector<std::string> paths;
    const std::vector<Json>& metrics;

    Json difference(std::size_t design, const std::string& path) const { // from the first
        return railyard::difference(path, metrics[0], metrics[design], findLeaf(leaves[0], path), findLeaf(leaves[design], path));
    }
};

Merged merge(const std::vector<Json>& metrics) {
    Merged merged{{}, {}, metrics};
    merged.leaves.resize(metrics.size());
    std::set<std::string> seen;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        collect(metrics[i], "", merged.leaves[i]);
        for (const auto& [path, json] : merged.leaves[i])
            if (seen.insert(path).second) merged.paths.push_back(path);
    }
    return merged;
}

// "cost of servers: 0" in every design says nothing.
bool isNothing(const Merged& merged, const std::string& path) {
    return std::none_of(merged.leaves.begin(), merged.leaves.end(),
                        [&](const Leaves& leaves) { return valueOf(findLeaf(leaves, path)) != 0; });
}

std::vector<Cell> rowInWords(const Merged& merged, const std::string& path, const KeyWords& words) {
    const auto cell = [&](const Json* leaf) {
        return isUnknown(leaf) ? Cell(std::string("not known")) : Cell(Figure{valueOf(leaf) * words.scale, words.format});
    };
    std::vector<Cell> row{words.section, words.title, words.unit};
    for (const Leaves& leaves : merged.leaves) row.push_back(cell(findLeaf(leaves, path)));
    for (std::size_t i = 1; i < merged.leaves.size(); ++i) {
        const Json delta = merged.difference(i, path);
        const Json &absolute = delta["absolute"], &relative = delta["relative_fraction"];
        const bool isKnown = absolute.is_number();
        row.push_back(isKnown ? Cell(Figure{absolute.get<double>() * words.scale, words.format}) : Cell(std::string("–")));
        row.push_back(relative.is_number() ? Cell(Figure{relative.get<double>(), CellFormat::Change})
                      : isKnown            ? Cell()
                                           : Cell(std::string("–")));
    }
    return row;
}

} // namespace

Table compareTable(const std::vector<Json>& metrics) {
    Table table;
    table.name = "Compare";
    table.columns.push_back({"Metric", 46, Column::Format::General});
    const Merged merged = merge(metrics);
    for (std::size_t i = 0; i < metrics.size(); ++i) table.columns.push_back({nameOf(metrics, i), 22, Column::Format::Decimal});
    for (std::size_t i = 1; i < metrics.size(); ++i) {
        table.columns.push_back({fmt::format("{} - A", letterOf(i)), 16, Column::Format::Decimal});
        table.columns.push_back({fmt::format("{} - A (%)", letterOf(i)), 12, Column::Format::Decimal});
    }
    for (const std::string& path : merged.paths) {
        std::vector<Cell> row{path};
        for (const Leaves& own : merged.leaves) {
            const Json* leaf = findLeaf(own, path);
            row.push_back(isUnknown(leaf) ? Cell() : Cell(valueOf(leaf)));
        }
        for (std::size_t i = 1; i < metrics.size(); ++i) {
            const Json delta = merged.difference(i, path);
            row.push_back(cellOf(delta["absolute"]));
            row.push_back(delta["relative_fraction"].is_number() ? Cell(delta["relative_fraction"].get<double>() * 100) : Cell());
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

// "Training figures are for llama3-70b." Where the designs have different jobs, of each: "A: llama3-70b, B: gpt3-175b".
static std::string trainingJobsOf(const std::vector<Json>& metrics) {
    std::set<std::string> different;
    std::string each;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const auto training = metrics[i].find("training");
        const bool isKnown = training != metrics[i].end() && training->contains("model") && (*training)["model"].is_string();
        const std::string model = isKnown ? (*training)["model"].get<std::string>() : "no job that can run";
        different.insert(model);
        each += fmt::format("{}{}: {}", each.empty() ? "" : ", ", letterOf(i), model);
    }
    if (metrics.empty()) return {};
    return fmt::format("Training figures are for {}.", different.size() == 1 ? *different.begin() : each);
}

Table comparisonTable(const std::vector<Json>& metrics) {
    Table table;
    table.name = "Compare";
    table.columns = {
        {"Section", 14, CellFormat::General, true}, {"Metric", 48, CellFormat::General, true}, {"Unit", 8, CellFormat::General}};
    for (std::size_t i = 0; i < metrics.size(); ++i) table.columns.push_back({nameOf(metrics, i), 20, CellFormat::Decimal});
    for (std::size_t i = 1; i < metrics.size(); ++i) {
        table.columns.push_back({fmt::format("Difference, {} − A", letterOf(i)), 16, CellFormat::Decimal});
        table.columns.push_back({fmt::format("{} relative to A", letterOf(i)), 12, CellFormat::Change});
    }
    const Merged merged = merge(metrics);
    std::vector<std::pair<KeyWords, std::string>> known;
    for (const std::string& path : merged.paths) {
        const bool isOneOfMany = path.find("by_") != std::string::npos || path.starts_with("training.breakdown_s.") ||
                                 path.starts_with("training.bytes_per_gpu.");
        if (isOneOfMany && isNothing(merged, path)) continue;
        if (auto words = wordsOf(path)) known.emplace_back(std::move(*words), path);
    }
    std::stable_sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.first.order < b.first.order; });
    for (const auto& [words, path] : known) table.rows.push_back(rowInWords(merged, path, words));
    table.notes.emplace_back("Bandwidths are per direction. Costs are catalogue list prices; totals exclude items without a price.");
    table.notes.emplace_back(
        "A difference is – where a value is not known, or where the two costs leave out different kinds of parts without a price; relative "
        "differences are left empty where A is zero.");
    if (const std::string jobs = trainingJobsOf(metrics); !jobs.empty()) table.notes.push_back(jobs);
    return table;
}

namespace {

using Compared = std::vector<Json>;

Status writeCompareWorkbook(const Compared& metrics, const std::string& path) {
    std::string title;
    for (std::size_t i = 0; i < metrics.size(); ++i) title += (i == 0 ? "" : ", ") + nameOf(metrics, i);
    return writeWorkbook({comparisonTable(metrics)}, path, title);
}

// Titles and units in words are for people, metric keys for other programs.
const std::vector<FormatRow<Compared>>& compareRows() {
    static const std::vector<FormatRow<Compared>> rows{
        {{".xlsx", "Workbook"}, writeCompareWorkbook},
        {{".md", "Markdown"}, [](const Compared& of, const std::string& path) { return writeFile(path, markdownOf(comparisonTable(of))); }},
        {{".csv", "CSV with metric keys"},
         [](const Compared& of, const std::string& path) { return writeFile(path, csvOf(compareTable(of))); }},
        {{".json", "JSON with metric keys"},
         [](const Compared& of, const std::string& path) { return writeFile(path, jsonText(compareJson(of)) + "\n"); }}};
    return rows;
}

} // namespace

std::vector<FileFormat> comparisonFormats() { return formatsOf(compareRows()); }

Status writeComparison(const std::vector<Json>& metrics, const std::string& path) {
    if (const auto* format = formatFor(compareRows(), path)) return format->write(metrics, path);
    if (path.ends_with(".pdf"))
        return Error::usage(fmt::format("{}: for a PDF of two designs run `railyard render A --view compare:B -o {}`; here a comparison is "
                                        "written as {}",
                                        path, path, extensionsOf(comparisonFormats())));
    return unknownFormat("a comparison", path, compareRows());
}

} // namespace railyard
