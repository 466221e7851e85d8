// Collective times on a fabric: bytes divided by the bandwidth at the bottleneck, plus the latencies and the efficiency of the
// communication library of the GPUs. Formulas and their sources: docs/engine.md.
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

enum class Algorithm { Auto, Ring, Tree, Hierarchical, Direct, Pxn, Nvls, Pat, None }; // None: a group with one rank
std::string_view toText(Algorithm algorithm);
std::optional<Algorithm> algorithmFrom(std::string_view text);
std::string algorithmNames(); // auto, ring, tree, ...

enum class RankOrder { Near, Far };

// time = latency + ramp + exposed * ideal / share - hidden
struct CollectivePhase {
    std::string name;
    std::string bottleneck;
    // The bytes at the bottleneck, as a formula of ranks, domains, domain_gpus, smallest_domain_gpus, root_domain_gpus, size_bytes.
    std::string bytesFormula;
    double bytes = 0;
    Seconds ideal; // time of those bytes at full link bandwidth
    Seconds ramp, latency;
    double share = 1;   // share of the bandwidth that is reached
    double exposed = 1; // share that is not hidden behind another phase
    Seconds hidden{};   // latency that is hidden behind the transfer

    Seconds transfer() const { return ramp + ideal / share; }
    Seconds time() const { return latency + ramp + ideal / share * exposed - hidden; }
};

struct CollectiveTime {
    Algorithm algorithm = Algorithm::Auto;
    Protocol protocol = Protocol::Simple;
    bool isInLibrary = true; // `auto` takes none that the library of these GPUs lacks
    Seconds time;
    std::vector<CollectivePhase> phases; // their times add up to `time`
    double hbBytes = 0, nicBytes = 0;    // sent by one GPU
    double maxLinkUtilisation = 0;

    Seconds latency() const;
    Seconds transfers() const;                      // without latencies and pipeline ramps
    Seconds overlapped() const, serialised() const; // with concurrent phases, and with sequential phases
};

struct CollectiveResult {
    CollectiveOp op = CollectiveOp::AllReduce;
    Bytes size;
    std::int64_t ranks = 0, domains = 0;
    std::int64_t offRailGpus = 0; // GPUs of an HB domain on other rails than a given GPU, for the GPU with most of them
    std::int64_t domainGpus = 0, smallestDomainGpus = 0, rootDomainGpus = 0; // domain_gpus: of the largest domain
    CollectiveTime best;
    std::vector<CollectiveTime> alternatives; // all possible combinations, fastest first
    Seconds lowerBound;
    Seconds bandwidthTime; // time without latencies and ramps of the combination that would then be the fastest
    // The fastest combination if all uncertain constants have their best or worst value. Empty if no library is known.
    std::optional<CollectiveTime> favourable, adverse;
    double algbwGbytesPerSecond = 0, busbwGbytesPerSecond = 0;
    std::shared_ptr<const CollectiveLibrary> library; // null if the vendor publishes no constants
    std::optional<Uncertain> nvlsShare;
    Uncertain hbShare;                     // the share that was used
    Transport transport = Transport::Rdma; // between HB domains
    std::optional<NetworkCosts> network;   // costs of that transport; empty if no library is known
    std::optional<TcpCosts> tcp;           // set if the time is for sockets
};

// Bandwidth of a GPU inside its HB domain, for the slowest GPU of the group.
struct HbBandwidths {
    Bandwidth all;       // of all its links
    Bandwidth ring;      // in rings through all members
    Bandwidth exchange;  // when every member sends to every other member
    Bandwidth root;      // when one member sends to all others
    Bandwidth neighbour; // when every member sends to the next rank
};

class ShiftRoutes;

