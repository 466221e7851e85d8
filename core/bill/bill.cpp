#include "core/bill/bill.h"

#include "core/bill/cable_counts.h"
#include "core/fabric/optical_switches.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

constexpr const char* cableWork = "work-cable"; // its ID in the catalogue

void price(BillLine& line) {
    if (!line.part || !line.part->price) return;
    const Price& p = *line.part->price;
    line.base = line.category == BillCategory::Cable ? p.baseAt(line.length) : p.base;
    if (!line.base) return;
    line.low = p.low.value_or(*line.base);
    line.high = p.high.value_or(*line.base);
}

BillLine lineOf(BillCategory category, std::string_view section, const Part* part, std::string description, std::int64_t quantity) {
    BillLine line;
    line.category = category;
    line.section = section;
    line.part = part;
    if (part)
        line.description = part->name;
    else
        line.description = std::move(description);
    line.quantity = quantity;
    return line;
}

// Lines of every block; without numbers for the devices the design is one block.
class LineCounter {
public:
    // `counted`: null where it is not known.
    LineCounter(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf, std::size_t blocks,
                const CountedCables* counted = nullptr)
        : m_fabric(fabric),
          m_cabling(cabling),
          m_blockOf(blockOf),
          m_counted(counted),
          m_lines(blocks) {}

    std::vector<std::vector<BillLine>> count() {
        addServersAndNics();
        addSwitches();
        addOpticalSwitches();
        addModules();
        addCables();
        if (m_cabling.floor.isPlaced()) addRacksAndWork();
        for (auto& lines : m_lines)
            for (BillLine& line : lines) price(line);
        return std::move(m_lines);
    }

private:
    // By block and key. What follows one another is mostly of one kind.
    template <class Key>
    class Counts {
    public:
        void add(std::uint32_t block, const Key& key) {
            if (!m_last || m_last->first != std::pair(block, key)) m_last = &*m_counts.try_emplace({block, key}).first;
            ++m_last->second;
        }
        auto begin() const { return m_counts.begin(); }
        auto end() const { return m_counts.end(); }

    private:
        std::map<std::pair<std::uint32_t, Key>, std::int64_t> m_counts;
        std::pair<const std::pair<std::uint32_t, Key>, std::int64_t>* m_last = nullptr;
    };

    std::uint32_t block(std::size_t device) const { return m_blockOf.empty() ? 0 : m_blockOf[device]; }
    DeviceId lowerEnd(CabledLinkId link) const { return m_fabric.links.a[m_cabling.links[link]]; }

    void addSwitches() {
        Counts<std::pair<SwitchTier, std::uint16_t>> counts;
        for (const DeviceId d : switchesOf(m_fabric.devices)) counts.add(block(d), {m_fabric.devices.tier[d], m_fabric.devices.part[d]});
        static constexpr std::string_view sections[] = {"Switches", "Leaf", "Spine", "Superspine", "Core"};
        for (const auto& [key, count] : counts) {
            const auto [tier, index] = key.second;
            const Part* part = m_fabric.parts[index];
            BillLine line =
                lineOf(BillCategory::Switch, sections[static_cast<std::size_t>(tier)], part, "switch (no part in the catalogue)", count);
            if (part) {
                line.typical = part->typical; // without optics
                line.maximum = part->maximum;
            }
            m_lines[key.first].push_back(line);
        }
    }

    void addServersAndNics() {
        const std::vector<std::uint32_t> blockOfServer = blocksOfServers();
        Counts<std::uint16_t> servers;
        for (std::size_t s = 0; s < blockOfServer.size(); ++s)
            if (blockOfServer[s] != none) servers.add(blockOfServer[s], m_fabric.serverParts[s]);
        addParts(servers, BillCategory::Server, "Compute");
        addParts(nicsBoughtApart(), BillCategory::Nic, "NICs");
        addRackSystems(blockOfServer);
    }

    // none: no device of it is left.
    std::vector<std::uint32_t> blocksOfServers() const {
        std::vector<std::uint32_t> blockOf(m_fabric.servers.size(), none);
        const bool hasBlocks = !m_blockOf.empty();
        ServerId before; // of the device before
        for (const DeviceId d : m_fabric.devices.ids()) {
            const ServerId server = m_fabric.devices.server[d];
            if (server == before && !hasBlocks) continue;
            before = server;
            if (server != none) blockOf[server] = block(d);
        }
        return blockOf;
    }

