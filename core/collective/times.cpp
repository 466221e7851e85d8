#include "core/collective/collective.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 9> opNames{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast",
                                                  "reduce",     "gather",     "scatter",        "p2p"};

CollectiveTime way(std::string algorithm, std::vector<CollectivePhase> phases) {
    CollectiveTime result;
    result.algorithm = std::move(algorithm);
    for (CollectivePhase& phase : phases)
        if (phase.time.value() > 0) result.phases.push_back(std::move(phase));
    for (const CollectivePhase& phase : result.phases) result.time += phase.time;
    double nic = 0;
    for (const CollectivePhase& phase : result.phases)
        if (phase.bottleneck != "hb") nic += phase.time.value();
    result.maxLinkUtilisation = result.time.value() > 0 ? std::max(nic, result.time.value() - nic) / result.time.value() : 0;
    return result;
}

// So many bytes over so much of a link.
CollectivePhase crossing(std::string name, std::string bytesFormula, double bytes, Bandwidth bandwidth, std::string where) {
    return {std::move(name), transferTime(bytes, bandwidth), std::move(where), std::move(bytesFormula), bytes};
}

} // namespace

std::string_view toText(CollectiveOp op) { return opNames[static_cast<std::size_t>(op)]; }

std::optional<CollectiveOp> collectiveOpFrom(std::string_view text) {
    for (std::size_t i = 0; i < opNames.size(); ++i)
        if (opNames[i] == text) return static_cast<CollectiveOp>(i);
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

// x = GPUs of a domain, y = domains, n = x*y, D = size, C_F and C_S = HB and NIC bandwidth of a GPU:
// ring 2(n-1)/n*D/B; tree 2*D/B; hierarchical all-reduce 2(x-1)/x*D/C_F + 2(y-1)/y*D/(x*C_S);
// hierarchical all-gather (y-1)*D/(x*y*C_S) + (x-1)*D/(x*C_F); all-gather and reduce-scatter rings half of all-reduce.
std::vector<CollectiveTime> CollectiveGroup::reductions(CollectiveOp op, double bytes) const {
    const auto n = static_cast<double>(m_ranks), x = static_cast<double>(m_largest), y = static_cast<double>(m_domains);
    const double passes = op == CollectiveOp::AllReduce ? 2 : 1;
    const std::string twice = op == CollectiveOp::AllReduce ? "2 * " : "";
    const bool inside = m_domains < 2;
    const bool hbLimits = inside || (m_largest > 1 && m_hb < m_ring);
    const Bandwidth ring = inside ? m_hb : m_largest > 1 ? std::min(m_hb, m_ring) : m_ring;
    const std::string where = hbLimits ? "hb" : m_ringBottleneck;
    std::vector<CollectiveTime> ways;
    if (ring.value() <= 0) return ways;
    ways.push_back(way("ring", {crossing("ring", twice + "(ranks - 1) / ranks * size_bytes", passes * (n - 1) / n * bytes, ring, where)}));
    ways.back().nicBytes = inside ? 0 : passes * (n - 1) / n * bytes / x;
    ways.back().hbBytes = passes * (n - 1) / n * bytes - ways.back().nicBytes;
    if (op == CollectiveOp::AllReduce) {
        ways.push_back(way("tree", {crossing("tree", "2 * size_bytes", 2 * bytes, ring, where)}));
        ways.back().nicBytes = inside ? 0 : 2 * bytes / x;
        ways.back().hbBytes = 2 * bytes - ways.back().nicBytes;
    }
    if (inside || m_largest < 2) return ways;
    const double hb = op == CollectiveOp::AllReduce ? 2 * (x - 1) / x * bytes : (x - 1) / x * bytes;
    const double nic = op == CollectiveOp::AllReduce ? 2 * (y - 1) / y * bytes : (y - 1) / y * bytes; // of a domain
    ways.push_back(way("hierarchical",
                       {crossing("inside HB domains", twice + "(domain_gpus - 1) / domain_gpus * size_bytes", hb, m_hb, "hb"),
                        crossing("between HB domains", twice + "(domains - 1) / domains * size_bytes", nic, m_ring, m_ringBottleneck)}));
    ways.back().hbBytes = hb;
    ways.back().nicBytes = nic / x;
    return ways;
}

// All-to-all, d = D/n bytes a pair: direct x(y-1)*d/C_S; forwarded (PXN) the same + y(x-1)*d/C_F.
std::vector<CollectiveTime> CollectiveGroup::exchanges(double bytes) const {
    const auto n = static_cast<double>(m_ranks), x = static_cast<double>(m_largest), y = static_cast<double>(m_domains);
    const double pair = bytes / n, bits = pair * 8;
    std::vector<CollectiveTime> ways;
    if (m_domains < 2) {
        if (m_hb.value() > 0)
            ways.push_back(
                way("direct", {crossing("inside the HB domain", "(ranks - 1) * size_bytes / ranks", (n - 1) * pair, m_hb, "hb")})),
                ways.back().hbBytes = (n - 1) * pair;
        return ways;
    }
    const double across = static_cast<double>(m_ranks - m_smallest) * pair;
    const auto network = [&](double nicLoad, double linkLoad, const std::string& tier) {
        return CollectivePhase{"between HB domains", Seconds(std::max(nicLoad, linkLoad) * bits),
                               linkLoad > nicLoad * (1 + 1e-9) ? tier : "nic", "(ranks - smallest_domain_gpus) * size_bytes / ranks",
                               across};
    };
    if (m_direct) {
        // What stays inside the domain runs beside it on the HB fabric.
        CollectivePhase phase = network(m_directNicLoad, m_directLoad, m_directBottleneck);
        if (m_largest > 1 && m_hb.value() > 0) {
            const CollectivePhase inside =
                crossing("inside HB domains", "(domain_gpus - 1) * size_bytes / ranks", (x - 1) * pair, m_hb, "hb");
            if (inside.time > phase.time) phase = inside;
        }
        ways.push_back(way("direct", {phase}));
        ways.back().nicBytes = across;
        ways.back().hbBytes = (x - 1) * pair;
    }
    if (m_forwarded) {
        std::vector<CollectivePhase> phases;
        if (m_largest > 1)
            phases.push_back(
                crossing("forward inside HB domains", "domains * (domain_gpus - 1) * size_bytes / ranks", y * (x - 1) * pair, m_hb, "hb"));
        phases.push_back(network(m_forwardedNicLoad, m_forwardedLoad, m_forwardedBottleneck));
        ways.push_back(way("pxn", std::move(phases)));
        ways.back().nicBytes = across;
        ways.back().hbBytes = y * (x - 1) * pair;
    }
    return ways;
}

// Broadcast and reduce pipeline along the ring; gather and scatter are limited by the root.
std::vector<CollectiveTime> CollectiveGroup::rooted(CollectiveOp op, double bytes) const {
    const auto n = static_cast<double>(m_ranks), x = static_cast<double>(m_largest);
    std::vector<CollectiveTime> ways;
    if (op == CollectiveOp::Broadcast || op == CollectiveOp::Reduce) {
        const bool inside = m_domains < 2;
        const Bandwidth ring = inside ? m_hb : m_largest > 1 ? std::min(m_hb, m_ring) : m_ring;
        if (ring.value() > 0)
            ways.push_back(way("ring", {crossing("ring", "size_bytes", bytes, ring, inside || m_hb < m_ring ? "hb" : m_ringBottleneck)}));
        if (!ways.empty()) ways.back().hbBytes = bytes, ways.back().nicBytes = inside ? 0 : bytes / x;
        return ways;
    }
    const double outside = (n - x) / n * bytes, local = (x - 1) / n * bytes;
    const std::string outsideFormula = "(ranks - domain_gpus) / ranks * size_bytes",
                      localFormula = "(domain_gpus - 1) / ranks * size_bytes";
    if (m_domains < 2) {
        if (m_hb.value() > 0) ways.push_back(way("direct", {crossing("inside the HB domain", localFormula, local, m_hb, "hb")}));
        return ways;
    }
    if (m_direct) {
        CollectivePhase slower = crossing("root", outsideFormula, outside, m_nicOfGpu, "nic");
        if (m_hb.value() > 0)
            if (const auto hb = crossing("root", localFormula, local, m_hb, "hb"); hb.time > slower.time) slower = hb;
        ways.push_back(way("direct", {slower}));
        ways.back().nicBytes = outside;
        ways.back().hbBytes = local;
    }
    if (m_forwarded && m_largest > 1) {
        ways.push_back(
            way("pxn", {crossing("root to its HB domain", "(domain_gpus - 1) / domain_gpus * " + outsideFormula + " + " + localFormula,
                                 (x - 1) / x * outside + local, m_hb, "hb"),
                        crossing("all NICs of the root's domain", outsideFormula, outside, m_nicOfDomain, "nic")}));
        ways.back().nicBytes = outside / x;
        ways.back().hbBytes = (x - 1) / x * outside + local;
    }
    return ways;
}

// Every rank to the next, as nccl-tests' sendrecv: across domains the last GPU of one meets the first of the next.
std::vector<CollectiveTime> CollectiveGroup::pointToPoint(double bytes) const {
    std::vector<CollectiveTime> ways;
    if (m_domains < 2) {
        if (m_hb.value() > 0)
            ways.push_back(way("direct", {crossing("inside the HB domain", "size_bytes", bytes, m_hb, "hb")})), ways.back().hbBytes = bytes;
        return ways;
    }
    if (m_direct)
        ways.push_back(way("direct", {crossing("between HB domains", "size_bytes", bytes, m_nicOfGpu, "nic")})),
            ways.back().nicBytes = bytes;
    if (m_forwarded && m_largest > 1) {
        ways.push_back(way("pxn", {crossing("forward inside the HB domain", "size_bytes", bytes, m_hb, "hb"),
                                   crossing("between HB domains", "size_bytes", bytes, m_nicOfGpu, "nic")}));
        ways.back().nicBytes = ways.back().hbBytes = bytes;
    }
    return ways;
}

std::vector<CollectiveTime> CollectiveGroup::allWays(CollectiveOp op, double bytes) const {
    std::vector<CollectiveTime> ways;
    if (m_ranks < 2)
        ways.push_back(way("none", {}));
    else if (op == CollectiveOp::AllReduce || op == CollectiveOp::AllGather || op == CollectiveOp::ReduceScatter)
        ways = reductions(op, bytes);
    else if (op == CollectiveOp::AllToAll)
        ways = exchanges(bytes);
    else if (op == CollectiveOp::PointToPoint)
        ways = pointToPoint(bytes);
    else
        ways = rooted(op, bytes);
    std::stable_sort(ways.begin(), ways.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
    return ways;
}

// All-reduce: max(2(y-1)/y * D / NICs of a domain, 2(n-1)/n * D / (C_F + C_S)), half of it for all-gather and
// reduce-scatter; otherwise the largest over cuts (one GPU, one domain) of bytes that must cross / capacity.
Seconds CollectiveGroup::lowerBound(CollectiveOp op, double bytes) const {
    const auto n = static_cast<double>(m_ranks), x = static_cast<double>(m_largest), y = static_cast<double>(m_domains);
    if (m_ranks < 2) return Seconds();
    const Bandwidth gpu = m_largest > 1 ? m_hb + (m_domains > 1 ? m_nicOfGpu : Bandwidth()) : m_nicOfGpu;
    const auto bound = [&](double ofGpu, double ofDomain) {
        const Seconds one = gpu.value() > 0 ? transferTime(ofGpu, gpu) : Seconds();
        const Seconds all = m_domains > 1 && m_nicOfDomain.value() > 0 ? transferTime(ofDomain, m_nicOfDomain) : Seconds();
        return std::max(one, all);
    };
    switch (op) {
    case CollectiveOp::AllReduce: return bound(2 * (n - 1) / n * bytes, 2 * (y - 1) / y * bytes);
    case CollectiveOp::AllGather:
    case CollectiveOp::ReduceScatter: return bound((n - 1) / n * bytes, (y - 1) / y * bytes);
    case CollectiveOp::AllToAll:
        return bound((n - 1) / n * bytes, static_cast<double>(m_smallest) * (n - static_cast<double>(m_smallest)) / n * bytes);
    case CollectiveOp::Gather:
    case CollectiveOp::Scatter: return bound((n - 1) / n * bytes, (n - x) / n * bytes);
    default: return bound(bytes, bytes);
    }
}

Result<CollectiveResult> CollectiveGroup::time(CollectiveOp op, Bytes size, std::string_view algorithm) const {
    CollectiveResult result;
    result.op = op;
    result.size = size;
    result.ranks = m_ranks;
    result.domains = m_domains;
    result.domainGpus = m_largest;
    result.smallestDomainGpus = m_smallest;
    const auto bytes = static_cast<double>(size.count());
    result.alternatives = allWays(op, bytes);
    if (result.alternatives.empty())
        return Error::unbuildable(fmt::format("{}: these GPUs cannot all reach each other; direct: {}; forwarded: {}", toText(op),
                                              m_whyNotDirect, m_whyNotForwarded));
    auto chosen = result.alternatives.begin();
    if (algorithm != "auto") {
        chosen = std::find_if(result.alternatives.begin(), result.alternatives.end(),
                              [&](const CollectiveTime& t) { return t.algorithm == algorithm; });
        if (chosen == result.alternatives.end()) {
            std::string there;
            for (const CollectiveTime& t : result.alternatives) there += (there.empty() ? "" : ", ") + t.algorithm;
            const std::string why = algorithm == "direct" ? m_whyNotDirect
                                    : algorithm == "pxn"  ? m_whyNotForwarded
                                                          : "it does not serve this operation here";
            return Error::unbuildable(
                fmt::format("--algorithm {}: {} cannot use it: {}; what works: {}", algorithm, toText(op), why, there));
        }
    }
    result.best = *chosen;
    result.lowerBound = lowerBound(op, bytes);
    const double seconds = result.best.time.value();
    result.algbwGbytesPerSecond = seconds > 0 ? bytes / seconds / 1e9 : 0;
    result.busbwGbytesPerSecond = result.algbwGbytesPerSecond * busbwFactor(op, m_ranks);
    return result;
}

} // namespace railyard
