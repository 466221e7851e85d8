// From the plan to blocks: rows with counts and the rules that wire them.
#include "core/design/own_blocks.h"
#include "core/design/recipe.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

using enum WiringPattern;

struct Builder {
    const RecipeSettings& s;
    const ClosPlan& p;
    std::map<std::string, BlockPointer> blocks;

    bool railOnly() const { return s.family == RecipeFamily::RailOnly; }
    bool fatTree() const { return s.family == RecipeFamily::FatTree; }
    void add(Block block) {
        const std::string name = block.name;
        blocks[name] = shared(std::move(block));
    }
};

// Ports of one speed on a switch; lanes > 1 where the part reaches the count by splitting its native ports.
PortGroup portGroup(const Part& part, int count, Bandwidth speed) {
    const SwitchPart& details = *part.as<SwitchPart>();
    const int native = details.portsAt(details.nativeSpeed), there = details.portsAt(speed);
    const bool split = native > 0 && there > native && there % native == 0;
    return {count, speed, split ? there / native : 1};
}

DeviceRow switchRow(SwitchTier tier, int count, const Part& part, std::vector<PortGroup> ports) {
    DeviceRow row;
    row.slug = std::string(toText(tier));
    row.tier = tier;
    row.part = part.id;
    row.count = count;
    for (PortGroup& group : ports)
        if (group.count > 0) row.ports.push_back(group);
    return row;
}

// The leaves of one plane, in a block that holds those of every plane.
DeviceRow leafRow(const Builder& b, int count, int plane) {
    const RecipeSettings& s = b.s;
    const Part& part = *s.leafSwitch;
    const double free = (s.linkSpeed * s.radix - s.linkSpeed * b.p.leafDown - s.uplinkSpeed * b.p.leafUp) / s.linkSpeed;
    DeviceRow row = switchRow(SwitchTier::Leaf, count, part,
                              {portGroup(part, b.p.leafDown, s.linkSpeed), portGroup(part, b.p.leafUp, s.uplinkSpeed),
                               portGroup(part, std::max(0, static_cast<int>(free)), s.linkSpeed)});
    row.first = plane * count + 1;
    if (b.s.planes > 1) row.plane = plane + 1;
    const bool oneForAll = b.p.tiers == 1 && !b.railOnly();
    if (!b.fatTree() && !oneForAll) row.rail = DeviceRow::Rail::Own;
    return row;
}

// A switch above the leaf: `up` ports are set aside for uplinks, the rest serves the tier below.
DeviceRow upperRow(const Builder& b, SwitchTier tier, int count, int down, int up) {
    const RecipeSettings& s = b.s;
    DeviceRow row = switchRow(tier, count, *s.spineSwitch,
                              {portGroup(*s.spineSwitch, down, s.uplinkSpeed), portGroup(*s.spineSwitch, up, s.uplinkSpeed),
                               portGroup(*s.spineSwitch, s.spineRadix - down - up, s.uplinkSpeed)});
    if (b.railOnly() || (s.railPods && tier == SwitchTier::Spine)) row.rail = DeviceRow::Rail::Scope;
    return row;
}

