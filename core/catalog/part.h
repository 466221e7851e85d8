// One thing that can be bought, with what its maker publishes. Nothing published = no value; it is never guessed.
// Bandwidths are one direction. Sources and confidence travel with every part and price.
#pragma once

#include "core/base/quantity.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace railyard {

struct Price {
    std::optional<Money> low, base, high;
    std::vector<std::pair<Metres, Money>> byLength; // cables: the next listed length up
    std::string basis, date, source, confidence;    // date: 2026, 2026-07 or 2026-09-22

    std::optional<Money> baseAt(Metres length) const;
};

enum class HbKind { None, Switch, Mesh, CubeMesh, Ideal };

struct GpuPart {
    std::optional<double> memoryGb;
    Bandwidth hbBandwidth;
};

struct ServerPart {
    std::string gpu, nic;           // catalogue ids, empty where not published
    int gpus = 0, hbDomainGpus = 0; // GPUs in the chassis; GPUs that share the scale-up fabric
    HbKind hb = HbKind::None;
    int hbSwitches = 0;
    int hbLinks = 0;       // of one GPU, in a hybrid cube mesh
    Bandwidth hbBandwidth; // of one GPU
    int nics = 0;
    Bandwidth nicBandwidth; // of one NIC, all its ports
    int cages = 0;
    std::string cage;
};

struct NicPart {
    Bandwidth bandwidth;
    int ports = 0;
    std::string cage;
};

struct PortOption {
    int count = 0;
    Bandwidth speed;
    std::string role; // empty, or what a switch of fixed roles uses these ports for
    std::string cage; // empty: that of the switch
};

struct SwitchPart {
    std::string protocol; // ib, eth
    std::vector<PortOption> ports;
    Bandwidth nativeSpeed, capacity; // capacity: sum of port speeds, one direction
    int cages = 0;
    std::string cage;
    std::optional<double> latencyNs, bufferMb;
    bool maxIncludesOptics = false;

    int portsAt(Bandwidth speed) const; // 0 where the part has no such ports
    const std::string& cageAt(Bandwidth speed) const;
};

struct OpticPart {
    std::string form; // the cage it fits
    int ports = 1;
    Bandwidth portSpeed, laneSpeed;
    std::string medium; // mmf, smf
    int fibrePairs = 0; // of one port
    std::optional<Metres> reach;
    std::string connector, standard;
    bool linear = false; // no DSP: works only in switches qualified for it
    std::vector<std::string> protocols;
};

struct CablePart {
    std::string medium; // mmf, smf, dac, acc, aec, aoc
    std::string connector;
    std::optional<Metres> reach;
    std::vector<Metres> stockLengths;                           // ascending; empty where any length is cut
    std::optional<double> planningBaseUsd, planningPerMetreUsd; // a fit, shown but never summed
    // Of a cable with fixed ends (copper, active optical): `gbps` in one plug at the near end, `ways` plugs at the far end.
    Bandwidth speed;
    std::string nearForm, farForm; // osfp fits finned and flat cages
    int ways = 1;
    std::vector<std::string> protocols;
};

struct RackPart {
    int units = 0;
    Watts power;                      // that it can feed and cool
    double width = 0.6, depth = 1.2;  // metres
    std::optional<double> loadKg;     // that it may carry
    std::vector<std::string> madeFor; // servers whose published layout uses it
};

// Work, bought by the piece: laying a cable, mounting a rack.
struct ServicePart {
    std::string unit;
};

struct Part {
    std::string id, vendor, name;
    std::variant<GpuPart, ServerPart, NicPart, SwitchPart, OpticPart, CablePart, RackPart, ServicePart> detail;
    std::optional<Price> price;
    std::optional<Price> shippedPrice; // where the user's price book has replaced it
    std::optional<Watts> typical, maximum;
    std::optional<double> rackUnits, weightKg;
    std::optional<Metres> depth;
    std::string source, confidence, asOf;
    bool needsCheck = false;
    std::string original; // the catalogue's own JSON, copied into documents so that they compute the same for ever

    template <class Detail>
    const Detail* as() const {
        return std::get_if<Detail>(&detail);
    }
    std::string_view kind() const;
    std::optional<Watts> typicalElseMaximum() const { return typical ? typical : maximum; }
};

} // namespace railyard
