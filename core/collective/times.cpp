#include "core/base/unit_text.h"
#include "core/collective/ways.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 9> opNames{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast",
                                                  "reduce",     "gather",     "scatter",        "p2p"};
constexpr std::array<std::string_view, 8> algorithms{"auto", "ring", "tree", "hierarchical", "direct", "pxn", "nvls", "none"};

// All-reduce: max(2(y-1)/y * D / NICs of a domain, 2(n-1)/n * D / (C_F + C_S)), with HB switches that reduce D a GPU in place
// of 2(n-1)/n * D; half of it for all-gather and reduce-scatter; otherwise the largest over cuts (one GPU, one domain,
// for all-to-all what lies below a tier of switches) of bytes that must cross / capacity.
Seconds lowerBound(const GroupLinks& links, CollectiveOp op, double bytes) {
    const auto n = static_cast<double>(links.ranks), root = static_cast<double>(links.ofRoot), y = static_cast<double>(links.domains);
    if (links.ranks < 2) return Seconds();
    const bool isRooted = op == CollectiveOp::Gather || op == CollectiveOp::Scatter;
    // A root alone may use all of a NIC that it shares.
    const Bandwidth nicOfGpu = isRooted ? links.root.nicOfDomain : links.nicOfGpu,
                    nicOfDomain = isRooted ? links.root.nicOfDomain : links.nicOfDomain;
    const Bandwidth gpu = links.largest > 1 ? links.hb.all + (links.domains > 1 ? nicOfGpu : Bandwidth()) : nicOfGpu;
    const auto bound = [&](double ofGpu, double ofDomain) {
        // Of a GPU that lost its HB links nothing is known: it may share a NIC, or be lent another.
        const bool isTorn = links.largest > 1 && links.hb.exchange.value() <= 0;
        const Seconds one = gpu.value() > 0 && !isTorn ? transferTime(ofGpu, gpu) : Seconds();
        const Seconds all = links.domains > 1 && nicOfDomain.value() > 0 ? transferTime(ofDomain, nicOfDomain) : Seconds();
        return std::max(one, all);
    };
    const auto smallest = static_cast<double>(links.smallest);
    switch (op) {
    case CollectiveOp::AllReduce: return bound((links.nvlsShare ? 1 : 2 * (n - 1) / n) * bytes, 2 * (y - 1) / y * bytes);
    case CollectiveOp::AllGather:
    case CollectiveOp::ReduceScatter: return bound((n - 1) / n * bytes, (y - 1) / y * bytes);
    case CollectiveOp::AllToAll:
        return std::max(bound((n - 1) / n * bytes, smallest * (n - smallest) / n * bytes), Seconds(links.busiestCut * bytes / n * 8));
    case CollectiveOp::Gather:
    case CollectiveOp::Scatter: return bound((n - 1) / n * bytes, (n - root) / n * bytes);
    case CollectiveOp::PointToPoint: // one GPU may have NICs to itself that others share
        return links.domains > 1 && nicOfDomain.value() > 0 ? transferTime(bytes, nicOfDomain) : bound(bytes, bytes);
    default: return bound(bytes, bytes);
    }
}

bool answers(const CollectiveTime& way, const CollectiveRequest& request) {
    return (request.algorithm == Algorithm::Auto || way.algorithm == request.algorithm) &&
           (!request.protocol || way.protocol == *request.protocol);
}

Error impossible(const GroupLinks& links, CollectiveOp op, const CollectiveRequest& request, const std::vector<CollectiveTime>& ways) {
    std::string there;
    bool algorithmIsThere = false;
    for (const CollectiveTime& way : ways) {
        algorithmIsThere = algorithmIsThere || request.algorithm == Algorithm::Auto || way.algorithm == request.algorithm;
        there += fmt::format("{}{} by {}", there.empty() ? "" : ", ", toText(way.algorithm), toText(way.protocol));
    }
    if (algorithmIsThere)
        return Error::unbuildable(fmt::format("--protocol {}: {}; what works: {}", toText(*request.protocol),
                                              links.library ? links.library->name + " has no constants for it here"
                                                            : "no latencies are published for these GPUs, so all protocols would be alike",
                                              there));
    const std::string why = request.algorithm == Algorithm::Direct && !links.direct.isPossible && links.domains > 1 ? links.direct.whyNot
                            : request.algorithm == Algorithm::Pxn && !links.forwarded.isPossible && links.domains > 1
                                ? links.forwarded.whyNot
                            : request.algorithm == Algorithm::Nvls && !links.nvlsShare ? links.whyNotNvls
                                                                                       : "it does not serve this operation here";
    return Error::unbuildable(
        fmt::format("--algorithm {}: {} cannot use it: {}; what works: {}", toText(request.algorithm), toText(op), why, there));
}

} // namespace

std::string_view toText(CollectiveOp op) { return opNames[static_cast<std::size_t>(op)]; }
std::string_view toText(Algorithm algorithm) { return algorithms[static_cast<std::size_t>(algorithm)]; }

std::optional<CollectiveOp> collectiveOpFrom(std::string_view text) {
    for (std::size_t i = 0; i < opNames.size(); ++i)
        if (opNames[i] == text) return static_cast<CollectiveOp>(i);
    return {};
}

