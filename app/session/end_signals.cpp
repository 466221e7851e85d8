#include "app/session/end_signals.h"

#include <QSocketNotifier>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace railyard {
namespace {

constexpr std::array endSignals{SIGTERM, SIGINT, SIGHUP};
std::array<int, 2> ends{-1, -1}; // of a pipe: a signal handler may do little more than write to one

void pass(int signal) {
    const int before = errno;
    const auto byte = static_cast<unsigned char>(signal);
    (void)!::write(ends[1], &byte, 1);
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
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    for (const int signal : endSignals) ::sigaction(signal, &action, nullptr);
}

EndSignals::~EndSignals() {
    if (ends[0] < 0) return;
    for (const int signal : endSignals) std::signal(signal, SIG_DFL);
    for (int& end : ends) ::close(std::exchange(end, -1));
}

} // namespace railyard
