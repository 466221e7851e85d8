#include "app/gui/status_line.h"

#include "widgets/theme/plain_text.h"

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace railyard {
namespace {

constexpr int messageTime = 8000; // ms

} // namespace

StatusLine::StatusLine(Document& document, QWidget* parent)
    : QStatusBar(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_drawn(plainLabel()),
      m_selection(plainLabel()),
      m_saved(plainLabel()) {
    addWidget(m_drawn);
    addWidget(m_selection, 1);
    addProgress();
    addPermanentWidget(m_saved);
}

// Background metrics of a large design take a while.
void StatusLine::addProgress() {
    auto* busy = new QProgressBar;
    busy->setRange(0, 0);
    busy->setFixedWidth(90);
    busy->setAccessibleName(tr("Computing"));
    setToolTipOf(*busy, tr("Bisection, interrupt rate and collectives are being computed. Greyed values are from before the last edit."));
    busy->hide();
    addPermanentWidget(busy);
    auto* stop = new QToolButton;
    stop->setObjectName(QStringLiteral("stop-background"));
    stop->hide();
    addPermanentWidget(stop);
    connect(stop, &QToolButton::clicked, this,
            [this] { m_document.isBackgroundStopped() ? m_document.resumeBackground() : m_document.stopBackground(); });
    const auto follow = [this, busy, stop] {
        const bool stopped = m_document.isBackgroundStopped();
        busy->setVisible(!m_document.background() && !stopped);
        stop->setVisible(!m_document.background());
        stop->setText(stopped ? tr("Resume computing") : tr("Stop computing"));
    };
    connect(&m_document, &Document::changed, busy, follow);
    connect(&m_document, &Document::backgroundChanged, busy, follow);
}

void StatusLine::say(const QString& text) {
    setStyleSheet(QStringLiteral("QStatusBar { color: %1 }").arg(m_tokens.danger.name()));
    showMessage(text, messageTime);
    m_isRefusalShown = true;
}

void StatusLine::tell(const QString& text) {
    m_isRefusalShown = false;
    setStyleSheet({});
    showMessage(text, messageTime);
}

void StatusLine::keep(const QString& text) {
    setStyleSheet({});
    text.isEmpty() ? clearMessage() : showMessage(text);
}

void StatusLine::forgetRefusal() {
    if (m_isRefusalShown) clearMessage();
}

void StatusLine::showDrawn(const QString& text) { m_drawn->setText(text); }
void StatusLine::showSelection(const QString& text) { m_selection->setText(text); }
void StatusLine::showSaved(const QString& text) { m_saved->setText(text); }

} // namespace railyard
