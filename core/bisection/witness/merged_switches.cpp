#include "core/bisection/witness/merged_switches.h"

#include "core/base/fingerprint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

namespace railyard {
namespace {

std::uint64_t bitsOf(Bandwidth capacity) { return std::bit_cast<std::uint64_t>(capacity.value()); }

// By switch: the corresponding switch of the first network with the same links and endpoints, which may be its own network.
By<NodeId, NodeId> firstAlike(const BisectionProblem& q) {
    const SwitchGraph& graph = q.graph;
    By<NodeId, NodeId> first(graph.device.size());
    std::iota(first.begin(), first.end(), NodeId(0));
    if (graph.networks < 2) return first;
    std::vector<std::vector<NodeId>> members(graph.networks);
    By<NodeId, std::uint64_t> inNetwork(graph.device.size());
    for (const NodeId v : graph.nodes()) {
        std::vector<NodeId>& own = members[graph.network[v]];
        inNetwork[v] = own.size();
        own.push_back(v);
    }
    using Piece = std::array<std::uint64_t, 3>; // an edge, or what attaches an endpoint
    std::vector<std::pair<std::vector<Piece>, std::vector<Piece>>> shapes(graph.networks);
    for (const auto& edge : graph.edges)
        shapes[graph.network[edge.lower]].first.push_back({inNetwork[edge.lower], inNetwork[edge.upper], bitsOf(edge.capacity)});
    for (const auto& a : q.ends.attachments)
        shapes[graph.network[a.node]].second.push_back({a.endpoint, inNetwork[a.node], bitsOf(a.capacity)});
    std::map<std::pair<std::vector<Piece>, std::vector<Piece>>, std::size_t> known;
    for (std::size_t n = 0; n < shapes.size(); ++n) {
        if (!std::is_sorted(shapes[n].second.begin(), shapes[n].second.end())) std::sort(shapes[n].second.begin(), shapes[n].second.end());
        const std::size_t like = known.try_emplace(std::move(shapes[n]), n).first->second;
        assert(members[like].size() == members[n].size()); // in a network of several switches, each has a link
        for (std::size_t i = 0; i < members[n].size(); ++i) first[members[n][i]] = members[like][i];
    }
    return first;
}

class Merger {
public:
    explicit Merger(const BisectionProblem& q) : m_q(q) {}

    MergedSwitches run() {
        mergeNetworks();
        m_merged.withTwins = m_merged.links.size() + m_merged.attachments.size();
        while (mergeTwins()) {}
        return std::move(m_merged);
    }

private:
    void mergeNetworks() {
        const SwitchGraph& graph = m_q.graph;
        const By<NodeId, NodeId> first = firstAlike(m_q);
        By<NodeId, std::uint32_t>& number = m_merged.number;
        number.resize(graph.device.size());
        for (const NodeId v : graph.nodes()) number[v] = first[v] == v ? m_merged.count++ : number[first[v]];
        std::vector<double> times(m_merged.count); // of a network and those that are alike
        for (const std::uint32_t own : number) ++times[own];
        for (const auto& edge : graph.edges)
            if (first[edge.lower] == edge.lower && edge.lower != edge.upper)
                m_merged.links.push_back({number[edge.lower], number[edge.upper], edge.capacity * times[number[edge.lower]]});
        for (const auto& a : m_q.ends.attachments)
            if (first[a.node] == a.node) m_merged.attachments.push_back({a.endpoint, number[a.node], a.capacity * times[number[a.node]]});
    }

