#pragma once

#include "widgets/canvas/viewport/canvas_part.h"
#include "widgets/theme/plain_text.h"

namespace railyard {

// The possible edit scopes with their keys, next to the selection.
class ScopesOverlay : public CanvasPart {
public:
    using CanvasPart::CanvasPart;

    void show(const RichText& words) { m_words = words; }
    void paint(QPainter& painter) override;

private:
    RichText m_words;
};

} // namespace railyard
