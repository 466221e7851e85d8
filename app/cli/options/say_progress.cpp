#include "app/cli/options/say_progress.h"

#include "core/base/unit_text.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <unistd.h>

namespace railyard::cli {

namespace {
bool isAsked = false;
}

void askForProgress() { isAsked = true; }
bool tellsProgress() { return isAsked || isatty(STDERR_FILENO) != 0; }

void sayProgress(std::int64_t done, std::int64_t all, std::string_view what) {
    static const auto begin = std::chrono::steady_clock::now();
    static auto last = begin;
    const auto now = std::chrono::steady_clock::now();
    if (!tellsProgress() || now - last < std::chrono::seconds(1)) return;
    last = now;
    const double passed = std::chrono::duration<double>(now - begin).count();
    const Seconds left(passed * static_cast<double>(all - done) / static_cast<double>(std::max<std::int64_t>(done, 1)));
    fmt::print(stderr, "railyard-cli: {} of {} {}, about {} left\n", formatCount(done), formatCount(all), what, formatDuration(left));
}

} // namespace railyard::cli
