// Explains collective times: the bytes on each link, the share of its bandwidth that the library reaches, and the latencies it adds.
#include "core/analysis/figures/explain_collectives.h"

#include "core/collective/algorithms/algorithm_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

std::string rangeOf(const Uncertain& value, double scale, std::string_view unit) {
    return fmt::format("{:g} to {:g}{} ({})", value.low * scale, value.high * scale, unit, value.source);
}

bool isExchange(CollectiveOp op) {
    return op == CollectiveOp::AllToAll || op == CollectiveOp::Gather || op == CollectiveOp::Scatter || op == CollectiveOp::PointToPoint;
}

// Why a phase reaches this share of its links' bandwidth.
std::string whyThisShare(const CollectiveResult& r, const CollectiveTime& candidate, const CollectivePhase& phase) {
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
    if (isExchange(r.op)) return "overhead of an exchange, " + rangeOf(r.library->exchangeOverhead, 1e6, " µs");
    return fmt::format("overhead of a reduction, {}; plus sqrt(transfer time * growth) while its pipeline fills and drains, growth {}",
                       rangeOf(r.library->ramp, 1e6, " µs"), rangeOf(r.library->rampGrowth, 1e6, " µs"));
}

void explainTime(ExplanationBook& book, const std::string& key, const CollectiveResult& r, const CollectiveTime& candidate,
                 const std::string& note, std::vector<ExplainedInput> inputs) {
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
            time = input("_latency_s", phase.latency.value(), "s", "number of steps times the latency per step (" + r.library->source + ")",
                         "datasheet") +
                   " + " + time;
        if (phase.hidden.value() > 0)
            time += " - " + input("_hidden_s", phase.hidden.value(), "s",
                                  fmt::format("latency L{} hidden behind the transfer T: L + T - (L^p + T^p)^(1/p) with p {}",
                                              isExchange(r.op) ? " and overhead" : "",
                                              rangeOf(isExchange(r.op) ? r.library->exchangeHiding : r.library->latencyHiding, 1, "")),
                                  "derived");
        formula += (formula.empty() ? "" : " + ") + time;
    }
    book.add({key, "s", candidate.time.value(), formula.empty() ? "0" : formula, std::move(inputs), note});
}

} // namespace

void explainCollectives(ExplanationBook& book, const BackgroundMetrics& metrics) {
    for (std::size_t c = 0; c < metrics.collectives.size(); ++c) {
        const NamedCollective& named = metrics.collectives[c];
        const std::string at = fmt::format("collectives.{}.", c);
        const auto size = static_cast<double>(named.size.count());
        book.add({at + "size_bytes",
                  "B",
                  size,
                  "size_bytes",
                  {{"size_bytes", size, "B", "nccl-tests size, by definition of the metric", "assumption"}},
                  ""});
        if (!named.result) {
            for (const char* key : {"time_s", "time_low_s", "time_high_s"}) book.unknown(at + key, "s", named.why);
            book.unknown(at + "busbw_gbytes_s", "GB/s", named.why);
            continue;
        }
        const CollectiveResult& r = *named.result;
        const std::vector<ExplainedInput> inputs{
            {"ranks", static_cast<double>(r.ranks), "", "all GPUs", "counted"},
            {"domains", static_cast<double>(r.domains), "", "HB domains of these GPUs", "counted"},
            {"domain_gpus", static_cast<double>(r.domainGpus), "", "GPUs in the largest HB domain", "counted"},
            {"root_domain_gpus", static_cast<double>(r.rootDomainGpus), "", "GPUs in the HB domain of rank 0", "counted"},
            {"smallest_domain_gpus", static_cast<double>(r.smallestDomainGpus), "", "GPUs in the smallest HB domain", "counted"},
            {"off_rail_gpus", static_cast<double>(r.offRailGpus), "",
             "GPUs of an HB domain on other rails than a GPU: domain_gpus - domain_gpus / rails", "counted"},
            {"size_bytes", size, "B", at + "size_bytes", "assumption"}};
        const std::string how = fmt::format("{}, {}", toText(r.best.algorithm), toText(r.best.protocol));
        explainTime(book, at + "time_s", r, r.best,
                    r.library ? how + ", " + r.library->name : how + ". Link bandwidth only: the vendor publishes no latency constants.",
                    inputs);
        for (const bool isLow : {true, false}) {
            const auto& candidate = isLow ? r.favourable : r.adverse;
            const std::string key = at + (isLow ? "time_low_s" : "time_high_s");
            if (candidate)
                explainTime(book, key, r, *candidate,
                            fmt::format("{}, {}", toText(candidate->algorithm), toText(candidate->protocol)) +
                                (isLow ? ", best case of all uncertain constants" : ", worst case of all uncertain constants"),
                            inputs);
            else
                book.unknown(key, "s", "the vendor publishes no latency constants for these GPUs; time_s is based on link bandwidth only");
        }
        const double factor = busbwFactor(r.op, r.ranks);
        book.add({at + "busbw_gbytes_s",
                  "GB/s",
                  r.busbwGbytesPerSecond,
                  r.best.time.value() > 0 ? "size_bytes / time_s / 1e9 * busbw_factor" : "0",
                  {{"size_bytes", size, "B", at + "size_bytes", "assumption"},
                   {"time_s", r.best.time.value(), "s", at + "time_s", "computed"},
                   {"busbw_factor", factor, "", "nccl-tests, doc/PERFORMANCE.md", "published-price"}},
                  ""});
    }
}

} // namespace railyard
