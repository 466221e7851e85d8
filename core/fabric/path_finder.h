// Finds the scope or the device of a path.
#pragma once

#include "core/design/model/path.h"
#include "core/fabric/fabric.h"

#include <unordered_map>

namespace railyard {

class PathFinder {
public:
    explicit PathFinder(const Fabric& fabric);

    std::optional<std::uint32_t> device(std::string_view path) const;
    std::optional<std::uint32_t> scope(std::string_view path) const;
    // "leaf[4]:17" -> device and port.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> port(std::string_view path) const;
    // The devices of a scope, which are adjacent: [first, last).
    std::pair<std::uint32_t, std::uint32_t> devicesOf(std::uint32_t scope) const;

private:
    std::optional<std::uint32_t> scopeBelow(std::uint32_t at, std::string_view path) const;
    std::optional<std::uint32_t> deviceIn(std::uint32_t scope, std::string_view segment) const;
    std::optional<std::uint16_t> slug(std::string_view name) const;
    void addRuns(std::uint32_t first, std::uint32_t end);

    const Fabric& m_fabric;
    std::vector<std::uint32_t> m_roots;
    std::unordered_map<std::uint64_t, std::uint32_t> m_children; // parent, slug, index -> scope
    std::unordered_map<std::string_view, std::uint16_t> m_slugs;
    struct Run {
        std::uint32_t index, device, count;
    };
    std::unordered_map<std::uint64_t, std::vector<Run>> m_runs; // scope, slug -> by index; of scopes with many devices
};

} // namespace railyard
