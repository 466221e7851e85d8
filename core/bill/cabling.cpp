#include "core/bill/cabling.h"

#include "core/base/slot_numbers.h"
#include "core/bill/auxiliary_networks.h"
#include "core/bill/cages.h"
#include "core/bill/lay_cables.h"
#include "core/bill/patch_cables.h"
#include "core/bill/split_lanes.h"
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
// fill cages.
struct FirstCages {
    std::vector<std::uint32_t> of; // cut off where a hostile document has more cages than numbers
    std::uint64_t total = 0;
};
FirstCages firstCages(const Fabric& fabric, CageFinder& finder) {
    const DeviceTable& devices = fabric.devices;
    FirstCages result{std::vector<std::uint32_t>(devices.size() + fabric.servers.size() + 1)};
    std::vector<std::uint32_t>& first = result.of;
    By<ServerId, std::uint32_t> nics(fabric.servers.size());
    const auto limited = [](std::uint64_t cages) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(cages, none)); };
    std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint32_t> known; // by part and layout of ports
    std::pair<std::uint16_t, std::uint16_t> last;
    std::uint32_t ofLast = 0;
    for (const DeviceId d : devices.ids()) {
        if (infoOf(devices.kind[d]).inDomain && !devices.isNic(d)) continue; // inside a server, without ports of the network
        const std::pair kind(devices.part[d], devices.ports[d]);
        if (known.empty() || kind != last) {
            const auto [at, isNew] = known.try_emplace(kind, 0);
            if (isNew) at->second = limited(mostCagesOf(fabric, d));
            last = kind;
            ofLast = at->second;
        }
        if (!devices.isNic(d)) {
            first[d] = ofLast;
            continue;
        }
        const std::uint32_t cages = limited(std::uint64_t{devices.index[d]} * ofLast); // of the NICs up to this one
        if (const ServerId server = devices.server[d]; server == none) {
            first[d] = cages;
        } else {
            first[devices.size() + server] = std::max(first[devices.size() + server], cages);
            nics[server] = std::max(nics[server], devices.index[d]);
        }
    }
    finder.setNicsOfServers(std::move(nics));
    for (std::uint32_t& each : first) result.total += std::exchange(each, static_cast<std::uint32_t>(result.total));
    return result;
}

// The modules of links at the default length, one choice for each pair of cages.
class DefaultModules {
public:
    DefaultModules(OpticChooser& chooser, Cabling& cabling) : m_chooser(chooser), m_cabling(cabling) {}

