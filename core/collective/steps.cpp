#include "core/collective/steps.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace railyard {
namespace {

constexpr std::size_t mostRounds = 16;        // shown one by one
constexpr std::size_t mostPairs = 20'000'000; // of GPUs that are followed one by one

// The parent of a place in a balanced binary tree over `count` places: leaves are the odd ones, place 0 is the root and has none.
std::size_t parentOf(std::size_t place, std::size_t count) {
    const std::size_t bit = place & (~place + 1), above = (place ^ bit) | bit << 1;
    return above < count ? above : place ^ bit;
}

} // namespace

Result<CollectiveSteps> CollectiveSteps::of(const Fabric& fabric, CollectiveOp op, Bytes size, const CollectiveRequest& request,
                                            const Calibration& calibration) {
    return of(fabric, gpusInOrder(fabric, RankOrder::Near), op, size, request, calibration);
}

Result<CollectiveSteps> CollectiveSteps::of(const Fabric& fabric, const std::vector<std::uint32_t>& gpus, CollectiveOp op, Bytes size,
                                            const CollectiveRequest& request, const Calibration& calibration) {
    const auto group = CollectiveGroup::of(fabric, gpus, calibration);
    if (!group) return group.errors();
    const auto result = group->time(op, size, request);
    if (!result) return result.errors();
    CollectiveSteps steps;
    steps.m_result = *result;
    steps.m_gpus = gpus;
    std::map<std::uint32_t, std::size_t> place;
    for (const std::uint32_t gpu : steps.m_gpus) {
        const std::uint32_t domain = fabric.devices.hbDomain[gpu];
        const std::size_t at = domain == none ? steps.m_domains.size() : place.emplace(domain, steps.m_domains.size()).first->second;
        if (at == steps.m_domains.size()) steps.m_domains.emplace_back();
        steps.m_domains[at].push_back(gpu);
    }
    steps.m_lanes = steps.m_domains.front().size();
    for (const auto& domain : steps.m_domains) steps.m_lanes = std::min(steps.m_lanes, domain.size());
    if (steps.m_gpus.size() < 2 || result->best.phases.empty()) return steps;
    switch (op) {
    case CollectiveOp::AllReduce:
    case CollectiveOp::AllGather:
    case CollectiveOp::ReduceScatter: steps.addReduction(); break;
    case CollectiveOp::AllToAll: steps.addExchange(); break;
    default: steps.addRooted();
    }
    return steps;
}

double CollectiveSteps::size() const { return static_cast<double>(m_result.size.count()); }

void CollectiveSteps::add(std::string name, std::string what, Seconds duration, std::vector<Plan> plans) {
    const Seconds start = m_steps.empty() ? Seconds() : m_steps.back().start + m_steps.back().duration;
    m_steps.push_back({std::move(name), std::move(what), start, duration});
    m_plans.push_back(std::move(plans));
}

// Reduce-scatter, then all-gather: an all-reduce is both, in twice the time of one.
void CollectiveSteps::addReduction() {
    const CollectiveTime& best = m_result.best;
    if (best.algorithm == Algorithm::Tree) return addTrees(1, best.time, {});
    if (best.algorithm != Algorithm::Ring && best.algorithm != Algorithm::Direct) return addPhases();
    const bool scatters = m_result.op != CollectiveOp::AllGather, gathers = m_result.op != CollectiveOp::ReduceScatter;
    const double ranks = static_cast<double>(m_result.ranks), bytes = (ranks - 1) / ranks * size();
    const Seconds duration = best.time / (scatters && gathers ? 2.0 : 1.0);
    for (const bool isGather : {false, true}) {
        if (!(isGather ? gathers : scatters)) continue;
        if (best.algorithm == Algorithm::Direct)
            addRounds(size() / ranks, duration);
        else
            add(isGather ? "all-gather around the rings" : "reduce-scatter around the rings",
                fmt::format("{} steps alike: each GPU sends the next one its share, size / {}", m_result.ranks - 1, m_result.ranks),
                duration, {{Shape::Inside, bytes}, {Shape::Between, bytes / static_cast<double>(m_lanes)}});
    }
}

