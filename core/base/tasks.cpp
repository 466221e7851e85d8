#include "core/base/tasks.h"

namespace railyard {

int threadsOf(const TaskContext& context) {
    constexpr int most = 256;
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(context.threads > 0 ? context.threads : cores, 1, most);
}

} // namespace railyard
