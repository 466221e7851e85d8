// A format of files, with its two sides: what it makes a design of, and what it writes. The verbs formats, import and export, and Open and
// Export of the window go by the rows of formatTable().
#pragma once

#include "core/base/result.h"
#include "core/catalog/price_book.h"
#include "core/fabric/fabric.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// What is read: a file, or the files of a folder that some format knows.
struct ImportSource {
    struct File {
        std::string name, path, bytes;
    };
    std::string path;
    std::vector<File> files;
    std::vector<std::string> others;                // names of the files of the other networks of the same export, which are not read
    const File* named(std::string_view name) const; // null if there is none
};
// A folder, one of the files of our own CSV export (the other one is taken from its folder), or any other file. Errors: it cannot be read.
Result<ImportSource> readImportSource(const std::string& path);

struct Imported {
    DesignPointer design;            // null: prices
    std::optional<PriceBook> prices; // of a price list, for the user's price book
    std::vector<std::string> losses; // what the design has not, or has in another way
};

struct Exported {
    std::vector<std::string> files, losses;
};

struct Format {
    std::string_view name, title;
    std::vector<std::string_view> extensions;             // of a folder: of its files
    bool isFolder = false;                                // the export has several files
    std::string_view program = "railyard-cli";            // that exports it; pictures need the desktop program
    bool (*detect)(const ImportSource& source) = nullptr; // by content
    // Errors: all of the file, each with line and column; nothing is imported then.
    Result<Imported> (*read)(const ImportSource& source) = nullptr;                     // null: export only
    Result<Exported> (*write)(const Fabric& fabric, const std::string& path) = nullptr; // null: import only, or not by this program

    bool canImport() const { return read != nullptr; }
    bool canExport() const { return write != nullptr || program != "railyard-cli"; }
};

std::span<const Format> formatTable();
const Format* formatNamed(std::string_view name); // null if there is none
// The format whose content this is. Errors: none, or several.
Result<const Format*> detectFormat(const ImportSource& source);

} // namespace railyard
