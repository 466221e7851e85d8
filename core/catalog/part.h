// A part that can be purchased, with the data its manufacturer publishes. Unpublished data has no value and is never guessed.
// Bandwidths are per direction. Every part and every price carries its source and confidence.
#pragma once

#include "core/base/quantity.h"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace railyard {

struct Price {
    std::optional<Money> low, base, high;
    std::vector<std::pair<Metres, Money>> byLength; // cables: price of the next longer listed length
    std::string basis, date, source, confidence;    // date: 2026, 2026-07 or 2026-09-22
    std::string kind = {}; // of the user's prices: list, reseller, compatible, quote or estimate; empty: those of the catalogue

    std::optional<Money> baseAt(Metres length) const;
};

enum class HbKind { None, Switch, Mesh, CubeMesh, Ideal };

struct GpuPart {
    std::optional<double> memoryGb;
    Bandwidth hbBandwidth;
    std::optional<double> halfPrecisionFlops, fp8Flops, fp4Flops; // FLOP/s, dense; bf16, or fp16 where there is no bf16
    std::optional<double> memoryBandwidth;                        // byte/s
};

struct ServerPart {
    std::string gpu, nic;           // catalogue IDs, empty if not published
    int gpus = 0, hbDomainGpus = 0; // GPUs in the chassis; GPUs that share the scale-up fabric
    HbKind hb = HbKind::None;
    int hbSwitches = 0;     // of the chassis; of the HB domain where the chassis is a tray of a rack system
    std::string rackSystem; // catalogue ID of the rack with which it is bought; empty: bought alone
    int pcieSwitches = 0;   // GPUs and NICs are spread over them evenly, in order; 0: not published, or none
    int hbLinks = 0;        // per GPU, in a hybrid cube mesh
    int hbOutLinks = 0;     // HB links of the HB switches that lead out of the server; 0: not published, or none
    Bandwidth hbBandwidth;  // per GPU
    int nics = 0;
    Bandwidth nicBandwidth; // per NIC, all ports together
    int cages = 0;
    std::string cage;
    // Of the host: GB (2^30 bytes, as makers call them here), byte/s of all its memory, byte/s of one GPU and direction. 0: not published.
    double hostMemoryGb = 0, hostMemoryBandwidth = 0, hostLink = 0;
};

struct NicPart {
    Bandwidth bandwidth;
    int ports = 0;
    std::string cage;
};

struct PortOption {
    int count = 0;
    Bandwidth speed;
    std::string role; // empty, or the role of these ports in a switch with fixed roles
    std::string cage; // empty: the cage of the switch
};

struct SwitchPart {
    std::string protocol; // ib, eth
    std::vector<PortOption> ports;
    Bandwidth nativeSpeed, capacity; // capacity: total port speed per direction
    int cages = 0;
    std::string cage;
    std::optional<double> latencyNs, bufferMb;
    bool maxIncludesOptics = false;

    int portsAt(Bandwidth speed) const; // 0 if the part has no such ports
    const std::string& cageAt(Bandwidth speed) const;
};

inline constexpr std::array<std::string_view, 6> cableMedia{"mmf", "smf", "dac", "acc", "aec", "aoc"};

struct OpticPart {
    std::string form; // the cage that it fits
    int ports = 1;
    Bandwidth portSpeed, laneSpeed;
    std::string medium; // mmf, smf
    int fibrePairs = 0; // per port
    std::optional<Metres> reach;
    std::string connector, standard;
    bool linear = false; // without DSP: works only in switches that are qualified for it
    std::vector<std::string> protocols;
};

struct CablePart {
    std::string medium; // one of cableMedia
    std::string connector;
    std::optional<Metres> reach;
    std::vector<Metres> stockLengths;                           // ascending; empty if any length is available
    std::optional<double> planningBaseUsd, planningPerMetreUsd; // a price fit, shown but never added to a total
    // For a cable with fixed ends (copper, active optical): `gbps` per connector at the near end, `breakout` (in JSON: `ways`) at the far
    // end.
    Bandwidth speed;
    std::string nearForm, farForm; // osfp fits finned and flat cages
    int breakout = 1;
    std::vector<std::string> protocols;
};

// A rack that is bought whole with everything in it, such as an NVL72: the compute trays are servers, but no line of a bill.
struct RackSystem {
    std::string tray;                 // catalogue ID of the compute tray
    std::vector<int> trayUnits;       // the rack unit of each
    std::vector<int> switchTrayUnits; // of the trays that hold the HB switches
    int switchesPerTray = 1;
};

struct RackPart {
    int units = 0;
    Watts power;                      // power that the rack can supply and cool
    double width = 0.6, depth = 1.2;  // metres
    std::optional<double> loadKg;     // maximum load
    std::vector<std::string> madeFor; // servers whose published layout uses this rack
    std::optional<RackSystem> system; // what it is bought with
};

std::int64_t racksFor(std::int64_t trays, const RackPart& rack); // of a rack system, as many as hold these trays

// Mirrors that join any port of one side with any port of the other, fibre to fibre, until they are turned.
struct OpticalSwitchPart {
    int ports = 0; // of a side
    std::optional<double> switchingMs;
};

// Work that is billed per unit: installing a cable or a rack.
struct ServicePart {
    std::string unit;
};

struct Part {
    std::string id, vendor, name;
    std::variant<GpuPart, ServerPart, NicPart, SwitchPart, OpticPart, CablePart, RackPart, ServicePart, OpticalSwitchPart> detail;
    std::optional<Price> price;
    std::optional<Price> shippedPrice; // the shipped price, if the user's price book replaces it
    std::optional<Watts> typical, maximum;
    std::optional<double> rackUnits, weightKg;
    std::optional<Metres> depth;
    std::string source, confidence, asOf;
    std::vector<std::string> formerIds; // under which documents may ask for it
    bool needsCheck = false;
    std::string original; // the JSON of the catalogue; documents contain a copy, so that their results do not change with the catalogue

    template <class Detail>
    const Detail* as() const {
        return std::get_if<Detail>(&detail);
    }
    std::string_view kind() const;
    std::optional<Watts> typicalElseMaximum() const { return typical ? typical : maximum; }
};

} // namespace railyard