    std::uint32_t choiceFor(std::uint32_t kindA, std::uint32_t kindB) {
        const std::uint64_t key = std::uint64_t{kindA} << 32 | kindB;
        if (key == m_lastKey) return m_last;
        const auto [it, fresh] = m_known.try_emplace(key, static_cast<std::uint32_t>(m_cabling.choices.size()));
        if (fresh) {
            constexpr Metres length(Cabling::defaultLengthMetres);
            m_cabling.choices.push_back({m_chooser.choose(m_cabling.cageKinds[kindA], m_cabling.cageKinds[kindB], length), kindA, kindB});
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
    CageNumbers(const Fabric& fabric, CageFinder& finder) : m_fabric(fabric), m_finder(finder), m_first(firstCages(fabric, finder)) {}

    struct KnownPorts { // of a device at a speed
        static constexpr std::uint16_t unknown = 0xffff;
        const CageFinder::PortPlace* places = nullptr;
        std::uint32_t firstCage = 0;
        std::uint16_t count = 0;
        std::uint16_t speed = unknown;
    };
    KnownPorts find(DeviceId device, std::uint8_t speed) const {
        const std::span<const CageFinder::PortPlace> places = m_finder.placesOf(device, speed);
        return {places.data(), firstCageOf(device), static_cast<std::uint16_t>(places.size()), speed};
    }
    std::uint32_t firstCageOf(DeviceId device) const { return m_first.of[owner(device)]; }

    // One end of links that follow one another, and what is taken of each.
    struct Ends {
        const DeviceId* device;
        const PortId* port;
        const std::uint8_t* speed;
        std::size_t count;
    };
    struct Places {
        std::uint32_t* kind; // of cage
        std::uint32_t* cage;
        std::uint32_t* position; // in the cage
    };
    // `known` answers what is known of a device at a speed.
    template <class Known>
    void take(const Ends& ends, const Places& into, Known& known) {
        for (std::size_t i = 0; i < ends.count; ++i) {
            const DeviceId device = ends.device[i];
            const KnownPorts& ports = known.of(device, ends.speed[i]);
            const std::uint32_t port = ends.port[i] - 1; // from 0
            if (port >= ports.count) {
                takeOther(ends, i, into);
                continue;
            }
            const CageFinder::PortPlace& place = ports.places[port]; // whose cage is among those of its owner
            into.kind[i] = place.kind;
            into.cage[i] = ports.firstCage + place.cageIndex;
            into.position[i] = place.position;
        }
    }

    // A document may name ports that its devices do not have, whose cages are then numbered by what is in use.
    void finish(Cabling& cabling) const {
        cabling.cageNumbers = m_first.total;
        const std::uint64_t most = 32 * cabling.links.size() + 1'000'000; // of a table with one entry a number, for its memory
        if (m_areInOrder && m_first.total <= most) return;
        const LinkTable& links = m_fabric.links;
        const auto cageAt = [&](DeviceId device, PortId port, LinkId l) { return m_finder.find(device, port, links.speed[l]).cageIndex; };
        const SlotNumbers numbers(m_first.of.size() - 1, [&](const auto& note) {
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
            cabling.cageA[own] = number(links.a[l], links.aPort[l], l);
            cabling.cageB[own] = number(links.b[l], links.bPort[l], l);
        }
        cabling.cageNumbers = numbers.size();
    }

private:
    void takeOther(const Ends& ends, std::size_t i, const Places& into) {
        const DeviceId device = ends.device[i];
        const CageFinder::PortPlace place = m_finder.find(device, ends.port[i], ends.speed[i]);
        const std::size_t own = owner(device);
        const std::uint64_t number = std::uint64_t{m_first.of[own]} + place.cageIndex;
        m_areInOrder &= number < m_first.of[own + 1];
        into.kind[i] = place.kind;
        into.cage[i] = static_cast<std::uint32_t>(number);
        into.position[i] = place.position;
    }
    std::size_t owner(DeviceId device) const { // the server for its NICs
        const DeviceTable& devices = m_fabric.devices;
        const bool nic = devices.isNic(device) && devices.server[device] != none;
        return nic ? devices.size() + devices.server[device] : device;
    }

    const Fabric& m_fabric;
    CageFinder& m_finder;
    FirstCages m_first;
    bool m_areInOrder = true;
};

// The links of a lower end follow one another.
class PortsOfLowers {
public:
    explicit PortsOfLowers(const CageNumbers& numbers) : m_numbers(numbers) {}
    const CageNumbers::KnownPorts& of(DeviceId device, std::uint8_t speed) {
        if (device != m_last || m_known.speed != speed) m_known = m_numbers.find(m_last = device, speed);
        return m_known;
    }

private:
    const CageNumbers& m_numbers;
    DeviceId m_last;
    CageNumbers::KnownPorts m_known;
};
// Those of an upper end do not.
class PortsOfUppers {
public:
    PortsOfUppers(const CageNumbers& numbers, std::size_t devices) : m_numbers(numbers), m_numberOf(devices, none) {}
    const CageNumbers::KnownPorts& of(DeviceId device, std::uint8_t speed) {
        std::uint32_t& number = m_numberOf[device];
        if (number == none) {
            number = static_cast<std::uint32_t>(m_known.size());
            m_known.emplace_back();
        }
        CageNumbers::KnownPorts& known = m_known[number];
        if (known.speed != speed) known = m_numbers.find(device, speed);
        return known;
    }

private:
    const CageNumbers& m_numbers;
    By<DeviceId, std::uint32_t> m_numberOf;
    std::vector<CageNumbers::KnownPorts> m_known;
};

// Lists the links that are cabled, each with the cages at its ends and the modules of the default length. One end after the other, of as
// many links as the nearest cache of the processor holds.
CagePositions listLinks(const Fabric& fabric, CageFinder& finder, OpticChooser& chooser, Cabling& cabling) {
    const LinkTable& links = fabric.links;
    cabling.links = CabledLinks(links);
    const std::size_t count = cabling.links.size();
    CagePositions positions;
    for (auto* const table : {&positions.a, &positions.b, &cabling.cageA, &cabling.cageB, &cabling.choice}) table->resize(count);
    CageNumbers numbers(fabric, finder);
    DefaultModules modules(chooser, cabling);
    PortsOfLowers lowers(numbers);
    PortsOfUppers uppers(numbers, fabric.devices.size());
    constexpr std::size_t most = 512;
    std::array<std::uint32_t, most> kindA, kindB;
    std::size_t own = 0;
    for (const LinkRun& run : networkRuns(links))
        for (std::size_t l = run.first; l < run.end; l += most) {
            const std::size_t taken = std::min(most, run.end - l);
            const std::uint8_t* const speed = links.speed.data() + l;
            numbers.take({links.a.data() + l, links.aPort.data() + l, speed, taken},
                         {kindA.data(), cabling.cageA.data() + own, positions.a.data() + own}, lowers);
            numbers.take({links.b.data() + l, links.bPort.data() + l, speed, taken},
                         {kindB.data(), cabling.cageB.data() + own, positions.b.data() + own}, uppers);
            for (std::size_t i = 0; i < taken; ++i, ++own) cabling.choice[own] = modules.choiceFor(kindA[i], kindB[i]);
        }
    numbers.finish(cabling);
    return positions;
}

void joinCages(Cabling& cabling) {
    std::vector<CabledLinkId> cableOfCage(cabling.cageNumbers);
    for (const CabledLinkId l : cabling.links.ids()) {
        CabledLinkId& first = cableOfCage[cabling.cageA[l]];
        if (first == none) first = l;
        cabling.cable[l] = first;
    }
}

// With the shape that the sockets of a link ask for, at the default length.
void joinSockets(OpticChooser& chooser, CagePositions positions, Cabling& cabling) {
    const std::vector<ShapedLinks> shapes = groupPatchCables(std::move(positions), cabling);
    constexpr std::size_t kinds = static_cast<std::size_t>(FibreShape::Crossed) + 1;
    std::vector<std::uint32_t> known(cabling.choices.size() * kinds, none); // by choice and shape
    for (const ShapedLinks& shaped : shapes)
        for (const CabledLinkId l : shaped.ids()) {
            std::uint32_t& own = known[cabling.choice[l] * kinds + static_cast<std::size_t>(shaped.shape)];
            if (own == none) {
                constexpr Metres length(Cabling::defaultLengthMetres);
                own = static_cast<std::uint32_t>(cabling.choices.size());
                const Cabling::Choice listed = cabling.choiceOf(l);
                const OpticChoice& choice = chooser.choose(cabling.kindA(l), cabling.kindB(l), length, shaped.shape);
                cabling.choices.push_back({choice, listed.kindA, listed.kindB});
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

const Cabling::Choice& Cabling::choiceOf(LinkId link) const {
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
    cabling.cable.resize(cabling.links.size());
    if (fabric.design->trunk == Trunk::PerCage)
        joinCages(cabling);
    else if (hasSplitPorts(fabric))
        joinLanes(fabric, cabling);
    else
        std::iota(cabling.cable.begin(), cabling.cable.end(), CabledLinkId(0));
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
    std::uint32_t kind; // of cage
    const Part* part;
    std::int64_t count = 0;
};

class UseCounter {
public:
    explicit UseCounter(std::size_t cages) : m_useIn(cages, none) {}

    std::uint32_t find(std::uint32_t block, std::uint32_t kind, const Part* part) {
        const auto [it, fresh] = m_known.try_emplace({block, kind, part}, static_cast<std::uint32_t>(m_uses.size()));
        if (fresh) m_uses.push_back({block, kind, part});
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
    struct Uses { // at both ends of a link
        std::uint32_t a = none, b = none;
        std::uint32_t blockA = 0, blockB = 0; // for which they were found
    };
    std::vector<Uses> ofChoice(cabling.choices.size());
    std::uint32_t cageBefore = none, useBefore = none; // at the lower end; the links of a cage mostly follow one another
    for (const CabledLinkId l : links) {
        Uses& uses = ofChoice[cabling.choice[l]];
        std::uint32_t blockA = 0, blockB = 0;
        if (hasBlocks) {
            const LinkId link = cabling.links[l];
            blockA = blockOf[fabric.links.a[link]], blockB = blockOf[fabric.links.b[link]];
        }
        if (uses.a == none || blockA != uses.blockA || blockB != uses.blockB) {
            const Cabling::Choice& choice = cabling.choiceOf(l);
            if (!choice.pluggable()) continue;
            uses = {counter.find(blockA, choice.kindA, choice.a), counter.find(blockB, choice.kindB, choice.b), blockA, blockB};
        }
        if (cabling.cageA[l] != cageBefore || uses.a != useBefore) counter.add(cageBefore = cabling.cageA[l], useBefore = uses.a);
        counter.add(cabling.cageB[l], uses.b);
    }
    std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, ModuleCount> counted;
    for (const Use& use : counter.uses()) {
        const auto key = use.part ? std::tuple(use.block, use.part->id, std::uint32_t{0}) : std::tuple(use.block, std::string(), use.kind);
        ModuleCount& count = counted[key];
        count.part = use.part;
        count.cage = cabling.cageKinds[use.kind];
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
