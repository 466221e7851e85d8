// Collective times: the bytes on each link, the share of its bandwidth that the library reaches, and the latencies it adds.
#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"
#include "core/base/unit_text.h"
#include "core/collective/algorithms/algorithm_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

using Source = const FigureSource&;

template <CollectiveOp Op, std::int64_t Bytes>
Value timeOf(Source s) {
    if (s.background)
        for (const NamedCollective& each : s.background->collectives)
            if (each.op == Op && each.size.count() == Bytes && each.result) return each.result->best.time.value();
    return {};
}
bool isEstimate(Source) { return true; } // the library's constants have ranges

Value timeOf(const std::optional<CollectiveTime>& candidate) { return candidate ? Value(candidate->time.value()) : std::nullopt; }

std::vector<FigureMember> collectives(Source s) {
    std::vector<FigureMember> members;
    if (!s.background) return members;
    for (const NamedCollective& named : s.background->collectives) {
        const auto& result = named.result;
        const std::string at = named.key();
        members.push_back({"size_bytes", static_cast<double>(named.size.count()), "B", at});
        members.push_back({"time_s", result ? Value(result->best.time.value()) : std::nullopt, "s", at});
        members.push_back({"time_low_s", result ? timeOf(result->favourable) : std::nullopt, "s", at});
        members.push_back({"time_high_s", result ? timeOf(result->adverse) : std::nullopt, "s", at});
        members.push_back({"busbw_gbytes_s", result ? Value(result->busbwGbytesPerSecond) : std::nullopt, "GB/s", at});
    }
    return members;
}

std::string rangeOf(const Uncertain& value, double scale, std::string_view unit) {
    return fmt::format("{:g} to {:g}{} ({})", value.low * scale, value.high * scale, unit, value.source);
}

bool isExchange(CollectiveOp op) {
    return op == CollectiveOp::AllToAll || op == CollectiveOp::Gather || op == CollectiveOp::Scatter || op == CollectiveOp::PointToPoint;
}

// Why a phase reaches this share of its links' bandwidth.
std::string whyThisShare(const CollectiveResult& r, const CollectiveTime& candidate, const CollectivePhase& phase) {
    if (r.oneDomain)
        return fmt::format("{}, {}: measured inside one HB domain, times {} ({})", toText(candidate.algorithm), toText(candidate.protocol),
                           rangeOf(r.oneDomain->shareScale, 1, ""), r.oneDomain->source);
    const bool sendsAndReceives = isExchange(r.op);
    const bool isHb = phase.bottleneck == "hb";
    const Uncertain& share = sendsAndReceives ? r.library->sendReceiveShare : isHb ? r.hbShare : r.network->share;
    std::string why = fmt::format("{}, {}: efficiency of {} {}", toText(candidate.algorithm), toText(candidate.protocol),
                                  isHb ? "HB links" : "NICs and links", rangeOf(share, 1, ""));
    if (isHb && candidate.algorithm == Algorithm::Nvls && r.nvlsShare) why += "; NVLS efficiency " + rangeOf(*r.nvlsShare, 1, "");
    return why + "; multiplied by the efficiency of the protocol, its rate limit and the efficiency at this message size (" +
           r.library->source + ")";
}

std::string whyThisRamp(const CollectiveResult& r) {
    if (r.oneDomain) return "sqrt(transfer time * growth), measured inside one HB domain (" + r.oneDomain->source + ")";
    if (isExchange(r.op)) return "overhead of an exchange, " + rangeOf(r.library->exchangeOverhead, 1e6, " µs");
    return fmt::format("overhead of a reduction, {}; plus sqrt(transfer time * growth) while its pipeline fills and drains, growth {}",
                       rangeOf(r.library->ramp, 1e6, " µs"), rangeOf(r.library->rampGrowth, 1e6, " µs"));
}

