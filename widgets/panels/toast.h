// A short message at the lower edge of a view with one action. It disappears by itself.
#pragma once

#include "widgets/theme/tokens.h"

#include <QFrame>
#include <QTimer>
#include <functional>

class QLabel;
class QPushButton;

namespace railyard {

class Toast : public QFrame {
    Q_OBJECT

public:
    explicit Toast(QWidget* view);
    void setTokens(const Tokens& tokens);
    void say(const QString& words, const QString& action, std::function<void()> act);

private:
    QLabel* m_words;
    QPushButton* m_action;
    std::function<void()> m_act;
    QTimer m_gone;
};

} // namespace railyard
