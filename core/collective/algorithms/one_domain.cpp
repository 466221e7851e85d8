#include "core/collective/algorithms/one_domain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace railyard {
namespace {

double stepsOf(const CommunicatorLinks& links, CollectiveOp op) {
    const auto n = static_cast<double>(links.ranks);
    return op == CollectiveOp::AllReduce ? 2 * (n - 1) : op == CollectiveOp::PointToPoint ? 1 : n - 1;
}

// Every rank has a part of the message of its own. A broadcast and a reduction to the root have none.
bool hasParts(CollectiveOp op) {
    return op == CollectiveOp::AllReduce || op == CollectiveOp::AllGather || op == CollectiveOp::ReduceScatter;
}

// The bandwidth that NCCL 2.30 reckons with for NVLS (src/graph/tuning.cc, ncclTopoTuneModel): every GPU reduces a part of the message at
// no more than `channelMost`; an all-reduce sends it up and down at once.
double nvlsLibraryShare(const CommunicatorLinks& links, const OneDomain& of, CollectiveOp op) {
    const auto n = static_cast<double>(links.ranks);
    const double all = links.channelMost ? std::min(of.ringShare, n * (*links.channelMost / links.hb.ring)) : of.ringShare;
    return op == CollectiveOp::AllReduce ? all * n / (2 * (n - 1)) : all * of.nvls->efficiency * (n - 1) / n * (n - 1) / n;
}

void setCosts(const MeasuredCosts& costs, double steps, double copy, Tuning& tuning) {
    tuning.base = costs.base;
    tuning.insideLatency = costs.hop * steps;
    tuning.hbShare = costs.share / (1 + copy / steps);
}

void setExchange(const CommunicatorLinks& links, const TuningQuery& q, Tuning& tuning) {
    const OneDomain& of = *links.oneDomain;
    const bool isSimple = q.protocol == Protocol::Simple;
    const bool hasOwnPart = q.op != CollectiveOp::PointToPoint; // which a GPU copies beside
    setCosts(of.exchange[q.protocol], stepsOf(links, q.op), isSimple && hasOwnPart ? of.exchangeCopy : 0, tuning);
    if (isSimple) tuning.rampGrowth = of.exchangeGrowth;
    if (!isSimple) tuning.hbShare = std::min(1.0, tuning.hbShare * stepsOf(links, q.op)); // all pairs at once, each at this share
    const double ofPair = q.op == CollectiveOp::PointToPoint ? q.bytes : q.bytes / static_cast<double>(links.ranks);
    const bool isChosen = isSimple != (ofPair <= static_cast<double>(of.exchangeMostLl)); // by the size of a pair alone
    tuning.ofLibrary = {isChosen ? Seconds() : Seconds(std::numeric_limits<double>::infinity()), 1, {}};
}

} // namespace

Tuning insideOneDomain(const CommunicatorLinks& links, const TuningQuery& q, Tuning published, double ofProtocol) {
    const OneDomain& of = *links.oneDomain;
    Tuning tuning;
    tuning.ofLibrary = {published.latency(), of.ringShare * ofProtocol, published.mostInside};
    switch (q.algorithm) {
    case Algorithm::Nvls:
        if (!of.nvls) return published;
        tuning.ofLibrary->share = nvlsLibraryShare(links, of, q.op);
        tuning.base = of.nvls->base;
        tuning.hbShare = of.nvls->share;
        tuning.rampGrowth = of.nvls->growth;
        break;
    case Algorithm::Ring:
        setCosts(of.ring[q.protocol], stepsOf(links, q.op), q.protocol == Protocol::Simple && hasParts(q.op) ? of.ringCopy : 0, tuning);
        if (q.protocol == Protocol::Simple) tuning.latencyHiding = of.ringHiding;
        break;
    case Algorithm::Direct:
    case Algorithm::Pxn: setExchange(links, q, tuning); break;
    default: // never the library's choice here, and not measured: its latencies at the bandwidth of a ring
        tuning.base = published.base;
        tuning.insideLatency = published.insideLatency;
        tuning.hbShare = of.ring[Protocol::Simple].share * ofProtocol;
    }
    const double latency = costOf(of.latencyScale, q.estimate.latency);
    tuning.base = tuning.base * latency;
    tuning.insideLatency = tuning.insideLatency * latency;
    tuning.hbShare = std::min(1.0, tuning.hbShare * shareOf(of.shareScale, q.estimate.hb));
    return tuning;
}

} // namespace railyard
