#include "core/io/stated/package_text.h"

#include "core/base/natural_order.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <sstream>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#pragma GCC diagnostic pop

namespace railyard {
namespace {

using Tree = boost::property_tree::ptree;

const std::string* partNamed(const ZipEntries& package, const std::string& name) {
    const auto found = std::find_if(package.begin(), package.end(), [&](const auto& entry) { return entry.first == name; });
    return found == package.end() ? nullptr : &found->second;
}

// The parser follows the nesting of a text by its own calls.
bool isNestedTooDeep(const std::string& xml) {
    constexpr int most = 200;
    int depth = 0;
    for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
        const char next = at + 1 < xml.size() ? xml[at + 1] : '\0';
        if (next == '/') {
            --depth;
        } else if (next != '?' && next != '!') {
            const std::size_t end = xml.find('>', at);
            if (end != std::string::npos && xml[end - 1] != '/' && ++depth > most) return true;
        }
    }
    return false;
}

Result<Tree> treeOf(const std::string& xml, const std::string& part, const std::string& file) {
    const auto wrong = [&](const std::string& why) {
        return Error::file(file, fmt::format("its part {} cannot be read ({}); export the file again", part, why)).with("syntax");
    };
    if (isNestedTooDeep(xml)) return wrong("nested too deeply");
    Tree tree;
    std::istringstream stream(xml);
    try {
        boost::property_tree::read_xml(stream, tree);
    } catch (const boost::property_tree::xml_parser_error& problem) {
        return wrong(problem.message());
    }
    return tree;
}

// The name of an element without its prefix.
std::string_view plain(const std::string& name) {
    return std::string_view(name).substr(name.find(':') == std::string::npos ? 0 : name.find(':') + 1);
}

// Calls use(element) for every element of this name, at any depth.
template <class Use>
void eachElement(const Tree& tree, std::string_view name, const Use& use) {
    for (const auto& [key, child] : tree) {
        if (plain(key) == name) use(child);
        eachElement(child, name, use);
    }
}

std::string attribute(const Tree& element, std::string_view name) {
    if (const auto all = element.get_child_optional("<xmlattr>"))
        for (const auto& [key, value] : *all)
            if (plain(key) == name) return value.data();
    return {};
}

// The text of an element and of all that is in it.
std::string textIn(const Tree& element, std::string_view of) {
    std::string text;
    eachElement(element, of, [&](const Tree& each) { text += each.data(); });
    return text;
}

// B of B7 is 1.
std::size_t columnOf(const std::string& cell) {
    constexpr std::size_t mostColumns = 16384;
    std::size_t column = 0;
    for (const char c : cell) {
        if (c < 'A' || c > 'Z' || column > mostColumns) break;
        column = column * 26 + static_cast<std::size_t>(c - 'A') + 1;
    }
    return std::clamp<std::size_t>(column, 1, mostColumns) - 1;
}

// The part of every sheet, by its name.
Result<std::map<std::string, std::string>> sheetParts(const ZipEntries& package, const std::string& file) {
    std::map<std::string, std::string> targets, parts;
    for (const char* name : {"xl/_rels/workbook.xml.rels", "xl/workbook.xml"}) {
        const std::string* xml = partNamed(package, name);
        if (!xml) return parts;
        const auto tree = treeOf(*xml, name, file);
        if (!tree) return tree.errors();
        eachElement(*tree, "Relationship", [&](const Tree& each) {
            std::string target = attribute(each, "Target");
            targets[attribute(each, "Id")] = target.starts_with("/") ? target.substr(1) : "xl/" + target;
        });
        eachElement(*tree, "sheet", [&](const Tree& each) {
            // Two attributes end in "id": the plain one is a number, the other names the relationship.
            if (const auto all = each.get_child_optional("<xmlattr>"))
                for (const auto& [key, value] : *all)
                    if (const auto target = targets.find(value.data()); key.ends_with(":id") && target != targets.end())
                        parts[attribute(each, "name")] = target->second;
        });
    }
    return parts;
}

} // namespace

bool isWorkbook(const ZipEntries& package) { return partNamed(package, "xl/workbook.xml"); }
bool isPresentation(const ZipEntries& package) { return partNamed(package, "ppt/presentation.xml"); }

Result<std::optional<SheetRows>> rowsOfSheet(const ZipEntries& package, const std::string& sheet, const std::string& file) {
    const auto parts = sheetParts(package, file);
    if (!parts) return parts.errors();
    const auto part = parts->find(sheet);
    const std::string* xml = part == parts->end() ? nullptr : partNamed(package, part->second);
    if (!xml) return std::optional<SheetRows>();
    std::vector<std::string> shared;
    if (const std::string* strings = partNamed(package, "xl/sharedStrings.xml")) {
        const auto tree = treeOf(*strings, "xl/sharedStrings.xml", file);
        if (!tree) return tree.errors();
        eachElement(*tree, "si", [&](const Tree& each) { shared.push_back(textIn(each, "t")); });
    }
    const auto tree = treeOf(*xml, part->second, file);
    if (!tree) return tree.errors();
    SheetRows rows;
    eachElement(*tree, "row", [&](const Tree& row) {
        std::vector<std::string>& cells = rows.emplace_back();
        eachElement(row, "c", [&](const Tree& cell) {
            const std::string place = attribute(cell, "r"), kind = attribute(cell, "t");
            const std::size_t column = place.empty() ? cells.size() : columnOf(place);
            if (cells.size() <= column) cells.resize(column + 1);
            std::string value = kind == "inlineStr" ? textIn(cell, "t") : textIn(cell, "v");
            if (kind == "s") {
                std::size_t index = shared.size();
                std::from_chars(value.data(), value.data() + value.size(), index);
                value = index < shared.size() ? shared[index] : std::string();
            }
            cells[column] = std::move(value);
        });
    });
    return std::optional(std::move(rows));
}

Result<std::vector<NamedShape>> namedShapes(const ZipEntries& package, const std::string& file) {
    std::vector<std::string> slides;
    for (const auto& [name, content] : package)
        if (name.starts_with("ppt/slides/slide") && name.ends_with(".xml")) slides.push_back(name);
    std::sort(slides.begin(), slides.end(), [](const std::string& a, const std::string& b) { return naturallyLess(a, b); });
    std::vector<NamedShape> shapes;
    for (const std::string& slide : slides) {
        const auto tree = treeOf(*partNamed(package, slide), slide, file);
        if (!tree) return tree.errors();
        eachElement(*tree, "sp", [&](const Tree& shape) {
            NamedShape named;
            eachElement(shape, "cNvPr", [&](const Tree& each) { named.name = attribute(each, "name"); });
            eachElement(shape, "p", [&](const Tree& line) {
                const std::string text = textIn(line, "t");
                if (!text.empty()) named.text += (named.text.empty() ? "" : " ") + text;
            });
            shapes.push_back(std::move(named));
        });
    }
    return shapes;
}

} // namespace railyard