Origin originOfTime(const CollectiveResult& r, const CollectiveTime& candidate, std::string note, std::vector<ExplainedInput> inputs) {
    std::string formula;
    for (std::size_t p = 0; p < candidate.phases.size(); ++p) {
        const CollectivePhase& phase = candidate.phases[p];
        const std::string name = fmt::format("phase_{}", p + 1);
        const auto input = [&](const std::string& what, double value, const std::string& unit, const std::string& source,
                               const std::string& confidence) {
            inputs.push_back({name + what, value, unit, source, confidence});
            return name + what;
        };
        std::string time = fmt::format(
            "8 * ({}) / ({} * 1e9)", phase.bytesFormula,
            input("_gbps", phase.bytes * 8 / phase.ideal.value() / 1e9, "Gb/s",
                  fmt::format("{}: bandwidth at its bottleneck ({}), routed over this fabric", phase.name, phase.bottleneck), "computed"));
        if (r.library) time += " / " + input("_efficiency", phase.share, "", whyThisShare(r, candidate, phase), "derived");
        if (phase.exposed != 1)
            time += " * " + input("_exposed", phase.exposed, "",
                                  candidate.algorithm == Algorithm::Nvls
                                      ? "share that is not hidden behind the longer phase, with which it is pipelined"
                                      : "share that is not hidden behind the longer phase; hidden share " +
                                            rangeOf(candidate.algorithm == Algorithm::Direct ? r.library->exchangeOverlap
                                                                                             : r.library->hierarchicalOverlap,
                                                    1, ""),
                                  "derived");
        if (phase.ramp.value() > 0) time = input("_ramp_s", phase.ramp.value(), "s", whyThisRamp(r), "derived") + " + " + time;
        if (phase.latency.value() > 0)
            time =
                input("_latency_s", phase.latency.value(), "s",
                      fmt::format("number of steps times the latency per step ({})", r.oneDomain ? r.oneDomain->source : r.library->source),
                      r.oneDomain ? "derived" : "datasheet") +
                " + " + time;
        if (phase.hidden.value() > 0)
            time +=
                " - " +
                input("_hidden_s", phase.hidden.value(), "s",
                      fmt::format("latency L{} hidden behind the transfer T: L + T - (L^p + T^p)^(1/p) with p {}",
                                  isExchange(r.op) ? " and overhead" : "",
                                  r.oneDomain ? fmt::to_string(r.oneDomain->ringHiding)
                                              : rangeOf(isExchange(r.op) ? r.library->exchangeHiding : r.library->latencyHiding, 1, "")),
                      "derived");
        formula += (formula.empty() ? "" : " + ") + time;
    }
    return {formula.empty() ? "0" : formula, std::move(inputs), std::move(note)};
}

std::vector<ExplainedInput> groupInputs(const CollectiveResult& r, const ExplainedInput& size) {
    return {{"ranks", static_cast<double>(r.ranks), "", "all GPUs", "counted"},
            {"domains", static_cast<double>(r.domains), "", "HB domains of these GPUs", "counted"},
            {"domain_gpus", static_cast<double>(r.domainGpus), "", "GPUs in the largest HB domain", "counted"},
            {"root_domain_gpus", static_cast<double>(r.rootDomainGpus), "", "GPUs in the HB domain of rank 0", "counted"},
            {"smallest_domain_gpus", static_cast<double>(r.smallestDomainGpus), "", "GPUs in the smallest HB domain", "counted"},
            {"off_rail_gpus", static_cast<double>(r.offRailGpus), "",
             "GPUs of an HB domain on other rails than a GPU: domain_gpus - domain_gpus / rails", "counted"},
            size};
}

Origin originOfBound(const CollectiveResult& r, const std::optional<CollectiveTime>& candidate, const char* which,
                     const ExplainedInput& size) {
    if (!candidate)
        return unknownBecause("the vendor publishes no latency constants for these GPUs; time_s is based on link bandwidth only");
    return originOfTime(
        r, *candidate,
        fmt::format("{}, {}, {} of all uncertain constants", toText(candidate->algorithm), toText(candidate->protocol), which),
        groupInputs(r, size));
}

Origin originOfBusbw(const CollectiveResult& r, const std::string& at, const ExplainedInput& size) {
    return {r.best.time.value() > 0 ? "size_bytes / time_s / 1e9 * busbw_factor" : "0",
            {size,
             {"time_s", r.best.time.value(), "s", at + "time_s", "computed"},
             {"busbw_factor", busbwFactor(r.op, r.ranks), "", "nccl-tests, doc/PERFORMANCE.md", "published-price"}}};
}

