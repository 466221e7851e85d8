#include "core/collective/collective.h"

#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/lower_bound.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

bool answers(const CollectiveTime& candidate, const CollectiveRequest& request) {
    return (request.algorithm == Algorithm::Auto ? candidate.isInLibrary : candidate.algorithm == request.algorithm) &&
           (!request.protocol || candidate.protocol == *request.protocol);
}

// What the library runs, or the fastest of what is asked for.
const CollectiveTime* chosenOf(const std::vector<CollectiveTime>& candidates, const CollectiveRequest& request) {
    const CollectiveTime* chosen = nullptr;
    for (const CollectiveTime& candidate : candidates)
        if (answers(candidate, request) &&
            (!chosen || std::pair(candidate.choice(), candidate.time) < std::pair(chosen->choice(), chosen->time)))
            chosen = &candidate;
    return chosen;
}

// The framework calls once, whatever the library then does.
void addLaunch(Seconds launch, CollectiveTime& time) {
    if (launch.value() <= 0) return;
    time.phases.push_back({"launch", "framework", "0", 0, {}, {}, launch});
    time.time += launch;
}

Error impossible(const CommunicatorLinks& links, CollectiveOp op, const CollectiveRequest& request,
                 const std::vector<CollectiveTime>& candidates) {
    std::string there;
    bool algorithmIsThere = false;
    for (const CollectiveTime& candidate : candidates) {
        algorithmIsThere = algorithmIsThere || request.algorithm == Algorithm::Auto || candidate.algorithm == request.algorithm;
        there += fmt::format("{}{} with {}", there.empty() ? "" : ", ", toText(candidate.algorithm), toText(candidate.protocol));
    }
    if (algorithmIsThere)
        return Error::unbuildable(
            fmt::format("protocol = {}: {}; available: {}", toText(*request.protocol),
                        links.library ? links.library->name + " has no constants for it in this case"
                                      : "the vendor publishes no latency constants for these GPUs, so protocols cannot be compared",
                        there));
    const AlgorithmInfo* info = infoOf(request.algorithm);
    const std::string why = info && info->whyNot ? info->whyNot(links) : std::string();
    return Error::unbuildable(fmt::format("algorithm = {}: not available for {}{}{}; available: {}", toText(request.algorithm), toText(op),
                                          why.empty() ? "" : ": ", why, there));
}

} // namespace

Result<Communicator> Communicator::create(const Fabric& fabric, std::int64_t ranks, RankOrder order, const Calibration& calibration,
                                          const KnownOfFabric& known) {
    std::vector<DeviceId> chosen = gpusInOrder(fabric, order);
    const auto gpus = static_cast<std::int64_t>(chosen.size());
    if (gpus == 0) return Error::unbuildable("the design has no GPUs; add servers first");
    if (ranks > gpus) return Error::usage(fmt::format("ranks = {}: the design has {} GPUs, which is the maximum", ranks, gpus));
    if (ranks > 0) chosen.resize(static_cast<std::size_t>(ranks));
    return create(fabric, chosen, calibration, known);
}

Result<Communicator> Communicator::create(const Fabric& fabric, const std::vector<DeviceId>& gpus, const Calibration& calibration,
                                          const KnownOfFabric& known) {
    if (gpus.empty()) return Error::usage("the group is empty; a collective needs at least one GPU");
    KnownOfFabric all = known;
    if (!all.graph) all.graph = std::make_shared<const SwitchGraph>(trafficGraphOf(fabric));
    if (!all.index) all.index = indexOf(fabric, *all.graph);
    Communicator group;
    group.m_links = communicatorLinksOf(fabric, gpus, calibration, all);
    group.m_alternatives = alternativesTo(group.m_links, fabric, gpus, calibration, all);
    return group;
}

