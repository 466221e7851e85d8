#include "core/io/verification/package_text.h"

#include "core/base/natural_order.h"
#include "core/base/zip_file.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
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

constexpr std::size_t mostBytes = std::size_t{256} << 20; // of the parts that are held in memory

Result<ZipEntries> partsOf(const std::string& bytes, const std::string& file, const WantedEntry& isWanted) {
    auto parts = entriesOf(bytes, mostBytes, isWanted);
    if (!parts) return Error::file(file, parts.error().text).with("read");
    return parts;
}

// The part of every sheet, by its name.
Result<std::map<std::string, std::string>> sheetParts(const std::string& bytes, const std::string& file) {
    const std::string book = "xl/workbook.xml", relations = "xl/_rels/workbook.xml.rels";
    const auto package = partsOf(bytes, file, [&](const std::string& name) { return name == book || name == relations; });
    if (!package) return package.errors();
    std::map<std::string, std::string> targets, parts;
    for (const std::string& name : {relations, book}) {
        const std::string* xml = partNamed(*package, name);
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

// The texts of a workbook stand in a part of their own, which has those of all sheets: of a large cable list that is a gigabyte, and those
// of the first sheets stand at its beginning. So it is read in pieces, as far as needed.
class SharedTexts {
public:
    SharedTexts(std::set<std::size_t> wanted, const std::string& file) : m_wanted(std::move(wanted)), m_file(file) {}

    bool isDone() const { return m_wanted.empty() || m_count > *m_wanted.rbegin() || !m_problem; }
    // False: enough is known, or it cannot be read.
    bool take(std::string_view piece) {
        constexpr std::size_t mostOfOne = std::size_t{16} << 20;
        m_buffer += piece;
        std::size_t done = 0; // of the buffer
        while (!isDone()) {
            const std::size_t tag = m_buffer.find('<', m_at), end = tag == std::string::npos ? tag : m_buffer.find('>', tag);
            if (end == std::string::npos) break;
            m_at = end + 1;
            const std::string_view name = nameOf(std::string_view(m_buffer).substr(tag + 1, end - tag - 1));
            const bool isEmpty = m_buffer[end - 1] == '/';
            if (name == "si" && !isEmpty) {
                m_begin = tag;
            } else if (name == "si" || name == "/si") {
                if (!isEmpty && m_begin != std::string::npos) keep(m_buffer.substr(m_begin, m_at - m_begin));
                m_begin = std::string::npos;
                ++m_count;
            }
            done = m_begin == std::string::npos ? m_at : m_begin;
        }
        m_buffer.erase(0, done);
        m_at -= done;
        if (m_begin != std::string::npos) m_begin -= done;
        if (m_buffer.size() > mostOfOne)
            m_problem = Error::file(m_file, "its part xl/sharedStrings.xml holds too long a text").with("limit");
        return !isDone();
    }
    std::string textAt(std::size_t index) const {
        const auto found = m_texts.find(index);
        return found == m_texts.end() ? std::string() : found->second;
    }
    const Status& problem() const { return m_problem; }

private:
    // "si" of "x:si xml:space=...", "/si" of "/x:si"
    static std::string_view nameOf(std::string_view tag) {
        const bool isEnd = tag.starts_with('/');
        std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/", 1));
        const std::size_t colon = name.find(':');
        if (colon != std::string_view::npos) name = name.substr(colon + 1);
        if (!isEnd) return name;
        return name == "si" || name == "/si" ? std::string_view("/si") : std::string_view();
    }
    void keep(const std::string& element) {
        if (!m_wanted.contains(m_count)) return;
        const auto tree = treeOf(element, "xl/sharedStrings.xml", m_file);
        if (!tree)
            m_problem = tree.errors();
        else
            m_texts[m_count] = textIn(*tree, "t");
    }

    std::set<std::size_t> m_wanted;
    const std::string& m_file;
    std::string m_buffer;
    std::size_t m_at = 0, m_begin = std::string::npos, m_count = 0; // where reading goes on; where a text begins
    std::map<std::size_t, std::string> m_texts;
    Status m_problem = Done{};
};

// Cells whose texts are shared hold their number until these are known.
struct SharedCell {
    std::string sheet;
    std::size_t row, column, text;
};

void takeRows(const Tree& tree, const std::string& sheet, SheetRows& rows, std::vector<SharedCell>& shared) {
    eachElement(tree, "row", [&](const Tree& row) {
        std::vector<std::string>& cells = rows.emplace_back();
        eachElement(row, "c", [&](const Tree& cell) {
            const std::string place = attribute(cell, "r"), kind = attribute(cell, "t");
            const std::size_t column = place.empty() ? cells.size() : columnOf(place);
            if (cells.size() <= column) cells.resize(column + 1);
            std::string value = kind == "inlineStr" ? textIn(cell, "t") : textIn(cell, "v");
            if (kind == "s") {
                std::size_t text = 0;
                const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), text);
                value.clear();
                if (failed == std::errc()) shared.push_back({sheet, rows.size() - 1, column, text});
            }
            cells[column] = std::move(value);
        });
    });
}

