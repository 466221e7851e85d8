#include "core/bisection/bisection.h"

#include "core/bisection/bounds/degraded/hb_bound.h"
#include "core/bisection/bounds/degraded/regular_parts.h"
#include "core/bisection/bounds/degraded/reroute_bound.h"
#include "core/bisection/bounds/degraded/sides_bound.h"
#include "core/bisection/bounds/degraded/spread_bound.h"
#include "core/bisection/bounds/domain_sides.h"
#include "core/bisection/bounds/hose_bound.h"
#include "core/bisection/bounds/pod_bound.h"
#include "core/bisection/bounds/spine_sides.h"
#include "core/bisection/bounds/tree_bound.h"
#include "core/bisection/problem/separate_parts.h"
#include "core/bisection/witness/balanced_cut.h"
#include "core/bisection/witness/every_partition.h"
#include "core/bisection/witness/skewed_partitions.h"
#include "core/bisection/witness/structural_orders.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <set>
#include <span>

namespace railyard {
namespace {

constexpr std::string_view methodStart = "lower bound: ", methodEnd = "; upper bound: structural cut";

std::string methodText(const std::string& lower) { return std::string(methodStart) + lower + std::string(methodEnd); }

// The lower bound's part of such a text.
std::string lowerMethod(const std::string& method) {
    const std::size_t from = method.starts_with(methodStart) ? methodStart.size() : 0;
    return method.substr(from, method.find(methodEnd) - from);
}

std::vector<bool> firstHalfByPath(const BisectionProblem& q) {
    std::vector<bool> side(q.ends.size());
    std::fill_n(side.begin(), side.size() / 2, true);
    return side;
}

// The best partition so far and its cheapest cut.
struct Witness {
    std::vector<bool> side;
    Cut cut;
    std::unique_ptr<CutNetwork> network; // once a cut was asked for
    std::set<std::vector<bool>> known;   // partitions whose cut is known, each with its first endpoint on side A where halves are equal
};

// The first half by path is usually the witness, so that equal cuts are shown the way people read the drawing.
void takeIfBetter(const BisectionProblem& q, std::vector<bool> sideA, Witness& best) {
    if (!best.network) best.network = std::make_unique<CutNetwork>(q);
    std::optional<Cut> cut = best.network->cutBelow(sideA, best.side.empty() ? MaxFlow::unlimited : best.cut.value);
    if (!cut) return;
    best.side = std::move(sideA);
    best.cut = std::move(*cut);
}

// Of partitions that several ways may lead to.
void takeOnce(const BisectionProblem& q, std::vector<bool> sideA, Witness& best) {
    std::vector<bool> known = sideA;
    if (known.size() % 2 == 0 && !known[0]) known.flip(); // both sides make the same cut
    if (best.known.insert(std::move(known)).second) takeIfBetter(q, std::move(sideA), best);
}

// The intact witness, seen by elements that survived: what failed can only make it cheaper.
std::vector<bool> carriedOver(const BisectionProblem& q, const BisectionProblem& intact, const std::vector<bool>& witness) {
    const bool byDomain = q.key == BisectionKey::Server;
    const auto anyDevice = [&](const BisectionProblem& of) { // of an endpoint
        if (!byDomain) return of.ends.gpu;
        By<DomainId, DeviceId> firstOf(of.fabric.hbDomains.size(), none);
        std::vector<DeviceId> result;
        for (std::size_t end = of.fabric.devices.size(); end > 0; --end) {
            const DeviceId d(end - 1);
            if (of.fabric.devices.isGpu(d) && of.fabric.devices.hbDomain[d] != none) firstOf[of.fabric.devices.hbDomain[d]] = d;
        }
        for (const auto domain : of.ends.hbDomain) result.push_back(firstOf[domain]);
        return result;
    };
    const auto place = [&](DeviceId device) { return byDomain ? intact.fabric.devices.hbDomain[device] : device; };
    std::vector<bool> side(byDomain ? intact.fabric.hbDomains.size() : intact.fabric.devices.size());
    const std::vector<DeviceId> before = anyDevice(intact), now = anyDevice(q);
    for (std::size_t e = 0; e < before.size(); ++e)
        if (before[e] != none) side[place(before[e])] = witness[e];
    std::vector<bool> result(q.ends.size());
    std::size_t onA = 0;
    for (std::size_t e = 0; e < now.size(); ++e) onA += (result[e] = now[e] != none && side[place(q.fabric.intactDevice[now[e]])]) ? 1 : 0;
    for (std::size_t e = 0; e < q.ends.size() && onA > (q.ends.size() + 1) / 2; ++e)
        if (result[e]) result[e] = false, --onA;
    for (std::size_t e = 0; e < q.ends.size() && onA < q.ends.size() / 2; ++e)
        if (!result[e]) result[e] = true, ++onA;
    return result;
}

// Exchanges endpoints of unlike classes while that makes the cut cheaper, for a bounded amount of work: not at all where so few exchanges
// could not reach the lower bound, as each takes no more from the cut than what the two endpoints can send.
void improveBySwaps(const BisectionProblem& q, Bandwidth lower, Witness& best) {
    constexpr double mostWork = 1e6; // partitions * (links + attachments)
    auto remaining = static_cast<std::int64_t>(mostWork / static_cast<double>(q.graph.edges.size() + q.ends.attachments.size() + 1));
    const Bandwidth most = *std::max_element(q.ends.speed.begin(), q.ends.speed.end());
    if (best.cut.value - 2 * static_cast<double>(remaining) * most > lower) return;
    const auto classes = interchangeable(q);
    const auto member = [&](const std::vector<std::uint32_t>& of, bool side) {
        const auto it = std::find_if(of.begin(), of.end(), [&](std::uint32_t e) { return best.side[e] == side; });
        return it == of.end() ? none : *it;
    };
    for (bool better = true; better;) {
        better = false;
        for (std::size_t c = 0; c < classes.size(); ++c)
            for (std::size_t d = 0; d < classes.size(); ++d) {
                const auto out = c == d ? none : member(classes[c], true), in = c == d ? none : member(classes[d], false);
                if (out == none || in == none) continue;
                if (remaining-- <= 0) return;
                std::vector<bool> side = best.side;
                side[out] = false;
                side[in] = true;
                const Bandwidth before = best.cut.value;
                takeIfBetter(q, std::move(side), best);
                better = better || best.cut.value < before;
            }
    }
}

// Cheapest cut and cheapest partition in turn: for the switches as the cut divides them, every endpoint goes where more of
// its cables lead, those that care least last. Each round costs at most as much as the one before.
void improveByAlternating(const BisectionProblem& q, Witness& best) {
    constexpr int mostRounds = 12;
    if (q.key == BisectionKey::GpuWithHb) return;
    for (int round = 0; round < mostRounds; ++round) {
        std::vector<Bandwidth> pull(q.ends.size()); // towards side A: below 0
        for (const auto& a : q.ends.attachments) pull[a.endpoint] += best.cut.isOnA(a.node) ? -a.capacity : a.capacity;
        Order order(q.ends.size());
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(pull[a], !best.side[a]) < std::pair(pull[b], !best.side[b]); // who does not care stays
        });
        std::vector<bool> side = firstHalf(order);
        const Bandwidth before = best.cut.value;
        takeIfBetter(q, std::move(side), best);
        if (best.cut.value >= before) return;
    }
}

