#include "widgets/canvas/scene/scene_racks.h"

#include "widgets/canvas/scene/scene_measure.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr double trayHeight = 12.5, trayPitch = 16.4, numbers = 19, hbSide = 22, blockTitle = 20, switchPitch = 7.6, aroundSwitches = 8;
constexpr double leastRackWidth = 124, betweenRacks = 6;
constexpr std::size_t mostTrays = 40, mostRacks = 8; // more are drawn as cards in a grid

double blockHeight(int switchTrays) { return switchTrays > 0 ? blockTitle + switchPitch * switchTrays + 6 : 0; }

} // namespace

std::map<ScopeId, RackContent> rackContents(const Fabric& fabric) {
    std::map<ScopeId, RackContent> racks;
    std::vector<const Part*> rackOf(fabric.parts.size()); // by part of a server
    for (std::size_t p = 0; p < fabric.parts.size(); ++p) {
        const ServerPart* server = fabric.parts[p] ? fabric.parts[p]->as<ServerPart>() : nullptr;
        const Part* rack = server && !server->rackSystem.empty() ? fabric.design->catalog->find<RackPart>(server->rackSystem) : nullptr;
        if (rack && rack->as<RackPart>()->system) rackOf[p] = rack;
    }
    if (std::all_of(rackOf.begin(), rackOf.end(), [](const Part* each) { return !each; })) return racks;
    By<ServerId, RackContent*> ofServer(fabric.servers.size());
    for (const ServerId server : indices<ServerId>(fabric.servers.size())) {
        const ScopeId domain = fabric.scopes[fabric.servers[server]].parent;
        const Part* part = rackOf[fabric.serverParts[server]];
        if (!part || domain == none || fabric.scopes[domain].role != Instance::Role::HbDomain) continue;
        RackContent& rack = racks[domain];
        rack.part = part;
        rack.trays.push_back(fabric.servers[server]);
        ofServer[server] = &rack;
    }
    std::vector<RackContent*> ofDomain(fabric.hbDomains.size());
    for (std::size_t d = 0; d < ofDomain.size(); ++d)
        if (const auto rack = racks.find(fabric.hbDomains[DomainId(d)]); rack != racks.end()) ofDomain[d] = &rack->second;
    By<ServerId, std::size_t> nics(fabric.servers.size());
    for (const DeviceId d : fabric.devices.ids()) {
        const ServerId server = fabric.devices.server[d];
        if (fabric.devices.isNic(d) && server != none && ofServer[server])
            ofServer[server]->nicsOfTray = std::max(ofServer[server]->nicsOfTray, ++nics[server]);
        const DomainId domain = fabric.devices.hbDomain[d];
        if (domain == none || !ofDomain[domain]) continue;
        ofDomain[domain]->gpus += fabric.devices.isGpu(d);
        if (fabric.devices.isHbSwitch(d)) ofDomain[domain]->hbSwitches.push_back(d);
    }
    for (auto& [domain, rack] : racks) {
        const RackSystem& system = *rack.part->as<RackPart>()->system;
        const auto &units = system.switchTrayUnits, &trays = system.trayUnits;
        const int top = units.empty() ? 0 : *std::max_element(units.begin(), units.end());
        const auto above = std::count_if(trays.begin(), trays.end(), [&](int each) { return each > top; });
        rack.switchesPerTray = std::max(1, system.switchesPerTray);
        rack.switchTrays = (static_cast<int>(rack.hbSwitches.size()) + rack.switchesPerTray - 1) / rack.switchesPerTray;
        rack.traysAbove = std::min(rack.trays.size(), static_cast<std::size_t>(above));
    }
    return racks;
}

std::vector<const RackContent*> racksOf(const std::map<ScopeId, RackContent>& all, const std::vector<ScopeId>& domains) {
    std::vector<const RackContent*> racks;
    for (const ScopeId domain : domains) {
        const auto rack = all.find(domain);
        const std::size_t trays = rack == all.end() ? 0 : rack->second.trays.size();
        if (trays < 2 || trays > mostTrays || racks.size() == mostRacks) return {};
        racks.push_back(&rack->second);
    }
    return racks;
}

double rackHeight(const RackContent& rack) {
    return measure::cardHeader + 2 + trayPitch * static_cast<double>(rack.trays.size()) +
           (rack.switchTrays > 0 ? blockHeight(rack.switchTrays) + 2 * aroundSwitches : 0) + measure::cardPadding;
}

double widthOfRacks(std::size_t racks) {
    return racks < 2 ? 0 : static_cast<double>(racks) * (leastRackWidth + betweenRacks) + betweenRacks;
}

QRectF placeInCard(const QRectF& card, const RackContent& rack, std::size_t at, std::size_t racks) {
    const auto count = static_cast<double>(racks);
    const double width = (card.width() - (count + 1) * betweenRacks) / count;
    return {card.left() + betweenRacks + static_cast<double>(at) * (width + betweenRacks), card.top() + measure::cardHeader, width,
            rackHeight(rack)};
}

QRectF switchTrayRect(const SceneRack& rack, int tray) {
    const QRectF& block = rack.switches;
    constexpr double aside = 6, below = 4;
    const double pitch = (block.height() - blockTitle - below) / rack.switchTrays;
    return {block.left() + aside, block.top() + blockTitle + pitch * (tray + 0.1), block.width() - 2 * aside, pitch * 0.8};
}

QRectF hbSwitchRect(const SceneRack& rack, std::size_t hbSwitch) {
    const int at = static_cast<int>(hbSwitch), perTray = rack.switchesPerTray;
    const QRectF tray = switchTrayRect(rack, at / perTray);
    const double apart = std::min(0.3, 0.9 / perTray), share = 0.5 + apart * (at % perTray - (perTray - 1) / 2.0);
    return {tray.left() + tray.width() * share - tray.height(), tray.top(), 2 * tray.height(), tray.height()};
}

std::pair<SceneRack, std::vector<SceneNode>> layOutRack(const Fabric& fabric, const RackContent& content, QRectF place, double columns) {
    SceneRack rack;
    std::vector<SceneNode> trays;
    rack.rect = place;
    rack.switchTrays = content.switchTrays;
    rack.switchesPerTray = content.switchesPerTray;
    rack.hbSwitches = content.hbSwitches;
    rack.hbX = place.right() - hbSide / 2;
    const double left = place.left() + numbers, width = place.width() - numbers - hbSide;
    double y = place.top() + measure::cardHeader + 2;
    for (std::size_t tray = 0; tray < content.trays.size(); ++tray) {
        if (tray == content.traysAbove && content.switchTrays > 0) {
            y += aroundSwitches - (trayPitch - trayHeight) / 2;
            rack.switches = QRectF(left, y, width, blockHeight(content.switchTrays));
            y += rack.switches.height() + aroundSwitches;
        }
        SceneNode node;
        node.shape = Shape::Server;
        node.rect = QRectF(left, y, width, trayHeight);
        node.scope = content.trays[tray];
        node.number = static_cast<int>(fabric.scopes[content.trays[tray]].index);
        node.largestOfRow = static_cast<int>(fabric.scopes[content.trays.back()].index);
        node.isTray = true;
        node.pipAt = columns > 0 ? 1 + columns / 2 - numbers : 0;
        node.pipPitch = columns;
        trays.push_back(node);
        y += trayPitch;
    }
    return {rack, trays};
}

} // namespace railyard
