#include "core/bill/side_networks.h"

#include "core/design/recipe.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {

std::vector<SideFabric> sideFabricsOf(const Design& design) {
    std::vector<SideFabric> sides;
    for (const SideNetwork& network : design.sides) {
        auto built = build(network.call, network.name, design.catalog);
        if (!built) continue; // refused when it was made, and when it was read
        FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
        Cabling cabling = cablingOf(*fabric);
        sides.push_back({network.name, std::move(fabric), std::move(cabling), network.others});
    }
    return sides;
}

std::vector<std::string> sideHosts(const std::vector<SideFabric>& sides, std::size_t which, const Fabric& compute) {
    const SideFabric& side = sides[which];
    const std::size_t all = side.fabric->servers.size(), ours = all - std::min(all, static_cast<std::size_t>(side.others));
    std::vector<std::string> hosts;
    for (std::size_t s = 0; s < ours && s < compute.servers.size(); ++s) hosts.push_back(compute.scopePath(compute.servers[s]));
    const auto addSwitches = [&](const Fabric& fabric, const std::string& prefix) {
        for (std::size_t d = 0; d < fabric.devices.size(); ++d)
            if (fabric.devices.kind[d] == DeviceKind::Switch && hosts.size() < all) hosts.push_back(prefix + fabric.devicePath(d));
    };
    if (side.name == "out-of-band") {
        hosts.resize(ours);
        addSwitches(compute, "");
        for (std::size_t s = 0; s < which; ++s) addSwitches(*sides[s].fabric, sides[s].name + "/");
    }
    for (int node = 1; hosts.size() < all; ++node) hosts.push_back(fmt::format("storage/node[{}]", node));
    return hosts;
}

std::string sidePath(const SideFabric& side, const std::vector<std::string>& hosts, std::uint32_t device) {
    const std::uint32_t server = side.fabric->devices.server[device];
    if (server == none) return side.name + "/" + side.fabric->devicePath(device);
    return fmt::format("{}/{}[{}]", hosts[server], side.name, side.fabric->devices.index[device]);
}

} // namespace railyard
