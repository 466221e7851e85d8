#include "app/cli/maps/map_table.h"
#include "app/cli/verbs/verb.h"
#include "core/analysis/maps/objective_map.h"
#include "core/base/file.h"
#include "core/json/json_text.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct HeatmapOptions : MapOptions {
    KindOptions ofKind{"--kind"};
};

int runHeatmap(const HeatmapOptions& o) {
    const MapInfo* map = mapNamed(o.kind);
    if (!map) return report({Error::usage(fmt::format("--kind {}: must be one of {} in this version", o.kind, mapKindNames()))});
    if (Status used = o.ofKind.check(o.kind); !used) return report(used.errors());
    if (Status used = map->check ? map->check(o) : Status(Done{}); !used) return report(used.errors());
    if (o.input.hasFailures() && mapKindNamed(o.kind)->has(MapKind::OtherDesigns))
        return report({Error::usage(fmt::format(
            "--fail and --fail-links cannot be combined with --kind {}, which builds other designs without failures", o.kind))});
    if (o.output != "-" && !o.writesJson() && !o.output.ends_with(".csv"))
        return report({Error::usage(fmt::format(
            "-o {}: a heat map is written as .csv or .json; for a picture, use `railyard render --view heatmap:{}`", o.output, o.kind))});
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    auto found = map->answer(o, *loaded);
    if (!found) return report(found.errors());
    const std::string answer = jsonText(withFailures(std::move(found->json), o.input));
    Status written = writeFile(o.output, o.writesJson() ? answer + "\n" : found->csv);
    if (!written) return report(written.errors());
    if (o.json && o.output != "-") printJson(answer);
    if (!found->note.empty()) fmt::print(stderr, "railyard-cli: note: {}\n", found->note);
    return 0;
}

Run addHeatmap(CLI::App& verb) {
    auto heat = std::make_shared<HeatmapOptions>();
    heat->input.addTo(verb, true);
    verb.add_option("--kind", heat->kind, "kind of heat map: " + mapKindNames())->required();
    verb.add_option("-o", heat->output, "file to write: .csv or .json; - for standard output")->capture_default_str();
    const auto add = [&](CLI::Option* option) { heat->ofKind.add(option, mapsWith(option->get_name())); }; // as the maps say
    const CLI::Range manyGpus(1, 1'048'576);
    const NumberBetween speeds(1.0, 1e6);
    add(verb.add_option("--op", heat->op, "operation")->capture_default_str());
    add(verb.add_option("--size", heat->sizes, "message sizes (repeatable); hb-nic takes one, default 256MiB")->allow_extra_args(false));
    add(verb.add_option("--transport", heat->transport, "transport between HB domains: " + std::string(transportNames))
            ->check(CLI::IsMember({"rdma", "infiniband", "roce", "efa", "tcp"}))
            ->capture_default_str());
    add(verb.add_option("--servers", heat->servers, "server counts, for example 16,32,64")
            ->delimiter(',')
            ->check(CLI::Range(1, 1'000'000)));
    add(verb.add_option("--against", heat->against, "show the relative difference to another design, or to rdma with --transport tcp"));
    add(verb.add_option("--nic-gbps", heat->bandwidths.nicGbps, "NIC speeds in Gb/s, for example 200,400,800")
            ->delimiter(',')
            ->check(speeds));
    add(verb.add_option("--hb-gbps", heat->bandwidths.hbGbps, "HB bandwidths per GPU and direction in Gb/s, for example 1800,3600")
            ->delimiter(',')
            ->check(speeds));
    add(verb.add_option("--gpus", heat->gpus, "cluster sizes in GPUs, for example 512,1024")->delimiter(',')->check(manyGpus));
    add(verb.add_option("--hb-domain-gpus", heat->domains, "HB-domain sizes in GPUs, for example 8,16")->delimiter(',')->check(manyGpus));
    add(verb.add_option("--tier", heat->tier, "tier of the links")->capture_default_str());
    add(verb.add_option("--by", heat->by,
                        "rows and columns, by gpu, server, hb-domain or su; default: by GPU up to 4,096, then by server, then "
                        "by SU"));
    add(verb.add_option("--x", heat->x, "gpus=512..262144 (doubling) or gpus=512,1000; default: doubling from 32 servers to 262,144 GPUs"));
    add(verb.add_option("--y", heat->y, "hb-domain=8,16, oversubscription=1:1,2:1 or optic-price=0.5,1,2 (factors); default: hb-domain"));
    add(verb.add_option("--objective", heat->objective, "what wins: switches (default), network-cost, total-cost or step-time (of the job)")
            ->check(CLI::IsMember(std::vector<std::string>(mapObjectives.begin(), mapObjectives.end()))));
    add(verb.add_option("--kinds", heat->sides,
                        "kinds of fabrics: rail-optimized, rail-only, oversubscribed, multi-plane; default: the first two"));
    add(verb.add_option("--bisection", heat->bisection,
                        "least bisection between servers, as a share of half the injection bandwidth; default: 1 divided by "
                        "the oversubscription of the leaves and, for each tier above the spines, by that of the core")
            ->check(NumberBetween(0.001, 1)));
    heat->traffic.addTo(verb, &heat->ofKind);
    verb.add_flag("--json", heat->json, "print JSON");
    return [=] { return runHeatmap(*heat); };
}

bool showsPrices(const CLI::App& verb) {
    const MapKind* kind = mapKindNamed(verb.get_option("--kind")->as<std::string>());
    return kind && kind->has(MapKind::Prices);
}

} // namespace

const VerbInfo heatmapVerb{"heatmap", "write a heat map as .csv or .json", showsPrices, addHeatmap};

} // namespace railyard::cli
