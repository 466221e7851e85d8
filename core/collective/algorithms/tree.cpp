// Two binary trees over HB domains, with chains inside: 2*D/B.
#include "core/collective/algorithms/algorithm.h"

namespace railyard {
namespace {

bool runs(const Setting& s) {
    return s.op == CollectiveOp::AllReduce && hasRing(s.links) && (s.isInside() || s.links.tree().speed.value() > 0);
}

CollectiveTime time(const Setting& s, Candidate& candidate) {
    const Volume bytes = 2 * s.size();
    candidate.along(s.links.tree(), "tree", bytes);
    const double nic = s.isInside() ? 0 : bytes.value() / s.domainGpus().value();
    return candidate.done(bytes.value() - nic, nic);
}

void addLatency(const CommunicatorLinks& links, const TuningQuery& q, Tuning& tuning) {
    const AlgorithmConstants& tree = links.library->tree;
    tuning.base = tree.base[q.protocol];
    tuning.insideLatency = tree.hbHop[q.protocol] * (2 * static_cast<double>(links.ranks / links.domains - 1));
    tuning.nicSteps = 2 * floorLog2(links.domains);
    tuning.nicLatency = tree.nicHop[q.protocol] * tuning.nicSteps;
}

void schedule(Schedule& steps) { steps.addTrees(1, steps.result().best.time); }

} // namespace

const AlgorithmInfo treeInfo{Algorithm::Tree, "tree", allProtocols, runs, time, addLatency, schedule};

} // namespace railyard
