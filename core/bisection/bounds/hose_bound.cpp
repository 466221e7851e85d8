// Capacity-proportional routing up to the lowest common tier and down again. In an even group every uplink carries the
// same share, so a switch's worst hose load is what its endpoints can exchange with the rest of its network.
#include "core/bisection/bounds/hose_bound.h"

#include "core/bisection/bounds/cheapest_split.h"
#include "core/bisection/bounds/degraded/regular_parts.h"
#include "core/bisection/bounds/second_hb_level.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace railyard {
namespace {

std::vector<Bandwidth> injectionOfNodes(const SwitchGraph& graph, const Endpoints& ends) {
    std::vector<Bandwidth> injection(graph.device.size());
    for (const auto& a : ends.attachments) injection[a.node] += a.capacity;
    return injection;
}

// Below the top, with failures: a pair of lower switches shares the upper ones by what both can reach. For lower x and upper s the worst
// hose load is at most the largest share over all partners times what x can exchange, `load` by node.
// `at`: by node, only used within.
double unevenCongestion(const SwitchGraph& graph, const SwitchGraph::Group& group, const std::vector<Bandwidth>& load,
                        std::vector<std::uint32_t>& at) {
    const std::size_t uppers = group.uppers.size();
    if (group.lowers.size() * group.lowers.size() * uppers > 400'000'000) return impossible;
    for (std::uint32_t i = 0; i < uppers; ++i) at[group.uppers[i]] = i;
    struct Kind { // of lowers that have something to exchange: those with the same links, of which the one with the most has the worst load
        std::size_t count = 0;
        Bandwidth most;
    };
    std::map<std::vector<Bandwidth>, Kind> kinds; // by capacity to each upper
    for (const NodeId lower : group.lowers) {
        if (load[lower] <= Bandwidth()) continue;
        std::vector<Bandwidth> capacity(uppers);
        for (const auto& edge : graph.edgesAbove(lower)) capacity[at[edge.upper]] = edge.capacity;
        Kind& own = kinds[std::move(capacity)];
        ++own.count;
        own.most = std::max(own.most, load[lower]);
    }
    double worst = 0;
    std::vector<Bandwidth> share(uppers);
    std::vector<double> largest(uppers);
    for (const auto& [own, x] : kinds) {
        std::fill(largest.begin(), largest.end(), 0.0);
        for (const auto& [other, y] : kinds) {
            if (&x == &y && x.count == 1) continue;
            Bandwidth sum;
            for (std::size_t s = 0; s < uppers; ++s) sum += share[s] = std::min(own[s], other[s]);
            if (sum <= Bandwidth()) return impossible;
            for (std::size_t s = 0; s < uppers; ++s) largest[s] = std::max(largest[s], share[s] / sum);
        }
        for (std::size_t s = 0; s < uppers; ++s)
            if (largest[s] > 0) worst = std::max(worst, largest[s] * x.most / own[s]);
    }
    return worst;
}

// Three tiers with failures between leaves and spines: a pair of leaves shares the planes by what both can reach. For a leaf and a plane
// the worst hose load is at most the largest share over all partners times what the leaf can exchange, and for a spine the sum over its
// leaves.
class UnevenPods {
public:
    UnevenPods(const SwitchGraph& graph, const std::vector<Bandwidth>& exchanged) : m_graph(graph), m_exchanged(exchanged) {}

    // Of the links of leaves. Sets what each spine passes on.
    double congestion(std::vector<Bandwidth>& ofSpine) {
        for (const auto& group : m_graph.groups)
            if (group.tier == LinkTier::LeafSpine && !(takePlanes(group) && takeKinds(group))) return impossible;
        double worst = 0;
        for (Kind& own : m_kinds) {
            own.largest.assign(m_planeOfTop.size(), 0);
            for (const Kind& other : m_kinds)
                if (other.network == own.network && !takeShares(own, other)) return impossible;
            for (std::size_t plane = 0; plane < own.largest.size(); ++plane)
                if (own.largest[plane] > 0) worst = std::max(worst, own.largest[plane] * own.most / own.capacity[plane]);
        }
        for (const auto& group : m_graph.groups)
            if (group.tier == LinkTier::LeafSpine)
                for (const NodeId spine : group.uppers)
                    for (const NodeId leaf : group.lowers)
                        if (m_kindOf[leaf] != none) ofSpine[spine] += m_kinds[m_kindOf[leaf]].largest[m_plane[spine]] * m_exchanged[leaf];
        return worst;
    }

private:
    static constexpr std::size_t mostKinds = 64;
    // Leaves of a network with the same capacity to every plane.
    struct Kind {
        std::uint32_t network = 0;
        std::vector<Bandwidth> capacity;
        Bandwidth most; // that one of them can exchange
        std::vector<double> largest = {};
    };

