// Count handles: blue grips on SU cards and tier boxes. Dragging a handle changes the number of servers, SUs, spines or pods.
#include "core/analysis/edit_effect.h"
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

// The effect of an edit on counts, cost and bisection.
QStringList Canvas::effectOf(const Result<Edit>& tried) const {
    if (!tried) return {QString::fromStdString(tried.error().text)};
    QStringList lines{QString::fromStdString(tried->label)};
    const auto change = [&](const QString& what, const std::string& was, const std::string& is) {
        if (was != is) lines << tr("%1: %2 → %3").arg(what, QString::fromStdString(was), QString::fromStdString(is));
    };
    const EditEffect effect = railyard::effectOf(tried->design);
    const InstantMetrics &before = m_document.now().instant, &after = effect.metrics;
    change(tr("GPUs"), formatCount(before.counts.gpus), formatCount(after.counts.gpus));
    change(tr("Switches"), formatCount(before.counts.switches), formatCount(after.counts.switches));
    change(tr("Links"), formatCount(before.counts.links), formatCount(after.counts.links));
    change(tr("Network cost"), "≥ " + formatMoney(before.bill.network), "≥ " + formatMoney(after.bill.network));
    const BackgroundMetrics* background = m_document.background();
    const auto words = [](const Bisection& found) { return formatBandwidth(gigabitsPerSecond(found.upperGbps)); };
    if (background && effect.bisection) change(tr("Bisection"), words(background->bisection[0]), words(*effect.bisection));
    return lines;
}

void Canvas::paintCount(QPainter& painter) {
    painter.setPen(QPen(m_tokens.card, 1));
    painter.setBrush(m_tokens.accent);
    for (const CountHandle& handle : countHandles())
        if (handle.rect.intersects(QRectF(rect()))) painter.drawRoundedRect(handle.rect, 4, 4);
    if (m_gesture != Gesture::Count || m_countSteps == 0) return;
    const auto tried = countEdit(m_countSteps);
    const QString label = QString::fromStdString(tried ? tried->label : tried.error().text);
    if (label != m_countLabel) m_countText = effectOf(tried); // computed once for each count
    m_countLabel = label;
    paintTip(painter, m_lastAt, m_countText, !tried);
}

} // namespace railyard
