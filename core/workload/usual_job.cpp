#include "core/workload/usual_job.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

namespace railyard {

namespace {
constexpr std::int64_t mostSequences = std::int64_t{1} << 40;

std::int64_t& degreeOf(TrainingJob& job, Parallel parallel) { return job.degrees[static_cast<std::size_t>(parallel)]; }

void fillInTensor(TrainingJob& job, const Fabric& fabric) {
    std::int64_t& tensor = degreeOf(job, Parallel::Tensor);
    if (tensor != 0) return;
    const std::int64_t most = std::min<std::int64_t>(8, usualDomain(fabric));
    const auto divides = [&](std::int64_t degree) {
        const std::int64_t heads = job.model.kvHeads;
        return job.model.heads % degree == 0 && (heads % degree == 0 || degree % heads == 0);
    };
    for (tensor = 1; tensor * 2 <= most && divides(tensor * 2);) tensor *= 2;
}

// Experts share the ranks of the rest of a layer where there are not enough GPUs for ranks of their own.
void foldExperts(TrainingJob& job, std::int64_t gpus) {
    const std::int64_t expert = job.by(Parallel::Expert);
    if (expert < 2 || job.isExpertFolded()) return;
    const auto gpusWith = [&](std::int64_t ranksOfExperts) {
        TrainingJob other = job;
        degreeOf(other, Parallel::Expert) = ranksOfExperts;
        degreeOf(other, Parallel::Data) = std::max<std::int64_t>(1, job.by(Parallel::Data));
        return other.gpus();
    };
    if (gpusWith(expert) <= gpus || gpusWith(1) > gpus) return;
    degreeOf(job, Parallel::Expert) = 1;
    job.expertFold = expert;
}

void fillInRest(TrainingJob& job, std::size_t gpus) {
    foldExperts(job, static_cast<std::int64_t>(gpus));
    if (degreeOf(job, Parallel::Data) == 0) {
        degreeOf(job, Parallel::Data) = 1;
        degreeOf(job, Parallel::Data) = std::max<std::int64_t>(1, static_cast<std::int64_t>(gpus) / job.gpus());
    }
    if (job.globalBatch == 0) {
        const std::int64_t at = job.by(Parallel::Data) * job.by(Parallel::Expert) * job.microBatch; // each at most a million
        job.globalBatch = at <= mostSequences / 4 / job.by(Parallel::Pipeline) ? 4 * job.by(Parallel::Pipeline) * at : at;
    }
}

// The counts that consist of whole groups of this size: within an HB domain, aligned by their places in the server where one holds a group,
// so that the remaining GPUs of a damaged server keep to their rails.
std::vector<DeviceId> alignedGroups(const Fabric& fabric, std::int64_t degree, const std::vector<DeviceId>& gpus) {
    const auto& devices = fabric.devices;
    By<DomainId, std::int64_t> domain(fabric.hbDomains.size()); // how many GPUs
    for (const DeviceId gpu : gpus)
        if (devices.hbDomain[gpu] != none) ++domain[devices.hbDomain[gpu]];
    if (std::all_of(domain.begin(), domain.end(), [&](std::int64_t count) { return count % degree == 0; })) return gpus;
    const auto blockOf = [&](DeviceId gpu) {
        return std::uint64_t{devices.server[gpu]} << 32U | (devices.index[gpu] - 1) / static_cast<std::uint64_t>(degree);
    };
    std::unordered_map<std::uint64_t, std::int64_t> block; // by server and place
    for (const DeviceId gpu : gpus) ++block[blockOf(gpu)];
    By<DomainId, std::int64_t> aligned(domain.size()), taken(domain.size());
    for (const DeviceId gpu : gpus)
        if (devices.hbDomain[gpu] != none) aligned[devices.hbDomain[gpu]] += block[blockOf(gpu)] == degree;
    std::vector<DeviceId> kept;
    for (const DeviceId gpu : gpus) {
        const auto of = devices.hbDomain[gpu];
        const bool isWhole = of == none || domain[of] % degree == 0;
        const bool isKept = isWhole || (aligned[of] > 0 ? block[blockOf(gpu)] == degree : taken[of]++ < domain[of] / degree * degree);
        if (isKept) kept.push_back(gpu);
    }
    return kept;
}
} // namespace

// A failed GPU does not change how all others divide a layer.
std::int64_t usualDomain(const Fabric& fabric) {
    std::vector<std::int64_t> sizes(fabric.hbDomains.size());
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d) && fabric.devices.hbDomain[d] != none) ++sizes[fabric.devices.hbDomain[d]];
    std::map<std::int64_t, std::int64_t> domains; // by size
    for (const std::int64_t size : sizes)
        if (size > 0) ++domains[size];
    std::int64_t usual = 1, most = 0;
    for (const auto& [size, count] : domains)
        if (count >= most) usual = size, most = count;
    return usual;
}

