#include "core/io/formats/flat_csv.h"

#include "core/base/csv_rows.h"
#include "core/design/model/limits.h"
#include "core/design/model/path.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

namespace railyard {
namespace {

// One file with a header: cells by the name of their column, errors with line and column.
class CsvTable {
public:
    CsvTable(const std::string& file, std::vector<std::string_view> needed, std::vector<Error>& errors)
        : m_file(file),
          m_needed(std::move(needed)),
          m_errors(errors) {}

    template <class Use>
    void read(const std::string& text, Use use) {
        bool isHeader = true;
        const Status done = eachCsvRow(text, m_file, [&](const CsvRow& row) {
            m_row = &row;
            if (std::exchange(isHeader, false)) return takeHeader();
            use();
            return m_errors.size() < mostErrors;
        });
        if (!done) m_errors.insert(m_errors.end(), done.errors().begin(), done.errors().end());
        if (isHeader && done)
            m_errors.push_back(Error::file(m_file, fmt::format("is empty; the first row must name the columns {}", names())));
    }

    const std::string& cell(std::string_view column) const {
        static const std::string nothing;
        const auto at = m_columns.find(std::string(column));
        return at == m_columns.end() ? nothing : m_row->cell(at->second);
    }
    int line() const { return m_row->line; }
    void fail(std::string_view column, const std::string& what) const {
        if (m_errors.size() >= mostErrors) return;
        const auto at = m_columns.find(std::string(column));
        m_errors.push_back(Error::file(m_file, what, m_row->line, at == m_columns.end() ? 0 : static_cast<int>(at->second) + 1));
    }
    // A whole number from 1; 0 where the cell is empty.
    int number(std::string_view column, int most) const {
        const std::string& text = cell(column);
        if (text.empty()) return 0;
        int value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (code == std::errc() && end == text.data() + text.size() && value >= 1 && value <= most) return value;
        fail(column, fmt::format("{} is \"{}\"; must be a whole number from 1 to {}, or empty", column, text, most));
        return 0;
    }

private:
    bool takeHeader() {
        for (std::size_t i = 0; i < m_row->cells.size(); ++i) m_columns.try_emplace(m_row->cells[i], i);
        for (const std::string_view name : m_needed)
            if (!m_columns.contains(std::string(name)))
                m_errors.push_back(Error::file(
                    m_file, fmt::format("has no column \"{}\"; the first row must name the columns {}", name, names()), m_row->line, 1));
        return m_errors.empty();
    }
    std::string names() const {
        std::string all;
        for (const std::string_view name : m_needed) all += (all.empty() ? "" : ", ") + std::string(name);
        return all;
    }

    const std::string& m_file;
    std::vector<std::string_view> m_needed;
    std::vector<Error>& m_errors;
    std::unordered_map<std::string, std::size_t> m_columns;
    const CsvRow* m_row = nullptr;
};

// Every segment has a name and an index: su[1]/leaf[4].
bool isPath(std::string_view text) {
    constexpr std::size_t mostDepth = 16;
    if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '/')) >= mostDepth) return false;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t slash = std::min(text.find('/', from), text.size());
        const auto segment = parseSegment(text.substr(from, slash - from));
        if (!segment || segment->second < 1 || segment->second > mostCount || segment->first.size() > 64) return false;
        for (const char c : segment->first)
            if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') return false;
        from = slash + 1;
    }
    return true;
}

std::optional<LinkTier> linkTierFrom(std::string_view text) {
    for (const LinkTier tier : {LinkTier::HostLeaf, LinkTier::ManagerLeaf, LinkTier::LeafSpine, LinkTier::SpineSuperspine,
                                LinkTier::SuperspineCore, LinkTier::Hb, LinkTier::Pcie})
        if (toText(tier) == text) return tier;
    return {};
}

class FlatReader {
public:
    FlatReader(const std::string& devicesFile, const std::string& linksFile) {
        m_fabric.devicesFile = devicesFile;
        m_fabric.linksFile = linksFile;
    }

