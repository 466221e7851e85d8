// Two binary trees over HB domains, with chains inside: 2*D/B. Over the NICs of two domains D alone, of three 3*D/2: there is less to
// pass on.
#include "core/collective/algorithms/tree_volume.h"

namespace railyard {
namespace {

bool runs(const Setting& s) {
    return s.op == CollectiveOp::AllReduce && hasRing(s.links) && (s.isInside() || s.links.tree().speed.value() > 0);
}

CollectiveTime time(const Setting& s, Candidate& candidate) {
    const Volume bytes = 2 * s.size(), across = betweenTreeDomains(s);
    candidate.along(s.links.tree(), "tree", bytes, across);
    const double x = s.domainGpus().value();
    return s.isInside() ? candidate.done(bytes.value(), 0) : candidate.done(bytes.value() * (x - 1) / x, across.value() / x);
}

void addLatency(const CommunicatorLinks& links, const TuningQuery& q, Tuning& tuning) {
    const AlgorithmConstants& tree = links.library->tree;
    tuning.base = tree.base[q.protocol];
    tuning.insideLatency = tree.hbHop[q.protocol] * (2 * static_cast<double>(links.ranks / links.domains - 1));
    tuning.nicSteps = 2 * floorLog2(links.domains);
    tuning.nicLatency = tree.nicHop[q.protocol] * tuning.nicSteps;
    if (links.domains > 1 && links.largest > 1 && links.channelMost) // a chain inside the domain for each NIC
        tuning.hbShare = std::min(tuning.hbShare, links.nicsOfDomain * (*links.channelMost / links.hb.ring) * tree.share[q.protocol]);
}

void schedule(Schedule& steps) { steps.addTrees(1, steps.result().best.time); }

} // namespace

const AlgorithmInfo treeInfo{Algorithm::Tree, "tree", allProtocols, runs, time, addLatency, schedule};

} // namespace railyard
