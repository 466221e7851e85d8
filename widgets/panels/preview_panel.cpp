#include "widgets/panels/preview_panel.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/tokens.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace railyard {

PreviewPanel::PreviewPanel(QWidget* parent) : QWidget(parent), m_title(plainLabel()), m_note(plainLabel()), m_rows(new QGridLayout) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    m_title->setFont(fontFor(TextRole::ObjectName));
    m_title->setWordWrap(true);
    m_title->setObjectName(QStringLiteral("preview-title"));
    m_note->setProperty("dim", true);
    m_note->setWordWrap(true);
    column->addWidget(m_title);
    column->addWidget(m_note);
    column->addLayout(m_rows);
    column->addStretch(1);
    m_rows->setColumnStretch(0, 1);
    m_rows->setHorizontalSpacing(12);
    setVisible(false);
}

void PreviewPanel::showAnnouncement(const Announcement& announced) {
    if (announced == m_shown) return; // a pointer that moves announces the same again and again
    const bool wasShown = !m_shown.words.isEmpty(), isShown = !announced.words.isEmpty();
    m_shown = announced;
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_title->setText(announced.words);
    m_note->setText(announced.isRefused     ? tr("Nothing would change.")
                    : announced.isComputing ? tr("Computing the effect…")
                                            : tr("Not applied until you drop. Esc cancels."));
    const auto cell = [&](int row, int column, const QString& words, bool isBold) {
        auto* label = plainLabel(words);
        label->setAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        if (isBold) label->setFont(fontFor(TextRole::BodyBold));
        if (column > 0 && !isBold) label->setProperty("dim", true);
        m_rows->addWidget(label, row, column);
    };
    int row = 0;
    if (!announced.tiers.isEmpty()) {
        auto* label = plainLabel(announced.tiers);
        label->setObjectName(QStringLiteral("preview-tiers"));
        label->setWordWrap(true);
        label->setFont(fontFor(TextRole::BodyBold));
        m_rows->addWidget(label, row++, 0, 1, 3);
    }
    if (!announced.figures.empty()) {
        cell(row, 1, tr("now"), false);
        cell(row++, 2, tr("after"), false);
    }
    for (const Announcement::Figure& figure : announced.figures) {
        const bool isSame = figure.before == figure.after;
        cell(row, 0, figure.what, false);
        cell(row, 1, figure.before, false);
        cell(row++, 2, isSame ? tr("same") : figure.after, !isSame);
    }
    if (!announced.goals.empty()) cell(row++, 0, tr("Targets after the drop"), true);
    for (const Announcement::Goal& goal : announced.goals) {
        auto* label = plainLabel((goal.isMet ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + goal.words);
        label->setWordWrap(true);
        if (!goal.isMet) label->setProperty("danger", true);
        m_rows->addWidget(label, row++, 0, 1, 3);
    }
    setVisible(isShown);
    if (isShown != wasShown) emit shownChanged(isShown);
}

} // namespace railyard
