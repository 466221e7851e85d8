#include "core/io/imports/rates_csv.h"

#include "core/base/csv_rows.h"
#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 5> rateColumns{"kind", "part", "low", "base", "high"};

std::string withoutSpaces(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return std::string(text);
}

class RatesReader {
public:
    RatesReader(const std::string& file, const Catalog& catalog, ReliabilityRequest& request)
        : m_file(file),
          m_catalog(catalog),
          m_request(request) {}

    bool add(const CsvRow& row) {
        if (!m_hasHeading) return readHeading(row);
        m_isRowGood = true;
        m_hasRows = true;
        const std::string name = cell(row, 0), part = cell(row, 1);
        const auto kind = partKindFrom(name);
        if (!kind) {
            fail(row, 0, fmt::format("kind \"{}\" is unknown; known are {}", name, partKindList()));
            return goesOn();
        }
        if (row.cells.size() > m_columns)
            fail(row, 0, fmt::format("{} cells where the first row names {} columns", row.cells.size(), m_columns));
        if (!part.empty()) checkPart(row, *kind, part);
        if (const auto [first, isNew] = m_lineOf.try_emplace({*kind, part}, row.line); !isNew)
            fail(row, 0, fmt::format("{}{} has a rate in line {} already", name, part.empty() ? "" : " " + part, first->second));
        const auto low = number(row, 2), base = number(row, 3), high = number(row, 4);
        if (m_isRowGood && !low && !base && !high) fail(row, 3, "no rate is given; write failures per year and unit, for example 0.11");
        if (m_isRowGood && low && !base) fail(row, 3, "base is missing: without it a low rate bounds nothing");
        if (m_isRowGood && ((low && base && *low > *base) || (base && high && *base > *high) || (low && high && *low > *high)))
            fail(row, 2, "low, base and high must stand in this order, none above the next");
        if (m_isRowGood) set(*kind, part, {low, base, high, m_file});
        return goesOn();
    }
    Status finish() {
        if (!m_hasHeading)
            m_errors.push_back(
                Error::file(m_file, "is empty; the first row must name the columns kind, part, low, base and high", 1, 1).with("missing"));
        else if (m_errors.empty() && !m_hasRows)
            m_errors.push_back(Error::file(m_file, "has no rates; each row below the first needs a kind and a rate", 1, 1).with("missing"));
        return m_errors.empty() ? Status(Done{}) : Status(m_errors);
    }

private:
    bool goesOn() const { return m_errors.size() < mostErrors; }
    std::string cell(const CsvRow& row, std::size_t column) const {
        return m_at[column] < 0 ? std::string() : withoutSpaces(row.cell(static_cast<std::size_t>(m_at[column])));
    }
    void fail(const CsvRow& row, std::size_t column, std::string what) {
        m_isRowGood = false;
        m_errors.push_back(
            Error::file(m_file, std::move(what), row.line, std::max(0, m_at[column]) + 1).with("value", std::string(rateColumns[column])));
    }
    bool readHeading(const CsvRow& row) {
        m_hasHeading = true;
        for (std::size_t at = 0; at < row.cells.size(); ++at) {
            std::string name = withoutSpaces(row.cells[at]);
            std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            const auto known = std::find(rateColumns.begin(), rateColumns.end(), name);
            const auto wrong = [&](const char* what) {
                m_errors.push_back(Error::file(m_file,
                                               fmt::format("column \"{}\" {}; known are kind, part, low, base and high", name, what),
                                               row.line, static_cast<int>(at) + 1)
                                       .with("value", name));
            };
            if (known == rateColumns.end()) {
                wrong("is unknown");
                continue;
            }
            int& place = m_at[static_cast<std::size_t>(known - rateColumns.begin())];
            if (place >= 0) wrong("is there twice");
            place = static_cast<int>(at);
        }
        m_columns = row.cells.size();
        if (!m_errors.empty()) return false;
        if (m_at[0] >= 0 && (m_at[2] >= 0 || m_at[3] >= 0 || m_at[4] >= 0)) return true;
        m_errors.push_back(Error::file(m_file,
                                       "the first row must name the columns kind, part, low, base and high; kind and one rate are needed",
                                       row.line, 1)
                               .with("missing"));
        return false;
    }
    void checkPart(const CsvRow& row, PartKind kind, const std::string& id) {
        const std::string_view wanted = catalogKindOf(kind);
        if (wanted.empty()) return fail(row, 1, fmt::format("a rate of {} is of all of them; leave the part empty", toText(kind)));
        const Part* part = m_catalog.find(id);
        if (!part)
            fail(row, 1, fmt::format("part \"{}\" is not in the catalogue; `railyard-cli catalog list --kind {}` lists them", id, wanted));
        else if (part->kind() != wanted)
            fail(
                row, 1,
                fmt::format("part \"{}\" is of kind {}, and a rate of {} needs a part of kind {}", id, part->kind(), toText(kind), wanted));
    }
    // Of the parts whose rate can differ from that of their kind; empty: none.
    static std::string_view catalogKindOf(PartKind kind) {
        switch (kind) {
        case PartKind::Gpu: return "gpu";
        case PartKind::Nic: return "nic";
        case PartKind::Leaf:
        case PartKind::Spine:
        case PartKind::Superspine:
        case PartKind::Core: return "switch";
        case PartKind::Server:
        case PartKind::Tray: return "server";
        case PartKind::Optic: return "optic";
        case PartKind::Ocs: return "ocs";
        default: return {};
        }
    }
    std::optional<double> number(const CsvRow& row, std::size_t column) {
        const std::string text = cell(row, column);
        if (text.empty()) return {};
        const auto value = decimalFrom(text);
        if (!value)
            fail(row, column, fmt::format("\"{}\" is not a number with a decimal point", text));
        else if (*value < 0)
            fail(row, column, fmt::format("{}: a rate cannot be negative", text));
        else if (*value > mostFailuresPerYear)
            fail(row, column, fmt::format("{}: a part cannot fail more than {:.0f} times a year, once an hour", text, mostFailuresPerYear));
        return value;
    }
    void set(PartKind kind, const std::string& part, YearlyRate rate) {
        if (part.empty())
            m_request.rates[kind] = std::move(rate);
        else
            m_request.partRates.emplace_back(std::pair(kind, part), std::move(rate));
    }

    const std::string& m_file;
    const Catalog& m_catalog;
    ReliabilityRequest& m_request;
    std::map<std::pair<PartKind, std::string>, int> m_lineOf;
    std::size_t m_columns = 0;
    std::array<int, rateColumns.size()> m_at{-1, -1, -1, -1, -1};
    bool m_hasHeading = false, m_hasRows = false, m_isRowGood = true;
    std::vector<Error> m_errors;
};

} // namespace

Status readRates(const std::string& path, const Catalog& catalog, ReliabilityRequest& request) {
    const auto text = readText(path);
    return text ? ratesFrom(*text, path, catalog, request) : Status(text.errors());
}

Status ratesFrom(const std::string& text, const std::string& path, const Catalog& catalog, ReliabilityRequest& request) {
    RatesReader reader(path, catalog, request);
    const Status read = eachCsvRow(text, path, [&](const CsvRow& row) { return reader.add(row); });
    return read ? reader.finish() : read;
}

} // namespace railyard