    Counts<std::uint16_t> nicsBoughtApart() const {
        Counts<std::uint16_t> nics;
        std::uint32_t lastPart = none; // of the NIC before, and its server
        ServerId lastServer;
        bool isApart = false;
        const DeviceKind* const kindOf = m_fabric.devices.kind.data();
        const std::uint16_t* const partOf = m_fabric.devices.part.data();
        const ServerId* const serverOf = m_fabric.devices.server.data();
        for (std::size_t d = 0, end = m_fabric.devices.size(); d < end; ++d) {
            if (kindOf[d] != DeviceKind::Nic) continue;
            if (partOf[d] != lastPart || serverOf[d] != lastServer) {
                lastPart = partOf[d], lastServer = serverOf[d];
                const Part* const server = lastServer == none ? nullptr : m_fabric.parts[m_fabric.serverParts[lastServer]];
                isApart = isNicBoughtApart(m_fabric.partIds[lastPart], server);
            }
            if (isApart) nics.add(block(d), partOf[d]);
        }
        return nics;
    }

    static bool isNicBoughtApart(const std::string& nic, const Part* server) {
        const bool isInside = server && server->as<ServerPart>() && server->as<ServerPart>()->nic == nic;
        return !isInside && !nic.empty();
    }

    // Trays are bought with their racks: as many for each HB domain as hold its trays. A domain larger than a rack is in several.
    void addRackSystems(const std::vector<std::uint32_t>& blockOfServer) {
        const auto isTray = [&](const Part* part) { return systemOf(part) != nullptr; };
        if (std::none_of(m_fabric.parts.begin(), m_fabric.parts.end(), isTray)) return;
        struct Trays {
            std::uint32_t block = 0;
            const Part* system = nullptr;
            std::int64_t count = 0;
        };
        std::map<DomainId, Trays> traysOf; // of an HB domain
        std::vector<DomainId> domainOf(m_fabric.servers.size());
        for (const DeviceId d : m_fabric.devices.ids())
            if (const ServerId server = m_fabric.devices.server[d]; server != none && domainOf[server] == none)
                domainOf[server] = m_fabric.devices.hbDomain[d];
        for (std::size_t s = 0; s < blockOfServer.size(); ++s)
            if (const Part* system = systemOf(m_fabric.parts[m_fabric.serverParts[s]]); system && blockOfServer[s] != none)
                ++traysOf.try_emplace(domainOf[s], Trays{blockOfServer[s], system, 0}).first->second.count;
        std::map<std::pair<std::uint32_t, std::string>, std::pair<const Part*, std::int64_t>> counts;
        for (const auto& [domain, trays] : traysOf) {
            auto& [part, count] = counts[{trays.block, trays.system->id}];
            part = trays.system;
            count += racksFor(trays.count, *part->as<RackPart>());
        }
        for (const auto& [key, system] : counts) {
            BillLine line = lineOf(BillCategory::Server, "Compute", system.first, {}, system.second);
            line.typical = system.first->typicalElseMaximum();
            line.maximum = system.first->maximum;
            m_lines[key.first].push_back(line);
        }
    }
    // The rack with which a server is bought; null if it is bought alone.
    const Part* systemOf(const Part* server) const {
        const ServerPart* part = server ? server->as<ServerPart>() : nullptr;
        return part && !part->rackSystem.empty() ? m_fabric.design->catalog->find<RackPart>(part->rackSystem) : nullptr;
    }

    void addParts(const Counts<std::uint16_t>& counts, BillCategory category, const std::string& section) {
        for (const auto& [key, count] : counts) {
            if (systemOf(m_fabric.parts[key.second])) continue;
            BillLine line = lineOf(category, section, m_fabric.parts[key.second], m_fabric.partIds[key.second], count);
            if (line.part) line.typical = line.part->typicalElseMaximum(), line.maximum = line.part->maximum;
            m_lines[key.first].push_back(line);
        }
    }

    // They stand in no block. Each link has a second fibre, from the switch to its upper end; its length is not known.
    void addOpticalSwitches() {
        const OpticalSwitches switches = opticalSwitchesOf(m_fabric);
        if (!switches.isAny()) return;
        std::int64_t links = 0;
        for (const auto& own : switches.links) links += static_cast<std::int64_t>(own.size());
        BillLine line = lineOf(BillCategory::Switch, "Optical circuit switches", switches.part, switches.part->name,
                               static_cast<std::int64_t>(switches.links.size()));
        line.typical = switches.part->typicalElseMaximum();
        line.maximum = switches.part->maximum;
        m_lines.front().push_back(line);
        line = lineOf(BillCategory::Cable, cablesSection, nullptr, "fibre from an optical circuit switch, length to be measured", links);
        line.typical = line.maximum = Watts(0);
        m_lines.front().push_back(line);
    }

    void addModules() {
        const std::vector<ModuleCount> own = m_counted ? std::vector<ModuleCount>() : modulesOf(m_fabric, m_cabling, m_blockOf);
        for (const ModuleCount& module : m_counted ? m_counted->modules : own) {
            BillLine line = lineOf(BillCategory::Pluggable, opticsSection, module.part, moduleNeed(module.cage), module.count);
            if (module.part) line.typical = module.part->typicalElseMaximum(), line.maximum = module.part->maximum;
            m_lines[module.block].push_back(line);
        }
    }

