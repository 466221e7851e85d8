#include "core/bisection/problem/separate_parts.h"

#include "core/base/disjoint_sets.h"

#include <algorithm>

namespace railyard {
namespace {

using EndpointSet = std::vector<std::uint32_t>; // endpoints, in path order

// In order of their first endpoints.
std::vector<EndpointSet> partsOf(const BisectionProblem& q) {
    const auto networks = static_cast<std::size_t>(q.graph.networks), devices = q.fabric.devices.size();
    DisjointSets sets(networks + devices + q.ends.size());
    const auto endpoint = [&](std::uint32_t e) { return static_cast<std::uint32_t>(networks + devices + e); };
    const auto device = [&](std::uint32_t d) { return static_cast<std::uint32_t>(networks + d); };
    for (const auto& a : q.ends.attachments) sets.join(endpoint(a.endpoint), q.graph.network[a.node]);
    if (q.key == BisectionKey::GpuWithHb) {
        for (std::uint32_t e = 0; e < q.ends.size(); ++e) sets.join(endpoint(e), device(q.ends.gpu[e]));
        const LinkTable& links = q.fabric.links;
        for (const LinkId l : links.ids())
            if (links.tier[l] == LinkTier::Hb) sets.join(device(links.a[l]), device(links.b[l]));
    }
    std::vector<std::uint32_t> number(networks + devices + q.ends.size(), none);
    std::vector<EndpointSet> parts;
    for (std::uint32_t e = 0; e < q.ends.size(); ++e) {
        std::uint32_t& own = number[sets.find(endpoint(e))];
        if (own == none) {
            own = static_cast<std::uint32_t>(parts.size());
            parts.emplace_back();
        }
        parts[own].push_back(e);
    }
    return parts;
}

} // namespace

std::optional<std::vector<bool>> partitionThatCutsNothing(const BisectionProblem& q) {
    constexpr std::size_t mostWork = 200'000'000; // bits
    const std::size_t half = q.ends.size() / 2;
    std::vector<EndpointSet> parts = partsOf(q);
    const auto large = std::stable_partition(parts.begin(), parts.end(), [](const EndpointSet& part) { return part.size() > 1; });
    const auto count = static_cast<std::size_t>(large - parts.begin()), loose = parts.size() - count;
    if (parts.size() < 2 || (count + 1) * (half + 1) > mostWork) return {};
    // Whether the parts from each one on can add up to this number of endpoints.
    std::vector<std::vector<bool>> reached(count + 1, std::vector<bool>(half + 1));
    std::fill_n(reached[count].begin(), std::min(loose, half) + 1, true);
    for (std::size_t p = count; p-- > 0;)
        for (std::size_t sum = 0; sum <= half; ++sum)
            reached[p][sum] = reached[p + 1][sum] || (sum >= parts[p].size() && reached[p + 1][sum - parts[p].size()]);
    if (!reached[0][half]) return {};
    std::vector<bool> side(q.ends.size());
    std::size_t left = half;
    for (std::size_t p = 0; p < parts.size() && left > 0; ++p) {
        const bool fits = parts[p].size() <= left && (p >= count || reached[p + 1][left - parts[p].size()]);
        if (!fits) continue;
        for (const auto e : parts[p]) side[e] = true;
        left -= parts[p].size();
    }
    return side;
}

} // namespace railyard