    // A plane is what hangs on the same top switches; a pod has one spine in each.
    bool takePlanes(const SwitchGraph::Group& group) {
        m_plane.resize(m_graph.device.size(), none);
        m_kindOf.resize(m_graph.device.size(), none);
        std::set<std::uint32_t> here;
        for (const NodeId spine : group.uppers) {
            const auto above = m_graph.groupAbove[spine];
            if (above == none || !m_graph.groups[above].regular || !here.insert(above).second) return false;
            for (const NodeId top : m_graph.groups[above].uppers)
                if (m_graph.groupAbove[top] != none) return false;
            m_plane[spine] = m_planeOfTop.try_emplace(above, static_cast<std::uint32_t>(m_planeOfTop.size())).first->second;
        }
        return true;
    }
    bool takeKinds(const SwitchGraph::Group& group) {
        for (const NodeId leaf : group.lowers) {
            if (m_exchanged[leaf] <= Bandwidth()) continue;
            std::vector<Bandwidth> capacity(m_planeOfTop.size());
            for (const auto& edge : m_graph.edgesAbove(leaf)) capacity[m_plane[edge.upper]] = edge.capacity;
            const auto [at, isNew] = m_known.try_emplace({m_graph.network[leaf], capacity}, static_cast<std::uint32_t>(m_kinds.size()));
            if (isNew) m_kinds.push_back({m_graph.network[leaf], std::move(capacity), Bandwidth()});
            m_kindOf[leaf] = at->second;
            m_kinds[at->second].most = std::max(m_kinds[at->second].most, m_exchanged[leaf]);
            if (m_kinds.size() > mostKinds) return false;
        }
        return true;
    }
    static bool takeShares(Kind& own, const Kind& other) {
        Bandwidth sum;
        const std::size_t planes = std::min(own.capacity.size(), other.capacity.size()); // of later planes one of them has none
        for (std::size_t plane = 0; plane < planes; ++plane) sum += std::min(own.capacity[plane], other.capacity[plane]);
        if (sum <= Bandwidth()) return false;
        for (std::size_t plane = 0; plane < planes; ++plane)
            own.largest[plane] = std::max(own.largest[plane], std::min(own.capacity[plane], other.capacity[plane]) / sum);
        return true;
    }

    const SwitchGraph& m_graph;
    const std::vector<Bandwidth>& m_exchanged; // by leaf
    std::map<std::uint32_t, std::uint32_t> m_planeOfTop;
    std::vector<std::uint32_t> m_plane, m_kindOf; // by spine; by leaf
    std::map<std::pair<std::uint32_t, std::vector<Bandwidth>>, std::uint32_t> m_known;
    std::vector<Kind> m_kinds;
};

bool hasUnevenPods(const SwitchGraph& graph) {
    return std::any_of(graph.groups.begin(), graph.groups.end(), [&](const SwitchGraph::Group& group) {
        const auto leadsOn = [&](NodeId upper) { return graph.groupAbove[upper] != none; };
        return group.tier == LinkTier::LeafSpine && !group.regular && std::any_of(group.uppers.begin(), group.uppers.end(), leadsOn);
    });
}

// Traffic that leaves a pod over one of its spines has to meet that spine's plane again in every other pod. So groups of a
// tier that carry something lead to the same groups above, or to none in common but, seen from the top, to the same planes
// in the same proportions. Endpoints hang on leaves only, and every group leads from one tier to a higher one: tiers are
// loaded in that order.
class Planes {
public:
    Planes(const SwitchGraph& graph, const std::vector<Bandwidth>& leafInjection) : m_graph(graph), m_loaded(leafInjection.size()) {
        for (std::size_t v = 0; v < leafInjection.size(); ++v) {
            m_loaded[v] = leafInjection[v] > Bandwidth();
            m_areEqual = m_areEqual && !(m_loaded[v] && (graph.groupBelow[v] != none || graph.tier[v] != SwitchTier::Leaf));
        }
        m_areEqual = m_areEqual && isInTiers(graph);
        if (!m_areEqual) return;
        for (const LinkTier tier : {LinkTier::SuperspineCore, LinkTier::SpineSuperspine, LinkTier::LeafSpine}) name(tier);
        for (const LinkTier tier : {LinkTier::LeafSpine, LinkTier::SpineSuperspine, LinkTier::SuperspineCore})
            m_areEqual = m_areEqual && compare(tier);
    }
    bool areEqual() const { return m_areEqual; }

private:
    using List = std::vector<std::uint32_t>;

