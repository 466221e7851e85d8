#include "core/bill/cabling.h"

#include "core/base/slot_numbers.h"
#include "core/bill/auxiliary_networks.h"
#include "core/bill/cages.h"
#include "core/bill/lay_cables.h"
#include "core/bill/patch_cables.h"
#include "core/fabric/network_runs.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace railyard {
namespace {

// By owner of cages (a device, or the server for its NICs): the number of its first cage. Each owner has as many numbers as its ports can
// fill cages. The last entry is the total.
std::vector<std::uint64_t> firstCages(const Fabric& fabric) {
    const DeviceTable& devices = fabric.devices;
    std::vector<std::uint64_t> first(devices.size() + fabric.servers.size() + 1);
    std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint64_t> known; // by part and layout of ports
    std::pair<std::uint16_t, std::uint16_t> last;
    std::uint64_t ofLast = 0;
    for (const DeviceId d : devices.ids()) {
        if (infoOf(devices.kind[d]).inDomain && !devices.isNic(d)) continue; // inside a server, without ports of the network
        const std::pair kind(devices.part[d], devices.ports[d]);
        if (known.empty() || kind != last) {
            const auto [at, isNew] = known.try_emplace(kind, 0);
            if (isNew) at->second = mostCagesOf(fabric, d);
            last = kind;
            ofLast = at->second;
        }
        if (!devices.isNic(d))
            first[d] = ofLast;
        else if (const ServerId server = devices.server[d]; server == none)
            first[d] = std::uint64_t{devices.index[d]} * ofLast;
        else
            first[devices.size() + server] = std::max(first[devices.size() + server], std::uint64_t{devices.index[d]} * ofLast);
    }
    constexpr std::uint64_t most = std::uint64_t{1} << 32; // keeps the total of a hostile document within 64 bits, and above any limit
    std::uint64_t sum = 0;
    for (std::uint64_t& each : first) sum += std::min(std::exchange(each, sum), most);
    return first;
}

// The modules of links at the default length, one choice for each pair of cages.
class DefaultModules {
public:
    DefaultModules(OpticChooser& chooser, Cabling& cabling) : m_chooser(chooser), m_cabling(cabling) {}

    std::uint32_t choiceFor(std::uint32_t cageA, std::uint32_t cageB) {
        const std::uint64_t key = std::uint64_t{cageA} << 32 | cageB;
        if (key == m_lastKey) return m_last;
        const auto [it, fresh] = m_known.try_emplace(key, static_cast<std::uint32_t>(m_cabling.choices.size()));
        if (fresh) {
            constexpr Metres length(Cabling::defaultLengthMetres);
            m_cabling.choices.push_back(m_chooser.choose(m_cabling.cages[cageA], m_cabling.cages[cageB], length));
            m_cabling.choices.back().ordered = length;
        }
        m_lastKey = key;
        return m_last = it->second;
    }

private:
    OpticChooser& m_chooser;
    Cabling& m_cabling;
    std::unordered_map<std::uint64_t, std::uint32_t> m_known;
    std::uint64_t m_lastKey = ~std::uint64_t{0};
    std::uint32_t m_last = 0;
};

// Numbers the cages of a fabric.
class CageNumbers {
public:
    CageNumbers(const Fabric& fabric, CageFinder& finder) : m_fabric(fabric), m_finder(finder), m_first(firstCages(fabric)) {}

    struct KnownPorts { // of a device at a speed
        static constexpr std::uint16_t unknown = 0xffff;
        const CageFinder::PortPlace* places = nullptr;
        std::uint32_t firstCage = 0;
        std::uint16_t count = 0;
        std::uint16_t speed = unknown;
    };
    KnownPorts find(DeviceId device, std::uint8_t speed) const {
        const std::span<const CageFinder::PortPlace> places = m_finder.placesOf(device, speed);
        return {places.data(), static_cast<std::uint32_t>(m_first[owner(device)]), static_cast<std::uint16_t>(places.size()), speed};
    }
    struct Place {
        Cabling::End end;
        std::uint32_t position; // in the cage
    };
    Place take(const KnownPorts& known, DeviceId device, PortId port) {
        if (port - 1 >= known.count) return takeOther(device, port, static_cast<std::uint8_t>(known.speed));
        const CageFinder::PortPlace& place = known.places[port - 1]; // whose cage is among those of its owner
        return {{place.cage, known.firstCage + place.cageIndex}, place.position};
    }

