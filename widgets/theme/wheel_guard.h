// The wheel scrolls what it is over. Without this, a list or a number that happens to pass under the pointer while a panel scrolls would
// take the wheel and change the design.
#pragma once

#include <QObject>

namespace railyard {

class WheelGuard : public QObject {
    Q_OBJECT

public:
    explicit WheelGuard(QObject* parent); // for all widgets of the program, while it lives
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace railyard
