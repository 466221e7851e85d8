// Parallel aggregated trees (NCCL from 2.23 on): in log2(n) steps every rank sends to the rank 1, 2, 4 … positions ahead, about half as
// many parts as in the step of half the distance; reduce-scatter in the opposite order and direction. (n-1)/n*D in all, like a ring, with
// far fewer latencies. NCCL runs it with one GPU in a node, where every step is a hop between NICs.
#include "core/collective/algorithms/algorithm.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace railyard {
namespace {

constexpr Protocol protocols[] = {Protocol::Simple};

// The part of a rank comes to the rank s positions ahead over the bits of s, the highest first, so that its last hop has the length of the
// lowest (NCCL, src/include/collectives.h). Each rank forwards one part for every s below n: over distance 2^k as many as have that lowest
// bit.
std::vector<double> partsByDistance(std::int64_t ranks) { // 1, 2, 4 … positions ahead
    std::vector<double> parts;
    for (std::int64_t distance = 1; distance < ranks; distance *= 2)
        parts.push_back(static_cast<double>((ranks - 1 + distance) / (2 * distance)));
    return parts;
}

// A gather sends to the ranks ahead, a reduction back to those behind.
const std::vector<CommunicatorLinks::Shift>& shiftsOf(const CommunicatorLinks& links, CollectiveOp op) {
    return links.shifts(op == CollectiveOp::AllGather);
}

// Some pairs of a step may stay inside their HB domain.
CommunicatorLinks::Route stepOf(const CommunicatorLinks& links, const CommunicatorLinks::Shift& shift) {
    const bool isInside = shift.isInside && (!shift.between || links.hb.neighbour < shift.between->speed);
    return isInside ? CommunicatorLinks::Route{links.hb.neighbour, "hb"} : *shift.between;
}

bool isCarried(const CommunicatorLinks& links, CollectiveOp op) {
    const auto& shifts = shiftsOf(links, op);
    return std::all_of(shifts.begin(), shifts.end(), [](const auto& shift) { return !shift.between || shift.between->speed.value() > 0; });
}

// Finding out how fast every step is takes time, so it is done where the library could choose it, or on request.
bool runs(const Setting& s) {
    if (s.op != CollectiveOp::AllGather && s.op != CollectiveOp::ReduceScatter) return false;
    if (s.asked != Algorithm::Pat && (s.asked != Algorithm::Auto || s.links.largest > 1)) return false;
    if (s.links.largest > 1 && s.links.hb.neighbour.value() <= 0) return false;
    return s.isInside() ? s.links.largest > 1 : isCarried(s.links, s.op);
}

CollectiveTime time(const Setting& s, Candidate& candidate) {
    const Volume bytes = (s.ranks() - 1) / s.ranks() * s.size();
    if (s.isInside()) {
        candidate.inside("inside the HB domain", bytes, s.links.hb.neighbour, candidate.tuning().latency());
        return candidate.done(bytes.value(), 0);
    }
    const std::vector<double> parts = partsByDistance(s.links.ranks);
    const double part = s.bytes / s.ranks().value();
    const auto& shifts = shiftsOf(s.links, s.op);
    Seconds ideal, longest;
    std::vector<Seconds> steps;
    std::string bottleneck;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const CommunicatorLinks::Route route = stepOf(s.links, shifts[k]);
        const Seconds step = transferTime(parts[k] * part, route.speed);
        steps.push_back(step);
        ideal += step;
        if (step > longest) longest = step, bottleneck = route.bottleneck;
    }
    candidate.between("log2(ranks) steps", bytes, ideal, bottleneck, s.links.nicsOfGpu, candidate.tuning().latency());
    CollectiveTime time = candidate.done(0, bytes.value());
    if (!time.phases.empty()) time.phases.front().steps = std::move(steps);
    return time;
}

void addLatency(const CommunicatorLinks& links, const TuningQuery&, Tuning& tuning) {
    const PatConstants& pat = links.library->pat;
    tuning.hbShare *= pat.share;
    tuning.nicShare *= pat.share;
    tuning.base = pat.base + pat.ofRank * static_cast<double>(links.ranks);
    tuning.nicSteps = floorLog2(links.domains);
    tuning.nicLatency = pat.nicHop * tuning.nicSteps;
}

void schedule(Schedule& steps) {
    const CollectiveResult& result = steps.result();
    const std::vector<double> parts = partsByDistance(result.ranks);
    const bool gathers = result.op == CollectiveOp::AllGather;
    const CollectivePhase& phase = result.best.phases.front();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t k = gathers ? parts.size() - 1 - i : i;
        const std::size_t distance = std::size_t{1} << k;
        const double bytes = parts[k] * steps.size() / static_cast<double>(result.ranks);
        const double share = phase.steps.empty() ? parts[k] / static_cast<double>(result.ranks - 1) : phase.steps[k] / phase.ideal;
        steps.add(
            fmt::format("step {} of {}", i + 1, parts.size()),
            fmt::format("each GPU sends {} × size / {} to the rank {} {}", parts[k], result.ranks, distance, gathers ? "ahead" : "behind"),
            result.best.time * share, {{gathers ? Schedule::Shape::Ahead : Schedule::Shape::Behind, bytes, distance}});
    }
}

std::string whyNot(const CommunicatorLinks& links) {
    return links.domains > 1 && !isCarried(links, CollectiveOp::AllGather)
               ? "some ranks have no network path to the rank 1, 2, 4 … positions ahead"
               : std::string();
}
bool isInLibrary(const CommunicatorLinks& links, CollectiveOp) { return links.largest == 1; }

} // namespace

const AlgorithmInfo patInfo{Algorithm::Pat, "pat", protocols, runs, time, addLatency, schedule, whyNot, isInLibrary};

} // namespace railyard
