#include "app/cli/options/concurrent_options.h"
#include "app/cli/options/parameter_options.h"
#include "app/cli/verbs/verb.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/collective_parameters.h"
#include "core/io/imports/rank_list.h"
#include "core/io/results/results_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct CollectiveOptions {
    DesignInput input;
    std::shared_ptr<ParameterTexts> given = std::make_shared<ParameterTexts>();
    std::string order = "near", sweep, calibration = "shipped";
    ConcurrentOptions result;
    AnswerOptions answer;
};

Result<Calibration> calibrationNamed(const std::string& name) {
    if (name == "shipped") return shippedCalibration();
    if (name == "none") return notCalibrated();
    auto text = readFile(name, mostJsonBytes);
    if (!text) return text.errors();
    return readCalibration(*text, name);
}

Result<Calibration> calibrationOf(const CollectiveOptions& o, const CollectiveQuery& query) {
    auto named = calibrationNamed(o.calibration);
    if (!named) return named.errors();
    return over(query.transport, std::move(*named));
}

Result<Communicator> groupOf(const Fabric& fabric, const CollectiveOptions& o, const CollectiveQuery& query) {
    auto calibration = calibrationOf(o, query);
    if (!calibration) return calibration.errors();
    if (o.order == "near" || o.order == "far")
        return Communicator::create(fabric, query.ranks, o.order == "far" ? RankOrder::Far : RankOrder::Near, *calibration);
    auto listed = readRankList(fabric, o.order);
    if (!listed) return listed.errors();
    if (query.ranks > static_cast<std::int64_t>(listed->size()))
        return Error::usage(fmt::format("--ranks {}: the maximum is {}, the number of GPUs in {}", query.ranks, listed->size(), o.order));
    if (query.ranks > 0) listed->resize(static_cast<std::size_t>(query.ranks));
    return Communicator::create(fabric, *listed, *calibration);
}

void printText(const CollectiveQuery& query, const CollectiveResult& result) {
    const bool hasRange = result.favourable && result.adverse;
    const std::string range =
        hasRange ? fmt::format(" ({})", formatInterval(formatSeconds(result.favourable->time), formatSeconds(result.adverse->time))) : "";
    fmt::print("{}, {}, {} GPUs: {}{} with {}; busbw {:.1f} GB/s{}\n", toText(query.op), formatBytes(result.size),
               formatCount(result.ranks), timeText(result), range, algorithmText(result), result.busbwGbytesPerSecond,
               result.library                      ? ""
               : query.transport == Transport::Tcp ? " (link bandwidth only, over TCP: the vendor publishes no latency constants)"
                                                   : " (link bandwidth only: no latency constants)");
    for (const CollectivePhase& phase : result.best.phases)
        fmt::print("  {:<32}{:>12}  bottleneck: {}\n", phase.name, formatSeconds(phase.time()), phase.bottleneck);
}

int runCollective(const CollectiveOptions& o) {
    const auto query = settingsFrom(collectiveParameters(), CollectiveQuery(), *o.given, "a collective");
    if (!query) return report(query.errors());
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    if (o.result.isAsked()) {
        if (o.given->contains("ranks") || !o.sweep.empty() || o.order != "near")
            return report({Error::usage("--jobs, --job and --storage cannot be combined with --ranks, "
                                        "--order or --sweep")});
        const auto calibration = calibrationOf(o, *query);
        if (!calibration) return report(calibration.errors());
        auto json = o.result.answer(*loaded->fabric, {query->op, query->size, query->request}, *calibration, o.answer.wantsText());
        if (!json) return report(json.errors());
        return o.answer.wantsText() ? 0 : o.answer.give(withFailures(std::move(*json), o.input));
    }
    auto group = groupOf(*loaded->fabric, o, *query);
    if (!group) return report(group.errors());
    auto result = group->time(query->op, query->size, query->request);
    if (!result) return report(result.errors());
    Json json = toJson(*result);
    if (!o.sweep.empty()) {
        const auto sizes = sweepSizes(o.sweep);
        if (!sizes) return report(sizes.errors());
        auto points = toJson(*group, query->op, query->request, *sizes);
        if (!points) return report(points.errors());
        json["points"] = std::move(*points);
    }
    if (!o.answer.wantsText()) return o.answer.give(withFailures(std::move(json), o.input));
    printText(*query, *result);
    return 0;
}

Run addCollective(CLI::App& verb) {
    auto collective = std::make_shared<CollectiveOptions>();
    collective->input.addTo(verb, true);
    addParameters(verb, collectiveParameters(), CollectiveQuery(), collective->given);
    verb.add_option("--order", collective->order, "rank order: near, far, or a file with one GPU path per line, starting with rank 0")
        ->capture_default_str();
    verb.add_option("--calibration", collective->calibration,
                    "calibration: shipped, none (full bandwidth, no latency), or a file in the format of "
                    "resources/calibration/collectives.json")
        ->capture_default_str();
    verb.add_option("--sweep", collective->sweep, "range of message sizes in powers of two, for example 1KiB:16GiB");
    collective->result.addTo(verb);
    collective->answer.addTo(verb);
    return [=] { return runCollective(*collective); };
}

} // namespace

const VerbInfo collectiveVerb{"collective", "compute the time of a collective, or of several concurrent jobs", neverShowsPrices,
                              addCollective};

} // namespace railyard::cli
