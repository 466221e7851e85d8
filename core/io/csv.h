// CSV after RFC 4180: CRLF rows, quotes where needed; text that a spreadsheet would take for a formula gets a leading '.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace railyard {

class CsvWriter {
public:
    CsvWriter& text(std::string_view value);
    CsvWriter& number(double value); // shortest form that reads back exactly
    CsvWriter& number(std::int64_t value);
    CsvWriter& empty();
    void endRow();
    const std::string& bytes() const { return m_bytes; }

private:
    void separator();
    std::string m_bytes;
    bool m_first = true;
};

} // namespace railyard
