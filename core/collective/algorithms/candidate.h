// One way of running an operation, with its phases.
#pragma once

#include "core/collective/algorithms/tuning.h"
#include "core/collective/algorithms/volume.h"
#include "core/collective/communicator/communicator_links.h"

#include <string>

namespace railyard {

// What is asked, with the quantities of formulas: x GPUs in an HB domain, y domains, n = ranks. Domains that differ count as described in
// docs/engine.md.
struct Setting {
    const CommunicatorLinks& links;
    CollectiveOp op = CollectiveOp::AllReduce;
    double bytes = 0;
    Estimate estimate;
    Algorithm asked = Algorithm::Auto; // some run on request only

    bool isInside() const { return links.domains < 2; }
    bool isReduction() const { return op == CollectiveOp::AllReduce || op == CollectiveOp::AllGather || op == CollectiveOp::ReduceScatter; }
    int passes() const { return op == CollectiveOp::AllReduce ? 2 : 1; } // an all-reduce is a reduce-scatter and an all-gather
    bool isRooted() const { return op == CollectiveOp::Gather || op == CollectiveOp::Scatter; }
    Volume size() const { return {"size_bytes", bytes}; }
    Volume ranks() const { return {"ranks", static_cast<double>(links.ranks)}; }
    Volume domains() const { return {"domains", static_cast<double>(links.domains)}; }
    Volume domainGpus() const { return {"domain_gpus", static_cast<double>(links.largest)}; }
    Volume smallestDomainGpus() const { return {"smallest_domain_gpus", static_cast<double>(links.smallest)}; }
    Volume rootDomainGpus() const { return {"root_domain_gpus", static_cast<double>(links.ofRoot)}; }
    Volume offRailGpus() const { return {"off_rail_gpus", static_cast<double>(links.offRail)}; }
};

// One way of running an operation, with a protocol, while it is put together.
class Candidate {
public:
    Candidate(const Setting& setting, Algorithm algorithm, Protocol protocol);
    const Tuning& tuning() const { return m_tuning; }

    void inside(std::string name, const Volume& volume, Bandwidth link, Seconds latency);
    void between(std::string name, const Volume& volume, Seconds ideal, const std::string& where, double nics, Seconds latency);
    void between(std::string name, const Volume& volume, const CommunicatorLinks::Route& route, double nics, Seconds latency);
    // Around the ring of all ranks, or over trees of chains: these volumes through HB links and the network, whichever take longer.
    void along(const CommunicatorLinks::Route& route, std::string name, const Volume& inside, const Volume& across);
    // The phases run at once; what of the shorter ones hides behind the longest is not paid for.
    void overlapPhases(double overlap);
    // The network and what stays inside HB domains: at once, but for what the library does in turn.
    void exchangeAtOnce();
    void keepSlowest();
    CollectiveTime done(double hbBytes, double nicBytes); // sent by one GPU

private:
    Seconds hiddenLatency(Seconds latency, Seconds transfer) const;
    void add(CollectivePhase phase, const std::optional<Bandwidth>& most);

    const CommunicatorLinks& m_links;
    Tuning m_tuning;
    CollectiveTime m_candidate;
};

} // namespace railyard