    // A document may name ports that its devices do not have, whose cages are then numbered by what is in use.
    void finish(Cabling& cabling) const {
        cabling.cageNumbers = m_first.back();
        const std::uint64_t most = 32 * cabling.links.size() + 1'000'000; // of a table with one entry a number, for its memory
        if (m_areInOrder && m_first.back() <= most) return;
        const LinkTable& links = m_fabric.links;
        const auto cageAt = [&](DeviceId device, PortId port, LinkId l) { return m_finder.find(device, port, links.speed[l]).cageIndex; };
        const SlotNumbers numbers(m_first.size() - 1, [&](const auto& note) {
            for (const LinkId l : cabling.links) {
                note(owner(links.a[l]), cageAt(links.a[l], links.aPort[l], l));
                note(owner(links.b[l]), cageAt(links.b[l], links.bPort[l], l));
            }
        });
        const auto number = [&](DeviceId device, PortId port, LinkId l) {
            return static_cast<std::uint32_t>(numbers.numberOf(owner(device), cageAt(device, port, l)));
        };
        for (const CabledLinkId own : cabling.links.ids()) {
            const LinkId l = cabling.links[own];
            cabling.a[own].number = number(links.a[l], links.aPort[l], l);
            cabling.b[own].number = number(links.b[l], links.bPort[l], l);
        }
        cabling.cageNumbers = numbers.size();
    }

private:
    Place takeOther(DeviceId device, PortId port, std::uint8_t speed) {
        const CageFinder::PortPlace place = m_finder.find(device, port, speed);
        const std::size_t own = owner(device);
        const std::uint64_t number = m_first[own] + place.cageIndex;
        m_areInOrder &= number < m_first[own + 1];
        return {{place.cage, static_cast<std::uint32_t>(number)}, place.position};
    }
    std::size_t owner(DeviceId device) const { // the server for its NICs
        const DeviceTable& devices = m_fabric.devices;
        const bool nic = devices.isNic(device) && devices.server[device] != none;
        return nic ? devices.size() + devices.server[device] : device;
    }

    const Fabric& m_fabric;
    CageFinder& m_finder;
    std::vector<std::uint64_t> m_first; // by owner
    bool m_areInOrder = true;
};

// One by one: a copy of the whole would wait until both numbers, just computed, have left the store buffer of the processor.
void set(Cabling::End& end, const Cabling::End& to) {
    end.cage = to.cage;
    end.number = to.number;
}

// Lists the links that are cabled, each with its ends and the modules of the default length, as a cable of its own.
CagePositions listLinks(const Fabric& fabric, CageFinder& finder, OpticChooser& chooser, Cabling& cabling) {
    const LinkTable& links = fabric.links;
    cabling.links = CabledLinks(links);
    const std::size_t count = cabling.links.size();
    CagePositions positions;
    positions.a.resize(count);
    positions.b.resize(count);
    cabling.a.resize(count);
    cabling.b.resize(count);
    cabling.choice.resize(count);
    cabling.cable.resize(count);
    cabling.patch.resize(count);
    CageNumbers numbers(fabric, finder);
    DefaultModules modules(chooser, cabling);
    // The links of a lower end follow one another; those of an upper end do not.
    DeviceId lower{none};
    CageNumbers::KnownPorts ofLower;
    By<DeviceId, std::uint32_t> numberOfUpper(fabric.devices.size(), none);
    std::vector<CageNumbers::KnownPorts> ofUpper;
    for (const CabledLinkId own : cabling.links.ids()) {
        const LinkId l = cabling.links[own];
        const DeviceId a = links.a[l], b = links.b[l];
        const std::uint8_t speed = links.speed[l];
        if (a != lower || ofLower.speed != speed) ofLower = numbers.find(lower = a, speed);
        const CageNumbers::Place lowerPlace = numbers.take(ofLower, a, links.aPort[l]);
        if (numberOfUpper[b] == none) {
            numberOfUpper[b] = static_cast<std::uint32_t>(ofUpper.size());
            ofUpper.emplace_back();
        }
        CageNumbers::KnownPorts& upper = ofUpper[numberOfUpper[b]];
        if (upper.speed != speed) upper = numbers.find(b, speed);
        const CageNumbers::Place upperPlace = numbers.take(upper, b, links.bPort[l]);
        set(cabling.a[own], lowerPlace.end);
        set(cabling.b[own], upperPlace.end);
        positions.a[own] = lowerPlace.position;
        positions.b[own] = upperPlace.position;
        cabling.choice[own] = modules.choiceFor(lowerPlace.end.cage, upperPlace.end.cage);
        cabling.cable[own] = cabling.patch[own] = own;
    }
    numbers.finish(cabling);
    return positions;
}

constexpr std::uint32_t unsplit = none; // a port that is not split into lanes

// By layout and port: the native port of which it is a lane, from 0.
class SplitPorts {
public:
    explicit SplitPorts(const Fabric& fabric) : m_fabric(fabric), m_of(fabric.portLayouts.size()) {
        constexpr std::uint32_t most = 4096; // documents may name ports in the millions
        for (std::size_t i = 0; i < m_of.size(); ++i) {
            std::uint32_t ports = 0;
            for (const PortGroup& group : fabric.portLayouts[i]) ports += static_cast<std::uint32_t>(group.count);
            for (std::uint32_t port = 1; port <= std::min(ports, most); ++port) m_of[i].push_back(find(fabric.portLayouts[i], port));
        }
    }

