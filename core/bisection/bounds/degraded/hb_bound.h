// How far GPUs with a fast HB fabric can be from whole HB domains.
#pragma once

#include "core/bisection/problem/endpoints.h"

#include <optional>

namespace railyard {

// The imbalance of a partition: total speed of the endpoints over all networks, and number of endpoints.
struct Imbalance {
    Bandwidth bandwidth;
    double endpoints = 0;
};

// For the key gpu_with_hb: every GPU is in a domain whose HB fabric is so fast that no division of it pays.
bool actAsNodes(const Fabric& fabric, const Endpoints& ends);

// For the key gpu_with_hb with a fast HB fabric: the maximum bandwidth by which its bisection is smaller than that of
// the key `server`. 0 if the GPUs of each domain are identical; empty if the HB fabric is too slow for a statement.
std::optional<Bandwidth> shortOfWholeDomains(const Fabric& fabric, const Endpoints& ends);

// For the same key: partitions of whole domains, one of which is at most as large as the smallest partition of GPUs. Empty if
// the HB fabric is too slow for a statement.
std::optional<Imbalance> imbalanceOfDomains(const Fabric& fabric, const Endpoints& ends);

} // namespace railyard
