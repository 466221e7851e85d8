#include "core/bill/auxiliary_networks.h"

#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"

#include <fmt/format.h>

namespace railyard {

namespace {

// What was drawn, before any failure.
const Fabric& drawn(const Fabric& fabric) { return fabric.intact ? *fabric.intact : fabric; }

std::vector<std::string> serversOf(const Fabric& compute) {
    std::vector<bool> there(compute.servers.size());
    for (const ServerId server : compute.devices.server)
        if (server != none) there[server] = true;
    std::vector<std::string> paths;
    for (std::size_t s = 0; s < there.size(); ++s)
        if (there[s]) paths.push_back(compute.scopePath(compute.servers[s]));
    return paths;
}

void addSwitches(const Fabric& fabric, const std::string& prefix, std::vector<std::string>& hosts) {
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.kind[d] == DeviceKind::Switch) hosts.push_back(prefix + fabric.devicePath(d));
}

} // namespace

std::vector<std::string> sideHosts(const std::vector<AuxiliaryFabric>& sides, std::size_t which, const Fabric& compute) {
    const std::string& name = which < sides.size() ? sides[which].name : std::string();
    std::vector<std::string> hosts = serversOf(drawn(compute));
    if (name == "out-of-band") {
        addSwitches(drawn(compute), "", hosts);
        for (std::size_t s = 0; s < which; ++s) addSwitches(*sides[s].fabric, sides[s].name + "/", hosts);
    }
    for (const AuxiliaryNetwork& network : compute.design->sides)
        if (network.name == "storage" && name != "in-band")
            for (int node = 1; node <= network.others; ++node) hosts.push_back(fmt::format("storage/node[{}]", node));
    return hosts;
}

namespace {

struct Sides {
    std::vector<AuxiliaryFabric> fabrics;
    std::vector<Diagnostic> problems;
};

Sides elaborateSides(const Fabric& compute) {
    Sides sides;
    for (const AuxiliaryNetwork& network : compute.design->sides) {
        sides.fabrics.push_back({network.name, nullptr, {}, 0});
        AuxiliaryFabric& side = sides.fabrics.back();
        const auto hosts = static_cast<int>(sideHosts(sides.fabrics, sides.fabrics.size() - 1, compute).size());
        const CatalogPointer& catalog = compute.design->catalog;
        auto built = hosts > 0 ? build(callFor(network, hosts, *catalog), network.name, catalog)
                               : Result<Design>(Error::unbuildable("the design has no servers"));
        if (!built) {
            sides.problems.push_back(
                {"RY-D017", Severity::Error,
                 fmt::format("The {} network cannot be built for {} hosts: {}.", network.name, hosts, built.error().text), network.name,
                 "It is missing from the bill and the cable schedule. Change its switch or its size."});
            sides.fabrics.pop_back();
            continue;
        }
        side.fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
        side.cabling = cablingOf(*side.fabric);
        side.others = hosts - static_cast<int>(serversOf(drawn(compute)).size());
    }
    return sides;
}

} // namespace

std::vector<AuxiliaryFabric> auxiliaryFabricsOf(const Fabric& compute) { return elaborateSides(compute).fabrics; }
std::vector<Diagnostic> sideProblems(const Fabric& compute) { return elaborateSides(compute).problems; }

std::string sidePath(const AuxiliaryFabric& side, const std::vector<std::string>& hosts, DeviceId device) {
    const ServerId server = side.fabric->devices.server[device];
    if (server == none) return side.name + "/" + side.fabric->devicePath(device);
    return fmt::format("{}/{}[{}]", hosts[server], side.name, side.fabric->devices.index[device]);
}

} // namespace railyard