// Hierarchical and NVLS: inside, between, inside. What of a phase hides behind the other runs beside it.
void CollectiveSteps::addPhases() {
    const bool scatters = m_result.op != CollectiveOp::AllGather, gathers = m_result.op != CollectiveOp::ReduceScatter;
    const double passes = scatters && gathers ? 2 : 1;
    const CollectivePhase nothing, *inside = &nothing, *between = &nothing;
    for (const CollectivePhase& phase : m_result.best.phases) (phase.bottleneck == "hb" ? inside : between) = &phase;
    const bool isSwitched = m_result.best.algorithm == Algorithm::Nvls;
    const double across = isSwitched ? size() : between->bytes / static_cast<double>(m_lanes);
    const bool hidesInside = inside->bytes <= 0 || (inside->exposed <= 0 && between->bytes > 0), hidesBetween = between->exposed <= 0;
    const auto addInside = [&](const char* name, Shape tree) {
        std::vector<Plan> plans{{Shape::Inside, inside->bytes * inside->exposed / passes}};
        if (between->bytes > 0)
            plans.push_back({isSwitched ? tree : Shape::Between, across * (1 - between->exposed) / (isSwitched ? 1 : passes)});
        add(name, isSwitched ? "HB switches add up, or copy, what their GPUs send" : "each GPU sends its neighbour in the HB domain",
            (inside->time() + (hidesBetween ? between->time() : Seconds())) / passes, plans);
    };
    if (scatters && !hidesInside) addInside("reduce-scatter inside HB domains", Shape::TreesUp);
    if (between->bytes > 0 && !hidesBetween) {
        const Plan beside{Shape::Inside, inside->bytes * (1 - inside->exposed)};
        const Seconds duration = between->time() + (hidesInside ? inside->time() : Seconds());
        if (isSwitched)
            addTrees(between->exposed, duration, {{Shape::Inside, beside.bytes / 2}});
        else
            add("between HB domains", "each GPU sends the one in its place of the next domain", duration,
                {{Shape::Between, across * between->exposed}, beside});
    }
    if (gathers && !hidesInside) addInside("all-gather inside HB domains", Shape::TreesDown);
}

void CollectiveSteps::addTrees(double share, Seconds duration, const std::vector<Plan>& beside) {
    for (const Shape shape : {Shape::TreesUp, Shape::TreesDown}) {
        std::vector<Plan> plans = beside;
        plans.push_back({shape, size() * share});
        add(shape == Shape::TreesUp ? "reduce up the trees" : "broadcast down the trees",
            "two binary trees over HB domains, with half the data each", duration / 2, plans);
    }
}

void CollectiveSteps::addExchange() {
    const CollectiveTime& best = m_result.best;
    const double pair = size() / static_cast<double>(m_result.ranks);
    Seconds left = best.time;
    if (best.algorithm == Algorithm::Pxn && best.phases.size() > 1) {
        const Seconds first = best.phases.front().time();
        add("forward inside HB domains", "each GPU hands data to the GPU on the rail of its destination", first, {{Shape::Forward, pair}});
        left = left - first;
    }
    addRounds(pair, left);
}

// Distances between domains, several at a time where there are many. What stays inside runs beside all of them.
void CollectiveSteps::addRounds(double bytes, Seconds duration) {
    const std::size_t distances = m_domains.size() - 1, ranks = m_gpus.size();
    const std::size_t shown = distances == 0 || ranks > mostPairs / ranks ? 1 : std::min(distances, mostRounds);
    for (std::size_t round = 0; round < shown; ++round) {
        const std::size_t first = distances * round / shown + 1, end = distances * (round + 1) / shown + 1;
        const double part = distances == 0 ? 1 : static_cast<double>(end - first) / static_cast<double>(distances);
        const std::string name = shown == 1 ? "every GPU to every other" : fmt::format("round {} of {}", round + 1, shown);
        const std::string what = shown == 1         ? "all at once"
                                 : end - first == 1 ? fmt::format("each HB domain sends to the one {} further", first)
                                                    : fmt::format("each HB domain sends to those {} to {} further", first, end - 1);
        add(name, what, duration * part, {{Shape::Rounds, bytes, first, end}});
    }
}

void CollectiveSteps::addRooted() {
    const Seconds time = m_result.best.time;
    const double part = size() / static_cast<double>(m_result.ranks);
    const std::string share = fmt::format("size / {}", m_result.ranks);
    const std::vector<Plan> rings{{Shape::Inside, size()}, {Shape::Between, size() / static_cast<double>(m_lanes)}};
    switch (m_result.op) {
    case CollectiveOp::Broadcast: return add("along the rings", "each GPU passes on what it gets, from rank 0 on", time, rings);
    case CollectiveOp::Reduce: return add("along the rings", "each GPU adds its own and passes it on, to rank 0", time, rings);
    case CollectiveOp::Gather: return add("all to rank 0", "each GPU sends rank 0 " + share, time, {{Shape::ToRoot, part}});
    case CollectiveOp::Scatter: return add("rank 0 to all", "rank 0 sends each GPU " + share, time, {{Shape::FromRoot, part}});
    default: return add("each to the next", "every rank sends to the next, the last to the first", time, {{Shape::Neighbours, size()}});
    }
}

