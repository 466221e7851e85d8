#include "widgets/modes/mode_bar.h"

#include "widgets/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace railyard {

ModeBar::ModeBar(Document& document, const QString& name, QLabel* text, QWidget* parent)
    : QFrame(parent),
      m_document(document),
      m_text(text),
      m_column(new QVBoxLayout(this)),
      m_head(new QHBoxLayout),
      m_row(new QHBoxLayout) {
    setObjectName(name);
    m_column->setContentsMargins(12, 6, 12, 6);
    m_column->setSpacing(4);
    m_text->setWordWrap(true);
    m_head->setSpacing(12);
    m_head->addWidget(m_text, 1);
    m_row->setSpacing(8);
    m_column->addLayout(m_head);
    m_column->addLayout(m_row);
    const auto changed = [this] {
        if (m_isOn) designChanged();
    };
    connect(&document, &Document::changed, this, changed);
    connect(&document, &Document::failuresChanged, this, changed);
    hide();
}

void ModeBar::setTokens(const Tokens& tokens) {
    setStyleSheet(QStringLiteral("QFrame#%1 { background: %2; border-bottom: 2px solid %3 }")
                      .arg(objectName(), tokens.panel.name(), tokens.accent.name()));
}

void ModeBar::setOn(bool on) {
    m_isOn = on;
    setVisible(on);
    on ? start() : stop();
}

QToolButton* ModeBar::addButton(const QString& words, const QString& hint, const QString& object) {
    auto* button = new QToolButton;
    button->setObjectName(object);
    button->setText(words);
    setToolTipOf(*button, hint);
    if (!hint.isEmpty()) button->setAccessibleName(hint);
    m_row->addWidget(button);
    return button;
}

void ModeBar::addLocate(const QString& words, const QString& hint, const QString& object) {
    connect(addButton(words, hint, object), &QToolButton::clicked, this, [this] {
        if (!m_place.isEmpty()) emit locateAsked(m_place);
    });
}

void ModeBar::addLeave(const QString& hint, const QString& object) {
    connect(addButton(tr("Exit"), hint, object), &QToolButton::clicked, this, &ModeBar::leaveAsked);
}

} // namespace railyard