    void addCables() {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> counts; // by block and choice
        if (m_blockOf.empty()) {
            const std::vector<CableCount> own = m_counted ? std::vector<CableCount>() : cableCountsOf(m_fabric, m_cabling);
            for (const CableCount& each : m_counted ? m_counted->cables : own)
                if (each.patchCables > 0) counts[{0, each.choice}] += each.patchCables;
        } else {
            for (const CabledLinkId l : m_cabling.links.ids())
                if (m_cabling.patch[l] == l) ++counts[{m_blockOf[lowerEnd(l)], m_cabling.choice[l]}];
        }
        std::map<std::pair<std::uint32_t, std::string>, BillLine> merged; // different modules may share a fibre
        for (const auto& [key, count] : counts) {
            const OpticChoice& choice = m_cabling.choices[key.second];
            const std::string name = choice.medium.empty() ? "cable (medium not selected)" : choice.medium + " " + choice.cableName;
            BillLine line = lineOf(BillCategory::Cable, cablesSection, choice.cable, name, count);
            line.description += fmt::format(", {:g} m", choice.ordered.value());
            line.length = choice.ordered;
            line.typical = line.maximum = Watts(0); // passive fibre
            if (!choice.pluggable()) {              // copper draws at both ends
                const auto twice = [](const std::optional<Watts>& end) { return end ? std::optional(*end * 2) : std::nullopt; };
                line.typical = twice(choice.cable->typicalElseMaximum());
                line.maximum = twice(choice.cable->maximum);
            }
            const std::string id =
                fmt::format("{}{:09.1f}{}", choice.cable ? choice.cable->id : "", choice.ordered.value(), line.description);
            auto [it, fresh] = merged.emplace(std::pair(key.first, id), line);
            if (!fresh) it->second.quantity += count;
        }
        for (auto& [key, line] : merged) m_lines[key.first].push_back(line);
    }

    // Racks, what hangs in them, and the work of setting up and cabling. A rack belongs to the block of what it holds first.
    void addRacksAndWork() {
        const Floor& floor = m_cabling.floor;
        std::vector<std::uint32_t> blockOfRack(floor.racks.size(), none);
        for (std::size_t d = 0; d < floor.chassisOf.size(); ++d)
            if (const Chassis* at = floor.chassisAt(d); at && at->rack != none && blockOfRack[at->rack] == none)
                blockOfRack[at->rack] = block(d);
        for (const Guest& guest : floor.guests) // racks that only hold switches of the other networks belong to no block
            if (guest.rack != none && blockOfRack[guest.rack] == none) blockOfRack[guest.rack] = 0;
        Counts<const Part*> racks;
        std::map<std::uint32_t, std::int64_t> racksOf, cablesOf;
        for (std::size_t r = 0; r < blockOfRack.size(); ++r) {
            if (blockOfRack[r] == none) continue;
            const Part* rack = floor.racks[r].part;
            if (rack && rack->as<RackPart>()->system) continue; // bought with its servers, and set up by its maker
            racks.add(blockOfRack[r], floor.racks[r].part);
            ++racksOf[blockOfRack[r]];
        }
        for (const CabledLinkId l : m_cabling.links.ids())
            if (m_cabling.patch[l] == l) ++cablesOf[block(lowerEnd(l))];
        for (const auto& [key, count] : racks)
            m_lines[key.first].push_back(lineOf(BillCategory::Rack, "Racks", key.second, "rack (no part in the catalogue)", count));
        addWork(racksOf, BillCategory::Rack, "Racks", "rack-cable-management");
        addWork(racksOf, BillCategory::Labour, "Labour", "work-rack");
        addWork(cablesOf, BillCategory::Labour, "Labour", cableWork);
    }
    void addWork(const std::map<std::uint32_t, std::int64_t>& counts, BillCategory category, const char* section, const char* id) {
        const Part* part = m_fabric.design->catalog->find(id);
        for (const auto& [at, count] : counts) {
            BillLine line = lineOf(category, section, part, id, count);
            if (part && part->as<ServicePart>()) line.unit = part->as<ServicePart>()->unit;
            m_lines[at].push_back(line);
        }
    }

    const Fabric& m_fabric;
    const Cabling& m_cabling;
    const std::vector<std::uint32_t>& m_blockOf;
    const CountedCables* m_counted;
    std::vector<std::vector<BillLine>> m_lines;
};

void addPower(Bill& bill, const BillLine& line) {
    std::optional<Watts>& sum = bill.watts[static_cast<std::size_t>(line.category)];
    if (sum) sum = line.typical ? std::optional(*sum + *line.typical * static_cast<double>(line.quantity)) : std::nullopt;
    const std::string name = line.part ? line.part->id : line.description;
    const bool known = std::find(bill.unknownPower.begin(), bill.unknownPower.end(), name) != bill.unknownPower.end();
    if (!line.typical && !known) bill.unknownPower.push_back(name);
}

