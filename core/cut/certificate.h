// Lower bounds of the bisection bandwidth by routing arguments.
#pragma once

#include "core/cut/endpoints.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

constexpr double impossible = std::numeric_limits<double>::infinity(); // cost of what cannot be done

struct LowerBound {
    double value = 0; // bit/s
    std::string method;
};

// Hose bound: if a routing carries all traffic that respects the endpoint speeds with a worst congestion of rho, then
// bisection >= half-injection / max(rho, 1).
LowerBound hoseBound(const Fabric& fabric, const SwitchGraph& graph, const Endpoints& ends, BisectionKey key);
// Tree bound: if the network above the leaves carries all hose traffic of the leaf uplinks, it acts as a single node, and the
// bisection of the remaining star is exact by a knapsack over the endpoints of each group. 0 if it does not apply.
LowerBound treeBound(const SwitchGraph& graph, const Endpoints& ends);

// The same bound one and two tiers higher, with pods and blocks of pods as nodes. 0 if it does not apply or is too large.
struct PodBound {
    LowerBound lower;
    std::vector<bool> sideA;     // by endpoint: a partition with at most this cut; empty if the bound is 0
    std::uint32_t halved = none; // the endpoint that is split between the sides
};
// With `halveOne`, the bound for partitions of an odd number of endpoints into halves where endpoints are hubs: the GPUs of
// a hub may be divided between the sides, and exactly one hub is divided into halves.
PodBound podBound(const SwitchGraph& graph, const Endpoints& ends, bool halveOne = false);

// After failures in a fabric that was regular and non-blocking; 0 if it was not.
struct EvenSpread;
struct SpreadBound {
    LowerBound lower;
    std::vector<double> loss; // by endpoint, bit/s: its own loss and its share of the losses above; the half that lost most is a small cut
};
SpreadBound spreadBound(const EvenSpread& spread);
// The imbalance of a partition: total speed of the endpoints over all networks, and number of endpoints.
struct Imbalance {
    double bitsPerSecond = 0, endpoints = 0;
};
// The same with traffic rerouted around failures, for two and three tiers; 0 if it does not apply. For all partitions into
// halves, or for all partitions with at most this imbalance.
LowerBound rerouteBound(const EvenSpread& spread, const std::optional<Imbalance>& imbalance = {});

// For the key gpu_with_hb with a fast HB fabric: the maximum amount in bit/s by which its bisection is smaller than that of
// the key `server`. 0 if the GPUs of each domain are identical; empty if the HB fabric is too slow for a statement.
std::optional<double> shortOfWholeDomains(const Fabric& fabric, const Endpoints& ends);

// For the same key: partitions of whole domains, one of which is at most as large as the smallest partition of GPUs. Empty if
// the HB fabric is too slow for a statement.
std::optional<Imbalance> imbalanceOfDomains(const Fabric& fabric, const Endpoints& ends);

// The minimum of the sum over groups of f_g(a_g) with sum of a_g = m, for concave f_g given at 0...size. With concave f at most
// one group is split. Groups with equal `kind` are identical.
struct SplitGroup {
    std::uint64_t kind = 0;
    std::vector<double> cost; // cost[a] with a endpoints on one side
};
std::optional<double> cheapestSplit(const std::vector<SplitGroup>& groups, std::size_t m);

// The worst congestion of ECMP with hose traffic over the links of `from` and the tiers above; infinite if it is irregular.
double hoseCongestion(const SwitchGraph& graph, const std::vector<double>& injection, LinkTier from);

} // namespace railyard
