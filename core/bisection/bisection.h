// Bisection bandwidth as an interval with proof: the upper bound is the smallest balanced cut found, with its witness; the
// lower bound follows from routing arguments. Certified if both are equal. All values are per direction.
#pragma once

#include "core/bisection/problem/bisection_problem.h"

#include <array>
#include <optional>
#include <stop_token>
#include <string_view>

namespace railyard {

// After failures, the intact fabric (Fabric::intact) defines the half-injection, and its witness is tried as well.
Bisection bisection(const Fabric& fabric, BisectionKey key);
// Whether the bisection is certified and at least this fraction of the half-injection. The answer is that of `bisection`, but the search
// ends at the first partition that is cheaper. For intact fabrics.
bool certifiesBisection(const Fabric& fabric, BisectionKey key, double fraction);
// All three, by BisectionKey; faster than one at a time. Empty if a stop was requested, which is checked between the three.
std::array<Bisection, 3> bisections(const Fabric& fabric);
std::optional<std::array<Bisection, 3>> bisections(const Fabric& fabric, const std::stop_token& stop);
// By HB domain: the share of its endpoints on side A; empty if it has no endpoints.
std::vector<std::optional<double>> shareOnSideA(const Fabric& fabric, BisectionKey key, const std::vector<bool>& sideA);
std::string_view toText(BisectionKey key);  // server, gpu_network_only, gpu_with_hb
std::string_view labelOf(BisectionKey key); // for people, for example "Bisection, servers"

} // namespace railyard
