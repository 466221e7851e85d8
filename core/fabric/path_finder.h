// Finds the scope or the device of a path.
#pragma once

#include "core/design/model/path.h"
#include "core/fabric/fabric.h"

#include <unordered_map>

namespace railyard {

class PathFinder {
public:
    explicit PathFinder(const Fabric& fabric);

    std::optional<DeviceId> device(std::string_view path) const;
    std::optional<ScopeId> scope(std::string_view path) const;
    // "leaf[4]:17" -> device and port.
    std::optional<std::pair<DeviceId, PortId>> port(std::string_view path) const;
    // The devices of a scope, which are adjacent: [first, last).
    std::pair<DeviceId, DeviceId> devicesOf(ScopeId scope) const;

private:
    std::optional<ScopeId> scopeBelow(ScopeId at, std::string_view path) const;
    std::optional<DeviceId> deviceIn(ScopeId scope, std::string_view segment) const;
    std::optional<std::uint16_t> slug(std::string_view name) const;
    void addRuns(DeviceId first, DeviceId end);

    const Fabric& m_fabric;
    std::vector<ScopeId> m_roots;
    std::unordered_map<std::uint64_t, ScopeId> m_children; // parent, slug, index -> scope
    std::unordered_map<std::string_view, std::uint16_t> m_slugs;
    struct Run {
        std::uint32_t index;
        DeviceId device;
        std::uint32_t count;
    };
    std::unordered_map<std::uint64_t, std::vector<Run>> m_runs; // scope, slug -> by index; of scopes with many devices
};

} // namespace railyard
