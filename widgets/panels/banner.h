// A message bar above the view for a condition the user can act on, such as a read-only file or a change on disk.
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
        std::function<void()> act; // called after the banner has closed
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
