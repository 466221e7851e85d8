// How many switches and links. The rules and their published checks: docs/recipes.md.
#include "core/design/recipe.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace railyard {
namespace {

constexpr int ceilDivide(std::int64_t a, std::int64_t b) { return static_cast<int>((a + b - 1) / b); }

bool railOnly(const RecipeSettings& s) { return s.family == RecipeFamily::RailOnly; }
bool fatTree(const RecipeSettings& s) { return s.family == RecipeFamily::FatTree; }
// A unit is what a leaf serves whole: a server, or an HB domain under rail-only.
int serversPerUnit(const RecipeSettings& s) { return railOnly(s) ? s.serversPerDomain() : 1; }
int railsOfPlan(const RecipeSettings& s) { return fatTree(s) ? 1 : s.rails; }

std::vector<int> portsOfUnit(const RecipeSettings& s, int planes) {
    std::vector<int> ports(static_cast<std::size_t>(planes * railsOfPlan(s)));
    const int nics = s.nicsPerServer * serversPerUnit(s);
    for (int nic = 0; nic < nics; ++nic)
        for (int port = 0; port < s.nicPorts; ++port)
            ++ports[static_cast<std::size_t>((nic * s.nicPorts + port) % planes * railsOfPlan(s) + nic % railsOfPlan(s))];
    return ports;
}
int mostOf(const std::vector<int>& values) { return values.empty() ? 0 : *std::max_element(values.begin(), values.end()); }

// Smallest count >= need that divides the uplinks below, so that every switch below splits evenly (even-split).
int topTierCount(const RecipeSettings& s, int need, int uplinks) {
    if (s.exactSpines) return std::max(1, need);
    for (int count = std::max(1, need); count <= uplinks; ++count)
        if (uplinks % count == 0) return count;
    return std::max({1, need, uplinks});
}

Error tooFewTiers(const RecipeSettings& s, const std::string& limit, int nearest) {
    return Error::unbuildable(fmt::format("tiers = {}: {}; nearest value that works: {}", s.tiers, limit, nearest));
}

// A fat tree counts the leaves of a plane by servers, rail-only those of every rail: neither knows an uneven share.
bool planesShareEvenly(const RecipeSettings& s, int planes) {
    const std::vector<int> ports = portsOfUnit(s, planes);
    const int least = *std::min_element(ports.begin(), ports.end());
    return fatTree(s) ? least == mostOf(ports) : !railOnly(s) || least > 0;
}

Status checkPlanes(const RecipeSettings& s) {
    if (planesShareEvenly(s, s.planes)) return Done{};
    int below = s.planes - 1, above = s.planes + 1;
    while (!planesShareEvenly(s, below)) --below; // one plane always works
    const int most = s.nicsPerServer * s.nicPorts;
    while (above <= most && !planesShareEvenly(s, above)) ++above;
    return Error::unbuildable(
        fmt::format("planes = {}: {}; nearest value that works: {}{}", s.planes,
                    fatTree(s) ? fmt::format("the {} NIC ports of a server cannot be shared evenly among them", most)
                               : "rail and plane of a NIC port both follow its index, and some rail would have no port in some plane",
                    below, above <= most ? fmt::format(" or {}", above) : ""));
}

// Fills in what does not depend on the number of tiers.
Status planUnits(const RecipeSettings& s, ClosPlan& p) {
    if (Status planes = checkPlanes(s); !planes) return planes;
    p.unitPorts = portsOfUnit(s, s.planes);
    const int step = s.serversPerDomain(), perUnit = mostOf(p.unitPorts);
    const int unitsPerLeaf = s.leafDown / perUnit;
    const std::string_view unit = railOnly(s) ? "HB domain" : "server";
    if (unitsPerLeaf == 0)
        return Error::unbuildable(fmt::format("leaf_down = {}: one {} alone brings {} ports to a leaf; nearest value that works: {}",
                                              s.leafDown, unit, perUnit, perUnit));
    const int most = fatTree(s) ? std::lcm(unitsPerLeaf, step) : railOnly(s) ? unitsPerLeaf * step : unitsPerLeaf / step * step;
    if (most == 0)
        return Error::unbuildable(
            fmt::format("hb_domain_gpus = {}: an HB domain has {} servers, an SU holds {}; nearest value that works: {}", s.hbDomainGpus,
                        step, unitsPerLeaf, unitsPerLeaf * s.gpusPerServer));
    p.suServers = s.suServers ? s.suServers : most;
    if (p.suServers % step != 0 || (!fatTree(s) && p.suServers > most))
        return Error::unbuildable(fmt::format("su_servers = {}: a leaf has {} ports down for {} of each {}, and HB domains of {} servers "
                                              "stay whole; nearest value that works: {}",
                                              p.suServers, s.leafDown, perUnit, unit, step,
                                              p.suServers > most ? most : std::max(step, p.suServers / step * step)));
    p.scalableUnits = ceilDivide(s.servers, p.suServers);
    p.planes = s.planes;
    p.networks = s.planes * (railOnly(s) ? s.rails : 1);
    p.hostLinks = std::int64_t{s.servers} * s.nicsPerServer * s.nicPorts;
    p.managerLinks = s.managerPorts;
    const int lastServers = s.servers - (p.scalableUnits - 1) * p.suServers;
    const auto leavesFor = [&](int servers) { return s.planes * (fatTree(s) ? ceilDivide(servers, unitsPerLeaf) : s.rails); };
    p.leavesPerSu = leavesFor(p.suServers);
    p.leaves = (p.scalableUnits - 1) * p.leavesPerSu + leavesFor(lastServers);
    p.leavesPerNetwork = p.leaves / p.networks;
    p.leafDown = s.leafDown;
    p.leafUp = s.leafUp;
    return Done{};
}

// Of the fullest network.
std::int64_t networkHostLinks(const RecipeSettings& s, const ClosPlan& p) {
    const std::int64_t units = s.servers / serversPerUnit(s);
    if (railOnly(s)) return units * mostOf(p.unitPorts);
    std::int64_t most = 0;
    for (auto plane = p.unitPorts.begin(); plane != p.unitPorts.end(); plane += railsOfPlan(s))
        most = std::max(most, units * std::accumulate(plane, plane + railsOfPlan(s), std::int64_t{0}));
    return most;
}

// Down-ports in use on every leaf of one network, in leaf order.
std::vector<int> usedDownPorts(const RecipeSettings& s, const ClosPlan& p, int network) {
    std::vector<int> used;
    const int first = railOnly(s) ? network : network * railsOfPlan(s), count = railOnly(s) ? 1 : railsOfPlan(s);
    for (int su = 0; su < p.scalableUnits; ++su) {
        const int servers = std::min(p.suServers, s.servers - su * p.suServers);
        for (int r = first; r < first + count; ++r) {
            const int ports = p.unitPorts[static_cast<std::size_t>(r)];
            if (!fatTree(s)) {
                used.push_back(servers / serversPerUnit(s) * ports);
                continue;
            }
            const int perLeaf = s.leafDown / ports;
            for (int left = servers; left > 0; left -= perLeaf) used.push_back(std::min(left, perLeaf) * ports);
        }
    }
    return used;
}

struct Uplinks {
    std::int64_t all = 0;     // of all leaves
    std::int64_t network = 0; // of the leaves of the fullest network
    int leaf = 0;             // of the leaf that has most
};

Uplinks leafUplinks(const RecipeSettings& s, const ClosPlan& p) {
    if (!s.usedUplinks) return {std::int64_t{p.leaves} * p.leafUp, std::int64_t{p.leavesPerNetwork} * p.leafUp, p.leafUp};
    Uplinks uplinks;
    for (int network = 0; network < p.networks; ++network) {
        std::int64_t own = 0;
        for (const int used : usedDownPorts(s, p, network)) {
            const int count = std::min(p.leafUp, ceilDivide(std::int64_t{used} * p.leafUp, p.leafDown));
            own += count;
            uplinks.leaf = std::max(uplinks.leaf, count);
        }
        uplinks.all += own;
        uplinks.network = std::max(uplinks.network, own);
    }
    return uplinks;
}

void planOneTier(const RecipeSettings& s, ClosPlan& p) {
    p.tiers = 1;
    p.scalableUnits = 1;
    p.suServers = s.servers;
    p.leavesPerSu = p.leaves = p.networks;
    p.leavesPerNetwork = 1;
    p.leafDown = s.radix;
    p.leafUp = 0;
}

Status planTwoTiers(const RecipeSettings& s, ClosPlan& p) {
    p.tiers = 2;
    if (s.spines > p.leafUp) {
        if (s.linkSpeed * p.leafDown + s.uplinkSpeed * s.spines > s.linkSpeed * s.radix)
            return Error::unbuildable(fmt::format("spines = {}: a leaf has only {} ports for uplinks; nearest value that works: {}",
                                                  s.spines, s.radix - p.leafDown, s.radix - p.leafDown));
        p.leafUp = s.spines;
    }
    const Uplinks uplinks = leafUplinks(s, p);
    const int need = ceilDivide(uplinks.network, s.spineRadix);
    if (s.spines != 0 && s.spines < need)
        return Error::unbuildable(fmt::format("spines = {}: {} uplinks need {} spines of {} ports; nearest value that works: {}", s.spines,
                                              uplinks.network, need, s.spineRadix, topTierCount(s, need, uplinks.leaf)));
    p.spinesPerPod = s.spines ? s.spines : topTierCount(s, need, uplinks.leaf);
    p.spines = p.spinesPerPod * p.networks;
    p.leafSpineLinks = uplinks.all;
    return Done{};
}

struct SpineSplit {
    int down, up;
};

SpineSplit splitOf(const RecipeSettings& s) {
    const int share = s.spineRadix / (s.core.down + s.core.up);
    return {s.core.down * share, s.core.up * share};
}

// Leaves of a pod: what the down-ports of a spine hold, or what pod_servers asks for.
int leavesPerPod(const RecipeSettings& s, const ClosPlan& p, int down) {
    if (s.podServers == 0) return down;
    const int perSu = railOnly(s) || s.railPods ? 1 : p.leavesPerSu / p.planes;
    return ceilDivide(std::int64_t{s.podServers} * perSu, p.suServers);
}

Status planThreeTiers(const RecipeSettings& s, ClosPlan& p) {
    p.tiers = 3;
    const SpineSplit split = splitOf(s);
    if (s.spines) p.leafUp = s.spines;
    if (s.linkSpeed * p.leafDown + s.uplinkSpeed * p.leafUp > std::max(s.linkSpeed * s.radix, s.leafSwitch->as<SwitchPart>()->capacity))
        return Error::unbuildable(fmt::format("spines = {}: a leaf has only {} ports for uplinks; nearest value that works: {}", s.spines,
                                              s.radix - p.leafDown, s.radix - p.leafDown));
    p.leavesPerPod = leavesPerPod(s, p, split.down);
    if (p.leavesPerPod > split.down)
        return Error::unbuildable(
            fmt::format("pod_servers = {}: a spine has {} ports down, a pod would have {} leaves; nearest value that works: {}",
                        s.podServers, split.down, p.leavesPerPod, std::int64_t{split.down} * s.podServers / p.leavesPerPod));
    const Uplinks uplinks = leafUplinks(s, p);
    const int groups = s.railPods ? s.rails : 1; // pods of one rail each
    const int leavesOfGroup = p.leavesPerNetwork / groups;
    p.podsPerNetwork = groups * ceilDivide(leavesOfGroup, p.leavesPerPod);
    p.spinesPerPod = uplinks.leaf;
    p.spines = p.networks * p.podsPerNetwork * p.spinesPerPod;
    p.spineUp = s.usedUplinks ? std::min(split.up, ceilDivide(std::int64_t{std::min(p.leavesPerPod, leavesOfGroup)} * split.up, split.down))
                              : split.up;
    const int need = ceilDivide(std::int64_t{p.podsPerNetwork} * p.spineUp, s.spineRadix);
    p.superPerIndex = topTierCount(s, need, p.spineUp);
    p.superspines = p.networks * p.spinesPerPod * p.superPerIndex;
    p.leafSpineLinks = uplinks.all;
    p.spineSuperLinks = std::int64_t{p.spines} * p.spineUp;
    return Done{};
}

Status planFourTiers(const RecipeSettings& s, ClosPlan& p) {
    if (s.usedUplinks) return Error::unbuildable("uplinks = used: four tiers are built for full pods; nearest that works: full-su");
    Status three = planThreeTiers(s, p);
    if (!three) return three;
    const SpineSplit split = splitOf(s);
    p.tiers = 4;
    p.podsPerBlock = split.down;
    p.blocksPerNetwork = ceilDivide(p.podsPerNetwork, p.podsPerBlock);
    p.superPerIndex = p.spineUp; // one link from each spine to each superspine of its index
    p.superspines = p.networks * p.blocksPerNetwork * p.spinesPerPod * p.superPerIndex;
    p.superUp = split.up;
    p.corePerIndex = topTierCount(s, ceilDivide(std::int64_t{p.blocksPerNetwork} * p.superUp, s.spineRadix), p.superUp);
    p.cores = p.networks * p.spinesPerPod * p.superPerIndex * p.corePerIndex;
    p.superCoreLinks = std::int64_t{p.superspines} * p.superUp;
    return Done{};
}

int fewestTiers(const RecipeSettings& s, const ClosPlan& p) {
    const SpineSplit split = splitOf(s);
    if (networkHostLinks(s, p) + s.managerPorts <= s.radix) return 1;
    if (p.leavesPerNetwork <= s.spineRadix) return 2;
    const int pods = ceilDivide(p.leavesPerNetwork, std::max(1, std::min(split.down, leavesPerPod(s, p, split.down))));
    if (pods <= s.spineRadix) return 3;
    return ceilDivide(pods, split.down) <= s.spineRadix ? 4 : 5;
}

// As many as four tiers join, in whole SUs.
std::int64_t mostServers(const RecipeSettings& s, const ClosPlan& p) {
    const SpineSplit split = splitOf(s);
    const std::int64_t leaves = std::int64_t{s.spineRadix} * split.down * std::max(1, std::min(split.down, leavesPerPod(s, p, split.down)));
    return leaves / std::max(1, p.leavesPerSu / p.networks) * p.suServers;
}

Status checkManagers(const RecipeSettings& s, const ClosPlan& p) {
    if (s.managerPorts == 0) return Done{};
    const int lastServers = s.servers - (p.scalableUnits - 1) * p.suServers;
    const int lastLeaves = p.leaves - (p.scalableUnits - 1) * p.leavesPerSu;
    const int free = lastLeaves * p.leafDown - lastServers * s.nicsPerServer * s.nicPorts;
    if (s.managerPorts <= free) return Done{};
    return Error::unbuildable(fmt::format(
        "manager_ports = {}: the leaves of the last SU have {} free ports down; nearest value that works: {}, or one server less",
        s.managerPorts, free, free));
}

} // namespace

