#include "core/training/collective_measurements.h"

#include "core/collective/collective.h"

#include <algorithm>
#include <cmath>

namespace railyard {

CollectiveMeasurements::CollectiveMeasurements(const Fabric& fabric, const std::vector<DeviceId>& gpus,
                                               const std::vector<NcclTest>& tests) {
    for (const NcclTest& test : tests) {
        if (test.ranks > static_cast<std::int64_t>(gpus.size())) continue; // of a larger cluster
        const auto group = Communicator::create(fabric, {gpus.begin(), gpus.begin() + test.ranks});
        if (!group) continue;
        Curve curve{test.op, test.ranks, group->domains() > 1, {}};
        for (const auto& [bytes, time] : test.times)
            if (const auto engine = group->time(test.op, Bytes(bytes)); engine && engine->best.time > Seconds())
                curve.factors.emplace_back(bytes, time / engine->best.time);
        if (!curve.factors.empty()) m_curves.push_back(std::move(curve));
    }
    std::stable_sort(m_curves.begin(), m_curves.end(), [](const Curve& a, const Curve& b) { return a.ranks > b.ranks; });
}

double CollectiveMeasurements::factor(CollectiveOp op, bool leavesDomain, std::int64_t bytes) const {
    const auto curve = std::find_if(m_curves.begin(), m_curves.end(),
                                    [&](const Curve& each) { return each.op == op && each.leavesDomain == leavesDomain; });
    if (curve == m_curves.end()) return 1;
    const auto& factors = curve->factors;
    const auto above =
        std::lower_bound(factors.begin(), factors.end(), bytes, [](const auto& each, std::int64_t wanted) { return each.first < wanted; });
    if (above == factors.begin()) return above->second;
    if (above == factors.end()) return factors.back().second;
    const auto below = std::prev(above);
    const double part = std::log(static_cast<double>(bytes) / static_cast<double>(below->first)) /
                        std::log(static_cast<double>(above->first) / static_cast<double>(below->first));
    return below->second + part * (above->second - below->second);
}

} // namespace railyard