// The bounds that need no search; the second only where the first leaves room for it.
std::vector<LowerBound> quickBounds(const BisectionProblem& q) {
    std::vector<LowerBound> bounds{hoseBound(q.fabric, q.graph, q.ends, q.key)};
    // No partition is worth more than half of what its ends can send.
    const bool most = bounds.front().value >= q.ends.halfInjection() * (1 - 1e-12);
    if (q.key != BisectionKey::GpuWithHb && !most) bounds.push_back(treeBound(q.graph, q.ends));
    return bounds;
}

LowerBound quickLowerBound(const BisectionProblem& q) {
    const std::vector<LowerBound> bounds = quickBounds(q);
    return *std::max_element(bounds.begin(), bounds.end(), [](const LowerBound& a, const LowerBound& b) { return a.value < b.value; });
}

// The partition of domains, spelled out for their GPUs. Of a domain that is halved, the first GPUs stand on side A.
std::vector<bool> byDomain(const BisectionProblem& q, const Endpoints& domains, const std::vector<bool>& sideOfDomain,
                           std::uint32_t halved = none) {
    std::map<std::uint32_t, std::size_t> gpus, onA, seen;
    for (const auto domain : q.ends.hbDomain) ++gpus[domain];
    for (std::uint32_t d = 0; d < sideOfDomain.size(); ++d) {
        const auto domain = domains.hbDomain[d];
        onA[domain] = d == halved ? gpus[domain] / 2 : sideOfDomain[d] ? gpus[domain] : 0;
    }
    std::vector<bool> result;
    for (const auto domain : q.ends.hbDomain) result.push_back(seen[domain]++ < onA[domain]);
    return result;
}
bool isBalanced(const std::vector<bool>& side) {
    const auto onA = static_cast<std::size_t>(std::count(side.begin(), side.end(), true));
    return !side.empty() && (onA == side.size() / 2 || onA == (side.size() + 1) / 2);
}