Result<ClosPlan> plan(const RecipeSettings& s) {
    ClosPlan p;
    if (Status units = planUnits(s, p); !units) return units.errors();
    const int fewest = fewestTiers(s, p);
    const int tiers = s.tiers ? s.tiers : fewest;
    if (fewest > 4)
        return Error::unbuildable(
            fmt::format("servers = {}: more than four tiers of radix {} can join; nearest value that works: {}, or a larger radix",
                        s.servers, s.spineRadix, mostServers(s, p)));
    if (tiers < fewest)
        return tooFewTiers(s, fmt::format("{} leaves a network of radix {} need {} tiers", p.leavesPerNetwork, s.spineRadix, fewest),
                           fewest);
    if (tiers > 1 && p.leafUp == 0 && s.spines == 0)
        return Error::unbuildable(fmt::format("leaf_up = 0: {} tiers need uplinks; nearest value that works: 1", tiers));
    Status done = Done{};
    if (tiers == 1)
        planOneTier(s, p);
    else if (tiers == 2)
        done = planTwoTiers(s, p);
    else if (tiers == 3)
        done = planThreeTiers(s, p);
    else
        done = planFourTiers(s, p);
    if (!done) return done.errors();
    if (Status managers = checkManagers(s, p); !managers) return managers.errors();
    return p;
}

} // namespace railyard
