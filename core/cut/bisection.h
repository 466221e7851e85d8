// Bisection as an interval with proof: the best real balanced cut found (upper, with its witness) and what routing
// arguments guarantee (lower). Certified when they meet. All figures one direction.
#pragma once

#include "core/cut/endpoints.h"

#include <array>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace railyard {

struct Bisection {
    double lowerGbps = 0, upperGbps = 0;
    bool certified = false;
    std::optional<double> fractionOfInjection; // upper / half-injection of the intact design; none below two endpoints
    std::string method;
    std::map<std::string, std::int64_t> cutLinks; // by tier: links of the witness's cut
    std::map<std::string, double> cutGbps;        // by tier: their capacity; adds up to the upper bound
    double halfInjectionGbps = 0;                 // of the intact design
    std::vector<bool> sideA;                      // of every endpoint, in order
};

// `intact` is the design before failures: its half-injection is the yardstick, its witness is tried again.
Bisection bisection(const Fabric& fabric, const Fabric& intact, BisectionKey key);
// By BisectionKey; cheaper than one by one. Who asks to stop gets nothing, within the time of one of the three.
std::array<Bisection, 3> bisections(const Fabric& fabric, const Fabric& intact);
std::optional<std::array<Bisection, 3>> bisections(const Fabric& fabric, const Fabric& intact, const std::stop_token& stop);
// Of every HB domain, the share of its endpoints that stands on side A; nothing where it has none.
std::vector<std::optional<double>> shareOnSideA(const Fabric& fabric, BisectionKey key, const std::vector<bool>& sideA);
std::string_view toText(BisectionKey key); // server, gpu_network_only, gpu_with_hb

} // namespace railyard
