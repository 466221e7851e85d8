#include "core/bill/cabling.h"

#include "core/bill/auxiliary_networks.h"
#include "core/bill/lay_cables.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace railyard {
namespace {

class CageFinder {
public:
    CageFinder(const Fabric& fabric, Cabling& cabling) : m_fabric(fabric), m_cabling(cabling) {}

    Cabling::End find(DeviceId device, std::uint32_t port, std::uint8_t speed) {
        const DeviceKind kind = m_fabric.devices.kind[device];
        if (kind == DeviceKind::Switch) return ofSwitch(device, port, speed);
        if (kind == DeviceKind::Nic) return ofNic(device, port, speed);
        return {number({"any", 1, m_fabric.speeds[speed], ""}), port - 1};
    }

private:
    // Ports that follow one another on a switch, and the cages they fill.
    struct Run {
        std::uint32_t ports, firstNative, lanes, perCage; // perCage: native ports
        std::uint32_t cage;
    };
    struct NicCage {
        std::uint32_t cage;
        std::uint32_t perCage; // ports
    };
    // What was asked last is asked again, as a rule.
    template <class Key, class Value>
    class Known {
    public:
        template <class Make>
        const Value& of(const Key& key, Make make) {
            if (!m_last || m_last->first != key) {
                auto it = m_all.find(key);
                if (it == m_all.end()) it = m_all.emplace(key, make()).first;
                m_last = &*it;
            }
            return m_last->second;
        }

    private:
        std::map<Key, Value> m_all;
        const std::pair<const Key, Value>* m_last = nullptr;
    };

    std::uint32_t number(const Cage& cage) {
        const auto [known, isNew] = m_numbers.try_emplace(cage, static_cast<std::uint32_t>(m_cabling.cages.size()));
        if (isNew) m_cabling.cages.push_back(cage);
        return known->second;
    }

    // Native ports fill cages in order; a split native port stays in its cage.
    std::vector<Run> runsOf(DeviceId device, Bandwidth speed) {
        constexpr std::uint32_t endless = std::numeric_limits<std::uint32_t>::max();
        const Part* part = m_fabric.partOf(device);
        const SwitchPart* details = part ? part->as<SwitchPart>() : nullptr;
        if (!details || details->cages == 0)
            return {{endless, 0, 1, 1, number({details ? details->cageAt(speed) : "unknown", 1, speed, details ? details->protocol : ""})}};
        const int perCage = std::max(1, details->portsAt(details->nativeSpeed) / details->cages);
        std::vector<Run> runs;
        std::uint32_t native = 0;
        const auto add = [&](std::uint32_t ports, int lanes) {
            const Cage cage{details->cageAt(speed), perCage * lanes, speed, details->protocol};
            runs.push_back({ports, native, static_cast<std::uint32_t>(lanes), static_cast<std::uint32_t>(perCage), number(cage)});
        };
        for (const PortGroup& group : m_fabric.portLayouts[m_fabric.devices.ports[device]]) {
            const auto count = static_cast<std::uint32_t>(group.count), lanes = static_cast<std::uint32_t>(group.lanes);
            if (count > 0) add(count, group.lanes);
            native += (count + lanes - 1) / lanes;
        }
        add(endless, 1);
        return runs;
    }
    Cabling::End ofSwitch(DeviceId device, std::uint32_t port, std::uint8_t speed) {
        const auto& runs = m_runs.of({m_fabric.devices.part[device], m_fabric.devices.ports[device], speed},
                                     [&] { return runsOf(device, m_fabric.speeds[speed]); });
        std::uint32_t left = port - 1;
        auto run = runs.begin();
        for (; left >= run->ports; ++run) left -= run->ports;
        return {run->cage, (run->firstNative + left / run->lanes) / run->perCage};
    }