    Result<FlatFabric> read(const std::string& devicesText, const std::string& linksText) {
        CsvTable devices(m_fabric.devicesFile, {"path", "kind", "tier", "rail", "plane", "su", "hb_domain", "server", "part"}, m_errors);
        devices.read(devicesText, [&] { addDevice(devices); });
        checkParents();
        if (m_errors.empty()) { // with other devices every link would be wrong
            CsvTable links(m_fabric.linksFile, {"a_device", "a_port", "b_device", "b_port", "tier", "speed_gbps"}, m_errors);
            links.read(linksText, [&] { addLink(links); });
        }
        if (!m_errors.empty()) return m_errors;
        return std::move(m_fabric);
    }

private:
    void addDevice(const CsvTable& row) {
        FlatDevice device;
        device.path = canonicalPath(row.cell("path")); // leaf[01] is leaf[1]
        device.line = row.line();
        if (!isPath(device.path))
            return row.fail(
                "path", fmt::format("\"{}\" is not a path; expected names with indices from 1, for example su[1]/leaf[4]", device.path));
        if (const auto [known, isNew] = m_index.try_emplace(device.path, m_fabric.devices.size()); !isNew)
            return row.fail("path", fmt::format("{} is already defined on line {}; list each device once", device.path,
                                                m_fabric.devices[known->second].line));
        const auto kind = deviceKindFrom(row.cell("kind"));
        if (!kind)
            row.fail("kind",
                     fmt::format("\"{}\" is not a kind of device; must be gpu, nic, hb-switch, switch, manager or host", row.cell("kind")));
        const auto tier = switchTierFrom(row.cell("tier"));
        const bool isSwitch = kind && infoOf(*kind).routes;
        if (kind && isSwitch != (tier && *tier != SwitchTier::None))
            row.fail("tier", isSwitch ? fmt::format("\"{}\" is not a tier; must be leaf, spine, superspine or core", row.cell("tier"))
                                      : fmt::format("\"{}\": only switches have a tier; leave it empty", row.cell("tier")));
        device.kind = kind.value_or(DeviceKind::Switch);
        device.tier = tier.value_or(SwitchTier::None);
        device.rail = row.number("rail", mostPorts);
        device.plane = row.number("plane", mostPlanes);
        device.su = row.number("su", mostCount);
        device.part = row.cell("part");
        m_fabric.hasRacks = m_fabric.hasRacks || !row.cell("rack").empty();
        device.serverPart = row.cell("server_part");
        for (const auto& [column, into] : {std::pair("hb_domain", &device.hbDomain), {"server", &device.server}}) {
            *into = row.cell(column).empty() ? std::string() : canonicalPath(row.cell(column));
            if (!into->empty() && !isPath(*into)) row.fail(column, fmt::format("\"{}\" is not a path", *into));
        }
        m_fabric.devices.push_back(std::move(device));
    }

    // A device holds no other.
    void checkParents() {
        for (const FlatDevice& device : m_fabric.devices)
            for (std::size_t at = device.path.find('/'); at != std::string::npos; at = device.path.find('/', at + 1))
                if (const auto parent = m_index.find(device.path.substr(0, at)); parent != m_index.end() && m_errors.size() < mostErrors)
                    m_errors.push_back(Error::file(m_fabric.devicesFile,
                                                   fmt::format("{} is inside {}, which is a device on line {}; a device holds no other",
                                                               device.path, parent->first, m_fabric.devices[parent->second].line),
                                                   device.line, 1));
    }

    void addLink(const CsvTable& row) {
        FlatLink link;
        link.line = row.line();
        bool isGood = true;
        for (const auto& [column, into] : {std::pair("a_device", &link.a), {"b_device", &link.b}}) {
            const auto known = m_index.find(canonicalPath(row.cell(column)));
            if (known == m_index.end()) {
                row.fail(column, fmt::format("there is no device \"{}\" in {}", row.cell(column), m_fabric.devicesFile));
                isGood = false;
            } else {
                *into = known->second;
            }
        }
        link.cable = row.cell("cable");
        link.aPort = row.cell("a_port");
        link.bPort = row.cell("b_port");
        const auto tier = linkTierFrom(row.cell("tier"));
        if (!tier) row.fail("tier", fmt::format("\"{}\" is not a tier of links, for example leaf-spine", row.cell("tier")));
        const std::string& speed = row.cell("speed_gbps");
        const auto [end, code] = std::from_chars(speed.data(), speed.data() + speed.size(), link.gbps);
        if (code != std::errc() || end != speed.data() + speed.size() || !(link.gbps > 0 && link.gbps <= 1e6))
            row.fail("speed_gbps", fmt::format("\"{}\" is not a speed; must be above 0 and at most 1,000,000 Gb/s", speed));
        if (!tier || !isGood) return;
        link.tier = *tier;
        if (link.a == link.b) return row.fail("b_device", "the two ends are the same device; connect two devices");
        for (const auto& [column, device, port] : {std::tuple("a_port", link.a, &link.aPort), {"b_port", link.b, &link.bPort}}) {
            const auto [known, isNew] = m_lineOfPort.try_emplace(fmt::format("{} {}", device, *port), link.line);
            if (!isNew)
                row.fail(column, fmt::format("port {} of {} already has a link, on line {}; a port holds one link", *port,
                                             m_fabric.devices[device].path, known->second));
        }
        m_fabric.links.push_back(std::move(link));
    }

    FlatFabric m_fabric;
    std::vector<Error> m_errors;
    std::unordered_map<std::string, std::size_t> m_index; // by path
    std::unordered_map<std::string, int> m_lineOfPort;
};

} // namespace

Result<FlatFabric> readFlatCsv(const std::string& devicesText, const std::string& devicesFile, const std::string& linksText,
                               const std::string& linksFile) {
    return FlatReader(devicesFile, linksFile).read(devicesText, linksText);
}

} // namespace railyard
