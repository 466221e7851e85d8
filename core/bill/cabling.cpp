#include "core/bill/cabling.h"

#include "core/base/slot_numbers.h"
#include "core/bill/auxiliary_networks.h"
#include "core/bill/cages.h"
#include "core/bill/lay_cables.h"
#include "core/bill/patch_cables.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace railyard {
namespace {

// Sets both ends of every link.
CagePositions findCages(const Fabric& fabric, CageFinder& finder, Cabling& cabling) {
    CagePositions positions{std::vector<std::uint32_t>(cabling.links.size()), std::vector<std::uint32_t>(cabling.links.size())};
    const DeviceTable& devices = fabric.devices;
    const LinkTable& links = fabric.links;
    const auto owner = [&](DeviceId device) -> std::size_t { // the server for its NICs
        const bool nic = devices.isNic(device) && devices.server[device] != none;
        return nic ? devices.size() + devices.server[device] : device;
    };
    const SlotNumbers numbers(devices.size() + fabric.servers.size(), [&](const auto& note) {
        const auto take = [&](DeviceId device, PortId port, LinkId l, Cabling::End& end, std::uint32_t& position) {
            const CageFinder::PortPlace place = finder.find(device, port, links.speed[l]);
            end = place.end;
            position = place.position;
            note(owner(device), end.cageIndex);
        };
        for (std::size_t i = 0; i < cabling.links.size(); ++i) {
            const LinkId l = cabling.links[i];
            take(links.a[l], links.aPort[l], l, cabling.a[l], positions.a[i]);
            take(links.b[l], links.bPort[l], l, cabling.b[l], positions.b[i]);
        }
    });
    const auto number = [&](DeviceId device, Cabling::End& end) {
        end.number = static_cast<std::uint32_t>(numbers.numberOf(owner(device), end.cageIndex));
    };
    for (const LinkId l : cabling.links) {
        number(links.a[l], cabling.a[l]);
        number(links.b[l], cabling.b[l]);
    }
    cabling.cageNumbers = numbers.size();
    return positions;
}

constexpr std::uint32_t unsplit = none; // a port that is not split into lanes

// The native port of which this is a lane, from 0.
std::uint32_t splitPort(const Fabric& fabric, DeviceId device, std::uint32_t port) {
    std::uint32_t left = port, native = 0;
    for (const PortGroup& group : fabric.portLayouts[fabric.devices.ports[device]]) {
        const auto count = static_cast<std::uint32_t>(group.count), lanes = static_cast<std::uint32_t>(group.lanes);
        if (left <= count) return lanes > 1 ? native + (left - 1) / lanes : unsplit;
        left -= count;
        native += (count + lanes - 1) / lanes;
    }
    return unsplit;
}

// The lanes of one native port that run to ports that are whole count as one cable, as do the lanes of two native ports that run to
// nothing but each other.
void joinLanes(const Fabric& fabric, Cabling& cabling) {
    struct Lane {
        LinkId link;
        std::uint32_t a, b; // native ports of the devices, then of the fabric; or unsplit
    };
    struct NativePort {
        LinkId first{none};        // of its lanes
        LinkId firstToWhole{none}; // of those to a port that is whole
        std::uint32_t partner = unsplit;
        bool hasOnePartner = true;
    };
    const LinkTable& links = fabric.links;
    std::vector<Lane> lanes;
    const SlotNumbers numbers(fabric.devices.size(), [&](const auto& note) {
        lanes.clear();
        for (const LinkId l : cabling.links) {
            const Lane lane{l, splitPort(fabric, links.a[l], links.aPort[l]), splitPort(fabric, links.b[l], links.bPort[l])};
            if (lane.a != unsplit) note(links.a[l], lane.a);
            if (lane.b != unsplit) note(links.b[l], lane.b);
            if (lane.a != unsplit || lane.b != unsplit) lanes.push_back(lane);
        }
    });
    std::vector<NativePort> ports(numbers.size());
    const auto note = [&](std::uint32_t own, std::uint32_t other, LinkId l) {
        if (own == unsplit) return;
        NativePort& port = ports[own];
        if (port.first == none) port.first = l, port.partner = other;
        if (other == unsplit && port.firstToWhole == none) port.firstToWhole = l;
        port.hasOnePartner &= port.partner == other;
    };
    for (Lane& lane : lanes) {
        if (lane.a != unsplit) lane.a = static_cast<std::uint32_t>(numbers.numberOf(links.a[lane.link], lane.a));
        if (lane.b != unsplit) lane.b = static_cast<std::uint32_t>(numbers.numberOf(links.b[lane.link], lane.b));
        note(lane.a, lane.b, lane.link);
        note(lane.b, lane.a, lane.link);
    }
    for (const Lane& lane : lanes)
        if (lane.a == unsplit || lane.b == unsplit)
            cabling.cable[lane.link] = ports[lane.a == unsplit ? lane.b : lane.a].firstToWhole;
        else if (ports[lane.a].hasOnePartner && ports[lane.b].hasOnePartner) // lanes of two split ports that part are a cable each
            cabling.cable[lane.link] = ports[lane.a].first;
}

void joinCages(Cabling& cabling) {
    std::vector<LinkId> cableOfCage(cabling.cageNumbers, LinkId(none));
    for (const LinkId l : cabling.links) {
        LinkId& first = cableOfCage[cabling.a[l].number];
        if (first == none) first = l;
        cabling.cable[l] = first;
    }
}

bool hasSplitPorts(const Fabric& fabric) {
    return std::any_of(fabric.portLayouts.begin(), fabric.portLayouts.end(), [](const PortLayout& layout) {
        return std::any_of(layout.begin(), layout.end(), [](const PortGroup& group) { return group.lanes > 1; });
    });
}

// The modules of every link at the default length, one choice for each pair of cages.
void chooseModules(OpticChooser& chooser, Cabling& cabling) {
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    std::uint64_t lastKey = ~std::uint64_t{0};
    std::uint32_t lastChoice = 0;
    for (const LinkId l : cabling.links) {
        const std::uint64_t key = std::uint64_t{cabling.a[l].cage} << 32 | cabling.b[l].cage;
        if (key == lastKey) {
            cabling.choice[l] = lastChoice;
            continue;
        }
        const auto [it, fresh] = known.try_emplace(key, static_cast<std::uint32_t>(cabling.choices.size()));
        if (fresh) {
            constexpr Metres length(Cabling::defaultLengthMetres);
            cabling.choices.push_back(chooser.choose(cabling.cages[cabling.a[l].cage], cabling.cages[cabling.b[l].cage], length));
            cabling.choices.back().ordered = length;
        }
        cabling.choice[l] = lastChoice = it->second;
        lastKey = key;
    }
}

// With the shape that the sockets of a link ask for, at the default length.
void joinSockets(OpticChooser& chooser, const CagePositions& positions, Cabling& cabling) {
    const auto shapes = groupPatchCables(positions, cabling);
    std::map<std::pair<std::uint32_t, FibreShape>, std::uint32_t> known;
    for (const auto& [l, shape] : shapes) {
        const auto [it, fresh] = known.try_emplace({cabling.choice[l], shape}, static_cast<std::uint32_t>(cabling.choices.size()));
        if (fresh) {
            constexpr Metres length(Cabling::defaultLengthMetres);
            cabling.choices.push_back(chooser.choose(cabling.cages[cabling.a[l].cage], cabling.cages[cabling.b[l].cage], length, shape));
            cabling.choices.back().ordered = length;
        }
        cabling.choice[l] = it->second;
    }
}

} // namespace

