#include "widgets/modes/baseline_bar.h"

#include "widgets/theme/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace railyard {

BaselineBar::BaselineBar(Document& document, QWidget* parent) : QWidget(parent), m_document(document) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 4);
    row->setSpacing(6);
    m_choice = new QComboBox;
    m_choice->setObjectName(QStringLiteral("baseline"));
    m_choice->setAccessibleName(tr("Baseline"));
    setToolTipOf(*m_choice, tr("The last column shows the difference from this baseline."));
    m_choice->addItem(tr("No baseline"));
    m_choice->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* pin = new QToolButton;
    pin->setObjectName(QStringLiteral("pin-baseline"));
    pin->setText(tr("Pin…"));
    setToolTipOf(*pin, tr("Saves the current metrics as a baseline. The last column then shows the difference from it."));
    m_forget = new QToolButton;
    m_forget->setText(tr("Unpin"));
    setToolTipOf(*m_forget, tr("Removes the selected baseline."));
    m_forget->setEnabled(false);
    row->addWidget(m_choice, 1);
    row->addWidget(pin);
    row->addWidget(m_forget);
    connect(pin, &QToolButton::clicked, this, [this] { ask(); });
    connect(m_forget, &QToolButton::clicked, this, [this] { forget(m_choice->currentText()); });
    connect(m_choice, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_forget->setEnabled(index > 0);
        emit changed();
    });
    connect(&document, &Document::backgroundChanged, this, [this] { follow(); });
}

void BaselineBar::ask() {
    const QString suggestion = tr("Baseline %1").arg(m_baselines.size() + 1);
    const QString name = askText(this, tr("Pin baseline"), tr("Baseline name"), suggestion).trimmed();
    if (!name.isEmpty()) pin(name);
}

void BaselineBar::pin(const QString& name) {
    forget(name);
    const BackgroundMetrics* background = m_document.background();
    m_baselines.push_back({name, m_document.now().instant, background ? std::optional(*background) : std::nullopt,
                           background ? nullptr : m_document.snapshot(), m_document.failures()});
    m_choice->addItem(name);
    m_choice->setCurrentIndex(m_choice->count() - 1);
}

void BaselineBar::forget(const QString& name) {
    for (std::size_t b = 0; b < m_baselines.size(); ++b) {
        if (m_baselines[b].name != name) continue;
        m_baselines.erase(m_baselines.begin() + static_cast<std::ptrdiff_t>(b));
        m_choice->removeItem(static_cast<int>(b) + 1);
        return;
    }
}

const Baseline* BaselineBar::chosen() const {
    const int index = m_choice->currentIndex() - 1;
    return index >= 0 && static_cast<std::size_t>(index) < m_baselines.size() ? &m_baselines[static_cast<std::size_t>(index)] : nullptr;
}

// Completes baselines whose background metrics were still being computed when they were pinned. An edit or another failure cancels that.
void BaselineBar::follow() {
    for (Baseline& baseline : m_baselines) {
        if (!baseline.awaited) continue;
        const bool isSame = m_document.snapshot() == baseline.awaited && m_document.failures() == baseline.failures;
        if (isSame && !m_document.background()) continue;
        if (isSame) baseline.background = *m_document.background();
        baseline.awaited.reset();
    }
}

} // namespace railyard
