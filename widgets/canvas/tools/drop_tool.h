#pragma once

#include "widgets/canvas/preview/edit_preview.h"
#include "widgets/canvas/tools/callout_placing.h"

namespace railyard {

// An item of the palette over the canvas: what its drop would do, and the drop.
class DropTool : public CanvasPart {
public:
    DropTool(Viewport& port, CalloutPlacing& callouts);

    void show(const QByteArray& item, QPointF at, bool isOffRung); // off rung (Alt): a spine sets any count, other switches stay unwired
    void leave();
    void drop(const std::string& item, QPointF at, bool isOffRung);
    void cancel() { m_preview.clear(); } // a new scene
    void paint(QPainter& painter) override;

private:
    Result<Edit> editAt(const std::string& name, QPointF at) const;
    QStringList spineWords(const Design& before, const Design& after) const;

    CalloutPlacing& m_callouts;
    EditPreview m_preview;
    QByteArray m_item; // empty outside of a drag
    QPointF m_at, m_entered;
    bool m_isOffRung = false;
};

} // namespace railyard
