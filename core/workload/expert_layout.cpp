#include "core/workload/expert_layout.h"

#include <algorithm>
#include <set>

namespace railyard {
namespace {

// Of the ranks of a group, that are this far apart.
std::int64_t strideOf(const TrainingJob& layout) {
    std::int64_t stride = 1;
    for (const Parallel each : layout.rankOrder) {
        if (each == Parallel::Expert) break;
        stride *= layout.by(each);
    }
    return stride;
}

// Of one group: as expertsPerDomain().
std::int64_t perDomainOf(const std::vector<DomainId>& members) {
    const auto endOf = [&](std::size_t first) {
        std::size_t end = first + 1;
        while (end < members.size() && members[first] != none && members[end] == members[first]) ++end;
        return end;
    };
    const std::size_t run = endOf(0);
    std::set<DomainId> seen;
    for (std::size_t first = 0; first < members.size(); first += run)
        if (endOf(first) != first + run || (members[first] != none && !seen.insert(members[first]).second)) return 0;
    return static_cast<std::int64_t>(run);
}

} // namespace

std::int64_t expertsPerDomain(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus) {
    const TrainingJob layout = job.expertLayout();
    const std::int64_t stride = strideOf(layout), experts = layout.by(Parallel::Expert);
    std::int64_t perDomain = 0;
    std::vector<DomainId> members(static_cast<std::size_t>(experts));
    for (std::int64_t first = 0; first < layout.gpus(); ++first) {
        if (first / stride % experts != 0) continue;
        for (std::int64_t place = 0; place < experts; ++place)
            members[static_cast<std::size_t>(place)] = fabric.devices.hbDomain[gpus[static_cast<std::size_t>(first + place * stride)]];
        const std::int64_t own = perDomainOf(members);
        if (own == 0 || (perDomain != 0 && own != perDomain)) return 0;
        perDomain = own;
    }
    return perDomain;
}

TrainingJob expertPlaces(const TrainingJob& job, std::int64_t perDomain) {
    TrainingJob places = job.expertLayout();
    const std::int64_t stride = strideOf(places), domains = places.by(Parallel::Expert) / perDomain;
    places.degrees = {stride, perDomain, domains, places.gpus() / (stride * perDomain * domains), 1};
    places.rankOrder = allParallel;
    return places;
}

bool isDispatchedByDomain(const TrainingJob& job, std::int64_t perDomain) {
    return job.dispatch == ExpertDispatch::Domain && perDomain > 0 && perDomain < job.expertRanks();
}

} // namespace railyard
