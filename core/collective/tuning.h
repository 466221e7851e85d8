// What the library adds for one algorithm by one protocol.
#pragma once

#include "core/collective/collective.h"

namespace railyard {

// Of everything uncertain the likely value, the one that makes collectives fast, the one that makes them slow.
enum class Estimate { Likely, Favourable, Adverse };

struct Question {
    CollectiveOp op = CollectiveOp::AllReduce;
    double bytes = 0;
    Algorithm algorithm = Algorithm::Ring;
    Protocol protocol = Protocol::Simple;
    Estimate estimate = Estimate::Likely;
};

struct Tuning {
    double hbShare = 1, nicShare = 1;        // of the bandwidth
    std::optional<Bandwidth> most;           // of the bus bandwidth, by LL
    Seconds base, insideLatency, nicLatency; // once; of all steps inside HB domains; of all between them
    Seconds ramp;
    double overlap = 0;

    Seconds latency() const { return base + insideLatency + nicLatency; }
};

// Without a library: full bandwidth, nothing added.
Tuning tuningOf(const GroupLinks& links, const Question& question);
// The protocols that the library has for it; Simple alone without a library.
std::vector<Protocol> protocolsOf(const GroupLinks& links, Algorithm algorithm);

} // namespace railyard
