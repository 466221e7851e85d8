// An error with its position and its remedy. The kind determines the exit code of the command line.
#pragma once

#include <cstddef>
#include <string>

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

    static Error usage(std::string text) { return {Kind::Usage, std::move(text), {}}; }
    static Error unbuildable(std::string text) { return {Kind::Unbuildable, std::move(text), {}}; }
    static Error file(std::string path, std::string text, int line = 0, int column = 0) {
        return {Kind::File, std::move(text), {std::move(path), line, column}};
    }
};

constexpr std::size_t mostErrors = 100; // of one file: more help nobody

std::string toText(const Error& error); // FILE:LINE:COLUMN: text

} // namespace railyard
