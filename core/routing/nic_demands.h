// What GPUs send each other between HB domains, as what NIC ports send to NIC ports.
#pragma once

#include "core/routing/gpu_ports.h"

#include <functional>

namespace railyard {

struct PortWeight {
    std::uint32_t port = 0; // into GpuPorts::ports
    double weight = 0;
};
// Every port of `from` sends every port of `to`, all of one network, the product of their weights; not inside an HB domain.
struct PortProduct {
    std::vector<PortWeight> from, to;
    std::uint32_t kind = 0; // of its senders
};
// What arrives at a GPU without a port of its own comes over those of its unit.
struct Detour {
    std::uint32_t gpu = 0;
    std::vector<double> over; // by place in its unit's ports: units that arrive for it
};
// The ways of one pair: ports of either side with the share of the flow each product of two takes. A GPU divides what it
// sends over its ports that lead to a network of the destination, by their weights; forwarded, over the ports of its unit that are on
// the rails of the destination's. Empty where nothing joins them.
struct PortPair {
    std::uint32_t from = 0, to = 0; // ports
    double share = 0;
};
std::vector<PortPair> portPairs(const GpuPorts& ports, std::uint32_t from, std::uint32_t to, bool isForwarded);

// The same for all pairs of GPUs in different HB domains at once: one unit from every GPU to each of another domain.
std::vector<PortProduct> allToAllProducts(const GpuPorts& ports, bool isForwarded);
// What GPUs without a port of their own get over the ports of their unit. `lost` says how many units a port does not get of
// those that a kind of sender would send it, for a weight of 1.
std::vector<Detour> detoursOf(const Fabric& fabric, const GpuPorts& ports, const std::function<double(std::uint32_t, std::uint32_t)>& lost);

} // namespace railyard
