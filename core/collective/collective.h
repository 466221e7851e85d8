// Times of collectives on the fabric as drawn: bytes over the worst share of any link they use, with the latencies and the
// efficiency of the library that the GPUs run. Formulas and their sources: docs/engine.md.
#pragma once

#include "core/collective/calibration.h"
#include "core/fabric/switch_graph.h"

#include <memory>
#include <string>
#include <vector>

namespace railyard {

enum class CollectiveOp { AllReduce, AllGather, ReduceScatter, AllToAll, Broadcast, Reduce, Gather, Scatter, PointToPoint };
std::string_view toText(CollectiveOp op);
std::optional<CollectiveOp> collectiveOpFrom(std::string_view text);

enum class Algorithm { Auto, Ring, Tree, Hierarchical, Direct, Pxn, Nvls, None }; // None: a group of one
std::string_view toText(Algorithm algorithm);
std::optional<Algorithm> algorithmFrom(std::string_view text);
constexpr std::string_view algorithmNames = "auto, ring, tree, hierarchical, direct, pxn, nvls";

enum class RankOrder { Near, Far };

// time = latency + ramp + exposed * ideal / share
struct CollectivePhase {
    std::string name;
    std::string bottleneck;
    // What passes the bottleneck, over ranks, domains, domain_gpus, smallest_domain_gpus, root_domain_gpus and size_bytes.
    std::string bytesFormula;
    double bytes = 0;
    Seconds ideal; // of those bytes at the full share of the links
    Seconds ramp, latency;
    double share = 1;   // of the bandwidth that is reached
    double exposed = 1; // what does not hide behind another phase

    Seconds transfer() const { return ramp + ideal / share; }
    Seconds time() const { return latency + ramp + ideal / share * exposed; }
};

struct CollectiveTime {
    Algorithm algorithm = Algorithm::Auto;
    Protocol protocol = Protocol::Simple;
    Seconds time;
    std::vector<CollectivePhase> phases; // their times add up to `time`
    double hbBytes = 0, nicBytes = 0;    // sent by one GPU
    double maxLinkUtilisation = 0;

    Seconds latency() const;
    Seconds transfers() const;                      // without latencies and ramps
    Seconds overlapped() const, serialised() const; // with the phases side by side, and one after the other
};

struct CollectiveResult {
    CollectiveOp op = CollectiveOp::AllReduce;
    Bytes size;
    std::int64_t ranks = 0, domains = 0;
    std::int64_t domainGpus = 0, smallestDomainGpus = 0, rootDomainGpus = 0; // domain_gpus: of the largest domain
    CollectiveTime best;
    std::vector<CollectiveTime> alternatives; // all that are possible, fastest first
    Seconds lowerBound;
    Seconds bandwidthTime; // what remains of the way that would be fastest without latencies and ramps, without those
    // The fastest way where all that is uncertain turns out well, or badly. Nothing where no library is known.
    std::optional<CollectiveTime> favourable, adverse;
    double algbwGbytesPerSecond = 0, busbwGbytesPerSecond = 0;
    std::shared_ptr<const CollectiveLibrary> library; // none where its vendor publishes no constants
    std::optional<Uncertain> nvlsShare;
    Uncertain hbShare;           // that was reckoned with
    std::optional<TcpCosts> tcp; // that were, over sockets
};

// Of one GPU inside its HB domain, the slowest of the group's.
struct HbBandwidths {
    Bandwidth all;       // of all its links
    Bandwidth ring;      // around rings through all members
    Bandwidth exchange;  // every member to every other
    Bandwidth root;      // one member to all others
    Bandwidth neighbour; // each to the next rank
};

// What the links offer a group.
struct GroupLinks {
    struct Exchange {
        bool isPossible = false;
        std::string whyNot = "the GPUs of a domain share no HB fabric";
        double switchLoad = 0, nicLoad = 0; // seconds for one bit a pair on the worst link between switches, on the worst NIC
        std::string bottleneck;
    };
    std::int64_t ranks = 0, domains = 0;
    std::int64_t largest = 0, smallest = 0, ofRoot = 0; // GPUs of HB domains; of that of rank 0, which is the root
    HbBandwidths hb;
    Bandwidth nicOfGpu;                     // of one GPU, the slowest
    Bandwidth nicOfDomain;                  // of one HB domain, the slowest
    double nicsOfGpu = 0, nicsOfDomain = 0; // how many NICs of them all have, at least; one that several GPUs share in parts
    Exchange direct, forwarded;
    double busiestCut = 0; // seconds for one bit a pair over a cut of switches that every exchange has to pass
    struct Route {         // 0 where no way leads
        Bandwidth speed;
        std::string bottleneck = "nic";
    };
    Route ring, tree;          // of a domain, in a ring of all domains; where data goes up and down both trees at once
    Route next, nextForwarded; // each rank to the next, all at once: what the slowest gets between domains
    struct Root {              // rank 0
        Bandwidth nicOfGpu, nicOfDomain;
        double nicsOfGpu = 0, nicsOfDomain = 0;
        Route toDirect, toForwarded, fromDirect, fromForwarded; // of all that the others send it, or it sends them
    } root;
    std::shared_ptr<const CollectiveLibrary> library;
    Uncertain hbShare; // of the slowest generation of its GPUs
    Bandwidth llMost;
    std::optional<Uncertain> nvlsShare; // where HB switches reduce
    std::string whyNotNvls;
    std::optional<TcpCosts> tcp; // where ranks send over sockets
};

// All GPUs as ranks: by path, or so that neighbours come from different SUs wherever possible.
std::vector<std::uint32_t> gpusInOrder(const Fabric& fabric, RankOrder order);

// What is taken of everything uncertain: the likely value, the one that makes collectives fast, the one that makes them slow.
enum class Turn { Likely, Well, Badly };
struct Estimate {
    Turn hb = Turn::Likely, network = Turn::Likely, latency = Turn::Likely;
    static Estimate all(Turn turn) { return {turn, turn, turn}; }
};

struct CollectiveRequest {
    Algorithm algorithm = Algorithm::Auto; // an impossible one is refused with the reason
    std::optional<Protocol> protocol;      // the fastest where nothing is said
};

// What a group of ranks has at hand, found once for a fabric and reused for every size and operation.
class CollectiveGroup {
public:
    // The first `ranks` GPUs in the order; 0 = all.
    static Result<CollectiveGroup> of(const Fabric& fabric, std::int64_t ranks, RankOrder order,
                                      const Calibration& calibration = shippedCalibration());
    // These GPUs, rank 0 first, each once. HB domains follow one another in the order of their first rank.
    static Result<CollectiveGroup> of(const Fabric& fabric, const std::vector<std::uint32_t>& gpus,
                                      const Calibration& calibration = shippedCalibration());
    Result<CollectiveResult> time(CollectiveOp op, Bytes size, const CollectiveRequest& request = {}) const;
    // The fastest way where constants turn out so; nothing where the GPUs cannot all reach each other.
    std::optional<Seconds> timeAt(CollectiveOp op, Bytes size, const Estimate& estimate) const;

    std::int64_t ranks() const { return m_links.ranks; }
    std::int64_t largestDomain() const { return m_links.largest; }
    std::int64_t domains() const { return m_links.domains; }
    const GroupLinks& links() const { return m_links; }

private:
    GroupLinks m_links;
};

double busbwFactor(CollectiveOp op, std::int64_t ranks);
std::string timeText(const CollectiveResult& result); // 5.24 ms, or 5.24 ms + latency where nothing is calibrated
std::string wayText(const CollectiveResult& result);  // ring, simple

} // namespace railyard
