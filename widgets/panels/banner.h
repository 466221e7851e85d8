// A line above the view for what one has to know and can do something about: read-only, changed on disk.
#pragma once

#include "widgets/theme/tokens.h"

#include <QFrame>
#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace railyard {

class Banner : public QFrame {
    Q_OBJECT

public:
    struct Choice {
        QString text;
        std::function<void()> act; // the banner goes away first
    };
    explicit Banner(QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void say(const QString& text, std::vector<Choice> choices);
    QString text() const;

private:
    QLabel* m_text;
    QHBoxLayout* m_row;
    std::vector<QWidget*> m_buttons;
};

} // namespace railyard
