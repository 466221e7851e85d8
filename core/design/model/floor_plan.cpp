#include "core/design/model/floor_plan.h"

#include <algorithm>
#include <cmath>

namespace railyard {

int serversInRack(const Part& server, const RackPart& rack) {
    if (rack.system && rack.system->tray == server.id) return static_cast<int>(rack.system->trayUnits.size());
    const double byUnits = server.rackUnits && *server.rackUnits > 0 ? std::floor(rack.units / *server.rackUnits) : 1;
    const auto watts = server.maximum ? server.maximum : server.typical;
    const double byPower = watts && watts->value() > 0 ? std::floor(rack.power / *watts + 1e-9) : byUnits;
    return static_cast<int>(std::min(byUnits, byPower));
}

const Part* rackFor(const FloorPlan& plan, const Part* server, const Catalog& catalog) {
    if (!plan.rack.empty()) return catalog.find<RackPart>(plan.rack);
    const Part* best = nullptr;
    const auto rank = [&](const Part& part) {
        const RackPart& rack = *part.as<RackPart>();
        const bool made = server && std::find(rack.madeFor.begin(), rack.madeFor.end(), server->id) != rack.madeFor.end();
        const int holds = server ? std::min(2, serversInRack(*server, rack)) : (rack.units >= 48 ? 2 : 1);
        return std::make_tuple(!made, -holds, rack.power, part.id);
    };
    for (const auto& [id, part] : catalog.parts()) {
        if (!part.as<RackPart>() || (server && serversInRack(*server, *part.as<RackPart>()) < 1)) continue;
        const bool forOthers = !part.as<RackPart>()->madeFor.empty() && std::get<0>(rank(part));
        if (!forOthers && (!best || rank(part) < rank(*best))) best = &part;
    }
    return best;
}

} // namespace railyard
