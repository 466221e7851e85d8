// Forwarded traffic between HB domains, divided over the networks (planes, separate rails) such that the busiest NIC has least to do.
// Data may leave and enter a domain by any of its NICs, so a failed NIC never makes this faster.
#pragma once

#include "core/routing/gpus/nic_demands.h"

#include <map>
#include <optional>

namespace railyard {

// All pairs of GPUs in different HB domains. Empty if there is no connection or the kinds of domains are too many.
std::optional<std::vector<PortProduct>> balancedProducts(const GpuPorts& ports);

using NetworkSpeeds = std::map<std::uint32_t, double>; // by network: bit/s of all NIC ports of a domain in it
struct DomainSpeeds {
    double gpus = 0;
    NetworkSpeeds networks;
    auto operator<=>(const DomainSpeeds&) const = default;
};
// All GPUs of these domains to one domain at the same rate: by domain, the share of its data over each network. Empty as above.
std::optional<std::vector<NetworkSpeeds>> balancedShares(const std::vector<DomainSpeeds>& domains, const NetworkSpeeds& ofRoot);

} // namespace railyard
