#include "app/cli/options/traffic_options.h"
#include "app/cli/verbs/verb.h"
#include "core/analysis/maps/decision.h"
#include "core/analysis/maps/heat_grid.h"
#include "core/analysis/maps/link_load_grid.h"
#include "core/analysis/maps/traffic_matrix.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/csv.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string_view>
#include <type_traits>

namespace railyard::cli {
namespace {

struct HeatmapOptions {
    DesignInput input;
    std::string kind, output = "-", op = "all-reduce";
    std::vector<std::string> sizes;
    std::vector<std::int64_t> servers, gpus, domains;
    BandwidthAxes bandwidths;
    TrafficOptions traffic;
    KindOptions ofKind{"--kind"};
    std::string tier = "leaf-spine", by, against, transport = "rdma";
    bool json = false;

    bool writesJson() const { return output.ends_with(".json") || (json && output == "-"); }
};

// The header holds the x values, the first column those of y; numbers or names.
template <class Grid>
std::string gridCsv(const Grid& grid, const std::string& corner) {
    CsvWriter csv;
    const auto heading = [&](const auto& value) {
        if constexpr (std::is_convertible_v<decltype(value), std::string_view>)
            csv.text(value);
        else
            csv.number(value);
    };
    csv.text(corner);
    for (const auto& x : grid.x) heading(x);
    csv.endRow();
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        heading(grid.y[y]);
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const auto& value = grid.values[grid.at(x, y)];
            value ? csv.number(*value) : csv.empty();
        }
        csv.endRow();
    }
    return csv.bytes();
}

// Every cell of most maps is a fabric of its own.
Status axesAreShort(const HeatmapOptions& o) {
    constexpr std::size_t mostValues = 100;
    for (const auto& [option, count] :
         {std::pair("--size", o.sizes.size()), std::pair("--servers", o.servers.size()), std::pair("--gpus", o.gpus.size()),
          std::pair("--hb-domain-gpus", o.domains.size()), std::pair("--nic-gbps", o.bandwidths.nicGbps.size()),
          std::pair("--hb-gbps", o.bandwidths.hbGbps.size())})
        if (count > mostValues)
            return Error::usage(fmt::format("{}: {} values; a heat map has at most {} on each axis", option, count, mostValues));
    return Done{};
}

Result<HeatGrid> gridOf(const HeatmapOptions& o, const LoadedDesign& loaded) {
    if (Status axes = axesAreShort(o); !axes) return axes.errors();
    if (o.kind == "decision") {
        if (!loaded.design->recipe)
            return Error::unbuildable("the decision map varies the parameters of a recipe, but this design is hand-drawn");
        const Catalog& catalog = *loaded.design->catalog;
        const DecisionAxes usual = usualDecisionAxes(*loaded.design->recipe, catalog);
        return toGrid(decisionMap(*loaded.design->recipe, catalog, o.gpus.empty() ? usual.gpus : o.gpus,
                                  o.domains.empty() ? usual.hbDomains : o.domains));
    }
    const auto op = collectiveOpFrom(o.op);
    if (!op)
        return Error::usage(fmt::format(
            "--op {}: must be one of all-reduce, all-gather, reduce-scatter, all-to-all, broadcast, reduce, gather, scatter, p2p", o.op));
    std::vector<Bytes> sizes;
    for (const std::string& text : o.sizes) {
        auto size = parseBytes(text);
        if (!size) return Error::usage("--size: " + size.error().text);
        if (size->count() == 0) return Error::usage("--size: must be greater than 0");
        sizes.push_back(*size);
    }
    const auto calibration = over(*transportFrom(o.transport), shippedCalibration());
    if (!calibration) return calibration.errors();
    if (o.kind == "hb-nic") {
        if (sizes.size() > 1) return Error::usage("--size: --kind hb-nic takes one message size");
        return hbNicGrid(*loaded.fabric, *op, sizes.empty() ? Bytes(std::int64_t{256} << 20) : sizes.front(), o.bandwidths, *calibration);
    }
    if (sizes.empty()) sizes = usualSizes();
    std::vector<std::int64_t> servers = o.servers.empty() ? usualServerCounts(*loaded.fabric) : o.servers;
    if (o.input.hasFailures()) {
        const std::int64_t own = countsOf(*loaded.fabric).servers;
        if (!o.servers.empty() && (servers.size() > 1 || servers.front() != own))
            return Error::usage(fmt::format("--servers: with failures, only the size of the design itself ({}) is available, because other "
                                            "sizes rebuild the intact recipe",
                                            own));
        servers = {own};
    }
    if (o.against.empty()) return collectiveTimeGrid(*loaded.fabric, *op, sizes, servers, *calibration);
    if (o.against == "rdma") {
        if (o.transport != "tcp") return Error::usage("--against rdma: requires --transport tcp; otherwise name a design");
        return tcpDifferenceGrid(*loaded.fabric, *op, sizes, servers);
    }
    DesignInput input;
    input.file = o.against;
    const auto other = load(input);
    if (!other) return other.errors();
    return timeDifferenceGrid(*other->fabric, *loaded.fabric, *op, sizes, servers, *calibration);
}