// Every endpoint as two of half its cables.
Endpoints halved(const Endpoints& ends) {
    Endpoints halves;
    for (std::uint32_t e = 0; e < ends.size(); ++e)
        for (int half = 0; half < 2; ++half) {
            halves.speed.push_back(ends.speed[e] / 2);
            halves.hbDomain.push_back(ends.hbDomain[e]);
            halves.rail.push_back(ends.rail[e]);
        }
    for (const auto& a : ends.attachments)
        for (std::uint32_t half = 0; half < 2; ++half) halves.attachments.push_back({2 * a.endpoint + half, a.node, a.capacity / 2});
    return halves;
}

// All that a cut can run through. With HB links the port of a GPU bounds it twice: as link and as what it may send.
Bandwidth capacityOf(const BisectionProblem& q) {
    Bandwidth sum;
    for (const LinkId l : q.fabric.links.ids()) {
        const LinkTier tier = q.fabric.links.tier[l];
        const bool withHb = q.key == BisectionKey::GpuWithHb;
        if (q.fabric.isNetworkLink(l) || (withHb && tier == LinkTier::Hb))
            sum += q.fabric.speedOf(l) * (withHb && tier == LinkTier::HostLeaf ? 2 : 1);
    }
    return sum;
}

// No cut loses more than the capacity of all that failed, so the intact bound less that capacity holds.
LowerBound intactBoundLessFailures(const BisectionProblem& q, const BisectionProblem& intact, const Bisection& before) {
    if (q.ends.size() != intact.ends.size()) return {};
    return {gigabitsPerSecond(before.lowerGbps) - (capacityOf(intact) - capacityOf(q)),
            "bound of the intact fabric minus the failed capacity"};
}

// Failures that took no endpoint and none of its cables. They only take, so counting is enough.
bool hasSameEndpoints(const Fabric& fabric, const Fabric& intact) {
    const auto linksAtEnds = [](const Fabric& of) {
        return std::count_if(of.links.tier.begin(), of.links.tier.end(), [](LinkTier tier) {
            return tier == LinkTier::HostLeaf || tier == LinkTier::ManagerLeaf || tier == LinkTier::Pcie;
        });
    };
    const auto endDevices = [](const Fabric& of) {
        return std::count_if(of.devices.kind.begin(), of.devices.kind.end(), [](DeviceKind kind) { return !infoOf(kind).routes; });
    };
    return linksAtEnds(fabric) == linksAtEnds(intact) && endDevices(fabric) == endDevices(intact);
}

bool hasPlanes(const Fabric& fabric) {
    const auto& planes = fabric.devices.plane;
    return std::any_of(planes.begin(), planes.end(), [](std::uint32_t plane) { return plane > 1; });
}

