#include "widgets/theme/wheel_guard.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>

namespace railyard {

WheelGuard::WheelGuard(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

// Fields that were clicked have the focus and keep the wheel; the wheel itself does not give it.
bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel && event->type() != QEvent::Polish) return false;
    auto* field = qobject_cast<QWidget*>(watched);
    if (!field || (!qobject_cast<QComboBox*>(field) && !qobject_cast<QAbstractSpinBox*>(field))) return false;
    if (event->type() == QEvent::Polish && field->focusPolicy() == Qt::WheelFocus) field->setFocusPolicy(Qt::StrongFocus);
    if (event->type() != QEvent::Wheel || field->hasFocus()) return false;
    event->ignore(); // Qt offers it to the parents, among them the panel that scrolls
    return true;
}

} // namespace railyard
