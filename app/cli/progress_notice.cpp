#include "app/cli/progress_notice.h"

#include "core/base/unit_text.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace railyard::cli {

ProgressNotice::ProgressNotice() {
    if (isatty(STDERR_FILENO) == 0) return;
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

void sayProgress(std::int64_t done, std::int64_t all, std::string_view what) {
    static const auto begin = std::chrono::steady_clock::now();
    static auto last = begin;
    const auto now = std::chrono::steady_clock::now();
    if (isatty(STDERR_FILENO) == 0 || now - last < std::chrono::seconds(1)) return;
    last = now;
    fmt::print(stderr, "railyard-cli: {} of {} {}\n", formatCount(done), formatCount(all), what);
}

} // namespace railyard::cli
