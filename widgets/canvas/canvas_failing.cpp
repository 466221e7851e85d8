// Failure mode on the canvas: a click fails an element, failed elements are crossed out, and the drawing is tinted.
#include "widgets/canvas/canvas.h"

#include <QPainter>

namespace railyard {

void Canvas::setFailing(bool on) {
    m_failing = on;
    m_gesture = Gesture::None;
    setSelection({});
    takeFailed();
    update();
}

// Determines for every visible element whether it has failed completely or partly.
bool Canvas::takeFailed() {
    m_failed.clear();
    const std::vector<bool>& gone = m_document.failed().devices;
    if (gone.empty()) return false;
    std::vector<std::pair<int, int>> failedOf(m_scene.nodes.size()); // failed devices and all devices of each node
    bool hidden = false;
    for (DeviceId d(0); d < gone.size(); ++d) {
        const std::uint32_t node = cableIndex().nodeOf(d);
        hidden = hidden || (node == none && gone[d]);
        if (node == none) continue;
        failedOf[node].first += gone[d] ? 1 : 0;
        ++failedOf[node].second;
    }
    for (std::size_t n = 0; n < failedOf.size(); ++n)
        if (failedOf[n].first > 0) m_failed.emplace_back(n, failedOf[n].first == failedOf[n].second);
    return hidden;
}

// Returns true if failure mode has handled the press.
bool Canvas::pressToFail(QPointF screen) {
    if (m_pressedNode >= 0) {
        if (m_scene.nodes[static_cast<std::size_t>(m_pressedNode)].shape == Shape::Callout) return false;
        emit failAsked(pathOf(m_scene.nodes[static_cast<std::size_t>(m_pressedNode)]));
        return true;
    }
    const SceneCard* card = m_scene.cardAt(m_view.toWorld(screen));
    if (!card || card->folded > 1 || card->scope == none || !isHead(*card, m_view.toWorld(screen))) return false;
    emit failAsked(m_document.now().fabric->scopePath(card->scope));
    return true;
}

void Canvas::paintFailed(QPainter& painter) const {
    if (!m_failing) return;
    const auto clear = [](QColor color, float alpha) {
        color.setAlphaF(alpha);
        return color;
    };
    painter.fillRect(rect(), clear(m_tokens.danger, 0.06F));
    const QColor fill = clear(m_tokens.danger, 0.3F);
    const QPen cross(m_tokens.danger, 1.6);
    for (const auto& [node, whole] : m_failed) {
        const QRectF box = m_view.toScreen(m_scene.nodes[node].rect);
        if (!box.intersects(QRectF(rect()))) continue;
        painter.setPen(whole ? QPen(Qt::NoPen) : cross);
        painter.setBrush(whole ? QBrush(fill) : QBrush(Qt::NoBrush));
        painter.drawRect(box);
        if (!whole || box.width() < 5) continue;
        painter.setPen(cross);
        painter.drawLine(box.topLeft(), box.bottomRight());
        painter.drawLine(box.topRight(), box.bottomLeft());
    }
    painter.setPen(QPen(m_tokens.danger, 3));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5));
}

} // namespace railyard
