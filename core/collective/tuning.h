// What the library adds for one algorithm by one protocol.
#pragma once

#include "core/collective/collective.h"

#include <algorithm>

namespace railyard {

struct Question {
    CollectiveOp op = CollectiveOp::AllReduce;
    double bytes = 0;
    Algorithm algorithm = Algorithm::Ring;
    Protocol protocol = Protocol::Simple;
    Estimate estimate;
};

struct Tuning {
    double hbShare = 1, nicShare = 1;                 // of the bandwidth
    std::optional<Bandwidth> mostInside, mostBetween; // by LL: inside HB domains, and of what leads out of them
    std::optional<Bandwidth> mostOfNic;               // over sockets
    Seconds base, insideLatency, nicLatency;          // once; of all steps inside HB domains; of all between them
    double nicSteps = 0;                              // between HB domains
    Seconds ramp;
    double overlap = 0;

    // Of a route between HB domains that leads through so many NICs.
    double shareOf(Bandwidth route, double nics) const {
        return mostOfNic ? std::min(nicShare, mostOfNic->value() * nics / route.value()) : nicShare;
    }
    Seconds latency() const { return base + insideLatency + nicLatency; }
};

// Without a library: full bandwidth, nothing added.
Tuning tuningOf(const GroupLinks& links, const Question& question);
// The protocols that the library has for it; Simple alone without a library.
std::vector<Protocol> protocolsOf(const GroupLinks& links, Algorithm algorithm);

} // namespace railyard
