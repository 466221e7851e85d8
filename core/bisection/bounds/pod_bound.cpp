// The tree certificate one and two tiers higher: oversubscription between pods and between blocks of pods, partial pods.
//
// Where leaves and spines of a pod are joined evenly, the pod carries all that its leaves send and all that its spines'
// uplinks take: it acts as one node. Where the tier above joins the spines evenly too, that is one node as well: the root, or
// in four tiers a block, whose superspines take their uplinks to the root. What is left is a tree, endpoints - leaves - pods -
// (blocks) - root, and its bisection is exact by tables over endpoints a side.
#include "core/bisection/bounds/pod_bound.h"

#include "core/bisection/bounds/cheapest_split.h"
#include "core/bisection/bounds/hose_bound.h"
#include "core/bisection/bounds/pod_tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace railyard {
namespace {

constexpr std::size_t mostWork = 1'500'000'000; // sums tried
constexpr std::size_t mostChoices = 20'000'000; // of 8 bytes

// The least capacity cut with this number of endpoints on side A, and the choice that led to it.
struct Entry {
    std::size_t onA = 0;
    double cost = 0; // bit/s: tables are sums of millions of plain numbers
    std::uint32_t choice = 0;
};
using Table = std::vector<Entry>; // by onA, each once
// Between fixed pods and blocks what a star costs is concave in its endpoints on side A, so that at most one is divided.
// If one endpoint is to be halved, the star that has it is concave in its others. By what the stars hold, as bits.
constexpr std::size_t dividedStar = 1, halvedEndpoint = 2;
using Costs = std::array<Table, 4>;

// For one star: the number of endpoints on side A, the next one halved or not.
struct Part {
    std::size_t onA = 0;
    bool halvesOne = false;
};
// A sum of two entries, or the part of a star that stands at `first` in the list of these.
struct Choice {
    std::uint32_t first = 0, second = 0;
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

    bool halvesOne() const { return m_halveOne; }
    bool isTooMuch() const { return m_work > mostWork || m_choices.size() > mostChoices; }

    // Of a star, or of `count` alike side by side: the first ones whole on side A, the next one divided.
    template <class Cost>
    Costs ofStars(std::uint32_t star, std::size_t size, std::size_t count, Cost cost) {
        Costs costs;
        const double noneOnA = cost(Part{0, false}), allOnA = cost(Part{size, false});
        const auto add = [&](std::size_t a) {
            const std::size_t whole = size > 0 ? a / size : 0, rest = a - whole * size;
            double sum = static_cast<double>(whole) * allOnA + static_cast<double>(count - whole - (rest > 0 ? 1 : 0)) * noneOnA;
            if (rest > 0) sum += cost(Part{rest, false});
            costs[rest > 0 ? dividedStar : 0].push_back({a, sum, choose(star, {a, false})});
        };
        for (std::size_t a = 0; a <= std::min(size * count, m_m); ++a)
            if (size == 0 || a % size == 0 || m_wanted[a]) add(a);
        return costs;
    }
    // Of one star that has the halved endpoint: as many of its others on side A.
    template <class Cost>
    void addHalved(std::uint32_t star, std::size_t size, Cost cost, Costs& costs) {
        for (std::size_t a = 0; m_halveOne && size > 0 && a <= std::min(size - 1, m_m); ++a) {
            const bool isWhole = a == 0 || a == size - 1;
            if (isWhole || m_wanted[a])
                costs[halvedEndpoint | (isWhole ? 0 : dividedStar)].push_back({a, cost(Part{a, true}), choose(star, {a, true})});
        }
    }

    // A star of one endpoint that stands on this side; halved, it counts on neither and costs half of what it sends.
    Costs ofOne(std::uint32_t star, bool onA, Bandwidth speed) {
        const std::size_t a = onA ? 1 : 0;
        Costs costs;
        costs[0] = {{a, 0, choose(star, {a, false})}};
        if (m_halveOne) costs[halvedEndpoint] = {{0, speed.value() / 2, choose(star, {0, true})}};
        return costs;
    }

