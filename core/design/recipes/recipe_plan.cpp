// How many switches and links. The rules and their published checks: docs/recipes.md.
#include "core/design/recipes/recipe_plan.h"

#include "core/base/counted.h"
#include "core/design/recipes/used_uplinks.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <span>

namespace railyard {
namespace {

constexpr int ceilDivide(std::int64_t a, std::int64_t b) { return static_cast<int>((a + b - 1) / b); }

bool railOnly(const RecipeSettings& s) { return s.family == RecipeFamily::RailOnly; }
bool fatTree(const RecipeSettings& s) { return s.family == RecipeFamily::FatTree; }
// A unit is what a leaf serves whole: a server, or an HB domain under rail-only.
int serversPerUnit(const RecipeSettings& s) { return railOnly(s) ? s.serversPerDomain() : 1; }
int railsOfPlan(const RecipeSettings& s) { return fatTree(s) ? 1 : s.rails; }

std::vector<int> portsOfUnit(const RecipeSettings& s, int planes) {
    const int rails = railsOfPlan(s), nics = s.nicsPerServer * serversPerUnit(s);
    std::vector<int> ports(static_cast<std::size_t>(planes * rails));
    for (int rail = 0; planes == 1 && rail < rails; ++rail)
        ports[static_cast<std::size_t>(rail)] = (nics / rails + (rail < nics % rails ? 1 : 0)) * s.nicPorts;
    for (int nic = 0; planes > 1 && nic < nics; ++nic)
        for (int port = 0; port < s.nicPorts; ++port)
            ++ports[static_cast<std::size_t>((nic * s.nicPorts + port) % planes * rails + nic % rails)];
    return ports;
}
int mostOf(const std::vector<int>& values) { return values.empty() ? 0 : *std::max_element(values.begin(), values.end()); }

// Smallest count >= need that divides the uplinks below, so that every switch below splits evenly (even-split).
int topTierCount(const RecipeSettings& s, int need, int uplinks) {
    need = std::max(1, need);
    if (s.exactSpines) return need;
    for (int each = uplinks / need; each > 0; --each) // uplinks to one of them: fewer to try than counts
        if (uplinks % each == 0) return uplinks / each;
    return need;
}

template <class Value>
Error refusal(const char* code, const char* key, const Value& value, std::string wrong, std::vector<std::string> nearest,
              std::string instead = {}) {
    return Error::parameter(Error::Kind::Unbuildable, code, key, fmt::format("{}", value), std::move(wrong), std::move(nearest),
                            std::move(instead));
}

// More spines than uplinks take what ports a leaf has left.
Status takeSpines(const RecipeSettings& s, ClosPlan& p) {
    if (s.spines <= p.leafUp) return Done{};
    const int uplinks = s.mostUplinks(p.leafDown);
    if (s.spines > uplinks)
        return refusal("ports", "spines", s.spines, fmt::format("a leaf has only {} uplink ports", uplinks), {std::to_string(uplinks)});
    p.leafUp = s.spines;
    return Done{};
}

Error tooFewTiers(const RecipeSettings& s, const std::string& limit, int nearest) {
    return refusal("ports", "tiers", s.tiers, limit, {std::to_string(nearest)});
}

// A fat tree counts the leaves of a plane by servers and knows no uneven share. Elsewhere a rail has leaves only in the planes
// that its NICs reach.
bool planesShareEvenly(const RecipeSettings& s, int planes) {
    if (!fatTree(s)) return true;
    const std::vector<int> ports = portsOfUnit(s, planes);
    return *std::min_element(ports.begin(), ports.end()) == mostOf(ports);
}

Status checkPlanes(const RecipeSettings& s) {
    if (planesShareEvenly(s, s.planes)) return Done{};
    int below = s.planes - 1, above = s.planes + 1;
    while (!planesShareEvenly(s, below)) --below; // one plane always works
    const int most = s.nicsPerServer * s.nicPorts;
    while (above <= most && !planesShareEvenly(s, above)) ++above;
    std::vector<std::string> nearest{std::to_string(below)};
    if (above <= most) nearest.push_back(std::to_string(above));
    return refusal("multiple", "planes", s.planes,
                   fmt::format("the {} NIC ports of a server cannot be divided evenly among the planes", most), std::move(nearest));
}

int leavesOf(const NetworkUse& network) {
    return std::accumulate(network.leaves.begin(), network.leaves.end(), 0, [](int sum, const LeafUse& use) { return sum + use.leaves; });
}

// Adds the leaves of `units` SUs of this number of servers each, for every network that has any. Those that it adds, in path order.
std::vector<LeafUse*> addUnits(const RecipeSettings& s, const ClosPlan& p, int servers, int units, std::vector<NetworkUse>& networks) {
    std::vector<std::pair<std::size_t, std::size_t>> added;
    for (std::size_t slot = 0; slot < p.unitPorts.size() && units > 0; ++slot) {
        const int ports = p.unitPorts[slot];
        if (ports == 0) continue; // no leaf: no NIC of this rail reaches the plane
        const std::size_t at = railOnly(s) ? slot : slot / static_cast<std::size_t>(railsOfPlan(s));
        std::vector<LeafUse>& own = networks[at].leaves;
        const std::size_t before = own.size();
        if (fatTree(s))
            for (int left = servers; left > 0; left -= s.leafDown / ports)
                own.push_back({std::min(left, s.leafDown / ports) * ports, 0, units});
        else
            own.push_back({servers / serversPerUnit(s) * ports, 0, units});
        for (std::size_t i = before; i < own.size(); ++i) added.emplace_back(at, i);
    }
    std::vector<LeafUse*> leaves;
    for (const auto& [network, leaf] : added) leaves.push_back(&networks[network].leaves[leaf]);
    return leaves;
}

// Without managers the leaves of an SU differ only where rails have unlike numbers of ports, and so do networks of one rail.
std::vector<NetworkUse> networksWithoutManagers(const RecipeSettings& s, const ClosPlan& p) {
    std::vector<NetworkUse> networks;
    const int units = p.scalableUnits - 1, lastServers = s.servers - units * p.suServers, perUnit = serversPerUnit(s);
    for (int plane = 0; plane < s.planes; ++plane) {
        std::vector<std::pair<int, int>> kinds; // ports on a leaf, and how many leaves side by side have them
        for (int rail = 0; rail < railsOfPlan(s); ++rail) {
            const int ports = p.unitPorts[static_cast<std::size_t>(plane * railsOfPlan(s) + rail)];
            if (ports == 0) continue;
            if (kinds.empty() || kinds.back().first != ports) kinds.emplace_back(ports, 0);
            ++kinds.back().second;
        }
        const auto add = [&](std::span<const std::pair<int, int>> ofNetwork, int copies) {
            NetworkUse network{{}, units > 0 ? ofNetwork.size() : 0, copies};
            for (const auto& [ports, leaves] : ofNetwork)
                if (units > 0) network.leaves.push_back({p.suServers / perUnit * ports, 0, leaves / copies * units});
            for (const auto& [ports, leaves] : ofNetwork) network.leaves.push_back({lastServers / perUnit * ports, 0, leaves / copies});
            networks.push_back(std::move(network));
        };
        if (!railOnly(s) && !kinds.empty()) add(kinds, 1);
        for (std::size_t k = 0; railOnly(s) && k < kinds.size(); ++k) add(std::span(kinds).subspan(k, 1), kinds[k].second);
    }
    return networks;
}

// Of every plane, rail-only: of every rail in every plane.
std::vector<NetworkUse> networksOf(const RecipeSettings& s, const ClosPlan& p) {
    if (s.managerPorts == 0 && !fatTree(s) && !s.railPods) return networksWithoutManagers(s, p);
    std::vector<NetworkUse> networks(railOnly(s) ? p.unitPorts.size() : static_cast<std::size_t>(s.planes));
    addUnits(s, p, p.suServers, p.scalableUnits - 1, networks);
    for (NetworkUse& network : networks) network.ofFull = network.leaves.size();
    int left = s.managerPorts; // one a leaf of the last SU, in turn, where there is room
    const auto last = addUnits(s, p, s.servers - (p.scalableUnits - 1) * p.suServers, 1, networks);
    for (bool room = true; left > 0 && room;) {
        room = false;
        for (LeafUse* use : last) {
            if (left == 0 || use->hosts + use->managers >= p.leafDown) continue;
            ++use->managers;
            --left;
            room = true;
        }
    }
    std::erase_if(networks, [](const NetworkUse& network) { return network.leaves.empty(); });
    return networks;
}

// The largest SU of at most this number of servers (else the smallest) that its leaves can serve: whole HB domains, or a whole part of
// one that spans several SUs.
int largestSu(const RecipeSettings& s, int unitsPerLeaf, int atMost) {
    const int step = s.serversPerDomain();
    const int most = fatTree(s) ? atMost : std::min(atMost, unitsPerLeaf * serversPerUnit(s));
    if (most >= step) return most / step * step;
    for (int servers = most; servers > 0 && !railOnly(s); --servers)
        if (step % servers == 0) return servers;
    return step;
}

// Fills in what does not depend on the number of tiers, and the networks.
Status planUnits(const RecipeSettings& s, ClosPlan& p, std::vector<NetworkUse>& networks) {
    if (Status planes = checkPlanes(s); !planes) return planes;
    p.unitPorts = portsOfUnit(s, s.planes);
    const int step = s.serversPerDomain(), perUnit = mostOf(p.unitPorts);
    const int unitsPerLeaf = s.leafDown / perUnit;
    const std::string_view unit = railOnly(s) ? "HB domain" : "server";
    if (unitsPerLeaf == 0)
        return refusal("ports", "leaf_down", s.leafDown, fmt::format("a single {} uses {} ports of a leaf", unit, perUnit),
                       {std::to_string(perUnit)});
    const int most = fatTree(s) ? std::lcm(unitsPerLeaf, step) : unitsPerLeaf * serversPerUnit(s);
    p.suServers = s.suServers ? s.suServers : largestSu(s, unitsPerLeaf, most);
    if (const int works = largestSu(s, unitsPerLeaf, p.suServers); works != p.suServers)
        return refusal(
            "multiple", "su_servers", p.suServers,
            fmt::format("a leaf has {} downlink ports, {} for each {}, and an SU must hold whole HB domains of {} servers or be a "
                        "whole part of one",
                        s.leafDown, perUnit, unit, step),
            {std::to_string(works)});
    p.scalableUnits = ceilDivide(s.servers, p.suServers);
    p.planes = s.planes;
    const auto railsInPlanes = std::count_if(p.unitPorts.begin(), p.unitPorts.end(), [](int ports) { return ports > 0; });
    p.networks = railOnly(s) ? static_cast<int>(railsInPlanes) : s.planes;
    p.hostLinks = std::int64_t{s.servers} * s.nicsPerServer * s.nicPorts;
    p.managerLinks = s.managerPorts;
    const int lastServers = s.servers - (p.scalableUnits - 1) * p.suServers;
    const auto leavesFor = [&](int servers) {
        return fatTree(s) ? s.planes * ceilDivide(servers, unitsPerLeaf) : static_cast<int>(railsInPlanes);
    };
    p.leavesPerSu = leavesFor(p.suServers);
    p.leaves = (p.scalableUnits - 1) * p.leavesPerSu + leavesFor(lastServers);
    p.leafDown = s.leafDown;
    networks = networksOf(s, p);
    for (const NetworkUse& network : networks) p.leavesPerNetwork = std::max(p.leavesPerNetwork, leavesOf(network));
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

struct Uplinks {
    std::int64_t all = 0; // of the leaves of one network
    int leaf = 0;         // of the leaf that has most
    int leafOfHosts = 0;  // the same without manager ports, which no spine count has to divide
};

Uplinks uplinksOf(const RecipeSettings& s, const ClosPlan& p, const NetworkUse& network) {
    if (!s.usedUplinks) return {std::int64_t{leavesOf(network)} * p.leafUp, p.leafUp, p.leafUp};
    const Ratio ratio = s.usedRatio(p.leafDown, p.leafUp);
    Uplinks uplinks;
    for (const LeafUse& use : network.leaves) {
        const int count = uplinksFor(use.hosts + use.managers, ratio);
        uplinks.all += std::int64_t{count} * use.leaves;
        uplinks.leaf = std::max(uplinks.leaf, count);
        uplinks.leafOfHosts = std::max(uplinks.leafOfHosts, uplinksFor(use.hosts, ratio));
    }
    return uplinks;
}

void planOneTier(const RecipeSettings& s, ClosPlan& p) {
    p.scalableUnits = 1;
    p.suServers = s.servers;
    p.leavesPerSu = p.leaves = p.networks;
    p.leavesPerNetwork = 1;
    p.leafDown = s.radix;
}

Status planTwoTiers(const RecipeSettings& s, const std::vector<NetworkUse>& networks, ClosPlan& p) {
    if (Status spines = takeSpines(s, p); !spines) return spines;
    for (const NetworkUse& network : networks) {
        const Uplinks uplinks = uplinksOf(s, p, network);
        const int need = ceilDivide(uplinks.all, s.spineRadix);
        if (s.spines != 0 && s.spines < need)
            return refusal("ports", "spines", s.spines,
                           fmt::format("{} uplinks need {} spines of {} ports", uplinks.all, need, s.spineRadix),
                           {std::to_string(topTierCount(s, need, uplinks.leafOfHosts))});
        const UpperTiers upper{.spines = s.spines ? s.spines : topTierCount(s, need, uplinks.leafOfHosts)};
        p.upperTiers.insert(p.upperTiers.end(), static_cast<std::size_t>(network.copies), upper);
        p.leafSpineLinks += uplinks.all * network.copies;
    }
    return Done{};
}

// Leaves of a full SU in the fullest network.
int leavesOfSu(const RecipeSettings& s, const ClosPlan& p) {
    if (fatTree(s)) return p.leavesPerSu / p.planes;
    int most = 1;
    for (int plane = 0; plane < p.planes && !railOnly(s); ++plane) most = std::max(most, p.railsInPlane(plane));
    return most;
}

// Leaves of a pod: what the down-ports of a spine hold, or what pod_servers asks for.
int leavesPerPod(const RecipeSettings& s, const ClosPlan& p, int down) {
    if (s.podServers == 0) return down;
    return ceilDivide(std::int64_t{s.podServers} * (s.railPods ? 1 : leavesOfSu(s, p)), p.suServers);
}

// Pods of one rail each hold its leaf of every SU.
int podsOf(const RecipeSettings& s, const ClosPlan& p, int leaves, int perPod) {
    return s.railPods ? leaves / p.scalableUnits * ceilDivide(p.scalableUnits, perPod) : ceilDivide(leaves, perPod);
}

// Of leaves that fill pods one after the other: SU by SU, then by rail; pods of one rail each take that rail's leaf of every SU.
std::vector<RepeatedNumbers> uplinksOfLeaves(const RecipeSettings& s, const ClosPlan& p, const NetworkUse& network) {
    const Ratio ratio = s.usedRatio(p.leafDown, p.leafUp);
    const std::size_t ofLast = network.leaves.size() - network.ofFull;
    std::vector<RepeatedNumbers> uplinks(s.railPods ? ofLast : 1);
    const auto add = [&](std::size_t l, const LeafUse& use, int leaves) {
        append(uplinks[s.railPods ? l : 0], {uplinksFor(use.hosts + use.managers, ratio), leaves});
    };
    const int units = p.scalableUnits - 1, perTurn = network.ofFull == 1 ? units : 1; // leaves of one kind all stand side by side
    for (int unit = 0; unit < units; unit += perTurn)
        for (std::size_t l = 0; l < network.ofFull; ++l) add(l, network.leaves[l], network.leaves[l].leaves / units * perTurn);
    for (std::size_t l = 0; l < ofLast; ++l) add(l, network.leaves[network.ofFull + l], network.leaves[network.ofFull + l].leaves);
    return uplinks;
}

Error tooFewSpines(const RecipeSettings& s, std::string wrong, std::int64_t nearest) {
    return refusal("ports", "spines", s.spines, std::move(wrong), {std::to_string(nearest)});
}

// A pod has a spine for every uplink of a leaf. Fewer share them as parallel links, and have ports for fewer leaves.
Status planPods(const RecipeSettings& s, ClosPlan& p, int uplinks, const Ratio& split) {
    p.spinesPerPod = s.spines != 0 ? s.spines : uplinks;
    const auto most =
        static_cast<int>(std::min(std::int64_t{split.down}, std::int64_t{split.down} * p.spinesPerPod / std::max(1, uplinks)));
    if (most == 0)
        return tooFewSpines(s,
                            fmt::format("a leaf has {} uplinks, but the spines of a pod have only {} downlink ports together", uplinks,
                                        split.down * s.spines),
                            ceilDivide(uplinks, split.down));
    p.leavesPerPod = leavesPerPod(s, p, most);
    if (p.leavesPerPod > most)
        return refusal("ports", "pod_servers", s.podServers,
                       most == split.down
                           ? fmt::format("a pod would have {} leaves, but a spine has only {} downlink ports", p.leavesPerPod, most)
                           : fmt::format("a pod would have {} leaves of {} uplinks, but {} spines with {} downlink ports each hold {}",
                                         p.leavesPerPod, uplinks, p.spinesPerPod, split.down, most),
                       {std::to_string(std::int64_t{most} * s.podServers / p.leavesPerPod)});
    return Done{};
}

// Pods that hold fewer leaves are more: as many as the ports of a superspine, or blocks of them as those of a core switch.
Status checkTop(const RecipeSettings& s, const ClosPlan& p, std::string_view what, int count, std::string_view top) {
    if (count <= s.spineRadix) return Done{};
    return tooFewSpines(s,
                        fmt::format("a pod then holds {}, and a {} with {} ports cannot join {} {}",
                                    counted(p.leavesPerPod, "{} leaf", "{} leaves"), top, s.spineRadix, count, what),
                        s.spines + 1); // from where build() looks for the first that works
}

Status planThreeTiers(const RecipeSettings& s, const std::vector<NetworkUse>& networks, ClosPlan& p) {
    const Ratio split = splitOf(s);
    if (Status spines = takeSpines(s, p); !spines) return spines;
    int uplinksOfALeaf = 0;
    for (const NetworkUse& network : networks) {
        const Uplinks uplinks = uplinksOf(s, p, network);
        uplinksOfALeaf = std::max(uplinksOfALeaf, uplinks.leaf);
        p.leafSpineLinks += uplinks.all * network.copies;
    }
    if (Status pods = planPods(s, p, uplinksOfALeaf, split); !pods) return pods;
    p.spineUp = split.up;
    if (s.usedUplinks) p.spineUp = 0;
    std::vector<UsedAbove> used;
    for (std::size_t n = 0; n < networks.size() && s.usedUplinks; ++n) {
        used.push_back(usedAbove(uplinksOfLeaves(s, p, networks[n]), p.leavesPerPod, p.spinesPerPod, split, p.tiers == 4 ? split.down : 0));
        p.spineUp = std::max(p.spineUp, used.back().spines.most);
        p.used.insert(p.used.end(), static_cast<std::size_t>(networks[n].copies), used.back());
    }
    for (std::size_t n = 0; n < networks.size(); ++n) {
        UpperTiers upper{.spines = p.spinesPerPod, .pods = podsOf(s, p, leavesOf(networks[n]), p.leavesPerPod)};
        if (Status top = p.tiers == 3 ? checkTop(s, p, "pods", upper.pods, "superspine") : Status(Done{}); !top) return top;
        const std::int64_t ofAnIndex = s.usedUplinks ? used[n].spines.ofAnIndex : std::int64_t{upper.pods} * p.spineUp;
        upper.superPerIndex = topTierCount(s, ceilDivide(ofAnIndex, s.spineRadix), s.usedUplinks ? used[n].spines.most : p.spineUp);
        p.upperTiers.insert(p.upperTiers.end(), static_cast<std::size_t>(networks[n].copies), upper);
    }
    return Done{};
}

Status planFourTiers(const RecipeSettings& s, const std::vector<NetworkUse>& networks, ClosPlan& p) {
    Status three = planThreeTiers(s, networks, p);
    if (!three) return three;
    const Ratio split = splitOf(s);
    p.podsPerBlock = split.down;
    p.superUp = split.up;
    if (s.usedUplinks) p.superUp = 0;
    for (const UsedAbove& used : p.used) p.superUp = std::max(p.superUp, used.superspines.most);
    for (std::size_t n = 0; n < p.upperTiers.size(); ++n) {
        UpperTiers& upper = p.upperTiers[n];
        upper.blocks = ceilDivide(upper.pods, p.podsPerBlock);
        if (Status top = checkTop(s, p, "blocks", upper.blocks, "core switch"); !top) return top;
        upper.superPerIndex = p.spineUp; // one link from each spine to each superspine of its index
        const std::int64_t ofAnIndex = s.usedUplinks ? p.used[n].superspines.ofAnIndex : std::int64_t{upper.blocks} * p.superUp;
        upper.corePerIndex = topTierCount(s, ceilDivide(ofAnIndex, s.spineRadix), s.usedUplinks ? p.used[n].superspines.most : p.superUp);
    }
    return Done{};
}

// Networks of rails are built alike, as the fullest asks; those of planes each as it needs. Then all are added up.
void addUp(const RecipeSettings& s, ClosPlan& p) {
    UpperTiers fullest;
    for (const UpperTiers& upper : p.upperTiers) {
        fullest.spines = std::max(fullest.spines, upper.spines);
        fullest.pods = std::max(fullest.pods, upper.pods);
        fullest.superPerIndex = std::max(fullest.superPerIndex, upper.superPerIndex);
        fullest.blocks = std::max(fullest.blocks, upper.blocks);
        fullest.corePerIndex = std::max(fullest.corePerIndex, upper.corePerIndex);
    }
    if (railOnly(s)) std::fill(p.upperTiers.begin(), p.upperTiers.end(), fullest);
    p.spinesPerPod = fullest.spines;
    p.podsPerNetwork = fullest.pods;
    p.superPerIndex = fullest.superPerIndex;
    p.blocksPerNetwork = fullest.blocks;
    p.corePerIndex = fullest.corePerIndex;
    for (const UpperTiers& upper : p.upperTiers) {
        const int spines = upper.spines * std::max(1, upper.pods);
        p.spines += spines;
        const int supers = upper.spines * upper.superPerIndex * std::max(1, upper.blocks);
        p.superspines += supers;
        p.cores += upper.spines * upper.superPerIndex * upper.corePerIndex;
        p.spineSuperLinks += s.usedUplinks ? 0 : std::int64_t{spines} * p.spineUp;
        p.superCoreLinks += s.usedUplinks ? 0 : std::int64_t{supers} * p.superUp;
    }
    for (const UsedAbove& used : p.used) {
        p.spineSuperLinks += used.spines.all;
        p.superCoreLinks += used.superspines.all;
    }
}

int fewestTiers(const RecipeSettings& s, const ClosPlan& p) {
    const Ratio split = splitOf(s);
    if (networkHostLinks(s, p) + s.managerPorts <= s.radix) return 1;
    if (p.leavesPerNetwork <= s.spineRadix) return 2;
    const int perPod = std::max(1, std::min(split.down, leavesPerPod(s, p, split.down)));
    const int pods = podsOf(s, p, p.leavesPerNetwork, perPod);
    if (pods <= s.spineRadix) return 3;
    return ceilDivide(pods, split.down) <= s.spineRadix ? 4 : 5;
}

// As many as four tiers join, in whole SUs.
std::int64_t mostServers(const RecipeSettings& s, const ClosPlan& p) {
    const Ratio split = splitOf(s);
    const std::int64_t leaves = std::int64_t{s.spineRadix} * split.down * std::max(1, std::min(split.down, leavesPerPod(s, p, split.down)));
    return leaves / leavesOfSu(s, p) * p.suServers;
}

Status checkManagers(const RecipeSettings& s, const ClosPlan& p) {
    if (s.managerPorts == 0) return Done{};
    const int lastServers = s.servers - (p.scalableUnits - 1) * p.suServers;
    const int lastLeaves = p.leaves - (p.scalableUnits - 1) * p.leavesPerSu;
    const int free = lastLeaves * p.leafDown - lastServers * s.nicsPerServer * s.nicPorts;
    if (s.managerPorts <= free) return Done{};
    return refusal("ports", "manager_ports", s.managerPorts, fmt::format("the leaves of the last SU have {} free downlink ports", free),
                   {std::to_string(free)}, "one server fewer");
}

Result<LeafPlan> leavesWithin(const RecipeSettings& s) {
    LeafPlan leaves;
    ClosPlan& p = leaves.plan;
    if (Status units = planUnits(s, p, leaves.networks); !units) return units.errors();
    const int fewest = fewestTiers(s, p);
    p.tiers = s.tiers ? s.tiers : fewest;
    if (fewest > 4)
        return refusal("ports", "servers", s.servers, fmt::format("four tiers of radix {} cannot connect as many", s.spineRadix),
                       {std::to_string(mostServers(s, p))}, "a larger radix");
    if (s.railPods && fewest > 3)
        return refusal("ports", "rail_scope", "per-rail",
                       fmt::format("separate pods for every rail need more ports than the {} of a superspine", s.spineRadix), {"shared"});
    if (p.tiers < fewest)
        return tooFewTiers(
            s, fmt::format("{} leaves per network need {} tiers with a radix of {}", p.leavesPerNetwork, fewest, s.spineRadix), fewest);
    if (p.tiers == 1) planOneTier(s, p);
    if (Status managers = checkManagers(s, p); !managers) return managers.errors();
    return leaves;
}

} // namespace

std::vector<int> ClosPlan::railsOfPlane(int plane) const {
    const int perPlane = static_cast<int>(unitPorts.size()) / planes;
    std::vector<int> rails;
    for (int rail = 0; rail < perPlane; ++rail)
        if (unitPorts[static_cast<std::size_t>(plane * perPlane + rail)] > 0) rails.push_back(rail);
    return rails;
}

int ClosPlan::railsInPlane(int plane) const {
    const auto perPlane = static_cast<std::ptrdiff_t>(unitPorts.size()) / planes;
    const auto first = unitPorts.begin() + plane * perPlane;
    return static_cast<int>(std::count_if(first, first + perPlane, [](int ports) { return ports > 0; }));
}

Result<LeafPlan> planLeaves(const RecipeSettings& settings) {
    ClosPlan units;
    units.unitPorts = portsOfUnit(settings, settings.planes);
    if (settings.tiers > 1 || networkHostLinks(settings, units) + settings.managerPorts > settings.radix) return leavesWithin(settings);
    RecipeSettings one = settings; // one tier has a leaf with all its ports for each network, and no SUs
    one.leafDown = settings.radix;
    one.suServers = 0;
    return leavesWithin(one);
}

Result<ClosPlan> plan(const RecipeSettings& s, const LeafPlan& leaves) {
    ClosPlan p = leaves.plan;
    p.leafUp = p.tiers == 1 ? 0 : s.leafUp;
    if (p.tiers > 1 && p.leafUp == 0 && s.spines == 0)
        return refusal("ports", "leaf_up", 0, fmt::format("{} tiers need uplinks", p.tiers), {"1"});
    Status upper = Done{};
    if (p.tiers == 2) upper = planTwoTiers(s, leaves.networks, p);
    if (p.tiers == 3) upper = planThreeTiers(s, leaves.networks, p);
    if (p.tiers == 4) upper = planFourTiers(s, leaves.networks, p);
    if (!upper) return upper.errors();
    addUp(s, p);
    return p;
}

Result<ClosPlan> plan(const RecipeSettings& settings) {
    const auto leaves = planLeaves(settings);
    return leaves ? plan(settings, *leaves) : Result<ClosPlan>(leaves.errors());
}

std::vector<int> railCounts(int nics) {
    std::vector<int> counts;
    for (int rails = nics > 1 ? 2 : 1; rails <= nics; ++rails)
        if (nics % rails == 0) counts.push_back(rails);
    return counts;
}

int fewestSwitchRails(RecipeSettings settings) {
    const std::vector<int> counts = railCounts(settings.nicsPerRailUnit());
    int best = counts.back();
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (const int rails : counts) { // ascending, so that an equal later one has more rails
        settings.rails = rails;
        const auto planned = plan(settings);
        if (!planned || planned->switches() > fewest) continue;
        best = rails;
        fewest = planned->switches();
    }
    return best;
}

} // namespace railyard