    List above(const SwitchGraph::Group& group) const {
        List list;
        for (const auto v : group.uppers) list.push_back(m_graph.groupAbove[v]);
        std::sort(list.begin(), list.end());
        return list;
    }
    // A number for what a group leads to in the end: a plane of its own at the top, else the numbers of the groups above.
    void name(LinkTier tier) {
        m_name.resize(m_graph.groups.size(), none);
        for (std::size_t g = 0; g < m_graph.groups.size(); ++g) {
            if (m_graph.groups[g].tier != tier) continue;
            List list = above(m_graph.groups[g]);
            if (list.front() == none)
                list = {static_cast<std::uint32_t>(g)};
            else if (list.back() == none)
                continue;
            else {
                for (std::uint32_t& entry : list) entry = m_name[entry];
                list.push_back(none); // tells it from a plane
            }
            std::sort(list.begin(), list.end());
            m_name[g] = m_names.try_emplace(list, static_cast<std::uint32_t>(m_names.size())).first->second;
        }
    }
    bool compare(LinkTier tier) {
        std::map<std::uint32_t, List> leadTo;            // by any group above
        std::map<std::uint32_t, std::uint32_t> inTheEnd; // by network; above the pods planes lie side by side
        for (std::size_t g = 0; g < m_graph.groups.size(); ++g) {
            const auto& group = m_graph.groups[g];
            if (group.tier != tier || std::none_of(group.lowers.begin(), group.lowers.end(), [&](std::uint32_t v) { return m_loaded[v]; }))
                continue;
            for (const auto v : group.uppers) m_loaded[v] = true;
            if (m_name[g] == none) return false;
            const List list = above(group);
            if (list.front() == none) continue; // the top: planes side by side
            for (const auto entry : list)
                if (leadTo.try_emplace(entry, list).first->second != list) return false;
            const auto first = inTheEnd.try_emplace(m_graph.network[group.lowers[0]], m_name[g]).first->second;
            if (tier == LinkTier::LeafSpine && first != m_name[g]) return false;
        }
        return true;
    }

    const SwitchGraph& m_graph;
    std::vector<bool> m_loaded; // nodes that carry something
    std::vector<std::uint32_t> m_name;
    std::map<List, std::uint32_t> m_names;
    bool m_areEqual = true;
};

} // namespace

double hoseCongestion(const SwitchGraph& graph, const std::vector<Bandwidth>& leafInjection, LinkTier from) {
    if (!Planes(graph, leafInjection).areEqual()) return impossible;
    std::vector<Bandwidth> total(graph.networks), injection = leafInjection, exchanged(leafInjection.size());
    for (std::size_t v = 0; v < injection.size(); ++v) total[graph.network[v]] += injection[v];
    const std::vector<Bandwidth>& up = graph.uplink;
    std::vector<std::uint32_t> at(graph.regular ? 0 : injection.size());
    double worst = 0;
    for (const LinkTier tier : {LinkTier::LeafSpine, LinkTier::SpineSuperspine, LinkTier::SuperspineCore}) {
        if (tier == LinkTier::LeafSpine && tier >= from && hasUnevenPods(graph)) {
            for (std::size_t v = 0; v < injection.size(); ++v)
                exchanged[v] = std::min(injection[v], total[graph.network[v]] - injection[v]);
            worst = UnevenPods(graph, exchanged).congestion(injection);
            if (worst == impossible) return impossible;
            continue;
        }
        for (const auto& group : graph.groups) {
            if (group.tier != tier) continue;
            Bandwidth below;
            bool higher = false;
            for (const auto v : group.lowers) below += injection[v];
            for (const auto v : group.uppers) higher = higher || graph.groupAbove[v] != none;
            const Bandwidth all = total[graph.network[group.lowers[0]]];
            // Above the leaves the switches of a pod share its load evenly: injection was split among them below.
            for (const auto v : group.lowers)
                exchanged[v] = tier == LinkTier::LeafSpine ? std::min(injection[v], all - injection[v]) : injection[v];
            if (tier >= from && !group.regular && higher) return impossible;
            if (tier >= from && !group.regular) worst = std::max(worst, unevenCongestion(graph, group, exchanged, at));
            for (const auto v : group.lowers)
                if (tier >= from && group.regular && exchanged[v] > Bandwidth())
                    worst = std::max(worst, up[v] > Bandwidth() ? exchanged[v] / up[v] : impossible);
            // What can leave the group through its uppers, spread evenly over them.
            const Bandwidth leaving = std::min(below, all - below);
            for (const auto v : group.uppers)
                if (graph.groupAbove[v] != none) injection[v] += leaving / static_cast<double>(group.uppers.size());
        }
    }
    return worst;
}