std::int64_t innerGroup(const TrainingJob& job, std::int64_t domainGpus) {
    std::int64_t block = 1, fits = 1;
    for (const Parallel each : job.rankOrder) {
        if (each == Parallel::Data) break;
        block *= std::max<std::int64_t>(1, job.by(each));
        if (block > domainGpus) break;
        fits = block;
    }
    const bool isTogether = job.rankOrder.front() != Parallel::Pipeline || job.by(Parallel::Pipeline) == 1; // without stages between
    return job.expertFold <= domainGpus && isTogether && job.expertFold % fits == 0 ? job.expertFold : fits;
}

std::vector<DeviceId> firstOfDomains(const Fabric& fabric, const std::vector<DeviceId>& gpus, std::int64_t perDomain) {
    By<DomainId, std::int64_t> taken(fabric.hbDomains.size());
    std::vector<DeviceId> first;
    for (const DeviceId gpu : gpus) {
        const DomainId own = fabric.devices.hbDomain[gpu];
        if (own == none || taken[own]++ < perDomain) first.push_back(gpu);
    }
    return first;
}

Alignment alignmentOf(const Fabric& fabric, const PlacedJob& placed) {
    Alignment found;
    const std::size_t ranks = std::min(placed.gpus.size(), static_cast<std::size_t>(placed.job.gpus()));
    By<DomainId, std::int64_t> held(fabric.hbDomains.size());
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const DomainId own = fabric.devices.hbDomain[placed.gpus[rank]];
        const std::int64_t now = own == none ? 1 : ++held[own];
        if (now == 1) ++found.domains;
        found.gpusPerDomain = std::max(found.gpusPerDomain, now);
    }
    const auto group = static_cast<std::size_t>(innerGroup(placed.job, usualDomain(fabric)));
    if (group < 2) return found;
    for (std::size_t first = 0; first + group <= ranks; first += group) {
        const DomainId own = fabric.devices.hbDomain[placed.gpus[first]];
        const auto isElsewhere = [&](DeviceId gpu) { return own == none || fabric.devices.hbDomain[gpu] != own; };
        const auto begin = placed.gpus.begin() + static_cast<std::ptrdiff_t>(first);
        found.straddlingGroups += std::any_of(begin, begin + static_cast<std::ptrdiff_t>(group), isElsewhere);
    }
    return found;
}

TrainingJob usualJob(TransformerModel model) {
    TrainingJob job;
    job.model = std::move(model);
    job.degrees = {0, 1, 1, 0, 1};
    job.globalBatch = 0;
    job.zero = 1;
    job.isSequenceParallel = true;
    return job;
}

std::vector<DeviceId> wholeGroups(const TrainingJob& job, const Fabric& fabric, std::vector<DeviceId> gpus) {
    const std::int64_t domain = usualDomain(fabric), group = innerGroup(job, domain);
    if (group > 1)
        if (auto whole = alignedGroups(fabric, group, gpus); !whole.empty()) gpus = std::move(whole);
    std::int64_t block = 1; // ranks up to the replicas and stages
    for (const Parallel each : job.rankOrder) {
        if (each == Parallel::Data || each == Parallel::Pipeline) break;
        block *= std::max<std::int64_t>(1, job.by(each));
    }
    if (block % domain != 0) return gpus;
    // Blocks of several domains stay in step if an incomplete domain is left out.
    By<DomainId, std::int64_t> count(fabric.hbDomains.size());
    for (const DeviceId gpu : gpus)
        if (const DomainId own = fabric.devices.hbDomain[gpu]; own != none) ++count[own];
    std::vector<DeviceId> whole;
    for (const DeviceId gpu : gpus)
        if (const DomainId own = fabric.devices.hbDomain[gpu]; own == none || block % count[own] == 0) whole.push_back(gpu);
    return whole.empty() ? gpus : whole;
}

PlacedJob placedJob(TrainingJob job, const Fabric& fabric, RankOrder order) {
    fillInTensor(job, fabric);
    std::vector<DeviceId> gpus = gpusInOrder(fabric, order);
    if (order == RankOrder::Near) gpus = wholeGroups(job, fabric, std::move(gpus));
    fillInRest(job, gpus.size());
    return {std::move(job), std::move(gpus)};
}

PlacedJob placedJob(TrainingJob job, const Fabric& fabric, std::vector<DeviceId> gpus) {
    fillInTensor(job, fabric);
    fillInRest(job, gpus.size());
    return {std::move(job), std::move(gpus)};
}

} // namespace railyard