// The bandwidth that the fabric provides to a group.
struct GroupLinks {
    struct Exchange {
        bool isPossible = false;
        std::string whyNot = "the GPUs of a domain share no HB fabric";
        double switchLoad = 0, nicLoad = 0; // seconds for one bit per pair on the most loaded link between switches, on the most loaded NIC
        std::string bottleneck;
    };
    std::int64_t ranks = 0, domains = 0;
    std::int64_t largest = 0, smallest = 0, ofRoot = 0; // GPUs in the largest HB domain, in the smallest, and in that of rank 0 (the root)
    HbBandwidths hb;
    struct DomainCapacity {
        std::int64_t gpus = 0, count = 0; // ranks in the domain; how many domains are like it
        Bandwidth nics, hb;               // of all its ranks, one direction; hb is 0 with one rank
        auto operator<=>(const DomainCapacity&) const = default;
    };
    std::vector<DomainCapacity> domainCapacities;
    Bandwidth leastGpu;    // HB links and NICs of one GPU, each NIC as if it had it alone; the least of those that have any
    Bandwidth nicOfGpu;    // of the slowest GPU
    Bandwidth nicOfDomain; // of the slowest HB domain
    double nicsOfGpu = 0, nicsOfDomain = 0; // minimum number of NICs of a GPU and of a domain; a shared NIC counts as a fraction
    Exchange direct, forwarded;
    std::int64_t offRail = 0; // GPUs of an HB domain on other rails than a given GPU, for the GPU with most of them
    double busiestCut = 0;    // seconds for one bit per pair over a cut of switches that every exchange must cross
    struct Route {            // speed 0: there is no path
        Bandwidth speed;
        std::string bottleneck = "nic";
    };
    Route ring, tree;          // of a domain, in a ring of all domains; in both trees, with traffic up and down at the same time
    Route next, nextForwarded; // every rank sends to the next rank at the same time: the slowest rate between domains
    // Every rank to the rank 1, 2, 4 … positions ahead, all at the same time: the slowest rate between domains, by distance. Found when
    // first asked for; null in a single domain.
    std::shared_ptr<const ShiftRoutes> shifts;
    struct Root {     // rank 0
        Bandwidth hb; // all its HB links
        Bandwidth nicOfGpu, nicOfDomain;
        double nicsOfGpu = 0, nicsOfDomain = 0;
        Route toDirect, toForwarded, fromDirect, fromForwarded; // the total rate of all other ranks to the root, or from the root to them
    } root;
    // With forwarding, where the busiest NIC then has less to do: traffic divided over the networks by the speed of the NICs there.
    struct Balanced {
        std::optional<Exchange> exchange;
        std::optional<Route> toRoot, fromRoot;
    } balanced;
    std::shared_ptr<const CollectiveLibrary> library;
    Uncertain hbShare; // of the slowest generation of GPUs in the group
    Bandwidth llMost;
    std::optional<Uncertain> nvlsShare; // set if the HB switches reduce
    std::string whyNotNvls;
    Transport transport = Transport::Rdma;
    std::optional<TcpCosts> tcp; // set if ranks send over sockets
};

// All GPUs as ranks: in path order, or so that adjacent ranks are in different SUs where possible.
std::vector<std::uint32_t> gpusInOrder(const Fabric& fabric, RankOrder order);

// The values that are used for uncertain constants: the expected ones, those of the best case, those of the worst case.
enum class Turn { Likely, Well, Badly };
struct Estimate {
    Turn hb = Turn::Likely, network = Turn::Likely, latency = Turn::Likely;
    static Estimate all(Turn turn) { return {turn, turn, turn}; }
};

struct CollectiveRequest {
    Algorithm algorithm = Algorithm::Auto; // an impossible algorithm is rejected with the reason
    std::optional<Protocol> protocol;      // empty: the fastest
    bool usesOwnNics = false;              // every GPU its own, as if the library did not react to failed NICs otherwise
};

// The bandwidth of a group of ranks, computed once for a fabric and reused for all sizes and operations.
class CollectiveGroup {
public:
    // The first `ranks` GPUs in this order; 0 = all GPUs.
    static Result<CollectiveGroup> of(const Fabric& fabric, std::int64_t ranks, RankOrder order,
                                      const Calibration& calibration = shippedCalibration());
    // These GPUs, starting with rank 0, each of them once. HB domains are ordered by their first rank.
    static Result<CollectiveGroup> of(const Fabric& fabric, const std::vector<std::uint32_t>& gpus,
                                      const Calibration& calibration = shippedCalibration());
    Result<CollectiveResult> time(CollectiveOp op, Bytes size, const CollectiveRequest& request = {}) const;
    // The fastest time with these constants; empty if some GPUs cannot reach each other.
    std::optional<Seconds> timeAt(CollectiveOp op, Bytes size, const Estimate& estimate) const;

    std::int64_t ranks() const { return m_links.ranks; }
    std::int64_t largestDomain() const { return m_links.largest; }
    std::int64_t domains() const { return m_links.domains; }
    const GroupLinks& links() const { return m_links; }

private:
    std::vector<CollectiveTime> timesOf(CollectiveOp op, double bytes, const Estimate& estimate, Algorithm asked, bool usesOwnNics) const;
    GroupLinks m_links;
    // What a library may do instead where that is faster: leave out the NICs that have lost some of their ports, balance the others.
    std::vector<std::shared_ptr<const GroupLinks>> m_alternatives;
};

double busbwFactor(CollectiveOp op, std::int64_t ranks);
std::string timeText(const CollectiveResult& result); // 5.24 ms, or ≥ 5.24 ms without latency constants
std::string wayText(const CollectiveResult& result);  // ring, simple

} // namespace railyard
