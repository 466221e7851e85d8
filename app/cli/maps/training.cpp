#include "app/cli/maps/map.h"
#include "core/analysis/maps/curve_grids.h"

namespace railyard::cli {
namespace {

Result<MapAnswer> trainingAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    const Fabric& fabric = *loaded.fabric;
    const auto job = oneJobOf(o);
    if (!job) return job.errors();
    const auto request = job->request(*fabric.design);
    if (!request) return request.errors();
    const auto placed = job->placed(fabric, static_cast<std::uint64_t>(o.input.seed));
    if (!placed) return placed.errors();
    MapAnswer answer = answerOf(trainingGrid(fabric, *placed, request->planned.plan, mapContext()));
    answer.json["job_source"] = job->source(*fabric.design);
    return answer;
}

} // namespace

const MapInfo trainingMap{"training", {"--gpus"}, trainingAnswer, nullptr};

} // namespace railyard::cli
