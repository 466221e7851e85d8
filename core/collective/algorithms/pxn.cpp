// Sending through the NIC on the rail of the destination, after a hop inside the HB domain. All-to-all, d = D/n bytes a pair: x(y-1)*d/C_S
// + y(x-1)*d/C_F; with several NICs of a domain on a rail y(x - x/rails)*d/C_F, because only data for other rails is forwarded.
#include "core/collective/algorithms/exchange.h"

namespace railyard {
namespace {

bool runs(const Setting& s) {
    const CommunicatorLinks& links = s.links;
    if (s.isInside() || !(s.op == CollectiveOp::AllToAll || s.op == CollectiveOp::PointToPoint || s.isRooted())) return false;
    if (!links.exchange(true).isPossible) return false;
    if (s.op == CollectiveOp::AllToAll) return true;
    if (s.op == CollectiveOp::PointToPoint)
        return links.largest > 1 && links.hb.neighbour.value() > 0 && links.next(true).speed.value() > 0;
    return links.ofRoot > 1 && links.rootRoute(true, s.op == CollectiveOp::Gather).speed.value() > 0;
}

CollectiveTime allToAll(const Setting& s, Candidate& candidate) {
    const Tuning& tuning = candidate.tuning();
    const Volume across = (s.ranks() - s.smallestDomainGpus()) * (s.size() / s.ranks());
    const Volume forwarded = s.domains() * s.offRailGpus() * (s.size() / s.ranks());
    const Volume onRail = (s.domainGpus() - 1 - s.offRailGpus()) * (s.size() / s.ranks()); // stays inside
    if (s.links.offRail > 0) candidate.inside("forward inside HB domains", forwarded, s.links.hb.exchange, tuning.insideLatency);
    exchangeBetween(s, across, s.links.exchange(true), s.bytes / s.ranks().value() * 8, tuning.base + tuning.nicLatency, candidate);
    return candidate.done(forwarded.value() + onRail.value(), across.value());
}

CollectiveTime rooted(const Setting& s, Candidate& candidate) {
    const Tuning& tuning = candidate.tuning();
    const CommunicatorLinks::Root& root = s.links.root;
    const bool isToRoot = s.op == CollectiveOp::Gather;
    const Volume outside = outsideRootDomain(s), x = s.rootDomainGpus();
    const Volume hb = (x - 1) / x * outside + insideRootDomain(s);
    candidate.inside(isToRoot ? "HB domain to the root" : "root to its HB domain", hb, s.links.hb.root, tuning.insideLatency);
    candidate.between("all NICs of the root's domain", outside, s.links.rootRoute(true, isToRoot), root.nicsOfDomain,
                      tuning.base + tuning.nicLatency);
    return candidate.done(hb.value(), outside.value() / x.value());
}

CollectiveTime toTheNext(const Setting& s, Candidate& candidate) {
    const Tuning& tuning = candidate.tuning();
    candidate.inside("forward inside the HB domain", s.size(), s.links.hb.neighbour, tuning.insideLatency);
    candidate.between("between HB domains", s.size(), s.links.next(true), s.links.nicsOfGpu, tuning.base + tuning.nicLatency);
    return candidate.done(s.bytes, s.bytes);
}

CollectiveTime time(const Setting& s, Candidate& candidate) {
    return s.op == CollectiveOp::AllToAll       ? allToAll(s, candidate)
           : s.op == CollectiveOp::PointToPoint ? toTheNext(s, candidate)
                                                : rooted(s, candidate);
}

void schedule(Schedule& steps) {
    const CollectiveResult& result = steps.result();
    if (result.op != CollectiveOp::AllToAll) return scheduleRanks(steps);
    const double pair = steps.size() / static_cast<double>(result.ranks);
    Seconds left = result.best.time;
    if (result.best.phases.size() > 1) {
        const Seconds first = result.best.phases.front().time();
        steps.add("forward inside HB domains", "each GPU forwards data to the GPU on the rail of the destination", first,
                  {{Schedule::Shape::Forward, pair}});
        left = left - first;
    }
    steps.addRounds(pair, left);
}

std::string whyNot(const CommunicatorLinks& links) {
    return links.domains > 1 && !links.exchange(true).isPossible ? links.exchange(true).whyNot : std::string();
}

} // namespace

const AlgorithmInfo pxnInfo{Algorithm::Pxn, "pxn", exchangeProtocols, runs, time, addExchangeLatency, schedule, whyNot};

} // namespace railyard
