// Rings of all ranks, one for every rail: 2(n-1)/n*D/B, with B = min(C_F, what leads from a domain to the next); all-gather and
// reduce-scatter half of it, broadcast and reduce D/B in a pipeline.
#include "core/collective/algorithms/algorithm.h"

#include <fmt/format.h>

namespace railyard {
namespace {

bool runs(const Setting& s) {
    return (s.isReduction() || s.op == CollectiveOp::Broadcast || s.op == CollectiveOp::Reduce) && hasRing(s.links);
}

CollectiveTime time(const Setting& s, Candidate& candidate) {
    const Volume bytes = !s.isReduction()  ? s.size()
                         : s.passes() == 2 ? 2 * (s.ranks() - 1) / s.ranks() * s.size()
                                           : (s.ranks() - 1) / s.ranks() * s.size();
    candidate.along(s.links.ring, "ring", bytes, bytes);
    const double nic = s.isInside() ? 0 : bytes.value() / s.domainGpus().value();
    return candidate.done(s.isReduction() ? bytes.value() - nic : bytes.value(), nic);
}

// Most steps stay inside HB domains, y - 1 of every round lead to the next one.
void addLatency(const CommunicatorLinks& links, const TuningQuery& q, Tuning& tuning) {
    const CollectiveLibrary& library = *links.library;
    const double rounds = q.op == CollectiveOp::AllReduce ? 2 : 1;
    const auto n = static_cast<double>(links.ranks), y = static_cast<double>(links.domains);
    Seconds inside = library.ring.hbHop[q.protocol];
    if (links.domains > 1) inside = std::max(inside, library.networkPost[q.protocol]);
    tuning.base = library.ring.base[q.protocol];
    tuning.insideLatency = inside * (rounds * (n - y));
    tuning.nicSteps = rounds * (y - 1);
    tuning.nicLatency = networkHop(links, q.protocol) * tuning.nicSteps;
}

// Reduce-scatter, then all-gather: an all-reduce is both, in twice the time of one.
void schedule(Schedule& steps) {
    using Shape = Schedule::Shape;
    const CollectiveResult& result = steps.result();
    const double bytes = result.best.phases.front().bytes;
    if (result.op == CollectiveOp::Broadcast || result.op == CollectiveOp::Reduce)
        return steps.add("along the rings",
                         result.op == CollectiveOp::Broadcast ? "each GPU forwards the data it receives, starting at rank 0"
                                                              : "each GPU adds its data and forwards the result towards rank 0",
                         result.best.time, {{Shape::Around, bytes}, {Shape::Between, bytes}});
    for (const bool isGather : {false, true}) {
        if (!(isGather ? steps.gathers() : steps.scatters())) continue;
        const double each = bytes / steps.passes();
        steps.add(isGather ? "all-gather along the rings" : "reduce-scatter along the rings",
                  fmt::format("{} identical steps: each GPU sends size / {} to the next GPU", result.ranks - 1, result.ranks),
                  result.best.time / steps.passes(), {{Shape::Around, each}, {Shape::Between, each}});
    }
}

} // namespace

const AlgorithmInfo ringInfo{Algorithm::Ring, "ring", allProtocols, runs, time, addLatency, schedule};

} // namespace railyard
