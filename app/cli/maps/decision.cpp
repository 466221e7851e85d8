#include "core/analysis/maps/decision.h"
#include "app/cli/maps/map.h"
#include "app/cli/options/say_progress.h"
#include "core/analysis/maps/objective_map.h"
#include "core/io/results/decision_json.h"
#include "core/training/job_request.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard::cli {
namespace {

std::vector<std::string> listOf(const std::string& text) {
    std::vector<std::string> items;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        items.push_back(text.substr(at, comma - at));
        at = comma + 1;
    }
    return items;
}

template <class Names>
std::optional<std::size_t> placeOf(const Names& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names.begin()));
}

bool asksForObjectives(const MapOptions& o) {
    return !o.x.empty() || !o.y.empty() || !o.objective.empty() || !o.sides.empty() || o.bisection >= 0;
}

// NAME=VALUES; the name alone is an error.
Result<std::string> valuesOf(const char* option, const std::string& text, std::string_view name) {
    if (text.starts_with(std::string(name) + "=")) return text.substr(name.size() + 1);
    return Error::usage(fmt::format("{} {}: must be {}=VALUES", option, text, name));
}

Status readAxes(const MapOptions& o, const DecisionAxes& usual, ObjectiveMapRequest& request) {
    request.gpus = usual.gpus;
    if (!o.x.empty()) {
        const auto text = valuesOf("--x", o.x, "gpus");
        if (!text) return text.errors();
        auto sizes = sizesOfAxis(*text);
        if (!sizes) return sizes.errors();
        request.gpus = std::move(*sizes);
    }
    for (const std::int64_t domain : usual.hbDomains) request.y.push_back(fmt::to_string(domain));
    if (o.y.empty()) return Done{};
    const std::string name = o.y.substr(0, o.y.find('='));
    const auto axis = placeOf(mapAxes, name);
    if (!axis) return Error::usage(fmt::format("--y {}: must be hb-domain, oversubscription or optic-price, with =VALUES", o.y));
    request.axis = static_cast<MapAxis>(*axis);
    const auto text = valuesOf("--y", o.y, name);
    if (!text) return text.errors();
    request.y = listOf(*text);
    return Done{};
}

Status readSides(const MapOptions& o, ObjectiveMapRequest& request) {
    if (o.sides.empty()) return Done{};
    request.sides.clear();
    for (const std::string& each : listOf(o.sides)) {
        const auto side = placeOf(fabricSides, each);
        if (!side)
            return Error::usage(fmt::format("--kinds {}: must be of rail-optimized, rail-only, oversubscribed and multi-plane", each));
        if (std::find(request.sides.begin(), request.sides.end(), static_cast<FabricSide>(*side)) != request.sides.end())
            return Error::usage(fmt::format("--kinds: {} stands twice", each));
        request.sides.push_back(static_cast<FabricSide>(*side));
    }
    if (request.sides.size() < 2) return Error::usage("--kinds: needs at least two kinds to compare");
    return Done{};
}

Result<MapAnswer> objectiveAnswer(const MapOptions& o, const Design& design) {
    if (!o.gpus.empty() || !o.domains.empty())
        return Error::usage(
            "--gpus and --hb-domain-gpus: with --x, --y, --objective, --kinds or --bisection, say --x gpus=... and --y hb-domain=...");
    ObjectiveMapRequest request;
    if (const Status axes = readAxes(o, usualDecisionAxes(*design.recipe, *design.catalog), request); !axes) return axes.errors();
    if (const Status sides = readSides(o, request); !sides) return sides.errors();
    if (!o.objective.empty()) request.objective = static_cast<MapObjective>(*placeOf(mapObjectives, o.objective));
    if (o.bisection >= 0) request.bisection = o.bisection;
    if (request.objective == MapObjective::StepTime) {
        const auto job = o.traffic.job.request(design);
        if (!job) return job.errors();
        request.training = toCall(*job).options;
    }
    const auto progress = [](std::int64_t done, std::int64_t all) { sayProgress(done, all, "cells computed"); };
    const auto map = objectiveMap(*design.recipe, design.catalog, std::move(request), {0, progress, {}});
    if (!map) return map.errors();
    CsvWriter csv;
    csv.text(fmt::format("{}\\gpus", mapAxes[static_cast<std::size_t>(map->request.axis)]));
    for (const std::int64_t gpus : map->request.gpus) csv.number(gpus);
    csv.endRow();
    for (std::size_t row = 0; row < map->request.y.size(); ++row) {
        csv.text(map->request.y[row]);
        for (std::size_t column = 0; column < map->request.gpus.size(); ++column) {
            const ObjectiveCell& cell = map->cells[row * map->request.gpus.size() + column];
            cell.winner ? csv.text(fabricSides[static_cast<std::size_t>(cell.sides[*cell.winner].side)]) : csv.empty();
        }
        csv.endRow();
    }
    return MapAnswer{toJson(*map), csv.bytes()};
}

// Options of a job that no objective uses would be ignored; orders and lists name the GPUs of one fabric, where the map has hundreds.
Status checkObjectives(const MapOptions& o) {
    if (const std::string file = o.traffic.job.placementFile(); o.traffic.job.order != "near" || !file.empty())
        return Error::usage(fmt::format(
            "--{} {}: a decision map has many fabrics and orders the ranks of each by itself; use --placement packed, spread or random",
            file.empty() ? "order" : "placement", file.empty() ? o.traffic.job.order : file));
    if (o.traffic.job.isGiven("slow")) return Error::usage("--slow: names servers of one fabric; a decision map has many");
    if (o.objective == mapObjectives[static_cast<std::size_t>(MapObjective::StepTime)]) return Done{};
    for (const auto& row : jobParameters())
        if (o.traffic.job.isGiven(row.info.key)) return Error::usage(row.info.option() + ": is used with --objective step-time");
    return Done{};
}

Result<MapAnswer> decisionAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    if (Status axes = axesAreShort(o); !axes) return axes.errors();
    if (!loaded.design->recipe)
        return Error::unbuildable("the decision map varies the parameters of a recipe, but this design is hand-drawn");
    if (asksForObjectives(o)) return objectiveAnswer(o, *loaded.design);
    const Catalog& catalog = *loaded.design->catalog;
    const DecisionAxes usual = usualDecisionAxes(*loaded.design->recipe, catalog);
    const auto progress = [](std::int64_t done, std::int64_t all) { sayProgress(done, all, "cells computed"); };
    return answerOf(toGrid(railyard::decisionMap(*loaded.design->recipe, catalog, o.gpus.empty() ? usual.gpus : o.gpus,
                                                 o.domains.empty() ? usual.hbDomains : o.domains, {0, progress, {}})));
}

} // namespace

const MapInfo decisionMap{
    "decision", {"--gpus", "--hb-domain-gpus", "--x", "--y", "--objective", "--kinds", "--bisection"}, decisionAnswer, checkObjectives};

} // namespace railyard::cli