namespace {

// The capacity of an endpoint by network, in ascending order.
using Profile = std::vector<std::pair<std::uint32_t, Bandwidth>>;

// Each once, of the endpoints that are cabled.
std::vector<Profile> kindsOfProfiles(const SwitchGraph& graph, const Endpoints& ends) {
    std::vector<std::uint32_t> first(ends.size() + 1); // of the attachments of an endpoint in `byEndpoint`
    for (const auto& a : ends.attachments) ++first[a.endpoint];
    std::uint32_t sum = 0;
    for (std::uint32_t& each : first) sum += std::exchange(each, sum);
    std::vector<std::pair<std::uint32_t, Bandwidth>> byEndpoint(ends.attachments.size());
    for (const auto& a : ends.attachments) byEndpoint[first[a.endpoint]++] = {graph.network[a.node], a.capacity};
    std::set<Profile> kinds;
    Profile profile, before; // neighbours are mostly alike
    for (std::size_t e = 0, next = 0; e < ends.size(); ++e) {
        profile.clear();
        for (; next < first[e]; ++next) { // by now the end of its own
            const auto& [network, capacity] = byEndpoint[next];
            auto at = profile.end(); // the cables of an endpoint mostly come in the order of its networks
            while (at != profile.begin() && std::prev(at)->first >= network) --at;
            if (at != profile.end() && at->first == network)
                at->second += capacity;
            else
                profile.insert(at, {network, capacity});
        }
        if (!profile.empty() && profile != before) kinds.insert(profile);
        std::swap(profile, before);
    }
    return {kinds.begin(), kinds.end()};
}

// Endpoints with cables in several networks divide every flow among them, by what both ends have in each. Returns by how
// much that overloads a network port of an endpoint in the worst case: 1 where all endpoints divide alike.
double sharingCongestion(const SwitchGraph& graph, const Endpoints& ends) {
    const std::vector<Profile> kinds = kindsOfProfiles(graph, ends);
    if (kinds.size() <= 1) return 1;
    if (kinds.size() > 1000) return impossible;
    double worst = 1;
    for (const Profile& own : kinds) {
        Bandwidth all;
        for (const auto& [network, capacity] : own) all += capacity;
        for (const Profile& other : kinds) {
            Bandwidth common;
            std::vector<std::pair<Bandwidth, Bandwidth>> shared; // in a network of both: what both have there, and the own capacity
            for (auto mine = own.begin(), there = other.begin(); mine != own.end() && there != other.end();) {
                if (mine->first == there->first) {
                    shared.emplace_back(std::min(mine->second, there->second), mine->second);
                    common += shared.back().first;
                    ++mine, ++there;
                } else
                    ++(mine->first < there->first ? mine : there);
            }
            if (common <= Bandwidth()) return impossible;
            for (const auto& [both, capacity] : shared)
                worst = std::max(worst, all.value() * both.value() / common.value() / capacity.value());
        }
    }
    return worst;
}

// HB domains with what their GPUs send: a NIC whose GPU failed sends nothing, whatever hangs on it.
Endpoints joinedByDomain(const Endpoints& gpus) {
    Endpoints domains;
    std::map<std::uint32_t, std::uint32_t> number;
    std::vector<std::uint32_t> own;
    for (const auto domain : gpus.hbDomain) {
        const auto next = static_cast<std::uint32_t>(domains.speed.size());
        const auto known = domain == none ? next : number.try_emplace(domain, next).first->second;
        if (known == next) domains.speed.emplace_back();
        own.push_back(known);
    }
    for (const auto& a : gpus.attachments) {
        const auto domain = own[a.endpoint];
        domains.speed[domain] += a.capacity;
        domains.attachments.push_back({domain, a.node, a.capacity});
    }
    return domains;
}

// Forwarding inside HB domains so that every flow uses all NICs of its domain: 2(x-1)/x * C_S/C_F.
double hbCongestion(const Fabric& fabric, const Endpoints& ends) {
    std::vector<Bandwidth> hb(fabric.devices.size());
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] != LinkTier::Hb) continue;
        hb[fabric.links.a[l]] += fabric.speedOf(l);
        hb[fabric.links.b[l]] += fabric.speedOf(l);
    }
    std::map<std::uint32_t, double> sizes;
    for (const auto domain : ends.hbDomain) ++sizes[domain];
    double worst = secondHbLevelCongestion(fabric, ends);
    for (std::size_t e = 0; e < ends.size(); ++e) {
        const double x = sizes[ends.hbDomain[e]];
        if (x > 1) worst = std::max(worst, hb[ends.gpu[e]] > Bandwidth() ? 2 * (x - 1) / x * ends.speed[e] / hb[ends.gpu[e]] : impossible);
    }
    return worst;
}

