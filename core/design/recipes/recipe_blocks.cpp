// From the plan to blocks: rows with counts and the rules that wire them.
#include "core/design/recipes/recipe_blocks.h"

#include "core/design/model/limits.h"
#include "core/design/model/own_blocks.h"
#include "core/design/recipes/recipe_remedies.h"

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
    bool domainsSpanUnits() const { return p.suServers % s.serversPerDomain() != 0; }
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

// The leaves of one plane, in a block that holds those of every plane, numbered on from `before`. A row for all rails, or one
// for each rail that the plane has where others are missing.
std::vector<DeviceRow> leafRows(const Builder& b, int count, int plane, int before) {
    const RecipeSettings& s = b.s;
    const Part& part = *s.leafSwitch;
    const double free = (s.linkSpeed * s.radix - s.linkSpeed * b.p.leafDown - s.uplinkSpeed * b.p.leafUp) / s.linkSpeed;
    DeviceRow row = switchRow(SwitchTier::Leaf, count, part,
                              {portGroup(part, b.p.leafDown, s.linkSpeed), portGroup(part, b.p.leafUp, s.uplinkSpeed),
                               portGroup(part, std::max(0, static_cast<int>(free)), s.linkSpeed)});
    row.first = before + 1;
    if (b.s.planes > 1) row.plane = plane + 1;
    const bool oneForAll = b.p.tiers == 1 && !b.railOnly();
    if (b.fatTree() || oneForAll) return {row};
    row.rail = DeviceRow::Rail::Own;
    const std::vector<int> rails = b.p.railsOfPlane(plane);
    if (static_cast<int>(rails.size()) == s.rails) return {row};
    std::vector<DeviceRow> rows;
    for (const int rail : rails) {
        rows.push_back(row);
        rows.back().first = row.first++;
        rows.back().count = 1;
        rows.back().railNumber = rail + 1;
    }
    return rows;
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
    const bool ownHb = (s.serversPerDomain() == 1 || s.hasTwoHbLevels()) && s.gpusPerServer > 1;
    if (ownHb && !s.idealHb && part.hb == HbKind::Mesh)
        block.wiring.push_back(
            {.id = "hb", .pattern = HbMesh, .lower = "gpu", .upper = "gpu", .speed = s.hbBandwidth / (s.gpusPerServer - 1)});
    else if (ownHb && !s.idealHb && part.hb == HbKind::CubeMesh) {
        WiringRule cube{.id = "hb", .pattern = HbCube, .lower = "gpu", .upper = "gpu", .speed = s.hbBandwidth / part.hbLinks};
        cube.uplinks = part.hbLinks;
        block.wiring.push_back(cube);
    } else if (ownHb) {
        const int switches = s.hasTwoHbLevels() ? s.hbSwitchesOfServer() : s.idealHb ? 1 : std::max(1, part.hbSwitches);
        block.devices.push_back({.slug = "hb-switch", .kind = DeviceKind::HbSwitch, .part = {}, .count = switches, .ports = {}, .at = {}});
        block.wiring.push_back({.id = "hb", .pattern = HbStar, .lower = "gpu", .upper = "hb-switch", .speed = s.hbBandwidth / switches});
    }
    b.add(std::move(block));
}

