#include "core/bill/side_networks.h"

#include "core/design/recipe.h"
#include "core/fabric/elaborate.h"

#include <fmt/format.h>

namespace railyard {

namespace {

// What was drawn, before any failure.
const Fabric& drawn(const Fabric& fabric) { return fabric.intact ? *fabric.intact : fabric; }

std::vector<std::string> serversOf(const Fabric& compute) {
    std::vector<bool> there(compute.servers.size());
    for (const std::uint32_t server : compute.devices.server)
        if (server != none) there[server] = true;
    std::vector<std::string> paths;
    for (std::size_t s = 0; s < there.size(); ++s)
        if (there[s]) paths.push_back(compute.scopePath(compute.servers[s]));
    return paths;
}

void addSwitches(const Fabric& fabric, const std::string& prefix, std::vector<std::string>& hosts) {
    for (std::size_t d = 0; d < fabric.devices.size(); ++d)
        if (fabric.devices.kind[d] == DeviceKind::Switch) hosts.push_back(prefix + fabric.devicePath(d));
}

} // namespace

std::vector<std::string> sideHosts(const std::vector<SideFabric>& sides, std::size_t which, const Fabric& compute) {
    const std::string& name = which < sides.size() ? sides[which].name : std::string();
    std::vector<std::string> hosts = serversOf(drawn(compute));
    if (name == "out-of-band") {
        addSwitches(drawn(compute), "", hosts);
        for (std::size_t s = 0; s < which; ++s) addSwitches(*sides[s].fabric, sides[s].name + "/", hosts);
    }
    for (const SideNetwork& network : compute.design->sides)
        if (network.name == "storage" && name != "in-band")
            for (int node = 1; node <= network.others; ++node) hosts.push_back(fmt::format("storage/node[{}]", node));
    return hosts;
}

std::vector<SideFabric> sideFabricsOf(const Fabric& compute) {
    std::vector<SideFabric> sides;
    for (const SideNetwork& network : compute.design->sides) {
        sides.push_back({network.name, nullptr, {}, 0});
        const auto hosts = static_cast<int>(sideHosts(sides, sides.size() - 1, compute).size());
        RecipeCall call = network.call;
        call.parameters["servers"] = std::to_string(hosts);
        auto built = hosts > 0 ? build(call, network.name, compute.design->catalog) : Result<Design>(Error::unbuildable("no hosts"));
        if (!built) { // refused when it was made, and when it was read
            sides.pop_back();
            continue;
        }
        sides.back().fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
        sides.back().cabling = cablingOf(*sides.back().fabric);
        sides.back().others = hosts - static_cast<int>(serversOf(drawn(compute)).size());
    }
    return sides;
}

std::string sidePath(const SideFabric& side, const std::vector<std::string>& hosts, std::uint32_t device) {
    const std::uint32_t server = side.fabric->devices.server[device];
    if (server == none) return side.name + "/" + side.fabric->devicePath(device);
    return fmt::format("{}/{}[{}]", hosts[server], side.name, side.fabric->devices.index[device]);
}

} // namespace railyard