    // A NIC bought apart has its own cages; else the server's cages share its NIC ports evenly.
    NicCage cageOfNic(DeviceId device, std::uint32_t nics, std::uint32_t ports, Bandwidth speed) {
        const Part* nic = m_fabric.partOf(device);
        const ServerId server = m_fabric.devices.server[device];
        const Part* chassis = server == none ? nullptr : m_fabric.parts[m_fabric.serverParts[server]];
        const ServerPart* details = chassis ? chassis->as<ServerPart>() : nullptr;
        if (nic && details && details->nic != nic->id && nic->as<NicPart>()) return {number({nic->as<NicPart>()->cage, 1, speed, ""}), 1};
        if (!details || details->cage.empty()) return {number({"unknown", 1, speed, ""}), 1};
        const auto all = nics * ports, cages = static_cast<std::uint32_t>(details->cages);
        const auto perCage = cages > 0 && all >= cages && all % cages == 0 ? all / cages : 1;
        return {number({details->cage, static_cast<int>(perCage), speed, ""}), perCage};
    }
    // Counted when the first NIC is asked for: the cages of a switch do not need it.
    std::uint32_t nicsOf(ServerId server) {
        if (m_nicsOfServer.empty()) {
            m_nicsOfServer.resize(m_fabric.servers.size());
            for (const DeviceId d : m_fabric.devices.ids())
                if (m_fabric.devices.kind[d] == DeviceKind::Nic && m_fabric.devices.server[d] != none) {
                    std::uint32_t& most = m_nicsOfServer[m_fabric.devices.server[d]];
                    most = std::max(most, m_fabric.devices.index[d]);
                }
        }
        return m_nicsOfServer[server];
    }
    Cabling::End ofNic(DeviceId device, std::uint32_t port, std::uint8_t speed) {
        const ServerId server = m_fabric.devices.server[device];
        const auto nics = server == none ? 0 : nicsOf(server);
        const auto ports = static_cast<std::uint32_t>(m_fabric.portCount(device));
        const std::uint16_t chassis = server == none ? std::uint16_t{0} : m_fabric.serverParts[server];
        const NicCage& cage = m_nics.of({m_fabric.devices.part[device], chassis, nics, ports, speed},
                                        [&] { return cageOfNic(device, nics, ports, m_fabric.speeds[speed]); });
        return {cage.cage, ((m_fabric.devices.index[device] - 1) * ports + port - 1) / cage.perCage};
    }

    const Fabric& m_fabric;
    Cabling& m_cabling;
    std::vector<std::uint32_t> m_nicsOfServer;
    std::map<Cage, std::uint32_t> m_numbers;
    Known<std::tuple<std::uint16_t, std::uint16_t, std::uint8_t>, std::vector<Run>> m_runs; // part, ports, speed
    Known<std::tuple<std::uint16_t, std::uint16_t, std::uint32_t, std::uint32_t, std::uint8_t>, NicCage>
        m_nics; // part, server part, NICs of the server, ports, speed
};

// Names a cage: cages belong to the server for NICs, to the device itself otherwise.
std::uint64_t cageKeyOf(const Fabric& fabric, DeviceId device, const Cabling::End& end) {
    constexpr std::uint64_t ofServer = std::uint64_t{1} << 32;
    const bool nic = fabric.devices.kind[device] == DeviceKind::Nic && fabric.devices.server[device] != none;
    return (nic ? ofServer + fabric.devices.server[device] : device) << 30 | end.cageIndex;
}

} // namespace

