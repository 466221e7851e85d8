#include "core/collective/algorithms/tuning.h"

#include "core/collective/algorithms/algorithm.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/algorithms/one_domain.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace railyard {

double shareOf(const Uncertain& share, Scenario scenario) {
    return scenario == Scenario::Expected ? share.base : scenario == Scenario::Best ? share.high : share.low;
}
double costOf(const Uncertain& cost, Scenario scenario) {
    return scenario == Scenario::Expected ? cost.base : scenario == Scenario::Best ? cost.low : cost.high;
}

double floorLog2(std::int64_t n) {
    return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1))) - 1);
}

Seconds networkHop(const CommunicatorLinks& links, Protocol protocol) {
    return links.largest == 1 ? links.library->tree.nicHop[protocol] : links.library->ring.nicHop[protocol];
}

namespace {

bool isReduction(CollectiveOp op) {
    return op == CollectiveOp::AllReduce || op == CollectiveOp::AllGather || op == CollectiveOp::ReduceScatter ||
           op == CollectiveOp::Broadcast || op == CollectiveOp::Reduce;
}

// At 64 B, 128 B ... as NCCL tabulates it; in between straight over the logarithm, or times would fall as messages grow.
double shareAtSize(const std::vector<double>& shares, double bytes) {
    const double step = std::log2(bytes / 64);
    if (shares.empty() || step < 0) return 1;
    const auto below = static_cast<std::size_t>(step);
    const auto at = [&](std::size_t i) { return i < shares.size() ? shares[i] : 1.0; };
    return at(below) + (at(below + 1) - at(below)) * (step - static_cast<double>(below));
}

double sizeShare(const CommunicatorLinks& links, const TuningQuery& q) {
    return q.algorithm == Algorithm::Tree ? shareAtSize(links.library->tree.shareBySize[q.protocol], q.bytes) : 1;
}

double protocolShare(const CommunicatorLinks& links, const TuningQuery& q) {
    const CollectiveLibrary& library = *links.library;
    if (q.algorithm != Algorithm::Tree) return library.ring.share[q.protocol];
    return (links.domains < 2 ? library.tree.shareInOneDomain : library.tree.share)[q.protocol] * sizeShare(links, q);
}

// Sockets reach a smaller share of links and no more than processor cores copy, and every step takes longer.
void addTcp(const CommunicatorLinks& links, const TuningQuery& q, Tuning& tuning) {
    const TcpCosts& tcp = *links.tcp;
    const double ofProtocol = links.library ? protocolShare(links, q) : 1; // flags are copied too
    tuning.nicShare = std::min(tuning.nicShare, shareOf(tcp.share, q.estimate.network) * ofProtocol);
    tuning.mostOfNic = Bandwidth(shareOf(tcp.mostOfNic, q.estimate.network)) * ofProtocol;
    if (links.library) tuning.nicLatency += Seconds(costOf(tcp.hop, q.estimate.latency)) * tuning.nicSteps;
}

Tuning ofLibrary(const CommunicatorLinks& links, const TuningQuery& q) {
    Tuning tuning;
    if (!links.library) return tuning;
    const CollectiveLibrary& library = *links.library;
    const bool sendsAndReceives = !isReduction(q.op);
    const double ofProtocol = protocolShare(links, q);
    tuning.hbShare = ofProtocol * shareOf(sendsAndReceives ? library.sendReceiveShare : links.hbShare, q.estimate.hb);
    const NetworkCosts& network = library.network(links.transport);
    tuning.nicShare = ofProtocol * shareOf(network.share, q.estimate.network);
    if (sendsAndReceives) tuning.nicShare = std::min(tuning.nicShare, ofProtocol * shareOf(library.sendReceiveShare, q.estimate.network));
    if (q.protocol == Protocol::Ll) {
        const double ofSize = sizeShare(links, q); // NCCL: of the limit too
        tuning.mostInside = links.llMost * ofSize;
        tuning.mostBetween = (links.domains == 2 ? library.llMostOverTwo : library.llMostOverMore) * ofSize;
    }
    tuning.ramp = Seconds(costOf(sendsAndReceives ? library.exchangeOverhead : library.ramp, q.estimate.latency));
    if (!sendsAndReceives) tuning.rampGrowth = Seconds(costOf(library.rampGrowth, q.estimate.latency));
    tuning.latencyHiding = shareOf(sendsAndReceives ? library.exchangeHiding : library.latencyHiding, q.estimate.latency);
    tuning.hidesRamp = sendsAndReceives;
    tuning.exchangeOverlap = shareOf(library.exchangeOverlap, q.estimate.latency);
    infoOf(q.algorithm)->addLatency(links, q, tuning);
    if (links.oneDomain) return insideOneDomain(links, q, tuning, ofProtocol);
    const double scale = costOf(library.latencyScale, q.estimate.latency);
    tuning.base = tuning.base * scale;
    tuning.insideLatency = tuning.insideLatency * scale;
    tuning.nicLatency = tuning.nicLatency * scale;
    tuning.nicLatency += Seconds(costOf(network.hop, q.estimate.latency)) * tuning.nicSteps;
    return tuning;
}

} // namespace

Tuning tuningOf(const CommunicatorLinks& links, const TuningQuery& q) {
    Tuning tuning = ofLibrary(links, q);
    if (links.tcp) addTcp(links, q, tuning);
    return tuning;
}

std::span<const Protocol> protocolsOf(const CommunicatorLinks& links, std::span<const Protocol> ofAlgorithm) {
    static constexpr Protocol simple[] = {Protocol::Simple};
    return links.library ? ofAlgorithm : simple;
}

} // namespace railyard
