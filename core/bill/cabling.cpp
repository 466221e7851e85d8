#include "core/bill/cabling.h"

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

// Names a cage: cages belong to the server for NICs, to the device itself otherwise.
std::uint64_t cageKeyOf(const Fabric& fabric, DeviceId device, const Cabling::End& end) {
    constexpr std::uint64_t ofServer = std::uint64_t{1} << 32;
    const bool nic = fabric.devices.isNic(device) && fabric.devices.server[device] != none;
    return (nic ? ofServer + fabric.devices.server[device] : device) << 30 | end.cageIndex;
}

// The number of a native port that is split into lanes; nothing for a port that is whole.
std::optional<std::uint32_t> splitPort(const Fabric& fabric, DeviceId device, std::uint32_t port) {
    std::uint32_t left = port, native = 0;
    for (const PortGroup& group : fabric.portLayouts[fabric.devices.ports[device]]) {
        const auto count = static_cast<std::uint32_t>(group.count), lanes = static_cast<std::uint32_t>(group.lanes);
        if (left <= count) return lanes > 1 ? std::optional(native + (left - 1) / lanes) : std::nullopt;
        left -= count;
        native += (count + lanes - 1) / lanes;
    }
    return {};
}

// The lanes of one native port that run to ports that are whole count as one cable, as do the lanes of two native ports that run to
// nothing but each other.
void joinLanes(const Fabric& fabric, Cabling& cabling) {
    using End = std::uint64_t; // device and native port
    constexpr End whole = ~End{0};
    struct Lane {
        End a, b;
        LinkId link;
    };
    std::vector<Lane> lanes;
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const auto endOf = [&](DeviceId device, std::uint32_t port) {
            const auto native = splitPort(fabric, device, port);
            return native ? End{device} << 32U | *native : whole;
        };
        const End a = endOf(fabric.links.a[l], fabric.links.aPort[l]), b = endOf(fabric.links.b[l], fabric.links.bPort[l]);
        if (a == whole && b == whole) continue;
        lanes.push_back({a, b, l});
    }
    const auto deviceOf = [](End end) { return static_cast<std::size_t>(end >> 32U); };
    const auto nativeOf = [](End end) { return static_cast<std::uint32_t>(end & 0xffffffffU); };
    const SlotNumbers numbers(fabric.devices.size(), [&](const auto& note) {
        for (const Lane& lane : lanes)
            for (const End end : {lane.a, lane.b})
                if (end != whole) note(deviceOf(end), nativeOf(end));
    });
    std::vector<std::size_t> links(numbers.size());
    const auto linksOf = [&](End end) -> std::size_t& { return links[numbers.numberOf(deviceOf(end), nativeOf(end))]; };
    for (const Lane& lane : lanes)
        for (const End end : {lane.a, lane.b})
            if (end != whole) ++linksOf(end);
    // Sorted, the lanes of one run follow one another, the first link first.
    const auto isBefore = [](const Lane& x, const Lane& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); };
    if (!std::is_sorted(lanes.begin(), lanes.end(), isBefore)) std::stable_sort(lanes.begin(), lanes.end(), isBefore);
    for (auto run = lanes.begin(); run != lanes.end();) {
        const auto end = std::find_if(run, lanes.end(), [&](const Lane& each) { return each.a != run->a || each.b != run->b; });
        const auto count = static_cast<std::size_t>(end - run);
        const bool isOneSided = run->a == whole || run->b == whole;
        // Lanes of two split ports that part are a cable each.
        if (isOneSided || (linksOf(run->a) == count && linksOf(run->b) == count))
            for (auto lane = run; lane != end; ++lane) cabling.cable[lane->link] = run->link;
        run = end;
    }
}

void joinCages(const Fabric& fabric, Cabling& cabling) {
    std::unordered_map<std::uint64_t, LinkId> cableOfCage;
    for (const LinkId l : fabric.links.ids())
        if (fabric.isNetworkLink(l))
            cabling.cable[l] = cableOfCage.emplace(cageKeyOf(fabric, fabric.links.a[l], cabling.a[l]), l).first->second;
}