std::optional<Algorithm> algorithmFrom(std::string_view text) {
    for (std::size_t i = 0; i + 1 < algorithms.size(); ++i)
        if (algorithms[i] == text) return static_cast<Algorithm>(i);
    return {};
}

// nccl-tests, doc/PERFORMANCE.md.
double busbwFactor(CollectiveOp op, std::int64_t ranks) {
    const auto n = static_cast<double>(ranks);
    switch (op) {
    case CollectiveOp::AllReduce: return 2 * (n - 1) / n;
    case CollectiveOp::AllGather:
    case CollectiveOp::ReduceScatter:
    case CollectiveOp::AllToAll:
    case CollectiveOp::Gather:
    case CollectiveOp::Scatter: return (n - 1) / n;
    default: return 1;
    }
}

std::string timeText(const CollectiveResult& result) { return formatSeconds(result.best.time) + (result.library ? "" : " + latency"); }

std::string wayText(const CollectiveResult& result) {
    const std::string over = result.tcp && result.domains > 1 ? ", TCP" : "";
    return result.library ? fmt::format("{}, {}{}", toText(result.best.algorithm), toText(result.best.protocol), over)
                          : std::string(toText(result.best.algorithm)) + over;
}

Seconds CollectiveTime::latency() const {
    Seconds sum;
    for (const CollectivePhase& phase : phases) sum += phase.latency;
    return sum;
}

Seconds CollectiveTime::transfers() const {
    Seconds sum;
    for (const CollectivePhase& phase : phases) sum += phase.ideal / phase.share * phase.exposed;
    return sum;
}

Seconds CollectiveTime::serialised() const {
    Seconds sum;
    for (const CollectivePhase& phase : phases) sum += phase.latency + phase.transfer();
    return sum;
}

Seconds CollectiveTime::overlapped() const {
    Seconds longest;
    for (const CollectivePhase& phase : phases) longest = std::max(longest, phase.transfer());
    return latency() + longest;
}

std::optional<Seconds> CollectiveGroup::timeAt(CollectiveOp op, Bytes size, const Estimate& estimate) const {
    if (m_links.ranks < 2) return Seconds();
    std::optional<Seconds> least;
    for (const CollectiveTime& way : waysOf(m_links, op, static_cast<double>(size.count()), estimate, false))
        least = std::min(least.value_or(way.time), way.time);
    return least;
}

Result<CollectiveResult> CollectiveGroup::time(CollectiveOp op, Bytes size, const CollectiveRequest& request) const {
    CollectiveResult result;
    result.op = op;
    result.size = size;
    result.ranks = m_links.ranks;
    result.domains = m_links.domains;
    result.domainGpus = m_links.largest;
    result.smallestDomainGpus = m_links.smallest;
    result.rootDomainGpus = m_links.ofRoot;
    result.library = m_links.library;
    result.hbShare = m_links.hbShare;
    result.tcp = m_links.tcp;
    result.nvlsShare = m_links.nvlsShare;
    if (m_links.ranks < 2) { // nobody to talk to
        result.best.algorithm = Algorithm::None;
        result.alternatives = {result.best};
        return result;
    }
    const auto bytes = static_cast<double>(size.count());
    const bool asksForDirect = request.algorithm == Algorithm::Direct;
    result.alternatives = waysOf(m_links, op, bytes, {}, asksForDirect);
    std::stable_sort(result.alternatives.begin(), result.alternatives.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
    if (result.alternatives.empty() && m_links.direct.isPossible)
        return Error::unbuildable(fmt::format("{}: some GPUs of an HB domain are joined by no HB links", toText(op)));
    if (result.alternatives.empty())
        return Error::unbuildable(fmt::format("{}: these GPUs cannot all reach each other; direct: {}; forwarded: {}", toText(op),
                                              m_links.direct.whyNot, m_links.forwarded.whyNot));
    const auto chosen = std::find_if(result.alternatives.begin(), result.alternatives.end(),
                                     [&](const CollectiveTime& way) { return answers(way, request); });
    if (chosen == result.alternatives.end()) return impossible(m_links, op, request, result.alternatives);
    result.best = *chosen;
    result.bandwidthTime = chosen->transfers();
    for (const CollectiveTime& way : result.alternatives)
        if (answers(way, request)) result.bandwidthTime = std::min(result.bandwidthTime, way.transfers());
    if (m_links.library)
        for (const Turn turn : {Turn::Well, Turn::Badly})
            for (const CollectiveTime& way : waysOf(m_links, op, bytes, Estimate::all(turn), asksForDirect)) {
                std::optional<CollectiveTime>& fastest = turn == Turn::Well ? result.favourable : result.adverse;
                if (answers(way, request) && (!fastest || way.time < fastest->time)) fastest = way;
            }
    result.lowerBound = lowerBound(m_links, op, bytes);
    const double seconds = result.best.time.value();
    result.algbwGbytesPerSecond = seconds > 0 ? bytes / seconds / 1e9 : 0;
    result.busbwGbytesPerSecond = result.algbwGbytesPerSecond * busbwFactor(op, m_links.ranks);
    return result;
}

} // namespace railyard