// One fabric and what it was before failures; answers are found once, as the answer of one key bounds another.
class Solver {
public:
    explicit Solver(const Fabric& fabric) : m_fabric(fabric) {
        if (fabric.intact) m_before = std::make_unique<Solver>(*fabric.intact);
    }

    const Bisection& solve(BisectionKey key) {
        auto& known = m_known[static_cast<std::size_t>(key)];
        if (!known) known = solve(asked(key));
        return *known;
    }

    // Most fabrics that have less are cut by a partition that needs no flow.
    bool certifies(BisectionKey key, double fraction) {
        const BisectionProblem& q = asked(key);
        m_wanted = q.ends.halfInjection() * (fraction * (1 - 1e-9));
        for (const bool flipped : {false, true}) {
            if (q.ends.size() < 2 || (flipped && q.ends.size() % 2 == 1)) break;
            if (const Witness cheap = betweenTiers(q, flipped); !cheap.side.empty() && cheap.cut.value < m_wanted) return false;
        }
        const Bisection& found = solve(key);
        return found.certified && gigabitsPerSecond(found.lowerGbps) >= m_wanted;
    }

private:
    const BisectionProblem& asked(BisectionKey key) {
        auto& problem = m_asked[static_cast<std::size_t>(key)];
        if (!problem) problem = std::make_unique<BisectionProblem>(problemOf(m_fabric, key));
        return *problem;
    }

    Bandwidth halfInjection(BisectionKey key) const {
        const auto& known = m_asked[static_cast<std::size_t>(key)];
        if (known) return known->ends.halfInjection();
        const SwitchGraph hosts = hostsOf(m_fabric);
        return hosts.direct.empty() ? endpointsOf(m_fabric, hosts, key).halfInjection() : problemOf(m_fabric, key).ends.halfInjection();
    }

    struct State {
        LowerBound lower;
        Bandwidth yardstick;
        Witness witness;
        std::array<std::optional<Witness>, 2> betweenTiers; // once asked for; without a side where the partition has none
        Bandwidth wanted;                                   // a cheaper cut answers the question whether there is this much
        bool proved() const { return !witness.side.empty() && witness.cut.value <= lower.value * (1 + 1e-9); }
        bool settled() const { return proved() || (!witness.side.empty() && witness.cut.value < wanted); }
        bool isReachedByNoCut = false; // the lower bound, as a rule: a cheaper cut may narrow the interval but not close it
        bool isNarrow() const {        // not worth a long search
            constexpr double width = 0.005;
            return isReachedByNoCut && !witness.side.empty() && lower.value >= witness.cut.value * (1 - width);
        }
        bool isSpreadAroundIntact = false; // the proofs that start from what was before failures have been tried
        std::vector<LowerBound> tried;     // every bound that was found, in that order; of one method the best
        void raise(LowerBound bound) {
            const auto known =
                std::find_if(tried.begin(), tried.end(), [&](const LowerBound& each) { return each.method == bound.method; });
            if (known == tried.end())
                tried.push_back(bound);
            else
                known->value = std::max(known->value, bound.value);
            if (lower.method.empty() || bound.value > lower.value) lower = std::move(bound);
        }
    };

    // How the interval is closed: a row finds bounds, partitions or both.
    struct Certificate {
        std::string_view name;
        bool (*isFor)(const Solver& solver, const BisectionProblem& q, const State& state); // it says something about this problem
        void (*apply)(Solver& solver, const BisectionProblem& q, State& state);
        bool isAlways = false; // also where the interval is closed
    };
    // In the order in which they are tried, the cheap ones first.
    static std::span<const Certificate> certificates();

    Bisection solve(const BisectionProblem& q);

