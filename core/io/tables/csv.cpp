#include "core/io/tables/csv.h"

#include <fmt/format.h>

namespace railyard {

void CsvWriter::separator() {
    if (!m_first) m_bytes += ',';
    m_first = false;
}

CsvWriter& CsvWriter::text(std::string_view value) {
    separator();
    const bool formula = !value.empty() && std::string_view("=+-@\t\r").find(value.front()) != std::string_view::npos;
    const bool quoted = value.find_first_of(",\"\r\n") != std::string_view::npos;
    if (quoted) m_bytes += '"';
    if (formula) m_bytes += '\'';
    for (const char c : value) {
        if (c == '"') m_bytes += '"';
        m_bytes += c;
    }
    if (quoted) m_bytes += '"';
    return *this;
}

CsvWriter& CsvWriter::number(double value) {
    separator();
    m_bytes += fmt::format("{}", value);
    return *this;
}

CsvWriter& CsvWriter::number(std::int64_t value) {
    separator();
    m_bytes += fmt::format("{}", value);
    return *this;
}

CsvWriter& CsvWriter::empty() {
    separator();
    return *this;
}

void CsvWriter::endRow() {
    constexpr std::size_t piece = 1 << 20;
    m_bytes += "\r\n";
    m_first = true;
    if (m_sink && m_bytes.size() >= piece) (void)flush();
}

Status CsvWriter::flush() {
    if (m_sink && m_status) m_status = m_sink(m_bytes);
    if (m_sink) m_bytes.clear();
    return m_status;
}

} // namespace railyard