// The lines of text in an element, joined by blanks.
std::string linesIn(const Tree& element) {
    std::string lines;
    eachElement(element, "p", [&](const Tree& line) {
        const std::string text = textIn(line, "t");
        if (!text.empty()) lines += (lines.empty() ? "" : " ") + text;
    });
    return lines;
}

} // namespace

Result<PackageKind> kindOfPackage(const std::string& bytes, const std::string& file) {
    PackageKind kind = PackageKind::Other;
    const auto names = partsOf(bytes, file, [&](const std::string& name) {
        if (name == "xl/workbook.xml") kind = PackageKind::Workbook;
        if (name == "ppt/presentation.xml") kind = PackageKind::Presentation;
        return false;
    });
    return names ? Result<PackageKind>(kind) : Result<PackageKind>(names.errors());
}

Result<std::map<std::string, SheetRows>> rowsOfSheets(const std::string& bytes, const std::vector<std::string>& sheets,
                                                      const std::string& file) {
    const auto parts = sheetParts(bytes, file);
    if (!parts) return parts.errors();
    std::map<std::string, std::string> wanted; // sheets by their parts
    for (const std::string& sheet : sheets)
        if (const auto part = parts->find(sheet); part != parts->end()) wanted[part->second] = sheet;
    const auto package = partsOf(bytes, file, [&](const std::string& name) { return wanted.contains(name); });
    if (!package) return package.errors();
    std::map<std::string, SheetRows> all;
    for (const std::string& sheet : sheets) all[sheet];
    std::vector<SharedCell> shared;
    for (const auto& [name, xml] : *package) {
        const auto tree = treeOf(xml, name, file);
        if (!tree) return tree.errors();
        takeRows(*tree, wanted.at(name), all[wanted.at(name)], shared);
    }
    std::set<std::size_t> numbers;
    for (const SharedCell& cell : shared) numbers.insert(cell.text);
    SharedTexts texts(std::move(numbers), file);
    if (!texts.isDone()) {
        const Status read = readEntry(bytes, "xl/sharedStrings.xml", [&](std::string_view piece) { return texts.take(piece); });
        if (!read) return Error::file(file, read.error().text).with("read");
        if (!texts.problem()) return texts.problem().errors();
    }
    for (const SharedCell& cell : shared) all[cell.sheet][cell.row][cell.column] = texts.textAt(cell.text);
    return all;
}

Result<SlideTexts> slideTexts(const std::string& bytes, const std::string& file) {
    auto slides =
        partsOf(bytes, file, [](const std::string& name) { return name.starts_with("ppt/slides/slide") && name.ends_with(".xml"); });
    if (!slides) return slides.errors();
    std::sort(slides->begin(), slides->end(), [](const auto& a, const auto& b) { return naturallyLess(a.first, b.first); });
    SlideTexts found;
    for (const auto& [name, xml] : *slides) {
        const auto tree = treeOf(xml, name, file);
        if (!tree) return tree.errors();
        eachElement(*tree, "sp", [&](const Tree& shape) {
            NamedShape named;
            eachElement(shape, "cNvPr", [&](const Tree& each) { named.name = attribute(each, "name"); });
            eachElement(shape, "ph", [&](const Tree& each) { // Impress gives placeholders names of its own
                if (attribute(each, "type") == "title" || attribute(each, "type") == "ctrTitle") named.isTitle = true;
            });
            named.text = linesIn(shape);
            found.shapes.push_back(std::move(named));
        });
        eachElement(*tree, "tbl", [&](const Tree& table) {
            SheetRows& rows = found.tables.emplace_back();
            eachElement(table, "tr", [&](const Tree& row) {
                std::vector<std::string>& cells = rows.emplace_back();
                eachElement(row, "tc", [&](const Tree& cell) { cells.push_back(linesIn(cell)); });
            });
        });
    }
    return found;
}

} // namespace railyard
