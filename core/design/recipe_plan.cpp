// How many switches and links. The rules and their published checks: docs/recipes.md.
#include "core/design/recipe.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace railyard {
namespace {

constexpr int ceilDivide(std::int64_t a, std::int64_t b) { return static_cast<int>((a + b - 1) / b); }

// NIC ports on one rail of a server (rail-optimized) or an HB domain (rail-only); rails differ by at most one NIC.
int portsOnRail(const RecipeSettings& s, int rail) {
    const int nics = s.nicsPerServer * (s.family == RecipeFamily::RailOnly ? s.serversPerDomain() : 1);
    return (nics / s.rails + (rail < nics % s.rails ? 1 : 0)) * s.nicPorts;
}

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

// Fills in what does not depend on the number of tiers.
Status planUnits(const RecipeSettings& s, ClosPlan& p) {
    const int step = s.serversPerDomain();
    const bool fatTree = s.family == RecipeFamily::FatTree, railOnly = s.family == RecipeFamily::RailOnly;
    const int perUnit = fatTree ? s.nicsPerServer * s.nicPorts : portsOnRail(s, 0);
    const int unitsPerLeaf = s.leafDown / perUnit; // servers, or HB domains under rail-only
    if (unitsPerLeaf == 0)
        return Error::unbuildable(fmt::format("leaf_down = {}: one {} alone brings {} ports to a leaf; nearest value that works: {}",
                                              s.leafDown, railOnly ? "HB domain" : "server", perUnit, perUnit));
    const int most = fatTree ? std::lcm(unitsPerLeaf, step) : railOnly ? unitsPerLeaf * step : unitsPerLeaf / step * step;
    if (most == 0)
        return Error::unbuildable(
            fmt::format("hb_domain_gpus = {}: an HB domain has {} servers, an SU holds {}; nearest value that works: {}", s.hbDomainGpus,
                        step, unitsPerLeaf, unitsPerLeaf * s.gpusPerServer));
    p.suServers = s.suServers ? s.suServers : most;
    if (p.suServers % step != 0 || (!fatTree && p.suServers > most))
        return Error::unbuildable(fmt::format("su_servers = {}: a leaf has {} ports down for {} of each {}, and HB domains of {} servers "
                                              "stay whole; nearest value that works: {}",
                                              p.suServers, s.leafDown, perUnit, railOnly ? "HB domain" : "server", step,
                                              p.suServers > most ? most : std::max(step, p.suServers / step * step)));
    p.scalableUnits = ceilDivide(s.servers, p.suServers);
    p.networks = railOnly ? s.rails : 1;
    p.hostLinks = std::int64_t{s.servers} * s.nicsPerServer * s.nicPorts;
    p.managerLinks = s.managerPorts;
    p.leavesPerSu = fatTree ? ceilDivide(p.suServers, unitsPerLeaf) : s.rails;
    const int lastServers = s.servers - (p.scalableUnits - 1) * p.suServers;
    const int lastLeaves = fatTree ? ceilDivide(lastServers, unitsPerLeaf) : s.rails;
    p.leaves = (p.scalableUnits - 1) * p.leavesPerSu + lastLeaves;
    p.leavesPerNetwork = railOnly ? p.scalableUnits : p.leaves;
    p.leafDown = s.leafDown;
    p.leafUp = s.leafUp;
    return Done{};
}

std::int64_t networkHostLinks(const RecipeSettings& s, const ClosPlan& p) {
    return p.networks == 1 ? p.hostLinks : std::int64_t{s.servers / s.serversPerDomain()} * portsOnRail(s, 0);
}

// Down-ports in use on every leaf of one network (the first: the fullest), in leaf order.
std::vector<int> usedDownPorts(const RecipeSettings& s, const ClosPlan& p) {
    std::vector<int> used;
    const int unit = s.family == RecipeFamily::RailOnly ? s.serversPerDomain() : 1;
    for (int su = 0; su < p.scalableUnits; ++su) {
        const int servers = std::min(p.suServers, s.servers - su * p.suServers);
        if (s.family == RecipeFamily::FatTree) {
            const int perLeaf = s.leafDown / (s.nicsPerServer * s.nicPorts);
            for (int left = servers; left > 0; left -= perLeaf) used.push_back(std::min(left, perLeaf) * s.nicsPerServer * s.nicPorts);
        } else {
            for (int rail = 0; rail < (p.networks == 1 ? s.rails : 1); ++rail) used.push_back(servers / unit * portsOnRail(s, rail));
        }
    }
    return used;
}

// Uplinks of every leaf of a network.
std::vector<int> leafUplinks(const RecipeSettings& s, const ClosPlan& p) {
    if (!s.usedUplinks) return std::vector<int>(static_cast<std::size_t>(p.leavesPerNetwork), p.leafUp);
    std::vector<int> uplinks = usedDownPorts(s, p);
    for (int& count : uplinks) count = std::min(p.leafUp, ceilDivide(std::int64_t{count} * p.leafUp, p.leafDown));
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
    const std::vector<int> uplinks = leafUplinks(s, p);
    const std::int64_t total = std::accumulate(uplinks.begin(), uplinks.end(), std::int64_t{0});
    const int widest = uplinks.empty() ? 0 : *std::max_element(uplinks.begin(), uplinks.end());
    const int need = ceilDivide(total, s.spineRadix);
    if (s.spines != 0 && s.spines < need)
        return Error::unbuildable(fmt::format("spines = {}: {} uplinks need {} spines of {} ports; nearest value that works: {}", s.spines,
                                              total, need, s.spineRadix, topTierCount(s, need, widest)));
    p.spinesPerPod = s.spines ? s.spines : topTierCount(s, need, widest);
    p.spines = p.spinesPerPod * p.networks;
    p.leafSpineLinks = total * p.networks;
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
    const int perSu = p.networks > 1 || s.railPods ? 1 : p.leavesPerSu;
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
    const std::vector<int> uplinks = leafUplinks(s, p);
    const int groups = s.railPods ? s.rails : 1; // pods of one rail each
    const int leavesOfGroup = p.leavesPerNetwork / groups;
    p.podsPerNetwork = groups * ceilDivide(leavesOfGroup, p.leavesPerPod);
    p.spinesPerPod = uplinks.empty() ? 0 : *std::max_element(uplinks.begin(), uplinks.end());
    p.spines = p.networks * p.podsPerNetwork * p.spinesPerPod;
    p.spineUp = s.usedUplinks ? std::min(split.up, ceilDivide(std::int64_t{std::min(p.leavesPerPod, leavesOfGroup)} * split.up, split.down))
                              : split.up;
    const int need = ceilDivide(std::int64_t{p.podsPerNetwork} * p.spineUp, s.spineRadix);
    p.superPerIndex = topTierCount(s, need, p.spineUp);
    p.superspines = p.networks * p.spinesPerPod * p.superPerIndex;
    p.leafSpineLinks = std::accumulate(uplinks.begin(), uplinks.end(), std::int64_t{0}) * p.networks;
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

Status checkManagers(const RecipeSettings& s, const ClosPlan& p) {
    if (s.managerPorts == 0) return Done{};
    const int lastServers = s.servers - (p.scalableUnits - 1) * p.suServers;
    const int unit = s.family == RecipeFamily::RailOnly ? s.serversPerDomain() : 1;
    int free = 0;
    if (s.family == RecipeFamily::FatTree || (p.tiers == 1 && p.networks == 1)) {
        const int lastLeaves = p.leaves - (p.scalableUnits - 1) * p.leavesPerSu;
        free = lastLeaves * p.leafDown - lastServers * s.nicsPerServer * s.nicPorts;
    } else {
        for (int rail = 0; rail < s.rails; ++rail) free += p.leafDown - lastServers / unit * portsOnRail(s, rail);
    }
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
        return Error::unbuildable(fmt::format(
            "servers = {}: more than four tiers of radix {} can join; set a larger radix or fewer servers", s.servers, s.spineRadix));
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
