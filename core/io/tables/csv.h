// CSV according to RFC 4180: CRLF rows, quotes where needed; text that a spreadsheet would read as a formula starts with '.
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace railyard {

class CsvWriter {
public:
    using Sink = std::function<Status(std::string_view)>;
    CsvWriter() = default; // keeps all in bytes()
    explicit CsvWriter(Sink sink) : m_sink(std::move(sink)) {}
    CsvWriter& text(std::string_view value);
    CsvWriter& number(double value); // shortest text that is read back exactly
    CsvWriter& number(std::int64_t value);
    CsvWriter& empty();
    void endRow();
    const std::string& bytes() const { return m_bytes; }
    Status flush(); // with a sink: the rest goes there; the first error it met

private:
    void separator();
    std::string m_bytes;
    Sink m_sink;
    Status m_status = Done{};
    bool m_first = true;
};

} // namespace railyard