void CollectiveSteps::insideRing(const Plan& plan, std::vector<GpuFlow>& flows) const {
    for (const auto& domain : m_domains)
        for (std::size_t p = 0; p < domain.size() && domain.size() > 1; ++p)
            flows.push_back({domain[p], domain[(p + 1) % domain.size()], plan.bytes});
}

void CollectiveSteps::betweenRing(const Plan& plan, std::vector<GpuFlow>& flows) const {
    const std::size_t domains = m_domains.size();
    for (std::size_t d = 0; d < domains && domains > 1; ++d) {
        if (m_result.op == CollectiveOp::Broadcast && d + 1 == domains) continue; // nothing comes back to the root
        if (m_result.op == CollectiveOp::Reduce && d == 0) continue;              // nothing leaves it
        for (std::size_t lane = 0; lane < m_lanes; ++lane)
            flows.push_back({m_domains[d][lane], m_domains[(d + 1) % domains][lane], plan.bytes});
    }
}

void CollectiveSteps::trees(const Plan& plan, std::vector<GpuFlow>& flows) const {
    const bool isUp = plan.shape == Shape::TreesUp;
    const auto send = [&](std::uint32_t child, std::uint32_t parent, double bytes) {
        flows.push_back(isUp ? GpuFlow{child, parent, bytes} : GpuFlow{parent, child, bytes});
    };
    for (const auto& domain : m_domains) { // a chain inside; HB switches that reduce have done that already
        const auto gpus = static_cast<double>(domain.size());
        if (m_result.best.algorithm != Algorithm::Tree || domain.size() < 2) continue;
        for (std::size_t p = 0; p < domain.size(); ++p) send(domain[p], domain[(p + 1) % domain.size()], plan.bytes * (gpus - 1) / gpus);
    }
    const std::size_t count = m_domains.size();
    for (std::size_t place = 1; place < count; ++place) {
        const std::size_t parent = parentOf(place, count);
        // The second tree is the first one mirrored, or shifted by one, so that leaves of one are inner places of the other.
        const auto other = [&](std::size_t at) { return count % 2 == 0 ? count - 1 - at : (at + 1) % count; };
        for (std::size_t lane = 0; lane < m_lanes; ++lane) {
            const double bytes = plan.bytes / 2 / static_cast<double>(m_lanes);
            send(m_domains[place][lane], m_domains[parent][lane], bytes);
            send(m_domains[other(place)][lane], m_domains[other(parent)][lane], bytes);
        }
    }
}

// To the GPU in the place of the destination; places that a domain lacks are shared by those it has.
void CollectiveSteps::forward(const Plan& plan, std::vector<GpuFlow>& flows) const {
    std::vector<double> atPlace;
    for (const auto& domain : m_domains) {
        if (atPlace.size() < domain.size()) atPlace.resize(domain.size());
        for (std::size_t p = 0; p < domain.size(); ++p) ++atPlace[p];
    }
    for (const auto& domain : m_domains) {
        std::vector<double> over(domain.size());
        for (std::size_t p = 0; p < atPlace.size(); ++p) over[p % domain.size()] += atPlace[p];
        for (const std::uint32_t from : domain)
            for (std::size_t p = 0; p < domain.size(); ++p)
                if (from != domain[p]) flows.push_back({from, domain[p], plan.bytes * over[p]});
    }
}

void CollectiveSteps::rounds(const Plan& plan, std::vector<GpuFlow>& flows) const {
    const std::size_t count = m_domains.size();
    const bool isForwarded = m_result.best.algorithm == Algorithm::Pxn;
    for (std::size_t distance = plan.first; distance < plan.end; ++distance)
        for (std::size_t d = 0; d < count; ++d) {
            const auto &from = m_domains[d], &to = m_domains[(d + distance) % count];
            if (isForwarded) {
                for (std::size_t p = 0; p < to.size(); ++p)
                    flows.push_back({from[p % from.size()], to[p], plan.bytes * static_cast<double>(from.size())});
                continue;
            }
            for (const std::uint32_t a : from)
                for (const std::uint32_t b : to) flows.push_back({a, b, plan.bytes});
        }
    if (isForwarded) return; // what stays inside went with the phase before
    const double part = count == 1 ? 1 : static_cast<double>(plan.end - plan.first) / static_cast<double>(count - 1);
    for (const auto& domain : m_domains)
        for (const std::uint32_t a : domain)
            for (const std::uint32_t b : domain)
                if (a != b) flows.push_back({a, b, plan.bytes * part});
}

