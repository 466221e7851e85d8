#include "app/cli/options/traffic_options.h"
#include "app/cli/verbs/verb.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/io/tables/loads_files.h"
#include "core/json/json_text.h"
#include "core/routing/collisions.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct LoadsOptions {
    DesignInput input;
    TrafficOptions traffic;
    std::string file;
    bool json = false, collisions = false;
};

// How much worse hashing is than an even division: of the busiest links.
Json collisionSlowdown(const Fabric& fabric, const GpuTraffic& traffic, RoutingOptions options, const LoadSummary& hashed) {
    options.routing = Routing::Ecmp;
    const auto ecmp = linkLoads(fabric, traffic, options);
    if (!ecmp) return {};
    const double most = summaryOf(fabric, *ecmp).utilisation;
    return most > 0 ? Json(hashed.utilisation / most) : Json();
}

void printText(const Fabric& fabric, const LoadsOptions& o, const LinkLoads& loads, const LoadSummary& summary) {
    fmt::print("{}, {} routing, PXN {}: the busiest link is at {} utilisation when every GPU sends at {:.0f} Gb/s\n", o.traffic.name(),
               o.traffic.routingText("routing"), o.traffic.routingText("pxn"), formatShare(summary.utilisation), loads.ofGpu.value() / 1e9);
    if (o.traffic.pattern == JobOptions::kind) fmt::print("  Other job options: {}\n", o.traffic.job.sourceText(*fabric.design));
    if (summary.busiest != none)
        fmt::print("  Busiest link: {} – {}\n", fabric.devicePath(fabric.links.a[summary.busiest]),
                   fabric.devicePath(fabric.links.b[summary.busiest]));
    fmt::print("  {:<20}{:>10}{:>14}{:>14}{:>18}\n", "Tier", "Links", "Max load", "Mean load", "Max utilisation");
    for (std::size_t t = 0; t < summary.tiers.size(); ++t) {
        const TierLoad& tier = summary.tiers[t];
        if (tier.links > 0)
            fmt::print("  {:<20}{:>10}{:>14.4g}{:>14.4g}{:>18.4g}\n", toText(static_cast<LinkTier>(t)), formatCount(tier.links), tier.most,
                       tier.mean, tier.mostUtilisation);
    }
}

int runLoads(const LoadsOptions& o) {
    if (o.json && o.file == "-")
        return report({Error::usage("-o - and --json both write to standard output; use only one of them, or write to a file with -o")});
    if (Status used = o.traffic.check(); !used) return report(used.errors());
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    const Fabric& fabric = *loaded->fabric;
    const auto seed = static_cast<std::uint64_t>(o.input.seed);
    const auto traffic = o.traffic.traffic(fabric, seed);
    if (!traffic) return report(traffic.errors());
    const RoutingOptions options = o.traffic.options(seed);
    const auto loads = linkLoads(fabric, *traffic, options);
    if (!loads) return report(loads.errors());
    const LoadSummary summary = summaryOf(fabric, *loads);
    const std::string unreachable = unreachableText(*loads);
    const int code = unreachable.empty() ? 0 : 1;
    if (!o.file.empty()) {
        const std::string csv = loadsCsv(fabric, *loads);
        if (o.file == "-")
            fmt::print("{}", csv);
        else if (const Status written = writeFile(o.file, csv); !written)
            return report(written.errors());
    }
    if (code == 1) report({Error::unbuildable(unreachable)});
    Json json{{"schema", "railyard.loads/1"},
              {"pattern", o.traffic.name()},
              {"routing", o.traffic.routingText("routing")},
              {"flows_per_pair", options.connectionsPerPair},
              {"pxn", o.traffic.routingText("pxn")},
              {"seed", o.input.seed},
              {"gpus", countsOf(fabric).gpus}};
    if (o.traffic.pattern == JobOptions::kind) json["job_source"] = o.traffic.job.source(*loaded->design);
    json.update(toJson(fabric, *loads, summary));
    json["collision_slowdown"] = options.routing == Routing::Hash ? collisionSlowdown(fabric, *traffic, options, summary) : Json();
    if (o.collisions) {
        const auto curve = collisionCurve(fabric, *traffic, options);
        if (!curve) return report(curve.errors());
        for (const CollisionPoint& point : *curve)
            json["collision_curve"].push_back(
                {{"flows_per_pair", point.connections}, {"slowdown", point.slowdown}, {"max_over_mean", point.mostOverMean}});
    }
    if (o.json)
        printJson(jsonText(withFailures(json, o.input)));
    else if (o.file != "-")
        printText(fabric, o, *loads, summary);
    if (o.collisions && !o.json && o.file != "-")
        for (const Json& point : json["collision_curve"])
            fmt::print("  {:>3} flows per pair: the busiest link has {:.2f} times the load of ECMP with an even split\n",
                       point["flows_per_pair"].get<int>(), point["slowdown"].get<double>());
    return code;
}

Run addLoads(CLI::App& verb) {
    auto loads = std::make_shared<LoadsOptions>();
    loads->input.addTo(verb, true);
    loads->traffic.addTo(verb);
    verb.add_option("-o", loads->file, "CSV file to write, one row per link; - for standard output");
    verb.add_flag("--collisions", loads->collisions, "also compute the slowdown from hash collisions with 1, 2, 4 ... 64 flows per pair");
    verb.add_flag("--json", loads->json, "print JSON");
    return [=] { return runLoads(*loads); };
}

} // namespace

const VerbInfo loadsVerb{"loads", "compute the load of every link for a traffic pattern", neverShowsPrices, addLoads};

} // namespace railyard::cli