namespace {

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

// The lanes of one native port leave in one splitter cable where they run to ports that are whole; where they and the lanes of
// one other native port run to nothing but each other, a straight cable carries them.
void joinLanes(const Fabric& fabric, Cabling& cabling) {
    using End = std::pair<DeviceId, std::uint32_t>; // and native port; none for a port that is whole
    constexpr End whole{none, 0};
    std::map<std::pair<End, End>, std::vector<LinkId>> runs;
    std::map<End, std::size_t> linksOf;
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const auto endOf = [&](DeviceId device, std::uint32_t port) {
            const auto native = splitPort(fabric, device, port);
            return native ? End{device, *native} : whole;
        };
        const End a = endOf(fabric.links.a[l], fabric.links.aPort[l]), b = endOf(fabric.links.b[l], fabric.links.bPort[l]);
        if (a == whole && b == whole) continue;
        runs[{a, b}].push_back(l);
        ++linksOf[a];
        ++linksOf[b];
    }
    for (const auto& [ends, links] : runs) {
        const bool isSplitter = ends.first == whole || ends.second == whole;
        const bool isJoined = !isSplitter && linksOf[ends.first] == links.size() && linksOf[ends.second] == links.size();
        if (!isJoined && !isSplitter) continue; // lanes of two split ports that part: a cable each
        for (const auto l : links) cabling.cable[l] = links.front();
        if (isJoined) cabling.joined.resize(fabric.links.size());
        for (const auto l : links)
            if (isJoined) cabling.joined[l] = true;
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

} // namespace

Cabling cablingOf(const Fabric& fabric, std::optional<LeafRacks> leafRacks) {
    Cabling cabling = cablingOn(fabric, floorOf(fabric, leafRacks));
    if (!fabric.design->sides.empty())
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
    cabling.choices.emplace_back();
    for (LinkId l(0); l < count; ++l) {
        if (!fabric.isNetworkLink(l)) continue;
        cabling.a[l] = finder.find(fabric.links.a[l], fabric.links.aPort[l], fabric.links.speed[l]);
        cabling.b[l] = finder.find(fabric.links.b[l], fabric.links.bPort[l], fabric.links.speed[l]);
        cabling.cable[l] = l;
    }
    if (fabric.design->trunk == Trunk::PerCage)
        joinCages(fabric, cabling);
    else if (hasSplitPorts(fabric))
        joinLanes(fabric, cabling);
    std::unordered_map<std::uint64_t, std::uint32_t> known; // pair of cage kinds, joined -> choice
    std::uint64_t lastKey = ~std::uint64_t{0};
    std::uint32_t lastChoice = 0;
    for (const LinkId l : indices<LinkId>(count)) {
        if (!fabric.isNetworkLink(l)) continue;
        const std::uint64_t key =
            std::uint64_t{cabling.a[l].cage} << 17 | std::uint64_t{cabling.b[l].cage} << 1 | (cabling.isJoined(l) ? 1 : 0);
        if (key == lastKey) {
            cabling.choice[l] = lastChoice;
            continue;
        }
        const auto [it, fresh] = known.emplace(key, static_cast<std::uint32_t>(cabling.choices.size()));
        if (fresh) {
            constexpr Metres length(Cabling::defaultLengthMetres);
            cabling.choices.push_back(
                chooser.choose(cabling.cages[cabling.a[l].cage], cabling.cages[cabling.b[l].cage], length, cabling.isJoined(l)));
            cabling.choices.back().ordered = length;
        }
        cabling.choice[l] = lastChoice = it->second;
        lastKey = key;
    }
    cabling.floor = std::move(floor);
    if (cabling.floor.isPlaced()) layCables(fabric, chooser, cabling);
    return cabling;
}

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
    const bool nic = devices.kind[device] == DeviceKind::Nic && devices.server[device] != none;
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

    void add(DeviceId device, const Cabling::End& end, const Part* part) {
        const auto use = find(m_blockOf.empty() ? 0 : m_blockOf[device], end.cage, part);
        const std::size_t cage = m_numbers.of(device, end);
        std::uint32_t& first = m_useIn[cage];
        if (first == use) return;
        // A cage that wants two modules, which a rule forbids, counts both.
        if (first != none && !m_more.emplace(cage, use).second) return;
        if (first == none) first = use;
        ++m_uses[use].count;
    }
    const std::vector<Use>& uses() const { return m_uses; }

private:
    std::uint32_t find(std::uint32_t block, std::uint32_t cage, const Part* part) {
        const auto same = [&](const Use& use) { return use.block == block && use.cage == cage && use.part == part; };
        if (m_last < m_uses.size() && same(m_uses[m_last])) return m_last;
        const auto [it, fresh] = m_known.try_emplace({block, cage, part}, static_cast<std::uint32_t>(m_uses.size()));
        if (fresh) m_uses.push_back({block, cage, part});
        return m_last = it->second;
    }

    const std::vector<std::uint32_t>& m_blockOf;
    CageNumbers m_numbers;
    std::vector<Use> m_uses;
    std::map<std::tuple<std::uint32_t, std::uint32_t, const Part*>, std::uint32_t> m_known;
    std::uint32_t m_last = 0;
    std::vector<std::uint32_t> m_useIn; // of a cage: the first
    std::set<std::pair<std::size_t, std::uint32_t>> m_more;
};

} // namespace

std::vector<ModuleCount> modulesOf(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf) {
    UseCounter counter(fabric, cabling, blockOf);
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const OpticChoice& choice = cabling.of(l);
        if (!choice.pluggable()) continue;
        counter.add(fabric.links.a[l], cabling.a[l], choice.a);
        counter.add(fabric.links.b[l], cabling.b[l], choice.b);
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
