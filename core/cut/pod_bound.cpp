// The tree certificate one and two tiers higher: oversubscription between pods and between blocks of pods, partial pods.
//
// Where leaves and spines of a pod are joined evenly, the pod carries all that its leaves send and all that its spines'
// uplinks take: it acts as one node. Where the tier above joins the spines evenly too, that is one node as well: the root, or
// in four tiers a block, whose superspines take their uplinks to the root. What is left is a tree, endpoints - leaves - pods -
// (blocks) - root, and its bisection is exact by tables over endpoints a side.
#include "core/cut/pod_tree.h"

#include <algorithm>
#include <array>
#include <limits>

namespace railyard {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();
constexpr std::size_t mostWork = 400'000'000; // sums tried

// The least capacity cut with so many endpoints on side A, and how that came about.
struct Entry {
    std::size_t onA = 0;
    double cost = 0;
    std::uint32_t choice = 0;
};
using Table = std::vector<Entry>; // by onA, each once
// Between fixed pods and blocks what a star costs is concave in its endpoints on side A, so that at most one is divided.
// If one endpoint is to be halved, the star that has it is concave in its others. By what the stars hold, as bits.
constexpr std::size_t dividedStar = 1, halvedEndpoint = 2;
using Costs = std::array<Table, 4>;

// Of one star: so many endpoints on side A, the next one halved or not.
struct Part {
    std::size_t onA = 0;
    bool halvesOne = false;
};
// A sum of two entries, or a part of a star.
struct Choice {
    std::uint32_t first = 0, second = 0, star = none;
    Part part;
};

// Tables for a partition with m endpoints on side A, and one halved if asked. Whole stars reach few sums where they are of
// few sizes, and the divided one makes up for what is then missing to m: no other numbers are kept.
class Tables {
public:
    Tables(const std::vector<std::size_t>& sizes, std::size_t m, bool halveOne)
        : m_m(m),
          m_halveOne(halveOne),
          m_wanted(m + 1),
          m_best(m + 1, impossible),
          m_pair(m + 1) {
        std::array<std::vector<std::size_t>, 2> sums{{{0}, {}}}; // without and with the star of the halved endpoint
        for (const std::size_t size : sizes) {
            for (const std::size_t halved : {std::size_t{1}, std::size_t{0}}) {
                addShifted(sums[halved], sums[halved], size);
                if (halved == 0 || !halveOne || size == 0) continue;
                addShifted(sums[1], sums[0], 0);
                addShifted(sums[1], sums[0], size - 1);
            }
            if (isTooMuch()) return;
        }
        for (const auto& list : sums)
            for (const std::size_t sum : list) m_wanted[m - sum] = true;
    }

    bool isTooMuch() const { return m_work > mostWork; }

    template <class Cost>
    Costs ofStar(std::uint32_t star, std::size_t endpoints, Cost cost) {
        Costs costs;
        for (const bool halved : {false, true}) {
            if (halved && (!m_halveOne || endpoints == 0)) continue;
            const std::size_t others = endpoints - (halved ? 1 : 0);
            for (std::size_t a = 0; a <= std::min(others, m_m); ++a) {
                const bool isWhole = a == 0 || a == others;
                if (!isWhole && !m_wanted[a]) continue;
                m_choices.push_back({0, 0, star, {a, halved}});
                costs[(isWhole ? 0 : dividedStar) | (halved ? halvedEndpoint : 0)].push_back({a, cost(Part{a, halved}), lastChoice()});
            }
        }
        return costs;
    }

    Costs together(const Costs& x, const Costs& y) {
        Costs sum;
        for (std::size_t holds = 0; holds < sum.size(); ++holds) {
            for (std::size_t ofX = 0; ofX <= holds; ++ofX)
                if ((holds & ofX) == ofX) addSums(x[ofX], y[holds ^ ofX], (holds & dividedStar) != 0);
            sum[holds] = takeSums();
        }
        return sum;
    }

    std::vector<Part> spelledOut(std::uint32_t choice, std::size_t stars) const {
        std::vector<Part> parts(stars);
        std::vector<std::uint32_t> open{choice};
        while (!open.empty()) {
            const Choice& each = m_choices[open.back()];
            open.pop_back();
            if (each.star != none)
                parts[each.star] = each.part;
            else if (each.second != 0)
                open.insert(open.end(), {each.first, each.second});
        }
        return parts;
    }

private:
    std::uint32_t lastChoice() const { return static_cast<std::uint32_t>(m_choices.size() - 1); }

