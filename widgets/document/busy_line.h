// The line below a view that is being computed: what it does, how far it is, and a button that stops it. Hidden while nothing takes long.
#pragma once

#include "widgets/document/latest_task.h" // first, because moc cannot parse <memory> before <concepts>

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace railyard {

class BusyLine : public QWidget {
    Q_OBJECT

public:
    // `what`: a sentence about what is computed. `again`: what computes it again after a stop.
    BusyLine(WatchedTask& task, const QString& what, std::function<void()> again, QWidget* parent = nullptr);

private:
    void follow(const TaskState& state);
    void press();
    QString progressText() const;

    WatchedTask& m_task;
    QString m_what;
    std::function<void()> m_again;
    TaskState m_state;
    QElapsedTimer m_since; // it runs
    QTimer m_delay;        // short computations do not flash
    QLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_button;
};

} // namespace railyard
