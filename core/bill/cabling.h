// Every network link with its cages, modules, fibre, medium and length, and the cable that carries it.
#pragma once

#include "core/bill/optics.h"
#include "core/floor/floor.h"

#include <span>

namespace railyard {

struct AuxiliaryNetworks;

using CabledLinkId = Index<struct CabledLinkTag>; // a link in Cabling::links

// The network links of a fabric in order: runs of links that follow one another there, with the links of servers between them.
class CabledLinks {
public:
    CabledLinks() = default;
    explicit CabledLinks(const LinkTable& links);

    std::size_t size() const { return m_links.size(); }
    LinkId operator[](CabledLinkId link) const { return m_links[link]; }
    auto begin() const { return m_links.begin(); }
    auto end() const { return m_links.end(); }
    Indices<CabledLinkId> ids() const { return indices<CabledLinkId>(size()); }
    CabledLinkId find(LinkId link) const; // none for HB and PCIe links

private:
    struct Run {
        LinkId first;
        CabledLinkId number; // of the first
    };
    UnsetBy<CabledLinkId, LinkId> m_links;
    std::vector<Run> m_runs;
};

struct Cabling {
    static constexpr double defaultLengthMetres = 30; // used until racks are placed

    struct Choice : OpticChoice {
        std::uint32_t kindA = 0, kindB = 0; // of the cages that it joins, into cageKinds
    };
    CabledLinks links; // the tables below have an entry for each of these
    std::vector<Cage> cageKinds;
    // One per pair of kinds of cages, parts and stock length; the first is that of HB and PCIe links, without parts.
    std::vector<Choice> choices = std::vector<Choice>(1);
    UnsetBy<CabledLinkId, std::uint32_t> choice;
    UnsetBy<CabledLinkId, std::uint32_t> cageA, cageB; // the very cages at both ends, for tables with cageNumbers entries
    std::size_t cageNumbers = 0;
    // The first link of its cable. `cable` counts as the tables of the vendors do: the links of a trunk, or the lanes of a split port, are
    // one. `patch` is the cable that is bought, labelled and laid: it has one plug for each socket that it joins. All links of a patch
    // cable belong to one `cable`.
    UnsetBy<CabledLinkId, CabledLinkId> cable, patch;
    Floor floor;                                        // without racks all cables have the default length
    By<CabledLinkId, float> route;                      // in metres; empty without racks, the default length if an end is in no rack
    std::shared_ptr<const AuxiliaryNetworks> auxiliary; // those beside the fabric, cabled on the same floor; null without

    const Choice& choiceOf(CabledLinkId link) const { return choices[choice[link]]; }
    const Cage& kindA(CabledLinkId link) const { return cageKinds[choiceOf(link).kindA]; }
    const Cage& kindB(CabledLinkId link) const { return cageKinds[choiceOf(link).kindB]; }
    Metres routeOf(CabledLinkId link) const { return Metres(route.empty() ? defaultLengthMetres : route[link]); }

    // Of any link of the fabric. HB and PCIe links have no cable.
    const Choice& choiceOf(LinkId link) const;
    Metres routeOf(LinkId link) const;
    LinkId cableOf(LinkId link) const; // the first link of its cable, or patch cable; none for HB and PCIe links
    LinkId patchOf(LinkId link) const;
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
std::vector<ModuleCount> modulesOf(const Fabric& fabric, const Cabling& cabling, std::span<const CabledLinkId> links,
                                   const std::vector<std::uint32_t>& blockOf = {});

} // namespace railyard