    void addShifted(std::vector<std::size_t>& sums, const std::vector<std::size_t>& from, std::size_t by) {
        std::vector<std::size_t> shifted, all;
        for (const std::size_t sum : from)
            if (sum + by <= m_m) shifted.push_back(sum + by);
        std::set_union(sums.begin(), sums.end(), shifted.begin(), shifted.end(), std::back_inserter(all));
        sums.swap(all);
        m_work += sums.size();
    }
    void addSums(const Table& x, const Table& y, bool divided) {
        m_work += x.size() * y.size();
        if (isTooMuch()) return;
        for (const Entry& one : x)
            for (const Entry& other : y) {
                const std::size_t sum = one.onA + other.onA;
                if (sum > m_m) break;
                const double cost = one.cost + other.cost;
                if (cost >= m_best[sum] || (divided && !m_wanted[sum])) continue;
                if (m_best[sum] == impossible) m_touched.push_back(sum);
                m_best[sum] = cost;
                m_pair[sum] = {one.choice, other.choice};
            }
    }
    Table takeSums() {
        std::sort(m_touched.begin(), m_touched.end());
        Table table;
        table.reserve(m_touched.size());
        for (const std::size_t sum : m_touched) {
            std::uint32_t choice = m_pair[sum].first != 0 ? m_pair[sum].first : m_pair[sum].second;
            if (m_pair[sum].first != 0 && m_pair[sum].second != 0) {
                m_choices.push_back({m_pair[sum].first, m_pair[sum].second, none, {}});
                choice = lastChoice();
            }
            table.push_back({sum, m_best[sum], choice});
            m_best[sum] = impossible;
        }
        m_touched.clear();
        return table;
    }

    std::size_t m_m, m_work = 0;
    bool m_halveOne;
    std::vector<bool> m_wanted; // with one star divided
    std::vector<double> m_best; // of the table being made
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_pair;
    std::vector<std::size_t> m_touched;
    std::vector<Choice> m_choices{Choice{}}; // the first: nothing
};

Table cheaper(const Table& x, const Table& y) {
    Table least;
    std::merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(least),
               [](const Entry& a, const Entry& b) { return std::pair(a.onA, a.cost) < std::pair(b.onA, b.cost); });
    const auto end = std::unique(least.begin(), least.end(), [](const Entry& a, const Entry& b) { return a.onA == b.onA; });
    least.erase(end, least.end());
    return least;
}
Costs cheaper(const Costs& x, const Costs& y) {
    Costs least;
    for (std::size_t holds = 0; holds < least.size(); ++holds) least[holds] = cheaper(x[holds], y[holds]);
    return least;
}

Costs dearer(Costs costs, double by) {
    for (Table& table : costs)
        for (Entry& entry : table) entry.cost += by;
    return costs;
}

// A star whose first leg's pod stands on `first`, its second leg's on `second`; the leaves of a leg take their cheaper side,
// together. A halved endpoint pays for half its speed, and for all its cables to that side which has fewer of them.
double costOf(const PodStar& pod, std::array<bool, 2> podOnA, Part part) {
    const Star& star = *pod.star;
    const auto onA = static_cast<double>(part.onA);
    const double onB = static_cast<double>(star.endpoints.size() - part.onA) - (part.halvesOne ? 1 : 0);
    double least = impossible;
    for (unsigned sides = 0; sides < (1U << pod.legs.size()); ++sides) {
        double cost = 0, leavesOnA = 0, leaves = 0;
        for (std::size_t leg = 0; leg < pod.legs.size(); ++leg) {
            const bool isOnA = (sides >> leg & 1U) != 0;
            cost += pod.legs[leg].leaves * ((isOnA ? onB : onA) * star.perLink + (isOnA != podOnA[leg] ? star.uplink : 0));
            leavesOnA += isOnA ? pod.legs[leg].leaves : 0;
            leaves += pod.legs[leg].leaves;
        }
        if (part.halvesOne) cost += (leaves / 2 + std::min(leavesOnA, leaves - leavesOnA)) * star.perLink;
        least = std::min(least, cost);
    }
    return least;
}

// The stars of one pod: those that stand in it alone, and those that span it and the one before, by the side of that.
struct PodCosts {
    Costs own;
    std::array<Costs, 2> spanning;
};
PodCosts costsOfPod(const PodTree& tree, std::size_t pod, bool onA, Tables& tables) {
    const Costs nothing{{{Entry{}}, {}, {}, {}}};
    PodCosts costs{nothing, {nothing, nothing}};
    for (std::uint32_t s = 0; s < tree.stars.size(); ++s) {
        const PodStar& star = tree.stars[s];
        if (star.legs.back().pod != pod) continue;
        const auto ofStar = [&](bool before) {
            return tables.ofStar(s, star.star->endpoints.size(), [&](Part part) {
                return costOf(star, star.legs.size() == 1 ? std::array{onA, onA} : std::array{before, onA}, part);
            });
        };
        if (star.legs.size() == 1) {
            costs.own = tables.together(costs.own, ofStar(onA));
            continue;
        }
        for (const bool before : {false, true}) costs.spanning[before] = tables.together(costs.spanning[before], ofStar(before));
    }
    return costs;
}

