#pragma once

#include "widgets/canvas/scene/scene.h"

#include <span>

namespace railyard {

// Maps cables to the nodes of a scene. A server or group represents everything inside it. Built once for a scene.
class CableIndex {
public:
    CableIndex(const Scene& scene, const Fabric& fabric);
    std::span<const LinkId> linksOf(std::size_t node) const {
        return std::span(m_links).subspan(m_first[node], m_first[node + 1] - m_first[node]);
    }
    std::uint32_t nodeOf(DeviceId device) const { return m_ofDevice[device]; } // none if the device is hidden in a fold
    int nicsOfAServer() const { return m_nics; }

private:
    By<DeviceId, std::uint32_t> m_ofDevice;
    std::vector<std::uint32_t> m_first;
    std::vector<LinkId> m_links;
    int m_nics = 1;
};

} // namespace railyard
