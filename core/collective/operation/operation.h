// Collective operations, what is asked about them, and their times. Formulas and their sources: docs/engine.md.
#pragma once

#include "core/collective/library/calibration.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

enum class CollectiveOp { AllReduce, AllGather, ReduceScatter, AllToAll, Broadcast, Reduce, Gather, Scatter, PointToPoint };
std::string_view toText(CollectiveOp op);
std::optional<CollectiveOp> collectiveOpFrom(std::string_view text);

enum class Algorithm { Auto, Ring, Tree, Hierarchical, Direct, Pxn, Nvls, Pat, None }; // None: a group with one rank

// The values that are used for uncertain constants: the expected ones, those of the best case, those of the worst case.
enum class Scenario { Expected, Best, Worst };
struct Estimate {
    Scenario hb = Scenario::Expected, network = Scenario::Expected, latency = Scenario::Expected;
    static Estimate all(Scenario scenario) { return {scenario, scenario, scenario}; }
};

struct CollectiveRequest {
    Algorithm algorithm = Algorithm::Auto; // an impossible algorithm is rejected with the reason
    std::optional<Protocol> protocol;      // empty: the fastest
    bool usesOwnNics = false;              // every GPU its own, as if the library did not react to failed NICs otherwise
    Seconds launch{}; // what the framework adds at each call: 0 in nccl-tests and CUDA graphs, ≈ 24 µs in eager PyTorch
};

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
    // What `ideal` consists of where the steps of the phase differ, by distance.
    std::vector<Seconds> steps{};

    Seconds transfer() const { return ramp + ideal / share; }
    Seconds time() const { return latency + ramp + ideal / share * exposed - hidden; }
};

struct CollectiveTime {
    Algorithm algorithm = Algorithm::Auto;
    Protocol protocol = Protocol::Simple;
    bool isInLibrary = true; // `auto` takes none that the library of these GPUs lacks
    Seconds time;
    // What the library itself expects, where that and not `time` is what it chooses by.
    std::optional<Seconds> libraryEstimate;
    std::vector<CollectivePhase> phases; // their times add up to `time`
    double hbBytes = 0, nicBytes = 0;    // sent by one GPU
    double maxLinkUtilisation = 0;

    Seconds choice() const { return libraryEstimate.value_or(time); } // `auto` takes the least
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
    std::shared_ptr<const OneDomain> oneDomain; // set if the constants were measured inside one HB domain
    Uncertain hbShare;                          // the share that was used
    Transport transport = Transport::Rdma;      // between HB domains
    std::optional<NetworkCosts> network;        // costs of that transport; empty if no library is known
    std::optional<TcpCosts> tcp;                // set if the time is for sockets
};

double busbwFactor(CollectiveOp op, std::int64_t ranks);
std::string timeText(const CollectiveResult& result); // 5.24 ms, or ≥ 5.24 ms without latency constants

} // namespace railyard
