#include "core/bill/cabling.h"

#include "core/base/runs.h"
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
    By<ServerId, std::uint32_t> nics(fabric.servers.size());
    std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint32_t> known; // of a device, by part and layout of ports
    const auto limited = [](std::uint64_t cages) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(cages, none)); };
    const auto cagesOf = [&](DeviceId d) {
        const auto [at, isNew] = known.try_emplace({devices.part[d], devices.ports[d]});
        if (isNew) at->second = limited(mostCagesOf(fabric, d));
        return at->second;
    };
    const auto cagesUpTo = [&](DeviceId nic, std::uint32_t index) { return limited(std::uint64_t{index} * cagesOf(nic)); };
    DeviceId like; // the first of NICs of a server that follow one another and are alike, and the highest index of them
    std::uint32_t highest = 0;
    const auto endNics = [&] {
        if (like == none) return;
        const ServerId server = devices.server[like];
        std::uint32_t& cages = result.of[devices.size() + server];
        cages = std::max(cages, cagesUpTo(like, highest));
        nics[server] = std::max(nics[server], highest);
    };
    for (const DeviceId d : devices.ids()) {
        const bool isNic = devices.isNic(d);
        if (infoOf(devices.kind[d]).inDomain && !isNic) continue; // inside a server, without ports of the network
        if (!isNic) {
            result.of[d] = cagesOf(d);
        } else if (devices.server[d] == none) {
            result.of[d] = cagesUpTo(d, devices.index[d]);
        } else if (like != none && devices.server[d] == devices.server[like] && devices.part[d] == devices.part[like] &&
                   devices.ports[d] == devices.ports[like]) {
            highest = std::max(highest, devices.index[d]);
        } else {
            endNics();
            like = d;
            highest = devices.index[d];
        }
    }
    endNics();
    finder.setNicsOfServers(std::move(nics));
    for (std::uint32_t& each : result.of) result.total += std::exchange(each, static_cast<std::uint32_t>(result.total));
    return result;
}

// The modules of links at the default length, one choice for each pair of cages.
class DefaultModules {
public:
    DefaultModules(OpticChooser& chooser, Cabling& cabling) : m_chooser(chooser), m_cabling(cabling) {}

