// What the pointer does on the canvas: the first tool that takes a press has the pointer until it is released.
#pragma once

#include "widgets/canvas/viewport/canvas_part.h"

#include <QWheelEvent>

namespace railyard {

struct Press {
    QPointF at; // px
    Qt::MouseButton button = Qt::LeftButton;
    Qt::KeyboardModifiers keys;
    std::ptrdiff_t node = -1; // under the pointer

    bool isWith(Qt::KeyboardModifier key) const { return keys & key; }
};

class Tool : public CanvasPart {
public:
    using CanvasPart::CanvasPart;

    virtual bool press(const Press& press) = 0; // true if it takes it
    virtual void move(QPointF) {}
    virtual void release(QPointF, Qt::KeyboardModifiers) {}
    virtual void cancel() {} // Escape, or a new scene: what was pressed belongs to the old one
    virtual bool wheel(const QWheelEvent&) { return false; }

    // A control that is drawn over the scene: it has a cursor and a hint, and a double click on it opens no block.
    struct Control {
        Qt::CursorShape cursor = Qt::PointingHandCursor;
        QString hint;
    };
    virtual std::optional<Control> controlAt(QPointF) const { return {}; }
};

} // namespace railyard
