// Times of collectives: what passes which links, what of their bandwidth the library reaches, and the latencies it adds.
#include "core/analysis/explain_book.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

std::string rangeOf(const Uncertain& value, double scale, std::string_view unit) {
    return fmt::format("{:g} to {:g}{}: {}", value.low * scale, value.high * scale, unit, value.source);
}

// Why a phase reaches this share of its links' bandwidth.
std::string whyThisShare(const CollectiveResult& r, const CollectiveTime& way, const CollectivePhase& phase) {
    const bool sendsAndReceives = r.op == CollectiveOp::AllToAll || r.op == CollectiveOp::Gather || r.op == CollectiveOp::Scatter ||
                                  r.op == CollectiveOp::PointToPoint;
    const bool isHb = phase.bottleneck == "hb";
    const Uncertain& share = sendsAndReceives ? r.library->sendReceiveShare : isHb ? r.hbShare : r.library->nicShare;
    std::string why = fmt::format("{}, {}: of {} {}", toText(way.algorithm), toText(way.protocol), isHb ? "HB links" : "NICs and links",
                                  rangeOf(share, 1, ""));
    if (isHb && way.algorithm == Algorithm::Nvls && r.nvlsShare) why += "; of that by NVLS " + rangeOf(*r.nvlsShare, 1, "");
    return why + "; times the share of the protocol, its limit and the share by size: " + r.library->source;
}

void explainTime(ExplanationBook& book, const std::string& key, const CollectiveResult& r, const CollectiveTime& way,
                 const std::string& note, std::vector<ExplainedInput> inputs) {
    std::string formula;
    for (std::size_t p = 0; p < way.phases.size(); ++p) {
        const CollectivePhase& phase = way.phases[p];
        const std::string name = fmt::format("phase_{}", p + 1);
        const auto input = [&](const std::string& what, double value, const std::string& unit, const std::string& source,
                               const std::string& confidence) {
            inputs.push_back({name + what, value, unit, source, confidence});
            return name + what;
        };
        std::string time = fmt::format(
            "8 * ({}) / ({} * 1e9)", phase.bytesFormula,
            input("_gbps", phase.bytes * 8 / phase.ideal.value() / 1e9, "Gb/s",
                  fmt::format("{}: worst share of any link it uses ({}), routed over the fabric as drawn", phase.name, phase.bottleneck),
                  "computed"));
        if (r.library) time += " / " + input("_efficiency", phase.share, "", whyThisShare(r, way, phase), "derived");
        if (phase.exposed != 1)
            time += " * " + input("_exposed", phase.exposed, "",
                                  way.algorithm == Algorithm::Nvls ? "hidden behind the longer phase, which it is pipelined with"
                                                                   : "what does not hide behind the longer phase; hidden " +
                                                                         rangeOf(r.library->hierarchicalOverlap, 1, ""),
                                  "derived");
        if (phase.ramp.value() > 0)
            time =
                input("_ramp_s", phase.ramp.value(), "s", "while the pipeline fills, " + rangeOf(r.library->ramp, 1e6, " us"), "derived") +
                " + " + time;
        if (phase.latency.value() > 0)
            time = input("_latency_s", phase.latency.value(), "s", "steps times latency of a step, " + r.library->source, "datasheet") +
                   " + " + time;
        formula += (formula.empty() ? "" : " + ") + time;
    }
    book.add({key, "s", way.time.value(), formula.empty() ? "0" : formula, std::move(inputs), note});
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
            {"domains", static_cast<double>(r.domains), "", "their HB domains", "counted"},
            {"domain_gpus", static_cast<double>(r.domainGpus), "", "GPUs of the largest domain", "counted"},
            {"root_domain_gpus", static_cast<double>(r.rootDomainGpus), "", "GPUs of the domain of rank 0", "counted"},
            {"smallest_domain_gpus", static_cast<double>(r.smallestDomainGpus), "", "GPUs of the smallest domain", "counted"},
            {"size_bytes", size, "B", at + "size_bytes", "assumption"}};
        const std::string how = fmt::format("{}, {}", toText(r.best.algorithm), toText(r.best.protocol));
        explainTime(book, at + "time_s", r, r.best,
                    r.library ? how + ", " + r.library->name
                              : how + ", bandwidth terms alone: the library of these GPUs publishes no latencies or efficiencies",
                    inputs);
        for (const bool isLow : {true, false}) {
            const auto& way = isLow ? r.favourable : r.adverse;
            const std::string key = at + (isLow ? "time_low_s" : "time_high_s");
            if (way)
                explainTime(book, key, r, *way,
                            fmt::format("{}, {}", toText(way->algorithm), toText(way->protocol)) +
                                (isLow ? ", all that is uncertain turning out well" : ", all that is uncertain turning out badly"),
                            inputs);
            else
                book.unknown(key, "s", "no library is known for these GPUs; time_s leaves out latencies");
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
