// The line below a view that is being computed: what it does, how far it is, and a button that stops it. Hidden while nothing takes long.
#pragma once

#include "widgets/document/latest_task.h" // first, because moc cannot parse <memory> before <concepts>

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace railyard {

class BusyLine : public QWidget {
    Q_OBJECT

public:
    // `what`: a sentence about what is computed.
    BusyLine(WatchedTask& task, const QString& what, QWidget* parent = nullptr);

signals:
    void againAsked(); // after a stop

private:
    void follow(const TaskState& state);
    void press();

    WatchedTask& m_task;
    QString m_what;
    TaskState m_state;
    QTimer m_delay; // short computations do not flash
    QLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_button;
};

} // namespace railyard