void CollectiveSteps::rooted(const Plan& plan, std::vector<GpuFlow>& flows) const {
    const std::uint32_t root = m_gpus.front();
    for (std::size_t rank = 1; rank < m_gpus.size(); ++rank)
        flows.push_back(plan.shape == Shape::ToRoot ? GpuFlow{m_gpus[rank], root, plan.bytes} : GpuFlow{root, m_gpus[rank], plan.bytes});
}

void CollectiveSteps::addFlows(const Plan& plan, std::vector<GpuFlow>& flows) const {
    switch (plan.shape) {
    case Shape::Inside: return insideRing(plan, flows);
    case Shape::Between: return betweenRing(plan, flows);
    case Shape::TreesUp:
    case Shape::TreesDown: return trees(plan, flows);
    case Shape::Forward: return forward(plan, flows);
    case Shape::Rounds: return rounds(plan, flows);
    case Shape::ToRoot:
    case Shape::FromRoot: return rooted(plan, flows);
    case Shape::Neighbours:
        for (std::size_t rank = 0; rank < m_gpus.size(); ++rank)
            flows.push_back({m_gpus[rank], m_gpus[(rank + 1) % m_gpus.size()], plan.bytes});
    }
}

GpuTraffic CollectiveSteps::trafficOf(std::size_t step) const {
    GpuTraffic traffic;
    traffic.isAllToAll = isTooMany(m_plans[step].front());
    if (traffic.isAllToAll) return traffic;
    for (const Plan& plan : m_plans[step])
        if (plan.bytes > 0) addFlows(plan, traffic.flows);
    return traffic;
}

// More pairs than are followed one by one.
bool CollectiveSteps::isTooMany(const Plan& plan) const {
    return plan.shape == Shape::Rounds && plan.end - plan.first + 1 == m_domains.size() && m_gpus.size() > mostPairs / m_gpus.size();
}

RoutingOptions CollectiveSteps::routing() const {
    RoutingOptions options;
    options.isForwarded = m_result.best.algorithm == Algorithm::Pxn;
    return options;
}

// Flows of all steps at once: what is found out about the fabric is found out once.
Result<LinkLoads> CollectiveSteps::loadsOfAll(const Fabric& fabric) const {
    GpuTraffic followed;
    std::vector<std::size_t> closed; // steps of all pairs
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        const GpuTraffic traffic = trafficOf(step);
        if (traffic.isAllToAll) closed.push_back(step);
        followed.flows.insert(followed.flows.end(), traffic.flows.begin(), traffic.flows.end());
    }
    auto loads = linkLoads(fabric, followed, routing());
    if (!loads) return loads;
    for (const std::size_t step : closed) {
        const auto more = loadsOf(fabric, step);
        if (!more) return more;
        for (std::size_t l = 0; l < fabric.links.size(); ++l) loads->aToB[l] += more->aToB[l], loads->bToA[l] += more->bToA[l];
        loads->unreachablePairs += more->unreachablePairs;
    }
    if (m_result.best.time.value() > 0) loads->ofGpu = Bandwidth(8 / m_result.best.time.value());
    return loads;
}

Result<LinkLoads> CollectiveSteps::loadsOf(const Fabric& fabric, std::size_t step) const {
    const RoutingOptions options = routing();
    auto loads = linkLoads(fabric, trafficOf(step), options);
    if (!loads) return loads;
    const Plan& plan = m_plans[step].front();
    if (isTooMany(plan)) // of all to all the unit is what a GPU sends in all
        for (auto* side : {&loads->aToB, &loads->bToA})
            for (std::size_t l = 0; l < side->size(); ++l) {
                const bool isBefore = options.isForwarded && fabric.links.tier[l] == LinkTier::Hb; // went with the phase before
                (*side)[l] *= isBefore ? 0 : plan.bytes * static_cast<double>(m_gpus.size() - 1);
            }
    if (m_steps[step].duration.value() > 0) loads->ofGpu = Bandwidth(8 / m_steps[step].duration.value());
    return loads;
}

} // namespace railyard
