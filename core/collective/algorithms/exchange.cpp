#include "core/collective/algorithms/exchange.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {

void exchangeBetween(const Setting& s, const Volume& volume, const CommunicatorLinks::Exchange& exchange, double bitsOfPair,
                     Seconds latency, Candidate& candidate) {
    const bool switchesLimit = exchange.switchLoad > exchange.nicLoad * (1 + 1e-9);
    candidate.between("between HB domains", volume, Seconds(std::max(exchange.nicLoad, exchange.switchLoad) * bitsOfPair),
                      switchesLimit ? exchange.bottleneck : "nic", s.links.nicsOfGpu, latency);
}

Volume outsideRootDomain(const Setting& s) { return (s.ranks() - s.rootDomainGpus()) / s.ranks() * s.size(); }
Volume insideRootDomain(const Setting& s) { return (s.rootDomainGpus() - 1) / s.ranks() * s.size(); }

void addExchangeLatency(const CommunicatorLinks& links, const TuningQuery& q, Tuning& tuning) {
    const AlgorithmConstants& ring = links.library->ring;
    double rounds = q.op == CollectiveOp::AllReduce ? 2 : 1;
    if (q.op == CollectiveOp::AllToAll)
        rounds += costOf(links.library->exposedSendSteps, q.estimate.latency) * static_cast<double>(links.ranks - 2);
    tuning.base = ring.base[q.protocol];
    if (links.domains < 2 || q.algorithm == Algorithm::Pxn) tuning.insideLatency = ring.hbHop[q.protocol] * rounds;
    if (links.domains < 2) return;
    tuning.nicSteps = rounds;
    tuning.nicLatency = networkHop(links, q.protocol) * rounds;
}

void scheduleRanks(Schedule& steps) {
    using Shape = Schedule::Shape;
    const CollectiveResult& result = steps.result();
    const double part = steps.size() / static_cast<double>(result.ranks);
    const std::string share = fmt::format("size / {}", result.ranks);
    switch (result.op) {
    case CollectiveOp::Gather:
        return steps.add("every rank to rank 0", "each GPU sends " + share + " to rank 0", result.best.time, {{Shape::ToRoot, part}});
    case CollectiveOp::Scatter:
        return steps.add("rank 0 to every rank", "rank 0 sends " + share + " to each GPU", result.best.time, {{Shape::FromRoot, part}});
    default:
        return steps.add("every rank to the next", "every rank sends to the next rank, and the last rank to the first", result.best.time,
                         {{Shape::Neighbours, steps.size()}});
    }
}

} // namespace railyard
