#include "widgets/canvas/tools/pan_tool.h"

namespace railyard {

bool PanTool::press(const Press& press) {
    m_isPanning = press.button == Qt::MiddleButton || (press.button == Qt::LeftButton && m_isSpaceHeld);
    m_last = press.at;
    return m_isPanning;
}

void PanTool::move(QPointF at) { m_port.panBy(at - std::exchange(m_last, at)); }

void PanTool::release(QPointF, Qt::KeyboardModifiers) { m_isPanning = false; }

} // namespace railyard