void addServer(Builder& b) {
    const RecipeSettings& s = b.s;
    const ServerPart& part = *s.server->as<ServerPart>();
    Block block{.name = "server", .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    DeviceRow gpu{.slug = "gpu", .kind = DeviceKind::Gpu, .part = s.gpu, .count = s.gpusPerServer, .ports = {}, .at = {}};
    DeviceRow nic{.slug = "nic",
                  .kind = DeviceKind::Nic,
                  .part = s.nic ? s.nic->id : part.nic,
                  .count = s.nicsPerServer,
                  .ports = {{s.nicPorts, s.linkSpeed, 1}},
                  .at = {}};
    block.devices = {gpu, nic};
    block.wiring.push_back({.id = "pcie", .pattern = Pcie, .lower = "gpu", .upper = "nic", .speed = s.linkSpeed * s.nicPorts});
    const bool ownHb = s.serversPerDomain() == 1 && s.gpusPerServer > 1;
    if (ownHb && !s.idealHb && part.hb == HbKind::Mesh)
        block.wiring.push_back(
            {.id = "hb", .pattern = HbMesh, .lower = "gpu", .upper = "gpu", .speed = s.hbBandwidth / (s.gpusPerServer - 1)});
    else if (ownHb && !s.idealHb && part.hb == HbKind::CubeMesh) {
        WiringRule cube{.id = "hb", .pattern = HbCube, .lower = "gpu", .upper = "gpu", .speed = s.hbBandwidth / part.hbLinks};
        cube.uplinks = part.hbLinks;
        block.wiring.push_back(cube);
    } else if (ownHb) {
        const int switches = s.idealHb ? 1 : std::max(1, part.hbSwitches);
        block.devices.push_back({.slug = "hb-switch", .kind = DeviceKind::HbSwitch, .part = {}, .count = switches, .ports = {}, .at = {}});
        block.wiring.push_back({.id = "hb", .pattern = HbStar, .lower = "gpu", .upper = "hb-switch", .speed = s.hbBandwidth / switches});
    }
    b.add(std::move(block));
}

void addHbDomain(Builder& b) {
    if (b.s.serversPerDomain() == 1) return;
    Block block{.name = "hb-domain", .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    block.instances.push_back({.slug = "srv",
                               .block = "server",
                               .count = b.s.serversPerDomain(),
                               .role = Instance::Role::Server,
                               .part = b.s.server->id,
                               .at = {}});
    block.devices.push_back({.slug = "hb-switch", .kind = DeviceKind::HbSwitch, .part = {}, .count = 1, .ports = {}, .at = {}});
    block.wiring.push_back({.id = "hb", .pattern = HbStar, .lower = "srv/gpu", .upper = "hb-switch", .speed = b.s.hbBandwidth});
    b.add(std::move(block));
}

void addScalableUnit(Builder& b, const std::string& name, int servers) {
    const RecipeSettings& s = b.s;
    const int perDomain = s.serversPerDomain();
    const std::string unit = perDomain == 1 ? "srv" : "hb";
    Block block{.name = name, .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    block.instances.push_back({.slug = unit,
                               .block = perDomain == 1 ? "server" : "hb-domain",
                               .count = servers / perDomain,
                               .role = perDomain == 1 ? Instance::Role::Server : Instance::Role::HbDomain,
                               .part = perDomain == 1 ? s.server->id : std::string(),
                               .at = {}});
    const int perLeaf = b.p.tiers == 1 ? servers : s.leafDown / b.p.unitPorts.front(); // of a fat tree
    const int leaves = b.fatTree() ? (servers + perLeaf - 1) / perLeaf : b.p.tiers == 1 && !b.railOnly() ? 1 : s.rails;
    for (int plane = 0; plane < s.planes; ++plane) block.devices.push_back(leafRow(b, leaves, plane));
    WiringRule hosts{.id = "hosts",
                     .pattern = b.fatTree() ? Chassis : Rail,
                     .lower = perDomain == 1 ? "srv/nic" : "hb/srv/nic",
                     .upper = "leaf",
                     .speed = s.linkSpeed};
    hosts.rails = s.rails;
    hosts.planes = s.planes;
    hosts.railsByDomain = b.railOnly();
    hosts.serversPerLeaf = perLeaf;
    block.wiring.push_back(hosts);
    b.add(std::move(block));
}

WiringRule leafUplinks(const Builder& b, const std::string& spines) {
    WiringRule rule{.id = "leaf-spine", .pattern = Spread, .lower = "su/leaf", .upper = spines, .speed = b.s.uplinkSpeed};
    rule.groupByRail = b.railOnly() || b.s.railPods;
    rule.groupByPlane = b.s.planes > 1;
    if (rule.groupByRail && rule.groupByPlane) rule.rails = b.s.rails;
    rule.run = b.p.leavesPerPod;
    rule.uppersPerGroup = b.p.spinesPerPod;
    rule.uplinks = b.s.usedUplinks ? 0 : b.p.leafUp;
    rule.downRatio = b.p.leafDown;
    rule.upRatio = b.p.leafUp;
    rule.downPorts = b.p.leafDown;
    return rule;
}

WiringRule upperUplinks(const Builder& b, std::string id, std::string lower, std::string upper, int uplinks, int perGroup, int downPorts) {
    WiringRule rule{.id = std::move(id), .pattern = Spread, .lower = std::move(lower), .upper = std::move(upper), .speed = b.s.uplinkSpeed};
    rule.groupByIndex = true;
    rule.uplinks = uplinks;
    rule.uppersPerGroup = perGroup;
    rule.downPorts = downPorts;
    return rule;
}

int spineDown(const Builder& b) { return b.s.core.down * (b.s.spineRadix / (b.s.core.down + b.s.core.up)); }

void addPod(Builder& b) {
    b.add({.name = "pod",
           .devices = {upperRow(b, SwitchTier::Spine, b.p.spinesPerPod, spineDown(b), b.p.spineUp)},
           .instances = {},
           .wiring = {},
           .links = {}});
}

// Four tiers: a block of pods with its superspines. Returns where the spines are, seen from outside.
void addTierBlock(Builder& b, const std::string& name, int pods) {
    Block block{.name = name, .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    block.instances.push_back({.slug = "pod", .block = "pod", .count = pods, .role = Instance::Role::Pod, .part = {}, .at = {}});
    block.devices.push_back(upperRow(b, SwitchTier::Superspine, b.p.spinesPerPod * b.p.superPerIndex, spineDown(b), b.p.superUp));
    block.wiring.push_back(upperUplinks(b, "spine-superspine", "pod/spine", "superspine", b.p.spineUp, b.p.superPerIndex, spineDown(b)));
    b.add(std::move(block));
}

// Everything above the leaves of one network, into `into`. Returns the path of the spines from there.
std::string addUpperTiers(Builder& b, Block& into, int pods) {
    const ClosPlan& p = b.p;
    if (p.tiers == 2) {
        into.devices.push_back(upperRow(b, SwitchTier::Spine, p.spinesPerPod, b.s.spineRadix, 0));
        return "spine";
    }
    addPod(b);
    if (p.tiers == 3) {
        into.instances.push_back({.slug = "pod", .block = "pod", .count = pods, .role = Instance::Role::Pod, .part = {}, .at = {}});
        return "pod/spine";
    }
    const int full = pods / p.podsPerBlock, rest = pods % p.podsPerBlock;
    if (full > 0)
        addTierBlock(b, "block", p.podsPerBlock),
            into.instances.push_back({.slug = "block", .block = "block", .count = full, .part = {}, .at = {}});
    if (rest > 0)
        addTierBlock(b, "block-last", rest),
            into.instances.push_back({.slug = "block", .block = "block-last", .first = full + 1, .count = 1, .part = {}, .at = {}});
    into.devices.push_back(upperRow(b, SwitchTier::Core, p.spinesPerPod * p.superPerIndex * p.corePerIndex, b.s.spineRadix, 0));
    into.wiring.push_back(upperUplinks(b, "superspine-core", "block/superspine", "core", p.superUp, p.corePerIndex, spineDown(b)));
    return "block/pod/spine";
}

void addSuperspines(const Builder& b, Block& into, const std::string& spines) {
    if (b.p.tiers != 3) return;
    into.devices.push_back(upperRow(b, SwitchTier::Superspine, b.p.spinesPerPod * b.p.superPerIndex, b.s.spineRadix, 0));
    into.wiring.push_back(upperUplinks(b, "spine-superspine", spines, "superspine", b.p.spineUp, b.p.superPerIndex, spineDown(b)));
}

// What stands above the leaves of one plane, into `into`; `way` leads there from the root, where the leaves hang.
void addPlane(Builder& b, Block& into, Block& root, const std::string& way) {
    const bool scoped = b.railOnly() || b.s.railPods; // upper tiers stand in rail[r]
    if (!scoped) {
        const std::string spines = addUpperTiers(b, into, b.p.podsPerNetwork);
        root.wiring.push_back(leafUplinks(b, way + spines));
        addSuperspines(b, into, spines);
        return;
    }
    Block rail{.name = "rail", .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    const std::string spines = addUpperTiers(b, rail, b.s.railPods ? b.p.podsPerNetwork / b.s.rails : b.p.podsPerNetwork);
    if (b.railOnly()) addSuperspines(b, rail, spines);
    b.add(std::move(rail));
    into.instances.push_back({.slug = "rail", .block = "rail", .count = b.s.rails, .role = Instance::Role::Rail, .part = {}, .at = {}});
    root.wiring.push_back(leafUplinks(b, way + "rail/" + spines));
    if (b.s.railPods) addSuperspines(b, into, "rail/" + spines);
}

void addNetworks(Builder& b, Block& root) {
    if (b.p.tiers == 1) return;
    if (b.s.planes == 1) return addPlane(b, root, root, "");
    Block plane{.name = "plane", .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    addPlane(b, plane, root, "plane/");
    b.add(std::move(plane));
    root.instances.push_back({.slug = "plane", .block = "plane", .count = b.s.planes, .role = Instance::Role::Plane, .part = {}, .at = {}});
}

void addManager(const Builder& b, Block& root) {
    if (b.s.managerPorts == 0) return;
    root.devices.push_back({.slug = "manager",
                            .kind = DeviceKind::Manager,
                            .part = {},
                            .count = 1,
                            .ports = {{b.s.managerPorts, b.s.linkSpeed, 1}},
                            .at = {}});
    WiringRule rule{.id = "manager", .pattern = Manager, .lower = "manager", .upper = "su/leaf", .speed = b.s.linkSpeed};
    rule.ports = b.s.managerPorts;
    root.wiring.push_back(rule);
}

} // namespace

Result<Design> build(const RecipeCall& call, const std::string& name, CatalogPointer catalog) {
    auto settings = resolve(call, *catalog);
    if (!settings) return settings.errors();
    auto planned = plan(*settings);
    if (!planned) return planned.errors();
    Builder b{*settings, *planned, {}};
    addServer(b);
    addHbDomain(b);
    Block root{.name = "root", .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    const int full = settings->servers / planned->suServers, rest = settings->servers % planned->suServers;
    const auto role = Instance::Role::ScalableUnit;
    if (full > 0)
        addScalableUnit(b, "su", planned->suServers),
            root.instances.push_back({.slug = "su", .block = "su", .count = full, .role = role, .part = {}, .at = {}});
    if (rest > 0)
        addScalableUnit(b, "su-last", rest),
            root.instances.push_back({.slug = "su", .block = "su-last", .first = full + 1, .count = 1, .role = role, .part = {}, .at = {}});
    addManager(b, root); // before the uplinks: its ports are down-ports of leaves
    addNetworks(b, root);
    b.add(std::move(root));
    Design design;
    design.name = name;
    design.recipe = call;
    design.trunk = settings->cablePerCage ? Trunk::PerCage : Trunk::PerLink;
    design.floor = settings->floor;
    design.blocks = std::move(b.blocks);
    design.catalog = std::move(catalog);
    design.sides = sideNetworksOf(*settings, *planned, *design.catalog);
    for (const SideNetwork& side : design.sides) {
        const auto sideSettings = resolve(side.call, *design.catalog);
        const auto sidePlan = sideSettings ? plan(*sideSettings) : Result<ClosPlan>(sideSettings.errors());
        if (!sidePlan) return Error::unbuildable(fmt::format("{}: this network cannot be built: {}", side.name, sidePlan.error().text));
    }
    return design;
}

Result<Design> rebuild(const Design& design, const RecipeCall& call) {
    auto built = build(call, design.name, design.catalog);
    if (!built) return built.errors();
    built->free = design.free;
    built->overrides = design.overrides;
    keepOwnBlocks(design, *built);
    built->approvals = design.approvals;
    built->views = design.views;
    built->targets = design.targets;
    built->callouts = design.callouts;
    built->unknownKeys = design.unknownKeys;
    if (built->floor && design.floor) built->floor->moved = design.floor->moved;
    return built;
}

} // namespace railyard