// Pod after pod; what is kept are the tables for either side of its block and of the last pod. The root stands on side B.
Costs costsOf(const PodTree& tree, std::size_t loose, Tables& tables) {
    using Sides = std::array<std::array<Costs, 2>, 2>; // [side of the block][side of the pod], empty where it cannot be
    const Costs free = tables.ofStar(static_cast<std::uint32_t>(tree.stars.size()), loose, [](Part) { return 0.0; });
    Sides last{{{free, free}, {free, free}}};
    for (std::size_t pod = 0; pod < tree.uplinks.size() && !tables.isTooMuch(); ++pod) {
        const bool isNewBlock = pod == 0 || tree.block[pod] != tree.block[pod - 1];
        const double blockUplink = tree.blockUplinks[tree.block[pod]];
        Sides next;
        for (const bool onA : {false, true}) {
            const PodCosts costs = costsOfPod(tree, pod, onA, tables);
            for (const bool blockOnA : {false, true}) {
                if (blockOnA && blockUplink == impossible) continue; // the root itself
                const double links = (onA != blockOnA ? tree.uplinks[pod] : 0) + (isNewBlock && blockOnA ? blockUplink : 0);
                Costs sum;
                for (const bool before : {false, true}) {
                    const Costs& sofar = isNewBlock ? cheaper(last[0][before], last[1][before]) : last[blockOnA][before];
                    sum = cheaper(sum, tables.together(sofar, costs.spanning[before]));
                }
                next[blockOnA][onA] = tables.together(dearer(std::move(sum), links), costs.own);
            }
        }
        last = std::move(next);
    }
    return cheaper(cheaper(last[0][0], last[0][1]), cheaper(last[1][0], last[1][1]));
}

bool hasThreeEvenTiers(const SwitchGraph& graph) {
    return std::all_of(graph.groups.begin(), graph.groups.end(), [](const auto& group) { return group.even; }) &&
           std::any_of(graph.groups.begin(), graph.groups.end(), [](const auto& group) { return group.tier == LinkTier::SpineSuperspine; });
}

// The last star: endpoints without a cable, which stand on either side.
void takeSides(const std::vector<Star>& stars, const std::vector<Part>& parts, PodBound& bound) {
    std::vector<bool> inStar(bound.sideA.size());
    const auto take = [&](const std::vector<std::uint32_t>& endpoints, const Part& part) {
        for (std::size_t i = 0; i < endpoints.size(); ++i) {
            bound.sideA[endpoints[i]] = i < part.onA;
            inStar[endpoints[i]] = true;
            if (part.halvesOne && i == part.onA) bound.halved = endpoints[i];
        }
    };
    for (std::size_t s = 0; s < stars.size(); ++s) take(stars[s].endpoints, parts[s]);
    std::vector<std::uint32_t> loose;
    for (std::uint32_t e = 0; e < inStar.size(); ++e)
        if (!inStar[e]) loose.push_back(e);
    take(loose, parts.back());
}

} // namespace

PodBound podBound(const SwitchGraph& graph, const Endpoints& ends, bool halveOne) {
    if (!hasThreeEvenTiers(graph)) return {};
    const auto stars = starsOf(graph, ends);
    if (!stars) return {};
    const auto tree = podTreeOf(graph, *stars);
    if (!tree) return {};
    const std::size_t n = ends.size() - (halveOne ? 1 : 0);
    std::size_t loose = ends.size();
    std::vector<std::size_t> sizes;
    for (const Star& star : *stars) {
        sizes.push_back(star.endpoints.size());
        loose -= star.endpoints.size();
    }
    sizes.push_back(loose);
    PodBound least{{impossible, "tree of pods"}, {}, none};
    for (std::size_t m = n / 2; m <= (n + 1) / 2; ++m) {
        Tables tables(sizes, m, halveOne);
        const Costs all = costsOf(*tree, loose, tables);
        if (tables.isTooMuch()) return {};
        for (const std::size_t divided : {std::size_t{0}, std::size_t{dividedStar}}) {
            const Table& table = all[divided | (halveOne ? halvedEndpoint : 0)];
            if (table.empty() || table.back().onA != m || table.back().cost >= least.lower.value) continue;
            least.lower.value = table.back().cost;
            least.sideA.assign(ends.size(), false);
            takeSides(*stars, tables.spelledOut(table.back().choice, sizes.size()), least);
        }
    }
    return least.sideA.empty() ? PodBound{} : least;
}

} // namespace railyard
