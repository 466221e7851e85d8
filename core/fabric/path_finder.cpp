#include "core/fabric/path_finder.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr std::uint32_t manyDevices = 64; // of a scope: from here on a search by name pays

// Packs exactly: limits.h allows fewer than 2^25 scopes and 2^16 slugs, the reader fewer than 2^23 for the last index of a row.
std::uint64_t keyOf(std::uint32_t parent, std::uint16_t slug, std::uint32_t index) {
    return (std::uint64_t{parent} << 39U) | (std::uint64_t{slug} << 23U) | index;
}
std::uint64_t keyOf(ScopeId scope, std::uint16_t slug) { return std::uint64_t{scope} << 16U | slug; }

} // namespace

PathFinder::PathFinder(const Fabric& fabric) : m_fabric(fabric) {
    m_children.reserve(fabric.scopes.size());
    for (ScopeId s(0); s < fabric.scopes.size(); ++s) {
        const Scope& scope = fabric.scopes[s];
        if (scope.parent == none)
            m_roots.push_back(s);
        else
            m_children.emplace(keyOf(scope.parent, scope.slug, scope.index), s);
    }
    for (std::size_t i = 0; i < fabric.slugs.size(); ++i) m_slugs.emplace(fabric.slugs[i], static_cast<std::uint16_t>(i));
    const DeviceTable& devices = fabric.devices;
    for (DeviceId first(0), end(0); first < devices.size(); first = end) {
        for (end = first; end < devices.size() && devices.scope[end] == devices.scope[first];) ++end;
        if (end - first > manyDevices) addRuns(first, end);
    }
    for (auto& [key, runs] : m_runs) std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.index < b.index; });
}

// Devices of one row stand side by side, with rising indices.
void PathFinder::addRuns(DeviceId first, DeviceId end) {
    const DeviceTable& devices = m_fabric.devices;
    for (DeviceId d = first; d < end; ++d) {
        std::vector<Run>& runs = m_runs[keyOf(devices.scope[d], devices.slug[d])];
        const bool goesOn =
            !runs.empty() && runs.back().device + runs.back().count == d && runs.back().index + runs.back().count == devices.index[d];
        goesOn ? void(++runs.back().count) : runs.push_back({devices.index[d], d, 1});
    }
}

std::optional<std::uint16_t> PathFinder::slug(std::string_view name) const {
    const auto it = m_slugs.find(name);
    return it == m_slugs.end() ? std::nullopt : std::optional(it->second);
}

std::pair<DeviceId, DeviceId> PathFinder::devicesOf(ScopeId scope) const {
    const auto& column = m_fabric.devices.scope;
    const auto [first, last] = std::equal_range(column.begin(), column.end(), scope);
    return {DeviceId(first - column.begin()), DeviceId(last - column.begin())};
}

std::optional<ScopeId> PathFinder::scope(std::string_view path) const {
    for (const auto root : m_roots)
        if (const auto found = scopeBelow(root, path)) return found;
    return {};
}

std::optional<ScopeId> PathFinder::scopeBelow(ScopeId at, std::string_view path) const {
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const auto segment = parseSegment(path.substr(0, slash));
        const auto name = segment ? slug(segment->first) : std::nullopt;
        if (!name) return {};
        const auto found = m_children.find(keyOf(at, *name, static_cast<std::uint32_t>(segment->second)));
        if (found == m_children.end()) return {};
        at = found->second;
        path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    }
    return at;
}

std::optional<DeviceId> PathFinder::deviceIn(ScopeId scope, std::string_view segment) const {
    const auto parsed = parseSegment(segment);
    const auto name = parsed ? slug(parsed->first) : std::nullopt;
    if (!name) return {};
    const auto [first, last] = devicesOf(scope);
    const auto index = static_cast<std::uint32_t>(parsed->second);
    if (last - first > manyDevices) {
        const auto runs = m_runs.find(keyOf(scope, *name));
        if (runs == m_runs.end()) return {};
        const auto after = std::upper_bound(runs->second.begin(), runs->second.end(), index,
                                            [](std::uint32_t value, const Run& run) { return value < run.index; });
        if (after == runs->second.begin()) return {};
        const Run& run = *std::prev(after);
        return index < run.index + run.count ? std::optional(DeviceId(run.device + index - run.index)) : std::nullopt;
    }
    for (DeviceId d = first; d < last; ++d)
        if (m_fabric.devices.slug[d] == *name && m_fabric.devices.index[d] == index) return d;
    return {};
}

std::optional<DeviceId> PathFinder::device(std::string_view path) const {
    const std::size_t slash = path.rfind('/');
    if (slash != std::string_view::npos) {
        const auto inside = scope(path.substr(0, slash));
        return inside ? deviceIn(*inside, path.substr(slash + 1)) : std::nullopt;
    }
    for (const auto root : m_roots)
        if (const auto found = deviceIn(root, path)) return found;
    return {};
}

std::optional<std::pair<DeviceId, PortId>> PathFinder::port(std::string_view path) const {
    const std::size_t colon = path.rfind(':');
    if (colon == std::string_view::npos) return {};
    const auto found = device(path.substr(0, colon));
    if (!found) return {};
    const auto number = m_fabric.portFromName(*found, path.substr(colon + 1));
    return number ? std::optional(std::pair(*found, *number)) : std::nullopt;
}

} // namespace railyard