    std::uint32_t of(DeviceId device, std::uint32_t port) const {
        const std::size_t layout = m_fabric.devices.ports[device];
        const std::vector<std::uint32_t>& known = m_of[layout];
        return port - 1 < known.size() ? known[port - 1] : find(m_fabric.portLayouts[layout], port);
    }

private:
    static std::uint32_t find(const PortLayout& layout, std::uint32_t port) {
        std::uint32_t left = port, native = 0;
        for (const PortGroup& group : layout) {
            const auto count = static_cast<std::uint32_t>(group.count), lanes = static_cast<std::uint32_t>(group.lanes);
            if (left <= count) return lanes > 1 ? native + (left - 1) / lanes : unsplit;
            left -= count;
            native += (count + lanes - 1) / lanes;
        }
        return unsplit;
    }

    const Fabric& m_fabric;
    std::vector<std::vector<std::uint32_t>> m_of;
};

// The lanes of one native port that run to ports that are whole count as one cable, as do the lanes of two native ports that run to
// nothing but each other.
void joinLanes(const Fabric& fabric, Cabling& cabling) {
    constexpr std::uint32_t several = none - 1; // partners; no port has this number
    struct NativePort {
        CabledLinkId first;        // of its lanes
        CabledLinkId firstToWhole; // of those to a port that is whole
        std::uint32_t partner = unsplit;
    };
    struct Lane { // native ports of the devices, then of the fabric; or unsplit
        std::uint32_t a, b;
    };
    const LinkTable& links = fabric.links;
    const SplitPorts split(fabric);
    UnsetBy<CabledLinkId, Lane> lanes(cabling.links.size());
    const SlotNumbers numbers(fabric.devices.size(), [&](const auto& note) {
        for (const CabledLinkId own : cabling.links.ids()) {
            const LinkId l = cabling.links[own];
            const DeviceId a = links.a[l], b = links.b[l];
            Lane& lane = lanes[own];
            lane.a = split.of(a, links.aPort[l]);
            lane.b = split.of(b, links.bPort[l]);
            if (lane.a != unsplit) note(a, lane.a);
            if (lane.b != unsplit) note(b, lane.b);
        }
    });
    std::vector<NativePort> ports(numbers.size());
    const auto note = [&](std::uint32_t own, std::uint32_t other, CabledLinkId l) {
        if (own == unsplit) return;
        NativePort& port = ports[own];
        if (port.first == none)
            port.first = l, port.partner = other;
        else if (port.partner != other)
            port.partner = several;
        if (other == unsplit && port.firstToWhole == none) port.firstToWhole = l;
    };
    for (const CabledLinkId own : cabling.links.ids()) {
        const LinkId l = cabling.links[own];
        Lane& lane = lanes[own];
        if (lane.a != unsplit) lane.a = static_cast<std::uint32_t>(numbers.numberOf(links.a[l], lane.a));
        if (lane.b != unsplit) lane.b = static_cast<std::uint32_t>(numbers.numberOf(links.b[l], lane.b));
        note(lane.a, lane.b, own);
        note(lane.b, lane.a, own);
    }
    for (const CabledLinkId own : cabling.links.ids()) {
        const Lane lane = lanes[own];
        if (lane.a == unsplit && lane.b == unsplit) continue;
        if (lane.a == unsplit || lane.b == unsplit)
            cabling.cable[own] = ports[lane.a == unsplit ? lane.b : lane.a].firstToWhole;
        else if (ports[lane.a].partner != several && ports[lane.b].partner != several) // else a cable each: the lanes part
            cabling.cable[own] = ports[lane.a].first;
    }
}

void joinCages(Cabling& cabling) {
    std::vector<CabledLinkId> cableOfCage(cabling.cageNumbers);
    for (const CabledLinkId l : cabling.links.ids()) {
        CabledLinkId& first = cableOfCage[cabling.a[l].number];
        if (first == none) first = l;
        cabling.cable[l] = first;
    }
}

bool hasSplitPorts(const Fabric& fabric) {
    return std::any_of(fabric.portLayouts.begin(), fabric.portLayouts.end(), [](const PortLayout& layout) {
        return std::any_of(layout.begin(), layout.end(), [](const PortGroup& group) { return group.lanes > 1; });
    });
}

// With the shape that the sockets of a link ask for, at the default length.
void joinSockets(OpticChooser& chooser, CagePositions positions, Cabling& cabling) {
    const auto shapes = groupPatchCables(std::move(positions), cabling);
    constexpr std::size_t kinds = static_cast<std::size_t>(FibreShape::Crossed) + 1;
    std::vector<std::uint32_t> known(cabling.choices.size() * kinds, none); // by choice and shape
    for (const auto& [l, shape] : shapes) {
        std::uint32_t& own = known[cabling.choice[l] * kinds + static_cast<std::size_t>(shape)];
        if (own == none) {
            constexpr Metres length(Cabling::defaultLengthMetres);
            own = static_cast<std::uint32_t>(cabling.choices.size());
            cabling.choices.push_back(chooser.choose(cabling.cages[cabling.a[l].cage], cabling.cages[cabling.b[l].cage], length, shape));
            cabling.choices.back().ordered = length;
        }
        cabling.choice[l] = own;
    }
}

} // namespace

