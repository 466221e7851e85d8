#include "app/session/end_signals.h"

#include <QSocketNotifier>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace railyard {
namespace {

constexpr std::array endSignals{SIGTERM, SIGINT, SIGHUP};
constexpr std::time_t patienceSeconds = 5;
std::array<int, 2> ends{-1, -1};           // of a pipe: a signal handler may do little more than write to one
std::atomic<std::time_t> firstSeconds = 0; // time of the first signal since start-up of the machine, plus 1; 0: none yet
static_assert(decltype(firstSeconds)::is_always_lock_free, "a signal handler must not wait for a lock");

std::time_t nowSeconds() {
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1;
}

void pass(int signal) {
    const int before = errno;
    std::time_t unset = 0;
    if (firstSeconds.compare_exchange_strong(unset, nowSeconds())) {
        const auto byte = static_cast<unsigned char>(signal);
        (void)!::write(ends[1], &byte, 1);
    } else if (nowSeconds() - firstSeconds > patienceSeconds) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
    errno = before;
}

} // namespace

EndSignals::EndSignals(QObject* parent) : QObject(parent) {
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return; // then signals end the process as usual
    auto* arrivals = new QSocketNotifier(ends[0], QSocketNotifier::Read, this);
    connect(arrivals, &QSocketNotifier::activated, this, [this] {
        unsigned char signal = 0;
        if (::read(ends[0], &signal, 1) == 1) emit received(signal);
    });
    struct sigaction action = {};
    action.sa_handler = pass;
    action.sa_flags = SA_RESTART;
    firstSeconds = 0;
    for (const int signal : endSignals) ::sigaction(signal, &action, nullptr);
}

EndSignals::~EndSignals() {
    // The handler stays: the process is about to end anyway.
    for (int& end : ends)
        if (end >= 0) ::close(std::exchange(end, -1));
}

} // namespace railyard