    // A regular fabric is cut cheapest between two tiers, which needs no flow; so is one with few failures, from one side.
    static void cutBetweenTiers(const BisectionProblem& q, State& state) {
        if (state.lower.value <= Bandwidth()) return;
        for (const bool flipped : {false, true}) {
            if (flipped && q.ends.size() % 2 == 1) return;
            auto& known = state.betweenTiers[flipped];
            if (!known) known = betweenTiers(q, flipped);
            if (known->side.empty()) return;
            if (known->cut.value > state.lower.value * (1 + 1e-9)) continue;
            state.witness = std::move(*known);
            known.reset();
            return;
        }
    }
    static Witness betweenTiers(const BisectionProblem& q, bool flipped) {
        std::vector<bool> side = firstHalfByPath(q);
        if (flipped) side.flip();
        auto cut = cheapestBetweenTiers(q, side);
        return cut ? Witness{std::move(side), std::move(*cut), {}, {}} : Witness{};
    }

    // Failures can only make the intact witness cheaper.
    void boundByIntact(const BisectionProblem& q, State& state) {
        const BisectionProblem& before = m_before->asked(q.key);
        state.raise(intactBoundLessFailures(q, before, m_before->solve(q.key)));
        cutBetweenTiers(q, state);
        if (state.settled()) return;
        if (const auto spread = spreadOfIntact(q)) {
            state.isSpreadAroundIntact = true;
            spreadAround(q, *spread, state);
        }
        if (!state.settled()) takeOnce(q, carriedOver(q, before, m_before->solve(q.key).sideA), state.witness);
    }

    // A few links more or less than an even fabric has, wherever they come from.
    void boundByRegularHull(const BisectionProblem& q, State& state) {
        const auto hull = regularHull(q);
        if (!hull) return;
        const LowerBound regular = quickLowerBound(hull->problem);
        state.raise({regular.value - hull->missing, regular.method + " of the regular fabric minus the missing capacity"});
        cutBetweenTiers(q, state);
        if (state.settled()) return;
        if (const auto spread = spreadOfHull(q, hull->problem)) spreadAround(q, *spread, state);
    }

    void spreadAround(const BisectionProblem& q, const RegularSpread& spread, State& state) {
        const SpreadBound bound = spreadBound(spread);
        state.raise(bound.lower);
        cutBetweenTiers(q, state);
        if (state.settled()) return;
        state.raise(rerouteBound(spread, {}, state.wanted));
        // Where a fabric is asked whether it has enough, its links are missing by design, for which rerouting is closer.
        const LowerBound sides = state.wanted > Bandwidth() ? LowerBound() : sidesBound(spread);
        state.isReachedByNoCut = state.isSpreadAroundIntact && sides.value > state.lower.value;
        if (sides.value > Bandwidth()) state.raise(sides);
        if (!bound.loss.empty()) takeOnce(q, firstHalf(sortedBy(bound.loss)), state.witness);
    }

    static std::optional<RegularSpread> spreadOfHull(const BisectionProblem& q, const BisectionProblem& hull) {
        By<NodeId, NodeId> same(q.graph.device.size());
        std::iota(same.begin(), same.end(), NodeId(0));
        return regularSpreadOf(q, hull, std::move(same));
    }
    std::optional<RegularSpread> spreadOfIntact(const BisectionProblem& q) {
        const BisectionProblem& before = m_before->asked(q.key);
        return regularSpreadOf(q, before, nodesOfIntact(q, before));
    }

    void boundByDomains(const BisectionProblem& q, State& state) {
        const auto shortOf = shortOfWholeDomains(m_fabric, q.ends);
        if (!shortOf) return;
        const Bisection& ofDomains = solve(BisectionKey::Server);
        const BisectionProblem& domains = asked(BisectionKey::Server);
        state.raise({gigabitsPerSecond(ofDomains.lowerGbps) - *shortOf, lowerMethod(ofDomains.method) + " with undivided HB domains"});
        if (m_known[0]->sideA.size() % 2 == 1 && q.ends.size() % 2 == 0) { // some domain has to be halved
            const BisectionProblem halves{m_fabric, BisectionKey::Server, domains.graph, halved(domains.ends)};
            const LowerBound quick = quickLowerBound(halves);
            const PodBound pods = podBound(domains.graph, domains.ends, true);
            for (const LowerBound& bound : {quick, pods.lower})
                state.raise({bound.value - *shortOf, bound.method + " with halved HB domains"});
            const std::vector<bool> side = byDomain(q, domains.ends, pods.sideA, pods.halved);
            if (isBalanced(side)) takeIfBetter(q, side, state.witness);
        }
        const std::vector<bool> side = byDomain(q, domains.ends, ofDomains.sideA);
        if (isBalanced(side)) takeIfBetter(q, side, state.witness);
    }

