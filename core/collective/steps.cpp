#include "core/collective/steps.h"

#include "core/base/unit_text.h"
#include "core/collective/algorithms/algorithm.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/schedule/step_flows.h"
#include "core/routing/gpus/nic_demands.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace railyard {

Result<CollectiveSteps> CollectiveSteps::create(const Fabric& fabric, CollectiveOp op, Bytes size, const CollectiveRequest& request,
                                                const Calibration& calibration) {
    return create(fabric, gpusInOrder(fabric, RankOrder::Near), op, size, request, calibration);
}

Result<CollectiveSteps> CollectiveSteps::create(const Fabric& fabric, const std::vector<DeviceId>& gpus, CollectiveOp op, Bytes size,
                                                const CollectiveRequest& request, const Calibration& calibration) {
    const auto group = Communicator::create(fabric, gpus, calibration, {.graph = nullptr, .isKept = true});
    if (!group) return group.errors();
    CollectiveRequest played = request;
    played.usesOwnNics = true; // links carry what is played over all of them
    const auto result = group->time(op, size, played);
    if (!result) return result.errors();
    CollectiveSteps steps;
    steps.m_result = *result;
    steps.m_gpus = gpus;
    steps.m_neighbours = Neighbours(fabric, gpus);
    steps.m_railOfGpu = fabric.devices.rail;
    if (steps.m_gpus.size() < 2 || result->best.phases.empty()) return steps;
    Schedule schedule(steps.m_result, gpus.size(), steps.domains().size());
    infoOf(result->best.algorithm)->schedule(schedule);
    steps.m_steps = std::move(schedule.steps);
    steps.m_plans = std::move(schedule.plans);
    steps.findFlows(fabric);
    return steps;
}

// A round takes its part of the time of all by its busiest link: one that stays below the leaves is shorter. Where rounds are of
// many distances each they are alike, and not looked into.
void CollectiveSteps::weighRounds(const Fabric& fabric) {
    constexpr std::size_t mostWeighed = 1'000'000; // pairs
    if (m_gpus.size() > mostWeighed / m_gpus.size()) return;
    const auto isRound = [&](std::size_t step) { return m_plans[step].front().shape == Shape::Rounds; };
    for (std::size_t first = 0, end = 0; first < m_steps.size(); first = end) {
        end = first + 1;
        if (!isRound(first)) continue;
        while (end < m_steps.size() && isRound(end) && m_plans[end].front().first > 1) ++end; // of one pass
        std::vector<double> seconds;                                                          // that the busiest link of each needs
        Seconds whole;
        for (std::size_t step = first; step < end; ++step) {
            const auto loads = loadsOf(fabric, step);
            double most = 0;
            if (loads)
                for (const LinkId l : fabric.links.ids())
                    if (fabric.links.tier[l] != LinkTier::Pcie) most = std::max(most, loads->utilisation(fabric, l));
            seconds.push_back(most * m_steps[step].duration.value());
            whole += m_steps[step].duration;
        }
        const double all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
        for (std::size_t step = first; all > 0 && step < end; ++step) {
            m_steps[step].duration = whole * (seconds[step - first] / all);
            if (step > first) m_steps[step].start = m_steps[step - 1].start + m_steps[step - 1].duration;
        }
    }
}

void CollectiveSteps::findFlows(const Fabric& fabric) {
    if (domains().size() < 2) return;
    const auto uses = [&](std::initializer_list<Shape> shapes) {
        return std::any_of(m_plans.begin(), m_plans.end(), [&](const std::vector<Plan>& plans) {
            return std::any_of(plans.begin(), plans.end(), [&](const Plan& plan) {
                return plan.bytes > 0 && std::find(shapes.begin(), shapes.end(), plan.shape) != shapes.end();
            });
        });
    };
    const bool usesRing = uses({Shape::Between}), usesTrees = uses({Shape::TreesUp, Shape::TreesDown});
    const bool usesNext = uses({Shape::Neighbours}), usesRoot = uses({Shape::ToRoot, Shape::FromRoot});
    if (uses({Shape::Rounds})) m_ports = std::make_shared<const GpuPorts>(portsOfCommunicator(fabric, trafficGraphOf(fabric), m_gpus));
    if (!usesRing && !usesTrees && !usesNext && !usesRoot) return;
    const StepFlows flows(fabric, m_gpus);
    const bool isForwarded = m_result.best.algorithm == Algorithm::Pxn;
    if (usesRing) m_hops = flows.ring();
    if (usesTrees) m_hops = flows.trees();
    if (usesNext) m_flows = flows.next(isForwarded);
    if (usesRoot) m_flows = flows.root(isForwarded, m_result.op == CollectiveOp::Gather);
}