std::vector<CollectiveTime> Communicator::timesOf(CollectiveOp op, double bytes, const Estimate& estimate, Algorithm asked,
                                                  bool usesOwnNics) const {
    std::vector<CollectiveTime> times = candidatesOf({m_links, op, bytes, estimate, asked});
    if (usesOwnNics) return times;
    for (const auto& alternative : m_alternatives) {
        if (alternative->isBalanced && !alternative->isBalancedFor(op)) continue; // the same again
        for (CollectiveTime& other : candidatesOf({*alternative, op, bytes, estimate, asked})) {
            const auto same = std::find_if(times.begin(), times.end(), [&](const CollectiveTime& time) {
                return time.algorithm == other.algorithm && time.protocol == other.protocol;
            });
            if (same == times.end())
                times.push_back(std::move(other));
            else if (other.time < same->time)
                *same = std::move(other);
        }
    }
    return times;
}

std::optional<Seconds> Communicator::timeAt(CollectiveOp op, Bytes size, const Estimate& estimate) const {
    if (m_links.ranks < 2) return Seconds();
    const std::vector<CollectiveTime> times = timesOf(op, static_cast<double>(size.count()), estimate, Algorithm::Auto, false);
    const CollectiveTime* chosen = chosenOf(times, {});
    return chosen ? std::optional(chosen->time) : std::nullopt;
}

Result<CollectiveResult> Communicator::time(CollectiveOp op, Bytes size, const CollectiveRequest& request) const {
    CollectiveResult result;
    result.op = op;
    result.size = size;
    result.ranks = m_links.ranks;
    result.domains = m_links.domains;
    result.domainGpus = m_links.largest;
    result.offRailGpus = m_links.offRail;
    result.smallestDomainGpus = m_links.smallest;
    result.rootDomainGpus = m_links.ofRoot;
    result.library = m_links.library;
    result.hbShare = m_links.hbShare;
    result.transport = m_links.transport;
    if (m_links.library) result.network = m_links.library->network(m_links.transport);
    result.tcp = m_links.tcp;
    result.nvlsShare = m_links.nvlsShare;
    result.oneDomain = m_links.oneDomain;
    if (m_links.ranks < 2) { // nobody to talk to
        result.best.algorithm = Algorithm::None;
        result.alternatives = {result.best};
        return result;
    }
    const auto bytes = static_cast<double>(size.count());
    result.alternatives = timesOf(op, bytes, {}, request.algorithm, request.usesOwnNics);
    std::stable_sort(result.alternatives.begin(), result.alternatives.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
    if (result.alternatives.empty() && m_links.exchange(false).isPossible)
        return Error::unbuildable(fmt::format("{}: some GPUs of an HB domain have no HB links", toText(op)));
    if (result.alternatives.empty())
        return Error::unbuildable(fmt::format("{}: some of these GPUs cannot reach each other; direct: {}; with forwarding: {}", toText(op),
                                              m_links.exchange(false).whyNot, m_links.exchange(true).whyNot));
    const CollectiveTime* chosen = chosenOf(result.alternatives, request);
    if (!chosen) return impossible(m_links, op, request, result.alternatives);
    result.best = *chosen;
    result.bandwidthTime = chosen->transfers();
    for (const CollectiveTime& candidate : result.alternatives)
        if (answers(candidate, request)) result.bandwidthTime = std::min(result.bandwidthTime, candidate.transfers());
    if (m_links.library)
        for (const Scenario scenario : {Scenario::Best, Scenario::Worst}) {
            const auto times = timesOf(op, bytes, Estimate::all(scenario), request.algorithm, request.usesOwnNics);
            if (const CollectiveTime* fastest = chosenOf(times, request))
                (scenario == Scenario::Best ? result.favourable : result.adverse) = *fastest;
        }
    for (CollectiveTime* each :
         {&result.best, result.favourable ? &*result.favourable : nullptr, result.adverse ? &*result.adverse : nullptr})
        if (each) addLaunch(request.launch, *each);
    for (CollectiveTime& each : result.alternatives) addLaunch(request.launch, each);
    result.lowerBound = lowerBoundOf(m_links, op, bytes);
    const double seconds = result.best.time.value();
    result.algbwGbytesPerSecond = seconds > 0 ? bytes / seconds / 1e9 : 0;
    result.busbwGbytesPerSecond = result.algbwGbytesPerSecond * busbwFactor(op, m_links.ranks);
    return result;
}

} // namespace railyard
