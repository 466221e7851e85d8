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

// Determines for every visible element whether it has failed completely or partly.
bool FailTool::takeFailed() {
    m_failed.clear();
    const std::vector<bool>& gone = m_port.document().failed().devices;
    if (gone.empty()) return false;
    std::vector<std::pair<int, int>> failedOf(scene().nodes.size()); // failed devices and all devices of each node
    bool hidden = false;
    for (DeviceId d(0); d < gone.size(); ++d) {
        const std::uint32_t node = m_port.cableIndex().nodeOf(d);
        hidden = hidden || (node == none && gone[d]);
        if (node == none) continue;
        failedOf[node].first += gone[d] ? 1 : 0;
        ++failedOf[node].second;
    }
    for (std::size_t n = 0; n < failedOf.size(); ++n)
        if (failedOf[n].first > 0) m_failed.emplace_back(n, failedOf[n].first == failedOf[n].second);
    return hidden;
}

void FailTool::paint(QPainter& painter) {
    if (!m_port.isFailing()) return;
    const auto clear = [](QColor color, float alpha) {
        color.setAlphaF(alpha);
        return color;
    };
    painter.fillRect(m_port.area(), clear(tokens().danger, 0.06F));
    const QColor fill = clear(tokens().danger, 0.3F);
    const QPen cross(tokens().danger, 1.6);
    for (const auto& [node, whole] : m_failed) {
        const QRectF box = view().toScreen(scene().nodes[node].rect);
        if (!box.intersects(m_port.area())) continue;
        painter.setPen(whole ? QPen(Qt::NoPen) : cross);
        painter.setBrush(whole ? QBrush(fill) : QBrush(Qt::NoBrush));
        painter.drawRect(box);
        if (!whole || box.width() < 5) continue;
        painter.setPen(cross);
        painter.drawLine(box.topLeft(), box.bottomRight());
        painter.drawLine(box.topRight(), box.bottomLeft());
    }
    painter.setPen(QPen(tokens().danger, 3));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_port.area().adjusted(1.5, 1.5, -1.5, -1.5));
}

} // namespace railyard
