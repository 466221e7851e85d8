#include "widgets/panels/banner.h"

#include "widgets/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace railyard {

Banner::Banner(QWidget* parent) : QFrame(parent), m_text(plainLabel()), m_row(new QHBoxLayout(this)) {
    setObjectName(QStringLiteral("banner"));
    m_row->setContentsMargins(12, 6, 12, 6);
    m_row->setSpacing(8);
    m_text->setWordWrap(true);
    m_row->addWidget(m_text, 1);
    hide();
}

void Banner::setTokens(const Tokens& tokens) {
    setStyleSheet(QStringLiteral("QFrame#banner { background: %1; border-bottom: 1px solid %2 } QFrame#banner QLabel { color: %2 }")
                      .arg(tokens.warnBg.name(), tokens.warn.name()));
}

void Banner::say(const QString& text, std::vector<Choice> choices) {
    for (QWidget* button : m_buttons) button->deleteLater();
    m_buttons.clear();
    m_text->setText(text);
    choices.push_back({tr("Dismiss"), [] {}});
    for (const Choice& choice : choices) {
        auto* button = new QPushButton(choice.text);
        connect(button, &QPushButton::clicked, this, [this, act = choice.act] {
            hide();
            act();
        });
        m_row->addWidget(button);
        m_buttons.push_back(button);
    }
    show();
}

QString Banner::text() const { return isVisibleTo(parentWidget()) ? m_text->text() : QString(); }

} // namespace railyard