bool hasSplitPorts(const Fabric& fabric) {
    return std::any_of(fabric.portLayouts.begin(), fabric.portLayouts.end(), [](const PortLayout& layout) {
        return std::any_of(layout.begin(), layout.end(), [](const PortGroup& group) { return group.lanes > 1; });
    });
}

// The modules of every link at the default length, one choice for each pair of cages.
void chooseModules(const Fabric& fabric, OpticChooser& chooser, Cabling& cabling) {
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    std::uint64_t lastKey = ~std::uint64_t{0};
    std::uint32_t lastChoice = 0;
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
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
void joinSockets(const Fabric& fabric, OpticChooser& chooser, const PositionOf& positionOf, Cabling& cabling) {
    const auto shapes = groupPatchCables(fabric, positionOf, cabling);
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
    for (LinkId l(0); l < count; ++l) {
        if (!fabric.isNetworkLink(l)) continue;
        cabling.a[l] = finder.find(fabric.links.a[l], fabric.links.aPort[l], fabric.links.speed[l]);
        cabling.b[l] = finder.find(fabric.links.b[l], fabric.links.bPort[l], fabric.links.speed[l]);
        cabling.cable[l] = cabling.patch[l] = l;
    }
    if (fabric.design->trunk == Trunk::PerCage)
        joinCages(fabric, cabling);
    else if (hasSplitPorts(fabric))
        joinLanes(fabric, cabling);
    chooseModules(fabric, chooser, cabling);
    cabling.floor = std::move(floor);
    const PositionOf positionOf = [&](DeviceId device, PortId port, std::uint8_t speed) { return finder.positionOf(device, port, speed); };
    if (cabling.floor.isPlaced())
        layCables(fabric, chooser, positionOf, cabling);
    else
        joinSockets(fabric, chooser, positionOf, cabling);
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

std::size_t CageNumbers::owner(DeviceId device) const {
    const DeviceTable& devices = m_fabric.devices;
    const bool nic = devices.isNic(device) && devices.server[device] != none;
    return nic ? devices.size() + devices.server[device] : device;
}

CageNumbers::CageNumbers(const Fabric& fabric, const Cabling& cabling)
    : m_fabric(fabric),
      m_numbers(fabric.devices.size() + fabric.servers.size(), [&](const auto& note) {
          for (const LinkId l : fabric.links.ids()) {
              if (!fabric.isNetworkLink(l)) continue;
              note(owner(fabric.links.a[l]), cabling.a[l].cageIndex);
              note(owner(fabric.links.b[l]), cabling.b[l].cageIndex);
          }
      }) {}

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
    UseCounter(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf)
        : m_blockOf(blockOf),
          m_numbers(fabric, cabling),
          m_useIn(m_numbers.size(), none) {}

    // `side`: 0 for the lower end of a link, 1 for the upper.
    void add(std::size_t side, DeviceId device, const Cabling::End& end, const Part* part) {
        const auto use = find(m_last[side], m_blockOf.empty() ? 0 : m_blockOf[device], end.cage, part);
        const std::size_t cage = m_numbers.numberOf(device, end);
        std::uint32_t& first = m_useIn[cage];
        if (first == use) return;
        // A cage that wants two modules, which a rule forbids, counts both.
        if (first != none && !m_more.emplace(cage, use).second) return;
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
    CageNumbers m_numbers;
    std::vector<Use> m_uses;
    std::map<std::tuple<std::uint32_t, std::uint32_t, const Part*>, std::uint32_t> m_known;
    std::array<std::uint32_t, 2> m_last{};
    std::vector<std::uint32_t> m_useIn; // of a cage: the first
    std::set<std::pair<std::size_t, std::uint32_t>> m_more;
};

} // namespace

std::vector<ModuleCount> modulesOf(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf) {
    UseCounter counter(fabric, cabling, blockOf);
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
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
