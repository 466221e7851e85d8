// The constants of communication libraries: latencies, the share of the link bandwidth that is reached, and their uncertainty.
// Published and fitted constants are in resources/calibration/collectives.json, each with its source.
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

enum class Protocol { Ll, Ll128, Simple };
constexpr std::array<Protocol, 3> allProtocols{Protocol::Ll, Protocol::Ll128, Protocol::Simple};
std::string_view toText(Protocol protocol);
std::optional<Protocol> protocolFrom(std::string_view text);

// The transport between HB domains: NICs with direct access to GPU memory (RDMA), or operating system sockets (TCP).
// Rdma stands for the kind of network that the switches build: InfiniBand, or RoCE where they are Ethernet switches. Efa, the Elastic
// Fabric Adapter of a cloud, runs a protocol of its own over Ethernet and has to be asked for.
enum class Transport { Rdma, InfiniBand, Roce, Efa, Tcp };
constexpr std::array<Transport, 5> allTransports{Transport::Rdma, Transport::InfiniBand, Transport::Roce, Transport::Efa, Transport::Tcp};
constexpr std::string_view transportNames =
    "rdma (InfiniBand or RoCE, as the switches are), infiniband, roce, efa (AWS Elastic Fabric Adapter) or tcp";
std::string_view toText(Transport transport);
std::optional<Transport> transportFrom(std::string_view text);

template <class T>
struct ByProtocol {
    std::array<T, 3> of{};
    const T& operator[](Protocol p) const { return of[static_cast<std::size_t>(p)]; }
    T& operator[](Protocol p) { return of[static_cast<std::size_t>(p)]; }
};

// A constant without an exact published value. `low` and `high` are the range of single measurements, or an assumption.
struct Uncertain {
    double low = 1, base = 1, high = 1;
    std::string source;
};

struct AlgorithmConstants {
    ByProtocol<Seconds> base, hbHop, nicHop;     // once per operation; per step inside HB domains; per step between them
    ByProtocol<double> share, shareInOneDomain;  // share of the bandwidth that is reached
    ByProtocol<std::vector<double>> shareBySize; // additional factor at 64 B, 128 B ...; 1 beyond the end of the list
};

// Parallel aggregated trees: once per operation, and in it for every rank; per step between HB domains; share of the bandwidth of a ring.
struct PatConstants {
    Seconds base, ofRank, nicHop;
    double share = 1;
};

// What was measured of a protocol inside one HB domain. base + hop * steps once per operation; share of the HB bandwidth of a GPU, of an
// exchange with LL for each pair.
struct MeasuredCosts {
    Seconds base, hop;
    double share = 1;
};

// Collectives inside one HB domain, where enough of them were measured. Which protocol runs is the library's choice, by its published
// constants; how long that takes is measured.
struct OneDomain {
    double ringShare = 1; // the share that the library itself reckons with when it chooses
    ByProtocol<MeasuredCosts> ring, exchange;
    double ringCopy = 0, exchangeCopy = 0; // Simple: the time of a step that a GPU needs to copy its own part
    double ringHiding = 1;                 // exponent for Simple, see latencyHiding
    Seconds exchangeGrowth;                // as rampGrowth
    std::int64_t exchangeMostLl = 0;       // bytes a pair; LL up to here, then Simple
    struct Nvls {
        Seconds base, growth;
        double share = 1;
        double efficiency = 1; // of gathers, as the library reckons
    };
    std::optional<Nvls> nvls;
    Uncertain latencyScale, shareScale; // factors: how far single measurements are from these constants
    std::string source;
};

struct GpuGeneration {
    std::string architecture;
    std::vector<std::string> gpus;        // catalogue IDs
    Uncertain hbShare;                    // share of the HB bandwidth of a GPU
    Bandwidth llMost;                     // maximum bus bandwidth of LL in a single HB domain
    std::optional<Bandwidth> channelMost; // of the chain of a NIC in a tree, and of the part that one GPU reduces with NVLS
    std::optional<Uncertain> nvlsShare;   // share relative to a ring; empty if the switches do not reduce
    struct NvlsTreeMost {
        Bandwidth overTwo, overMore; // bus bandwidth of the part that one GPU reduces, over two HB domains and over more
    };
    std::optional<NvlsTreeMost> nvlsTreeMost;
    std::shared_ptr<const OneDomain> oneDomain; // null: nothing was measured
};

// The costs of a kind of network.
struct NetworkCosts {
    Uncertain share; // share of the bandwidth of NICs and of links between switches
    Uncertain hop;   // s: latency in addition to the library's constant, per step between HB domains
};

struct CollectiveLibrary {
    std::string id, name, source;
    std::vector<std::string> vendors; // GPU vendors; "" stands for GPUs whose part is unknown
    AlgorithmConstants ring, tree;
    Seconds nvlsInside, nvlsNicHop;
    PatConstants pat;
    ByProtocol<Seconds> networkPost;         // minimum time of a step inside an HB domain, in a ring over several domains
    Bandwidth llMostOverTwo, llMostOverMore; // maximum bus bandwidth of LL over two HB domains, over more
    std::vector<GpuGeneration> generations;  // the last one is used for GPUs that are not listed
    std::vector<std::string> algorithms;     // algorithms that the library has, by their command-line names
    std::array<NetworkCosts, 3> networks;    // InfiniBand, RoCE, EFA
    Uncertain ramp;                          // s: fixed overhead of a reduction
    Uncertain rampGrowth; // s: a reduction with the transfer time T takes sqrt(T * rampGrowth) longer, while its pipeline fills and drains
    // Exponent p: latencies L and transfer time T together take (L^p + T^p)^(1/p). With p = 1 that is their sum; with a larger p the
    // transfer hides latency.
    Uncertain latencyHiding;
    Uncertain exchangeHiding;      // the same exponent for all-to-all, gather, scatter and point-to-point, including their overhead
    Uncertain exchangeOverhead;    // s: fixed overhead of these operations
    Uncertain exchangeOverlap;     // direct exchange: share of the traffic inside HB domains that is hidden behind the network
    Uncertain hierarchicalOverlap; // share of the shorter phase that is hidden behind the longer one
    Uncertain latencyScale;        // factor for all published latencies
    Uncertain exposedSendSteps;    // share of the later sends of an all-to-all whose latency is not hidden: 0 all concurrent, 1 sequential
    Uncertain sendReceiveShare;    // share for all-to-all, gather, scatter and point-to-point

    const GpuGeneration& generationOf(std::string_view gpu) const;
    bool has(std::string_view algorithm) const;
    // Rdma does not name a network; it has the costs of InfiniBand.
    const NetworkCosts& network(Transport transport) const;
};

// The cost of sockets, which does not depend on the library.
struct TcpCosts {
    Uncertain share;     // maximum share of the link speed
    Uncertain mostOfNic; // bit/s through one NIC, limited by copying on processor cores
    Uncertain hop;       // s: additional latency compared with RDMA, per step between HB domains
};

struct Calibration {
    std::string name; // of the file
    std::vector<std::shared_ptr<const CollectiveLibrary>> libraries;
    std::optional<TcpCosts> tcp;           // empty if the file has no constants for TCP
    Transport transport = Transport::Rdma; // Tcp only if there are constants for it

    std::shared_ptr<const CollectiveLibrary> libraryOf(std::string_view vendor) const; // null if the vendor publishes no constants
};

// No constants: full bandwidth and no latency.
const Calibration& notCalibrated();
// The same calibration for the given transport. Errors: TCP without constants for it.
Result<Calibration> over(Transport transport, Calibration calibration);

} // namespace railyard
