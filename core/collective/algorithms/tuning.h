// The constants of the library for one algorithm and protocol.
#pragma once

#include "core/collective/communicator/communicator_links.h"
#include "core/collective/operation/operation.h"

#include <algorithm>
#include <span>

namespace railyard {

struct TuningQuery {
    CollectiveOp op = CollectiveOp::AllReduce;
    double bytes = 0;
    Algorithm algorithm = Algorithm::Ring;
    Protocol protocol = Protocol::Simple;
    Estimate estimate;
};

struct Tuning {
    double hbShare = 1, nicShare = 1;                 // share of the bandwidth that is reached
    std::optional<Bandwidth> mostInside, mostBetween; // limits of LL: inside HB domains, and between them
    std::optional<Bandwidth> mostOfNic;               // limit of sockets
    Seconds base, insideLatency, nicLatency;          // once per operation; all steps inside HB domains; all steps between them
    double nicSteps = 0;                              // between HB domains
    Seconds ramp, rampGrowth;
    double latencyHiding = 1;   // exponent
    bool hidesRamp = false;     // behind the transfer, as latencies do
    double overlap = 0;         // of the phases of a hierarchical collective
    double exchangeOverlap = 1; // of what stays inside HB domains in an exchange
    struct OfLibrary {
        Seconds latency;
        double share = 1; // of the bandwidth of rings
        std::optional<Bandwidth> most;
    };
    std::optional<OfLibrary> ofLibrary; // what the library itself reckons with, where measured constants stand in the rest

    // The bandwidth of a route between HB domains that uses this number of NICs.
    double shareOf(Bandwidth route, double nics) const {
        return mostOfNic ? std::min(nicShare, mostOfNic->value() * nics / route.value()) : nicShare;
    }
    Seconds latency() const { return base + insideLatency + nicLatency; }
};

// Without a library: full bandwidth and no latency.
Tuning tuningOf(const CommunicatorLinks& links, const TuningQuery& question);
// Only Simple without a library.
std::span<const Protocol> protocolsOf(const CommunicatorLinks& links, std::span<const Protocol> ofAlgorithm);

double shareOf(const Uncertain& share, Scenario scenario); // a larger share is faster
double costOf(const Uncertain& cost, Scenario scenario);   // a larger cost is slower
double floorLog2(std::int64_t n);
Seconds networkHop(const CommunicatorLinks& links, Protocol protocol); // with one rank a domain nothing hides a step over the network

} // namespace railyard
