// Parallel aggregated trees (NCCL from 2.23 on): in log2(n) steps every rank sends to the rank 1, 2, 4 … positions ahead, half as many
// parts as in the step of half the distance; reduce-scatter in the opposite order and direction. (n-1)/n*D in all, like a ring, with far
// fewer latencies. NCCL runs it with one GPU in a node, where every step is a hop between NICs.
#include "core/collective/algorithms/algorithm.h"

#include <fmt/format.h>

namespace railyard {
namespace {

constexpr Protocol protocols[] = {Protocol::Simple};

// The first steps carry 1, 2, 4 … parts over the longest distances; the last, to the next rank, all that is left.
std::vector<double> partsByDistance(std::int64_t ranks) { // 1, 2, 4 … positions ahead
    std::vector<double> parts;
    for (std::int64_t distance = 1; distance < ranks; distance *= 2) parts.insert(parts.begin(), static_cast<double>(distance));
    double others = 0;
    for (std::size_t k = 1; k < parts.size(); ++k) others += parts[k];
    if (!parts.empty()) parts.front() = static_cast<double>(ranks - 1) - others;
    return parts;
}

// Over distances shorter than an HB domain some pairs stay inside it.
CommunicatorLinks::Route stepOf(const CommunicatorLinks& links, std::size_t k) {
    const CommunicatorLinks::Route& between = links.shifts->routes()[k];
    const bool isInside = (std::int64_t{1} << k) < links.largest && links.hb.neighbour < between.speed;
    return isInside ? CommunicatorLinks::Route{links.hb.neighbour, "hb"} : between;
}

bool isCarried(const CommunicatorLinks& links) {
    const auto& shifts = links.shifts->routes();
    return std::all_of(shifts.begin(), shifts.end(), [](const CommunicatorLinks::Route& route) { return route.speed.value() > 0; });
}

// Finding out how fast every step is takes time, so it is done where the library could choose it, or on request.
bool runs(const Setting& s) {
    if (s.op != CollectiveOp::AllGather && s.op != CollectiveOp::ReduceScatter) return false;
    if (s.asked != Algorithm::Pat && (s.asked != Algorithm::Auto || s.links.largest > 1)) return false;
    if (s.links.largest > 1 && s.links.hb.neighbour.value() <= 0) return false;
    return s.isInside() ? s.links.largest > 1 : isCarried(s.links);
}

CollectiveTime time(const Setting& s, Candidate& candidate) {
    const Volume bytes = (s.ranks() - 1) / s.ranks() * s.size();
    if (s.isInside()) {
        candidate.inside("inside the HB domain", bytes, s.links.hb.neighbour, candidate.tuning().latency());
        return candidate.done(bytes.value(), 0);
    }
    const std::vector<double> parts = partsByDistance(s.links.ranks);
    const double part = s.bytes / s.ranks().value();
    Seconds ideal, longest;
    std::string bottleneck;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const CommunicatorLinks::Route route = stepOf(s.links, k);
        const Seconds step = transferTime(parts[k] * part, route.speed);
        ideal += step;
        if (step > longest) longest = step, bottleneck = route.bottleneck;
    }
    candidate.between("log2(ranks) steps", bytes, ideal, bottleneck, s.links.nicsOfGpu, candidate.tuning().latency());
    return candidate.done(0, bytes.value());
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
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t k = gathers ? parts.size() - 1 - i : i;
        const std::size_t distance = std::size_t{1} << k;
        const double bytes = parts[k] * steps.size() / static_cast<double>(result.ranks);
        steps.add(
            fmt::format("step {} of {}", i + 1, parts.size()),
            fmt::format("each GPU sends {} × size / {} to the rank {} {}", parts[k], result.ranks, distance, gathers ? "ahead" : "behind"),
            result.best.time * (parts[k] / static_cast<double>(result.ranks - 1)),
            {{gathers ? Schedule::Shape::Ahead : Schedule::Shape::Behind, bytes, distance}});
    }
}

std::string whyNot(const CommunicatorLinks& links) {
    return links.domains > 1 && !isCarried(links) ? "some ranks have no network path to the rank 1, 2, 4 … positions ahead" : std::string();
}
bool isInLibrary(const CommunicatorLinks& links, CollectiveOp) { return links.largest == 1; }

} // namespace

const AlgorithmInfo patInfo{Algorithm::Pat, "pat", protocols, runs, time, addLatency, schedule, whyNot, isInLibrary};

} // namespace railyard
