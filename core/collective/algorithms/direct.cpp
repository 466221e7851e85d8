// Every rank sends straight to every rank that it has something for. All-to-all, d = D/n bytes a pair: x(y-1)*d/C_S, and (x-1)*d inside
// HB domains beside it. A reduction sends every rank its part, and what it has reduced: no library does.
#include "core/collective/algorithms/exchange.h"

namespace railyard {
namespace {

bool runs(const Setting& s) {
    const CommunicatorLinks& links = s.links;
    if (s.isReduction() || s.op == CollectiveOp::AllToAll) {
        if (s.isReduction() && !(s.asked == Algorithm::Direct && hasRing(links))) return false;
        return s.isInside() ? links.hb.exchange.value() > 0 : links.exchange(false).isPossible;
    }
    if (s.op == CollectiveOp::PointToPoint) // next to each other, and no HB link between: not possible
        return s.isInside() ? links.hb.neighbour.value() > 0
                            : (links.largest == 1 || links.hb.neighbour.value() > 0) && links.next(false).speed.value() > 0;
    if (!s.isRooted()) return false;
    return s.isInside() ? links.hb.root.value() > 0
                        : links.exchange(false).isPossible && links.rootRoute(false, s.op == CollectiveOp::Gather).speed.value() > 0;
}

CollectiveTime reduction(const Setting& s, Candidate& candidate) {
    const bool isTwice = s.passes() == 2;
    const Volume hb = isTwice ? 2 * (s.domainGpus() - 1) * (s.size() / s.ranks()) : (s.domainGpus() - 1) * (s.size() / s.ranks());
    const Volume nic = isTwice ? 2 * (s.ranks() - s.smallestDomainGpus()) * (s.size() / s.ranks())
                               : (s.ranks() - s.smallestDomainGpus()) * (s.size() / s.ranks());
    const double bits = s.bytes / s.ranks().value() * 8 * s.passes();
    if (!s.isInside()) exchangeBetween(s, nic, s.links.exchange(false), bits, candidate.tuning().latency(), candidate);
    if (s.links.largest > 1) candidate.inside("inside HB domains", hb, s.links.hb.exchange, candidate.tuning().latency());
    candidate.keepSlowest();
    return candidate.done(hb.value(), s.isInside() ? 0 : nic.value());
}

CollectiveTime allToAll(const Setting& s, Candidate& candidate) {
    if (s.isInside()) {
        const Volume all = (s.ranks() - 1) * (s.size() / s.ranks());
        candidate.inside("inside the HB domain", all, s.links.hb.exchange, candidate.tuning().latency());
        return candidate.done(all.value(), 0);
    }
    const Volume across = (s.ranks() - s.smallestDomainGpus()) * (s.size() / s.ranks());
    const Volume inside = (s.domainGpus() - 1) * (s.size() / s.ranks());
    exchangeBetween(s, across, s.links.exchange(false), s.bytes / s.ranks().value() * 8, candidate.tuning().latency(), candidate);
    if (s.links.largest > 1 && s.links.hb.exchange.value() > 0) // what stays inside runs beside it
        candidate.inside("inside HB domains", inside, s.links.hb.exchange, candidate.tuning().latency());
    candidate.exchangeAtOnce();
    return candidate.done(inside.value(), across.value());
}

// Limited by the root.
CollectiveTime rooted(const Setting& s, Candidate& candidate) {
    const CommunicatorLinks::Root& root = s.links.root;
    const Volume outside = outsideRootDomain(s), local = insideRootDomain(s);
    if (s.isInside()) {
        candidate.inside("inside the HB domain", local, s.links.hb.root, candidate.tuning().latency());
        return candidate.done(local.value(), 0);
    }
    const bool isJoined = s.links.ofRoot < 2 || s.links.hb.root.value() > 0; // else all comes over the NICs of the root
    candidate.between("root", isJoined ? outside : (s.ranks() - 1) / s.ranks() * s.size(),
                      s.links.rootRoute(false, s.op == CollectiveOp::Gather), root.nicsOfGpu, candidate.tuning().latency());
    if (s.links.hb.root.value() > 0) candidate.inside("root", local, s.links.hb.root, candidate.tuning().latency());
    candidate.keepSlowest();
    return candidate.done(local.value(), outside.value());
}

// Every rank to the next, as nccl-tests' sendrecv: across domains the last GPU of one meets the first of the next.
CollectiveTime toTheNext(const Setting& s, Candidate& candidate) {
    if (s.isInside()) {
        candidate.inside("inside the HB domain", s.size(), s.links.hb.neighbour, candidate.tuning().latency());
        return candidate.done(s.bytes, 0);
    }
    candidate.between("between HB domains", s.size(), s.links.next(false), s.links.nicsOfGpu, candidate.tuning().latency());
    return candidate.done(0, s.bytes);
}

CollectiveTime time(const Setting& s, Candidate& candidate) {
    return s.isReduction()                      ? reduction(s, candidate)
           : s.op == CollectiveOp::AllToAll     ? allToAll(s, candidate)
           : s.op == CollectiveOp::PointToPoint ? toTheNext(s, candidate)
                                                : rooted(s, candidate);
}

void schedule(Schedule& steps) {
    const CollectiveResult& result = steps.result();
    const double pair = steps.size() / static_cast<double>(result.ranks);
    switch (result.op) {
    case CollectiveOp::AllReduce:
    case CollectiveOp::AllGather:
    case CollectiveOp::ReduceScatter:
        for (int pass = 0; pass < steps.passes(); ++pass) steps.addRounds(pair, result.best.time / steps.passes());
        return;
    case CollectiveOp::AllToAll: return steps.addRounds(pair, result.best.time);
    default: return scheduleRanks(steps);
    }
}

std::string whyNot(const CommunicatorLinks& links) {
    return links.domains > 1 && !links.exchange(false).isPossible ? links.exchange(false).whyNot : std::string();
}
bool isInLibrary(const CommunicatorLinks&, CollectiveOp op) {
    return op != CollectiveOp::AllReduce && op != CollectiveOp::AllGather && op != CollectiveOp::ReduceScatter;
}

} // namespace

const AlgorithmInfo directInfo{Algorithm::Direct, "direct", exchangeProtocols, runs, time, addExchangeLatency,
                               schedule,          whyNot,   isInLibrary};

} // namespace railyard