Cabling cablingOf(const Fabric& fabric, std::optional<LeafRacks> leafRacks) {
    Cabling cabling = cablingOn(fabric, floorOf(fabric, leafRacks));
    if (!fabric.design->networks.empty())
        cabling.auxiliary = std::make_shared<const AuxiliaryNetworks>(auxiliaryNetworksOn(fabric, cabling.floor));
    return cabling;
}

Cabling cablingOn(const Fabric& fabric, Floor floor) {
    Cabling cabling;
    CageFinder finder(fabric, cabling);
    OpticChooser chooser(*fabric.design->catalog);
    const std::size_t count = fabric.links.size();
    cabling.a.resize(count);
    cabling.b.resize(count);
    cabling.choice.resize(count);
    cabling.cable.assign(count, none);
    cabling.patch.assign(count, none);
    cabling.choices.emplace_back();
    for (const LinkId l : fabric.links.ids())
        if (fabric.isNetworkLink(l)) cabling.links.push_back(l);
    const CagePositions positions = findCages(fabric, finder, cabling);
    for (const LinkId l : cabling.links) cabling.cable[l] = cabling.patch[l] = l;
    if (fabric.design->trunk == Trunk::PerCage)
        joinCages(cabling);
    else if (hasSplitPorts(fabric))
        joinLanes(fabric, cabling);
    chooseModules(chooser, cabling);
    cabling.floor = std::move(floor);
    if (cabling.floor.isPlaced())
        layCables(fabric, chooser, positions, cabling);
    else
        joinSockets(chooser, positions, cabling);
    return cabling;
}

