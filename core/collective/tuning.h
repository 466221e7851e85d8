// What the library adds for one algorithm by one protocol.
#pragma once

#include "core/collective/collective.h"

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
    Seconds base, insideLatency, nicLatency;          // once; of all steps inside HB domains; of all between them
    Seconds ramp;
    double overlap = 0;

    Seconds latency() const { return base + insideLatency + nicLatency; }
};

// Without a library: full bandwidth, nothing added.
Tuning tuningOf(const GroupLinks& links, const Question& question);
// The protocols that the library has for it; Simple alone without a library.
std::vector<Protocol> protocolsOf(const GroupLinks& links, Algorithm algorithm);

} // namespace railyard