Json loadJson(const LinkLoadGrid& grid, const TrafficOptions& traffic) {
    Json rows = Json::array();
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        Json row = Json::array();
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const auto& value = grid.values[grid.at(x, y)];
            row.push_back(value ? Json(*value) : Json());
        }
        rows.push_back(row);
    }
    return {{"schema", "railyard.heatmap/1"},
            {"title", fmt::format("utilisation of {} links with {} traffic", toText(grid.tier), traffic.name())},
            {"x", {{"name", "upper"}, {"values", grid.x}}},
            {"y", {{"name", "lower"}, {"values", grid.y}}},
            {"value", "utilisation_fraction"},
            {"values", rows}};
}

struct Answer {
    Json json;
    std::string csv;
};
Result<Answer> linkLoadAnswer(const HeatmapOptions& o, const Fabric& fabric) {
    const auto seed = static_cast<std::uint64_t>(o.input.seed);
    std::optional<LinkTier> tier;
    for (const LinkTier each : {LinkTier::HostLeaf, LinkTier::LeafSpine, LinkTier::SpineSuperspine, LinkTier::SuperspineCore, LinkTier::Hb})
        if (toText(each) == o.tier) tier = each;
    if (!tier)
        return Error::usage(fmt::format("--tier {}: must be one of host-leaf, leaf-spine, spine-superspine, superspine-core, hb", o.tier));
    const auto traffic = o.traffic.traffic(fabric, seed);
    if (!traffic) return traffic.errors();
    const auto loads = linkLoads(fabric, *traffic, o.traffic.options(seed));
    if (!loads) return loads.errors();
    const auto grid = linkLoadGrid(fabric, *loads, *tier);
    if (!grid) return grid.errors();
    return Answer{loadJson(*grid, o.traffic), gridCsv(*grid, std::string(toText(grid->tier)))};
}

// Beyond this a matrix is no spreadsheet any more.
constexpr std::size_t mostRows = 4096;

struct DenseTraffic {
    std::vector<std::string> x, y;
    std::vector<std::optional<double>> values; // GB
    std::size_t at(std::size_t column, std::size_t row) const { return row * x.size() + column; }
};

