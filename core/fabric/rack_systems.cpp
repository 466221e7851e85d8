#include "core/fabric/rack_systems.h"

namespace railyard {

const Part* rackSystemOf(const Fabric& fabric, ServerId server) {
    const Part* part = fabric.parts[fabric.serverParts[server]];
    const ServerPart* facts = part ? part->as<ServerPart>() : nullptr;
    const Part* rack = facts && !facts->rackSystem.empty() ? fabric.design->catalog->find<RackPart>(facts->rackSystem) : nullptr;
    return rack && rack->as<RackPart>()->system ? rack : nullptr;
}

} // namespace railyard