void CollectiveSteps::addTimes(double bytes, const std::vector<GpuFlow>& units, std::vector<GpuFlow>& flows) {
    for (GpuFlow flow : units) {
        flow.volume *= bytes;
        flows.push_back(flow);
    }
}

// Where others follow the last of a domain's k GPUs sends outside, so that k-1 of k bytes stay inside.
void CollectiveSteps::insideRing(const Plan& plan, bool isRing, std::vector<GpuFlow>& flows) const {
    const auto root = m_gpus.front();
    std::vector<GpuFlow> all;
    for (std::size_t d = 0; d < domains().size(); ++d) {
        const auto gpus = static_cast<double>(domains()[d].size());
        m_neighbours.around(d, plan.bytes * (isRing && domains().size() > 1 ? (gpus - 1) / gpus : 1), all);
    }
    for (const GpuFlow& flow : all) {
        if (m_result.op == CollectiveOp::Broadcast && flow.to == root) continue; // the root has it
        if (m_result.op == CollectiveOp::Reduce && flow.from == root) continue;
        flows.push_back(flow);
    }
}

void CollectiveSteps::betweenRing(const Plan& plan, std::vector<GpuFlow>& flows) const {
    for (std::size_t d = 0; d < m_hops.size(); ++d) {
        if (m_result.op == CollectiveOp::Broadcast && d + 1 == m_hops.size()) continue; // nothing comes back to the root
        if (m_result.op == CollectiveOp::Reduce && d == 0) continue;                    // nothing leaves it
        addTimes(plan.bytes, m_hops[d], flows);
    }
}

void CollectiveSteps::trees(const Plan& plan, std::vector<GpuFlow>& flows) const {
    const bool isUp = plan.shape == Shape::TreesUp;
    if (m_result.best.algorithm == Algorithm::Tree) { // a chain inside; HB switches that reduce have done that already
        std::vector<GpuFlow> inside;
        for (std::size_t d = 0; d < domains().size(); ++d) {
            const auto gpus = static_cast<double>(domains()[d].size());
            m_neighbours.around(d, plan.bytes * (gpus - 1) / gpus, inside);
        }
        for (const GpuFlow& flow : inside) flows.push_back(isUp ? flow : GpuFlow{flow.to, flow.from, flow.volume});
    }
    const std::size_t first = flows.size();
    for (const auto& hop : m_hops) addTimes(plan.bytes / 2, hop, flows);
    for (std::size_t i = first; !isUp && i < flows.size(); ++i) {
        std::swap(flows[i].from, flows[i].to);
        std::swap(flows[i].out, flows[i].in);
    }
}

// Of two GPUs of a domain: they need no forwarding to each other's lane, as both have a NIC on that rail.
bool CollectiveSteps::shareARail(std::size_t domain, DeviceId a, DeviceId b) const {
    if (m_railOfGpu[a] == 0 || m_railOfGpu[a] != m_railOfGpu[b]) return false;
    const auto& lanes = m_neighbours.lanesOf(domain);
    const auto hasLane = [&](DeviceId gpu) {
        return std::any_of(lanes.begin(), lanes.end(), [&](const auto& lane) { return lane.second == gpu; });
    };
    return hasLane(a) && hasLane(b);
}

// To the GPU in the lane of the destination; what goes to lanes that a domain lacks stays where it is.
void CollectiveSteps::forward(const Plan& plan, std::vector<GpuFlow>& flows) const {
    std::map<Neighbours::Lane, double> destinations;
    for (std::size_t d = 0; d < domains().size(); ++d)
        for (const auto& [lane, gpu] : m_neighbours.lanesOf(d)) ++destinations[lane];
    for (std::size_t d = 0; d < domains().size(); ++d)
        for (const auto from : domains()[d])
            for (const auto& [lane, via] : m_neighbours.lanesOf(d))
                if (from != via && !shareARail(d, from, via)) flows.push_back({from, via, plan.bytes * destinations.at(lane)});
    // GPUs without a lane get theirs straight.
    for (std::size_t d = 0; d < domains().size(); ++d) {
        std::vector<DeviceId> others = domains()[d];
        for (const auto& [lane, gpu] : m_neighbours.lanesOf(d)) others.erase(std::find(others.begin(), others.end(), gpu));
        for (const auto to : others)
            for (const auto from : domains()[d])
                if (from != to) flows.push_back({from, to, plan.bytes});
    }
}