void addHbDomain(Builder& b) {
    if (b.s.serversPerDomain() == 1) return;
    Block block{.name = "hb-domain", .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    const bool holdsServers = !b.domainsSpanUnits();
    if (holdsServers)
        block.instances.push_back({.slug = "srv",
                                   .block = "server",
                                   .count = b.s.serversPerDomain(),
                                   .role = Instance::Role::Server,
                                   .part = b.s.server->id,
                                   .at = {}});
    if (b.s.hasTwoHbLevels()) { // every HB switch of a server has a link to every one of the second level
        const Bandwidth outOfServer = b.s.hbOut * b.s.gpusPerServer;
        block.devices.push_back(
            {.slug = "hb-spine", .kind = DeviceKind::HbSwitch, .part = {}, .count = b.s.hbSpines, .ports = {}, .at = {}});
        block.wiring.push_back({.id = "hb-out",
                                .pattern = HbStar,
                                .lower = "srv/hb-switch",
                                .upper = "hb-spine",
                                .speed = outOfServer / (b.s.hbSwitchesOfServer() * b.s.hbSpines)});
        return b.add(std::move(block));
    }
    const int switches = b.s.hbSwitchesOfDomain();
    block.devices.push_back({.slug = "hb-switch", .kind = DeviceKind::HbSwitch, .part = {}, .count = switches, .ports = {}, .at = {}});
    if (holdsServers)
        block.wiring.push_back(
            {.id = "hb", .pattern = HbStar, .lower = "srv/gpu", .upper = "hb-switch", .speed = b.s.hbBandwidth / switches});
    b.add(std::move(block));
}

// Domains larger than an SU stand beside the SUs: their servers are in those, in order.
void addSpanningDomains(const Builder& b, Block& root) {
    if (!b.domainsSpanUnits()) return;
    root.instances.push_back({.slug = "hb",
                              .block = "hb-domain",
                              .count = b.s.servers / b.s.serversPerDomain(),
                              .role = Instance::Role::HbDomain,
                              .part = {},
                              .at = {}});
    WiringRule rule{
        .id = "hb", .pattern = HbStar, .lower = "su/srv/gpu", .upper = "hb/hb-switch", .speed = b.s.hbBandwidth / b.s.hbSwitchesOfDomain()};
    rule.run = b.s.hbDomainGpus;
    rule.uppersPerGroup = b.s.hbSwitchesOfDomain() == 1 ? 0 : b.s.hbSwitchesOfDomain();
    root.wiring.push_back(rule);
}

void addScalableUnit(Builder& b, const std::string& name, int servers) {
    const RecipeSettings& s = b.s;
    const int perDomain = b.domainsSpanUnits() ? 1 : s.serversPerDomain();
    const std::string unit = perDomain == 1 ? "srv" : "hb";
    Block block{.name = name, .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    block.instances.push_back({.slug = unit,
                               .block = perDomain == 1 ? "server" : "hb-domain",
                               .count = servers / perDomain,
                               .role = perDomain == 1 ? Instance::Role::Server : Instance::Role::HbDomain,
                               .part = perDomain == 1 ? s.server->id : std::string(),
                               .at = {}});
    const int perLeaf = b.p.tiers == 1 ? servers : s.leafDown / b.p.unitPorts.front(); // of a fat tree
    int before = 0;
    for (int plane = 0; plane < s.planes; ++plane) {
        const int rails = b.p.railsInPlane(plane);
        const int leaves = b.fatTree() ? (servers + perLeaf - 1) / perLeaf : b.p.tiers == 1 && !b.railOnly() ? 1 : rails;
        for (DeviceRow& row : leafRows(b, leaves, plane, before)) block.devices.push_back(std::move(row));
        before += leaves;
    }
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
    const auto hasAsMany = [&](const UpperTiers& upper) { return upper.spines == b.p.spinesPerPod; };
    const bool areEqual = std::all_of(b.p.upperTiers.begin(), b.p.upperTiers.end(), hasAsMany);
    rule.uppersPerGroup = areEqual ? b.p.spinesPerPod : 0; // in two tiers a plane may need fewer: all that it has
    rule.uplinks = b.s.usedUplinks ? 0 : b.p.leafUp;
    const Ratio used = b.s.usedRatio(b.p.leafDown, b.p.leafUp);
    rule.downRatio = used.down;
    rule.upRatio = used.up;
    rule.downPorts = b.p.leafDown;
    return rule;
}

WiringRule upperUplinks(const Builder& b, std::string id, std::string lower, std::string upper, int uplinks, int perGroup, int downPorts) {
    WiringRule rule{.id = std::move(id), .pattern = Spread, .lower = std::move(lower), .upper = std::move(upper), .speed = b.s.uplinkSpeed};
    rule.groupByIndex = true;
    rule.uplinks = b.s.usedUplinks ? 0 : uplinks;
    const int share = b.s.spineRadix / (b.s.core.down + b.s.core.up);
    if (b.s.usedUplinks) rule.downRatio = b.s.core.down * share, rule.upRatio = b.s.core.up * share;
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

// Everything above the leaves of one network (with `pods` pods), into `into`; `mark` tells blocks of unlike networks apart.
// Returns the path of the spines from there.
std::string addUpperTiers(Builder& b, Block& into, const UpperTiers& upper, int pods, const std::string& mark) {
    const ClosPlan& p = b.p;
    if (p.tiers == 2) {
        into.devices.push_back(upperRow(b, SwitchTier::Spine, upper.spines, b.s.spineRadix, 0));
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
        addTierBlock(b, "block-last" + mark, rest),
            into.instances.push_back({.slug = "block", .block = "block-last" + mark, .first = full + 1, .count = 1, .part = {}, .at = {}});
    into.devices.push_back(upperRow(b, SwitchTier::Core, upper.spines * upper.superPerIndex * upper.corePerIndex, b.s.spineRadix, 0));
    into.wiring.push_back(upperUplinks(b, "superspine-core", "block/superspine", "core", p.superUp, upper.corePerIndex, spineDown(b)));
    return "block/pod/spine";
}

void addSuperspines(const Builder& b, Block& into, const std::string& spines, const UpperTiers& upper) {
    if (b.p.tiers != 3) return;
    into.devices.push_back(upperRow(b, SwitchTier::Superspine, upper.spines * upper.superPerIndex, b.s.spineRadix, 0));
    into.wiring.push_back(upperUplinks(b, "spine-superspine", spines, "superspine", b.p.spineUp, upper.superPerIndex, spineDown(b)));
}

// The rails of a plane that NICs reach, those side by side as one row.
void addRails(const Builder& b, Block& into, int plane, const std::string& block) {
    for (const int rail : b.p.railsOfPlane(plane)) {
        if (!into.instances.empty() && into.instances.back().slug == "rail" &&
            into.instances.back().first + into.instances.back().count == rail + 1)
            ++into.instances.back().count;
        else
            into.instances.push_back(
                {.slug = "rail", .block = block, .first = rail + 1, .count = 1, .role = Instance::Role::Rail, .part = {}, .at = {}});
    }
}

// What stands above the leaves of one plane, into `into`. Returns the path of the spines from there.
std::string addPlane(Builder& b, Block& into, int plane, const UpperTiers& upper, const std::string& mark) {
    if (!b.railOnly() && !b.s.railPods) {
        const std::string spines = addUpperTiers(b, into, upper, upper.pods, mark);
        addSuperspines(b, into, spines, upper);
        return spines;
    }
    // Upper tiers stand in rail[r].
    Block rail{.name = "rail", .devices = {}, .instances = {}, .wiring = {}, .links = {}};
    const int pods = b.s.railPods ? upper.pods / b.p.railsInPlane(plane) : upper.pods;
    const std::string spines = addUpperTiers(b, rail, upper, pods, "");
    if (b.railOnly()) addSuperspines(b, rail, spines, upper);
    b.add(std::move(rail));
    addRails(b, into, plane, "rail");
    if (b.s.railPods) addSuperspines(b, into, "rail/" + spines, upper);
    return "rail/" + spines;
}

// Planes that are alike share a block.
void addNetworks(Builder& b, Block& root) {
    if (b.p.tiers == 1) return;
    if (b.s.planes == 1) {
        root.wiring.push_back(leafUplinks(b, addPlane(b, root, 0, b.p.upperTiers.front(), "")));
        // The rule that takes the leaves comes before those between the tiers above.
        const auto own =
            std::find_if(root.wiring.begin(), root.wiring.end(), [](const WiringRule& rule) { return rule.id == "spine-superspine"; });
        if (own != root.wiring.end()) std::rotate(own, root.wiring.end() - 1, root.wiring.end());
        return;
    }
    std::vector<std::pair<UpperTiers, std::vector<int>>> kinds; // what stands above, and which rails
    std::string spines;
    for (int plane = 0; plane < b.s.planes; ++plane) {
        const std::vector<int> rails = b.railOnly() || b.s.railPods ? b.p.railsOfPlane(plane) : std::vector<int>();
        const std::pair kind(b.p.upperTiers[b.railOnly() ? 0 : static_cast<std::size_t>(plane)], rails);
        const auto known = std::find(kinds.begin(), kinds.end(), kind);
        const std::string mark = known == kinds.begin() ? "" : fmt::format("-{}", known - kinds.begin() + 1);
        const std::string name = kinds.empty() ? "plane" : "plane" + mark;
        if (known == kinds.end()) {
            Block block{.name = name, .devices = {}, .instances = {}, .wiring = {}, .links = {}};
            spines = addPlane(b, block, plane, kind.first, kinds.empty() ? "" : mark);
            b.add(std::move(block));
            kinds.push_back(kind);
        }
        if (!root.instances.empty() && root.instances.back().block == name)
            ++root.instances.back().count;
        else
            root.instances.push_back(
                {.slug = "plane", .block = name, .first = plane + 1, .count = 1, .role = Instance::Role::Plane, .part = {}, .at = {}});
    }
    root.wiring.push_back(leafUplinks(b, "plane/" + spines));
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
    if (!settings) return withRemediesThatWork(call, *catalog, settings.errors());
    auto planned = plan(*settings);
    if (!planned) return withRemediesThatWork(call, *catalog, planned.errors());
    Builder b{*settings, *planned, {}};
    if (settings->hasTwoHbLevels() && b.domainsSpanUnits())
        return Error::parameter(Error::Kind::Unbuildable, "requires", "su_servers", fmt::format("{}", planned->suServers),
                                fmt::format("an HB domain with two levels of HB switches must fit into one SU; a domain has {} servers",
                                            settings->serversPerDomain()),
                                {fmt::format("{}", settings->serversPerDomain())});
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
    addSpanningDomains(b, root);
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
    design.networks = auxiliaryNetworksOf(*settings, *planned, *design.catalog);
    for (const AuxiliaryNetwork& side : design.networks) {
        const auto sideSettings = resolve(side.call, *design.catalog);
        const auto sidePlan = sideSettings ? plan(*sideSettings) : Result<ClosPlan>(sideSettings.errors());
        if (!sidePlan) return Error::unbuildable(fmt::format("the {} network cannot be built: {}", side.name, sidePlan.error().text));
    }
    return design;
}

namespace {

template <class Row>
bool isSameRow(const Row& a, const Row& b) {
    return a.slug == b.slug && a.first == b.first;
}
bool isSameRow(const WiringRule& a, const WiringRule& b) { return a.id == b.id; }

template <class Row>
bool keepUnknownKeys(const std::vector<Row>& before, std::vector<Row>& after) {
    bool isChanged = false;
    for (const Row& old : before) {
        if (old.unknown.empty()) continue;
        const auto same = std::find_if(after.begin(), after.end(), [&](const Row& row) { return isSameRow(row, old); });
        if (same == after.end()) continue;
        same->unknown = old.unknown;
        isChanged = true;
    }
    return isChanged;
}

// Of everything that the recipe builds again under the same name.
void keepUnknownKeys(const Design& before, Design& after) {
    after.unknown = before.unknown;
    if (before.floor && after.floor) after.floor->unknown = before.floor->unknown;
    for (AuxiliaryNetwork& side : after.networks)
        for (const AuxiliaryNetwork& old : before.networks)
            if (old.name == side.name) side.unknown = old.unknown, side.call.unknown = old.call.unknown;
    for (auto& [name, block] : after.blocks) {
        const auto old = before.blocks.find(name);
        if (old == before.blocks.end()) continue;
        Block kept = *block;
        kept.unknown = old->second->unknown;
        const bool devices = keepUnknownKeys(old->second->devices, kept.devices);
        const bool instances = keepUnknownKeys(old->second->instances, kept.instances);
        const bool wiring = keepUnknownKeys(old->second->wiring, kept.wiring);
        if (devices || instances || wiring || !kept.unknown.empty()) block = shared(std::move(kept));
    }
}

} // namespace

Result<Design> rebuild(const Design& design, const RecipeCall& call) {
    auto built = build(call, design.name, design.catalog);
    if (!built) return built.errors();
    // What people added stays; what the recipe creates is new.
    Design next = design;
    next.recipe = built->recipe;
    next.blocks = std::move(built->blocks);
    next.trunk = built->trunk;
    next.floor = std::move(built->floor);
    next.networks = std::move(built->networks);
    keepOwnBlocks(design, next);
    keepUnknownKeys(design, next);
    if (next.floor && design.floor) next.floor->moved = design.floor->moved;
    if (const std::string name = sharedName(next); !name.empty())
        return Error::unbuildable(
            fmt::format("the recipe would build {0}, but a hand-drawn element is named {0}; remove that element first", name));
    return next;
}

} // namespace railyard
