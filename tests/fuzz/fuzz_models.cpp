// Models: refused, or a training job of theirs is estimated and searched on a small fabric.
#include "core/training/search.h"
#include "core/workload/model.h"
#include "core/workload/models_json.h"
#include "core/workload/usual_job.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto model = modelFrom(fuzz::textOf(data, size), "fuzz.json");
    if (!fuzz::isRead(model)) return 0;
    const Fabric& fabric = *fuzz::smallFabric();
    const PlacedJob placed = placedJob(usualJob(std::move(*model)), fabric, RankOrder::Near);
    fuzz::estimate(fabric, placed, {});
    SearchSpace space = usualSpace(fabric, placed.job, placed.gpus);
    space.microBatches.resize(1); // to be fast
    space.recompute.resize(1);
    space.offload.resize(1);
    const auto found = searchTraining(fabric, placed.job, placed.gpus, {}, space, {});
    if (fuzz::isRead(found))
        for (const TrainingEstimate& each : found->best)
            fuzz::require(std::isfinite(each.iteration.value()) && each.iteration > Seconds(),
                          "a search finds iterations that are positive numbers");
    return 0;
}