// Over the NIC ports that the times reckon with. Forwarded, the GPU that feeds the port has the data from the phase before.
void CollectiveSteps::addPair(DeviceId from, DeviceId to, double bytes, std::vector<GpuFlow>& flows) const {
    const auto pairs = portPairs(*m_ports, from, to, m_result.best.algorithm == Algorithm::Pxn);
    for (const PortPair& pair : pairs) {
        const auto users = m_ports->gpusOfNic.list(m_ports->ports[pair.from].nic);
        const bool isOwn = users.empty() || std::find(users.begin(), users.end(), from) != users.end();
        flows.push_back(
            {isOwn ? from : users.front(), to, bytes * pair.share, m_ports->ports[pair.from].link, m_ports->ports[pair.to].link});
    }
    if (pairs.empty()) flows.push_back({from, to, bytes}); // counted as what cannot arrive
}

void CollectiveSteps::rounds(const Plan& plan, std::vector<GpuFlow>& flows) const {
    const std::size_t count = domains().size();
    std::size_t distances = 0;
    for (std::size_t distance = plan.first; distance < count; distance += plan.every, ++distances)
        for (std::size_t d = 0; d < count; ++d) {
            const std::size_t to = (d + distance) % count;
            for (const auto a : domains()[d])
                for (const auto b : domains()[to]) addPair(a, b, plan.bytes, flows);
        }
    const double part = count == 1 ? 1 : static_cast<double>(distances) / static_cast<double>(count - 1);
    stayInside(plan.bytes * part, flows);
}

// Forwarded, what is for other rails went with the phase before.
void CollectiveSteps::stayInside(double bytes, std::vector<GpuFlow>& flows) const {
    const bool isForwarded = m_result.best.algorithm == Algorithm::Pxn;
    for (std::size_t d = 0; d < domains().size(); ++d)
        for (const auto a : domains()[d])
            for (const auto b : domains()[d])
                if (a != b && (!isForwarded || shareARail(d, a, b))) flows.push_back({a, b, bytes});
}

void CollectiveSteps::rooted(const Plan& plan, std::vector<GpuFlow>& flows) const {
    const auto root = m_gpus.front();
    for (const DeviceId gpu : domains().front())
        if (gpu != root) flows.push_back(plan.shape == Shape::ToRoot ? GpuFlow{gpu, root, plan.bytes} : GpuFlow{root, gpu, plan.bytes});
    addTimes(plan.bytes, m_flows, flows);
}

void CollectiveSteps::addFlows(const Plan& plan, std::vector<GpuFlow>& flows) const {
    switch (plan.shape) {
    case Shape::Inside:
    case Shape::Around: return insideRing(plan, plan.shape == Shape::Around, flows);
    case Shape::Between: return betweenRing(plan, flows);
    case Shape::TreesUp:
    case Shape::TreesDown: return trees(plan, flows);
    case Shape::Forward: return forward(plan, flows);
    case Shape::Rounds: return rounds(plan, flows);
    case Shape::ToRoot:
    case Shape::FromRoot: return rooted(plan, flows);
    case Shape::Ahead:
    case Shape::Behind:
        for (std::size_t rank = 0; rank < m_gpus.size(); ++rank) {
            const auto ahead = m_gpus[(rank + plan.first) % m_gpus.size()];
            flows.push_back(plan.shape == Shape::Ahead ? GpuFlow{m_gpus[rank], ahead, plan.bytes}
                                                       : GpuFlow{ahead, m_gpus[rank], plan.bytes});
        }
        return;
    case Shape::Neighbours:
        if (domains().size() > 1) return addTimes(plan.bytes, m_flows, flows);
        for (std::size_t rank = 0; rank < m_gpus.size(); ++rank)
            flows.push_back({m_gpus[rank], m_gpus[(rank + 1) % m_gpus.size()], plan.bytes});
    }
}

GpuTraffic CollectiveSteps::trafficOf(std::size_t step) const {
    GpuTraffic traffic;
    traffic.isAllToAll = isTooMany(m_plans[step].front());
    if (traffic.isAllToAll) return traffic.group = m_gpus, traffic;
    for (const Plan& plan : m_plans[step])
        if (plan.bytes > 0) addFlows(plan, traffic.flows);
    return traffic;
}

void CollectiveSteps::addHops(const Plan& plan, std::set<std::pair<std::size_t, std::size_t>>& hops) const {
    const std::size_t count = domains().size();
    const bool isUp = plan.shape == Shape::TreesUp || plan.shape == Shape::ToRoot;
    switch (plan.shape) {
    case Shape::Between:
    case Shape::Neighbours:
        for (std::size_t d = 0; d < count; ++d) {
            if (m_result.op == CollectiveOp::Broadcast && d + 1 == count) continue;
            if (m_result.op == CollectiveOp::Reduce && d == 0) continue;
            hops.insert({d, (d + 1) % count});
        }
        return;
    case Shape::TreesUp:
    case Shape::TreesDown:
        for (const auto& [child, parent] : binaryTrees(count)) hops.insert(isUp ? std::pair(child, parent) : std::pair(parent, child));
        return;
    case Shape::ToRoot:
    case Shape::FromRoot:
        for (std::size_t d = 1; d < count; ++d) hops.insert(isUp ? std::pair(d, std::size_t{0}) : std::pair(std::size_t{0}, d));
        return;
    case Shape::Rounds:
        for (std::size_t d = 0; d < count && plan.first + plan.every >= count; ++d) hops.insert({d, (d + plan.first) % count});
        return;
    default: return;
    }
}

