#pragma once

#include "widgets/canvas/tools/tool.h"

namespace railyard {

// Drags the drawing with the middle button, or with Space held.
class PanTool : public Tool {
public:
    using Tool::Tool;

    bool press(const Press& press) override;
    void move(QPointF at) override;
    void release(QPointF at, Qt::KeyboardModifiers keys) override;
    void hold(bool isSpaceHeld) { m_isSpaceHeld = isSpaceHeld; }
    bool isHeld() const { return m_isSpaceHeld; }
    bool isPanning() const { return m_isPanning; }

private:
    bool m_isSpaceHeld = false, m_isPanning = false;
    QPointF m_last;
};

} // namespace railyard