CabledLinks::CabledLinks(const LinkTable& links) {
    m_links.resize(links.countNetworkLinks());
    CabledLinkId next(0);
    for (const LinkRun& run : networkRuns(links)) {
        m_runs.push_back({run.first, next});
        for (const LinkId l : run.ids()) {
            m_links[next] = l;
            ++next;
        }
    }
}

CabledLinkId CabledLinks::find(LinkId link) const {
    auto next = std::upper_bound(m_runs.begin(), m_runs.end(), link, [](LinkId l, const Run& run) { return l < run.first; });
    if (next == m_runs.begin()) return none;
    const std::size_t end = next == m_runs.end() ? size() : next->number;
    const Run& run = *--next;
    const std::size_t number = std::size_t{run.number} + (link - run.first);
    return number < end ? CabledLinkId(number) : CabledLinkId(none);
}

const OpticChoice& Cabling::choiceOf(LinkId link) const {
    const CabledLinkId own = links.find(link);
    return own == none ? choices.front() : choiceOf(own);
}

Metres Cabling::routeOf(LinkId link) const {
    const CabledLinkId own = links.find(link);
    return own == none ? Metres(defaultLengthMetres) : routeOf(own);
}

LinkId Cabling::cableOf(LinkId link) const {
    const CabledLinkId own = links.find(link);
    return own == none ? LinkId(none) : links[cable[own]];
}

