// What is bisected, and the result: an interval with proof.
#pragma once

#include "core/bisection/problem/endpoints.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct BisectionProblem {
    const Fabric& fabric;
    BisectionKey key;
    SwitchGraph graph;
    Endpoints ends;
};
BisectionProblem problemOf(const Fabric& fabric, BisectionKey key);

struct Bisection {
    double lowerGbps = 0, upperGbps = 0;
    bool certified = false;
    std::optional<double> fractionOfInjection; // upper / half-injection of the intact design; empty with fewer than two endpoints
    std::string method;
    std::map<std::string, std::int64_t> cutLinks; // by tier: number of links in the witness cut
    std::map<std::string, double> cutGbps;        // by tier: their capacity; the sum is the upper bound
    double halfInjectionGbps = 0;                 // of the intact design
    std::vector<bool> sideA;                      // by endpoint, in order
    struct Tried {
        std::string name;
        double lowerGbps = 0;
    };
    std::vector<Tried> tried; // every lower bound that was found, in that order

    bool isZeroByDesign() const { return upperGbps == 0 && method.find("0 by design") != std::string::npos; }
};

} // namespace railyard