    // What a switch is connected to: others or endpoints.
    struct End {
        std::uint32_t to = 0;
        Bandwidth capacity;
        bool operator==(const End&) const = default;
    };
    struct Ends {
        std::vector<std::uint32_t> first; // by switch; those of the next end here
        std::vector<End> all;
        std::span<const End> of(std::size_t number) const {
            return std::span(all).subspan(first[number], first[number + 1] - first[number]);
        }
    };
    // forEach(visit) visits (switch, end).
    template <class ForEach>
    Ends endsOf(const ForEach& forEach) const {
        Ends ends{std::vector<std::uint32_t>(m_merged.count + 1), {}};
        forEach([&](std::uint32_t number, const End&) { ++ends.first[number + 1]; });
        std::partial_sum(ends.first.begin(), ends.first.end(), ends.first.begin());
        ends.all.resize(ends.first.back());
        std::vector<std::uint32_t> next(ends.first.begin(), ends.first.end() - 1);
        forEach([&](std::uint32_t number, const End& end) { ends.all[next[number]++] = end; });
        const auto isBefore = [](const End& x, const End& y) { return std::pair(x.to, x.capacity) < std::pair(y.to, y.capacity); };
        for (std::uint32_t v = 0; v < m_merged.count; ++v) {
            const std::span own = std::span(ends.all).subspan(ends.first[v], ends.first[v + 1] - ends.first[v]);
            if (!std::is_sorted(own.begin(), own.end(), isBefore)) std::sort(own.begin(), own.end(), isBefore);
        }
        return ends;
    }

    // By switch: its first twin, which may be itself.
    std::vector<std::uint32_t> firstTwins() const {
        const Ends above = endsOf([&](const auto& visit) {
            for (const auto& link : m_merged.links) visit(link.lower, {link.upper, link.capacity});
        });
        const Ends below = endsOf([&](const auto& visit) {
            for (const auto& link : m_merged.links) visit(link.upper, {link.lower, link.capacity});
        });
        const Ends endpoints = endsOf([&](const auto& visit) {
            for (const auto& a : m_merged.attachments) visit(a.at, {a.endpoint, a.capacity});
        });
        std::vector<std::uint32_t> twin(m_merged.count);
        std::unordered_multimap<std::uint64_t, std::uint32_t> known;
        for (std::uint32_t v = 0; v < m_merged.count; ++v) {
            FingerprintOfNumbers numbers;
            for (const Ends* const ends : {&above, &below, &endpoints})
                for (const End& end : ends->of(v)) numbers.add(end.to, bitsOf(end.capacity));
            const std::uint64_t key = numbers.value().high;
            const auto [begin, end] = known.equal_range(key);
            const auto areTwins = [&](const auto& each) {
                const auto isSame = [&](const Ends& ends) { return std::ranges::equal(ends.of(v), ends.of(each.second)); };
                return isSame(above) && isSame(below) && isSame(endpoints);
            };
            const auto found = std::find_if(begin, end, areTwins);
            twin[v] = found == end ? v : found->second;
            if (found == end) known.emplace(key, v);
        }
        return twin;
    }

    // Returns whether there were any. Once they are merged, their neighbours may have become twins.
    bool mergeTwins() {
        const std::vector<std::uint32_t> twin = firstTwins();
        std::vector<std::uint32_t> next(m_merged.count); // their numbers
        std::uint32_t count = 0;
        for (std::uint32_t v = 0; v < m_merged.count; ++v) next[v] = twin[v] == v ? count++ : next[twin[v]];
        if (count == m_merged.count) return false;
        std::vector<double> times(count); // how many twins there are
        for (const std::uint32_t own : next) ++times[own];
        std::vector<MergedSwitches::Link> links;                                    // the first twin has links to as much as each
        std::vector<std::pair<std::uint32_t, std::size_t>> known(count, {none, 0}); // by upper: the last lower, and their link
        for (const auto& link : m_merged.links) {
            if (twin[link.lower] != link.lower) continue;
            const std::uint32_t lower = next[link.lower], upper = next[link.upper];
            auto& [last, at] = known[upper];
            if (last != lower) {
                last = lower;
                at = links.size();
                links.push_back({lower, upper, {}});
            }
            links[at].capacity += link.capacity * times[lower];
        }
        std::vector<MergedSwitches::Attachment> attachments;
        for (const auto& a : m_merged.attachments)
            if (twin[a.at] == a.at) attachments.push_back({a.endpoint, next[a.at], a.capacity * times[next[a.at]]});
        for (std::uint32_t& own : m_merged.number) own = next[own];
        m_merged.count = count;
        m_merged.links = std::move(links);
        m_merged.attachments = std::move(attachments);
        return true;
    }

    const BisectionProblem& m_q;
    MergedSwitches m_merged;
};

} // namespace

MergedSwitches mergedSwitchesOf(const BisectionProblem& q) { return Merger(q).run(); }

} // namespace railyard