// Networks that share no endpoint: each keeps its own hose, and a partition may put whole networks on one side.
LowerBound separateNetworks(const SwitchGraph& graph, const Endpoints& ends, double rho) {
    std::vector<std::size_t> members(graph.networks);
    std::vector<Bandwidth> slowest(graph.networks, Bandwidth(impossible));
    std::vector<std::uint32_t> home(ends.size(), none);
    for (const auto& a : ends.attachments) home[a.endpoint] = graph.network[a.node];
    std::size_t loose = 0;
    for (std::size_t e = 0; e < ends.size(); ++e) {
        if (home[e] == none) {
            ++loose;
            continue;
        }
        ++members[home[e]];
        slowest[home[e]] = std::min(slowest[home[e]], ends.speed[e]);
    }
    std::vector<SplitGroup> groups;
    for (std::uint32_t k = 0; k < graph.networks; ++k) {
        if (members[k] == 0) continue;
        SplitGroup group{(std::uint64_t{members[k]} << 32) ^ static_cast<std::uint64_t>(slowest[k].value() / 1e6),
                         std::vector<double>(members[k] + 1)};
        for (std::size_t a = 0; a <= members[k]; ++a)
            group.cost[a] = static_cast<double>(std::min(a, members[k] - a)) * slowest[k].value() / std::max(rho, 1.0);
        groups.push_back(std::move(group));
    }
    if (loose > 0) groups.push_back({~std::uint64_t{0}, std::vector<double>(loose + 1)});
    const auto least = cheapestSplit(groups, ends.size() / 2);
    return {Bandwidth(least.value_or(0)), least ? "hose bound of each network" : "none, because the networks are too different"};
}

bool endpointsStayInOneNetwork(const SwitchGraph& graph, const Endpoints& ends) {
    std::vector<std::uint32_t> home(ends.size(), none);
    for (const auto& a : ends.attachments) {
        if (home[a.endpoint] != none && home[a.endpoint] != graph.network[a.node]) return false;
        home[a.endpoint] = graph.network[a.node];
    }
    return true;
}

} // namespace

LowerBound hoseBound(const Fabric& fabric, const SwitchGraph& graph, const Endpoints& ends, BisectionKey key) {
    if (ends.isShared) return {{}, "none, because some GPUs have no NIC of their own"};
    const double rho = hoseCongestion(graph, injectionOfNodes(graph, ends), LinkTier::LeafSpine);
    if (rho == impossible) return {{}, "none, because the fabric is irregular"};
    const Bandwidth half = ends.halfInjection();
    if (networksInUse(graph, ends) <= 1) return {half / std::max(rho, 1.0), "hose bound"};
    if (key != BisectionKey::GpuWithHb && endpointsStayInOneNetwork(graph, ends)) return separateNetworks(graph, ends, rho);
    const bool forwarding = key == BisectionKey::GpuWithHb;
    const double sharing = sharingCongestion(graph, forwarding ? joinedByDomain(ends) : ends);
    const double hb = forwarding ? hbCongestion(fabric, ends) : 0;
    if (sharing == impossible || hb == impossible) return {{}, "none, because some endpoints share no rail"};
    // Sharing loads the ports of endpoints too, which no slack of the network relieves.
    return {half / std::max({std::max(rho, 1.0) * sharing, hb}),
            forwarding ? "hose bound with HB forwarding" : "hose bound of separate rails"};
}

} // namespace railyard
