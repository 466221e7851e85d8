#include "widgets/document/busy_line.h"

#include "core/base/unit_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>
#include <cmath>

namespace railyard {

BusyLine::BusyLine(WatchedTask& task, const QString& what, std::function<void()> again, QWidget* parent)
    : QWidget(parent),
      m_task(task),
      m_what(what),
      m_again(std::move(again)),
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
    if (isNew && state.phase == Phase::Running) m_since.start();
    if (m_button->isEnabled() || isNew) // else it is being stopped
        m_text->setText(state.phase == Phase::Running ? progressText() : tr("Stopped. What was not computed yet is left out."));
    if (!isNew) return;
    m_button->setEnabled(true);
    m_button->setText(state.phase == Phase::Running ? tr("Stop") : tr("Compute again"));
    if (state.phase == Phase::Stopped) return show();
    if (!isVisible()) m_delay.start();
}

// "Computing the designs… 412 of 2,000, about 12 s left"
QString BusyLine::progressText() const {
    constexpr qint64 settled = 2000; // ms; before that the rate says little
    if (m_state.all <= 1 || m_state.done <= 0) return m_what;
    const QString count = tr("%1 %2 of %3").arg(m_what, text(formatCount(m_state.done)), text(formatCount(m_state.all)));
    if (m_since.elapsed() < settled) return count;
    const double left =
        static_cast<double>(m_since.elapsed()) / 1000 * static_cast<double>(m_state.all - m_state.done) / static_cast<double>(m_state.done);
    return tr("%1, about %2 left").arg(count, text(formatDuration(Seconds(std::max(1.0, std::round(left))))));
}

void BusyLine::press() {
    if (m_state.phase == TaskState::Phase::Stopped) return m_again();
    m_button->setEnabled(false);
    m_text->setText(tr("Stopping…"));
    m_task.stop();
}

} // namespace railyard