Origin originOf(const FigureQuery& asked) {
    const auto& all = asked.source.background->collectives;
    const auto named = std::find_if(all.begin(), all.end(), [&](const auto& each) { return asked.member.starts_with(each.key() + "."); });
    const std::string at = "collectives." + named->key() + ".";
    const std::string_view what = asked.key.substr(at.size());
    const auto bytes = static_cast<double>(named->size.count());
    if (what == "size_bytes")
        return {"size_bytes", {{"size_bytes", bytes, "B", "nccl-tests size, by definition of the metric", "assumption"}}};
    if (!named->result) return unknownBecause(named->why);
    const CollectiveResult& r = *named->result;
    const ExplainedInput size{"size_bytes", bytes, "B", at + "size_bytes", "assumption"};
    if (what == "time_low_s") return originOfBound(r, r.favourable, "best case", size);
    if (what == "time_high_s") return originOfBound(r, r.adverse, "worst case", size);
    if (what == "busbw_gbytes_s") return originOfBusbw(r, at, size);
    const std::string how = fmt::format("{}, {}", toText(r.best.algorithm), toText(r.best.protocol));
    return originOfTime(
        r, r.best, r.library ? how + ", " + r.library->name : how + ". Link bandwidth only: the vendor publishes no latency constants.",
        groupInputs(r, size));
}

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;

using Display = FigureDisplay;

template <CollectiveOp Op, std::int64_t Size>
const NamedCollective* namedOf(Source s) {
    if (!s.background) return nullptr;
    for (const NamedCollective& each : s.background->collectives)
        if (each.op == Op && each.size.count() == Size) return &each;
    return nullptr;
}
template <CollectiveOp Op, std::int64_t Size>
std::string timeTextOf(Source s) {
    const NamedCollective* named = namedOf<Op, Size>(s);
    return named && named->result ? timeText(*named->result) : "–";
}
template <CollectiveOp Op, std::int64_t Size>
std::string algorithmOf(Source s) {
    const NamedCollective* named = namedOf<Op, Size>(s);
    return named && named->result ? std::string(toText(named->result->best.algorithm)) : std::string();
}
template <CollectiveOp Op, std::int64_t Size>
std::string howTimed(Source s) {
    const NamedCollective* named = namedOf<Op, Size>(s);
    if (!named) return {};
    if (!named->result) return named->why;
    const CollectiveResult& result = *named->result;
    if (!result.favourable || !result.adverse) return "Link bandwidth only: the vendor publishes no latency constants.";
    const std::string low = formatSeconds(result.favourable->time), high = formatSeconds(result.adverse->time);
    const std::string algorithm = algorithmText(result);
    return low == high ? algorithm : fmt::format("{} (range {})", algorithm, formatInterval(low, high));
}
constexpr unsigned timePlaces = Display::Text | Display::Panel | Display::Summary | Display::Comparison;

constexpr FigureInfo rows[] = {
    shown({"collectives.all-reduce@1GiB.time_s", "Collectives", "All-reduce of 1 GiB, time", "ms", 1e3, decimal, "s",
           timeOf<CollectiveOp::AllReduce, gibibyte>, nullptr, nullptr, true, isEstimate},
          {timePlaces, 40, "All-reduce 1 GiB", true, timeTextOf<CollectiveOp::AllReduce, gibibyte>,
           algorithmOf<CollectiveOp::AllReduce, gibibyte>, howTimed<CollectiveOp::AllReduce, gibibyte>}),
    ofCandidates(shown({"collectives.all-to-all@256MiB.time_s", "Collectives", "All-to-all of 256 MiB, time", "ms", 1e3, decimal, "s",
                        timeOf<CollectiveOp::AllToAll, gibibyte / 4>, nullptr, nullptr, true, isEstimate},
                       {timePlaces, 41, "All-to-all 256 MiB", true, timeTextOf<CollectiveOp::AllToAll, gibibyte / 4>,
                        algorithmOf<CollectiveOp::AllToAll, gibibyte / 4>, howTimed<CollectiveOp::AllToAll, gibibyte / 4>}),
                 41, "All-to-all\n256 MiB", "fastest all-to-all"),
    {"collectives.", "Collectives", "{}", "", 1, decimal, "", nullptr, originOf, collectives},
};

} // namespace

std::span<const FigureInfo> collectiveFigures() { return rows; }

} // namespace railyard
