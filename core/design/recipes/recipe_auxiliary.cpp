// Storage, in-band and out-of-band networks as recipes of their own. DGX SuperPOD, RA-11333-001: two storage ports of a
// server on different leaves, about 4:3; in-band on SN4600C; out-of-band on SN2201.
#include "core/design/recipes/recipe_auxiliary.h"

#include <fmt/format.h>

namespace railyard {
namespace {

// The NIC whose cages the ports use; only the cage matters, NICs of these networks come with the server.
std::string nicAt(Bandwidth speed) {
    if (speed == gigabitsPerSecond(400)) return "nic-cx7-2x200-qsfp112";
    if (speed == gigabitsPerSecond(200)) return "nic-cx6-hdr200";
    if (speed == gigabitsPerSecond(100)) return "nic-cx6dx-2x100";
    if (speed == gigabitsPerSecond(1)) return "nic-bmc-1g";
    return {};
}

AuxiliaryNetwork sideOf(std::string name, const RecipeSettings& s, const RecipeSettings::Side& side, int others, const Catalog& catalog) {
    AuxiliaryNetwork network{std::move(name), {"rail-optimized", {}}, others};
    auto& parameters = network.call.parameters;
    parameters = {{"server", s.server->id},
                  {"switch", side.leafSwitch->id},
                  {"servers", std::to_string(s.servers + others)},
                  {"gpus_per_server", "1"},
                  {"hb_domain_gpus", "1"},
                  {"nics_per_server", std::to_string(side.ports)},
                  {"nic_gbps", fmt::format("{:g}", inGbps(side.speed))},
                  {"oversubscription", fmt::format("{}:{}", side.ratio.down, side.ratio.up)}};
    if (const std::string nic = nicAt(side.speed); catalog.find<NicPart>(nic)) parameters.insert({{"nic", nic}, {"nic_ports", "1"}});
    return network;
}

int hostsOf(const AuxiliaryNetwork& side) { return std::stoi(side.call.parameters.at("servers")); }

int switchesOf(const AuxiliaryNetwork& side, const Catalog& catalog) {
    const auto settings = resolve(side.call, catalog);
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    return planned ? static_cast<int>(planned->switches()) : 0; // what cannot be built is refused by build()
}

// Leaves of 48 ports at 1 Gb/s with two uplinks of 100 Gb/s.
AuxiliaryNetwork outOfBandOf(const RecipeSettings& s, int switches, const Catalog& catalog) {
    AuxiliaryNetwork network = sideOf("out-of-band", s, s.outOfBand, switches, catalog);
    const int ports = s.outOfBand.leafSwitch->as<SwitchPart>()->portsAt(s.outOfBand.speed);
    auto& parameters = network.call.parameters;
    parameters.erase("oversubscription");
    parameters["leaf_down"] = std::to_string(std::max(1, ports));
    parameters["leaf_up"] = "2";
    parameters["uplink_gbps"] = "100";
    parameters["spine_switch"] = "sw-sn4600c";
    return network;
}

} // namespace

RecipeCall callFor(const AuxiliaryNetwork& side, int hosts, const Catalog& catalog) {
    RecipeCall call = side.call;
    call.parameters.erase("gpus");
    call.parameters["servers"] = std::to_string(hosts);
    const auto settings = resolve(call, catalog);
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    if (planned && planned->tiers == 1 && settings->nicsPerServer > 1 && !call.parameters.contains("tiers")) call.parameters["tiers"] = "2";
    return call;
}

std::vector<AuxiliaryNetwork> auxiliaryNetworksOf(const RecipeSettings& s, const ClosPlan& plan, const Catalog& catalog) {
    std::vector<AuxiliaryNetwork> sides;
    auto switches = static_cast<int>(plan.switches());
    if (s.storage.on) sides.push_back(sideOf("storage", s, s.storage, s.storage.others, catalog));
    if (s.inBand.on) sides.push_back(sideOf("in-band", s, s.inBand, 0, catalog));
    for (AuxiliaryNetwork& side : sides) {
        side.call = callFor(side, hostsOf(side), catalog);
        switches += switchesOf(side, catalog);
    }
    if (s.outOfBand.on) sides.push_back(outOfBandOf(s, switches + s.storage.others, catalog));
    return sides;
}

} // namespace railyard