void addUp(Bill& bill) {
    bill.watts.fill(Watts(0));
    bill.byCategory.fill(Money());
    std::array<int, billCategoryNames.size()> priced{};
    for (const BillLine& line : bill.lines) {
        const auto c = static_cast<std::size_t>(line.category);
        ++bill.linesByCategory[c];
        if (c < poweredCategories) addPower(bill, line);
        if (!line.base) {
            ++bill.unpricedLines;
            continue;
        }
        ++priced[c];
        bill.byCategory[c] = *bill.byCategory[c] + *line.base * line.quantity;
        bill.total += *line.base * line.quantity;
        bill.low += *line.low * line.quantity;
        bill.high += *line.high * line.quantity;
        if (c <= static_cast<std::size_t>(BillCategory::Pluggable)) bill.network += *line.base * line.quantity;
    }
    for (std::size_t c = 0; c < priced.size(); ++c)
        if (bill.linesByCategory[c] > 0 && priced[c] == 0) bill.byCategory[c] = std::nullopt;
    bill.networkPowerAtMost = Watts(0);
    for (const BillLine& line : bill.lines) {
        if (line.category > BillCategory::Pluggable) continue;
        const std::optional<Watts> each = line.typical ? line.typical : line.maximum;
        bill.networkPowerAtMost = bill.networkPowerAtMost && each
                                      ? std::optional(*bill.networkPowerAtMost + *each * static_cast<double>(line.quantity))
                                      : std::nullopt;
    }
    bill.networkPower = Watts(0);
    for (const auto c : {BillCategory::Switch, BillCategory::Cable, BillCategory::Pluggable}) {
        const auto& watts = bill.watts[static_cast<std::size_t>(c)];
        bill.networkPower = bill.networkPower && watts ? std::optional(*bill.networkPower + *watts) : std::nullopt;
    }
    bill.totalPower = Watts(0);
    for (const auto& watts : bill.watts)
        bill.totalPower = bill.totalPower && watts ? std::optional(*bill.totalPower + *watts) : std::nullopt;
}

} // namespace

std::optional<Watts> Bill::facilityPower() const { return totalPower ? std::optional(*totalPower * site.pue) : std::nullopt; }

std::optional<double> Bill::energyPerYear() const {
    const auto facility = facilityPower();
    return facility ? std::optional(facility->value() / 1000 * hoursPerYear * site.usdPerKwh) : std::nullopt;
}

std::optional<double> Bill::spacePerYear() const {
    return totalPower ? std::optional(totalPower->value() / 1000 * 12 * site.usdPerKwMonth) : std::nullopt;
}

std::vector<std::vector<BillLine>> billLines(const Fabric& fabric, const Cabling& cabling, const std::vector<std::uint32_t>& blockOf,
                                             std::size_t blocks) {
    return LineCounter(fabric, cabling, blockOf, blocks).count();
}

namespace {

bool isCableWork(const BillLine& line) {
    return line.category == BillCategory::Labour && (line.part ? line.part->id : line.description) == cableWork;
}

// The work on the cables of another network is done with that of the compute fabric: one line.
void addLine(Bill& bill, BillLine line) {
    const auto same = isCableWork(line) ? std::find_if(bill.lines.begin(), bill.lines.end(), isCableWork) : bill.lines.end();
    if (same == bill.lines.end())
        bill.lines.push_back(std::move(line));
    else
        same->quantity += line.quantity;
}

} // namespace

std::vector<BillLine> billLines(const AuxiliaryFabric& side) {
    const auto category = side.name == "storage"   ? BillCategory::Storage
                          : side.name == "in-band" ? BillCategory::InBand
                                                   : BillCategory::OutOfBand;
    std::vector<BillLine> lines, all = billLines(*side.fabric, side.cabling, {}, 1).front();
    for (BillLine& line : all) {
        if (isCableWork(line)) lines.push_back(line); // the racks are those of the design
        if (line.category > BillCategory::Pluggable) continue;
        line.category = category;
        line.section = side.name + " " + line.section;
        line.section.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(line.section.front())));
        lines.push_back(std::move(line));
    }
    return lines;
}

Bill billOf(const Fabric& fabric, const Cabling& cabling, const CountedCables* counted) {
    Bill bill;
    bill.site = siteOf(*fabric.design);
    bill.lines = LineCounter(fabric, cabling, {}, 1, counted).count().front();
    for (const AuxiliaryFabric& side : auxiliaryFabricsOf(cabling))
        for (BillLine& line : billLines(side)) addLine(bill, std::move(line));
    addUp(bill);
    return bill;
}

} // namespace railyard
