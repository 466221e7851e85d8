#include "core/bill/bill.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

void price(BillLine& line, Metres length) {
    if (!line.part || !line.part->price) return;
    const Price& p = *line.part->price;
    line.base = line.category == BillCategory::Cable ? p.baseAt(length) : p.base;
    if (!line.base) return;
    line.low = p.low.value_or(*line.base);
    line.high = p.high.value_or(*line.base);
}

BillLine lineOf(BillCategory category, std::string section, const Part* part, std::string description, std::int64_t quantity) {
    BillLine line;
    line.category = category;
    line.section = std::move(section);
    line.part = part;
    line.description = part ? part->name : std::move(description);
    line.quantity = quantity;
    return line;
}

void addSwitches(const Fabric& fabric, std::vector<BillLine>& lines) {
    std::map<std::pair<SwitchTier, std::uint16_t>, std::int64_t> counts;
    for (std::size_t d = 0; d < fabric.devices.size(); ++d)
        if (fabric.devices.kind[d] == DeviceKind::Switch) ++counts[{fabric.devices.tier[d], fabric.devices.part[d]}];
    static constexpr std::string_view sections[] = {"Switches", "Leaf", "Spine", "Superspine", "Core"};
    for (const auto& [key, count] : counts) {
        const Part* part = fabric.parts[key.second];
        BillLine line = lineOf(BillCategory::Switch, std::string(sections[static_cast<std::size_t>(key.first)]), part,
                               "switch, part to be chosen", count);
        if (part) {
            line.typical = part->typical; // without optics
            line.maximum = part->maximum;
        }
        lines.push_back(line);
    }
}

void addServersAndNics(const Fabric& fabric, std::vector<BillLine>& lines) {
    std::vector<bool> present(fabric.servers.size());
    std::map<std::uint16_t, std::int64_t> servers, nics;
    for (std::size_t d = 0; d < fabric.devices.size(); ++d) {
        const std::uint32_t server = fabric.devices.server[d];
        if (server != none) present[server] = true;
        if (fabric.devices.kind[d] != DeviceKind::Nic) continue;
        const Part* chassis = server == none ? nullptr : fabric.parts[fabric.serverParts[server]];
        const bool inside =
            chassis && chassis->as<ServerPart>() && chassis->as<ServerPart>()->nic == fabric.partIds[fabric.devices.part[d]];
        if (!inside && !fabric.partIds[fabric.devices.part[d]].empty()) ++nics[fabric.devices.part[d]];
    }
    for (std::size_t s = 0; s < present.size(); ++s)
        if (present[s]) ++servers[fabric.serverParts[s]];
    const auto add = [&](const std::map<std::uint16_t, std::int64_t>& counts, BillCategory category, const std::string& section) {
        for (const auto& [index, count] : counts) {
            BillLine line = lineOf(category, section, fabric.parts[index], fabric.partIds[index], count);
            if (line.part) line.typical = line.part->typicalElseMaximum(), line.maximum = line.part->maximum;
            lines.push_back(line);
        }
    };
    add(servers, BillCategory::Server, "Compute");
    add(nics, BillCategory::Nic, "NICs");
}

void addModules(const Fabric& fabric, const Cabling& cabling, std::vector<BillLine>& lines) {
    for (const ModuleCount& module : modulesOf(fabric, cabling)) {
        const std::string need =
            fmt::format("module for {} cage, {} × {:g} Gb/s", module.cage.form, module.cage.links, inGbps(module.cage.speed));
        BillLine line = lineOf(BillCategory::Pluggable, "Optics", module.part, need, module.count);
        if (module.part) line.typical = module.part->typicalElseMaximum(), line.maximum = module.part->maximum;
        lines.push_back(line);
    }
}

void addCables(const Fabric& fabric, const Cabling& cabling, std::vector<BillLine>& lines) {
    std::map<std::uint16_t, std::int64_t> counts;
    for (std::size_t l = 0; l < fabric.links.size(); ++l)
        if (fabric.isNetworkLink(l)) ++counts[cabling.choice[l]];
    std::map<std::string, BillLine> merged; // different modules may share a fibre
    for (const auto& [index, count] : counts) {
        const OpticChoice& choice = cabling.choices[index];
        const std::string name = choice.medium.empty() ? "cable, medium to be chosen" : choice.medium + " " + choice.fibreName;
        BillLine line = lineOf(BillCategory::Cable, "Cables", choice.fibre, name, count);
        line.description += fmt::format(", {:g} m", cabling.length.value());
        line.typical = line.maximum = Watts(0); // passive fibre
        auto [it, fresh] = merged.emplace((choice.fibre ? choice.fibre->id : "") + line.description, line);
        if (!fresh) it->second.quantity += count;
    }
    for (auto& [key, line] : merged) lines.push_back(line);
}

void addUp(Bill& bill) {
    for (std::size_t c = 0; c < billCategoryNames.size(); ++c) {
        bill.watts[c] = Watts(0);
        bill.byCategory[c] = Money();
    }
    std::array<int, 5> priced{};
    for (const BillLine& line : bill.lines) {
        const auto c = static_cast<std::size_t>(line.category);
        ++bill.linesByCategory[c];
        if (bill.watts[c])
            bill.watts[c] =
                line.typical ? std::optional(*bill.watts[c] + *line.typical * static_cast<double>(line.quantity)) : std::nullopt;
        const std::string name = line.part ? line.part->id : line.description;
        const bool known = std::find(bill.unknownPower.begin(), bill.unknownPower.end(), name) != bill.unknownPower.end();
        if (!line.typical && !known) bill.unknownPower.push_back(name);
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
    bill.networkPower = Watts(0);
    for (const auto c : {BillCategory::Switch, BillCategory::Cable, BillCategory::Pluggable}) {
        const auto& watts = bill.watts[static_cast<std::size_t>(c)];
        bill.networkPower = bill.networkPower && watts ? std::optional(*bill.networkPower + *watts) : std::nullopt;
    }
    const auto &nic = bill.watts[static_cast<std::size_t>(BillCategory::Nic)],
               &server = bill.watts[static_cast<std::size_t>(BillCategory::Server)];
    if (bill.networkPower && nic && server) bill.totalPower = *bill.networkPower + *nic + *server;
}

} // namespace

Bill billOf(const Fabric& fabric, const Cabling& cabling) {
    Bill bill;
    addServersAndNics(fabric, bill.lines);
    addSwitches(fabric, bill.lines);
    addModules(fabric, cabling, bill.lines);
    addCables(fabric, cabling, bill.lines);
    for (BillLine& line : bill.lines) price(line, cabling.length);
    addUp(bill);
    return bill;
}

} // namespace railyard