    // HB links only add: every flow between GPUs over their NICs is one with HB links too.
    void boundByNetworkOnly(const BisectionProblem& q, State& state) {
        const Bisection& without = solve(BisectionKey::GpuNetworkOnly);
        if (q.ends.isShared) return takeIfBetter(q, without.sideA, state.witness); // with HB links those with NICs send less
        state.raise({gigabitsPerSecond(without.lowerGbps), lowerMethod(without.method) + " without HB links"});
        takeOnce(q, without.sideA, state.witness);
        const auto imbalance = q.graph.direct.empty() ? imbalanceOfDomains(m_fabric, q.ends) : std::nullopt;
        if (!imbalance) return;
        const BisectionProblem& domains = asked(BisectionKey::Server);
        const auto hull = m_before ? std::nullopt : regularHull(domains);
        if (!m_before && !hull) return;
        if (const auto spread = hull ? spreadOfHull(domains, hull->problem) : spreadOfIntact(domains)) {
            LowerBound bound = rerouteBound(*spread, imbalance);
            bound.method += " with undivided HB domains";
            state.raise(std::move(bound));
        }
    }

    // A bound and a partition that may meet it.
    template <class Found>
    static void takeBoth(const BisectionProblem& q, std::optional<Found> found, State& state) {
        if (!found) return;
        state.raise(std::move(found->lower));
        takeIfBetter(q, std::move(found->sideA), state.witness);
    }

    static void searchPartitions(const BisectionProblem& q, State& state) {
        if (mayHaveWanted(q, state)) searchForCheaper(q, state);
        const MergedSwitches* const merged = state.witness.network ? state.witness.network->merged() : nullptr;
        const auto exact = state.settled() ? std::nullopt : cheapestOfAllPartitions(q, state.wanted, merged);
        if (!exact) return;
        takeIfBetter(q, exact->sideA, state.witness);
        if (state.witness.cut.value < state.wanted) return; // the search ended early, so its value proves nothing
        state.raise({exact->value, "search of all balanced partitions"});
        state.lower = state.tried.back(); // also where another bound says as much
    }

    // Where no bound reaches what is wanted, no cut that is found proves enough.
    static bool mayHaveWanted(const BisectionProblem& q, State& state) {
        if (state.lower.value >= state.wanted) return true;
        if (q.key != BisectionKey::GpuWithHb) state.raise(podBound(q.graph, q.ends).lower);
        raiseByRegularPart(q, state);
        return state.lower.value >= state.wanted;
    }

    static void raiseByRegularPart(const BisectionProblem& q, State& state) {
        const auto core = state.settled() || q.graph.regular || !q.graph.direct.empty() ? std::nullopt : regularCore(q);
        if (!core) return;
        const LowerBound bound = quickLowerBound(*core);
        state.raise({bound.value, bound.method + " of the regular part"});
    }