int nativePortsPerCage(const SwitchPart& part) { return part.cages > 0 ? std::max(1, part.portsAt(part.nativeSpeed) / part.cages) : 1; }

std::vector<std::uint32_t> cagesOfPorts(const Fabric& fabric, DeviceId device) {
    Cabling unused;
    CageFinder finder(fabric, unused);
    std::vector<std::uint32_t> cages;
    for (int port = 1; port <= fabric.portCount(device); ++port)
        cages.push_back(finder.find(device, static_cast<std::uint32_t>(port), 0).end.cageIndex); // the same at every speed
    return cages;
}

std::string moduleNeed(const Cage& cage) {
    return fmt::format("module for {} cage, {} × {:g} Gb/s", cage.form, cage.links, inGbps(cage.speed));
}

namespace {

// A module in a cage; the cages are many, the uses few.
struct Use {
    std::uint32_t block;
    std::uint32_t cage;
    const Part* part;
    std::int64_t count = 0;
};

class UseCounter {
public:
    UseCounter(const Cabling& cabling, const std::vector<std::uint32_t>& blockOf)
        : m_blockOf(blockOf),
          m_useIn(cabling.cageNumbers, none) {}

    // `side`: 0 for the lower end of a link, 1 for the upper.
    void add(std::size_t side, DeviceId device, const Cabling::End& end, const Part* part) {
        const auto use = find(m_last[side], m_blockOf.empty() ? 0 : m_blockOf[device], end.cage, part);
        std::uint32_t& first = m_useIn[end.number];
        if (first == use) return;
        // A cage that wants two modules, which a rule forbids, counts both.
        if (first != none && !m_more.emplace(end.number, use).second) return;
        if (first == none) first = use;
        ++m_uses[use].count;
    }
    const std::vector<Use>& uses() const { return m_uses; }

private:
    // `last`: what links in a row have in common at one end.
    std::uint32_t find(std::uint32_t& last, std::uint32_t block, std::uint32_t cage, const Part* part) {
        const auto same = [&](const Use& use) { return use.block == block && use.cage == cage && use.part == part; };
        if (last < m_uses.size() && same(m_uses[last])) return last;
        const auto [it, fresh] = m_known.try_emplace({block, cage, part}, static_cast<std::uint32_t>(m_uses.size()));
        if (fresh) m_uses.push_back({block, cage, part});
        return last = it->second;
    }

    const std::vector<std::uint32_t>& m_blockOf;
    std::vector<Use> m_uses;
    std::map<std::tuple<std::uint32_t, std::uint32_t, const Part*>, std::uint32_t> m_known;
    std::array<std::uint32_t, 2> m_last{};
    std::vector<std::uint32_t> m_useIn; // of a cage: the first
    std::set<std::pair<std::size_t, std::uint32_t>> m_more;
};

} // namespace

std::vector<ModuleCount> modulesOf(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf) {
    UseCounter counter(cabling, blockOf);
    for (const LinkId l : cabling.links) {
        const OpticChoice& choice = cabling.choiceOf(l);
        if (!choice.pluggable()) continue;
        counter.add(0, fabric.links.a[l], cabling.a[l], choice.a);
        counter.add(1, fabric.links.b[l], cabling.b[l], choice.b);
    }
    std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, ModuleCount> counted;
    for (const Use& use : counter.uses()) {
        const auto key = use.part ? std::tuple(use.block, use.part->id, std::uint32_t{0}) : std::tuple(use.block, std::string(), use.cage);
        ModuleCount& count = counted[key];
        count.part = use.part;
        count.cage = cabling.cages[use.cage];
        count.block = use.block;
        count.count += use.count;
    }
    std::vector<ModuleCount> result;
    for (auto& [key, count] : counted) result.push_back(count);
    return result;
}

} // namespace railyard
