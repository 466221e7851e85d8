// HB switches reduce and copy: D passes the links of a GPU once, as NCCL reckons for gathers too. Between domains a tree along the rails,
// at most 2*D over the NICs of a domain; NCCL pipelines both.
#include "core/collective/algorithms/tree_volume.h"

namespace railyard {
namespace {

constexpr Protocol protocols[] = {Protocol::Simple};

bool runs(const Setting& s) {
    return s.isReduction() && hasRing(s.links) && s.links.nvlsShare &&
           (s.isInside() || (s.op == CollectiveOp::AllReduce && s.links.tree().speed.value() > 0));
}

CollectiveTime time(const Setting& s, Candidate& candidate) {
    const Tuning& tuning = candidate.tuning();
    const Volume across = betweenTreeDomains(s);
    candidate.inside("inside HB domains", s.size(), s.links.hb.ring, tuning.base + tuning.insideLatency);
    if (!s.isInside()) candidate.between("between HB domains", across, s.links.tree(), s.links.nicsOfDomain, tuning.nicLatency);
    candidate.overlapPhases(1);
    return candidate.done(s.bytes, s.isInside() ? 0 : across.value() / s.domainGpus().value());
}

void addLatency(const CommunicatorLinks& links, const TuningQuery& q, Tuning& tuning) {
    if (links.nvlsShare) tuning.hbShare *= shareOf(*links.nvlsShare, q.estimate.hb);
    if (links.domains > 1 && links.nvlsTreeMost && links.nvlsShare) { // as uncertain as the rest
        const Bandwidth bus = (links.domains == 2 ? links.nvlsTreeMost->overTwo : links.nvlsTreeMost->overMore) *
                              (static_cast<double>(links.smallest) * shareOf(*links.nvlsShare, q.estimate.hb) / links.nvlsShare->base);
        const auto n = static_cast<double>(links.ranks);
        tuning.mostInside = bus * (n / (2 * (n - 1)));
    }
    tuning.insideLatency = links.library->nvlsInside;
    tuning.nicSteps = 2 * floorLog2(links.domains);
    tuning.nicLatency = links.library->nvlsNicHop * tuning.nicSteps;
}

void schedule(Schedule& steps) { steps.addPhases(); }
std::string whyNot(const CommunicatorLinks& links) { return links.nvlsShare ? std::string() : links.whyNotNvls; }

} // namespace

const AlgorithmInfo nvlsInfo{Algorithm::Nvls, "nvls", protocols, runs, time, addLatency, schedule, whyNot};

} // namespace railyard
