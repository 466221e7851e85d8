// Every network link with its cages, modules, fibre, medium and length, and the cable that carries it.
#pragma once

#include "core/bill/optics.h"
#include "core/floor/floor.h"

#include <span>

namespace railyard {

struct AuxiliaryNetworks;

struct Cabling {
    static constexpr double defaultLengthMetres = 30; // used until racks are placed

    struct End {              // trivial, as there is one for every link
        std::uint32_t cage;   // into cages
        std::uint32_t number; // of this very cage, for tables with cageNumbers entries
    };
    std::vector<LinkId> links; // those that are cabled, in order: the network links of the fabric
    std::vector<Cage> cages;
    std::vector<OpticChoice> choices; // one per kind of link and stock length
    By<LinkId, std::uint32_t> choice; // 0 for HB and PCIe links
    UnsetVector<End> a, b;            // by link; not set for HB and PCIe links
    std::size_t cageNumbers = 0;
    // The first link of its cable; none for HB and PCIe links. `cable` counts as the tables of the vendors do: the links of a trunk, or the
    // lanes of a split port, are one. `patch` is the cable that is bought, labelled and laid: it has one plug for each socket that it
    // joins. All links of a patch cable belong to one `cable`.
    By<LinkId, LinkId> cable, patch;
    Floor floor;              // without racks all cables have the default length
    std::vector<float> route; // by link: route in metres; empty without racks, the default length if an end is in no rack
    std::shared_ptr<const AuxiliaryNetworks> auxiliary; // those beside the fabric, cabled on the same floor; null without

    const OpticChoice& choiceOf(std::size_t link) const { return choices[choice[link]]; }
    Metres routeOf(std::size_t link) const { return Metres(route.empty() || route[link] < 0 ? defaultLengthMetres : route[link]); }
};

// With `leafRacks`, as if the floor plan had this setting.
Cabling cablingOf(const Fabric& fabric, std::optional<LeafRacks> leafRacks = {});
// On a given floor, without the networks beside the fabric.
Cabling cablingOn(const Fabric& fabric, Floor floor);

int nativePortsPerCage(const SwitchPart& part); // 1 where the catalogue does not publish the cages
// The cage of every port of a switch, in the order of its ports (the first is port 1). Cages count from 0; where the catalogue does not
// publish them, every port has its own.
std::vector<std::uint32_t> cagesOfPorts(const Fabric& fabric, DeviceId device);

std::string moduleNeed(const Cage& cage); // describes the required module if no part fits

struct ModuleCount {
    const Part* part = nullptr; // null: the catalogue has no module that fits
    Cage cage;
    std::int64_t count = 0;
    std::uint32_t block = 0;
};
// The modules to purchase: one for every cage with at least one cabled port. Where `blockOf` assigns numbers to devices,
// modules of devices with different numbers are counted separately.
std::vector<ModuleCount> modulesOf(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf = {});
// Only of the cages of these links.
std::vector<ModuleCount> modulesOf(const Fabric& fabric, const Cabling& cabling, std::span<const LinkId> links,
                                   const std::vector<std::uint32_t>& blockOf = {});

} // namespace railyard
