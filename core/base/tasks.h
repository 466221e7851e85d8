// Many independent pieces of work, run in one way: on a pool of threads, with progress and a stop, the results in the order of the pieces.
#pragma once

#include "core/base/in_parallel.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace railyard {

struct TaskContext {
    int threads = 0;                                                        // 0: one per core; never changes a result
    std::function<void(std::int64_t done, std::int64_t all)> progress = {}; // called by the thread that asked
    std::stop_token stop = {};
};

int threadsOf(const TaskContext& context);

// work(0) to work(count - 1), begun in this order; `order` names another one, as when the longest ones are to begin first. A piece that a
// stop left out is empty. What a piece throws passes on.
template <class Value, class Work>
std::vector<std::optional<Value>> runTasks(std::size_t count, const TaskContext& context, const Work& work,
                                           const std::vector<std::size_t>& order = {}) {
    std::vector<std::optional<Value>> values(count);
    std::atomic<std::int64_t> done = 0;
    const auto asker = std::this_thread::get_id();
    inParallel(threadsOf(context), count, [&](std::size_t i) {
        if (context.stop.stop_requested()) return;
        const std::size_t piece = order.empty() ? i : order[i];
        values[piece] = work(piece);
        const std::int64_t now = ++done;
        if (context.progress && std::this_thread::get_id() == asker) context.progress(now, static_cast<std::int64_t>(count));
    });
    return values;
}

} // namespace railyard
