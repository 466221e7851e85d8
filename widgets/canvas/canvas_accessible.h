// Exposes the visible elements of the canvas to screen readers with name, position and selection state.
#pragma once

class QAccessibleInterface;
class QObject;
class QString;

namespace railyard {

// A factory for QAccessible::installFactory.
QAccessibleInterface* accessibleCanvas(const QString& className, QObject* object);

} // namespace railyard