    static void searchForCheaper(const BisectionProblem& q, State& state) {
        takeOnce(q, firstHalfByPath(q), state.witness);
        if (q.key != BisectionKey::GpuWithHb) {
            PodBound pods = podBound(q.graph, q.ends);
            state.raise(std::move(pods.lower));
            if (!pods.sideA.empty()) takeOnce(q, std::move(pods.sideA), state.witness);
        }
        for (const Order& order : structuralOrders(q)) {
            std::vector<bool> side = firstHalf(order);
            if (q.ends.size() % 2 == 0 && !side[0]) side.flip(); // as people read the drawing
            if (!state.settled()) takeOnce(q, std::move(side), state.witness);
        }
        const bool isLarge = static_cast<double>(q.graph.edges.size() + q.ends.attachments.size()) >= 1e5;
        const auto isEnough = [&] { return state.settled() || (isLarge && state.isNarrow()); };
        if (q.key != BisectionKey::GpuWithHb && !q.graph.regular && !isEnough())
            for (std::vector<bool>& side : skewedPartitions(q, 3))
                if (!state.settled()) takeOnce(q, std::move(side), state.witness);
        raiseByRegularPart(q, state);
        if (!state.settled() && !isLarge)
            for (const Order& order : ordersByLeafSize(q))
                if (!state.settled()) takeOnce(q, firstHalf(order), state.witness);
        if (!state.settled()) improveByAlternating(q, state.witness);
        if (!isEnough()) improveBySwaps(q, state.lower.value, state.witness);
    }

    const Fabric& m_fabric;
    Bandwidth m_wanted; // 0: the bisection itself is asked for
    std::unique_ptr<Solver> m_before;
    std::array<std::unique_ptr<BisectionProblem>, 3> m_asked;
    std::array<std::optional<Bisection>, 3> m_known;
};

std::span<const Solver::Certificate> Solver::certificates() {
    static constexpr auto always = [](const Solver&, const BisectionProblem&, const State&) { return true; };
    static constexpr auto isWithHb = [](const Solver&, const BisectionProblem& q, const State&) {
        return q.key == BisectionKey::GpuWithHb;
    };
    static constexpr Certificate rows[] = {
        {"routing", always,
         [](Solver&, const BisectionProblem& q, State& state) {
             for (LowerBound& bound : quickBounds(q)) state.raise(std::move(bound));
         },
         true},
        {"HB domains", isWithHb, [](Solver& solver, const BisectionProblem& q, State& state) { solver.boundByDomains(q, state); }, true},
        {"sides of the HB domains",
         [](const Solver&, const BisectionProblem& q, const State&) { return q.key == BisectionKey::GpuWithHb && q.graph.direct.empty(); },
         [](Solver&, const BisectionProblem& q, State& state) { takeBoth(q, domainSidesBound(q), state); }},
        {"separate parts", [](const Solver&, const BisectionProblem&, const State& state) { return state.lower.value <= Bandwidth(); },
         [](Solver&, const BisectionProblem& q, State& state) {
             if (auto side = partitionThatCutsNothing(q)) takeIfBetter(q, std::move(*side), state.witness);
         },
         true},
        {"cut between two tiers", always, [](Solver&, const BisectionProblem& q, State& state) { cutBetweenTiers(q, state); }},
        {"sides of the spines",
         [](const Solver&, const BisectionProblem& q, const State&) {
             return q.key != BisectionKey::GpuWithHb && !q.graph.regular && q.graph.direct.empty();
         },
         [](Solver&, const BisectionProblem& q, State& state) { takeBoth(q, spineSidesBound(q.graph, q.ends), state); }},
        // Cables between NICs have no place in a regular fabric.
        {"intact fabric",
         [](const Solver& solver, const BisectionProblem& q, const State&) { return solver.m_before && q.graph.direct.empty(); },
         [](Solver& solver, const BisectionProblem& q, State& state) { solver.boundByIntact(q, state); }},
        {"regular hull",
         [](const Solver&, const BisectionProblem& q, const State& state) { return q.graph.direct.empty() && !state.isSpreadAroundIntact; },
         [](Solver& solver, const BisectionProblem& q, State& state) { solver.boundByRegularHull(q, state); }},
        {"network only", isWithHb, [](Solver& solver, const BisectionProblem& q, State& state) { solver.boundByNetworkOnly(q, state); }},
        {"partitions", always, [](Solver&, const BisectionProblem& q, State& state) { searchPartitions(q, state); }},
    };
    return rows;
}

