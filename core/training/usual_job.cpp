#include "core/training/usual_job.h"

#include <algorithm>
#include <map>
#include <vector>

namespace railyard {

namespace {
constexpr std::int64_t mostSequences = std::int64_t{1} << 40;

// GPUs of an HB domain, of the size that most of them have; a failed GPU does not change how all others divide a layer.
std::int64_t usualDomain(const Fabric& fabric) {
    std::vector<std::int64_t> sizes(fabric.hbDomains.size());
    for (std::size_t d = 0; d < fabric.devices.size(); ++d)
        if (fabric.devices.kind[d] == DeviceKind::Gpu && fabric.devices.hbDomain[d] != none) ++sizes[fabric.devices.hbDomain[d]];
    std::map<std::int64_t, std::int64_t> domains; // by size
    for (const std::int64_t size : sizes)
        if (size > 0) ++domains[size];
    std::int64_t usual = 1, most = 0;
    for (const auto& [size, count] : domains)
        if (count >= most) usual = size, most = count;
    return usual;
}
} // namespace

TrainingJob fillIn(TrainingJob job, const Fabric& fabric) {
    const FabricCounts counts = countsOf(fabric);
    const auto of = [&](Parallel parallel) -> std::int64_t& { return job.ways[static_cast<std::size_t>(parallel)]; };
    if (of(Parallel::Tensor) == 0) {
        const std::int64_t most = std::min<std::int64_t>(8, usualDomain(fabric));
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
