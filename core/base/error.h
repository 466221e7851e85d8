// An error with its position and its remedy. The kind determines the exit code of the command line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace railyard {

struct SourcePosition {
    std::string file;
    int line = 0;   // from 1; 0 = the whole file
    int column = 0; // from 1
};

struct Error {
    enum class Kind { Usage = 2, Unbuildable = 1, File = 3 };

    Kind kind = Kind::Usage;
    std::string text; // "what is wrong; how to correct it"
    SourcePosition where;
    // What programs compare, and what a window replaces by its label. The code is the rule that was broken; empty for what an edit cannot
    // do. Parameters: range, multiple, ports, requires, unknown, choice. Keys of a file: missing, type, range, choice, unknown, value.
    // Files: read, write, syntax, encoding, duplicate, limit. Selectors: selector.syntax, selector.match.
    std::string code = {};
    std::string field = {}; // leaf_down; in a file all keys on the way, blocks.su.devices.0.count; of a selector its text
    std::string value = {}, wrong = {};
    std::vector<std::string> nearest = {}; // values that the rule itself allows
    std::string instead = {};              // another way out: "a larger radix"

    static Error usage(std::string text) { return {Kind::Usage, std::move(text), {}}; }
    static Error unbuildable(std::string text) { return {Kind::Unbuildable, std::move(text), {}}; }
    // "FIELD = VALUE: what is wrong; nearest value that works: A"; without a value "FIELD: what is wrong".
    static Error parameter(Kind kind, std::string code, std::string field, std::string value, std::string wrong,
                           std::vector<std::string> nearest = {}, std::string instead = {});
    std::string parameterText(const std::string& name) const; // the same, with another name for the field
    static Error file(std::string path, std::string text, int line = 0, int column = 0) {
        return {Kind::File, std::move(text), {std::move(path), line, column}};
    }
    Error with(std::string itsCode, std::string itsField = {}) && {
        code = std::move(itsCode);
        field = std::move(itsField);
        return std::move(*this);
    }
};

constexpr std::size_t mostErrors = 100;                  // of one file or text: more help nobody
std::vector<Error> shortened(std::vector<Error> errors); // of more than those, the first, and an error that counts the rest

std::string toText(const Error& error); // FILE:LINE:COLUMN: text

} // namespace railyard
