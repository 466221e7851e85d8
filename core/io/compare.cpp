#include "core/base/file.h"
#include "core/io/deliverables.h"

#include <fmt/format.h>

namespace railyard {
namespace {

using Leaves = std::vector<std::pair<std::string, const Json*>>;

// Lists of collectives are named by operation and size, so that equal ones meet whatever their order.
std::string itemName(const Json& item, std::size_t index) {
    if (item.is_object() && item.contains("op") && item.contains("size_bytes"))
        return fmt::format("{}@{}", item["op"].get<std::string>(), item["size_bytes"].dump());
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

Json difference(const Json* before, const Json* after) {
    if (isUnknown(before) || isUnknown(after)) return {{"absolute", nullptr}, {"relative_fraction", nullptr}};
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
            for (const std::string& path : allPaths(first, other)) delta[path] = difference(findLeaf(first, path), findLeaf(other, path));
        }
        deltas.push_back(delta);
    }
    return {{"schema", "railyard.compare/1"}, {"designs", metrics}, {"delta", deltas}};
}

Table compareTable(const std::vector<Json>& metrics) {
    Table table;
    table.name = "Compare";
    table.columns.push_back({"Metric", 46, Column::Format::General});
    std::vector<Leaves> leaves(metrics.size());
    Leaves merged;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        collect(metrics[i], "", leaves[i]);
        const std::string name =
            fmt::format("{}: {}", static_cast<char>('A' + static_cast<char>(i % 26)), metrics[i].value("name", std::string("design")));
        table.columns.push_back({name, 22, Column::Format::Decimal});
        for (const auto& leaf : leaves[i])
            if (!findLeaf(merged, leaf.first)) merged.push_back(leaf);
    }
    for (std::size_t i = 1; i < metrics.size(); ++i) {
        const char letter = static_cast<char>('A' + static_cast<char>(i % 26));
        table.columns.push_back({fmt::format("{} - A", letter), 16, Column::Format::Decimal});
        table.columns.push_back({fmt::format("{} - A (%)", letter), 12, Column::Format::Decimal});
    }
    for (const auto& [path, json] : merged) {
        std::vector<Cell> row{path};
        for (const Leaves& own : leaves) {
            const Json* leaf = findLeaf(own, path);
            row.push_back(isUnknown(leaf) ? Cell() : Cell(valueOf(leaf)));
        }
        for (std::size_t i = 1; i < metrics.size(); ++i) {
            const Json delta = difference(findLeaf(leaves[0], path), findLeaf(leaves[i], path));
            row.push_back(cellOf(delta["absolute"]));
            row.push_back(delta["relative_fraction"].is_number() ? Cell(delta["relative_fraction"].get<double>() * 100) : Cell());
        }
        table.rows.push_back(std::move(row));
    }
    table.notes.push_back("Bandwidth in one direction. Empty: not known, or no percentage of zero.");
    return table;
}

Status writeComparison(const std::vector<Json>& metrics, const std::string& path) {
    if (path.ends_with(".json")) return writeFile(path, compareJson(metrics).dump(2) + "\n");
    if (path.ends_with(".md")) return writeFile(path, markdownOf(compareTable(metrics)));
    if (path.ends_with(".csv")) return writeFile(path, csvOf(compareTable(metrics)));
    if (path.ends_with(".xlsx")) return writeWorkbook({compareTable(metrics)}, path);
    return Error::usage(fmt::format("-o {}: a comparison is written as .json, .xlsx, .csv or .md", path));
}

} // namespace railyard
