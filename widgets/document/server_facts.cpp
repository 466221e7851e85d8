#include "widgets/document/server_facts.h"

#include "core/analysis/cable_edits.h"
#include "core/fabric/path_finder.h"
#include "core/fabric/rack_systems.h"
#include "widgets/document/cable_facts.h"
#include "widgets/theme/text.h"

#include <QObject>
#include <algorithm>
#include <map>

namespace railyard {
namespace {

std::optional<ServerId> serverAt(const Fabric& fabric, const PathFinder& finder, const std::string& path) {
    const auto scope = finder.scope(path);
    if (!scope || fabric.scopes[*scope].role != Instance::Role::Server) return {};
    const auto found = std::lower_bound(fabric.servers.begin(), fabric.servers.end(), *scope);
    if (found == fabric.servers.end() || *found != *scope) return {};
    return ServerId(static_cast<std::uint32_t>(found - fabric.servers.begin()));
}

struct ServerReader {
    const Fabric& fabric;
    const Cabling& cabling;
    ServerFacts facts;
    std::vector<DeviceId> gpus = {}, nics = {};
    std::map<DeviceId, std::size_t> place = {}; // of a GPU or NIC in its list

    void readDevices(DeviceId first, DeviceId last) {
        for (DeviceId d = first; d < last; d = DeviceId(d + 1)) {
            if (!fabric.devices.isGpu(d) && !fabric.devices.isNic(d)) continue;
            auto& list = fabric.devices.isGpu(d) ? gpus : nics;
            (fabric.devices.isGpu(d) ? facts.gpus : facts.nics).push_back(static_cast<int>(fabric.devices.index[d]));
            place[d] = list.size();
            list.push_back(d);
        }
        facts.nicsOf.resize(gpus.size());
    }
    void readLinks(DeviceId first, DeviceId last) {
        std::map<DeviceId, std::vector<int>> hbSwitches; // links by GPU
        const auto isInside = [&](DeviceId d) { return d >= first && d < last; };
        for (const LinkId l : fabric.links.ids()) {
            const DeviceId a = fabric.links.a[l], b = fabric.links.b[l];
            if (!isInside(a) && !isInside(b)) continue;
            if (fabric.isNetworkLink(l))
                addCable(l, isInside(a) ? a : b);
            else if (fabric.links.tier[l] == LinkTier::Pcie)
                addPcie(a, b);
            else if (isInside(a) && fabric.devices.isGpu(a)) {
                facts.hbLink = fabric.speedOf(l);
                if (place[a] == 0) facts.hbOfGpu = facts.hbOfGpu + facts.hbLink;
                if (fabric.devices.isHbSwitch(b)) hbSwitches.try_emplace(b, gpus.size()).first->second[place[a]]++;
            }
        }
        for (const auto& [node, counts] : hbSwitches) facts.hbSwitches.push_back(static_cast<int>(fabric.devices.index[node]));
        if (!hbSwitches.empty())
            for (std::size_t g = 0; g < gpus.size(); ++g)
                for (auto& row = facts.hbLinks.emplace_back(); const auto& [node, counts] : hbSwitches) row.push_back(counts[g]);
    }
    void addPcie(DeviceId a, DeviceId b) {
        if (!place.contains(a) || !place.contains(b) || fabric.devices.isGpu(a) == fabric.devices.isGpu(b)) return;
        const bool isGpuFirst = fabric.devices.isGpu(a);
        facts.nicsOf[place[isGpuFirst ? a : b]].push_back(place[isGpuFirst ? b : a]);
    }
    void addCable(LinkId link, DeviceId nic) {
        if (!place.contains(nic) || !fabric.devices.isNic(nic)) return; // of a host
        const CableFacts cable = factsOf(fabric, link, cabling);
        ServerFacts::Nic row;
        row.nic = place[nic];
        row.rail = cable.rail.toInt();
        row.farPath = fabric.links.a[link] == nic ? cable.upper : cable.lower;
        row.farEnd = row.farPath.section(QLatin1Char('/'), -1);
        row.cable = cable.id;
        row.length = cable.length;
        facts.rows.push_back(std::move(row));
    }
    void sortRows() {
        for (std::size_t n = 0; n < nics.size(); ++n)
            if (std::none_of(facts.rows.begin(), facts.rows.end(), [&](const auto& row) { return row.nic == n; })) {
                ServerFacts::Nic free;
                free.nic = n;
                free.rail = static_cast<int>(fabric.devices.rail[nics[n]]);
                facts.rows.push_back(free);
            }
        std::stable_sort(facts.rows.begin(), facts.rows.end(), [](const auto& x, const auto& y) { return x.nic < y.nic; });
    }
};

} // namespace

std::optional<ServerFacts> serverFactsAt(const Fabric& fabric, const Cabling& cabling, const std::string& path) {
    const PathFinder finder(fabric);
    const auto server = serverAt(fabric, finder, path);
    if (!server) return {};
    ServerReader reader{fabric, cabling, {}};
    reader.facts.part = fabric.parts[fabric.serverParts[*server]];
    if (const Part* rack = rackSystemOf(fabric, *server))
        reader.facts.hbSwitchesPerTray = std::max(1, rack->as<RackPart>()->system->switchesPerTray);
    const auto [first, last] = finder.devicesOf(fabric.servers[*server]);
    reader.readDevices(first, last);
    reader.readLinks(first, last);
    reader.sortRows();
    return std::move(reader.facts);
}

bool areTraysOfRacks(const Fabric& fabric, const std::vector<std::string>& paths) {
    const PathFinder finder(fabric);
    return !paths.empty() && std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
        const auto server = serverAt(fabric, finder, path);
        return server && rackSystemOf(fabric, *server);
    });
}

QString lossOfTrays(const Fabric& fabric, const std::vector<std::string>& paths) {
    const PathFinder finder(fabric);
    By<DomainId, std::int64_t> all(fabric.hbDomains.size());
    std::map<DomainId, std::int64_t> lost;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d) && fabric.devices.hbDomain[d] != none) ++all[fabric.devices.hbDomain[d]];
    std::int64_t gpus = 0;
    for (const std::string& path : paths) {
        const auto server = serverAt(fabric, finder, path);
        if (!server) continue;
        const auto [first, last] = finder.devicesOf(fabric.servers[*server]);
        for (DeviceId d = first; d < last; d = DeviceId(d + 1))
            if (fabric.devices.isGpu(d)) ++gpus, ++lost[fabric.devices.hbDomain[d]];
    }
    const QString words = (paths.size() == 1 ? QObject::tr("If it fails: %1") : QObject::tr("If they fail: %1"))
                              .arg(counted(gpus, QObject::tr("%1 GPU lost"), QObject::tr("%1 GPUs lost")));
    if (lost.empty()) return words;
    const bool isOne = lost.size() == 1;
    const auto& [domain, count] = *lost.begin();
    const auto isSame = [&](const auto& each) {
        return all[each.first] - each.second == all[domain] - count && all[each.first] == all[domain];
    };
    if (!isOne && !std::all_of(lost.begin(), lost.end(), isSame)) return words;
    const QString keeps = QObject::tr("%1 of %2 GPUs").arg(all[domain] - count).arg(all[domain]);
    return words + (isOne ? QObject::tr(" · %1 keeps %2").arg(text(fabric.scopePath(fabric.hbDomains[domain])), keeps)
                          : QObject::tr(" · each of %1 racks keeps %2").arg(lost.size()).arg(keeps));
}

} // namespace railyard
