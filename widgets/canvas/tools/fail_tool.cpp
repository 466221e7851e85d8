#include "widgets/canvas/tools/fail_tool.h"

namespace railyard {

FailTool::FailTool(Viewport& port, std::function<void(const std::string&)> asked) : Tool(port), m_asked(std::move(asked)) {}

bool FailTool::press(const Press& press) {
    if (!m_port.isFailing() || press.button != Qt::LeftButton || press.isWith(Qt::ControlModifier)) return false;
    if (press.node >= 0) {
        const SceneNode& node = scene().nodes[static_cast<std::size_t>(press.node)];
        if (node.shape == Shape::Callout) return false;
        m_asked(m_port.pathOf(node));
        return true;
    }
    const SceneCard* card = m_port.cardAt(press.at);
    if (!card || card->folded > 1 || card->scope == none || !Viewport::isHead(*card, view().toWorld(press.at))) return false;
    m_asked(fabric().scopePath(card->scope));
    return true;
}

bool FailTool::takeFailed() {
    const Document& document = m_port.document();
    return m_marks.take(scene(), fabric(), m_port.cableIndex(), document.failed(), document.impacts().ofDevices);
}

void FailTool::paint(QPainter& painter) {
    if (!m_port.isFailing()) return;
    const PaintedScene at{scene(), tokens(), view(), m_port.area()};
    m_marks.paintBundles(painter, at, m_port.layers());
    QColor tint = tokens().danger;
    tint.setAlphaF(0.06F);
    painter.fillRect(m_port.area(), tint);
    m_marks.paintElements(painter, at, fabric(), m_port.insides().get());
    painter.setPen(QPen(tokens().danger, 3));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_port.area().adjusted(1.5, 1.5, -1.5, -1.5));
}

} // namespace railyard
