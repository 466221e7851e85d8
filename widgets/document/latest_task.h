// Runs one computation at a time in the background, with progress and a stop. Of the requests that arrive meanwhile only the last one is
// computed.
#pragma once

#include "core/base/tasks.h"
#include "widgets/document/failure.h"
#include "widgets/document/hand_over.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <type_traits>

namespace railyard {

struct TaskState {
    enum class Phase : std::uint8_t { Running, Stopped, Done } phase = Phase::Done;
    std::int64_t done = 0, all = 0; // pieces; all = 0: not known
};

// What BusyLine needs of any task.
class WatchedTask {
public:
    virtual ~WatchedTask() = default;
    virtual void stop() = 0; // what is complete by then is taken all the same
    void watch(std::function<void(const TaskState&)> watcher) { m_watcher = std::move(watcher); }

protected:
    void tell(const TaskState& state) const {
        if (m_watcher) m_watcher(state);
    }

private:
    std::function<void(const TaskState&)> m_watcher;
};

template <class Answer>
class LatestTask : public WatchedTask {
public:
    // Runs in a worker thread on copies of its inputs; the context has the stop, takes the progress, and need not be asked for.
    class Work {
    public:
        template <class Run>
        Work(Run run) { // NOLINT: every function is work
            if constexpr (std::is_invocable_v<Run, const TaskContext&>)
                m_run = std::move(run);
            else
                m_run = [run = std::move(run)](const TaskContext&) { return run(); };
        }
        Answer operator()(const TaskContext& context) const { return m_run(context); }

    private:
        std::function<Answer(const TaskContext&)> m_run;
    };
    // Both functions run in the GUI thread: `next` creates the work, `take` receives its result.
    LatestTask(std::function<Work()> next, std::function<void(Answer)> take) : m_next(std::move(next)), m_take(std::move(take)) {}
    ~LatestTask() override { m_stop.request_stop(); }
    LatestTask(const LatestTask&) = delete;
    LatestTask& operator=(const LatestTask&) = delete;

    // Does not wait for a running computation: it is stopped, its result is discarded, and the new request starts when it has ended.
    void ask() {
        m_isWanted = true;
        ++m_asked;
        if (m_isRunning)
            m_stop.request_stop();
        else
            start();
    }
    void drop() { // stops, and discards the pending result
        m_isWanted = false;
        ++m_asked;
        m_stop.request_stop();
        tell({});
    }
    void stop() override {
        m_stop.request_stop();
        m_isStopped = true;
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
        m_isStopped = false;
        m_stop = std::stop_source();
        tell({TaskState::Phase::Running, 0, 0});
        runInPool([self = std::weak_ptr(m_self), asked = m_asked, stop = m_stop.get_token(), work = m_next()] {
            QElapsedTimer last;
            last.start();
            TaskContext context;
            context.stop = stop;
            context.progress = [&](std::int64_t done, std::int64_t all) {
                constexpr qint64 enough = 100; // ms
                if (last.elapsed() < enough) return;
                last.start();
                runInGui(QCoreApplication::instance(), [self, asked, done, all] {
                    if (const auto task = self.lock()) (*task)->tellProgress(asked, done, all);
                });
            };
            std::shared_ptr<Answer> answer; // remains null if the work fails
            try {
                answer = std::make_shared<Answer>(work(context));
            } catch (...) {
                tellFailure(failureText(std::current_exception()));
            }
            runInGui(QCoreApplication::instance(), [self, answer, asked] {
                if (const auto task = self.lock()) (*task)->arrive(answer, asked);
            });
        });
    }
    void tellProgress(quint64 asked, std::int64_t done, std::int64_t all) {
        if (asked == m_asked && m_isRunning) tell({TaskState::Phase::Running, done, all});
    }
    void arrive(const std::shared_ptr<Answer>& answer, quint64 asked) {
        m_isRunning = false;
        if (asked == m_asked) {
            tell({m_isStopped ? TaskState::Phase::Stopped : TaskState::Phase::Done, 0, 0});
            if (answer) m_take(std::move(*answer)); // else it failed; the next request may succeed
            return;
        }
        if (m_isWanted) start();
    }

    std::function<Work()> m_next;
    std::function<void(Answer)> m_take;
    std::shared_ptr<LatestTask*> m_self = std::make_shared<LatestTask*>(this); // a result may arrive after the window was destroyed
    std::stop_source m_stop;
    quint64 m_asked = 0;
    bool m_isWanted = false, m_isRunning = false, m_isStopped = false;
};

} // namespace railyard
