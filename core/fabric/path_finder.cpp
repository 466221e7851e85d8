#include "core/fabric/path_finder.h"

#include <algorithm>

namespace railyard {
namespace {

// Packs exactly: 2^24 scopes, 2^12 slugs, 2^28 indices are more than a design can have.
std::uint64_t keyOf(std::uint32_t parent, std::uint16_t slug, std::uint32_t index) {
    return (std::uint64_t{parent} << 40) | (std::uint64_t{slug} << 28) | index;
}

} // namespace

PathFinder::PathFinder(const Fabric& fabric) : m_fabric(fabric) {
    m_children.reserve(fabric.scopes.size());
    for (std::uint32_t s = 0; s < fabric.scopes.size(); ++s) {
        const Scope& scope = fabric.scopes[s];
        if (scope.parent == none)
            m_roots.push_back(s);
        else
            m_children.emplace(keyOf(scope.parent, scope.slug, scope.index), s);
    }
}

std::optional<std::uint16_t> PathFinder::slug(std::string_view name) const {
    const auto it = std::find(m_fabric.slugs.begin(), m_fabric.slugs.end(), name);
    if (it == m_fabric.slugs.end()) return {};
    return static_cast<std::uint16_t>(it - m_fabric.slugs.begin());
}

std::pair<std::uint32_t, std::uint32_t> PathFinder::devicesOf(std::uint32_t scope) const {
    const auto& column = m_fabric.devices.scope;
    const auto [first, last] = std::equal_range(column.begin(), column.end(), scope);
    return {static_cast<std::uint32_t>(first - column.begin()), static_cast<std::uint32_t>(last - column.begin())};
}

std::optional<std::uint32_t> PathFinder::scope(std::string_view path) const {
    for (const std::uint32_t root : m_roots)
        if (const auto found = scopeBelow(root, path)) return found;
    return {};
}

std::optional<std::uint32_t> PathFinder::scopeBelow(std::uint32_t at, std::string_view path) const {
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

std::optional<std::uint32_t> PathFinder::deviceIn(std::uint32_t scope, std::string_view segment) const {
    const auto parsed = parseSegment(segment);
    const auto name = parsed ? slug(parsed->first) : std::nullopt;
    if (!name) return {};
    const auto [first, last] = devicesOf(scope);
    for (std::uint32_t d = first; d < last; ++d)
        if (m_fabric.devices.slug[d] == *name && m_fabric.devices.index[d] == static_cast<std::uint32_t>(parsed->second)) return d;
    return {};
}

std::optional<std::uint32_t> PathFinder::device(std::string_view path) const {
    const std::size_t slash = path.rfind('/');
    if (slash != std::string_view::npos) {
        const auto inside = scope(path.substr(0, slash));
        return inside ? deviceIn(*inside, path.substr(slash + 1)) : std::nullopt;
    }
    for (const std::uint32_t root : m_roots)
        if (const auto found = deviceIn(root, path)) return found;
    return {};
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> PathFinder::port(std::string_view path) const {
    const std::size_t colon = path.rfind(':');
    if (colon == std::string_view::npos) return {};
    const auto found = device(path.substr(0, colon));
    if (!found) return {};
    const auto number = m_fabric.portFromName(*found, path.substr(colon + 1));
    return number ? std::optional(std::pair(*found, *number)) : std::nullopt;
}

} // namespace railyard
