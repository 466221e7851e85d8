#include "core/io/imports/traffic_csv.h"

#include "core/base/csv_rows.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/fabric/path_finder.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <unordered_map>

namespace railyard {
namespace {

constexpr std::size_t mostFlows = 50'000'000;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool isWord(std::string_view cell, std::string_view word) {
    cell = trimmed(cell);
    return std::equal(cell.begin(), cell.end(), word.begin(), word.end(),
                      [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

class TrafficReader {
public:
    TrafficReader(const Fabric& fabric, std::string path) : m_fabric(fabric), m_finder(fabric), m_path(std::move(path)) {}

    Result<GpuTraffic> read(std::string_view text) {
        std::optional<CsvRow> head;
        bool isList = false;
        std::vector<const Gpus*> to; // the columns of a matrix
        const Status done = eachCsvRow(text, m_path, [&](const CsvRow& row) {
            if (!head) {
                head = row;
                isList = isWord(row.cell(0), "from") && isWord(row.cell(1), "to");
                if (!isList) to = receiversOf(row);
            } else {
                isList ? readPair(row, head->cells.size()) : readRow(row, to);
            }
            return m_errors.size() < mostErrors && (isList || !to.empty());
        });
        if (!done) return done.errors();
        if (!head) return Error::file(m_path, "is empty; expected a matrix of GPU paths, or rows of from,to,volume");
        if (m_errors.empty() && m_flows.empty())
            fail(*head, 1, "no traffic: every volume is 0, or its sender and receiver are the same GPU");
        if (!m_errors.empty()) return m_errors;
        return scaled();
    }

private:
    using Gpus = std::vector<DeviceId>;

    void readPair(const CsvRow& row, std::size_t columns) {
        if (!isAsWide(row, columns)) return;
        const Gpus* from = gpusOf(row, 0);
        const Gpus* to = gpusOf(row, 1);
        const auto volume = columns > 2 ? volumeOf(row, 2) : 1.0;
        if (from && to && volume) add(row, *from, *to, *volume);
    }
    std::vector<const Gpus*> receiversOf(const CsvRow& head) {
        std::vector<const Gpus*> to;
        for (std::size_t c = 1; c < head.cells.size() && m_errors.size() < mostErrors; ++c) to.push_back(gpusOf(head, c));
        if (to.empty()) fail(head, 1, "no receivers: the first row of a matrix must contain GPU paths, starting in the second cell");
        return to;
    }
    void readRow(const CsvRow& row, const std::vector<const Gpus*>& to) {
        if (!isAsWide(row, to.size() + 1)) return;
        const Gpus* from = gpusOf(row, 0);
        for (std::size_t c = 1; c <= to.size() && m_errors.size() < mostErrors; ++c) {
            if (trimmed(row.cell(c)).empty()) continue; // sends nothing there
            const auto volume = volumeOf(row, c);
            if (from && to[c - 1] && volume) add(row, *from, *to[c - 1], *volume);
        }
    }

    // As the first row; empty cells at the end, as spreadsheets leave them, do not count.
    bool isAsWide(const CsvRow& row, std::size_t columns) {
        std::size_t used = row.cells.size();
        while (used > columns && trimmed(row.cells[used - 1]).empty()) --used;
        if (used == columns) return true;
        fail(row, static_cast<int>(std::min(used, columns)) + 1,
             fmt::format("the row has {} cells, but the first row has {}", used, columns));
        return false;
    }
    // Nothing where the cell names no GPU.
    const Gpus* gpusOf(const CsvRow& row, std::size_t column) {
        const std::string name(trimmed(row.cell(column)));
        const auto [known, isNew] = m_known.try_emplace(name);
        if (isNew) known->second = find(name);
        if (!known->second.empty()) return &known->second;
        fail(row, static_cast<int>(column) + 1,
             fmt::format("the design has no GPU or server \"{}\"; write a path such as su[1]/srv[4]/gpu[2] or su[1]/srv[4]", name));
        return nullptr;
    }
    Gpus find(const std::string& name) const {
        if (name.empty()) return {};
        const auto isGpu = [&](DeviceId d) { return m_fabric.devices.isGpu(d); };
        if (const auto device = m_finder.device(name)) return isGpu(*device) ? Gpus{*device} : Gpus{};
        Gpus gpus;
        if (const auto scope = m_finder.scope(name)) gpus = gpusByScope()[*scope];
        return gpus;
    }
    // Of every scope those in it, however deep; made when first asked for.
    const std::vector<Gpus>& gpusByScope() const {
        if (!m_ofScope.empty()) return m_ofScope;
        m_ofScope.resize(m_fabric.scopes.size());
        for (const DeviceId d : m_fabric.devices.ids())
            for (ScopeId at = m_fabric.devices.scope[d]; m_fabric.devices.isGpu(d) && at != none; at = m_fabric.scopes[at].parent)
                m_ofScope[at].push_back(d);
        return m_ofScope;
    }
    std::optional<double> volumeOf(const CsvRow& row, std::size_t column) {
        const std::string_view text = trimmed(row.cell(column));
        double value = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (problem == std::errc() && end == text.data() + text.size() && std::isfinite(value) && value >= 0) return value;
        fail(row, static_cast<int>(column) + 1, fmt::format("\"{}\" is not a volume; write a number of 0 or more", text));
        return {};
    }

    void add(const CsvRow& row, const Gpus& from, const Gpus& to, double volume) {
        if (volume == 0) return;
        if (m_flows.size() + from.size() * to.size() > mostFlows)
            return fail(row, 1,
                        fmt::format("the traffic has more than {} flows, which is the maximum; use fewer pairs, or the all-to-all pattern",
                                    mostFlows));
        std::size_t pairs = 0;
        for (const auto a : from) pairs += static_cast<std::size_t>(std::count_if(to.begin(), to.end(), [&](auto b) { return a != b; }));
        for (const auto a : from)
            for (const auto b : to)
                if (a != b) m_flows.push_back({a, b, volume / static_cast<double>(pairs)});
    }
    void fail(const CsvRow& row, int column, const std::string& what) {
        if (m_errors.size() < mostErrors)
            m_errors.push_back(Error::file(m_path, fmt::format("row {}, column {}: {}", row.line, column, what), row.line, column));
    }

    Result<GpuTraffic> scaled() {
        std::unordered_map<DeviceId, double> sent;
        double most = 0;
        for (const GpuFlow& flow : m_flows) most = std::max(most, sent[flow.from] += flow.volume);
        if (!std::isfinite(most) || most < std::numeric_limits<double>::min())
            return Error::file(m_path, "the volumes are too large or too small to be represented; choose another unit");
        for (GpuFlow& flow : m_flows) flow.volume /= most;
        return GpuTraffic{false, std::move(m_flows)};
    }

    const Fabric& m_fabric;
    const PathFinder m_finder;
    const std::string m_path;
    std::unordered_map<std::string, Gpus> m_known;
    mutable std::vector<Gpus> m_ofScope;
    std::vector<GpuFlow> m_flows;
    std::vector<Error> m_errors;
};

} // namespace

Result<GpuTraffic> readTraffic(const Fabric& fabric, const std::string& path) {
    auto bytes = readFile(path);
    return bytes ? trafficFrom(fabric, std::move(*bytes), path) : Result<GpuTraffic>(bytes.errors());
}

Result<GpuTraffic> trafficFrom(const Fabric& fabric, std::string bytes, const std::string& path) {
    const auto text = checkedTable(std::move(bytes), path);
    if (!text) return text.errors();
    return TrafficReader(fabric, path).read(*text);
}

} // namespace railyard
