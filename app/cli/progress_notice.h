// Says that a verb takes a while, so that nobody takes it for stuck.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace railyard::cli {

// While it lives: after two seconds a line on the standard error output tells how to cancel, then each ten seconds how long it has
// taken. Silent where no progress is told.
class ProgressNotice {
public:
    ProgressNotice();
    ProgressNotice(const ProgressNotice&) = delete;
    ProgressNotice& operator=(const ProgressNotice&) = delete;

private:
    std::mutex m_mutex;
    std::condition_variable_any m_ends;
    std::jthread m_thread; // asked to stop where it is destroyed, before the members that it uses
};

} // namespace railyard::cli
