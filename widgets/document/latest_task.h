// Runs one computation at a time in the background. Of the requests that arrive meanwhile only the last one is computed.
#pragma once

#include "widgets/document/failure.h"
#include "widgets/document/hand_over.h"

#include <QCoreApplication>
#include <QThreadPool>
#include <functional>
#include <memory>

namespace railyard {

template <class Answer>
class LatestTask {
public:
    using Work = std::function<Answer()>; // runs in a worker thread on copies of its inputs
    // Both functions run in the GUI thread: `next` creates the work, `take` receives its result.
    LatestTask(std::function<Work()> next, std::function<void(Answer)> take) : m_next(std::move(next)), m_take(std::move(take)) {}
    LatestTask(const LatestTask&) = delete;
    LatestTask& operator=(const LatestTask&) = delete;

    // Does not wait for a running computation. Its result is discarded, and the new request starts when it has ended.
    void ask() {
        m_isWanted = true;
        ++m_asked;
        if (!m_isRunning) start();
    }
    void drop() { // discards the pending result
        m_isWanted = false;
        ++m_asked;
    }
    void wait() { // for tests
        while (m_isRunning) {
            QThreadPool::globalInstance()->waitForDone();
            QCoreApplication::sendPostedEvents(QCoreApplication::instance());
        }
    }

private:
    void start() {
        m_isRunning = true;
        runInPool([self = std::weak_ptr(m_self), asked = m_asked, work = m_next()] {
            std::shared_ptr<Answer> answer; // remains null if the work fails
            try {
                answer = std::make_shared<Answer>(work());
            } catch (...) {
                tellFailure(failureText(std::current_exception()));
            }
            runInGui(QCoreApplication::instance(), [self, answer, asked] {
                if (const auto task = self.lock()) (*task)->arrive(answer, asked);
            });
        });
    }
    void arrive(const std::shared_ptr<Answer>& answer, quint64 asked) {
        m_isRunning = false;
        if (asked == m_asked && answer) return m_take(std::move(*answer));
        if (asked == m_asked) return; // failed; the next request may succeed
        if (m_isWanted) start();
    }

    std::function<Work()> m_next;
    std::function<void(Answer)> m_take;
    std::shared_ptr<LatestTask*> m_self = std::make_shared<LatestTask*>(this); // a result may arrive after the window was destroyed
    quint64 m_asked = 0;
    bool m_isWanted = false, m_isRunning = false;
};

} // namespace railyard
