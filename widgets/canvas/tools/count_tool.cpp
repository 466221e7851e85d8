#include "widgets/canvas/tools/count_tool.h"

#include "core/design/edits/edit_elements.h"
#include "widgets/canvas/overlays/tip.h"
#include "widgets/canvas/scene/scene_measure.h"

#include <algorithm>

namespace railyard {

CountTool::CountTool(Viewport& port)
    : Tool(port),
      m_preview(port.document(), [this] {
          emit m_port.announced(m_preview.announcement());
          emit m_port.changed();
      }) {}

// Only counts of the recipe have handles: on the last SU card (right and bottom), on the box of shared spines, and on superspines.
std::vector<CountTool::Handle> CountTool::handles() const {
    std::vector<Handle> handles;
    if (!design().recipe) return handles;
    const auto beside = [](const QRectF& box, double length) { return QRectF(box.right() + 3, box.center().y() - length / 2, 9, length); };
    if (!scene().cards.empty()) {
        const QRectF card = view().toScreen(scene().cards.back().rect);
        handles.push_back({beside(card, 32), TierStep::ScalableUnits, view().scale * (measure::cardWidth + measure::cardGap), false,
                           QObject::tr("Drag sideways to change the number of SUs.")});
        handles.push_back({QRectF(card.center().x() - 16, card.bottom() + 3, 32, 9), TierStep::Servers, 14, true,
                           QObject::tr("Drag up or down to change the number of servers.")});
    }
    for (const SceneBar& bar : scene().bars) {
        const QRectF box = view().toScreen(bar.rect);
        if (bar.shape == Shape::Spine && bar.rail == 0)
            handles.push_back({beside(box, 24), TierStep::Spines, 30, false,
                               QObject::tr("Drag sideways for the next spine count with evenly divided uplinks.")});
        if (bar.shape == Shape::Superspine && bar.rail == 0)
            handles.push_back({beside(box, 24), TierStep::Pods, 60, false, QObject::tr("Drag sideways to change the number of pods.")});
    }
    return handles;
}

std::optional<CountTool::Handle> CountTool::handleAt(QPointF screen) const {
    const std::vector<Handle> all = handles();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Handle& handle) { return handle.rect.adjusted(-3, -3, 3, 3).contains(screen); });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

std::optional<Tool::Control> CountTool::controlAt(QPointF at) const {
    const auto handle = handleAt(at);
    return handle ? std::optional(Control{handle->isDown ? Qt::SizeVerCursor : Qt::SizeHorCursor, handle->hint}) : std::nullopt;
}

bool CountTool::press(const Press& press) {
    const auto handle = m_port.isFailing() || press.button != Qt::LeftButton ? std::nullopt : handleAt(press.at);
    if (!handle) return false;
    m_held = *handle;
    m_pressedAt = m_lastAt = press.at;
    m_steps = 0;
    m_preview.clear();
    return true;
}

void CountTool::move(QPointF at) {
    m_lastAt = at;
    const QPointF by = at - m_pressedAt;
    const int steps = qRound((m_held.isDown ? by.y() : by.x()) / m_held.pitch);
    if (std::exchange(m_steps, steps) == steps) return;
    steps != 0 ? m_preview.show(edit(steps)) : m_preview.clear();
    emit m_port.announced(m_preview.announcement());
}

void CountTool::release(QPointF, Qt::KeyboardModifiers) {
    const int steps = m_steps;
    cancel();
    if (steps != 0) m_port.apply(edit(steps));
}

void CountTool::cancel() {
    m_steps = 0;
    m_preview.clear();
    emit m_port.announced({});
}

// Spines step between counts that divide the uplinks evenly. Other counts change by one per pitch.
Result<Edit> CountTool::edit(int steps) const {
    const Design& own = design();
    if (m_held.what != TierStep::Spines) return stepTier(own, m_held.what, steps);
    const std::vector<SpineRung> counts = spineCounts(own), above = spineLadder(own);
    const auto now = static_cast<std::ptrdiff_t>(counts.size() - above.size()) - 1, last = static_cast<std::ptrdiff_t>(counts.size()) - 1;
    if (now < 0) return stepTier(own, TierStep::Spines, steps > 0 ? 1 : -1); // its error explains the limit
    const auto wanted = std::clamp<std::ptrdiff_t>(now + steps, 0, last);
    if (wanted == now) return stepTier(own, TierStep::Spines, steps > 0 ? 1 : -1);
    return setParameters(own, keepingRails(own, {{"spines", std::to_string(counts[static_cast<std::size_t>(wanted)].spines)}}));
}

void CountTool::paint(QPainter& painter) {
    if (m_port.isFailing()) return;
    painter.setPen(QPen(tokens().card, 1));
    painter.setBrush(tokens().accent);
    for (const Handle& handle : handles())
        if (m_port.isInSight(handle.rect)) painter.drawRoundedRect(handle.rect, 4, 4);
    if (m_steps != 0) paintTip(painter, tokens(), m_port.area(), m_lastAt, m_preview.lines(), m_preview.isRefused());
}

} // namespace railyard
