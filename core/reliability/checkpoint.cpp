#include "core/reliability/checkpoint.h"

#include <algorithm>
#include <cmath>

namespace railyard {

CheckpointPlan checkpointPlan(const CheckpointTimes& times, Seconds meanTime) {
    CheckpointPlan plan;
    const double w = times.write.value(), m = meanTime.value(), young = std::sqrt(2 * w * m);
    plan.young = Seconds(young);
    plan.daly = Seconds(std::max(0.0, young - w));
    plan.interval = times.interval > Seconds(0) ? times.interval : plan.young;
    const double interval = plan.interval.value(); // 0 where a checkpoint costs no time: then nothing is lost but the restart
    const double lost = (times.restart.value() + interval / 2) / m;
    plan.ettr = std::max(0.0, (1 - lost) / (interval > 0 ? 1 + w / interval : 1));
    return plan;
}

} // namespace railyard
