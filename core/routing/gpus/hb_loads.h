// Traffic between GPUs of the same HB domain, and the load of their HB links.
#pragma once

#include "core/routing/gpus/gpu_ports.h"

#include <map>

namespace railyard {

// If all GPUs of a domain are connected to the same HB switches, as in most systems, the total sent and received by each GPU
// determines all loads. Otherwise (meshes, two levels of switches) traffic is divided evenly over all shortest paths.
class HbLoadTotals {
public:
    HbLoadTotals(const Fabric& fabric, const GpuPorts& ports);
    void add(DeviceId from, DeviceId to, double volume);
    void addToAll(std::uint32_t domain, double volume); // from every GPU to every other GPU
    bool isJoined(DeviceId from, DeviceId to) const;    // both have HB links
    void writeTo(std::vector<double>& aToB, std::vector<double>& bToA) const;

private:
    struct Arc {
        DeviceId device;
        LinkId link;
        bool isForth = true; // from a to b
    };
    void writeStar(std::uint32_t domain, std::vector<double>& aToB, std::vector<double>& bToA) const;
    void writeShortestPaths(DeviceId to, const std::map<DeviceId, double>& from, std::vector<double>& aToB,
                            std::vector<double>& bToA) const;
    std::span<const Arc> arcsOf(DeviceId device) const {
        return std::span(m_arcs).subspan(m_firstArc[device], m_firstArc[device + 1] - m_firstArc[device]);
    }

    const Fabric& m_fabric;
    const GpuPorts& m_ports;
    By<DeviceId, std::uint32_t> m_firstArc;
    std::vector<Arc> m_arcs; // HB links, from either end
    std::vector<bool> m_isStar;
    std::vector<double> m_out, m_in;  // by GPU of a star
    mutable By<DeviceId, int> m_hops; // of one search; unknown outside of it
    mutable By<DeviceId, double> m_volume;
    std::map<DeviceId, std::map<DeviceId, double>> m_towards; // for other domains: by destination, then source
};

} // namespace railyard
