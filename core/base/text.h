// Text from outside, made safe at the door: everything inside the program is UTF-8 without control characters, so that it can be
// written as JSON, as XML and to a terminal without a second look.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace railyard {

// The first bytes that are not allowed: not UTF-8, a control character other than tab and line ends, or a non-character of Unicode.
struct TextFault {
    std::size_t offset = 0, length = 1; // in bytes
    std::string what;                   // "the byte 0xE9, which is not valid UTF-8"
};
std::optional<TextFault> firstFault(std::string_view text);

// With U+FFFD in place of every fault.
std::string withoutFaults(std::string_view text);

// The text of a file that people write. A byte-order mark is removed, and every line ends with LF, whether the file was written with
// LF, CRLF or CR; a fault is an error with its line and column.
Result<std::string> checkedText(std::string bytes, const std::string& file);
// The same for tables from spreadsheets, which also write UTF-16 with a byte-order mark, and Windows-1252 if the bytes are not UTF-8.
Result<std::string> checkedTable(std::string bytes, const std::string& file);

SourcePosition positionIn(std::string_view text, const std::string& file, std::size_t offset); // line and column of a byte

// The whole text as a number with a decimal point, finite.
std::optional<double> decimalFrom(std::string_view text);

} // namespace railyard
