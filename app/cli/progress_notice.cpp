#include "app/cli/progress_notice.h"

#include "app/cli/options/say_progress.h"

#include <chrono>
#include <cstdio>

namespace railyard::cli {

ProgressNotice::ProgressNotice() {
    if (!tellsProgress()) return;
    m_thread = std::jthread([this](const std::stop_token& stop) {
        using namespace std::chrono_literals;
        std::unique_lock lock(m_mutex);
        const auto begin = std::chrono::steady_clock::now();
        for (auto pause = 2s; !m_ends.wait_for(lock, stop, pause, [] { return false; }) && !stop.stop_requested(); pause = 10s) {
            const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
            std::fprintf(stderr, "railyard-cli: still working after %lld s; Ctrl+C cancels\n", static_cast<long long>(seconds));
        }
    });
}

} // namespace railyard::cli