Bisection Solver::solve(const BisectionProblem& q) {
    Bisection result;
    result.sideA.assign(q.ends.size(), false);
    if (q.ends.size() < 2) {
        result.certified = true;
        result.method = "fewer than two endpoints";
        return result;
    }
    State state;
    state.yardstick = q.ends.halfInjection();
    state.wanted = m_wanted;
    if (m_before && !hasSameEndpoints(m_fabric, m_before->m_fabric)) state.yardstick = m_before->halfInjection(q.key);
    for (const Certificate& row : certificates())
        if ((row.isAlways || !state.settled()) && row.isFor(*this, q, state)) row.apply(*this, q, state);
    if (state.witness.side.empty()) return result; // no bound reaches what is wanted: no cut was looked for
    // A bound above a real cut would be a wrong proof: nothing is claimed then.
    const Bandwidth upper = state.witness.cut.value;
    if (state.lower.value > upper * (1 + 1e-6) + Bandwidth(1)) state.lower = {{}, "none, because two bounds contradict each other"};
    const Bandwidth lower = state.lower.value;
    result.upperGbps = inGbps(upper);
    result.certified = upper - lower <= 1e-9 * std::max(upper, Bandwidth(1));
    result.lowerGbps = inGbps(result.certified ? upper : std::min(lower, upper));
    if (state.yardstick > Bandwidth()) result.fractionOfInjection = upper / state.yardstick;
    result.method = methodText(state.lower.method);
    if (upper == Bandwidth() && q.key == BisectionKey::GpuNetworkOnly)
        result.method += m_before && m_before->solve(q.key).upperGbps > 0
                             ? std::string("; 0 because of the failures")
                             : fmt::format("; 0 by design: {} are separate", hasPlanes(m_fabric) ? "planes" : "rails");
    describeCut(q, state.witness.side, state.witness.cut, result);
    result.halfInjectionGbps = inGbps(state.yardstick);
    result.sideA = std::move(state.witness.side);
    for (const LowerBound& bound : state.tried)
        if (bound.value > Bandwidth()) result.tried.push_back({bound.method, std::min(inGbps(bound.value), result.upperGbps)});
    return result;
}

} // namespace

std::string_view toText(BisectionKey key) {
    return key == BisectionKey::Server ? "server" : key == BisectionKey::GpuNetworkOnly ? "gpu_network_only" : "gpu_with_hb";
}

std::string_view labelOf(BisectionKey key) {
    return key == BisectionKey::Server           ? "Bisection, servers"
           : key == BisectionKey::GpuNetworkOnly ? "Bisection, GPUs, NIC fabric only"
                                                 : "Bisection, GPUs, with HB forwarding";
}

std::vector<std::optional<double>> shareOnSideA(const Fabric& fabric, BisectionKey key, const std::vector<bool>& sideA) {
    const Endpoints ends = endpointsOf(fabric, hostsOf(fabric), key);
    std::vector<double> all(fabric.hbDomains.size()), onA(all.size());
    for (std::size_t e = 0; e < std::min(ends.size(), sideA.size()); ++e) {
        if (ends.hbDomain[e] == none) continue;
        ++all[ends.hbDomain[e]];
        onA[ends.hbDomain[e]] += sideA[e] ? 1 : 0;
    }
    std::vector<std::optional<double>> share(all.size());
    for (std::size_t d = 0; d < share.size(); ++d)
        if (all[d] > 0) share[d] = onA[d] / all[d];
    return share;
}

Bisection bisection(const Fabric& fabric, BisectionKey key) { return Solver(fabric).solve(key); }

bool certifiesBisection(const Fabric& fabric, BisectionKey key, double fraction) { return Solver(fabric).certifies(key, fraction); }

std::array<Bisection, 3> bisections(const Fabric& fabric) { return *bisections(fabric, {}); }

std::optional<std::array<Bisection, 3>> bisections(const Fabric& fabric, const std::stop_token& stop) {
    Solver solver(fabric);
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        if (stop.stop_requested()) return {};
        solver.solve(key);
    }
    return std::array{solver.solve(BisectionKey::Server), solver.solve(BisectionKey::GpuNetworkOnly),
                      solver.solve(BisectionKey::GpuWithHb)};
}

} // namespace railyard