Json trafficJson(const DenseTraffic& grid, const TrafficMatrix& matrix, const HeatmapOptions& o) {
    Json rows = Json::array(), shares = Json::object();
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        Json row = Json::array();
        for (std::size_t x = 0; x < grid.x.size(); ++x) row.push_back(*grid.values[grid.at(x, y)]);
        rows.push_back(std::move(row));
    }
    for (const Parallel kind : allParallel) shares[std::string(toText(kind))] = matrix.bytes[static_cast<std::size_t>(kind)];
    return {{"schema", "railyard.heatmap/1"},
            {"title", fmt::format("traffic of one iteration of {}", o.traffic.job.model)},
            {"x", {{"name", "receiver"}, {"values", grid.x}}},
            {"y", {{"name", "sender"}, {"values", grid.y}}},
            {"value", "gbytes"},
            {"bytes_by_kind", shares},
            {"bytes",
             {{"in_hb_domains", matrix.inDomains},
              {"on_rails", matrix.onRails},
              {"across_rails", matrix.acrossRails},
              {"without_rails", matrix.withoutRails}}},
            {"values", rows}};
}

// The finest division with no more rows than a spreadsheet can show.
std::optional<MatrixGrain> finestGrain(const Fabric& fabric) {
    const FabricCounts counts = countsOf(fabric);
    const auto most = static_cast<std::int64_t>(mostRows);
    return counts.gpus <= most ? MatrixGrain::Gpu : counts.servers <= most ? MatrixGrain::Server : MatrixGrain::Su;
}

Result<Answer> trafficAnswer(const HeatmapOptions& o, const Fabric& fabric) {
    const auto grain = o.by.empty() ? finestGrain(fabric) : matrixGrainFrom(o.by);
    if (!grain) return Error::usage(fmt::format("--by {}: must be one of gpu, server, hb-domain, su", o.by));
    if (!o.traffic.pattern.empty() && o.traffic.pattern != "training")
        return Error::usage(fmt::format("--pattern {}: --kind traffic shows the traffic of a training job (--model, --tp, ...); use --kind "
                                        "link-load for other patterns",
                                        o.traffic.pattern));
    const auto traffic = o.traffic.job.traffic(fabric);
    if (!traffic) return traffic.errors();
    const TrafficMatrix matrix = trafficMatrix(fabric, *traffic, *grain);
    if (matrix.names.size() > mostRows)
        return Error::usage(fmt::format("--by {}: the matrix would have {} rows, and the maximum is {}; {}", o.by,
                                        formatCount(static_cast<std::int64_t>(matrix.names.size())), formatCount(mostRows),
                                        *grain == MatrixGrain::Gpu ? "use --by server, hb-domain or su" : "use --by su"));
    DenseTraffic grid{matrix.names, matrix.names, {}};
    grid.values.assign(matrix.names.size() * matrix.names.size(), 0.0);
    for (const TrafficMatrix::Cell& cell : matrix.cells) grid.values[grid.at(cell.column, cell.row)] = cell.total() / 1e9;
    if (o.writesJson()) return Answer{trafficJson(grid, matrix, o), {}};
    return Answer{o.json ? trafficJson(grid, matrix, o) : Json::object(), gridCsv(grid, "sender\\receiver")};
}

Result<Answer> answerOf(const HeatmapOptions& o, const LoadedDesign& loaded) {
    if (o.kind == "link-load") return linkLoadAnswer(o, *loaded.fabric);
    if (o.kind == "traffic") return trafficAnswer(o, *loaded.fabric);
    const auto grid = gridOf(o, loaded);
    if (!grid) return grid.errors();
    return Answer{toJson(*grid), gridCsv(*grid, grid->yName + "\\" + grid->xName)};
}