std::string CollectiveSteps::title() const {
    std::string operation(toText(m_result.op));
    operation[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(operation[0])));
    return fmt::format("{} of {} on {} GPUs: {}, {}", operation, formatBytes(m_result.size), formatCount(m_result.ranks),
                       algorithmText(m_result), timeText(m_result));
}

std::vector<std::pair<DeviceId, DeviceId>> CollectiveSteps::hopsOf(std::size_t step) const {
    std::set<std::pair<std::size_t, std::size_t>> hops;
    for (const Plan& plan : m_plans[step])
        if (plan.bytes > 0) addHops(plan, hops);
    std::vector<std::pair<DeviceId, DeviceId>> gpus;
    for (const auto& [from, to] : hops)
        if (from != to) gpus.emplace_back(domains()[from].front(), domains()[to].front());
    return gpus;
}

// More pairs than are followed one by one.
bool CollectiveSteps::isTooMany(const Plan& plan) const {
    return plan.shape == Shape::Rounds && plan.every == 1 && Schedule::isTooMany(m_gpus.size());
}

RoutingOptions CollectiveSteps::routing() const {
    RoutingOptions options;
    options.isForwarded = m_result.best.algorithm == Algorithm::Pxn;
    return options;
}

// The same number of bytes from every GPU to every other, by closed form. Forwarded, HB links carry only what stays on its rail: the
// rest went with the phase before.
Result<LinkLoads> CollectiveSteps::loadsOfPairs(const Fabric& fabric, double bytes) const {
    auto loads = linkLoads(fabric, {true, {}, m_gpus}, routing());
    if (!loads) return loads;
    for (auto* side : {&loads->aToB, &loads->bToA})
        for (std::size_t l = 0; l < side->size(); ++l) {
            const bool isBefore = routing().isForwarded && fabric.links.tier[l] == LinkTier::Hb;
            (*side)[l] *= isBefore ? 0 : bytes * static_cast<double>(m_gpus.size() - 1);
        }
    if (!routing().isForwarded) return loads;
    GpuTraffic inside;
    stayInside(bytes, inside.flows);
    const auto onRails = linkLoads(fabric, inside, routing());
    for (const LinkId l : fabric.links.ids()) loads->aToB[l] += onRails->aToB[l], loads->bToA[l] += onRails->bToA[l];
    return loads;
}

// Flows of several steps at once: what is found out about the fabric is found out once. Rounds are all pairs.
Result<LinkLoads> CollectiveSteps::loadsOfAll(const Fabric& fabric) const {
    LinkLoads loads;
    loads.aToB.assign(fabric.links.size(), 0);
    loads.bToA = loads.aToB;
    const auto add = [&](const Result<LinkLoads>& more) {
        for (const LinkId l : fabric.links.ids()) loads.aToB[l] += more->aToB[l], loads.bToA[l] += more->bToA[l];
        loads.unreachablePairs += more->unreachablePairs;
        if (loads.unreachableExample.empty()) loads.unreachableExample = more->unreachableExample;
    };
    GpuTraffic flows;
    double ofPair = 0; // bytes of all rounds
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        const Plan& plan = m_plans[step].front();
        if (plan.shape == Shape::Rounds) {
            if (plan.first == 1) ofPair += plan.bytes; // the first of its rounds
            continue;
        }
        const GpuTraffic more = trafficOf(step);
        flows.flows.insert(flows.flows.end(), more.flows.begin(), more.flows.end());
    }
    for (const bool arePairs : {false, true}) {
        if (arePairs ? ofPair <= 0 : flows.flows.empty()) continue;
        const auto more = arePairs ? loadsOfPairs(fabric, ofPair) : linkLoads(fabric, flows, routing());
        if (!more) return more;
        add(more);
    }
    if (m_result.best.time.value() > 0) loads.ofGpu = Bandwidth(8 / m_result.best.time.value());
    return loads;
}

Result<LinkLoads> CollectiveSteps::loadsOf(const Fabric& fabric, std::size_t step) const {
    const Plan& plan = m_plans[step].front();
    auto loads = isTooMany(plan) ? loadsOfPairs(fabric, plan.bytes) : linkLoads(fabric, trafficOf(step), routing());
    if (loads && m_steps[step].duration.value() > 0) loads->ofGpu = Bandwidth(8 / m_steps[step].duration.value());
    return loads;
}

} // namespace railyard
