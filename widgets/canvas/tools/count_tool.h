#pragma once

#include "core/design/edits/edit_tiers.h"
#include "widgets/canvas/preview/edit_preview.h"
#include "widgets/canvas/tools/tool.h"

namespace railyard {

// Count handles: blue grips on SU cards and tier boxes. Dragging one changes the number of servers, SUs, spines or pods.
class CountTool : public Tool {
public:
    explicit CountTool(Viewport& port);

    bool press(const Press& press) override;
    void move(QPointF at) override;
    void release(QPointF at, Qt::KeyboardModifiers keys) override;
    void cancel() override;
    std::optional<Control> controlAt(QPointF at) const override;
    void paint(QPainter& painter) override;

private:
    struct Handle { // dragged along its axis; the count changes by one for each pitch
        QRectF rect;
        TierStep what = TierStep::ScalableUnits;
        double pitch = 1; // px
        bool isDown = false;
        QString hint;
    };
    std::vector<Handle> handles() const;
    std::optional<Handle> handleAt(QPointF screen) const;
    Result<Edit> edit(int steps) const; // of the handle that is dragged

    Handle m_held;
    QPointF m_pressedAt, m_lastAt;
    int m_steps = 0;
    EditPreview m_preview;
};

} // namespace railyard