LinkId Cabling::patchOf(LinkId link) const {
    const CabledLinkId own = links.find(link);
    return own == none ? LinkId(none) : links[patch[own]];
}

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
    CagePositions positions = listLinks(fabric, finder, chooser, cabling);
    if (fabric.design->trunk == Trunk::PerCage)
        joinCages(cabling);
    else if (hasSplitPorts(fabric))
        joinLanes(fabric, cabling);
    cabling.floor = std::move(floor);
    if (cabling.floor.isPlaced())
        layCables(fabric, chooser, std::move(positions), cabling);
    else
        joinSockets(chooser, std::move(positions), cabling);
    return cabling;
}

int nativePortsPerCage(const SwitchPart& part) { return part.cages > 0 ? std::max(1, part.portsAt(part.nativeSpeed) / part.cages) : 1; }

std::vector<std::uint32_t> cagesOfPorts(const Fabric& fabric, DeviceId device) {
    Cabling unused;
    CageFinder finder(fabric, unused);
    std::vector<std::uint32_t> cages;
    for (int port = 1; port <= fabric.portCount(device); ++port)
        cages.push_back(finder.find(device, static_cast<std::uint32_t>(port), 0).cageIndex); // the same at every speed
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
    explicit UseCounter(std::size_t cages) : m_useIn(cages, none) {}

    std::uint32_t find(std::uint32_t block, std::uint32_t cage, const Part* part) {
        const auto [it, fresh] = m_known.try_emplace({block, cage, part}, static_cast<std::uint32_t>(m_uses.size()));
        if (fresh) m_uses.push_back({block, cage, part});
        return it->second;
    }
    // `use`: as found; `cage`: its number.
    void add(std::uint32_t cage, std::uint32_t use) {
        std::uint32_t& first = m_useIn[cage];
        if (first == use) return;
        if (first != none) return addSecond(cage, use);
        first = use;
        ++m_uses[use].count;
    }
    const std::vector<Use>& uses() const { return m_uses; }

private:
    // A cage that wants two modules, which a rule forbids, counts both.
    void addSecond(std::uint32_t cage, std::uint32_t use) {
        if (m_more.emplace(cage, use).second) ++m_uses[use].count;
    }

    std::vector<Use> m_uses;
    std::map<std::tuple<std::uint32_t, std::uint32_t, const Part*>, std::uint32_t> m_known;
    std::vector<std::uint32_t> m_useIn; // of a cage: the first
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_more;
};

template <class Links>
std::vector<ModuleCount> countModules(const Fabric& fabric, const Cabling& cabling, const Links& links,
                                      const std::vector<std::uint32_t>& blockOf) {
    UseCounter counter(cabling.cageNumbers);
    const bool hasBlocks = !blockOf.empty();
    // What decides the uses at both ends of a link; links in a row have most in common.
    std::uint32_t lastChoice = none, cageA = none, cageB = none, blockA = 0, blockB = 0;
    bool isPluggable = false;
    std::uint32_t useA = 0, useB = 0;
    for (const CabledLinkId l : links) {
        const Cabling::End a = cabling.a[l], b = cabling.b[l];
        bool isSame = cabling.choice[l] == lastChoice && a.cage == cageA && b.cage == cageB;
        if (hasBlocks) {
            const LinkId link = cabling.links[l];
            const std::uint32_t ownA = blockOf[fabric.links.a[link]], ownB = blockOf[fabric.links.b[link]];
            isSame = isSame && ownA == blockA && ownB == blockB;
            blockA = ownA, blockB = ownB;
        }
        if (!isSame) {
            lastChoice = cabling.choice[l], cageA = a.cage, cageB = b.cage;
            const OpticChoice& choice = cabling.choices[lastChoice];
            isPluggable = choice.pluggable();
            if (isPluggable) useA = counter.find(blockA, cageA, choice.a), useB = counter.find(blockB, cageB, choice.b);
        }
        if (!isPluggable) continue;
        counter.add(a.number, useA);
        counter.add(b.number, useB);
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

} // namespace

std::vector<ModuleCount> modulesOf(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf) {
    return countModules(fabric, cabling, cabling.links.ids(), blockOf);
}

std::vector<ModuleCount> modulesOf(const Fabric& fabric, const Cabling& cabling, std::span<const CabledLinkId> links,
                                   const std::vector<std::uint32_t>& blockOf) {
    return countModules(fabric, cabling, links, blockOf);
}

} // namespace railyard
