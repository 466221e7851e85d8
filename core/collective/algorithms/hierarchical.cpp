// Rings inside every HB domain, then along the rails. All-reduce 2(x-1)/x*D/C_F + 2(y-1)/y*D/(x*C_S); all-gather (y-1)*D/(x*y*C_S) +
// (x-1)*D/(x*C_F), where domains differ with (n-m)/n*D for the smallest, of m ranks, in place of (y-1)/y*D: what it holds less of it gets
// more of.
#include "core/collective/algorithms/algorithm.h"

namespace railyard {
namespace {

bool runs(const Setting& s) { return s.isReduction() && hasRing(s.links) && !s.isInside() && s.links.largest > 1; }

CollectiveTime time(const Setting& s, Candidate& candidate) {
    const bool isTwice = s.passes() == 2;
    const Volume hb = isTwice ? 2 * (s.domainGpus() - 1) / s.domainGpus() * s.size() : (s.domainGpus() - 1) / s.domainGpus() * s.size();
    const Volume nic = isTwice ? 2 * (s.domains() - 1) / s.domains() * s.size() // of a domain
                               : (s.ranks() - s.smallestDomainGpus()) / s.ranks() * s.size();
    const Tuning& tuning = candidate.tuning();
    candidate.inside("inside HB domains", hb, s.links.hb.ring, tuning.base + tuning.insideLatency);
    candidate.between("between HB domains", nic, s.links.ring, s.links.nicsOfDomain, tuning.nicLatency);
    candidate.overlapPhases(tuning.overlap);
    return candidate.done(hb.value(), nic.value() / s.domainGpus().value());
}

void addLatency(const CommunicatorLinks& links, const TuningQuery& q, Tuning& tuning) {
    const AlgorithmConstants& ring = links.library->ring;
    const double rounds = q.op == CollectiveOp::AllReduce ? 2 : 1;
    tuning.base = ring.base[q.protocol];
    tuning.insideLatency = ring.hbHop[q.protocol] * (rounds * static_cast<double>(links.largest - 1));
    tuning.nicSteps = rounds * static_cast<double>(links.domains - 1);
    tuning.nicLatency = ring.nicHop[q.protocol] * tuning.nicSteps;
    tuning.overlap = shareOf(links.library->hierarchicalOverlap, q.estimate.latency);
}

void schedule(Schedule& steps) { steps.addPhases(); }
bool isInLibrary(const CommunicatorLinks& links, CollectiveOp) { return links.library != nullptr; }

} // namespace

const AlgorithmInfo hierarchicalInfo{
    Algorithm::Hierarchical, "hierarchical", allProtocols, runs, time, addLatency, schedule, nullptr, isInLibrary};

} // namespace railyard
