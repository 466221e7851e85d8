// Answers that take a while, worked out beside the window: one at a time, and of what is asked meanwhile only the last.
#pragma once

#include <QCoreApplication>
#include <QThreadPool>
#include <functional>
#include <memory>

namespace railyard {

template <class Answer>
class Beside {
public:
    using Work = std::function<Answer()>; // in another thread, on copies of all it needs
    // Both on the window's thread: what is to be worked out now, and what comes of it.
    Beside(std::function<Work()> next, std::function<void(Answer)> take) : m_next(std::move(next)), m_take(std::move(take)) {}
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

    // What is being worked out is not waited for: when it is there it is passed over, and the next is asked.
    void ask() {
        m_isWanted = true;
        ++m_asked;
        if (!m_isRunning) start();
    }
    void drop() { // nobody wants the answer any longer
        m_isWanted = false;
        ++m_asked;
    }
    void wait() { // tests
        while (m_isRunning) {
            QThreadPool::globalInstance()->waitForDone();
            QCoreApplication::sendPostedEvents(QCoreApplication::instance());
        }
    }

private:
    void start() {
        m_isRunning = true;
        QThreadPool::globalInstance()->start([self = std::weak_ptr(m_self), asked = m_asked, work = m_next()] {
            auto answer = std::make_shared<Answer>(work());
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [self, answer, asked] {
                    if (const auto beside = self.lock()) (*beside)->arrive(std::move(*answer), asked);
                },
                Qt::QueuedConnection);
        });
    }
    void arrive(Answer answer, quint64 asked) {
        m_isRunning = false;
        if (asked == m_asked) return m_take(std::move(answer));
        if (m_isWanted) start();
    }

    std::function<Work()> m_next;
    std::function<void(Answer)> m_take;
    std::shared_ptr<Beside*> m_self = std::make_shared<Beside*>(this); // answers may outlive the window
    quint64 m_asked = 0;
    bool m_isWanted = false, m_isRunning = false;
};

} // namespace railyard