int runHeatmap(const HeatmapOptions& o) {
    static constexpr std::string_view kinds[] = {"collective-time", "hb-nic", "link-load", "traffic", "decision"};
    if (std::find(std::begin(kinds), std::end(kinds), o.kind) == std::end(kinds))
        return report({Error::usage(
            fmt::format("--kind {}: must be one of collective-time, hb-nic, link-load, traffic, decision in this version", o.kind))});
    if (Status used = o.ofKind.check(o.kind); !used) return report(used.errors());
    if (o.kind == "link-load")
        if (Status used = o.traffic.check(); !used) return report(used.errors());
    if (o.input.hasFailures() && (o.kind == "hb-nic" || o.kind == "decision"))
        return report({Error::usage(fmt::format(
            "--fail and --fail-links cannot be combined with --kind {}, which builds other designs without failures", o.kind))});
    if (o.output != "-" && !o.writesJson() && !o.output.ends_with(".csv"))
        return report({Error::usage(fmt::format(
            "-o {}: a heat map is written as .csv or .json; for a picture, use `railyard render --view heatmap:{}`", o.output, o.kind))});
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    auto found = answerOf(o, *loaded);
    if (!found) return report(found.errors());
    const std::string answer = jsonText(withFailures(std::move(found->json), o.input));
    Status written = writeFile(o.output, o.writesJson() ? answer + "\n" : found->csv);
    if (!written) return report(written.errors());
    if (o.json && o.output != "-") printJson(answer);
    return 0;
}

Run addHeatmap(CLI::App& verb) {
    auto heat = std::make_shared<HeatmapOptions>();
    heat->input.addTo(verb, true);
    verb.add_option("--kind", heat->kind, "kind of heat map: collective-time, hb-nic, link-load, traffic or decision")->required();
    verb.add_option("-o", heat->output, "file to write: .csv or .json; - for standard output")->capture_default_str();
    const auto add = [&](std::vector<std::string> kinds, CLI::Option* option) { heat->ofKind.add(option, std::move(kinds)); };
    const CLI::Range manyGpus(1, 1'048'576);
    const NumberBetween speeds(1.0, 1e6);
    add({"collective-time", "hb-nic"}, verb.add_option("--op", heat->op, "operation")->capture_default_str());
    add({"collective-time", "hb-nic"},
        verb.add_option("--size", heat->sizes, "message sizes (repeatable); hb-nic takes one, default 256MiB")->allow_extra_args(false));
    add({"collective-time", "hb-nic"},
        verb.add_option("--transport", heat->transport, "transport between HB domains: " + std::string(transportNames))
            ->check(CLI::IsMember({"rdma", "infiniband", "roce", "efa", "tcp"}))
            ->capture_default_str());
    add({"collective-time"}, verb.add_option("--servers", heat->servers, "server counts, for example 16,32,64")
                                 ->delimiter(',')
                                 ->check(CLI::Range(1, 1'000'000)));
    add({"collective-time"},
        verb.add_option("--against", heat->against, "show the relative difference to another design, or to rdma with --transport tcp"));
    add({"hb-nic"}, verb.add_option("--nic-gbps", heat->bandwidths.nicGbps, "NIC speeds in Gb/s, for example 200,400,800")
                        ->delimiter(',')
                        ->check(speeds));
    add({"hb-nic"},
        verb.add_option("--hb-gbps", heat->bandwidths.hbGbps, "HB bandwidths per GPU and direction in Gb/s, for example 1800,3600")
            ->delimiter(',')
            ->check(speeds));
    add({"decision"},
        verb.add_option("--gpus", heat->gpus, "cluster sizes in GPUs, for example 512,1024")->delimiter(',')->check(manyGpus));
    add({"decision"},
        verb.add_option("--hb-domain-gpus", heat->domains, "HB-domain sizes in GPUs, for example 8,16")->delimiter(',')->check(manyGpus));
    add({"link-load"}, verb.add_option("--tier", heat->tier, "tier of the links")->capture_default_str());
    add({"traffic"}, verb.add_option("--by", heat->by,
                                     "rows and columns, by gpu, server, hb-domain or su; default: by GPU up to 4,096, then by server, then "
                                     "by SU"));
    heat->traffic.addTo(verb, &heat->ofKind);
    verb.add_flag("--json", heat->json, "print JSON");
    return [=] { return runHeatmap(*heat); };
}

} // namespace

const VerbInfo heatmapVerb{"heatmap", "write a heat map as .csv or .json",
                           [](const CLI::App& verb) { return verb.get_option("--kind")->as<std::string>() == "decision"; }, addHeatmap};

} // namespace railyard::cli