    Costs combined(const Costs& x, const Costs& y) {
        if (isNothing(y)) return x;
        if (isNothing(x)) return y;
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
            if (each.second == none)
                parts[m_parts[each.first].first] = m_parts[each.first].second;
            else if (each.second != 0)
                open.insert(open.end(), {each.first, each.second});
        }
        return parts;
    }

private:
    std::uint32_t lastChoice() const { return static_cast<std::uint32_t>(m_choices.size() - 1); }
    std::uint32_t choose(std::uint32_t star, Part part) {
        m_choices.push_back({static_cast<std::uint32_t>(m_parts.size()), none});
        m_parts.emplace_back(star, part);
        return lastChoice();
    }

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
    static bool isNothing(const Costs& costs) {
        const Table& whole = costs[0];
        return whole.size() == 1 && whole[0].onA == 0 && whole[0].cost == 0 && whole[0].choice == 0 && costs[1].empty() &&
               costs[2].empty() && costs[3].empty();
    }
    Table takeSums() {
        constexpr std::size_t sorting = 16; // steps a sum; where sums stand close, looking at every number is less
        m_work += std::min(sorting * m_touched.size(), m_m);
        if (sorting * m_touched.size() <= m_m) {
            std::sort(m_touched.begin(), m_touched.end());
        } else {
            m_touched.clear();
            for (std::size_t sum = 0; sum <= m_m; ++sum)
                if (m_best[sum] != impossible) m_touched.push_back(sum);
        }
        Table table;
        table.reserve(m_touched.size());
        for (const std::size_t sum : m_touched) {
            std::uint32_t choice = m_pair[sum].first != 0 ? m_pair[sum].first : m_pair[sum].second;
            if (m_pair[sum].first != 0 && m_pair[sum].second != 0) {
                m_choices.push_back({m_pair[sum].first, m_pair[sum].second});
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
    std::vector<std::pair<std::uint32_t, Part>> m_parts;
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

// What stands around a star: the pods of its legs, the endpoints it shares with the star before and the one after.
struct Sides {
    std::array<bool, 2> podOnA{};
    std::uint32_t before = none, after = none;
    bool beforeOnA = false, afterOnA = false;
    bool isOnA(const SharedEndpoint& shared) const { return shared.endpoint == before ? beforeOnA : afterOnA; }
};

// The leaves of a leg take their cheaper side, together. A halved endpoint pays for half its speed, and for all its cables to
// that side which has fewer of them.
double costOf(const PodStar& pod, const Sides& around, Part part) {
    const Star& star = *pod.star;
    Bandwidth onA = static_cast<double>(part.onA) * star.perLink; // of one leaf: its cables to side A
    Bandwidth onB = (static_cast<double>(star.endpoints.size() - part.onA) - (part.halvesOne ? 1 : 0)) * star.perLink;
    for (const SharedEndpoint& shared : star.shared) (around.isOnA(shared) ? onA : onB) += shared.perLink;
    Bandwidth least(impossible);
    for (unsigned sides = 0; sides < (1U << pod.legs.size()); ++sides) {
        Bandwidth cost;
        double leavesOnA = 0, leaves = 0;
        for (std::size_t leg = 0; leg < pod.legs.size(); ++leg) {
            const bool isOnA = (sides >> leg & 1U) != 0;
            cost += pod.legs[leg].leaves * ((isOnA ? onB : onA) + (isOnA != around.podOnA[leg] ? star.uplink : Bandwidth()));
            leavesOnA += isOnA ? pod.legs[leg].leaves : 0;
            leaves += pod.legs[leg].leaves;
        }
        if (part.halvesOne) cost += (leaves / 2 + std::min(leavesOnA, leaves - leavesOnA)) * star.perLink;
        least = std::min(least, cost);
    }
    return least.value();
}

// By the side of the endpoint that is shared with what stands before, and with what comes after; the first where none is.
using Row = std::array<std::array<Costs, 2>, 2>;
// The stars of one pod: those that stand in it alone, in a row, and those that span it and the one before, by the side of that.
struct PodCosts {
    Row own;
    std::array<Costs, 2> spanning;
};

class PodTables {
public:
    PodTables(const PodTree& tree, std::size_t loose, Tables& tables) : m_tree(tree), m_loose(loose), m_tables(tables) {
        for (const PodStar& star : tree.stars)
            for (const SharedEndpoint& each : star.star->shared)
                m_speed[each.endpoint] += each.perLink * static_cast<double>(star.star->leaves.size());
    }

    // Pod after pod; what is kept are the tables for either side of its block, of the last pod and of an endpoint that is
    // shared with the next. The root stands on side B.
    Costs all() {
        const Costs free = ofEndpoints(static_cast<std::uint32_t>(m_tree.stars.size()), m_loose, 1, [](Part) { return 0.0; });
        Last last;
        for (auto& ofBlock : last)
            for (auto& ofPod : ofBlock) ofPod[0] = free;
        for (std::size_t pod = 0; pod < m_tree.uplinks.size() && !m_tables.isTooMuch(); ++pod) last = next(last, pod);
        Costs least;
        for (const auto& ofBlock : last)
            for (const auto& ofPod : ofBlock) least = cheaper(least, ofPod[0]);
        return least;
    }

private:
    using Last = std::array<std::array<std::array<Costs, 2>, 2>, 2>; // empty where it cannot be

    Last next(const Last& last, std::size_t pod) {
        const bool isNewBlock = pod == 0 || m_tree.block[pod] != m_tree.block[pod - 1];
        const Bandwidth blockUplink = m_tree.blockUplinks[m_tree.block[pod]];
        Last result;
        for (const bool onA : {false, true}) {
            const PodCosts costs = costsOfPod(pod, onA);
            for (const bool blockOnA : {false, true}) {
                if (blockOnA && blockUplink == Bandwidth(impossible)) continue; // the root itself
                const Bandwidth links =
                    (onA != blockOnA ? m_tree.uplinks[pod] : Bandwidth()) + (isNewBlock && blockOnA ? blockUplink : Bandwidth());
                for (const bool sharedOnA : {false, true}) {
                    Costs sum;
                    for (const bool before : {false, true}) {
                        const Costs sofar = isNewBlock ? cheaper(last[0][before][sharedOnA], last[1][before][sharedOnA])
                                                       : last[blockOnA][before][sharedOnA];
                        sum = cheaper(sum, m_tables.combined(sofar, costs.spanning[before]));
                    }
                    sum = dearer(std::move(sum), links.value());
                    for (const bool after : {false, true})
                        result[blockOnA][onA][after] =
                            cheaper(result[blockOnA][onA][after], m_tables.combined(sum, costs.own[sharedOnA][after]));
                }
            }
        }
        return result;
    }

    PodCosts costsOfPod(std::size_t pod, bool onA) {
        const Costs nothing{{{Entry{}}, {}, {}, {}}};
        PodCosts costs;
        costs.own[0][0] = costs.own[1][1] = costs.spanning[0] = costs.spanning[1] = nothing;
        for (std::uint32_t s = 0, count = 1; s < m_tree.stars.size(); s += count) {
            const PodStar& star = m_tree.stars[s];
            count = 1;
            if (star.legs.back().pod != pod) continue;
            if (star.legs.size() == 1) {
                count = equalFrom(s);
                addStars(s, count, onA, costs.own);
                continue;
            }
            for (const bool before : {false, true})
                costs.spanning[before] = m_tables.combined(costs.spanning[before], ofStar(s, Sides{{before, onA}}));
        }
        return costs;
    }

    template <class Cost>
    Costs ofEndpoints(std::uint32_t s, std::size_t size, std::size_t count, Cost cost) {
        Costs costs = m_tables.ofStars(s, size, count, cost);
        m_tables.addHalved(s, size, cost, costs);
        return costs;
    }
    Costs ofStar(std::uint32_t s, const Sides& around, std::size_t count = 1) {
        const PodStar& star = m_tree.stars[s];
        return ofEndpoints(s, star.star->endpoints.size(), count, [&](Part part) { return costOf(star, around, part); });
    }

    // How many stars from this one on are alike, stand in one pod and share nothing: one table holds them all.
    std::uint32_t equalFrom(std::uint32_t first) const {
        const auto isAlone = [&](std::uint32_t s) {
            return m_tree.stars[s].legs.size() == 1 && m_tree.stars[s].star->shared.empty() && !m_tables.halvesOne();
        };
        const PodStar& one = m_tree.stars[first];
        std::uint32_t next = first + 1;
        const auto isSameClass = [&](const PodStar& other) {
            return other.legs.front().pod == one.legs.front().pod && other.legs.front().leaves == one.legs.front().leaves &&
                   other.star->endpoints.size() == one.star->endpoints.size() && other.star->perLink == one.star->perLink &&
                   other.star->uplink == one.star->uplink;
        };
        if (!isAlone(first)) return 1;
        while (next < m_tree.stars.size() && isAlone(next) && isSameClass(m_tree.stars[next])) ++next;
        return next - first;
    }

    void addStars(std::uint32_t s, std::uint32_t count, bool podOnA, Row& row) {
        const auto before = s > 0 ? m_tree.crossing[s - 1] : none, after = m_tree.crossing[s];
        Row longer;
        for (const bool beforeOnA : {false, true})
            for (const bool afterOnA : {false, true}) {
                const bool cannotBe = (before == none && beforeOnA) || (after == none && afterOnA) ||
                                      (before != none && before == after && beforeOnA != afterOnA);
                if (cannotBe) continue;
                Costs own = ofStar(s, Sides{{podOnA, podOnA}, before, after, beforeOnA, afterOnA}, count);
                if (after != none && after != before)
                    own = m_tables.combined(own, m_tables.ofOne(indexOf(after), afterOnA, m_speed.at(after)));
                for (const bool first : {false, true})
                    longer[first][afterOnA] = cheaper(longer[first][afterOnA], m_tables.combined(row[first][beforeOnA], own));
            }
        row = std::move(longer);
    }

    // Shared endpoints come after the stars and the loose ones, as stars of their own.
    std::uint32_t indexOf(std::uint32_t shared) {
        const auto fresh = static_cast<std::uint32_t>(m_tree.stars.size() + 1 + m_shared.size());
        return m_shared.emplace(shared, fresh).first->second;
    }

public:
    const std::map<std::uint32_t, std::uint32_t>& shared() const { return m_shared; }

private:
    const PodTree& m_tree;
    std::size_t m_loose;
    Tables& m_tables;
    std::map<std::uint32_t, std::uint32_t> m_shared;
    std::map<std::uint32_t, Bandwidth> m_speed; // of shared endpoints
};

bool hasThreeTiers(const SwitchGraph& graph) {
    return std::any_of(graph.groups.begin(), graph.groups.end(), [](const auto& group) { return group.tier == LinkTier::SpineSuperspine; });
}

// After the stars: endpoints without a cable, which stand on either side, then each shared endpoint.
void takeSides(const StarChain& chain, const PodTables& podTables, const std::vector<Part>& parts, PodBound& bound) {
    std::vector<bool> placed(bound.sideA.size());
    const auto take = [&](const std::vector<std::uint32_t>& endpoints, const Part& part) {
        for (std::size_t i = 0; i < endpoints.size(); ++i) {
            bound.sideA[endpoints[i]] = i < part.onA;
            placed[endpoints[i]] = true;
            if (part.halvesOne && i == part.onA) bound.halved = endpoints[i];
        }
    };
    std::size_t over = 0; // of stars alike that were counted together
    for (std::size_t s = 0; s < chain.stars.size(); ++s) {
        Part part = parts[s];
        part.onA += std::exchange(over, 0);
        const std::size_t size = chain.stars[s].endpoints.size();
        if (part.onA > size) over = part.onA - size;
        take(chain.stars[s].endpoints, part);
    }
    for (const auto& [endpoint, index] : podTables.shared()) take({endpoint}, parts[index]);
    std::vector<std::uint32_t> loose;
    for (std::uint32_t e = 0; e < placed.size(); ++e)
        if (!placed[e]) loose.push_back(e);
    take(loose, parts[chain.stars.size()]);
}

bool standInOneNetwork(const SwitchGraph& graph, const Star& star) {
    const auto isAsFirst = [&](std::uint32_t v) { return graph.network[v] == graph.network[star.leaves.front()]; };
    return std::all_of(star.leaves.begin(), star.leaves.end(), isAsFirst);
}

// Networks that share no endpoint, as GPUs see planes: the stars of each follow one another. Returns whether that is so.
bool sortByNetwork(const SwitchGraph& graph, StarChain& chain) {
    const auto network = [&](const Star& star) { return graph.network[star.leaves.front()]; };
    if (chain.isTied() ||
        !std::all_of(chain.stars.begin(), chain.stars.end(), [&](const Star& star) { return standInOneNetwork(graph, star); }))
        return false;
    std::stable_sort(chain.stars.begin(), chain.stars.end(), [&](const Star& x, const Star& y) { return network(x) < network(y); });
    return !chain.stars.empty() && network(chain.stars.front()) != network(chain.stars.back());
}

// A node for each network, and a root that no link leads to.
PodTree treeOfNetworks(const SwitchGraph& graph, const StarChain& chain) {
    PodTree tree{{}, {}, {Bandwidth(impossible)}, {}, chain.crossing};
    std::uint32_t last = none;
    for (const Star& star : chain.stars) {
        if (const auto own = graph.network[star.leaves.front()]; own != last) {
            tree.uplinks.emplace_back();
            tree.block.push_back(0);
            last = own;
        }
        tree.stars.push_back({&star, {{tree.uplinks.size() - 1, static_cast<double>(star.leaves.size())}}});
    }
    return tree;
}

std::optional<PodTree> treeOf(const SwitchGraph& graph, const Endpoints& ends, const StarChain& chain, bool separate) {
    const bool asOne = carriesAllUplinks(graph);
    if (asOne && separate) return treeOfNetworks(graph, chain);
    if (asOne && reachEqually(graph, ends, chain.stars)) return treeOfOneNode(chain);
    return hasThreeTiers(graph) ? podTreeOf(graph, chain) : std::nullopt;
}

} // namespace

PodBound podBound(const SwitchGraph& graph, const Endpoints& ends, bool halveOne) {
    if (!isRegular(graph)) return {};
    auto chain = starChainOf(graph, ends);
    if (!chain) return {};
    const bool separate = sortByNetwork(graph, *chain);
    const auto tree = treeOf(graph, ends, *chain, separate);
    if (!tree) return {};
    const std::size_t n = ends.size() - (halveOne ? 1 : 0);
    std::size_t loose = ends.size();
    std::vector<std::size_t> sizes;
    std::set<std::uint32_t> shared;
    for (const Star& star : chain->stars) {
        sizes.push_back(star.endpoints.size());
        loose -= star.endpoints.size();
        for (const SharedEndpoint& each : star.shared) shared.insert(each.endpoint);
    }
    loose -= shared.size();
    sizes.push_back(loose);
    sizes.insert(sizes.end(), shared.size(), 1);
    PodBound least{{Bandwidth(impossible), "pod tree bound"}, {}, none};
    for (std::size_t m = n / 2; m <= (n + 1) / 2; ++m) {
        Tables tables(sizes, m, halveOne);
        PodTables podTables(*tree, loose, tables);
        const Costs all = podTables.all();
        if (tables.isTooMuch()) return {};
        for (const std::size_t divided : {std::size_t{0}, dividedStar}) {
            const Table& table = all[divided | (halveOne ? halvedEndpoint : 0)];
            if (table.empty() || table.back().onA != m || table.back().cost >= least.lower.value.value()) continue;
            least.lower.value = Bandwidth(table.back().cost);
            least.sideA.assign(ends.size(), false);
            takeSides(*chain, podTables, tables.spelledOut(table.back().choice, sizes.size()), least);
        }
    }
    return least.sideA.empty() ? PodBound{} : least;
}

} // namespace railyard
