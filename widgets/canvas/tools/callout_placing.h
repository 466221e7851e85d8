#pragma once

#include "core/design/edits/edit_callouts.h"
#include "widgets/canvas/viewport/canvas_part.h"

#include <functional>

namespace railyard {

// Callouts: where a new one stands next to its element, and how one is attached to another element.
class CalloutPlacing : public CanvasPart {
public:
    CalloutPlacing(Viewport& port, std::function<void(const Callout&)> wanted); // the window asks for its text or picture

    // What a drop creates: attached to the element or SU under the pointer. Empty if the name is not that of a callout.
    std::optional<Callout> calloutFor(const std::string& name, QPointF screen) const;
    void addOfSelection(Callout::Kind kind);
    void ask(const Callout& callout);
    // A position on the drawing, in the callout's own coordinates.
    Point spotOf(Callout::Kind kind, const QRectF& about, const QRectF& rect) const;
    Result<Edit> tie(const SceneNode& from, const SceneNode& to) const;

private:
    Callout ofSelection(const Callout& wanted) const;
    Point asideOf(Callout::Kind kind, const QRectF& about) const;

    std::function<void(const Callout&)> m_wanted;
};

} // namespace railyard
