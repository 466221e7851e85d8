// The elements that can be seen on the canvas, for screen readers: name, place and whether they are selected.
#pragma once

class QAccessibleInterface;
class QObject;
class QString;

namespace railyard {

// For QAccessible::installFactory.
QAccessibleInterface* accessibleCanvas(const QString& className, QObject* object);

} // namespace railyard
