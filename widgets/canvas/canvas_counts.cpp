// Count handles: blue grips on SU cards and tier boxes. Dragging a handle changes the number of servers, SUs, spines or pods.
#include "core/base/unit_text.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/scene/scene_builder.h"

#include <algorithm>

namespace railyard {

// Only counts of the recipe have handles: on the last SU card (right and bottom), on the box of shared spines, and on superspines.
std::vector<Canvas::CountHandle> Canvas::countHandles() const {
    std::vector<CountHandle> handles;
    if (!m_document.now().design->recipe) return handles;
    const auto beside = [](const QRectF& box, double length) { return QRectF(box.right() + 3, box.center().y() - length / 2, 9, length); };
    if (!m_scene.cards.empty()) {
        const QRectF card = m_view.toScreen(m_scene.cards.back().rect);
        handles.push_back({beside(card, 32), TierStep::ScalableUnits, m_view.scale * (measure::cardWidth + measure::cardGap), false,
                           tr("Drag sideways to change the number of SUs.")});
        handles.push_back({QRectF(card.center().x() - 16, card.bottom() + 3, 32, 9), TierStep::Servers, 14, true,
                           tr("Drag up or down to change the number of servers.")});
    }
    for (const SceneBar& bar : m_scene.bars) {
        const QRectF box = m_view.toScreen(bar.rect);
        if (bar.shape == Shape::Spine && bar.rail == 0)
            handles.push_back(
                {beside(box, 24), TierStep::Spines, 30, false, tr("Drag sideways for the next spine count with evenly divided uplinks.")});
        if (bar.shape == Shape::Superspine && bar.rail == 0)
            handles.push_back({beside(box, 24), TierStep::Pods, 60, false, tr("Drag sideways to change the number of pods.")});
    }
    return handles;
}

const Canvas::CountHandle* Canvas::countHandleAt(const std::vector<CountHandle>& all, QPointF screen) const {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const CountHandle& handle) { return handle.rect.adjusted(-3, -3, 3, 3).contains(screen); });
    return found == all.end() ? nullptr : &*found;
}

// Spines step between counts that divide the uplinks evenly. Other counts change by one per pitch.
Result<Edit> Canvas::countEdit(int steps) const {
    const Design& design = *m_document.now().design;
    if (m_count.what != TierStep::Spines) return stepTier(design, m_count.what, steps);
    const std::vector<SpineRung> counts = spineCounts(design), above = spineLadder(design);
    const auto now = static_cast<std::ptrdiff_t>(counts.size() - above.size()) - 1, last = static_cast<std::ptrdiff_t>(counts.size()) - 1;
    if (now < 0) return stepTier(design, TierStep::Spines, steps > 0 ? 1 : -1); // its error explains the limit
    const auto wanted = std::clamp<std::ptrdiff_t>(now + steps, 0, last);
    if (wanted == now) return stepTier(design, TierStep::Spines, steps > 0 ? 1 : -1);
    return setParameters(design, keepingRails(design, {{"spines", std::to_string(counts[static_cast<std::size_t>(wanted)].spines)}}));
}

void Canvas::paintCount(QPainter& painter) {
    painter.setPen(QPen(m_tokens.card, 1));
    painter.setBrush(m_tokens.accent);
    for (const CountHandle& handle : countHandles())
        if (handle.rect.intersects(QRectF(rect()))) painter.drawRoundedRect(handle.rect, 4, 4);
    if (m_gesture == Gesture::Count && m_countSteps != 0) paintTip(painter, m_lastAt, m_preview.lines(), m_preview.isRefused());
}

} // namespace railyard
