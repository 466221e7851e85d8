#include "core/bisection/bounds/stars.h"

#include "core/bisection/bounds/hose_bound.h"

#include <algorithm>
#include <map>

namespace railyard {
namespace {

// With several separate networks each has a node above of its own; one common node stands for all of them only where
// every star reaches all networks alike.
bool reachesAllNetworksEqually(const SwitchGraph& graph, const Star& star, std::size_t networks) {
    std::map<std::uint32_t, std::size_t> leaves;
    for (const auto v : star.leaves) ++leaves[graph.network[v]];
    return leaves.size() == networks &&
           std::all_of(leaves.begin(), leaves.end(), [&](const auto& entry) { return entry.second == leaves.begin()->second; });
}

} // namespace

std::vector<std::vector<std::pair<std::uint32_t, Bandwidth>>> endpointsOfNodes(const SwitchGraph& graph, const Endpoints& ends) {
    std::vector<std::vector<std::pair<std::uint32_t, Bandwidth>>> served(graph.device.size());
    By<NodeId, std::uint32_t> most(graph.device.size());
    for (const auto& a : ends.attachments) ++most[a.node];
    for (const NodeId v : graph.nodes()) served[v].reserve(most[v]);
    for (const auto& a : ends.attachments) {
        auto& here = served[a.node];
        if (!here.empty() && here.back().first == a.endpoint)
            here.back().second += a.capacity;
        else
            here.emplace_back(a.endpoint, a.capacity);
    }
    for (auto& here : served) {
        if (!std::is_sorted(here.begin(), here.end())) std::sort(here.begin(), here.end()); // as a rule it is
        std::size_t to = 0;
        for (std::size_t from = 1; from < here.size(); ++from)
            if (here[from].first == here[to].first)
                here[to].second += here[from].second;
            else
                here[++to] = here[from];
        if (!here.empty()) here.resize(to + 1);
    }
    return served;
}

bool StarChain::isTied() const {
    return std::any_of(crossing.begin(), crossing.end(), [](std::uint32_t endpoint) { return endpoint != none; });
}

// Leaves that hold nothing but one shared endpoint are stars of their own, one of each network: they may stand in two pods.
static void addStar(const SwitchGraph& graph, Star star, std::vector<Star>& stars) {
    if (!star.endpoints.empty() || star.leaves.size() < 2) return stars.push_back(std::move(star));
    std::map<std::uint32_t, std::size_t> ofNetwork;
    std::vector<Star> parts;
    for (const NodeId leaf : star.leaves) {
        const std::size_t part = ofNetwork[graph.network[leaf]]++;
        if (part == parts.size()) {
            parts.push_back(star);
            parts.back().leaves.clear();
        }
        parts[part].leaves.push_back(leaf);
    }
    stars.insert(stars.end(), parts.begin(), parts.end());
}

// Groups leaves that serve exactly the same endpoints in the same way: the rails of an SU.
static std::optional<std::vector<Star>> allStars(const SwitchGraph& graph, const Endpoints& ends) {
    const auto served = endpointsOfNodes(graph, ends);
    struct Group {
        const std::vector<std::pair<std::uint32_t, Bandwidth>>* members;
        Star star;
    };
    std::vector<Group> groups;
    std::map<std::pair<std::uint32_t, std::size_t>, std::vector<std::size_t>> candidatesBy; // by first endpoint and number: groups
    std::vector<std::uint32_t> seen(ends.size());
    for (NodeId v(0); v < served.size(); ++v) {
        if (served[v].empty()) continue;
        if (graph.tier[v] != SwitchTier::Leaf || graph.groupBelow[v] != none) return {}; // others use its uplinks too
        auto& candidates = candidatesBy[{served[v].front().first, served[v].size()}];
        const auto own = std::find_if(candidates.begin(), candidates.end(), [&](std::size_t g) { return *groups[g].members == served[v]; });
        const std::size_t at = own != candidates.end() ? *own : groups.size();
        if (own == candidates.end()) {
            candidates.push_back(at);
            groups.push_back({&served[v], {}});
            groups[at].star.uplink = graph.uplink[v];
        }
        if (groups[at].star.uplink != graph.uplink[v]) return {};
        groups[at].star.leaves.push_back(v);
    }
    for (const Group& group : groups)
        for (const auto& [endpoint, capacity] : *group.members) ++seen[endpoint];
    std::vector<Star> result;
    for (auto& [members, star] : groups) {
        for (const auto& [endpoint, capacity] : *members) {
            if (seen[endpoint] > 1) {
                star.shared.push_back({endpoint, capacity});
                continue;
            }
            if (!star.endpoints.empty() && star.perLink != capacity) return {};
            star.endpoints.push_back(endpoint);
            star.perLink = capacity;
        }
        addStar(graph, std::move(star), result);
    }
    const auto first = [](const Star& star) {
        const auto own = star.endpoints.empty() ? none : star.endpoints.front();
        return std::pair(std::min(own, star.shared.empty() ? none : star.shared.front().endpoint), star.leaves.front());
    };
    std::sort(result.begin(), result.end(), [&](const Star& x, const Star& y) { return first(x) < first(y); });
    return result;
}

std::optional<std::vector<Star>> starsOf(const SwitchGraph& graph, const Endpoints& ends) {
    auto stars = allStars(graph, ends);
    const bool tied = stars && std::any_of(stars->begin(), stars->end(), [](const Star& star) { return !star.shared.empty(); });
    return tied ? std::nullopt : std::move(stars);
}

std::optional<StarChain> starChainOf(const SwitchGraph& graph, const Endpoints& ends) {
    auto stars = allStars(graph, ends);
    if (!stars) return {};
    std::map<std::uint32_t, std::vector<std::size_t>> at; // of a shared endpoint: its stars
    for (std::size_t s = 0; s < stars->size(); ++s)
        for (const SharedEndpoint& shared : (*stars)[s].shared) at[shared.endpoint].push_back(s);
    StarChain chain{std::move(*stars), {}};
    chain.crossing.assign(chain.stars.size(), none);
    for (const auto& [endpoint, own] : at)
        for (std::size_t i = 1; i < own.size(); ++i) {
            if (own[i] != own[i - 1] + 1 || chain.crossing[own[i - 1]] != none) return {};
            chain.crossing[own[i - 1]] = endpoint;
        }
    return chain;
}

bool isRegular(const SwitchGraph& graph) {
    return std::all_of(graph.groups.begin(), graph.groups.end(), [](const auto& group) { return group.regular; });
}

bool carriesAllUplinks(const SwitchGraph& graph) {
    if (!isRegular(graph)) return false;
    std::vector<Bandwidth> uplinks(graph.device.size());
    for (const NodeId v : graph.nodes())
        if (graph.tier[v] == SwitchTier::Leaf) uplinks[v] = graph.uplink[v];
    return hoseCongestion(graph, uplinks, LinkTier::SpineSuperspine) <= 1 + 1e-9;
}

bool reachEqually(const SwitchGraph& graph, const Endpoints& ends, const std::vector<Star>& stars) {
    const std::size_t networks = networksInUse(graph, ends);
    return std::all_of(stars.begin(), stars.end(), [&](const Star& star) { return reachesAllNetworksEqually(graph, star, networks); });
}

} // namespace railyard
