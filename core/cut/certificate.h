// Lower bounds of the bisection by routing arguments.
#pragma once

#include "core/cut/endpoints.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct LowerBound {
    double value = 0; // bit/s
    std::string method;
};

// Hose: if some routing carries every traffic that respects endpoint speeds with worst congestion rho,
// the bisection is at least half-injection / max(rho, 1).
LowerBound hoseBound(const Fabric& fabric, const SwitchGraph& graph, const Endpoints& ends, BisectionKey key);
// Tree: where the network above the leaves carries every hose traffic of the leaf uplinks, it acts as one node;
// the bisection of the remaining star is exact by a knapsack over endpoints a group. 0 where it does not apply.
LowerBound treeBound(const SwitchGraph& graph, const Endpoints& ends);

// The same one and two tiers higher: pods and blocks of pods as nodes. 0 where it does not apply or is too large to work out.
struct PodBound {
    LowerBound lower;
    std::vector<bool> sideA;     // of endpoints: a partition that costs no more; empty where the bound is 0
    std::uint32_t halved = none; // the endpoint that has half of it on either side
};
// With `halveOne` over the partitions into halves of an odd number of endpoints that are hubs: what hangs on a hub (GPUs) may
// be divided between the sides, one hub is, in halves.
PodBound podBound(const SwitchGraph& graph, const Endpoints& ends, bool halveOne = false);

// After failures in a fabric that was even and wide enough for all to send at once; 0 where it was not.
struct EvenSpread;
struct SpreadBound {
    LowerBound lower;
    std::vector<double> loss; // of every endpoint, bit/s: what it lost itself and its share above; the half that lost most is a cheap cut
};
SpreadBound spreadBound(const EvenSpread& spread);
// How far two sides may be from halves: of the speed of their endpoints, over all networks, and of their number.
struct Imbalance {
    double bitsPerSecond = 0, endpoints = 0;
};
// The same with traffic led around what failed, for two and three tiers; 0 where it does not apply. For all partitions into
// halves, or for all of at most that imbalance.
LowerBound rerouteBound(const EvenSpread& spread, const std::optional<Imbalance>& imbalance = {});

// For the key gpu_with_hb where the HB fabric is fast: by how many bit/s its bisection can at most fall short of that of
// the key `server`. 0 where the GPUs of each domain are alike; nothing where the HB fabric is too slow to say.
std::optional<double> shortOfWholeDomains(const Fabric& fabric, const Endpoints& ends);

// For the same key: the partitions of whole domains among which one is at most as cheap as the cheapest partition of GPUs.
// Nothing where the HB fabric is too slow to say.
std::optional<Imbalance> imbalanceOfDomains(const Fabric& fabric, const Endpoints& ends);

// Least sum over groups of f_g(a_g) with sum of a_g = m, for concave f_g given at 0...size. Where f is concave at most
// one group is split. Groups of equal `kind` are alike.
struct SplitGroup {
    std::uint64_t kind = 0;
    std::vector<double> cost; // cost[a] of a endpoints on one side
};
std::optional<double> cheapestSplit(const std::vector<SplitGroup>& groups, std::size_t m);

// Worst congestion of ECMP under hose traffic, over the links of `from` and the tiers above; infinite where not even.
double hoseCongestion(const SwitchGraph& graph, const std::vector<double>& injection, LinkTier from);

} // namespace railyard
