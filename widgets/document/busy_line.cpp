#include "widgets/document/busy_line.h"

#include "widgets/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace railyard {

BusyLine::BusyLine(WatchedTask& task, const QString& what, QWidget* parent)
    : QWidget(parent),
      m_task(task),
      m_what(what),
      m_text(plainLabel()),
      m_bar(new QProgressBar),
      m_button(new QPushButton) {
    constexpr int delay = 300; // ms
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(18, 0, 18, 0);
    m_bar->setFixedWidth(160);
    m_bar->setTextVisible(false);
    m_button->setObjectName(QStringLiteral("busy-button"));
    row->addWidget(m_text);
    row->addWidget(m_bar);
    row->addWidget(m_button);
    row->addStretch();
    hide();
    m_delay.setSingleShot(true);
    m_delay.setInterval(delay);
    connect(&m_delay, &QTimer::timeout, this, &QWidget::show);
    connect(m_button, &QPushButton::clicked, this, &BusyLine::press);
    m_task.watch([this](const TaskState& state) { follow(state); });
}

void BusyLine::follow(const TaskState& state) {
    using Phase = TaskState::Phase;
    const bool isNew = state.phase != m_state.phase;
    m_state = state;
    if (state.phase == Phase::Done) {
        m_delay.stop();
        return hide();
    }
    m_bar->setVisible(state.phase == Phase::Running);
    m_bar->setRange(0, static_cast<int>(state.all));
    m_bar->setValue(static_cast<int>(state.done));
    if (!isNew) return;
    m_button->setEnabled(true);
    m_text->setText(state.phase == Phase::Running ? m_what : tr("Stopped. What was not computed yet is left out."));
    m_button->setText(state.phase == Phase::Running ? tr("Stop") : tr("Compute again"));
    if (state.phase == Phase::Stopped) return show();
    if (!isVisible()) m_delay.start();
}

void BusyLine::press() {
    if (m_state.phase == TaskState::Phase::Stopped) return emit againAsked();
    m_button->setEnabled(false);
    m_text->setText(tr("Stopping…"));
    m_task.stop();
}

} // namespace railyard
