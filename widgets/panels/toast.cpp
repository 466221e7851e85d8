#include "widgets/panels/toast.h"

#include "widgets/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace railyard {

Toast::Toast(QWidget* view) : QFrame(view), m_words(plainLabel()), m_action(new QPushButton) {
    setObjectName(QStringLiteral("toast"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 8, 10, 8);
    row->setSpacing(14);
    row->addWidget(m_words);
    row->addWidget(m_action);
    m_action->setFocusPolicy(Qt::NoFocus); // keyboard users press Ctrl+Z instead
    m_gone.setSingleShot(true);
    connect(&m_gone, &QTimer::timeout, this, &QWidget::hide);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        if (m_act) m_act();
    });
    hide();
}

void Toast::setTokens(const Tokens& tokens) {
    setStyleSheet(QStringLiteral("QFrame#toast { background: %1; border-radius: 8px } QFrame#toast QLabel { color: %2 } "
                                 "QFrame#toast QPushButton { background: transparent; border: 1px solid %2; color: %2; padding: 3px 10px }")
                      .arg(tokens.tip.name(), tokens.onTip.name()));
}

void Toast::say(const QString& words, const QString& action, std::function<void()> act) {
    constexpr int seconds = 6;
    m_words->setText(words);
    m_action->setText(action);
    m_act = std::move(act);
    adjustSize();
    move((parentWidget()->width() - width()) / 2, parentWidget()->height() - height() - 18);
    show();
    raise();
    m_gone.start(seconds * 1000);
}

} // namespace railyard
