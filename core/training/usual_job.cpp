#include "core/training/usual_job.h"

#include <algorithm>

namespace railyard {

namespace {
constexpr std::int64_t mostSequences = std::int64_t{1} << 40;
}

TrainingJob fillIn(TrainingJob job, const Fabric& fabric) {
    const FabricCounts counts = countsOf(fabric);
    const auto of = [&](Parallel parallel) -> std::int64_t& { return job.ways[static_cast<std::size_t>(parallel)]; };
    if (of(Parallel::Tensor) == 0) {
        const std::int64_t most = counts.hbDomains > 0 ? std::min<std::int64_t>(8, counts.gpus / counts.hbDomains) : 1;
        of(Parallel::Tensor) = 1;
        while (of(Parallel::Tensor) * 2 <= most && job.model.heads % (of(Parallel::Tensor) * 2) == 0) of(Parallel::Tensor) *= 2;
    }
    if (of(Parallel::Data) == 0) {
        of(Parallel::Data) = 1;
        of(Parallel::Data) = std::max<std::int64_t>(1, counts.gpus / job.gpus());
    }
    if (job.globalBatch == 0) {
        const std::int64_t at = of(Parallel::Data) * of(Parallel::Expert) * job.microBatch; // each at most a million
        job.globalBatch = at <= mostSequences / 4 / of(Parallel::Pipeline) ? 4 * of(Parallel::Pipeline) * at : at;
    }
    return job;
}

} // namespace railyard
