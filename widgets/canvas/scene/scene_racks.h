// An HB domain that is bought as a rack is drawn as one: flat trays above each other, with the trays of its HB switches between them.
#pragma once

#include "widgets/canvas/scene/scene.h"

#include <map>

namespace railyard {

struct RackContent { // of an HB domain
    std::vector<ScopeId> trays;
    std::size_t traysAbove = 0; // the trays of its HB switches
    int switchTrays = 0, switchesPerTray = 1;
    std::vector<DeviceId> hbSwitches;
    std::int64_t gpus = 0;
    std::size_t nicsOfTray = 0;
    const Part* part = nullptr; // of the rack
};
std::map<ScopeId, RackContent> rackContents(const Fabric& fabric); // by HB domain; no other domains
// Of all these HB domains; empty if one of them is no rack, or if they are too many for a card.
std::vector<const RackContent*> racksOf(const std::map<ScopeId, RackContent>& all, const std::vector<ScopeId>& domains);

double rackHeight(const RackContent& rack);
double widthOfRacks(std::size_t racks); // the least of a card with several of them
// Where it stands, and its trays, which the caller adds to the scene. `columns`: distance between the leaves above it; 0: none are.
std::pair<SceneRack, std::vector<SceneNode>> layOutRack(const Fabric& fabric, const RackContent& content, QRectF place, double columns);
QRectF switchTrayRect(const SceneRack& rack, int tray); // from 0
QRectF hbSwitchRect(const SceneRack& rack, std::size_t hbSwitch);
// In a card that holds this many racks, side by side.
QRectF placeInCard(const QRectF& card, const RackContent& rack, std::size_t at, std::size_t racks);

} // namespace railyard
