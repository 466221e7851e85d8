// Traffic between GPUs of different HB domains, as traffic between NIC ports.
#pragma once

#include "core/routing/gpus/gpu_ports.h"

#include <functional>

namespace railyard {

struct PortWeight {
    std::uint32_t port = 0; // into GpuPorts::ports
    double weight = 0;
    double own = 0; // of the weight: what GPUs send through ports of their own; others of their unit forward the rest to the port
};
// Every port of `from` sends the product of the weights to every port of `to` in the same network, but not inside an HB domain.
struct PortProduct {
    std::vector<PortWeight> from, to;
    std::uint32_t kind = 0; // of the senders
    std::uint64_t rail = 0; // of all ports in `to`, where the traffic is forwarded
};
// Traffic to a GPU without its own port arrives over the ports of its unit.
struct Detour {
    DeviceId gpu;
    std::vector<double> over; // by position among the ports of its unit: the received units
};
// The paths of a pair: ports at both ends with the share of each combination. A GPU divides its traffic over its ports in a
// network of the destination, by weight. With forwarding, to each port of the destination over its own ports on that rail; over those of
// its unit where it has none. Empty if there is no connection.
struct PortPair {
    std::uint32_t from = 0, to = 0; // ports
    double share = 0;
};
std::vector<PortPair> portPairs(const GpuPorts& ports, DeviceId from, DeviceId to, bool isForwarded);

// The same for all pairs of GPUs in different HB domains: one unit from every GPU to each GPU of other domains.
std::vector<PortProduct> allToAllProducts(const GpuPorts& ports, bool isForwarded);
// The traffic of GPUs without their own port over the ports of their unit. `lost` is the number of units that a port does not
// get of those that a kind of sender would send to it, for a weight of 1.
std::vector<Detour> detoursOf(const Fabric& fabric, const GpuPorts& ports, const std::function<double(std::uint32_t, std::uint32_t)>& lost);

} // namespace railyard
