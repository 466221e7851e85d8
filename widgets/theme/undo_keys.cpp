#include "widgets/theme/undo_keys.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>

namespace railyard {

UndoKeys::UndoKeys(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

// A field claims the keys by accepting ShortcutOverride, even if it has nothing to undo.
bool UndoKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isUndo = key->matches(QKeySequence::Undo), isRedo = key->matches(QKeySequence::Redo);
    if (!isUndo && !isRedo) return false;
    const auto* field = qobject_cast<QLineEdit*>(watched);
    if (!field && qobject_cast<QAbstractSpinBox*>(watched)) field = watched->findChild<QLineEdit*>();
    if (!field || (isUndo ? field->isUndoAvailable() : field->isRedoAvailable())) return false;
    event->ignore();
    return true;
}

} // namespace railyard
