// Times of collectives on the fabric as drawn: bandwidth terms over the worst share of any link they use.
// Not calibrated: efficiency 1, latency 0. Formulas and their sources: docs/engine.md.
#pragma once

#include "core/fabric/switch_graph.h"

#include <string>
#include <vector>

namespace railyard {

enum class CollectiveOp { AllReduce, AllGather, ReduceScatter, AllToAll, Broadcast, Reduce, Gather, Scatter, PointToPoint };
std::string_view toText(CollectiveOp op);
std::optional<CollectiveOp> collectiveOpFrom(std::string_view text);

enum class RankOrder { Near, Far };

struct CollectivePhase {
    std::string name;
    Seconds time;
    std::string bottleneck;
    // What passes the bottleneck, over ranks, domains, domain_gpus, smallest_domain_gpus and size_bytes.
    std::string bytesFormula;
    double bytes = 0;
};

struct CollectiveTime {
    std::string algorithm;
    Seconds time;
    std::vector<CollectivePhase> phases;
    double hbBytes = 0, nicBytes = 0; // sent by one GPU
    double maxLinkUtilisation = 0;
};

struct CollectiveResult {
    CollectiveOp op = CollectiveOp::AllReduce;
    Bytes size;
    std::int64_t ranks = 0, domains = 0, domainGpus = 0, smallestDomainGpus = 0; // domain_gpus: of the largest domain
    CollectiveTime best;
    std::vector<CollectiveTime> alternatives; // all that are possible, fastest first
    Seconds lowerBound;
    double algbwGbytesPerSecond = 0, busbwGbytesPerSecond = 0;
};

// What a group of ranks has at hand, found once for a fabric and reused for every size and operation.
class CollectiveGroup {
public:
    // The first `ranks` GPUs in the order; 0 = all.
    static Result<CollectiveGroup> of(const Fabric& fabric, std::int64_t ranks, RankOrder order);
    // These GPUs, rank 0 first, each once. HB domains follow one another in the order of their first rank.
    static Result<CollectiveGroup> of(const Fabric& fabric, const std::vector<std::uint32_t>& gpus);
    // `algorithm` is auto or one of ring, tree, hierarchical, direct, pxn; an impossible one is refused with the reason.
    Result<CollectiveResult> time(CollectiveOp op, Bytes size, std::string_view algorithm = "auto") const;

    std::int64_t ranks() const { return m_ranks; }
    std::int64_t largestDomain() const { return m_largest; }
    std::int64_t domains() const { return m_domains; }

private:
    std::vector<CollectiveTime> allWays(CollectiveOp op, double bytes) const;
    std::vector<CollectiveTime> reductions(CollectiveOp op, double bytes) const;
    std::vector<CollectiveTime> exchanges(double bytes) const;
    std::vector<CollectiveTime> rooted(CollectiveOp op, double bytes) const;
    std::vector<CollectiveTime> pointToPoint(double bytes) const;
    Seconds lowerBound(CollectiveOp op, double bytes) const;

    std::int64_t m_ranks = 0, m_domains = 0, m_largest = 0, m_smallest = 0;
    Bandwidth m_hb;          // of one GPU, the slowest
    Bandwidth m_nicOfGpu;    // of one GPU, the slowest
    Bandwidth m_nicOfDomain; // of one HB domain, the slowest
    Bandwidth m_ring;        // of a domain: sum over its NICs of the worst-link share of the ring through it
    std::string m_ringBottleneck;
    bool m_direct = false, m_forwarded = false; // possible at all
    std::string m_whyNotDirect, m_whyNotForwarded;
    double m_directLoad = 0, m_forwardedLoad = 0; // seconds for one bit a pair on the worst switch link
    std::string m_directBottleneck, m_forwardedBottleneck;
    double m_directNicLoad = 0, m_forwardedNicLoad = 0; // the same on the worst NIC
};

double busbwFactor(CollectiveOp op, std::int64_t ranks);

} // namespace railyard
