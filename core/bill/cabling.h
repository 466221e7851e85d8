// Every network link with its cages, modules, fibre, medium and length, and the cable it runs in.
#pragma once

#include "core/base/slot_numbers.h"
#include "core/bill/optics.h"
#include "core/floor/floor.h"

namespace railyard {

struct Cabling {
    static constexpr double defaultLengthMetres = 30; // until racks are placed

    struct End {
        std::uint16_t cage = 0;      // into cages
        std::uint32_t cageIndex = 0; // of the device (of the server, for its NICs), from 0
    };
    std::vector<Cage> cages;
    std::vector<OpticChoice> choices;  // few: one a kind of link and stock length
    std::vector<std::uint32_t> choice; // of every link; HB and PCIe links keep 0
    std::vector<End> a, b;             // of every link
    std::vector<std::uint32_t> cable;  // of every link: the first link of its cable; none for HB and PCIe links
    std::vector<bool> joined;          // of every link: lanes of a split port that run to one split port only; empty where none is split
    Floor floor;                       // without racks every cable is of the default length
    std::vector<float> route;          // metres to lay, of every link; empty without racks, the default length where an end is in none

    const OpticChoice& of(std::size_t link) const { return choices[choice[link]]; }
    bool isJoined(std::size_t link) const { return !joined.empty() && joined[link]; }
    Metres routeOf(std::size_t link) const { return Metres(route.empty() || route[link] < 0 ? defaultLengthMetres : route[link]); }
};

// With `leafRacks` as if the floor plan said so.
Cabling cablingOf(const Fabric& fabric, std::optional<LeafRacks> leafRacks = {});

// Numbers the cages that hold a network link from 0, for tables with one entry a cage.
class CageNumbers {
public:
    CageNumbers(const Fabric& fabric, const Cabling& cabling);
    std::size_t of(std::uint32_t device, const Cabling::End& end) const { return m_numbers.of(owner(device), end.cageIndex); }
    std::size_t size() const { return m_numbers.size(); }

private:
    std::size_t owner(std::uint32_t device) const; // the server for its NICs, else the device itself

    const Fabric& m_fabric;
    SlotNumbers m_numbers;
};

std::string moduleNeed(const Cage& cage); // in words, where no part fits

struct ModuleCount {
    const Part* part = nullptr; // null: no module in the catalogue fits
    Cage cage;
    std::int64_t count = 0;
    std::uint32_t block = 0;
};
// Modules one buys: every cage with at least one cabled port takes one. Where `blockOf` gives a number for every
// device, those of different numbers are counted apart.
std::vector<ModuleCount> modulesOf(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf = {});

} // namespace railyard
