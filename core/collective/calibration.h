// What a communication library adds to the bandwidth of links: latencies, shares of the bandwidth, and how sure they are.
// Published constants and fitted ones live in resources/calibration/collectives.json, each with its source.
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

template <class T>
struct ByProtocol {
    std::array<T, 3> of{};
    const T& operator[](Protocol p) const { return of[static_cast<std::size_t>(p)]; }
    T& operator[](Protocol p) { return of[static_cast<std::size_t>(p)]; }
};

// A constant nobody publishes exactly. Low and high are what single measured cases ask for, or an assumption.
struct Uncertain {
    double low = 1, base = 1, high = 1;
    std::string source;
};

struct AlgorithmConstants {
    ByProtocol<Seconds> base, hbHop, nicHop;     // once; for every step inside HB domains; between them
    ByProtocol<double> share, shareInOneDomain;  // of the bandwidth
    ByProtocol<std::vector<double>> shareBySize; // of it again, at 64 B, 128 B ... and 1 beyond the end
};

struct GpuGeneration {
    std::string architecture;
    std::vector<std::string> gpus;      // catalogue ids
    Uncertain hbShare;                  // of the HB bandwidth of a GPU
    Bandwidth llMost;                   // of LL in one HB domain, bus bandwidth
    std::optional<Uncertain> nvlsShare; // of what a ring reaches; nothing where switches do not reduce
};

struct CollectiveLibrary {
    std::string id, name, source;
    std::vector<std::string> vendors; // of GPUs; "" = of no known part
    AlgorithmConstants ring, tree;
    Seconds nvlsInside, nvlsNicHop;
    ByProtocol<Seconds> networkPost;         // the least a step inside an HB domain takes in a ring over several
    Bandwidth llMostOverTwo, llMostOverMore; // bus bandwidth of LL over two HB domains, over more
    std::vector<GpuGeneration> generations;  // the last for GPUs in none of them
    Uncertain nicShare;                      // of the bandwidth of NICs and of links between switches
    Uncertain ramp;                // s: what a reduction of t loses while its pipeline fills: it reaches t / (t + ramp) of that share
    Uncertain hierarchicalOverlap; // how much of the shorter phase hides behind the longer
    Uncertain latencyScale;        // of all published latencies
    Uncertain exposedSendSteps;    // share of the later sends of an all-to-all whose latency is not hidden: 0 all at once, 1 in turn
    Uncertain sendReceiveShare;    // all-to-all, gather, scatter, point-to-point

    const GpuGeneration& generationOf(std::string_view gpu) const;
};

// How ranks of different HB domains send: NICs that read and write the memory of GPUs, or the sockets of the operating system.
enum class Transport { Rdma, Tcp };
std::string_view toText(Transport transport);
std::optional<Transport> transportFrom(std::string_view text);

// What sockets cost, whatever the library.
struct TcpCosts {
    Uncertain share;     // of the speed of links, at most
    Uncertain mostOfNic; // bit/s through one NIC: copying takes processor cores
    Uncertain hop;       // s, more than by RDMA, for every step between HB domains
};

struct Calibration {
    std::string name; // of its file
    std::vector<std::shared_ptr<const CollectiveLibrary>> libraries;
    std::optional<TcpCosts> tcp;           // where the file has them
    Transport transport = Transport::Rdma; // that times are asked for; Tcp only where there are costs

    std::shared_ptr<const CollectiveLibrary> libraryOf(std::string_view vendor) const; // nothing where its vendor publishes no constants
};

// The one compiled into the program; nothing is calibrated by `notCalibrated`: full bandwidth, no latency.
const Calibration& shippedCalibration();
const Calibration& notCalibrated();
// The same, for times over that transport. Errors: TCP where the file says nothing of it.
Result<Calibration> over(Transport transport, Calibration calibration);
Result<Calibration> readCalibration(const std::string& text, const std::string& file);

} // namespace railyard
