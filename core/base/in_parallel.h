// Spreads independent pieces of work over threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace railyard {

// Calls work(0) to work(count - 1), on this thread and up to `threads` - 1 others, which take what is next. Returns when all have ended.
// After an exception nothing new is begun, and it passes on.
template <class Work>
void inParallel(int threads, std::size_t count, const Work& work) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex; // of the failure
    std::exception_ptr failure;
    const auto take = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            next = count;
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (int t = 1; t < threads && static_cast<std::size_t>(t) < count; ++t) others.emplace_back(take);
        take();
    }
    if (failure) std::rethrow_exception(failure);
}

} // namespace railyard