    std::uint32_t choiceFor(std::uint32_t kindA, std::uint32_t kindB) {
        const auto [it, fresh] =
            m_known.try_emplace(std::uint64_t{kindA} << 32 | kindB, static_cast<std::uint32_t>(m_cabling.choices.size()));
        if (fresh) {
            constexpr Metres length(Cabling::defaultLengthMetres);
            m_cabling.choices.push_back({m_chooser.choose(m_cabling.cageKinds[kindA], m_cabling.cageKinds[kindB], length), kindA, kindB});
            m_cabling.choices.back().ordered = length;
        }
        return it->second;
    }

private:
    OpticChooser& m_chooser;
    Cabling& m_cabling;
    std::unordered_map<std::uint64_t, std::uint32_t> m_known;
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
    [[gnu::noinline]] KnownPorts find(DeviceId device, std::uint8_t speed) const {
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
    [[gnu::noinline]] void take(const Ends& ends, const Places& into, Known& known) { // alone, the state of the loop fits in registers
        const DeviceId* const devices = ends.device;
        const PortId* const ports = ends.port;
        const std::uint8_t* const speeds = ends.speed;
        const Places to = into;
        for (std::size_t i = 0, count = ends.count; i < count; ++i) {
            const KnownPorts& own = known.of(devices[i], speeds[i]);
            const std::uint32_t port = ports[i] - 1; // from 0
            if (port >= own.count) {
                takeOther(ends, i, into);
                continue;
            }
            const CageFinder::PortPlace& place = own.places[port]; // whose cage is among those of its owner
            to.kind[i] = place.kind;
            to.cage[i] = own.firstCage + place.cageIndex;
            to.position[i] = place.position;
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
    [[gnu::noinline]] void takeOther(const Ends& ends, std::size_t i, const Places& into) {
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

// The links of a lower end follow one another, as do the NICs of a server.
class PortsOfLowers {
public:
    PortsOfLowers(const CageNumbers& numbers, const DeviceTable& devices) : m_numbers(numbers), m_devices(devices) {}
    const CageNumbers::KnownPorts& of(DeviceId device, std::uint8_t speed) {
        if (device == m_last && m_known.speed == speed) return m_known;
        if (m_known.speed == speed && isNextNic(device))
            m_known.places += m_known.count;
        else
            m_known = m_numbers.find(device, speed);
        m_last = device;
        return m_known;
    }

private:
    bool isNextNic(DeviceId device) const {
        if (m_last == none || !m_devices.isNic(m_last) || !m_devices.isNic(device) || m_devices.server[device] == none) return false;
        const auto isAsLast = [&](const auto& column) { return column[device] == column[m_last]; };
        const std::uint32_t index = m_devices.index[device];
        return isAsLast(m_devices.server) && isAsLast(m_devices.part) && isAsLast(m_devices.ports) &&
               index == m_devices.index[m_last] + 1 && m_known.count > 0 && std::uint64_t{index} * m_known.count <= CageFinder::mostKept;
    }

    const CageNumbers& m_numbers;
    const DeviceTable& m_devices;
    DeviceId m_last;
    CageNumbers::KnownPorts m_known;
};
// Those of an upper end do not.
class PortsOfUppers {
public:
    PortsOfUppers(const CageNumbers& numbers, std::size_t devices) : m_numbers(numbers), m_numberOf(devices, none) {}
    const CageNumbers::KnownPorts& of(DeviceId device, std::uint8_t speed) {
        const std::uint32_t number = m_numberOf[device];
        if (number == none) return add(device, speed);
        CageNumbers::KnownPorts& known = m_known[number];
        if (known.speed != speed) known = m_numbers.find(device, speed);
        return known;
    }

private:
    [[gnu::noinline]] const CageNumbers::KnownPorts& add(DeviceId device, std::uint8_t speed) {
        m_numberOf[device] = static_cast<std::uint32_t>(m_known.size());
        return m_known.emplace_back(m_numbers.find(device, speed));
    }

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
    PortsOfLowers lowers(numbers, fabric.devices);
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
            for (std::size_t i = 0, end = 0; i < taken; i = end) {
                end = endOfEqual(kindA.data(), i, endOfEqual(kindB.data(), i, taken));
                std::fill_n(cabling.choice.data() + own + i, end - i, modules.choiceFor(kindA[i], kindB[i]));
            }
            own += taken;
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
        for (std::size_t first = shaped.first, end = first; first < shaped.end; first = end) { // of one choice
            end = endOfEqual(cabling.choice.data(), first, shaped.end);
            std::uint32_t& own = known[cabling.choice[first] * kinds + static_cast<std::size_t>(shaped.shape)];
            if (own == none) {
                constexpr Metres length(Cabling::defaultLengthMetres);
                own = static_cast<std::uint32_t>(cabling.choices.size());
                const Cabling::Choice listed = cabling.choices[cabling.choice[first]];
                const OpticChoice& choice =
                    chooser.choose(cabling.cageKinds[listed.kindA], cabling.cageKinds[listed.kindB], length, shaped.shape);
                cabling.choices.push_back({choice, listed.kindA, listed.kindB});
                cabling.choices.back().ordered = length;
            }
            std::fill_n(cabling.choice.data() + first, end - first, own);
        }
}

} // namespace

CabledLinks::CabledLinks(const LinkTable& links) {
    m_links.resize(links.countNetworkLinks());
    CabledLinkId next(0);
    for (const LinkRun& run : networkRuns(links)) {
        m_runs.push_back({run.first, next});
        countUp(m_links.data() + next, run.size(), run.first);
        next = CabledLinkId(next + run.size());
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
        countUp(cabling.cable.data(), cabling.cable.size(), CabledLinkId(0));
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
    // `use`: as found; `cages`: their numbers.
    void add(std::span<const std::uint32_t> cages, std::uint32_t use) {
        std::uint32_t* const useIn = m_useIn.data();
        std::uint32_t count = 0;
        for (const std::uint32_t cage : cages) {
            const std::uint32_t first = useIn[cage];
            if (first == none) {
                useIn[cage] = use;
                ++count;
            } else if (first != use) {
                addSecond(cage, use);
            }
        }
        m_uses[use].count += count;
    }
    const std::vector<Use>& uses() const { return m_uses; }

private:
    // A cage that wants two modules, which a rule forbids, counts both.
    [[gnu::noinline]] void addSecond(std::uint32_t cage, std::uint32_t use) {
        if (m_more.emplace(cage, use).second) ++m_uses[use].count;
    }

    std::vector<Use> m_uses;
    std::map<std::tuple<std::uint32_t, std::uint32_t, const Part*>, std::uint32_t> m_known;
    std::vector<std::uint32_t> m_useIn; // of a cage: the first
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_more;
};

// The uses at both ends of links with this choice; none where it needs no modules.
struct UsesOfChoice {
    std::uint32_t a = none, b = none;
};
UsesOfChoice usesOf(UseCounter& counter, const Cabling::Choice& choice, std::uint32_t blockA, std::uint32_t blockB) {
    if (!choice.pluggable()) return {};
    return {counter.find(blockA, choice.kindA, choice.a), counter.find(blockB, choice.kindB, choice.b)};
}

std::vector<UsesOfChoice> usesOfChoices(UseCounter& counter, const Cabling& cabling) {
    std::vector<UsesOfChoice> uses;
    for (const Cabling::Choice& choice : cabling.choices) uses.push_back(usesOf(counter, choice, 0, 0));
    return uses;
}
// Of all links.
void countInOneBlock(const Cabling& cabling, Indices<CabledLinkId>, UseCounter& counter) {
    const std::vector<UsesOfChoice> uses = usesOfChoices(counter, cabling);
    const std::size_t links = cabling.links.size();
    for (std::size_t first = 0, end = 0; first < links; first = end) {
        end = endOfEqual(cabling.choice.data(), first, links);
        const UsesOfChoice own = uses[cabling.choice[first]];
        if (own.a == none) continue;
        counter.add({cabling.cageA.data() + first, end - first}, own.a);
        counter.add({cabling.cageB.data() + first, end - first}, own.b);
    }
}
void countInOneBlock(const Cabling& cabling, std::span<const CabledLinkId> links, UseCounter& counter) {
    const std::vector<UsesOfChoice> uses = usesOfChoices(counter, cabling);
    for (const CabledLinkId l : links) {
        const UsesOfChoice& own = uses[cabling.choice[l]];
        if (own.a == none) continue;
        counter.add({&cabling.cageA[l], 1}, own.a);
        counter.add({&cabling.cageB[l], 1}, own.b);
    }
}
template <class Links>
void countByBlock(const Fabric& fabric, const Cabling& cabling, const Links& links, const std::vector<std::uint32_t>& blockOf,
                  UseCounter& counter) {
    std::array<std::uint32_t, 3> known{none, none, none}; // choice and blocks of the link before
    UsesOfChoice own;
    for (const CabledLinkId l : links) {
        const LinkId link = cabling.links[l];
        const std::array asked{cabling.choice[l], blockOf[fabric.links.a[link]], blockOf[fabric.links.b[link]]};
        if (asked != known) own = usesOf(counter, cabling.choiceOf(l), asked[1], asked[2]);
        known = asked;
        if (own.a == none) continue;
        counter.add({&cabling.cageA[l], 1}, own.a);
        counter.add({&cabling.cageB[l], 1}, own.b);
    }
}

template <class Links>
std::vector<ModuleCount> countModules(const Fabric& fabric, const Cabling& cabling, const Links& links,
                                      const std::vector<std::uint32_t>& blockOf) {
    UseCounter counter(cabling.cageNumbers);
    if (blockOf.empty())
        countInOneBlock(cabling, links, counter);
    else
        countByBlock(fabric, cabling, links, blockOf, counter);
    std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, ModuleCount> counted;
    for (const Use& use : counter.uses()) {
        if (use.count == 0) continue; // no link has the choice any more
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
