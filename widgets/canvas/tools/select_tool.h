#pragma once

#include "widgets/canvas/tools/arranging.h"
#include "widgets/canvas/tools/callout_placing.h"
#include "widgets/canvas/tools/snap.h"
#include "widgets/canvas/tools/tool.h"

namespace railyard {

// Selects, and moves or with Ctrl copies what is selected. It takes every press that no other tool has taken.
class SelectTool : public Tool {
public:
    SelectTool(Viewport& port, const CalloutPlacing& callouts, Arranging& arranging)
        : Tool(port),
          m_callouts(callouts),
          m_arranging(arranging) {}

    bool press(const Press& press) override;
    void move(QPointF at) override;
    void release(QPointF at, Qt::KeyboardModifiers keys) override;
    void cancel() override;
    void paint(QPainter& painter) override;
    void nudge(QPointF steps); // by half the grid

private:
    enum class Gesture { None, Press, Rubber, Move };

    void selectInside(bool isAdding);
    void finish(const Snap& snap, bool isCopy);
    int copiesOfRecipe() const;

    const CalloutPlacing& m_callouts;
    Arranging& m_arranging;
    Gesture m_gesture = Gesture::None;
    std::ptrdiff_t m_held = -1;
    bool m_toggleOnRelease = false; // Ctrl-click on a selected node, because a Ctrl-drag copies
    QPointF m_pressedAt, m_lastAt;
};

} // namespace railyard
